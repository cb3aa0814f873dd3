#!/bin/sh
# The files probe: 200 new folders each with a file in it at once, folders that come late, go and come
# again, and systemd's question for a disk's passphrase (in a mount namespace of our own).
if [ -z "${FILES_INSIDE-}" ]; then
        [ "$(id -u)" -eq 0 ] && as_root='' || as_root=-r
        # shellcheck disable=SC2086 # empty or one word
        FILES_INSIDE=1 exec unshare --mount $as_root --propagation private sh "$0" "$@"
fi
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
files_probe=$builddir/daemon/probes/files
mkdir -p /run/systemd
mount -t tmpfs tmpfs /run/systemd || exit 99
export BOOTLAP_CONF="$work/bootlap.conf"
cat >"$BOOTLAP_CONF" <<E1
[desktop]
window = class=XTerm
[files]
deep = $work/a/*/c/f?le
bad name = /x
relative = x/y
users = /run/user/1000/doc/x
E1

mkdir "$work/many"
: >"$work/many/before"
start_probe "$work/marks" "$files_probe" "many=$work/many/d*/file" "there=$work/many/before"
ok "what was there is said, with no small bound" await "$marks" "^user.there	.* path=$work/many/before"
ok "as old as the boot may be" test "$(field "$(mark user.there)" error_us)" -gt 1000000

# All at once, and their names in advance
python3 - "$work/many" >"$work/wanted" <<'E1'
import os, sys
for i in range(200):
    d = "%s/d%d" % (sys.argv[1], i)
    os.mkdir(d)
    open(d + "/file", "w").close()
    print(d + "/file")
E1
mkdir "$work/many/dlast"
: >"$work/many/dlast/file"
ok "the last of 201 files in new folders" await "$marks" "^user.many	.*path=$work/many/dlast/file"
sed -n 's/^user\.many	.* path=//p' "$marks" | grep -v dlast | sort >"$work/seen"
sort "$work/wanted" >"$work/wanted.sorted"
ok "all 200 are seen, each once" cmp "$work/seen" "$work/wanted.sorted"
is "each with its bound" "$(grep '^user\.many	' "$marks" | grep -vc 'error_us=[0-9][0-9]* ')" 0

# Folders that come one after the other, go and come again
mkdir "$work/a"
mkdir -p "$work/a/b/c"
: >"$work/a/b/c/fool"
: >"$work/a/b/c/file"
ok "deep: seen" await "$marks" "^user.deep	.*path=$work/a/b/c/file"
rm -r "$work/a"
mkdir -p "$work/a/x/c"
: >"$work/a/x/c/fyle"
ok "deep: seen after the folders were made anew" await "$marks" "^user.deep	.*path=$work/a/x/c/fyle"
mkdir "$work/elsewhere"
: >"$work/elsewhere/file"
ln -s "$work/elsewhere" "$work/a/x2"
mv "$work/elsewhere" "$work/a/x/moved"
mkdir -p "$work/a/y/c"
mv "$work/a/x/moved/file" "$work/a/y/c/file"
ok "deep: one that was moved there" await "$marks" "^user.deep	.*path=$work/a/y/c/file"
is "deep: nothing that does not fit" "$(grep -c '^user.deep' "$marks")" 3

# A disk's question: written under another name first, as systemd does
mkdir -p /run/systemd/ask-password
printf '[Ask]\nPID=1\nId=cryptsetup:/dev/vdb1\nMessage=Please enter\n' >/run/systemd/ask-password/tmp
mv /run/systemd/ask-password/tmp /run/systemd/ask-password/ask.x1
ok "a disk's passphrase is asked for" await "$marks" "^unlock.prompt	.*session=/dev/vdb1 "
printf '[Ask]\nPID=1\nId=sudo\n' >/run/systemd/ask-password/tmp
mv /run/systemd/ask-password/tmp /run/systemd/ask-password/ask.x2
rm /run/systemd/ask-password/ask.x1
ok "and answered" await "$marks" "^unlock.answered	.*session=/dev/vdb1 "
is "another question is no disk's" "$(n_marks unlock.prompt)" 1

exec 9>&-
wait "$probe"
is "ends with its input" $? 0
is "bad lines are said, and no other" "$(cut -d : -f 3- "$marks.err")" " [files] bad name: a name is 1 to 40 of [A-Za-z0-9._-]
 [files] relative: want an absolute path, not 'x/y'
 [files] users: '/run/user/1000/doc/x' leads below a user's own folder in /run/user/"
"$files_probe" "x=/a/../b" 2>"$work/err"
is "a bad argument is a usage error" $? 2
umount /run/systemd
done_testing
