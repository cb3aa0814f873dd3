#!/bin/sh
# The units: systemd's own parser takes them, and no unit of a boot waits for one of ours.
. "$srcdir/tests/lib.sh"
for needed in systemd-analyze systemd-tmpfiles; do
        command -v $needed >/dev/null || { echo "1..0 # SKIP no $needed here"; exit 0; }
done
mkdir -p "$work/sbin" "$work/root"
printf '#!/bin/sh\n' >"$work/sbin/bootlapd"
chmod 755 "$work/sbin/bootlapd"
unit=$work/units/bootlapd.service
configured hooks/systemd/bootlapd.service.in "$unit"
chmod 644 "$unit"
is "systemd takes it" "$(systemd-analyze verify --man=no "$unit" 2>&1)" ""
# What would order it after others, or others after it. Options that imply such an order: the table
# "Implicit Dependencies" of systemd.exec(5) and systemd.unit(5).
is "it is ordered before the shutdown and nothing else" "$(sed -n 's/^\(Before\|After\)=/\1 /p' "$unit")" \
        "Before shutdown.target"
is "it requires nothing" "$(grep -E '^(Requires|Requisite|BindsTo|PartOf|Wants|RequiresMountsFor)=' "$unit")" ""
is "it implies no order" "$(grep -cE '^(DefaultDependencies=no|Type=(oneshot|notify|dbus)|(PrivateTmp|DynamicUser|StateDirectory|CacheDirectory|LogsDirectory|RuntimeDirectory|WorkingDirectory|RootDirectory|RootImage|Slice|TTYPath|PAMName|LogNamespace|Standard(Input|Output|Error)|PrivateDevices|PrivateNetwork|NetworkNamespacePath|Sockets|BusName)=)' "$unit")" 1
is "nothing but sysinit.target wants it" "$(sed -n '/^\[Install\]/,$p' "$unit" | tail -n +2)" \
        "WantedBy=sysinit.target"
ok "tmpfiles.d is taken" systemd-tmpfiles --root="$work/root" --create "$srcdir/hooks/systemd/bootlap.conf"
is "and makes the folders" "$(cd "$work/root" && find run/bootlap var/lib/bootlap -printf '%p %m\n' | sort | xargs)" \
        "run/bootlap 755 var/lib/bootlap 755"
done_testing
