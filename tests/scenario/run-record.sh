#!/bin/sh
# bootlap run --record: samples go into this boot's record and no other.
. "$srcdir/tests/lib.sh"
mkdir "$work/collectors"
BOOTLAP_COLLECTORS=$work/collectors BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE
cat >"$work/collectors/good" <<'E'
#!/bin/sh
echo '{"schema":"bootlap.result/1","collector":"good","samples":[{"workload":"good.thing","run":1,
"values":{"real":{"value":1.5,"unit":"s","better":"lower"}}}],"warnings":["as told"]}'
E
cat >"$work/collectors/bad" <<'E'
#!/bin/sh
echo 'bad: not today' >&2
exit 1
E
cat >"$work/collectors/where" <<'E'
#!/bin/sh
echo '{"schema":"bootlap.result/1","collector":"where","samples":[{"workload":"where.thing","run":1,
"details":{"path":"'"$1"'"},"values":{"real":{"value":1.5,"unit":"s","better":"lower"}}}]}'
E
chmod 755 "$work/collectors"/*

# runs RECORD: the numbers of the runs of good.thing
runs() {
        "$bootlap" show --json "$1" | python3 -c 'import json, sys
print([s["run"] for s in json.load(sys.stdin)["samples"] if s["workload"] == "good.thing"])'
}

fails_with "no record of this boot" 1 "no record of this boot yet" "$bootlap" run --record this good
ok "a record of this boot" "$bootlap" measure --quiet
"$bootlap" run good >"$work/out" 2>&1
is "not entered unless asked for" "$(runs last)" "[]"
"$bootlap" run --record this good >"$work/out" 2>"$work/err"
is "entered, and said" "$? $(grep -c '^bootlap: added to ' "$work/err") $(runs last)" "0 1 [1]"
"$bootlap" run --quiet --record last good >"$work/out" 2>"$work/err"
is "numbered on" "$? $(cat "$work/err") $(runs last)" "0  [1, 2]"

# What lies beneath the paths that a collector used
value() { "$bootlap" config --json | sed -n "s/^ *\"$1\": //p" | sed 's/,$//; s/^"//; s/"$//'; }
keys() { "$bootlap" config --json | sed -n 's/^ *"path\.\(.*\)\.fs\.type": .*/\1/p' | sort | tr '\n' ' '; }
for path in /proc/self "$work" /proc/self "$work"; do
        "$bootlap" run --quiet --record this where "$path" >"$work/out"
done
is "each path has its name, and one" "$(keys)" "where where-2 "
is "the first is what it is" "$(value path.where.fs.type)" proc
is "and so is the second" "$(value path.where-2.fs.type)" "$(findmnt -no FSTYPE -T "$work")"
is "the samples say which" "$("$bootlap" show --json | python3 -c 'import json, sys
print(*[s["details"]["stack"] for s in json.load(sys.stdin)["samples"] if s["workload"] == "where.thing"])')" \
        "where where-2 where where-2"
id=1b4e28ba-2fa1-11d2-883f-0016d3cca427
"$bootlap" run --quiet --record this where "$work/$id/mail" >"$work/out"
"$bootlap" run --quiet --record this where "$work/$id/mail" >"$work/out"
is "a path that names a device is hidden" "$(cat "$work"/store/*/*.json | grep -c "$id")" 0
is "and known again" "$(keys)" "where where-2 where-3 "
"$bootlap" measure --quiet --run "where $work" >"$work/out" 2>"$work/err"
is "measuring again keeps and knows them" "$? $(keys)" "0 where where-2 where-3 "
before=$(cat "$work"/store/*/*.json | sha256sum)
fails_with "a collector that fails" 1 '^bootlap: bad: not today$' "$bootlap" run --record this bad
is "leaves the record alone" "$(cat "$work"/store/*/*.json | sha256sum)" "$before"
cp "$work"/store/*/*.json "$work/copy.json"
fails_with "a record outside the store" 1 'copy.json: lies outside the store' \
        "$bootlap" run --record "$work/copy.json" good
printf '5400 RPM 160GB seagate, no dmcrypt\nboot 1: 27 X start / 50 E ready\n' >"$work/notes"
BOOTLAP_STORE=$work/other "$bootlap" import boot-notes "$work/notes" >"$work/out" 2>&1 || cat "$work/out" >&2
fails_with "another boot's record" 1 'is the record of another boot' \
        env BOOTLAP_STORE="$work/other" "$bootlap" run --record last good
done_testing
