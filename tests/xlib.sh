# shellcheck shell=sh disable=SC2034
# tests/xlib.sh - real X servers, window managers and the probes, for scenarios: source after lib.sh
started=
x11_probe=$builddir/daemon/probes/x11
xdesk=$builddir/tests/helper/xdesk
impostor=$builddir/tests/helper/impostor
trap 'stop_all; rm -rf "$work"' EXIT

stop_all() {
        for pid in $started; do
                kill -CONT "$pid" 2>/dev/null
                kill "$pid" 2>/dev/null
        done
        # shellcheck disable=SC2086 # pids are words
        [ -z "$started" ] || wait $started 2>/dev/null
        started=
}

# stop PID: end one of ours and wait for it
stop() {
        kill -CONT "$1" 2>/dev/null
        kill "$1" 2>/dev/null
        wait "$1" 2>/dev/null
}

# await FILE REGEX [SECONDS]: until a line of a file that is being written matches
await() {
        rm -f "$work/await"
        mkfifo "$work/await"
        timeout "${3:-60}" tail -n +1 -f "$1" >"$work/await" 2>/dev/null &
        tail_pid=$!
        grep -qE -m1 -- "$2" <"$work/await"
        found=$?
        kill $tail_pid 2>/dev/null
        wait $tail_pid 2>/dev/null
        return $found
}

# start_server NAME COMMAND...: an X server on a free display, given in $display (":7") and its pid
# in $server
start_server() {
        mkfifo "$work/displayfd"
        "$@" -displayfd 3 3>"$work/displayfd" >"$work/server.log" 2>&1 &
        server=$!
        started="$started $server"
        read -r number <"$work/displayfd"
        rm -f "$work/displayfd"
        display=:$number
}

# start_probe FILE PROGRAM [ARGUMENTS...]: a probe whose marks go to FILE; its pid in $probe
start_probe() {
        marks=$1
        shift
        : >"$marks"
        rm -f "$work/probe-input"
        mkfifo "$work/probe-input"
        "$@" <"$work/probe-input" >"$marks" 2>"$marks.err" &
        probe=$!
        started="$started $probe"
        exec 9>"$work/probe-input"
}

# start FILE COMMAND...: a client or window manager on $display; its pid in $client
start() {
        output=$1
        shift
        : >"$output"
        DISPLAY=$display HOME=$work XDG_RUNTIME_DIR=$work "$@" </dev/null >"$output" 2>&1 9>&- &
        client=$!
        started="$started $client"
}

# start_bus: a session bus, its address in $bus. dbus-run-session dies of a signal and leaves its bus and
# all that was started through it behind; stop_bus ends them.
start_bus() {
        mkfifo "$work/bus-address"
        HOME=$work XDG_RUNTIME_DIR=$work NO_AT_BRIDGE=1 dbus-daemon --session --nofork --nopidfile --print-address=3 \
                3>"$work/bus-address" >"$work/bus.log" 2>&1 9>&- &
        bus_pid=$!
        started="$started $bus_pid"
        read -r bus <"$work/bus-address"
        rm -f "$work/bus-address"
}

# on_bus: whatever the bus has started has its address, which is like no other
on_bus() { grep -lsF "$bus" /proc/[0-9]*/environ | cut -d / -f 3; }

stop_bus() {
        stop "$bus_pid"
        for _ in $(seq 500); do
                left=$(on_bus)
                [ -n "$left" ] || return 0
                # shellcheck disable=SC2086 # pids are words
                kill $left 2>/dev/null
                sleep 0.02
        done
        echo "still there: $left"
        return 1
}

# mark NAME [REGEX]: the detail of the first mark of that name (whose line matches)
mark() {
        grep -E "^$1	.*${2:-}" "$marks" | head -n 1 | cut -f 4
}

# field DETAIL KEY
field() {
        printf '%s\n' "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

n_marks() {
        grep -cE "^$1	" "$marks"
}

# most_kib PID: the most memory that it or one of its children has had at once
most_kib() {
        for pid in "$1" $(cat "/proc/$1/task/$1/children"); do
                awk '/^VmHWM/ { print $2 }' "/proc/$pid/status"
        done 2>/dev/null | sort -n | tail -n 1
}
