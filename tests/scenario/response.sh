#!/bin/sh
# The response collector: its table from this machine's own run, on a program and on a window, and
# nothing of its loads left, however it ends.
. "$srcdir/tests/lib.sh"
# until_it COMMAND...: tests/xlib.sh has an await of its own
until_it() {
        for _ in $(seq 1500); do
                "$@" && return 0
                sleep 0.02
        done
        return 1
}
BOOTLAP_COLLECTORS=$builddir/collectors BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE
response=$builddir/collectors/response
unset DISPLAY
dir=$work/dir
mkdir "$dir"
chmod 755 "$work"
chmod 777 "$dir"
few="--dir $dir --points 3 --interval 0 --memory 32"

figure() {
        python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); S = j["samples"]; n = [s["workload"] for s in S]
v = {s["workload"]: {k: x["value"] for k, x in s["values"].items()} for s in S}
p = {s["workload"]: s["parameters"] for s in S}; print(eval(sys.argv[2]))' "$work/json" "$1"
}

# shellcheck disable=SC2086 # options are words
measure() { timeout 300 "$response" --quiet $few "$@" >"$work/json" 2>"$work/err"; }

# The idle machine comes first: its points are few, so that a load is soon under way.
# loads PID: the processes of its load that is under way
loads() { pgrep -P "$1" bootlap-load; }
has_loads() { [ -n "$(loads "$1")" ]; }
all_gone() { for pid in $1; do timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null || return 1; done; }

measure
is "status" "$? $(cat "$work/err")" "0 "
is "its rows" "$(figure '" ".join(n)')" \
        "response.noload response.smallwrite response.largewrite response.cpuload response.spawnload response.8ctx-mem response.2ctx-mem response.noload_after"
is "figures are in order" \
        "$(figure 'all(x["low"] <= x["median"] <= x["high"] and x["low"] <= x["average"] <= x["high"] for x in v.values())')" True
is "ratios are to the idle machine" \
        "$(figure 'all(abs(x["ratio"] - x["average"] / v[n[0]]["average"]) < 1e-9 and abs(x["ratio_median"] - x["median"] / v[n[0]]["median"]) < 1e-9 for x in v.values())')" True
is "what was done" "$(figure 'p["response.8ctx-mem"]["processes"], p["response.2ctx-mem"]["memory_bytes"], p["response.noload"]["points"], p["response.noload"]["task"], "memory_bytes" in p["response.cpuload"]')" \
        "(8, 33554432, 3, 'spawn /bin/true', False)"
is "nothing is left" "$(ls -A "$dir")" ""

# shellcheck disable=SC2086
"$bootlap" run response $few --loads cpuload,2ctx-mem --runs 2 >"$work/text" 2>"$work/err"
is "run: status" "$?" 0
is "the seed's table, run by run" "$(sed 's/[0-9]\{1,\}\.[0-9]\{3\}/N/g; s/ \{1,\}/ /g' "$work/text")" \
        "Response, run #1
_____________ delay ms. ____________
Test low high median average S.D. ratio median ratio
noload N N N N N N N
cpuload N N N N N N N
2ctx-mem N N N N N N N
noload_after N N N N N N N

Response, run #2
_____________ delay ms. ____________
Test low high median average S.D. ratio median ratio
noload N N N N N N N
cpuload N N N N N N N
2ctx-mem N N N N N N N
noload_after N N N N N N N"

for signal in INT TERM HUP KILL; do
        # A shell's background jobs ignore SIGINT; env gives it back its default.
        env --default-signal=INT "$response" --quiet --dir "$dir" --points 300 --memory 32 --loads cpuload,spawnload,8ctx-mem,2ctx-mem \
                >"$work/out" 2>"$work/err" --interval 0 &
        own=$!
        case $signal in
        INT) ok "SIG$signal: it is at work" until_it has_loads $own ;;
        *) until_it has_loads $own ;;
        esac
        pids=$(loads $own)
        kill -$signal $own
        wait $own 2>/dev/null
        is "SIG$signal: died of it" "$(kill -l $?)" $signal
        ok "SIG$signal: its load is gone" all_gone "$pids"
        is "SIG$signal: no words, no result, no file" "$(cat "$work/out" "$work/err"; ls -A "$dir")" ""
done

