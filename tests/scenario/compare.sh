#!/bin/sh
# bootlap compare on the published hand timings: what is said, and how it exits.
. "$srcdir/tests/lib.sh"
notes=$srcdir/tests/data/import/boot-notes/published.txt
BOOTLAP_STORE=$work/store
export BOOTLAP_STORE
"$bootlap" import boot-notes "$notes" >/dev/null

says() { grep -qF -- "$2" "$1"; }
# joined FILE: the text without its line breaks, so that wrapping does not matter
joined() { tr '\n' ' ' <"$1" >"$1.joined"; }

"$bootlap" compare drive.rpm=5400 drive.rpm=7200,crypt.type=none >"$work/rpm"
is "5400 against 7200 rpm compares" $? 0
joined "$work/rpm"
ok "every boot, too few, one more" says "$work/rpm.joined" \
        "B was faster in every boot, by 9 s (ratio 0.796, p = 0.057, the least that these boots can reach); too few boots to be sure; one more boot of either could show it."
ok "medians" grep -qE '^A +4 +44 s  41 s to 50 s$' "$work/rpm"
ok "medians of B" grep -qE '^B +3 +35 s  34 s to 36 s$' "$work/rpm"
ok "shift" grep -qE '^B - A +-9 s  \[-16, -5\] at 94.3 %$' "$work/rpm"
ok "ratio" grep -qE '^B / A +0.796  \[0.680, 0.878\] at 94.3 %$' "$work/rpm"
ok "X" grep -qE '^boot.to_x .* -3 s +\[-6, -2\] +94.3 % +0.057 +0.514$' "$work/rpm"
ok "sent mail" grep -qE '^maildir.open.snd.real#1 .* -13 s +\[-32, -8\] +94.3 % +0.057 +0.514$' "$work/rpm"
ok "received mail" grep -qE '^maildir.open.rcvd.real#1 .* -10 s +\[-21, \+5\] +94.3 % +0.629 +1.000$' "$work/rpm"
ok "build 1" grep -qE '^build.kernel.real#1 .* -14.9 s .* 0.400 +1.000$' "$work/rpm"
ok "build 2, of 3+1 boots" grep -qE '^build.kernel.real#2 .* -4.3 s +\[-68.0, \+4.4\] +50.0 % +1.000 +1.000$' "$work/rpm"
is "all secondaries: cannot tell" "$(grep -cE '^(cannot tell|faster|slower|equivalent)' "$work/rpm")" 1

"$bootlap" compare drive.size_bytes=160000000000 crypt.type=dm-crypt >"$work/confounded"
is "160 GB plain against 500 GB dm-crypt is confounded" $? 4
ok "said first, with the groups" sh -c "head -n 1 '$work/confounded' | grep -q '^Confounded: crypt and drive'"

"$bootlap" compare crypt.type=dm-crypt,kernel.highmem=64g kernel.highmem=4g >"$work/himem"
is "HIMEM64G against 4G compares" $? 0
ok "cannot tell" grep -q '^Cannot tell whether A and B differ (ratio 0.911, p = 0.667).' "$work/himem"
ok "8 boots in all could" grep -q '^8 boots in all could show a difference' "$work/himem"

"$bootlap" compare --primary build.kernel.real#2 drive.rpm=5400 kernel.highmem=4g >"$work/other"
is "another primary" $? 4
"$bootlap" compare --primary boot.to_settled drive.rpm=5400 kernel.highmem=4g >"$work/missing"
is "a primary that is missing" $? 3
ok "is said, with what there is" says "$work/missing" "boot.to_settled is missing in every boot of both sets"
"$bootlap" compare drive.rpm=1 drive.rpm=7200 >"$work/none"
is "a set of no boots" $? 3
ok "is said" grep -q '^Cannot compare: set A holds no complete boot.$' "$work/none"
is "nothing is wider than 100 columns" "$(cat "$work"/rpm "$work"/confounded "$work"/missing | awk 'length > 100' | wc -l)" 0
is "no colour in a file" "$(grep -c "$(printf '\033')" "$work/rpm")" 0
ok "JSON is one document" sh -c "'$bootlap' compare --json drive.rpm=5400 drive.rpm=7200,crypt.type=none |
        /usr/bin/python3 -c 'import json, sys; j = json.load(sys.stdin); m = j[\"metrics\"][0]
