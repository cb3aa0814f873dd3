#!/bin/sh
# The settle probe on a machine whose load is made up: files that look like /proc and /sys say that
# CPUs and disk are busy until a known instant. How exact it is on a real one: tests/bench.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
settle_probe=$builddir/daemon/probes/settle
export display=:none # for start

# machine ROOT KIND SECONDS: writes its counters until it is ended; prints "ready", then when the load
# ended (ns)
cat >"$work/machine" <<'E1'
import os, sys, time
root, kind, busy_s = sys.argv[1], sys.argv[2], float(sys.argv[3])
files = {}
def put(path, text):
    # in place and at one length: the probe keeps the files open
    if path not in files:
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        files[path] = os.open(root + path, os.O_RDWR | os.O_CREAT, 0o644)
    os.pwrite(files[path], text.encode(), 0)
start = time.monotonic()
end = start + busy_s
os.makedirs(root + "/sys/block/vda/slaves", exist_ok=True)
said = ready = False
while True:
    now = time.monotonic()
    busy = min(now, end) - start
    idle = now - start - (busy if kind == "cpu" else 0)
    put("/proc/stat", "cpu  0 0 0 %020d 0 0 0 0 0 0\ncpu0 0 0 0 0\n" % (idle * 100))
    put("/sys/block/vda/stat", "0 0 0 0 0 0 0 0 0 %020d 0\n" % ((busy if kind == "disk" else 0) * 1000))
    if not ready:
        print("ready", flush=True)
        ready = True
    if now > end and not said:
        print("end", int(end * 1e9), flush=True)
        said = True
    time.sleep(0.005)
E1

for kind in cpu disk; do
        rm -rf "$work/root"
        start "$work/$kind.end" python3 "$work/machine" "$work/root" $kind 12
        machine=$client
        ok "$kind: a busy machine" await "$work/$kind.end" ready
        start_probe "$work/$kind.marks" "$settle_probe" "$work/root"
        printf 'wm.ready\t1\tx\tsession=:0\ndesktop.windows\t1\tx\tsession=:0%%20greeter\n' >&9
        printf 'desktop.windows\t%s\tx\tsession=:0\n' "$(python3 -c 'import time; print(time.monotonic_ns())')" >&9
        ok "$kind: absent so far, and why" await "$marks" \
                "^probe.absent	.*milestone=desktop.settled session=:0 reason=of%20the%20last%20100%20samples"
        wait "$probe"
        is "$kind: the probe ends when it has an answer" $? 0
        exec 9>&-
        end_ns=$(sed -n 's/^end //p' "$work/$kind.end")
        at_ns=$(sed -n 's/^desktop\.settled	\([0-9]*\)	probe settle	session=:0 .*/\1/p' "$marks")
        ok "$kind: settled ($at_ns), not before the load ended ($end_ns)" \
                test "$at_ns" -ge $((end_ns - 100000000))
        is "$kind: nothing odd on stderr" "$(cat "$marks.err")" ""
        stop "$machine"
done
ok "cpu: its reason names CPUs" grep -q 'CPUs%20were%20busy%20in%20[1-9]' "$work/cpu.marks"
ok "disk: its reason names the disk" grep -q 'such%20as%20vda%20in%20[1-9]' "$work/disk.marks"

# A desktop that was there already, on a machine that does nothing
rm -rf "$work/root"
start "$work/idle.end" python3 "$work/machine" "$work/root" cpu 0
ok "a machine at rest" await "$work/idle.end" ready
start_probe "$work/idle.marks" "$settle_probe" "$work/root"
printf 'desktop.windows\t1000000\tx\tsession=:3\n' >&9
wait "$probe"
exec 9>&-
is "at rest when we came: settled" "$(n_marks desktop.settled)" 1
ok "and the bound reaches back to the windows" test \
        "$(field "$(mark desktop.settled)" error_us)" -gt 1000000

# Without windows it waits, and ends with its input; without /proc/stat it cannot watch
start_probe "$work/none.marks" "$settle_probe" "$work/root"
exec 9>&-
wait "$probe"
is "no windows: ends with its input" $? 0
is "and says nothing" "$(cat "$marks")" ""
mkdir "$work/empty"
start_probe "$work/unable.marks" "$settle_probe" "$work/empty"
printf 'desktop.windows\t1\tx\tsession=:0\n' >&9
wait "$probe"
is "no /proc/stat: cannot watch here" $? 77
ok "with the reason" grep -q 'milestone=desktop.settled.*reason=/proc/stat:' "$marks"
exec 9>&-
done_testing
