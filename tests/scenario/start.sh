#!/bin/sh
# The start collector: until a window can be seen (with a window manager and without), or until the
# program ends; beside loads; and programs that never come.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
start_collector=$builddir/collectors/start
unset DISPLAY
dir=$work/dir
mkdir "$dir" "$work/bin"
chmod 755 "$work" "$work/bin"
chmod 777 "$dir"
me=$(id -un)

figure() {
        python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); S = j["samples"]; n = [s["workload"] for s in S]
v = {s["workload"]: {k: x["value"] for k, x in s["values"].items()} for s in S}
p = {s["workload"]: s["parameters"] for s in S}
d = {s["workload"]: s["details"] for s in S}; print(eval(sys.argv[2]))' "$work/json" "$1"
}
measure() { timeout 300 "$start_collector" --quiet --dir "$dir" "$@" >"$work/json" 2>"$work/err"; }

measure --starts 7 --user "$me" true
is "until it ends" "$? $(cat "$work/err") $(figure 'n, p[n[0]]["until"], p[n[0]]["command"]')" "0  (['start.none.true'], 'exit', 'true')"
is "the interval is that of order statistics" \
        "$(figure '[sorted(d[n[0]]["starts_s"]).index(v[n[0]][k]) for k in ("median_from", "median", "median_to")], round(d[n[0]]["median_level"], 6)')" \
        "([0, 3, 6], 0.984375)"
is "percentiles are in order" \
        "$(figure '(lambda x: x["low"] <= x["p25"] <= x["median"] <= x["p75"] <= x["p90"] <= x["p95"] <= x["high"])(v[n[0]])')" True
if [ "$(id -u)" = 0 ]; then
        # What is in memory cannot be dropped: then it is warm, and that is said instead.
        is "each from a cold cache, or not" "$(figure 'p[n[0]]["cache"] == "cold" or "not cold" in j["warnings"][0]')" True
        timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups "$start_collector" --quiet --starts 2 true \
                >"$work/json" 2>"$work/err"
        is "a user cannot make libraries cold" "$? $(figure 'p[n[0]]["cache"], len(j["warnings"])')" "0 ('unknown', 2)"
else
        skip "the cache" "needs root"
fi
measure --starts 3 --name mine --cache as-is "$(command -v sh)" -c 'exit 0 --starts 9'
is "the program's own options are its own" "$? $(figure 'n, p[n[0]]["command"].endswith(" -c exit 0 --starts 9"), p[n[0]]["starts"]')" \
        "0 (['start.none.mine'], True, 3)"
is "three starts are too few to be sure" "$(figure 'j["warnings"]')" \
        "['start.none.mine: with 3 starts the interval of the median is sure to 75.0 %, not to 95; at least 6 are needed']"
measure --starts 2 --beside readers,writers --cache as-is true
is "beside loads" "$? $(figure 'n, [p[x]["processes"] > 0 for x in n]')" "0 (['start.readers.true', 'start.writers.true'], [True, True])"
is "nothing is left of them" "$(ls -A "$dir")" ""

fails_with "no such program" 77 '^start: nosuchprogram: there is no such program$' timeout 60 "$start_collector" nosuchprogram
fails_with "no such file" 77 "^start: $work/none: there is no such program\$" timeout 60 "$start_collector" "$work/none"
touch "$work/plain"
fails_with "no program" 1 "^start: $work/plain: Permission denied\$" timeout 60 "$start_collector" "$work/plain"
fails_with "it fails" 1 '^start: sh ended with status 3: out of luck$' \
        timeout 60 "$start_collector" --quiet sh -c 'echo out of luck >&2; exit 3'
# shellcheck disable=SC2016 # for the program's shell
fails_with "it crashes" 1 '^start: sh was killed by signal 11' timeout 60 "$start_collector" --quiet sh -c 'kill -SEGV $$'
fails_with "it never ends" 1 '^start: sleep did not end within 1 s$' timeout 60 "$start_collector" --quiet --timeout 1 sleep 1000
fails_with "no display" 77 '^start: there is no display$' timeout 60 "$start_collector" --until window true
fails_with "a display that is not there" 77 '^start: display :9876 does not let us in$' \
        env DISPLAY=:9876 timeout 60 "$start_collector" true
