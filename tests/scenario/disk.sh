#!/bin/sh
# The disk collector on files and drives: all rows, in the layout that diskinfo has, nothing written,
# and one clear line where it cannot measure.
. "$srcdir/tests/lib.sh"
disk=$builddir/collectors/disk
BOOTLAP_COLLECTORS=$builddir/collectors BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE
chmod 755 "$work"

# figure EXPRESSION: of the result in $work/json; j is all, v the values by workload
figure() {
        python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); S = j["samples"]
v = {s["workload"]: {k: x["value"] for k, x in s["values"].items()} for s in S}
d = S[-1]["details"]; u = d["usage"]; print(eval(sys.argv[2]))' "$work/json" "$1"
}

measure() {
        timeout 120 "$disk" --quiet "$@" >"$work/json" 2>"$work/err"
}

head -c 33554432 /dev/urandom >"$work/file"
sync
measure "$work/file"
is "a file" "$? $(cat "$work/err")" "0 "
is "its rows" "$(figure '" ".join(s["workload"][5:] for s in S)')" \
        "seek.full_stroke seek.half_stroke seek.quarter_stroke seek.short_forward seek.short_backward seek.seq_outer seek.seq_inner transfer.outside transfer.middle transfer.inside random_read_latency profile"
is "a seek's time follows from its others" \
        "$(figure 'all(abs(s["values"]["access"]["value"] - 1000 * s["values"]["elapsed"]["value"] / s["parameters"]["iterations"]) < 1e-6 for s in S if ".seek." in s["workload"])')" True
is "so does a rate" \
        "$(figure 'all(abs(s["values"]["rate"]["value"] * s["values"]["elapsed"]["value"] / s["parameters"]["kbytes"] - 1) < 1e-9 for s in S if ".transfer." in s["workload"])')" True
is "percentiles are in order" \
        "$(figure '(lambda l: l["low"] <= l["p50"] <= l["p90"] <= l["p95"] <= l["p99"] <= l["p99_9"] <= l["high"])(v["disk.random_read_latency"])')" True
is "of small files less is transferred at a time" "$(figure 'S[7]["parameters"]["kbytes"]')" 32768
is "a file that a drive holds is read from it, all of it, or that is said" \
        "$(figure '"device_unknown" in u or u["device_read_bytes"] >= 100 << 20 or "drive delivered" in j["warnings"][0]')" True
is "what it is" "$(figure 'S[0]["tool"], S[0]["tool_version"], d["size_bytes"], d["path"]')" \
        "('bootlap-disk', '1', 33554432, '$work/file')"

measure --random 0 --runs 2 --name big "$work/file"
is "runs, a name, no random reads" "$? $(figure 'len(S), S[0]["workload"], sorted({s["run"] for s in S})')" \
        "0 (22, 'disk.seek.full_stroke.big', [1, 2])"

# The layout, and that it says the same as the JSON: the importer of diskinfo reads it back.
"$bootlap" run disk --random 100 --name one "$work/file" >"$work/text" 2>"$work/err"
is "run: status" "$? $(cat "$work/err")" "0 "
is "the seed's table" "$(grep -A 11 '^Seek times:' "$work/text" | sed 's/[0-9.]\{1,\}/N/g; s/[ 	]\{1,\}/ /g')" "Seek times:
 Full stroke: N iter in N sec = N msec
 Half stroke: N iter in N sec = N msec
 Quarter stroke: N iter in N sec = N msec
 Short forward: N iter in N sec = N msec
 Short backward: N iter in N sec = N msec
 Seq outer: N iter in N sec = N msec
 Seq inner: N iter in N sec = N msec
Transfer rates:
 Outside: N kbytes in N sec = N kbytes/sec
 Middle: N kbytes in N sec = N kbytes/sec
 Inside: N kbytes in N sec = N kbytes/sec"
is "and what diskinfo does not have" "$(grep -c '100 of 4096 bytes: low .* median .* 99 % .*msec$' "$work/text")" 1
is "values are not listed twice" "$(grep -c 'disk.seek' "$work/text")" 0
"$bootlap" import diskinfo "$work/text" >"$work/out" 2>"$work/err"
is "it can be imported" "$? $(cat "$work/err")" "0 "
"$bootlap" show last >"$work/again" 2>"$work/err"
is "and is shown as it was" "$(grep -A 11 '^Seek times:' "$work/again")" "$(grep -A 11 '^Seek times:' "$work/text")"
"$bootlap" run --json disk --random 0 --runs 2 "$work/file" >"$work/json"
"$bootlap" run disk --random 0 --runs 2 "$work/file" >"$work/text"
is "a table for each run" "$(grep '^Drive' "$work/text")" "Drive, run #1
Drive, run #2"

