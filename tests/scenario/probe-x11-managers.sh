#!/bin/sh
# Window managers from Debian's packages, each alone on a real server, with two screens and started
# as its users start it. None of them knows of bootlap.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"

# twm otherwise lets a person place each window
echo RandomPlacement >"$work/.twmrc"

# try MANAGER NAME-REGEX COMMAND...
try() {
        manager=$1 name=$2
        shift 2
        start_server Xvfb -screen 0 800x600x24 -nolisten tcp
        start_probe "$work/$manager.marks" "$x11_probe" "$display"
        ok "$manager: the server is ready" await "$marks" "^x.ready	"
        is "$manager: no manager yet" "$(n_marks wm.ready)" 0
        start "$work/$manager.log" "$@"
        ok "$manager: ready" await "$marks" "^wm.ready	"
        found=$(mark 'wm\.(ready|name)')
        case $found in
        *program=*) ;;
        *) start "$work/client.log" xterm # shows whose frames they are
                ok "$manager: its first frame names it" await "$marks" "^wm.name	"
                found=$(mark wm.name) ;;
        esac
        ok "$manager: named ($found)" expr "$(field "$found" wm)$(field "$found" program)" : "$name"
        stop "$client"
        stop "$server"
        exec 9>&-
        wait "$probe"
        is "$manager: the probe ends well" $? 0
        stop_all
}

try twm 'twm' twm
try openbox 'Openbox' openbox
try icewm 'IceWM' icewm
try fvwm3 'FVWM' fvwm3
start_bus
try xfwm4 'Xfwm4' env DBUS_SESSION_BUS_ADDRESS="$bus" NO_AT_BRIDGE=1 xfwm4
ok "nothing that xfwm4 has started is left" stop_bus
try i3 'i3' i3
done_testing
