#!/bin/sh
# The x11 probe against a real server: when it answers, when a window manager has the screen and
# answers, and when nothing of the kind is true however much a root window claims it.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"

# a sanitizer's own memory comes on top
limit_kib=8192
grep -q __asan_init "$x11_probe" && limit_kib=65536

start_server Xvfb -screen 0 640x480x24 -screen 1 320x240x24 -nolisten tcp
start_probe "$work/marks" "$x11_probe" "$display"
ok "x.ready" await "$marks" "^x.ready	"
is "its session is the display" "$(field "$(mark x.ready)" session)" "$display"
ok "x.socket was seen" await "$marks" "^x.socket	"

# What a root window can claim without any window manager
for claim in stale-check wrong-type one-way huge; do
        start "$work/claim" "$xdesk" "$claim"
        ok "root claims: $claim" await "$work/claim" ready
        claims="${claims-} $client"
done

# One that takes the screen and stops: it has the redirect, and answers nothing
start "$work/manage" "$xdesk" manage stopped
ok "a window manager takes the screen and stops" await "$work/manage" ready
ok "it is absent, with the time" await "$marks" "^probe.absent	.*milestone=wm.ready reason=.*5%20s"
is "no wm.ready so far" "$(n_marks wm.ready)" 0
kill -CONT "$client"
ok "it goes on and is ready" await "$marks" "^wm.ready	"
is "by the redirect alone, whatever the root claims" "$(field "$(mark wm.ready)" by)" redirect
stop "$client"
ok "it goes" await "$marks" "^wm.gone	"
# shellcheck disable=SC2086 # pids are words
for pid in $claims; do stop "$pid"; done
most_kib=$(most_kib "$probe")
ok "16 MiB of a property are not fetched: $most_kib KiB at most" test "$most_kib" -lt "$limit_kib"

stop "$server"
ok "x.gone" await "$marks" "^x.gone	"
exec 9>&-
wait "$probe"
is "end of input ends the probe" $? 0
is "nothing odd on stderr" "$(cat "$marks.err")" ""
done_testing