if [ "$(id -u)" = 0 ]; then
        # shellcheck disable=SC2016 # the inner shell expands it
        fails_with "no room on the disk" 77 'MiB free, and what is read and written, with as much again takes about' \
                env dir="$dir" start="$start_collector" unshare -m sh -c 'mount -t tmpfs -o mode=1777,size=50m tmpfs "$dir" &&
                exec timeout 60 "$start" --quiet --dir "$dir" --beside writers true'
fi
for wrong in '' '--starts 1 true' '--timeout 0 true' '--until dawn true' '--beside me true' '--bogus true'; do
        # shellcheck disable=SC2086
        "$start_collector" $wrong >"$work/out" 2>"$work/err"
        is "usage: $wrong" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 2 0"
done

# --- windows
xauth -q -f "$work/cookies" add :0 . 0123456789abcdef0123456789abcdef
start_server Xvfb -screen 0 640x480x24 -auth "$work/cookies"
fails_with "a display that turns us away" 77 "^start: display $display does not let us in\$" \
        env DISPLAY="$display" timeout 60 "$start_collector" --until window true
stop "$server"
start_server Xvfb -screen 0 640x480x24
DISPLAY=$display
HOME=$work
export DISPLAY HOME
measure --starts 2 --user "$me" xterm
is "an xterm, no window manager" "$? $(cat "$work/err") $(figure 'n, p[n[0]]["until"], v[n[0]]["low"] > 0')" \
        "0  (['start.none.xterm'], 'window', True)"
# The window of a grandchild, in another session, is the program's too.
measure --starts 2 --user "$me" --name deep sh -c 'setsid xterm & wait'
is "a window of a process far below" "$? $(cat "$work/err") $(figure 'n')" "0  ['start.none.deep']"
fails_with "it ends without a window" 1 '^start: true ended with status 0 before it showed a window$' \
        timeout 60 "$start_collector" --quiet --user "$me" true
# Somebody else's window comes meanwhile, and is not taken for the program's.
start "$work/other" xterm -e sleep 1000
fails_with "it never shows one" 1 '^start: sh showed no window within 3 s$' \
        timeout 60 "$start_collector" --quiet --user "$me" --timeout 3 sh -c 'exec sleep 1000'
measure --starts 2 --user "$me" --until exit true
is "until the end, though there is a display" "$? $(figure 'p[n[0]]["until"]')" "0 exit"
is "no program is left" "$(pgrep -u "$me" -f '^xterm$')" ""
for manager in openbox fvwm3; do
        start "$work/$manager" "$manager"
        manager_pid=$client
        is_managed() { timeout 60 xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'; }
        for _ in $(seq 1500); do is_managed && break; sleep 0.02; done
        measure --starts 2 --user "$me" xterm
        is "an xterm in $manager's frame" "$? $(cat "$work/err") $(figure 'v[n[0]]["low"] > 0')" "0  True"
        stop "$manager_pid"
        xprop -root -remove _NET_SUPPORTING_WM_CHECK
done
mkfifo "$work/began"
env --default-signal=INT "$start_collector" --quiet --user "$me" --beside readers --dir "$dir" \
        sh -c "echo \$\$ >$work/began; exec sleep 1000" >"$work/out" 2>"$work/err" &
own=$!
read -r pid <"$work/began"
pids="$pid $(pgrep -P "$own" bootlap-load | tr '\n' ' ')"
kill -INT $own
wait $own
is "SIGINT: died of it, without a word" "$(kill -l $?) $(cat "$work/out" "$work/err")" "INT "
for pid in $pids; do ok "and $pid is gone" timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null; done
"$start_collector" --quiet --user "$me" sh -c "echo \$\$ >$work/began; exec sleep 1000" >"$work/out" 2>"$work/err" &
own=$!
read -r pid <"$work/began"
kill -KILL $own
wait $own 2>/dev/null
ok "SIGKILL: the program is gone" timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null
"$start_collector" --quiet --user "$me" sh -c "echo \$\$ >$work/began; exec sleep 1000" >"$work/out" 2>"$work/err" &
own=$!
read -r pid <"$work/began"
stop "$server"
wait $own
is "the X server goes" "$? $(cat "$work/err")" "1 start: the X server is gone"
ok "and the program too" timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null
done_testing
