#!/bin/sh
# One bootlap measure with collectors that are missing, may not, have no room, and are killed: each has
# its reason in the record, the others' results are there, and nothing of any of them is left.
. "$srcdir/tests/lib.sh"
BOOTLAP_COLLECTORS=$builddir/collectors BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE
unset DISPLAY
dir=$work/dir small=$work/small
mkdir "$dir" "$small"
chmod 755 "$work"
chmod 777 "$dir"
head -c 16777216 /dev/urandom >"$dir/file"
head -c 16777216 /dev/urandom >"$work/secret"
chmod 600 "$work/secret"

# descendants PID: all of them
descendants() {
        pgrep -P "$1" | while read -r child; do
                echo "$child"
                descendants "$child"
        done
}
# collector_pid NAME: of the collector of that name below $own, by its file: its path may be another in
# its mount namespace
collector_pid() {
        for each in $(descendants "$own"); do
                [ "$(stat -Lc '%d %i' "/proc/$each/exe")" = "$(stat -Lc '%d %i' "$builddir/collectors/$1")" ] &&
                        { echo "$each"; return; }
        done 2>/dev/null
        return 1
}
has_loads() { collector=$(collector_pid response) && [ -n "$(pgrep -P "$collector" bootlap-load)" ]; }

room="mount -t tmpfs -o mode=1777,size=20m tmpfs $small"
unshare -m sh -c "$room" 2>"$work/err" || { skip "faults of collectors" "no mount namespace: $(cat "$work/err")"; done_testing; }
unshare -m sh -c "$room && exec $bootlap measure --quiet \
        --run 'disk --random 10 $dir/file' \
        --run 'absent' \
        --run 'disk --user nobody $work/secret' \
        --run 'sysbench --dir $small fileio' \
        --run 'response --dir $dir --points 300 --interval 1 --memory 32 --loads cpuload,spawnload,8ctx-mem,2ctx-mem' \
        --run 'start --cache as-is --starts 6 true'" >"$work/out" 2>"$work/err" &
own=$!
ok "response is at work" await has_loads
collector=$(collector_pid response)
below=$(descendants "$own")
kill -KILL "$collector"
wait $own
is "one of them failed" $? 1
is "each says why, in its turn" "$(sed 's/[0-9]\{1,\} MiB/N MiB/g' "$work/err")" \
        "bootlap: absent: no collector called absent
bootlap: disk: $work/secret: Permission denied
bootlap: sysbench: $small: N MiB free, and sysbench fileio takes about N MiB
bootlap: response: was killed by signal 9 (Killed)"
record=$(ls "$work"/store/*/*.json)
is "what was measured before and after is kept" "$(python3 -c '
import json, sys
print(" ".join(s["workload"] for s in json.load(open(sys.argv[1]))["samples"] if "seek" not in s["workload"] and "transfer" not in s["workload"]))' "$record")" \
        "disk.random_read_latency disk.profile start.none.true"
is "and what was not has its reason" "$(python3 -c '
import json, sys
for a in json.load(open(sys.argv[1]))["absent"]:
    if a["name"].startswith("collector."): print(a["name"], a["reason"].split(":")[0].split(" free")[0])' "$record" |
        sed "s|$work||g")" \
        "collector.absent no collector called absent
collector.disk /secret
collector.sysbench /small
collector.response was killed by signal 9 (Killed)"
for pid in $below; do timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null || echo "$pid is left"; done >"$work/left"
is "no process is left" "$(cat "$work/left")" ""
is "no file is left" "$(ls -A "$dir")" file
done_testing
