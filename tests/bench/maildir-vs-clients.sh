#!/bin/sh
# tests/bench/maildir-vs-clients.sh [PAIRS [COUNT [FOLDER]]]: the maildir collector against real mutt and
# neomutt, opening the same corpus cold, taken in turn. Run as root, on a machine with nothing else to do.
#
# A client's start (its own program and libraries, read cold too) is measured on an empty maildir and
# taken off. "without user CPU" is what is left when the processor time in the program itself is taken
# off: listing, opening and reading, in the kernel and on the drive.
set -eu
pairs=${1:-5} count=${2:-50000}
here=$(cd "$(dirname "$0")" && pwd)
builddir=${builddir:-.}
bootlap=$builddir/bootlap collector=$builddir/collectors/maildir
[ "$(id -u)" = 0 ] || { echo "maildir-vs-clients: only root can empty the cache" >&2; exit 77; }
[ -x "$collector" ] || { echo "maildir-vs-clients: no $collector; set builddir" >&2; exit 2; }
work=$(mktemp -d "${3:-${TMPDIR:-/var/tmp}}/bootlap-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C.UTF-8

"$bootlap" corpus --count "$count" "$work/corpus"
mkdir -p "$work/empty/new" "$work/empty/cur" "$work/empty/tmp"

cold() {
        sync
        echo 3 >/proc/sys/vm/drop_caches
}

# client NAME: a start on the empty folder, then the corpus, each cold
client() {
        cold
        "$here/open-mailbox" "$1" "$work/empty" >>"$work/$1.start"
        cold
        "$here/open-mailbox" "$1" "$work/corpus" >>"$work/$1.open"
}

collector() {
        "$collector" --quiet --user root "$work/corpus" >>"$work/bootlap.open"
}

for i in $(seq "$pairs"); do
        # Who goes first changes, so that a drift hits all alike.
        case $((i % 3)) in
        0) collector && client mutt && client neomutt ;;
        1) client mutt && client neomutt && collector ;;
        2) client neomutt && collector && client mutt ;;
        esac
        echo "pair $i of $pairs" >&2
done

python3 - "$work" <<'END'
import json
import os
import statistics
import sys


def read(name):
    with open(os.path.join(sys.argv[1], name)) as f:
        text, decoder, found = f.read(), json.JSONDecoder(), []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        found.append(document)
    return found


ours = [document["samples"][0] for document in read("bootlap.open")]
caches = {sample["parameters"]["cache"] for sample in ours}
ours = [{k: v["value"] for k, v in sample["values"].items()} for sample in ours]


def median(runs, what):
    return statistics.median(what(run) for run in runs)


def real(run):
    return run["real"]


def rest(run):
    return run["real"] - run["user"]


print("cache %s, %d pairs, order inode; seconds, medians (range)" % ("/".join(sorted(caches)), len(ours)))
print("%-9s %9s %22s %8s %8s %8s   %s" % ("", "messages", "real", "start", "user", "sys", "without user CPU"))


def row(name, runs, start, start_rest):
    print("%-9s %9s %8.3f (%5.2f-%5.2f) %8.3f %8.3f %8.3f   %8.3f" % (
        name, "/".join(sorted({"%d" % run["messages"] for run in runs})), median(runs, real) - start,
        min(map(real, runs)), max(map(real, runs)), start, median(runs, lambda r: r["user"]),
        median(runs, lambda r: r["sys"]), median(runs, rest) - start_rest))


row("bootlap", ours, 0, 0)
ok = True
for name in "mutt", "neomutt":
    runs, starts = read(name + ".open"), read(name + ".start")
    start, start_rest = median(starts, real), median(starts, rest)
    row(name, runs, start, start_rest)
    ok = ok and {r["messages"] for r in runs} == {r["messages"] for r in ours}
    print("          bootlap/%s: %.3f real, %.3f without user CPU" % (
        name, median(ours, real) / (median(runs, real) - start),
        median(ours, rest) / (median(runs, rest) - start_rest)))
if not ok:
    print("the message counts differ")
sys.exit(0 if ok else 1)
END
