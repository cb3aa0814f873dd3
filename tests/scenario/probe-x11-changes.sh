#!/bin/sh
# Managers that are replaced, a server that is restarted on its display, two servers at once: each
# milestone belongs to the server and the manager that it is about.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"

start_server Xvfb -screen 0 640x480x24 -nolisten tcp
first=$display
first_server=$server
start_server Xvfb -screen 0 640x480x24 -nolisten tcp
second=$display
start_probe "$work/marks" "$x11_probe"
ok "the first server" await "$marks" "^x.ready	.*session=$first "
ok "the second server" await "$marks" "^x.ready	.*session=$second "

display=$first
start "$work/wm1" icewm
ok "a manager on the first" await "$marks" "^wm.ready	.*session=$first .*program=icewm"
is "none on the second" "$(grep -c "^wm.ready	.*session=$second " "$marks")" 0
start "$work/wm2" openbox --replace
replacer=$client
ok "it is replaced" await "$marks" "^wm.replaced	.*session=$first .*wm=Openbox"
is "wm.ready is the first one's" "$(grep -c "^wm.ready	.*session=$first " "$marks")" 1
display=$second
start "$work/wm3" twm
ok "a manager on the second" await "$marks" "^wm.ready	.*session=$second .*by=redirect "
display=$first
stop "$replacer"
ok "the first one's goes" await "$marks" "^wm.gone	.*session=$first "
start "$work/wm4" icewm
ok "and another comes" await "$marks" "^wm.replaced	.*session=$first .*program=icewm"

# The same display, another server
stop "$first_server"
ok "the first server is gone" await "$marks" "^x.gone	.*session=$first "
Xvfb "$first" -screen 0 640x480x24 -nolisten tcp >"$work/server2.log" 2>&1 9>&- &
started="$started $!"
ok "its successor is another session" await "$marks" "^x.ready	.*session=$first#2 "
start "$work/wm5" openbox
ok "with a manager of its own" await "$marks" "^wm.ready	.*session=$first#2 .*wm=Openbox"
is "the second server has lost nothing" "$(grep -cE "^(wm|x).gone	.*session=$second " "$marks")" 0

exec 9>&-
wait "$probe"
is "the probe ends well" $? 0
is "nothing odd on stderr" "$(grep -v "^x11: :[0-9]*: " "$marks.err")" ""
done_testing
