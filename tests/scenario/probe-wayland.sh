#!/bin/sh
# The wayland probe against real compositors without a screen (weston, sway, cage): when they answer,
# which windows they list, and what is said of what cannot be seen; against one that is stopped, and
# against what listens there and is none. Xwayland is told apart, and nobody starts it.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
wayland_probe=$builddir/daemon/probes/wayland
wlwindow=$builddir/tests/helper/wlwindow
export BOOTLAP_CONF="$work/bootlap.conf" WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 \
        WLR_RENDERER=pixman
run=$work/run

# Compositors refuse to run as root, so neither does the probe that has to see them
chmod 755 "$work"
as=
[ "$(id -u)" -ne 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
uid=$($as id -u)

# begin NAME: an empty folder for sockets, the probe, and the windows of the configuration on stdin
begin() {
        name=$1
        rm -rf "$run"
        mkdir -m 700 "$run"
        [ -z "$as" ] || chown 65534:65534 "$run"
        { echo '[desktop]'; cat; } >"$BOOTLAP_CONF"
        # shellcheck disable=SC2086 # words
        start_probe "$work/$name.marks" $as "$wayland_probe" "$run"
}
# client FILE COMMAND...: as the user whose session this is, on compositor $socket
client() {
        output=$1
        shift
        : >"$output"
        # shellcheck disable=SC2086 # words
        XDG_RUNTIME_DIR=$run WAYLAND_DISPLAY=${socket-} $as "$@" </dev/null >"$output" 2>&1 9>&- &
        client=$!
        started="$started $client"
}
finish() {
        stop_all
        exec 9>&-
        is "$name: nothing odd on stderr" "$(cat "$marks.err")" ""
}
n_xwayland() { pgrep -c -u "$uid" Xwayland; }
unset DISPLAY

# weston lists its windows to nobody
begin weston </dev/null
client "$work/weston.log" weston --backend=headless-backend.so --socket=wayland-5
ok "$name: the socket" await "$marks" "^wayland.socket	[0-9]*	probe wayland	session=wayland-5@$uid "
ok "$name: ready" await "$marks" "^wayland.ready	.* session=wayland-5@$uid .* pid=[0-9]* program=weston|^wayland.ready	.*program=weston"
ok "$name: it lists windows to nobody" await "$marks" "^wayland.ready	.* lists=none"
ok "$name: and so is its window manager, itself" await "$marks" "^wm.ready	.*by=wayland.ready program=weston"
ok "$name: what cannot be seen is said" await "$marks" \
        "^probe.absent	.*milestone=desktop.windows.*lists%20its%20windows%20to%20nobody"
stop "$client"
ok "$name: gone" await "$marks" "^wayland.gone	"
finish

# sway lists them; Xwayland's socket is there and nobody connects to it
begin sway <<'E1'
window = class=App count=2
window = class=Other title="a * title"
E1
printf 'xwayland enable\n' >"$work/sway.conf"
client "$work/sway.log" sway -c "$work/sway.conf"
ok "$name: ready" await "$marks" "^wayland.ready	.*program=sway"
ok "$name: it lists its windows" await "$marks" "^wayland.ready	.* lists=wlr-foreign-toplevel-management"
socket=$(sed -n 's/^wayland.socket	.*session=\(wayland-[0-9]*\)@.*/\1/p' "$marks" | head -n 1)
client "$work/one" "$wlwindow" App one
ok "$name: one window is on the screen" await "$work/one" '^frame'
client "$work/two" "$wlwindow" Other "a long title"
ok "$name: one of another kind" await "$work/two" '^frame'
ok "$name: absent, with how many there are" await "$marks" \
        "^probe.absent	.*milestone=desktop.windows.*class=App%20count=2:%201%20mapped"
is "$name: not ready" "$(n_marks desktop.windows)" 0
client "$work/three" "$wlwindow" App two
ok "$name: the last: all are there" await "$marks" \
        "^desktop.windows	.*windows=3 by=wlr-foreign-toplevel-management class=App"
await "$work/three" '^frame'
drawn_ns=$(sed -n 's/^drawn //p' "$work/three")
ok "$name: not before its picture was handed over" test "$(grep '^desktop.windows' "$marks" | cut -f 2)" \
        -gt $((drawn_ns - 1000000))
start_probe "$work/x11.marks" "$x11_probe"
ok "$name: its X socket is Xwayland's" await "$marks" \
        "^probe.absent	.*milestone=x.ready session=:[^ ]* reason=the%20socket%20is%20Xwayland.*held%20by%20sway"
is "$name: nobody started Xwayland" "$(n_xwayland)" 0
finish

# The probe comes to windows that are there
begin already </dev/null
exec 9>&-
wait "$probe"
client "$work/sway.log" sway -c "$work/sway.conf"
for socket in wayland-0 wayland-1 wayland-2; do # whichever it takes
        client "$work/$socket" "$wlwindow" App one
done
await "$work/wayland-1" '^frame'
# shellcheck disable=SC2086 # words
start_probe "$work/already2.marks" $as "$wayland_probe" "$run"
ok "$name: found, and said to have been there" await "$marks" \
        "^desktop.windows	.*windows=1 by=wlr-foreign-toplevel-management-already class=App"
finish

# cage, with nothing to say about its windows
begin cage </dev/null
client "$work/cage.log" cage -- sleep 1000
ok "$name: ready" await "$marks" "^wayland.ready	.*program=cage"
finish

# sway, stopped at its start: it has its socket, and waits for its configuration
begin stopped </dev/null
mkfifo "$work/slow.conf"
chmod 666 "$work/slow.conf"
client "$work/sway.log" sway -c "$work/slow.conf"
stopped=$client
ok "$name: the socket is there" await "$marks" "^wayland.socket	"
kill -STOP "$stopped"
ok "$name: absent, with the time" await "$marks" \
        "^probe.absent	.*milestone=wayland.ready.*reason=sway%20.*%20has%20not%20answered%20for%2010%20s"
is "$name: not ready" "$(n_marks wayland.ready)" 0
kill -CONT "$stopped"
# it may look into it more than once
# shellcheck disable=SC2016 # for that shell
client "$work/writer.log" sh -c 'trap "" PIPE; while sleep 0.05; do echo "xwayland disable" >"$0"; done' \
        "$work/slow.conf"
ok "$name: goes on, and is ready" await "$marks" "^wayland.ready	.*program=sway"
finish

# What listens there and is no compositor
for kind in silent garbage closes endless; do
        begin $kind </dev/null
        client "$work/$kind.log" "$impostor" $kind "$run/wayland-0"
        ok "$name: absent, with the reason" await "$marks" \
                "^probe.absent	.*milestone=wayland.ready.*(10%20s|makes%20no%20sense|closed%20the%20connection)"
        is "$name: not ready" "$(n_marks wayland.ready)" 0
        finish
done
done_testing
