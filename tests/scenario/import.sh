#!/bin/sh
# bootlap import as a person meets it: what is printed, stored, refused, and how it exits.
. "$srcdir/tests/lib.sh"
notes=$srcdir/tests/data/import/boot-notes/published.txt
store=$work/store
count() { find "$store" -name '*.json' | wc -l; }

"$bootlap" import --store "$store" boot-notes "$notes" >"$work/first" 2>"$work/err"
is "ten boots import" "$? $(wc -l <"$work/first") $(cat "$work/err")" "0 10 "
is "each is a line that names its place" \
        "$(sed -n "s|^$notes:\([0-9]*\): boot-notes .*: stored\$|\1|p" "$work/first" | tr '\n' ' ')" \
        "2 11 20 29 32 37 46 49 59 69 "
is "and a file" "$(count)" 10

ok "records are of the schema" "$srcdir/tests/validate-record" "$store"/imported/*.json

sed 's/^/> /' "$notes" >"$work/quoted copy"
"$bootlap" import --store "$store" auto "$work/quoted copy" >"$work/second"
is "importing it again, quoted and elsewhere, succeeds" $? 0
is "says that it is there already" "$(grep -c ': there already$' "$work/second")" 10
is "and adds nothing" "$(count)" 10

{ cat "$notes"; echo 'boot 2: 25 X start / 37 ready / 0:15 rcvd / 0:20 snd'; } >"$work/longer"
"$bootlap" import --store "$store" "$work/longer" >"$work/third"
is "of a file that grew only the new boot is new" "$(grep -c ': stored$' "$work/third") $(count)" "1 11"

"$bootlap" import --store "$work/other" --dry-run --json --label kernel.release=2.6.26 --label boots=3 \
        - <"$notes" >"$work/json"
is "a dry run prints records" $? 0
ok "and stores nothing" [ ! -e "$work/other" ]
ok "labels are in them, numbers as numbers" grep -q '"boots": 3,\{0,1\}$' "$work/json"
is "with --start the watch began elsewhere" \
        "$("$bootlap" import --dry-run --json --start power.on "$notes" | grep -c '"origin": "power.on"')" 10

fails_with "a missing file" 1 "^bootlap: $work/nowhere: No such file" "$bootlap" import "$work/nowhere"
fails_with "a folder" 1 "^bootlap: $work: Is a directory" "$bootlap" import "$work"
echo 'nothing to see here' >"$work/prose"
fails_with "nothing recognized" 1 "^bootlap: $work/prose: nothing recognized" "$bootlap" import "$work/prose"
fails_with "the named format is not in it" 1 "^bootlap: $work/prose: no boot-notes in it" \
        "$bootlap" import boot-notes "$work/prose"
fails_with "an unknown format" 1 "^bootlap: nonsense: neither a format" "$bootlap" import nonsense "$notes"
fails_with "an empty file" 1 "nothing recognized" "$bootlap" import /dev/null
fails_with "a format alone" 1 "^bootlap: boot-notes: wants a file" "$bootlap" import boot-notes
"$bootlap" import >"$work/out" 2>&1
is "no file at all is wrong usage" $? 2
"$bootlap" import --label '=x' "$notes" >"$work/out" 2>&1
is "and so is a label without a key" $? 2

printf 'boot 1: 27 X start / 50 E ready / noon rcvd\nreal 1m2x\nboot 2: 26 X start / 49 E ready\n' >"$work/torn"
"$bootlap" import --store "$store" "$work/torn" >"$work/out" 2>"$work/err"
is "what can be read of a torn file is imported" "$? $(wc -l <"$work/out")" "1 2"
is "what cannot is listed with its line" "$(cut -d: -f2- "$work/err" | cut -d' ' -f2- | tr '\n' ';')" \
        "$work/torn:1: ' noon rcvd' is no time with a name;$work/torn:2: '1m2x' is no length of time;"
"$bootlap" import --store "$store" "$work/nowhere" "$work/longer" >"$work/out" 2>"$work/err"
is "a file that fails does not stop the next" "$? $(wc -l <"$work/out") $(wc -l <"$work/err")" "1 11 1"
done_testing
