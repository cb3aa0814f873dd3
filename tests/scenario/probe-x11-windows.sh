#!/bin/sh
# desktop.windows: the windows of the configuration, mapped, viewable and drawn into; a background is
# no drawing, whether it is one colour or a pattern; one window is not three.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
export BOOTLAP_CONF="$work/bootlap.conf"

# begin NAME SERVER...: a server, the probe and the windows of the configuration on stdin
begin() {
        name=$1
        shift
        { echo '[desktop]'; cat; } >"$BOOTLAP_CONF"
        start_server "$@" -nolisten tcp
        start_probe "$work/$name.marks" "$x11_probe" "$display"
        ok "$name: the server is ready" await "$marks" "^x.ready	"
}
finish() {
        stop_all
        exec 9>&-
        is "$name: nothing odd on stderr" "$(cat "$marks.err")" ""
}
# before FILE STEP: has the client taken that step before the mark desktop.windows?
stamp() { sed -n "s/^$2 //p" "$1" | head -n 1; }
windows_ns() { grep '^desktop\.windows	' "$marks" | cut -f 2; }
xwindow=$builddir/tests/helper/xwindow

for server in "Xvfb -screen 0 800x600x24" "Xvfb -screen 0 800x600x16" "Xvfb -screen 0 800x600x8"; do
        # shellcheck disable=SC2086 # words
        begin "depth ${server##*x}" $server <<'E1'
window = class=Term count=3
E1
        start "$work/wm.log" openbox
        ok "$name: a window manager" await "$marks" "^wm.ready	"
        start "$work/one" "$xwindow" Term plain expose
        ok "$name: one window is drawn" await "$work/one" '^drawn'
        start "$work/two" "$xwindow" Term plain signal 2
        two=$client
        ok "$name: two more are mapped with their background" await "$work/two" '^exposed'
        ok "$name: so far they are absent, with how many there are" await "$marks" \
                "^probe.absent	.*milestone=desktop.windows.*class=Term%20count=3:%203%20mapped,%201%20of%20them"
        is "$name: not ready" "$(n_marks desktop.windows)" 0
        kill -USR1 "$two"
        ok "$name: drawn into: ready" await "$marks" "^desktop.windows	.*windows=3 by=(damage|colours-late) class=Term"
        ok "$name: not before the client had begun to draw" test "$(windows_ns)" -gt "$(stamp "$work/two" exposed)"
        finish
done

# A background pixmap has many colours, and nobody drew it. A window that is mapped before the probe has
# its class is judged by its colours: such a start is said to be late, and tells nothing here.
pattern() {
        begin pattern Xvfb -screen 0 800x600x24 <<'E1'
window = class=Term
E1
        start "$work/wm.log" openbox
        ok "$name: a window manager" await "$marks" "^wm.ready	"
        start "$work/one" "$xwindow" Term pattern signal
        one=$client
        ok "$name: mapped with a pattern for background" await "$work/one" '^exposed'
        ok "$name: absent" await "$marks" \
                "^probe.absent	.*class=Term:%201%20mapped,%200%20of%20them|^desktop.windows	.*by=colours-late"
        ! grep -q "^desktop.windows	.*by=colours-late" "$marks"
}
n=1
until pattern || [ $n -eq 5 ]; do
        finish
        n=$((n + 1))
done
is "$name: not ready" "$(n_marks desktop.windows)" 0
# uncovered again and again, which paints background
for _ in 1 2 3; do
        start "$work/cover" "$xwindow" Cover plain expose
        ok "$name: covered" await "$work/cover" '^drawn'
        stop "$client"
done
is "$name: uncovering is no drawing either" "$(n_marks desktop.windows)" 0
kill -USR1 "$one"
ok "$name: drawn into: ready" await "$marks" "^desktop.windows	.*by=(damage|colours-late)"
finish

# Drawn into, but with nothing to be seen: a terminal that has cleared itself
begin blank Xvfb -screen 0 800x600x24 <<'E1'
window = class=Term
E1
start "$work/one" "$xwindow" Term plain blank
ok "$name: filled with one colour" await "$work/one" '^blank'
ok "$name: absent" await "$marks" "^probe.absent	.*class=Term:%201%20mapped,%200%20of%20them"
is "$name: not ready" "$(n_marks desktop.windows)" 0
kill -USR1 "$client"
ok "$name: something is in it: ready" await "$marks" "^desktop.windows	.*by=(damage|colours-late)"
finish

# No configuration: the first window that a desktop shows; with real programs, and no manager at all
begin plain Xvfb -screen 0 800x600x24 </dev/null
start "$work/xterm.log" xterm
ok "$name: xterm is the first window" await "$marks" "^desktop.windows	.*windows=1 by=(damage|colours-late) class=XTerm"
finish

# Two lines, patterns and titles; a window of another class is none of them
begin lines Xvfb -screen 0 1024x768x24 <<'E1'
window = class=XTerm title="left*" count=2
window = instance=right class=XT*
E1
start_bus
start "$work/wm.log" env DBUS_SESSION_BUS_ADDRESS="$bus" NO_AT_BRIDGE=1 xfwm4 --compositor=on
ok "$name: a compositing manager" await "$marks" "^wm.ready	"
start "$work/other" "$xwindow" Other plain expose
start "$work/x1" xterm -T "left one"
start "$work/x2" xterm -T "left two" -geometry 20x5+500+300
ok "$name: two of three" await "$marks" "^probe.absent	.*class=XT\*%20instance=right:%200%20mapped"
start "$work/x3" xterm -name right -geometry 20x5+10+300
ok "$name: all lines complete" await "$marks" "^desktop.windows	.*windows=3"
finish
ok "$name: nothing is left of it" stop_bus

# The probe comes to a desktop that is there
begin attach Xvfb -screen 0 800x600x24 <<'E1'
window = class=Term
E1
exec 9>&-
wait "$probe"
start "$work/wm.log" openbox
# A manager that takes over a window that is drawn has it drawn again
start "$work/other" "$xwindow" Other plain expose
ok "$name: a window manager" await "$work/other" '^state'
start "$work/one" "$xwindow" Term plain expose
ok "$name: a window is drawn" await "$work/one" '^drawn'
start_probe "$work/attach2.marks" "$x11_probe" "$display"
ok "$name: found, and said to have been there" await "$marks" "^desktop.windows	.*by=colours-already"
ok "$name: its bound reaches back to the server's start" test \
        "$(field "$(mark desktop.windows)" error_us)" -gt 1000
finish

begin wrong Xvfb -screen 0 800x600x24 <<'E1'
window = class=Term count=none
window = class=Term
E1
is "$name: a bad line is named" "$(cat "$marks.err")" \
        "x11: $BOOTLAP_CONF:2: count wants 1 to 64, not 'none'"
: >"$marks.err"
start "$work/one" "$xwindow" Term plain expose
ok "$name: the other lines stand" await "$marks" "^desktop.windows	"
finish
done_testing
