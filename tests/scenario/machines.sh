#!/bin/sh
# Machines that we do not have: each tests/data/machine/NAME.tree is unpacked and read as --sysroot,
# and what comes out is NAME.expected. UPDATE=1 writes the expectations anew, to be read in the diff.
. "$srcdir/tests/lib.sh"
data=$srcdir/tests/data/machine

for tree in "$data"/*.tree; do
        name=$(basename "$tree" .tree)
        mkdir "$work/root"
        ok "$name: unpacks" "$srcdir/tests/unpack-tree" "$tree" "$work/root"
        "$bootlap" config --sysroot "$work/root" --json >"$work/$name.json" 2>"$work/err"
        is "$name: nothing on stderr" "$(cat "$work/err")" ""
        [ -z "${UPDATE-}" ] || cp "$work/$name.json" "$data/$name.expected"
        ok "$name: its factors" diff -u "$data/$name.expected" "$work/$name.json"
        # What names the machine or its owner is the same in all trees.
        ok "$name: no host, user, serial, address or key" \
                sh -c "! grep -niE 'pluto|joe|TEST|10\.0\.0|aaaa-bbbb|52-54-00|root\.key' $work/$name.json"
        rm -rf "$work/root"
done

# Nothing of this machine shows in a tree's factors: an empty root has none at all.
mkdir "$work/empty"
"$bootlap" config --sysroot "$work/empty" --json >"$work/empty.json"
ok "an empty root has no factor at all" grep -q '"groups": {},' "$work/empty.json"
ok "and says why" grep -q '"drive.model": "/proc/self/mountinfo: No such file' "$work/empty.json"
fails_with "a root that is none" 1 "^bootlap: $work/nowhere: No such file" \
        "$bootlap" config --sysroot "$work/nowhere"

# Absolute links stay in the tree: this one would lead to the file of the machine that reads.
mkdir -p "$work/linked/etc" "$work/linked/real"
ln -s /real/os-release "$work/linked/etc/os-release"
echo 'ID=inside' >"$work/linked/real/os-release"
"$bootlap" config --sysroot "$work/linked" --json >"$work/linked.json"
ok "an absolute link stays in the tree" grep -q '"os.id": "inside"' "$work/linked.json"

# What lay before this boot, from login records that utmpdump packs.
# record TYPE USER TIME: one of them
record() {
        printf '[%s] [00000] [~~  ] [%-8s] [~           ] [6.1.0               ] [0.0.0.0        ] [%s]\n' \
                "$1" "$2" "$3"
}
before="$work/before"
mkdir -p "$before/var/log" "$before/var/lib/dpkg"
# kind WHAT WANT RECORDS...: the value of boot.WHAT
past() {
        utmpdump -r <"$work/records" >"$before/var/log/wtmp" 2>/dev/null
        "$bootlap" config --sysroot "$before" --json | sed -n "s/^ *\"boot.$1\": \(.*[^,]\),*\$/\1/p"
}
{
        record 2 reboot "2024-03-01T08:00:00,000000+00:00"
        record 1 shutdown "2024-03-01T18:00:00,000000+00:00"
        record 2 reboot "2024-03-02T08:00:00,000000+00:00"
        record 1 runlevel "2024-03-02T08:00:30,000000+00:00"
} >"$work/records"
is "shut down in order" "$(past after_crash)" false
is "a day before" "$(past previous_age_hours)" 24
is "no package database" "$(past after_update)" '"no package database that is known"'
touch -d 2024-03-01T17:00:00Z "$before/var/lib/dpkg/status"
is "packages changed in the boot before" "$(past after_update)" true
touch -d 2024-02-01T17:00:00Z "$before/var/lib/dpkg/status"
is "packages changed long ago" "$(past after_update)" false
touch -d 2024-03-02T09:00:00Z "$before/var/lib/dpkg/status"
ok "packages changed since" sh -c "printf '%s' '$(past after_update)' | grep -q 'changed since this boot'"
{
        record 1 shutdown "2024-02-01T18:00:00,000000+00:00"
        record 2 reboot "2024-03-01T08:00:00,000000+00:00"
        record 2 reboot "2024-03-02T08:00:00,000000+00:00"
} >"$work/records"
is "no shutdown between two boots" "$(past after_crash)" true
record 2 reboot "2024-03-02T08:00:00,000000+00:00" >"$work/records"
is "the first boot that is known" "$(past after_crash)" '"/var/log/wtmp: knows no boot before this one"'
head -c 1000 /dev/urandom >"$before/var/log/wtmp"
ok "records that are none" "$bootlap" config --sysroot "$before"
mkdir -p "$before/proc/sys/kernel"
echo 208 >"$before/proc/sys/kernel/bootloader_type"
is "the loader's number of kexec" "$(past kind)" '"kexec"'

# Every key that any machine shows stands in the manual page of factors.
cat "$work"/*.json | grep -oE '^  +"[a-z0-9_.]+":' | tr -d ' ":' | grep '\.' | sort -u >"$work/keys"
ok "there are keys" test "$(wc -l <"$work/keys")" -gt 60
missing=
while read -r key; do
        case $key in
        kernel.mitigation.*) key='kernel.mitigation.<fault>' ;;
        esac
        grep -qF "| \`$key\` |" "$srcdir/docs/factors.md" || missing="$missing $key"
done <"$work/keys"
is "every key is documented" "$missing" ""
done_testing
