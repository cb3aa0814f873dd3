#!/bin/sh
# shellcheck disable=SC2016 # scripts for the shell in a namespace of its own
# The machine that runs: a root without /sys, /run or even /proc, and what lies beneath a path.
. "$srcdir/tests/lib.sh"
as_root=
[ "$(id -u)" -eq 0 ] || as_root=--map-root-user
# in_space SCRIPT ARGUMENTS...: in a mount namespace of its own
in_space() {
        # shellcheck disable=SC2086 # no word at all for root
        unshare $as_root --mount --propagation private sh -ec "$@"
}
# value KEY FILE: of a factor or of the reason for its absence
value() { sed -n "s/^ *\"$1\": //p" "$2" | sed 's/,$//; s/^"//; s/"$//'; }

"$bootlap" config --now --json >"$work/now" 2>"$work/err"
is "as it is: status" $? 0
is "and nothing on stderr" "$(cat "$work/err")" ""
is "the kernel's release" "$(value kernel.release "$work/now")" "$(uname -r)"
is "its architecture" "$(value kernel.arch "$work/now")" "$(uname -m)"
is "threads" "$(value cpu.threads "$work/now")" "$(getconf _NPROCESSORS_ONLN)"
is "the root's type" "$(value fs.type "$work/now")" "$(findmnt -no FSTYPE /)"
is "the distribution" "$(value os.id "$work/now")" "$(. /etc/os-release && echo "$ID")"

# No device is opened, so that none is woken. (LUKS is the exception, and asks first.)
if ! strace -qq -e trace=none true 2>/dev/null; then
        skip "no block device is opened" "strace may not trace here"
elif [ "$(value crypt.type "$work/now")" != none ]; then
        skip "no block device is opened" "the root is encrypted: its header is read when it is awake"
else
        strace -f -qq -e trace=open,openat,openat2 -o "$work/trace" "$bootlap" config --now --path "$work" >/dev/null
        ok "files are opened" grep -q '"proc/self/mountinfo"' "$work/trace"
        sed -n 's/^[^"]*"\([^"]*\)".*/\1/p' "$work/trace" | sed 's,^dev/,/dev/,' | sort -u >"$work/opened"
        is "no block device is opened" "$(while read -r path; do [ ! -b "$path" ] || echo "$path"; done <"$work/opened")" ""
fi

hide_sys='mount -t tmpfs none /sys; mount -t tmpfs none /run; '
in_space "$hide_sys"'exec "$0" config --now --json' "$bootlap" >"$work/bare" 2>"$work/err"
is "without /sys and /run: status" $? 0
is "and nothing on stderr" "$(cat "$work/err")" ""
ok "the drive is not known, and why" sh -c "grep -q '\"drive.bus\": \".*: No such file or directory\"' $work/bare"
is "the kernel is" "$(value kernel.release "$work/bare")" "$(uname -r)"
in_space "$hide_sys"'exec "$0" measure --quiet --store "$1"' "$bootlap" "$work/one/records" >"$work/out"
is "a record is made" "$?" 0
ok "and whole" "$bootlap" show "$work"/one/records/*/*.json

if grep -qa __asan_init "$bootlap"; then
        skip "without /proc too" "the address sanitizer reads /proc itself"
else
        in_space "$hide_sys"'mount -t tmpfs none /proc; exec "$0" config --now --json' "$bootlap" \
                >"$work/none" 2>"$work/err"
        is "without /proc too: status" $? 0
        is "and nothing on stderr" "$(cat "$work/err")" ""
        is "the mount table is missing" "$(value fs.type "$work/none")" \
                "/proc/self/mountinfo: No such file or directory"
fi

fails_with "--path alone" 2 "wants --now or --sysroot" \
        sh -c "$bootlap config --path / 2>&1 | head -n 1 >&2; exit 2"
"$bootlap" config --now --path "$work/not/there" --json >"$work/path"
is "a path that is not there lies where it would" "$(value path.given.fs.type "$work/path")" \
        "$(findmnt -no FSTYPE -T "$work")"

if [ -n "$as_root" ] || ! losetup -f >/dev/null 2>&1; then
        skip "a file system in a file" "loop devices want root"
else
        truncate -s 16M "$work/image"
        mkfs.ext4 -q "$work/image"
        mkdir "$work/mnt"
        in_space 'mount -o loop,noatime "$1" "$2"; mkdir "$2/sub"
                "$0" config --now --json --path "$2/sub" >"$3"
                "$0" config --now --json --path "$(findmnt -no SOURCE "$2")" >"$3.device"
                umount "$2"' "$bootlap" "$work/image" "$work/mnt" "$work/path"
        is "beneath a loop device: status" $? 0
        is "its type" "$(value path.given.fs.type "$work/path")" ext4
        is "its age" "$(value path.given.fs.age_days "$work/path")" 0
        is "its size" "$(($(value path.given.fs.size_bytes "$work/path") / 1048576 > 10))" 1
        ok "its options" sh -c "grep -q '\"path.given.fs.options\": \".*noatime' $work/path"
        is "the loop device and what its file lies on" "$(value path.given.storage.stack "$work/path")" \
                "loop, $(value storage.stack "$work/now")"
        is "on the same drive" "$(value path.given.drive.size_bytes "$work/path")" "$(value drive.size_bytes "$work/now")"
        ok "a device has no file system" grep -q '"path.given.fs.type": ".* is a device"' "$work/path.device"
        is "and is itself the stack" "$(value path.given.storage.stack "$work/path.device")" loop
fi
done_testing
