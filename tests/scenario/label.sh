#!/bin/sh
# bootlap label: for this boot, until changed, on another record; and what it refuses.
. "$srcdir/tests/lib.sh"
BOOTLAP_STORE=$work/state/records
export BOOTLAP_STORE
labels() { "$bootlap" label | awk 'NR > 1 { $1 = $1; print }'; }

is "no label at first" "$(labels)" ""
"$bootlap" label --quiet run=3 note="cold morning"
is "before there is a record" "$(labels)" "run 3 for this boot
note cold morning for this boot"
"$bootlap" label --until-changed drive="500GB Hitachi"
is "no record was made for it" "$("$bootlap" list 2>/dev/null)" ""
"$bootlap" measure --quiet >/dev/null
is "the record has them all" "$(labels)" "run 3 for this boot
note cold morning for this boot
drive 500GB Hitachi until changed"
ok "digits are a number" grep -q '"run": 3' "$BOOTLAP_STORE"/*/*.json
"$bootlap" label run=4 rpm=007 --remove note
is "changed and removed" "$(labels)" "run 4 for this boot
drive 500GB Hitachi until changed
rpm 007 for this boot"
"$bootlap" measure --quiet >/dev/null
is "measuring again keeps them" "$(labels | sort)" "drive 500GB Hitachi until changed
rpm 007 for this boot
run 4 for this boot"
"$bootlap" label --until-changed --remove drive
is "removed until changed, and here" "$(labels | grep -c drive)" 0
"$bootlap" measure --quiet >/dev/null
is "and not back" "$(labels | grep -c drive)" 0

# Another boot of this machine is told what holds until changed, and nothing of this one's own.
"$bootlap" label --until-changed place=desk
rm "$BOOTLAP_STORE"/*/*.json
is "labels of the record went with it, what holds stays" "$(labels)" "place desk until changed"

"$bootlap" import boot-notes "$srcdir/tests/data/import/boot-notes/published.txt" >/dev/null
one=$(find "$BOOTLAP_STORE" -name '*.json' ! -name '.*' | sort | head -n 1)
"$bootlap" label --record "$one" checked=yes
ok "another record" grep -q '"checked": "yes"' "$one"
ok "which is whole" "$bootlap" show "$one"

fails_with "no value" 2 "want KEY=VALUE, not 'abc'" sh -c "$bootlap label abc 2>&1 >/dev/null | head -n 1 >&2; exit 2"
fails_with "a key with a blank" 2 "'a b': a key is made of" \
        sh -c "$bootlap label 'a b=c' 2>&1 >/dev/null | head -n 1 >&2; exit 2"
"$bootlap" label abc 2>/dev/null
is "a wrong label's status" $? 2
echo '{' >"$BOOTLAP_STORE/.labels.json"
fails_with "a damaged file of labels" 1 '\.labels\.json:[0-9]+:[0-9]+: no JSON' "$bootlap" label x=1 --until-changed
is "which is left as it is" "$(cat "$BOOTLAP_STORE/.labels.json")" "{"
ok "measuring goes on" "$bootlap" measure --quiet
ok "and says so in the record" grep -q 'labels are left out' "$BOOTLAP_STORE"/*/*.json
done_testing
