#!/bin/sh
# bootlap measure where a real systemd is PID 1: in namespaces of its own, with a handful of units.
# What bootlap says is compared with what systemd says of itself through systemctl and systemd-analyze.
. "$srcdir/tests/lib.sh"
if [ "$(id -u)" -ne 0 ]; then
        echo "1..0 # SKIP namespaces for a systemd as PID 1 need root"
        exit 0
fi
systemd=/lib/systemd/systemd
cgroup=bootlap-test.$$
init=

# cgroups: of every hierarchy that is mounted, also where version 1 and 2 are side by side
cgroups() { awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 "/'"$cgroup"'" }' /proc/mounts; }
end_everything() {
        [ -z "$init" ] || kill -KILL "$init" 2>/dev/null # PID 1 of the namespace takes all with it
        wait
        for dir in $(cgroups); do
                [ ! -d "$dir" ] || find "$dir" -depth -type d -exec rmdir {} +
        done
        rm -rf "$work"
}
trap end_everything EXIT
trap "exit 141" PIPE HUP

# --- a few units, one of them slow
mkdir -p "$work/units/sysinit.target.wants" "$work/units/graphical.target.wants" "$work/bin"
for target in sysinit basic multi-user graphical; do
        # without what they want of the machine, which is not to be started here
        sed '/^Wants=/d; /^After=/s/[^ =]*\.\(service\|socket\|mount\|path\|swap\)//g; /^Conflicts=/d' \
                "/lib/systemd/system/$target.target" >"$work/units/$target.target"
done
for unit in shutdown.target systemd-journald.service systemd-journald.socket \
        systemd-journald-dev-log.socket; do
        cp "/lib/systemd/system/$unit" "$work/units"
done
ln -s ../systemd-journald.service "$work/units/sysinit.target.wants"
# Nothing of the machine's own kernel log, and no copies elsewhere
mkdir "$work/journald.conf.d"
printf '[Journal]\nStorage=volatile\nReadKMsg=no\nForwardToSyslog=no\nForwardToWall=no\n' \
        >"$work/journald.conf.d/test.conf"
ln -s graphical.target "$work/units/default.target"
cat >"$work/units/slow.service" <<END
[Unit]
DefaultDependencies=no
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sleep 0.3
END
# A disk that is asked for twice, in the words and under the names of systemd's own programs
cat >"$work/units/asked.service" <<END
[Unit]
DefaultDependencies=no
After=systemd-journald.service
[Service]
Type=oneshot
RemainAfterExit=yes
SyslogIdentifier=systemd-tty-ask-password-agent
ExecStart=/bin/echo Starting password query on /dev/tty1.
ExecStart=/bin/sleep 0.2
ExecStart=/bin/echo Password query on /dev/tty1 finished successfully.
ExecStart=/bin/sleep 0.1
ExecStart=/bin/echo Starting password query on /dev/tty1.
ExecStart=/bin/sleep 0.3
ExecStart=/bin/echo Password query on /dev/tty1 finished successfully.
END
cat >"$work/units/systemd-cryptsetup@.service" <<END
[Unit]
DefaultDependencies=no
Requires=asked.service
After=asked.service
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
SyslogIdentifier=systemd-cryptsetup
ExecStart=/bin/echo Set cipher aes, mode xts-plain64, key size 512 bits for device /dev/sda2.
END
ln -s ../systemd-cryptsetup@.service \
        "$work/units/sysinit.target.wants/systemd-cryptsetup@luks\\x2dtest.service"
# Says that the boot is complete: its job waits for all others
cat >"$work/units/told.service" <<END
[Unit]
DefaultDependencies=no
[Service]
Type=idle
ExecStart=/bin/sh -c 'echo >$work/told'
END
ln -s ../slow.service "$work/units/sysinit.target.wants"
ln -s ../told.service "$work/units/graphical.target.wants"
mkfifo "$work/told"

cat >"$work/boot.sh" <<END
mount --make-rprivate / && mount -t tmpfs tmpfs /run && mkdir /run/lock &&
        mount --bind "$work/units" /lib/systemd/system || exit 1
for dir in /etc/systemd/system /usr/local/lib/systemd /lib/systemd/system-generators \
        /lib/systemd/system-environment-generators; do
        [ ! -d "\$dir" ] || mount -t tmpfs tmpfs "\$dir"
done
# The namespace's view of its cgroups: ours is the root, and the machine's own are out of reach
for dir in $(cgroups | tr '\n' ' '); do
        [ ! -d "\$dir" ] || mount --bind "\$dir" "\${dir%/*}" || exit 1
done
mkdir -p /run/systemd && cp -r "$work/journald.conf.d" /run/systemd/ || exit 1
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin container=bootlap-test $systemd --system \
        --log-target=journal --log-level=info --show-status=no
