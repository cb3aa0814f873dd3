#!/bin/sh
# bootlap corpus: the same bytes for the same seed, valid mail, and nothing left when it fails.
. "$srcdir/tests/lib.sh"

# digest FOLDER: over names, times, flags and contents of all messages
digest() {
        (cd "$1" && find new cur tmp -type f -printf '%p %s %Ts\n' | LC_ALL=C sort &&
                find new cur -type f -print0 | LC_ALL=C sort -z | xargs -0 cat) | sha256sum | cut -c1-32
}

"$bootlap" corpus --seed 1 --count 300 --json "$work/fresh" >"$work/json"
ok "made" test -f "$work/fresh/bootlap-corpus.json"
# Law 1. Whoever changes these bytes has to raise CORPUS_LAW.
is "the bytes of seed 1" "$(digest "$work/fresh")" 892396fd15ce4a853c21324c8cbb4fdf
"$bootlap" corpus --seed 1 --count 300 --aged "$work/aged" >/dev/null
is "aged: the same messages" "$(digest "$work/aged")" "$(digest "$work/fresh")"
is "aged: nothing left in tmp/" "$(ls "$work/aged/tmp")" ""
"$bootlap" corpus --seed 2 --count 300 "$work/other" >/dev/null
ok "another seed, other messages" test "$(digest "$work/other")" != "$(digest "$work/fresh")"
"$bootlap" corpus --seed 1 --count 100 "$work/part" >/dev/null
is "fewer messages are the first of them" "$(cd "$work/part" && find new cur -type f | sort | while read -r f; do
        cmp "$f" "../fresh/$f" || echo differs; done)" ""
ok "valid mail, of all kinds" python3 "$srcdir/tests/check-mail" "$work/fresh"
is "the counts are right" "$(find "$work/fresh/cur" -type f | wc -l) $(find "$work/fresh/new" -type f | wc -l)" \
        "$(python3 -c 'import json,sys; j=json.load(open(sys.argv[1])); print(j["cur"], j["new"])' "$work/json")"

before=$(find "$work/fresh" | sort | sha256sum)
fails_with "a folder that is not empty" 1 'fresh: is not empty' "$bootlap" corpus --count 5 "$work/fresh"
is "is left alone" "$(find "$work/fresh" | sort | sha256sum)" "$before"
ok "--reuse is content with the same" "$bootlap" corpus --reuse --seed 1 --count 300 "$work/fresh"
fails_with "--reuse of another one" 1 'is not empty' \
        "$bootlap" corpus --reuse --seed 2 --count 300 "$work/fresh"
rm "$work/part/bootlap-corpus.json"
fails_with "--reuse of one that was not finished" 1 'is not empty' \
        "$bootlap" corpus --reuse --seed 1 --count 100 "$work/part"
touch "$work/file"
fails_with "a file in its place" 1 'file: Not a directory' "$bootlap" corpus --count 5 "$work/file"
fails_with "no parent" 1 'no/such: No such file' "$bootlap" corpus --count 5 "$work/no/such"
mkdir "$work/empty"
ok "an empty folder is good" "$bootlap" corpus --count 5 "$work/empty"
for wrong in '--count 0' '--count x' '--count 99999999999' '--seed -1' '--seed 18446744073709551616'; do
        # shellcheck disable=SC2086
        "$bootlap" corpus $wrong "$work/wrong" >"$work/out" 2>"$work/err"
        is "$wrong" "$? $(head -n 1 "$work/err" | cut -c1-16)" "2 bootlap corpus: "
done
ok "no folder was made for them" test ! -e "$work/wrong"

# A Ctrl-C in the middle. The progress line says when it is in the middle.
mkfifo "$work/progress"
env --default-signal=INT,HUP,TERM BOOTLAP_PROGRESS=bar "$bootlap" corpus --count 1000000 "$work/stopped" \
        2>"$work/progress" >"$work/out" &
own=$!
(
        head -c 1 >"$work/first"
        kill -INT $own
        cat >/dev/null
) <"$work/progress"
wait $own
is "Ctrl-C ends it by the signal" "$?" 130
ok "and removes what was made" test ! -e "$work/stopped"

if [ "$(id -u)" = 0 ]; then
        # In a mount namespace of its own, so that nothing has to be unmounted.
        full() {
                export work bootlap
                # shellcheck disable=SC2016  # the inner shell expands it
                unshare -m sh -c 'mount -t tmpfs -o "$1" tmpfs "$work/empty" || exit 99
                        shift
                        "$bootlap" corpus "$@" "$work/empty/c" 2>"$work/err" >"$work/out"
                        echo "$? $(wc -l <"$work/err") $(ls "$work/empty" | wc -l)"
                        cat "$work/err"' sh "$@"
        }
        is "a disk known to be too small" "$(full size=1m --quiet --count 2000 | sed 's,/.*/,,')" \
                "1 1 0
bootlap: c: needs about 35 MB, of which 1 MB are free"
        is "a disk with too few files" "$(full nr_inodes=900 --quiet --count 2000 | sed 's,/.*/,,; s/which [0-9]*/which N/')" \
                "1 1 0
bootlap: c: needs 2000 files, of which N are free"
        for how in '' --aged; do
                # shellcheck disable=SC2086
                is "a disk that runs full $how" "$(full size=1m --quiet --count 900 $how | sed 's,/.*/,,')" \
                        "1 1 0
bootlap: c: removed again: No space left on device"
                # shellcheck disable=SC2086
                is "a disk without files left $how" \
                        "$(full nr_inodes=100 --quiet --count 900 $how | sed 's,/.*/,,')" "1 1 0
bootlap: c: removed again: No space left on device"
        done
        chmod 755 "$work" "$work/fresh"
        fails_with "a folder of somebody else" 1 'fresh/mine: Permission denied' \
                setpriv --reuid 65534 --clear-groups "$bootlap" corpus --count 5 "$work/fresh/mine"
else
        skip "disk full" "needs root for a small file system"
fi
done_testing