"$response" --quiet --dir "$dir" --points 300 --loads smallwrite,largewrite --interval 0 >"$work/out" 2>"$work/err" &
own=$!
until_it has_loads $own
is "the writers' files have no names" "$(ls -A "$dir")" ""
# One of its processes is killed: that row is left out, and the rest is measured.
kill -TERM $own
wait $own 2>/dev/null
"$response" --dir "$dir" --points 20 --loads cpuload,8ctx-mem --memory 32 --interval 50 --quiet >"$work/json" 2>"$work/err" &
own=$!
until_it has_loads $own
# shellcheck disable=SC2046
kill -KILL $(loads $own | head -n 1)
wait $own
is "a load that is killed is left out, and said" "$? $(figure 'n, j["faults"]') $(cat "$work/err")" \
        "1 (['response.noload', 'response.8ctx-mem', 'response.noload_after'], [\"cpuload is left out: one of the load's processes was killed by signal 9\"]) response: cpuload is left out: one of the load's processes was killed by signal 9"

fails_with "past its deadline" 1 '^bootlap: response: did not end within 1 s and was killed$' \
        "$bootlap" run --quiet --deadline 1 response --dir "$dir" --points 1000
is "nothing is left of it" "$(ls -A "$dir")" ""

fails_with "no room in memory" 77 '^response: [0-9]+ MiB of memory are available: too few' \
        timeout 60 "$response" --quiet --dir "$dir" --memory 2000000000
fails_with "no such folder" 1 '^response: /nonexistent: No such file' timeout 60 "$response" --dir /nonexistent
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$dir"
        fails_with "a folder that may not be written to" 1 "^response: $dir: Permission denied\$" \
                timeout 60 "$response" --user nobody --dir "$dir"
        # shellcheck disable=SC2016 # the inner shell expands it
        fails_with "no room on the disk" 77 'MiB free, and what the loads write, with as much again takes about' \
                env dir="$dir" response="$response" unshare -m sh -c 'mount -t tmpfs -o mode=1777,size=50m tmpfs "$dir" &&
                exec timeout 60 "$response" --quiet --dir "$dir"'
        chmod 777 "$dir"
else
        skip "permissions, a full disk" "needs root"
fi
for wrong in '--points 1' '--interval -1' '--memory 1' '--loads noload' '--loads x,y' '--window maybe' '--bogus' 'word'; do
        # shellcheck disable=SC2086
        "$response" $wrong >"$work/out" 2>"$work/err"
        is "usage: $wrong" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 2 0"
done

# --- windows
. "$srcdir/tests/xlib.sh"
fails_with "a window, and no display" 77 '^response: there is no display$' \
        timeout 60 "$response" --quiet --window yes
fails_with "a display that is not there" 77 '^response: display :9876 does not let us in$' \
        env DISPLAY=:9876 timeout 60 "$response" --quiet --window yes
xauth -q -f "$work/cookies" add :0 . 0123456789abcdef0123456789abcdef
start_server Xvfb -screen 0 640x480x24 -auth "$work/cookies"
fails_with "a display that turns us away" 77 "^response: display $display does not let us in\$" \
        env DISPLAY="$display" timeout 60 "$response" --quiet --window yes
stop "$server"
start_server Xvfb -screen 0 640x480x24
export DISPLAY="$display"
DISPLAY=:9876 measure --loads cpuload
is "by itself it does without" "$? $(figure '"display :9876 does not let us in" in j["warnings"][0]')" "0 True"
measure --loads cpuload --window yes --user "$(id -un)"
is "a window is drawn" "$? $(cat "$work/err") $(figure 'n[3:], p[n[3]]["task"]')" \
        "0  (['response-window.noload', 'response-window.cpuload', 'response-window.noload_after'], 'uncover')"
# shellcheck disable=SC2086
"$bootlap" run response $few --loads cpuload >"$work/text" 2>"$work/err"
is "and has a table of its own" "$(grep '^Response' "$work/text")" "Response, run #1
Response of a window, run #1"
"$response" --quiet --dir "$dir" --points 300 --interval 1 --loads cpuload,spawnload >"$work/out" 2>"$work/err" &
own=$!
until_it has_loads $own
pids=$(loads $own)
stop "$server"
wait $own
is "the X server goes" "$? $(wc -c <"$work/out")" "1 0"
is "one line says so" "$(cat "$work/err")" "response: the X server is gone"
ok "and the load goes too" all_gone "$pids"
done_testing