# Holes are nobody's to read
truncate -s 64M "$work/sparse"
measure --random 0 "$work/sparse"
is "holes are told" "$? $(figure 'len(j["warnings"]), "device_unknown" in u or "the file has holes" in j["warnings"][0]')" \
        "0 (1, True)"

if [ "$(id -u)" = 0 ]; then
        loop=$(losetup --find --show "$work/file") || exit 99
        trap 'umount "$work/mnt" 2>/dev/null; losetup -d "$loop"; rm -rf "$work"' EXIT
        # for reading: a file system that may write keeps changing what the cache holds of its drive
        mkfs.ext2 -q "$loop" && mkdir "$work/mnt" && mount -o ro "$loop" "$work/mnt" && sync
        written() { awk '{ print $5, $7 }' /sys/block/"${loop#/dev/}"/stat; }
        before=$(written)
        sum=$(md5sum <"$loop")
        measure --user nobody "$loop"
        is "a mounted drive, as nobody once it is open" "$? $(cat "$work/err")" "0 "
        is "its own counters are looked at" "$(figure '"devices" in u or "device_unknown" in u')" True
        is "its size and sectors" "$(figure 'd["size_bytes"], d["sector_bytes"]')" "(33554432, 512)"
        is "nothing was written to it" "$(md5sum <"$loop") $(written)" "$sum $before"
        umount "$work/mnt"
        is "opened for reading only" "$(strace -f -e trace=open,openat "$disk" --quiet --random 0 "$loop" 2>&1 >"$work/json" |
                grep -F "$loop" | grep -o 'O_RDONLY|O_NOCTTY|O_DIRECT\|O_RDWR\|O_WRONLY' | sort -u)" \
                'O_RDONLY|O_NOCTTY|O_DIRECT'
        # A drive that fails: what is beyond the end of the file below it cannot be read.
        truncate -s 16M "$work/file"
        fails_with "a drive with a bad half" 1 "^disk: $loop: reading at [0-9]*: Input/output error\$" \
                timeout 60 "$disk" --quiet "$loop"
        chmod 600 "$work/file"
        fails_with "no permission" 1 "^disk: $work/file: Permission denied\$" \
                timeout 60 "$disk" --quiet --user nobody "$work/file"
        # shellcheck disable=SC2016  # the inner shell expands it
        work=$work disk=$disk unshare -m sh -c 'mount -t tmpfs tmpfs "$work/mnt" && head -c 2000000 /dev/zero >"$work/mnt/x" &&
                chmod 755 "$work/mnt" && "$disk" --quiet "$work/mnt/x"' >"$work/json" 2>"$work/err"
        # Linux 6.6 let tmpfs pretend.
        case $? in
        77) is "memory is no drive" "$(cat "$work/err")" \
                "disk: $work/mnt/x: its file system cannot read past the page cache" ;;
        *) is "memory is no drive, and that is said" "$(figure '"no drive" in j["warnings"][0]')" True ;;
        esac
else
        skip "drives, permissions" "needs root"
fi

head -c 1000000 /dev/zero >"$work/little"
fails_with "a file that is too small" 77 "^disk: $work/little: too small, with 976 KiB" timeout 60 "$disk" "$work/little"
: >"$work/empty"
fails_with "an empty file" 77 "^disk: $work/empty: too small, with 0 KiB" timeout 60 "$disk" "$work/empty"
fails_with "no such file" 1 "^disk: $work/none: No such file or directory\$" timeout 60 "$disk" "$work/none"
fails_with "a folder" 77 "^disk: $work: is neither a file nor a block device\$" timeout 60 "$disk" "$work"
mkfifo "$work/fifo"
fails_with "a FIFO" 77 "^disk: $work/fifo: is neither" timeout 60 "$disk" "$work/fifo"
fails_with "a device of another kind" 77 "^disk: /dev/null: is neither" timeout 60 "$disk" /dev/null
for wrong in '' '--random -1' '--random x' '--runs 0' '--bogus' 'one two'; do
        # shellcheck disable=SC2086
        "$disk" $wrong >"$work/out" 2>"$work/err"
        is "usage: $wrong" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 2 0"
done

# Ctrl-C in the middle
head -c 33554432 /dev/urandom >"$work/long"
is_reading() { [ -n "$(find "/proc/$1/fd" -lname "$work/long" 2>/dev/null)" ]; }
for signal in INT TERM; do
        env --default-signal=INT "$disk" --quiet --random 1000000 --runs 1000 "$work/long" >"$work/out" 2>"$work/err" &
        own=$!
        ok "SIG$signal: it is at work" await is_reading $own
        kill -$signal $own
        wait $own
        is "SIG$signal: died of it, without a result" "$(kill -l $?) $(cat "$work/out" "$work/err")" "$signal "
done
done_testing
