#!/bin/sh
# disk-vs-fio.sh [FILE [ROUNDS]]: the disk collector beside fio, on the same file, reading the same
# places in the same order, in turns. fio replays the collector's pattern from an I/O log.
#
#     tests/bench/disk-vs-fio.sh /var/tmp/1gib 9
#
# Each time the rows are read twice, and the second time counts: after a rest some drives answer the first few hundred
# reads faster (those of virtual machines by an eighth, here), whoever's they are.
#
# Prints for each row the median over the rounds of what either took for one read, and their ratio.
set -eu
builddir=${builddir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=${1:-$work/file} rounds=${2:-9}
# Both on one CPU: where the drive's interrupts come to another one, each read takes longer, by half here.
on_cpu="taskset -c $(($(nproc) - 1))"
[ -e "$file" ] || head -c 1073741824 /dev/urandom >"$file"
sync

"$builddir/collectors/disk" --quiet --random 2000 "$file" >"$work/first"
python3 - "$file" "$work" <<'P'
# The rows' places, worked out anew from what diskinfo does: no line of the collector's is used.
import json, sys
file, work = sys.argv[1:]
d = json.load(open(work + "/first"))["samples"][-1]["details"]
size, sector = d["size_bytes"], d["sector_bytes"]
n = size // sector
step = 1
while step < 16384 and step * 2 <= n // 800:
    step *= 2
bulk = min(100, size >> 20)
mib = (1 << 20) // sector
q = n // 8
rows = {
    "seek.full_stroke": [x for i in range(125) for x in (i * step, n - step - i * step)],
    "seek.half_stroke": [x for i in range(125) for x in (2 * q + i * step, 6 * q + i * step)],
    "seek.quarter_stroke": [x for i in range(250) for x in (2 * q + i * step, 4 * q + i * step)],
    "seek.short_forward": [4 * q + i * step for i in range(400)],
    "seek.short_backward": [4 * q - i * step for i in range(400)],
    "seek.seq_outer": list(range(2048)),
    "seek.seq_inner": [n - 2048 + i for i in range(2048)],
    "transfer.outside": [i * mib for i in range(bulk)],
    "transfer.middle": [4 * q - bulk * mib // 2 + i * mib for i in range(bulk)],
    "transfer.inside": [n - bulk * mib + i * mib for i in range(bulk)],
}
# Random places: xoshiro256** seeded through SplitMix64, as collectors/random.h says, from seed 1.
M = (1 << 64) - 1
def splitmix(state):
    state = (state + 0x9E3779B97F4A7C15) & M
    z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M
    return state, z ^ z >> 31
def rotl(x, k):
    return (x << k | x >> 64 - k) & M
_, state = splitmix(1)
s = []
for _ in range(4):
    state, x = splitmix(state)
    s.append(x)
places = []
for _ in range(2000):
    r = rotl(s[1] * 5 & M, 7) * 9 & M
    t = s[1] << 17 & M
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45)
    places.append(r % (size // 4096) * (4096 // sector))
rows["random_read_latency"] = places

# One job after another in one fio, in the collector's order: between two rows either rests the drive
# as little as the other.
with open(work + "/rows.fio", "w") as jobs:
    jobs.write(f"[global]\nioengine=psync\ndirect=1\nthread\nfilename={file}\nreplay_no_stall=1\n"
               "disable_slat=1\nclat_percentiles=0\nlat_percentiles=1\nlog_offset=0\n")
    jobs_of_a_round = ""
    for name, sectors in rows.items():
        length = 1 << 20 if name.startswith("transfer") else 4096 if name.startswith("random") else sector
        with open(f"{work}/{name}.log", "w") as f:
            f.write(f"fio version 2 iolog\n{file} add\n{file} open\n")
            for s in sectors:
                f.write(f"{file} read {s * sector} {length}\n")
            f.write(f"{file} close\n")
        jobs_of_a_round += f"[{name}]\nstonewall\nread_iolog={work}/{name}.log\nwrite_lat_log={work}/time-{name}\n"
    jobs.write(jobs_of_a_round.replace("/time-", "/first-") + jobs_of_a_round)
P

# own ROUND: the collector, into $work/own.ROUND
own() {
        $on_cpu "$builddir/collectors/disk" --quiet --runs 2 --random 2000 "$file" >"$work/own.$1"
}
# fio_rows: one more line of each row in $work/fio, with the median and the mean in us
fio_rows() {
        $on_cpu fio --output="$work/said" "$work/rows.fio"
        for log in "$work"/time-*_lat.*.log; do
                name=${log##*/time-}
                # The log has each read's own time in ns; fio's percentiles are those of buckets.
                cut -d, -f2 "$log" | sort -n | awk -v name="${name%_lat.*}" '
                        { v[NR] = $1; sum += $1 }
                        END { print name, (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 / 1000, sum / NR / 1000 }' >>"$work/fio"
                rm "$log"
        done
        rm -f "$work"/time-* "$work"/first-*
}

i=0
while [ $i -lt "$rounds" ]; do
        i=$((i + 1))
        if [ $((i % 2)) -eq 0 ]; then
                fio_rows
                own $i
        else
                own $i
                fio_rows
        fi
done

python3 - "$work" "$rounds" <<'P'
import json, statistics, sys
work, rounds = sys.argv[1], int(sys.argv[2])
fio, own = {}, {}
for line in open(work + "/fio"):
    name, median, mean = line.split()
    fio.setdefault(name, []).append((float(median), float(mean)))
for i in range(1, rounds + 1):
    for s in json.load(open(f"{work}/own.{i}"))["samples"]:
        if s["run"] != 2:
            continue
        name, v = s["workload"][5:], {k: x["value"] for k, x in s["values"].items()}
        if "access" in v:
            own.setdefault(name, []).append((1000 * v["median"], 1000 * v["access"]))
        elif "rate" in v:
            each = v["elapsed"] * 1e6 / (s["parameters"]["kbytes"] / 1024)
            own.setdefault(name, []).append((each, each))
        elif "p50" in v:
            own.setdefault(name, []).append((v["p50"], v["average"]))
print(f"{'us a read; medians of ' + str(rounds):<26}{'disk':>10}{'fio':>10}{'ratio':>8}   means:{'disk':>10}{'fio':>10}{'ratio':>8}")
for name in own:
    m = statistics.median
    # A transfer's row has no times of single reads: its mean is all there is.
    k = 1 if name.startswith("transfer") else 0
    a, b = m(x[k] for x in own[name]), m(x[k] for x in fio[name])
    c, d = m(x[1] for x in own[name]), m(x[1] for x in fio[name])
    print(f"{name:<26}{a:>10.1f}{b:>10.1f}{a / b:>8.3f}         {c:>10.1f}{d:>10.1f}{c / d:>8.3f}")
P
