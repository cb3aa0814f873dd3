#!/bin/sh
# tests/bench/maildir-vs-clients.sh [PAIRS [COUNT [FOLDER]]]: the maildir collector against real mutt and
# neomutt, opening the same corpus cold, taken in turn. Run as root, on a machine with nothing else to do.
#
# The collector stands for either client (--client), so each is held against its own. A client's start
# (its own program and libraries, read cold too) is measured on an empty maildir and taken off.
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

# collector NAME: as that client would
collector() {
        "$collector" --quiet --user root --client "$1" "$work/corpus" >>"$work/bootlap.$1"
}

for i in $(seq "$pairs"); do
        # Who goes first changes, so that a drift hits all alike.
        if [ $((i % 2)) = 0 ]; then
                collector mutt && client mutt && collector neomutt && client neomutt
        else
                client neomutt && collector neomutt && client mutt && collector mutt
        fi
        echo "pair $i of $pairs" >&2
done

PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 python3 - "$work" <<'END'
import json
import os
import statistics
import sys

from pairs import ratio


def read(name):
    with open(os.path.join(sys.argv[1], name)) as f:
        text, decoder, found = f.read(), json.JSONDecoder(), []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        text = text.lstrip()[end:]
        found.append(document)
    return found


def values(sample):
    return {k: v["value"] for k, v in sample["values"].items()}


def median(runs, what):
    return statistics.median(what(run) for run in runs)


def real(run):
    return run["real"]


def row(name, runs, start):
    print("%-17s %9s %8.3f (%5.2f-%5.2f) %8.3f %8.3f %8.3f" % (
        name, "/".join(sorted({"%d" % run["messages"] for run in runs})), median(runs, real) - start,
        min(map(real, runs)), max(map(real, runs)), start, median(runs, lambda r: r["user"]),
        median(runs, lambda r: r["sys"])))


print("%-17s %9s %22s %8s %8s %8s" % ("", "messages", "real", "start", "user", "sys"))
ok = True
for name in "mutt", "neomutt":
    samples = [document["samples"][0] for document in read("bootlap." + name)]
    ours, runs = [values(sample) for sample in samples], read(name + ".open")
    start = median(read(name + ".start"), real)
    row(name, runs, start)
    row("bootlap " + name, ours, 0)
    print("%17s %s, %d pairs, cache %s, order %s" % (
        "bootlap/" + name, ratio(map(real, ours), [real(run) - start for run in runs]), len(ours),
        *("/".join(sorted({sample["parameters"][p] for sample in samples})) for p in ("cache", "order"))))
    print("%17s %.4f" % ("of the medians:", median(ours, real) / (median(runs, real) - start)))
    ok = ok and {run["messages"] for run in ours} == {run["messages"] for run in runs}
if not ok:
    sys.exit("the counts of messages differ")
END