END
(
        for dir in $(cgroups); do
                # cpuset wants settings first, and is not needed
                ! mkdir "$dir" || echo 0 >"$dir/cgroup.procs" 2>/dev/null || rmdir "$dir"
        done
        exec unshare --mount --pid --fork --mount-proc --uts --ipc --cgroup \
                sh "$work/boot.sh" >"$work/systemd.log" 2>&1
) &
unshare=$!
read -r _ <"$work/told"
init=$(cat "/proc/$unshare/task/$unshare/children")
init=${init% }
# --root: in a chroot the namespace reaches further than its PID 1
inside() { nsenter --target "$init" --root --mount --pid --uts --ipc --cgroup -- "$@"; }
stamp() { inside systemctl show --value --property="$2" ${1:+"$1"}; }
# started-up: its idle job lets the boot finish; then systemd stamps that
until [ "$(stamp '' FinishTimestampMonotonic)" != 0 ]; do
        kill -0 "$init" || break
done

inside "$bootlap" measure --store "$work/store" >"$work/out" 2>"$work/err"
is "measure where systemd is PID 1" $? 0
is "nothing on stderr" "$(cat "$work/err")" ""
record=$(sed -n 's/^Record: //p' "$work/out")
ok "a record that fits the schema" "$srcdir/tests/validate-record" "$record"
get() {
        python3 - "$1" "$record" <<'END'
import json, sys
r = json.load(open(sys.argv[2]))
def m(name):
    return next((m for m in r["milestones"] if m["name"] == name), None)
print(eval("(" + sys.argv[1] + ")"))
END
}
is "userspace.start, to the microsecond" "$(get 'm("userspace.start")["at_us"]')" \
        "$(stamp '' UserspaceTimestampMonotonic)"
for target in sysinit basic multi-user graphical; do
        is "$target.target, to the microsecond" "$(get "m('$target.target')['at_us']")" \
                "$(stamp $target.target ActiveEnterTimestampMonotonic)"
done
is "seen by systemd, which is not late" "$(get 'm("graphical.target")["source"],
        m("graphical.target")["error_us"]')" "('systemd', 0)"
reached_ms=$(inside systemd-analyze time | sed -n 's/.*graphical.target reached after \([0-9]*\)ms.*/\1/p')
if [ -n "$reached_ms" ]; then # a busy machine takes more than a second, said in other words
        is "userspace as systemd-analyze prints it" "$(get '(m("graphical.target")["at_us"]
                - m("userspace.start")["at_us"]) // 1000')" "$reached_ms"
fi
is "the slow unit" "$(get '[(u["name"], u["started_us"], u["started_us"] + u["elapsed_us"])
        for u in r["units"] if u["name"] == "slow.service"]')" \
        "[('slow.service', $(stamp slow.service InactiveExitTimestampMonotonic), $(stamp slow.service \
                ActiveEnterTimestampMonotonic))]"
is "slower ones come first" "$(get '[u["name"] for u in r["units"]
        if u["name"] in ("slow.service", "asked.service")]')" "['asked.service', 'slow.service']"
is "the kernel is the host's, and starts no total" "$(get '[x["name"] for x in r["milestones"]
        if x["at_us"] < m("userspace.start")["at_us"] and not x.get("implausible")]')" "[]"
reached=$(stamp graphical.target ActiveEnterTimestampMonotonic)
inside systemctl stop graphical.target
inside systemctl start graphical.target
inside "$bootlap" measure --store "$work/again" >"$work/out" 2>"$work/err"
record=$(sed -n 's/^Record: //p' "$work/out")
# --- the journal, a real one too
is "the journal's questions" "$(get '[(w["kind"], w["name"], w["attempts"]) for w in r["waits"]]')" \
        "[('unlock', 'luks-test', 1), ('unlock', 'luks-test', 1)]"
is "each as long as it took" "$(get '[int((w["to_us"] - w["from_us"]) / 1e5) for w in r["waits"]]')" \
        "[2, 3]"
is "asked, answered, mapped, in that order" "$(get '[x["name"] for x in sorted(r["milestones"],
        key=lambda x: x["at_us"]) if x.get("session") == "luks-test"]')" \
        "['unlock.prompt', 'unlock.answered', 'unlock.mapped']"
# systemd remembers only the last time that a target was reached; the journal has the first
again=$(stamp graphical.target ActiveEnterTimestampMonotonic)
ok "it was reached again" test "$again" -gt "$reached"
is "the first time that the target was reached" "$(get "[(x['source'], $reached <= x['at_us'] < $again)
        for x in r['milestones'] if x['name'] == 'graphical.target']")" "[('journal', True)]"

# --- without root, and with no bus daemon in there, nothing of it can be asked
mkdir "$work/nobody"
chown 65534 "$work/nobody"
chmod 711 "$work"
cp "$bootlap" "$work/bin/bootlap"
inside setpriv --reuid 65534 --regid 65534 --clear-groups "$work/bin/bootlap" measure \
        --store "$work/nobody" >"$work/out" 2>"$work/err"
is "nobody measures too" $? 0
record=$(sed -n 's/^Record: //p' "$work/out")
is "and is told why it knows less" "$(get '[a["reason"] for a in r["absent"]
        if a["name"] == "graphical.target"]')" "['the system bus: No such file or directory']"
done_testing
