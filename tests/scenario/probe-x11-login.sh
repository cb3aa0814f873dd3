#!/bin/sh
# Greeter and person on one X server, as lightdm hands it on: the greeter's window is login.prompt,
# its manager and windows are not the desktop, and the person's are. Then a server of the
# person's own, and startx. By logind's files, in a mount namespace of our own.
if [ -z "${LOGIN_INSIDE-}" ]; then
        [ "$(id -u)" -eq 0 ] && as_root='' || as_root=-r
        # shellcheck disable=SC2086 # empty or one word
        LOGIN_INSIDE=1 exec unshare --mount $as_root --propagation private sh "$0" "$@"
fi
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
mkdir -p /run/systemd /tmp/.X11-unix
mount -t tmpfs tmpfs /run/systemd && mount -t tmpfs -o mode=1777 tmpfs /tmp/.X11-unix || exit 99
mkdir /run/systemd/sessions /run/systemd/seats /run/systemd/users
mkfifo /run/systemd/sessions/c0.ref # logind's: reading it would hang
xwindow=$builddir/tests/helper/xwindow

# session ID CLASS SEAT DISPLAY UID STATE: as logind writes its files
session() {
        printf 'UID=%s\nUSER=x\nACTIVE=1\nIS_DISPLAY=1\nSTATE=%s\nREMOTE=0\nTYPE=x11\nORIGINAL_TYPE=x11\nCLASS=%s\nSEAT=%s\nDISPLAY=%s\nVTNR=7\n' \
                "$5" "$6" "$2" "$3" "$4" >/run/systemd/.session
        mv /run/systemd/.session "/run/systemd/sessions/$1"
}
windows_of() { grep -cE "^$1	.*session=$2 " "$marks"; }

session 9 user '' '' 0 active            # root on the serial line: no seat
session 8 background seat0 '' 0 active   # cron
export BOOTLAP_CONF="$work/none"
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
side_marks=$work/side.marks
start_probe "$work/marks" "$x11_probe" "$display"
ok "the server is ready" await "$marks" "^x.ready	.*session=$display "

session c1 greeter seat0 "$display" 0 active
start "$work/wm1" openbox
wm1=$client
ok "a manager on the greeter's server is the greeter's" await "$marks" "^wm.ready	.*session=$display%20greeter"
start "$work/window1" "$xwindow" Greeter plain expose
window1=$client
ok "its first window asks" await "$marks" "^login.prompt	.*session=$display%20greeter.*class=Greeter"
is "and is no desktop" "$(n_marks desktop.windows)" 0

# lightdm ends the greeter and keeps the server
stop "$window1"
stop "$wm1"
session c1 greeter seat0 "$display" 0 closing
session 2 user seat0 "$display" 0 active
rm /run/systemd/sessions/c1
start "$work/wm2" openbox
ok "the person's manager" await "$marks" "^wm.ready	.*session=$display [^%]*$"
start "$work/window2" "$xwindow" Term plain expose
ok "the person's desktop" await "$marks" "^desktop.windows	.*session=$display [^%]*class=Term"
is "each was ready once" "$(windows_of wm.ready "$display%20greeter") $(windows_of wm.ready "$display")" "1 1"
is "one prompt" "$(n_marks login.prompt)" 1
exec 9>&-
wait "$probe"

# A server on the side, while a person is at another
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
start_probe "$side_marks" "$x11_probe" "$display"
start "$work/wm3" openbox
ok "a server on the side is told apart" await "$marks" "^wm.ready	.*session=$display%20other"

# Autologin: no greeter, no prompt
stop_all
exec 9>&-
rm /run/systemd/sessions/2
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
start_probe "$work/auto.marks" "$x11_probe" "$display"
session 3 user seat0 "$display" 0 active
start "$work/window4" "$xwindow" Term plain expose
ok "autologin: the desktop" await "$marks" "^desktop.windows	.*session=$display "
is "autologin: no prompt" "$(n_marks login.prompt)" 0
# A server of its own for the person, as gdm and sddm start it; gdm keeps the greeter's, too
stop_all
exec 9>&-
rm /run/systemd/sessions/3
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
greeters=$display
session c2 greeter seat0 "$greeters" 0 active
start_probe "$work/own.marks" "$x11_probe"
start "$work/wm5" openbox
start "$work/window5" "$xwindow" Greeter plain expose
ok "own server: the greeter's asks" await "$marks" "^login.prompt	.*session=$greeters%20greeter.*class=Greeter"
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
session c2 greeter seat0 "$greeters" 0 online
session 4 user seat0 "$display" 0 active
start "$work/wm6" openbox
ok "own server: the person's manager" await "$marks" "^wm.ready	.*session=$display [^%]*$"
start "$work/window6" "$xwindow" Term plain expose
ok "own server: the person's desktop" await "$marks" "^desktop.windows	.*session=$display [^%]*class=Term"
is "own server: nothing of the greeter's is the desktop" "$(windows_of desktop.windows "$greeters%20greeter")" 0
stop_all
exec 9>&-
rm /run/systemd/sessions/4 /run/systemd/sessions/c2

# Sessions that name no display (startx at a console, some greeters): the server's control group says whose it is
# in_session ID CLASS NAME: a server in it, with the probe, a manager and a window
in_session() {
        scope=$group/session-$1.scope
        mkdir -p "$scope"
        session "$1" "$2" seat0 '' 1000 active
        # shellcheck disable=SC2016 # the inner shell's
        start_server sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$scope" \
                "$work/Xorg" -screen 0 640x480x24 -nolisten tcp
        start_probe "$work/$3.marks" "$x11_probe" "$display"
        start "$work/$3.wm" openbox
        start "$work/$3.window" "$xwindow" Term plain expose
}
leave_session() {
        stop_all
        exec 9>&-
        rm "/run/systemd/sessions/$1"
        rmdir "$group/session-$1.scope"
}
if mount -t tmpfs tmpfs /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup; then
        group=/sys/fs/cgroup/bootlap$$.slice
        cp "$(command -v Xvfb)" "$work/Xorg"
        in_session c5 greeter quiet-greeter
        ok "a greeter that names no display asks" await "$marks" "^login.prompt	.*session=$display%20greeter.*class=Term"
        leave_session c5
        in_session 5 user startx
        ok "startx: the person's manager" await "$marks" "^wm.ready	.*session=$display [^%]*$"
        ok "startx: the person's desktop" await "$marks" "^desktop.windows	.*session=$display [^%]*class=Term"
        is "startx: no prompt of a greeter's" "$(n_marks login.prompt)" 0
        leave_session 5
        rmdir "$group"
        umount /sys/fs/cgroup /sys/fs/cgroup
else
        skip "startx" "control groups cannot be mounted without root"
fi
is "nothing odd on stderr" "$(cat "$work"/*.err)" ""
stop_all
umount /run/systemd /tmp/.X11-unix
done_testing