assert m[\"metric\"] == \"boot.to_desktop\" and m[\"shift\"][\"value\"] == -9, m
assert abs(m[\"p\"] - 2 / 35) < 1e-12 and m[\"verdict\"][\"kind\"] == \"every boot\", m
assert j[\"status\"] == 0 and len(j[\"metrics\"]) == 10, j'"

"$bootlap" compare drive.rpm=5400 2>"$work/usage"
is "one set is a usage error" "$? $(grep -c 'wants two sets' "$work/usage")" "2 1"
"$bootlap" compare --within 0 a=1 b=1 2>"$work/usage"
is "so is a margin of nothing" "$? $(grep -c 'within wants a percentage' "$work/usage")" "2 1"
"$bootlap" effects >"$work/effects"
is "effects" $? 0
joined "$work/effects"
ok "drive and crypt are inseparable" says "$work/effects.joined" "crypt (crypt.type none -> dm-crypt) and drive ("
ok "a plain 500 GB set would separate them" \
        grep -q '^- crypt.type=none with drive.maker=hitachi, drive.rpm=7200, drive.size_bytes=500000000000$' "$work/effects"
ok "so would an encrypted 160 GB set" \
        grep -q '^- crypt.type=dm-crypt with drive.maker=seagate, drive.rpm=7200, drive.size_bytes=160000000000$' "$work/effects"
ok "the drive's effect is the model's alone" \
        grep -qE '^drive +3  0.784  \[0.692, 0.888\]  0.003  drive.rpm 5400 -> 7200: rests on 7 boots, model only$' "$work/effects"
"$bootlap" history >"$work/history"
is "boots without a date have no history" $? 3
ok "said" grep -q 'are not dated' "$work/history"
"$bootlap" explain drive.rpm=5400 drive.rpm=7200,crypt.type=none >"$work/explain"
is "explain" $? 0
ok "split at X" grep -qE '^loader.start..x.ready +24.500 s  21.000 s  -3.500 s +36 %' "$work/explain"
ok "its JSON has the shares" sh -c "'$bootlap' explain --json drive.rpm=5400 drive.rpm=7200,crypt.type=none |
        /usr/bin/python3 -c 'import json, sys; j = json.load(sys.stdin)
assert [round(p[\"share\"], 3) for p in j[\"phases\"]] == [0.359, 0.641], j'"
ok "adds up" grep -qE '^total +44.750 s  35.000 s  -9.750 s +100 %' "$work/explain"
"$bootlap" import --store "$work/resp" "$srcdir/tests/data/import/resp/published.txt" >/dev/null
is "five idle baselines are suspect, all under spawnload" "$(for r in "$work"/resp/*/*.json; do "$bootlap" show "$r"; done |
        grep 'idle baseline suspect' | cut -d ' ' -f 1 | sort | uniq -c | tr -s ' ')" " 5 spawnload"
is "nothing of these is wider than 100 columns" "$(cat "$work"/effects "$work"/history "$work"/explain | awk 'length > 100' | wc -l)" 0

# The record of a boot that was cut off lies beside the whole one, and is read before it or after it.
store=$work/copies
"$bootlap" import --store "$store" boot-notes "$notes" >/dev/null
for place in a z; do
        cp -r "$store" "$store-$place"
        for r in "$store"/*/*.json; do
                copy=$store-$place/$(basename "$(dirname "$r")")/$place-$(basename "$r")
                /usr/bin/python3 - "$r" "$copy" <<'EOF'
import hashlib, json, sys
j = json.load(open(sys.argv[1]))
j["boot"]["complete"] = False
del j["checksum"]
j["milestones"] = j["milestones"][:1]
j["samples"] = []
text = json.dumps(j, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
j["checksum"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
json.dump(j, open(sys.argv[2], "w"), ensure_ascii=False)
EOF
        done
        is "a boot's whole record counts, with the cut off one $place" \
                "$("$bootlap" compare --store "$store-$place" --json drive.rpm=5400 drive.rpm=7200,crypt.type=none |
                        /usr/bin/python3 -c 'import json, sys; j = json.load(sys.stdin); print(len(j["metrics"]), j["metrics"][0]["a"]["n"], j["metrics"][0]["b"]["n"])')" \
                "10 4 3"
done

fails_with "a boot in both" 2 "^bootlap: boot .* is in both sets$" "$bootlap" compare drive.rpm=7200 crypt.type=none
fails_with "a term that is none" 2 "^bootlap: since:soon: want a UTC time" "$bootlap" compare since:soon b=1
fails_with "a path that is not there" 1 "^bootlap: $work/nowhere: No such file" "$bootlap" compare "$work/nowhere" b=1
done_testing
