#!/bin/sh
# bootlap-stamp writes one line, and whatever stands in its way costs the mark alone.
# shellcheck disable=SC2016 # inner shells expand
. "$srcdir/tests/lib.sh"
stamp=$builddir/bootlap-stamp
BOOTLAP_RUN_DIR=$work/run
export BOOTLAP_RUN_DIR

ok "a mark" "$stamp" root.mounted hook /dev/dm-0
is "the folder is made" "$(ls "$work/run")" marks
is "its line" "$(cut -f1,3,4 "$work/run/marks")" "root.mounted	hook	/dev/dm-0"
ok "name alone" "$stamp" initrd.start
is "a second line" "$(mark_names "$work/run/marks")" "root.mounted initrd.start"
is "in order" "$(cut -f2 "$work/run/marks" | sort -n)" "$(cut -f2 "$work/run/marks")"
is "readable by all, written by the owner" "$(stat -c %a "$work/run" "$work/run/marks" | xargs)" "755 644"
ok "tabs and newlines in a detail" "$stamp" a b "x	y
z"
is "are made blank" "$(tail -n 1 "$work/run/marks" | cut -f4)" "x y z"

fails_with "a bad name" 2 . sh -c '"$1" "in it" 2>&1 >/dev/null | head -n 1 >&2; exit 2' sh "$stamp"
ok "--version" "$stamp" --version
ok "--help" "$stamp" --help

# lost WHAT WORDS: the mark is lost, one line says so, and the status is 0
lost() {
        fails_with "$1" 0 "^bootlap-stamp: .*$2" timeout 20 "$stamp" again
}
rm "$work/run/marks"
mkfifo "$work/run/marks"
lost "a FIFO that nobody reads" "No such device"
rm "$work/run/marks"
ln -s "$work/elsewhere" "$work/run/marks"
lost "a symbolic link" "symbolic links"
is "which is not followed" "$(ls "$work/elsewhere" 2>/dev/null)" ""
rm "$work/run/marks"
mkdir "$work/run/marks"
lost "a folder in its place" "directory"
rmdir "$work/run/marks"
truncate -s 512K "$work/run/marks"
lost "a file that has grown too much" "full"
rm -r "$work/run"
: >"$work/run"
lost "a file in the folder's place" "Not a directory"
rm "$work/run"
BOOTLAP_RUN_DIR=/proc/bootlap lost "a folder that cannot be made" "No such file"
apart() { # a user namespace is what a chroot refuses and root does not need
        if [ "$(id -u)" -eq 0 ]; then unshare -m "$@"; else unshare -rm "$@"; fi
}
if apart true 2>/dev/null; then
        full='mount -t tmpfs -o size=4k,mode=755 tmpfs "$2" &&
                head -c 4096 /dev/zero >"$2/marks" && exec "$1" again'
        mkdir "$work/run"
        fails_with "a full file system" 0 "No space" apart sh -c "$full" sh "$stamp" "$work/run"
        read_only='mount -t tmpfs -o mode=755 tmpfs "$2" && mount -o remount,ro "$2" && exec "$1" again'
        fails_with "a read-only file system" 0 "marks|socket" \
                apart sh -c "$read_only" sh "$stamp" "$work/run"
else
        skip "full and read-only file systems" "no mount namespaces here"
fi
done_testing
