#!/bin/bash
# tests/bench/build-vs-make.sh [PAIRS [CONFIG [TARGET]]]: the build collector against "time make -jN" on the
# same tree, taken in turn. On a machine with nothing else to do; as root or not. With tinyconfig a
# pair takes 5 minutes on 2 processors. Environment: builddir, JOBS, SOURCE (a tarball), DIR.
#
# Both sides work as the same ordinary user, on the same file system, with the same PATH and TMPDIR,
# from a clean and freshly configured folder, after a sync. Plain make writes to /dev/null, so reading
# its output is part of what the collector is charged with. What supervising and reading alone cost is
# then measured on a tree that only prints what this kernel's make printed.
# Where the processors' own speed moves by some percent between two builds, many short pairs tell more
# than few long ones: a TARGET such as mm/ is the same make over less, and a constant cost weighs more
# in it. The ratio is the median of the pairs' ratios, its interval from their order (a sign test).
set -eu
pairs=${1:-3} config=${2:-tinyconfig} target=${3:-} jobs=${JOBS:-$(nproc)}
builddir=$(cd "${builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
collector=$builddir/collectors/build
[ -x "$collector" ] || { echo "build-vs-make: no $collector; set builddir" >&2; exit 2; }
source=${SOURCE:-$(printf '%s\n' /usr/src/linux-source-*.tar.* | sort -V | tail -n 1)}
[ -f "$source" ] || { echo "build-vs-make: no $source: install linux-source" >&2; exit 77; }

if [ "$(id -u)" -eq 0 ]; then # as the collector would, but for the whole
        exec env builddir="$builddir" SOURCE="$source" JOBS="$jobs" setpriv --reuid=nobody --regid=nogroup \
                --clear-groups --inh-caps=-all "$BASH" "$0" "$pairs" "$config" "$target"
fi
work=$(mktemp -d "${DIR:-/var/tmp}/bootlap-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
TIMEFORMAT='%3R %3U %3S'
mkdir "$work/tree" "$work/tmp"
tar -C "$work/tree" -xf "$source" --strip-components=1
bare() { env -i PATH="$PATH" HOME="$work/tmp" TMPDIR="$work/tmp" LC_ALL=C SHELL=/bin/sh "$@"; }

# plain TREE NAME: what bash's time says of make
plain() {
        rm -rf "$work/objects"
        mkdir "$work/objects"
        cd "$1"
        bare make O="$work/objects" "$config" >/dev/null
        sync
        # shellcheck disable=SC2086 # no target is no word
        { time bare make O="$work/objects" "-j$jobs" $target >/dev/null 2>&1; } 2>>"$work/$2.plain"
        cd "$work"
        rm -rf "$work/objects"
}

# ours TREE NAME: the collector's own figures
ours() {
        "$collector" --quiet --source "$1" --dir "$work" --config "$config" --jobs "$jobs" \
                ${target:+--target "$target"} --log "$work/$2.log" >"$work/result"
        python3 -c 'import json, sys
v = json.load(sys.stdin)["samples"][0]["values"]
print(*("%.3f" % v[f]["value"] for f in ("real", "user", "sys")))' <"$work/result" >>"$work/$2.ours"
}

# in_turn N TREE NAME: who goes first changes, so that a drift hits both alike
in_turn() {
        for ((i = 1; i <= $1; i++)); do
                if ((i % 2)); then
                        plain "$2" "$3" && ours "$2" "$3"
                else
                        ours "$2" "$3" && plain "$2" "$3"
                fi
                if [ "$3" = kernel ]; then
                        echo "pair $i of $1: make $(tail -n 1 "$work/kernel.plain"), collector $(tail -n 1 "$work/kernel.ours")" >&2
                fi
        done
}

in_turn "$pairs" "$work/tree" kernel

# The tree that only prints.
mkdir -p "$work/printer/arch" "$work/printer/scripts"
: >"$work/printer/Kbuild"
cp "$work/kernel.log" "$work/printer/log"
cat >"$work/printer/Makefile" <<'MAKEFILE'
VERSION = 1
PATCHLEVEL = 0
.DEFAULT_GOAL = all
MAKEFILE
# shellcheck disable=SC2016 # make's variables
printf '%s:\n\t@echo CONFIG_PRINTER=y >$(O)/.config\n' "$config" >>"$work/printer/Makefile"
# shellcheck disable=SC2016
printf 'all %s:\n\t@cat log; echo >$(O)/vmlinux\n' "$target" >>"$work/printer/Makefile"
in_turn 20 "$work/printer" printer

PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 python3 - "$work" "$config${target:+ $target}" "$jobs" "$(basename "$source")" <<'END'
import statistics
import sys

from pairs import ratio

work, what, jobs, source = sys.argv[1:]


def read(name):
    with open(work + "/" + name) as f:
        return [[float(x) for x in line.split()] for line in f]


def real(run):
    return run[0]


def cpu(run):
    return run[1] + run[2]


def row(name, runs):
    print("%-10s" % name, *("%9.3f (%.3f-%.3f)" % (statistics.median(map(f, runs)), min(map(f, runs)),
                                                   max(map(f, runs))) for f in (real, cpu)))


plain, ours = read("kernel.plain"), read("kernel.ours")
print("%s, %s, -j%s: %d pairs; seconds, medians (range): real, then user+sys" % (source, what, jobs, len(plain)))
row("time make", plain)
row("collector", ours)
for name, f in (("real", real), ("user+sys", cpu),
                ("real for a second of user+sys, whatever speed the processors had", lambda run: real(run) / cpu(run))):
    print("collector/make: %s, %s" % (ratio(map(f, ours), map(f, plain)), name))
few, many = read("printer.plain"), read("printer.ours")
with open(work + "/printer/log") as f:
    lines = len(f.readlines())
cost = [statistics.median(map(f, many)) - statistics.median(map(f, few)) for f in (real, cpu)]
print("printing its %d lines and nothing else, 20 pairs:" % lines)
row("time make", few)
row("collector", many)
print("so supervising and reading cost %.1f ms real, %.1f ms user+sys: %.4f %% and %.4f %% of the build" % (
    1000 * cost[0], 1000 * cost[1], 100 * cost[0] / statistics.median(map(real, plain)),
    100 * cost[1] / statistics.median(map(cpu, plain))))
END
