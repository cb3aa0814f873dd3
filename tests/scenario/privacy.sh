#!/bin/sh
# A record of this very machine, and one of it under names that are easy to find: none of them is in
# there. The names are given in namespaces of their own.
. "$srcdir/tests/lib.sh"
store=$work/state/records

# absent WHAT WORD FILE: the word is not in the file, whatever its case
absent() { ok "$1" not_in "$2" "$3" -iF; }
not_in() { ! grep "$3" -e "$1" "$2"; }

"$bootlap" measure --store "$store" --quiet >/dev/null
record=$(ls "$store"/*/*.json)
ok "a record was made" test -s "$record"

# What this machine has, as far as it has it.
for file in /etc/machine-id /sys/class/net/*/address /sys/block/*/serial /sys/block/*/device/serial \
        /sys/class/dmi/id/product_serial /sys/class/dmi/id/board_serial /sys/class/dmi/id/product_uuid; do
        word=$(cat "$file" 2>/dev/null)
        case $word in
        "" | 00:00:00:00:00:00) continue ;;
        esac
        absent "none of $file" "$word" "$record"
done
awk -F: '$3 >= 1000 && $3 < 60000 && length($1) > 2 { print $1 }' /etc/passwd >"$work/users"
while read -r user; do
        ok "no user $user" not_in "$user" "$record" -wF
done <"$work/users"
for link in /dev/disk/by-uuid/*; do
        [ ! -e "$link" ] || absent "no file system's UUID" "${link##*/}" "$record"
done

# The same machine under names that stand out.
cp /etc/passwd "$work/passwd"
echo 'josephine:x:1234:1234::/home/josephine:/bin/sh' >>"$work/passwd"
echo '0123456789abcdef0123456789abcdef' >"$work/machine-id"
printf 'root=/dev/mapper/plutonium--vg-root wg.key=hunter2 ro quiet user=josephine plutonium.lan\n' >"$work/cmdline"
cat >"$work/as-other" <<'EOF'
hostname plutonium.example.org || exit 99
mount --bind "$1/passwd" /etc/passwd || exit 99
if [ -e /etc/machine-id ]; then mount --bind "$1/machine-id" /etc/machine-id || exit 99; fi
mount --bind "$1/cmdline" /proc/cmdline || exit 99
shift
exec "$@"
EOF
as_root=
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
# shellcheck disable=SC2086 # no word at all for root
unshare $as_root --uts --mount --propagation private sh "$work/as-other" "$work" \
        "$bootlap" measure --store "$work/other/records" --quiet >/dev/null
is "measured under other names" $? 0
record=$(ls "$work"/other/records/*/*.json)
for word in plutonium josephine 0123456789abcdef0123456789abcdef hunter2; do
        absent "no $word" "$word" "$record"
done
ok "what is no secret stays" grep -q 'ro quiet user=' "$record"

# The key: made once, for its owner alone, beside the store.
key=$work/state/bootlap-identity.key
is "the key's mode and size" "$(stat -c '%a %s' "$key")" "600 32"
before=$(cksum <"$key")
"$bootlap" measure --store "$store" --quiet >/dev/null
is "it is not made again" "$(cksum <"$key")" "$before"
is "nothing of it in the store" "$(find "$store" -name '*key*' | wc -l)" 0
mkdir "$work/open"
cp "$key" "$work/open"
chmod 644 "$work/open/bootlap-identity.key"
"$bootlap" measure --store "$work/open/records" --quiet >/dev/null
ok "a key that others can read is refused" \
        grep -q 'identifiers are left out: .*bootlap-identity.key: is not this user' "$work"/open/records/*/*.json
ok "and no hash is made with it" sh -c "! grep -q hmac: $work/open/records/*/*.json"
mkdir -p "$work/folder/bootlap-identity.key"
"$bootlap" measure --store "$work/folder/records" --quiet >/dev/null
ok "so is one that is no file" grep -q 'identifiers are left out' "$work"/folder/records/*/*.json

# To share: nothing that ties two exports together.
"$bootlap" label --store "$store" drive="500GB Hitachi"
"$bootlap" export --store "$store" --anonymous --quiet >"$work/one.json"
"$bootlap" export --store "$store" --anonymous --quiet >"$work/two.json"
"$bootlap" export --store "$store" last last --anonymous 2>"$work/err" >"$work/both.json"
ok "labels are spoken of" grep -q 'labels are left as they were typed' "$work/err"
ok "and kept" grep -q '"drive": "500GB Hitachi"' "$work/one.json"
ok "no hash" sh -c "! grep -q hmac: $work/one.json"
ok "an anonymous record is a record" "$bootlap" show "$work/one.json"
ok "and has the machine's factors" grep -q '"kernel.release"' "$work/one.json"
member() { sed -n "s/^ *\"$1\": \"\(.*\)\",*\$/\1/p" "$2" | head -n 1; }
absent "not the boot's id" "$(member id "$store"/*/*.json)" "$work/one.json"
absent "not the machine's" "$(member machine "$store"/*/*.json)" "$work/one.json"
ok "another id in each export" test "$(member id "$work/one.json")" != "$(member id "$work/two.json")"
is "the same within one" "$(grep -c "\"id\": \"$(member id "$work/both.json")\"" "$work/both.json")" 2
realtime=$(sed -n 's/^ *"realtime_us": \([0-9]*\).*/\1/p' "$work/one.json" | head -n 1)
is "the day alone" "$((realtime % 86400000000))" 0
"$bootlap" export --store "$store" >"$work/plain.json"
is "without --anonymous it is the record" "$(cat "$work/plain.json")" "$(cat "$store"/*/*.json)"
fails_with "a record that is not there" 1 'nothere: no such file' "$bootlap" export --store "$store" nothere
done_testing
