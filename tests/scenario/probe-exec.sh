#!/bin/sh
# The exec probe: which programs start, by the kernel's own stamp; a burst of 400, and one that the
# kernel's queue cannot hold.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
exec_probe=$builddir/daemon/probes/exec
export display=:none # for start

if [ "$(id -u)" -ne 0 ]; then
        start_probe "$work/unable.marks" "$exec_probe"
        wait "$probe"
        is "without CAP_NET_ADMIN: cannot watch" $? 77
        skip "everything else" "the kernel's proc connector wants CAP_NET_ADMIN"
        done_testing
fi

# programs under names of their own, that stay a while
cp "$(command -v sleep)" "$work/burst"
cp "$(command -v sleep)" "$work/Xorg"
cp "$(command -v sleep)" "$work/sway"
cp "$(command -v sleep)" "$work/beacon"
# watching: the probe says nothing when it has begun, so until it sees one program
watching() {
        for _ in $(seq 60); do
                start "$work/none" "$work/beacon" 1000
                await "$marks" "^user.exec	.* pid=$client program=beacon" 1 && return 0
        done
        return 1
}
cat >"$work/start-many" <<'E1'
import subprocess, sys
ps = [subprocess.Popen(sys.argv[2:], start_new_session=True) for _ in range(int(sys.argv[1]))]
print("started", *[p.pid for p in ps], flush=True)
sys.stdin.read()
for p in ps:
    p.kill()
for p in ps:
    p.wait()
E1
# burst FILE: 400 at once; their pids in $pids, until end_burst
burst() {
        mkfifo "$work/end"
        python3 "$work/start-many" 400 "$work/burst" 1000 <"$work/end" >"$1" 9>&- 8>&- &
        exec 8>"$work/end"
        rm "$work/end"
        await "$1" '^started'
        pids=$(sed -n 's/^started //p' "$1" | tr ' ' '\n' | sort)
        last=$(sed -n 's/^started .* //p' "$1")
}
end_burst() {
        exec 8>&-
        wait "$!"
}
seen_pids() { sed -n 's/^user\.exec	.* pid=\([0-9]*\) program=burst$/\1/p' "$marks" | sort; }

start_probe "$work/marks" "$exec_probe" burst beacon
ok "the probe watches" watching
before_ns=$(python3 -c 'import time; print(time.monotonic_ns())')
start "$work/none" "$work/beacon" 1000
ok "a program that was named" await "$marks" "^user.exec	.* pid=$client program=beacon"
after_ns=$(python3 -c 'import time; print(time.monotonic_ns())')
at_ns=$(grep "^user.exec	.* pid=$client " "$marks" | cut -f 2)
ok "stamped between before and after" test "$at_ns" -gt "$before_ns" -a "$at_ns" -lt "$after_ns"
is "as exact as the kernel is" "$(field "$(mark user.exec " pid=$client ")" error_us)" 1
burst "$work/burst.pids"
ok "a burst: the last is seen" await "$marks" " pid=$last "
stop "$probe"
exec 9>&-
ok "all 400 are seen" test "$(seen_pids)" = "$pids"
end_burst
is "nothing odd on stderr" "$(cat "$marks.err")" ""

# What a display server is
start_probe "$work/servers.marks" "$exec_probe" beacon
ok "servers: the probe watches" watching
start "$work/none" "$work/Xorg" 1000
ok "an X server" await "$marks" "^display.exec	[0-9]*	probe exec	session=:0 error_us=1 pid=$client program=Xorg"
start "$work/none" "$work/burst" 1000
start "$work/none" "$work/sway" 1000
ok "a compositor" await "$marks" "^display.exec	.*session=sway@0 error_us=1 pid=$client program=sway"
is "no other program" "$(grep -vcE '^(display\.exec|user\.exec	.*program=beacon$)' "$marks")" 0
exec 9>&-
wait "$probe"
is "ends with its input" $? 0

# A queue that is too small, and a reader that cannot run: the loss is said, with its bound
start_probe "$work/loss.marks" "$exec_probe" 4096 burst beacon
ok "loss: the probe watches" watching
kill -STOP "$probe"
burst "$work/loss.pids"
kill -CONT "$probe"
ok "loss: it is said" await "$marks.err" 'dropped events of [0-9]* us'
ok "loss: the last is seen" await "$marks" " pid=$last "
stop "$probe"
exec 9>&-
ok "loss: who is still there is seen, all 400" test "$(seen_pids)" = "$pids"
bound_us=$(sed -n 's/.*dropped events of \([0-9]*\) us.*/\1/p' "$marks.err" | sort -n | tail -n 1)
late_us=$(sed -n 's/.*error_us=\([0-9]*\) .*program=burst$/\1/p' "$marks" | sort -n | tail -n 1)
ok "loss: late by what the blindness lasted ($late_us of $bound_us us)" \
        test "$late_us" -gt 1 -a "$late_us" -le "$bound_us"
end_burst

start_probe "$work/usage.marks" "$exec_probe" 0 burst
wait "$probe"
is "a queue of nothing is a usage error" $? 2
exec 9>&-
done_testing
