#!/bin/sh
# How long capturing the machine takes (target: < 50 ms of wall time), and whether it opens a drive.
# Usage: tests/bench/machine-capture.sh [BOOTLAP [RUNS]]
set -eu
bootlap=${1:-./bootlap} runs=${2:-50}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run_times COMMAND...: microseconds of each run, sorted
run_times() {
        i=0
        while [ $i -lt "$runs" ]; do
                start=$(date +%s%N)
                "$@" >/dev/null 2>&1
                end=$(date +%s%N)
                echo $(((end - start) / 1000))
                i=$((i + 1))
        done | sort -n
}
summary() { awk '{ t[NR] = $1 } END { printf "median %6.1f ms, least %6.1f, most %6.1f\n", t[int((NR + 1) / 2)] / 1000, t[1] / 1000, t[NR] / 1000 }'; }

printf 'bootlap --version:      '
run_times "$bootlap" --version | summary
printf 'bootlap config --now:   '
run_times "$bootlap" config --now --json | summary
printf 'bootlap config --path:  '
run_times "$bootlap" config --now --path "$work" --json | summary
# shellcheck disable=SC2016 # for the inner shell
if [ "$(id -u)" -eq 0 ]; then
        # sync and drop_caches take time too: the difference of the two is the capture's
        for what in --version 'config --now --json'; do
                printf 'cold, %-17s ' "$what:"
                run_times sh -c 'sync; echo 3 >/proc/sys/vm/drop_caches; exec "$0" $1' "$bootlap" "$what" | summary
        done
fi
if command -v strace >/dev/null; then
        strace -f -qq -e trace=openat,openat2,open -o "$work/trace" "$bootlap" config --now --json >/dev/null
        echo "files opened: $(wc -l <"$work/trace"), block devices among them: $(grep -cE '"/?dev/(sd|nvme|vd|xvd|mmcblk|dm-|md|block)' "$work/trace" || true)"
else
        echo 'files opened: not counted (no strace here)'
fi
