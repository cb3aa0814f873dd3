#!/bin/sh
# Records as files: what is damaged, foreign or newer is told apart, named, and left as it is.
. "$srcdir/tests/lib.sh"
export BOOTLAP_STORE="$work/store"

printf 'Disk A, 5400 RPM\nboot 1: 21 X start / 36 E ready\nboot 2: 22 X start / 37 E ready\n' >"$work/notes"
ok "two boots to work with" "$bootlap" import boot-notes "$work/notes"
ok "the records are valid" "$srcdir/tests/validate-record" "$BOOTLAP_STORE"/imported/*.json
set -- "$BOOTLAP_STORE"/imported/*.json
first=$1 second=$2
is "list has a line a record" "$("$bootlap" list | grep -c 'desktop.windows')" 2
is "in the order of the notes" "$("$bootlap" list | awk '/desktop/ { printf "%s ", $3 }')" "36.000 37.000 "
is "list --json is JSON" "$("$bootlap" list --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))')" 2
ok "show by file" "$bootlap" show "$first"
ok "show by the beginning of an id" "$bootlap" show "$(basename "$first" .json | cut -c 9-20)"
ok "show the last" "$bootlap" show
is "show --json adds up" "$("$bootlap" show --json "$first" | python3 -c '
import json, sys
r = json.load(sys.stdin)
print(sum(p["elapsed_us"] for p in r["phases"]) == r["total"]["elapsed_us"])')" True

# Figures of every size, without an exponent.
mkdir "$work/collectors"
cat >"$work/collectors/sizes" <<'E'
#!/bin/sh
echo '{"schema":"bootlap.result/1","collector":"sizes","samples":[{"workload":"s","run":1,"values":{
"count":{"value":1234567,"unit":"1"},"part":{"value":0.25,"unit":"1"},"none":{"value":0,"unit":"B"},
"small":{"value":999,"unit":"B"},"middle":{"value":148853000,"unit":"B"},"edge":{"value":999999,"unit":"B"},
"large":{"value":2.5e14,"unit":"B"},"rate":{"value":2983.81,"unit":"1/s"}}}]}'
E
chmod 755 "$work/collectors/sizes"
BOOTLAP_COLLECTORS=$work/collectors "$bootlap" run sizes >"$work/out" 2>"$work/err"
is "figures of every size" "$(awk '/^s[.]/ { sub(/^s[.]/, ""); $2 = "="; printf "%s; ", $0 }' "$work/out")" \
        "count = 1234567; part = 0.25; none = 0 B; small = 999 B; middle = 148.9 MB; edge = 1 MB; large = 250 TB; rate = 2983.81 1/s; "

fails_with "no such file" 1 "^bootlap: $work/none: No such file" "$bootlap" show "$work/none"
fails_with "no such id" 1 "^bootlap: feedbeef: no such file, and no record" "$bootlap" show feedbeef
fails_with "too short an id" 1 "^bootlap: ab: want a file or at least 4" "$bootlap" show ab
fails_with "a folder" 1 "^bootlap: $work: is no record file" "$bootlap" show "$work"
mkfifo "$work/fifo"
fails_with "a FIFO" 1 "^bootlap: $work/fifo: is no record file" "$bootlap" show "$work/fifo"
ok "two arguments are a usage error" sh -c "'$bootlap' show a b 2>/dev/null; [ \$? -eq 2 ]"
ok "a wrong option is a usage error" sh -c "'$bootlap' show --nope 2>/dev/null; [ \$? -eq 2 ]"
fails_with "a wrong verb" 2 "^bootlap: no verb 'shwo'" "$bootlap" shwo
fails_with "no verb" 2 "^bootlap: want a verb" "$bootlap"

echo 'not JSON' >"$work/text.json"
fails_with "no JSON" 1 "^bootlap: $work/text.json:1:[0-9]+: no JSON" "$bootlap" show "$work/text.json"
echo '{"schema": "other/1"}' >"$work/foreign.json"
fails_with "a foreign document" 1 "^bootlap: $work/foreign.json: is no bootlap record" "$bootlap" show "$work/foreign.json"
: >"$work/empty.json"
fails_with "an empty file" 1 "^bootlap: $work/empty.json:" "$bootlap" show "$work/empty.json"
head -c 200 "$first" >"$work/cut.json"
fails_with "a truncated record" 1 "^bootlap: $work/cut.json:[0-9]+:[0-9]+: no JSON" "$bootlap" show "$work/cut.json"
sed 's/5400/7200/' "$first" >"$work/edited.json"
fails_with "an edited record" 1 "^bootlap: $work/edited.json: damaged: the checksum" "$bootlap" show "$work/edited.json"

sed 's,"bootlap.record/1","bootlap.record/2",' "$second" >"$work/newer" && cp "$work/newer" "$second"
"$bootlap" show "$second" >"$work/out" 2>"$work/err"
is "a newer schema is shown: status" "$?" 0
is "with a remark" "$(grep -c 'has schema bootlap.record/2, newer than' "$work/err")" 1
ok "as the JSON it is" grep -q '"bootlap.record/2"' "$work/out"
"$bootlap" import boot-notes "$work/notes" >"$work/out" 2>&1
ok "importing the same again leaves it as it was" cmp "$work/newer" "$second"
"$bootlap" list >"$work/out" 2>&1
is "list says so and fails" "$?" 1
ok "and the other record" grep -q 'desktop.windows' "$work/out"
"$bootlap" list --json >"$work/out" 2>&1
ok "with the reason" grep -q 'newer than the' "$work/out"
cp "$work/cut.json" "$BOOTLAP_STORE/imported/undated-cut.json"
sed -e 's/5400 RPM/7200 RPM/' -e 's/21 X/20 X/' "$work/notes" >"$work/notes2"
"$bootlap" import --quiet boot-notes "$work/notes2" >"$work/out" 2>&1
for look in 'effects' 'history' 'explain drive.rpm=5400 drive.rpm=7200' 'compare --by drive.rpm' 'compare drive.rpm=5400 drive.rpm=7200'; do
        # shellcheck disable=SC2086
        "$bootlap" $look 2>"$work/err" | tr '\n' ' ' >"$work/out"
        is "${look%% *} says once that files were left out" \
                "$(grep -o '2 files could not be read and are not counted; the first: [^ ]*undated-' "$work/out" | sort -u | wc -l) $(cat "$work/err")" "1 "
        # shellcheck disable=SC2086
        "$bootlap" $look --json >"$work/out"
        ok "so does its JSON" grep -qE '"n_unreadable": 2' "$work/out"
done
ok "a full disk behind stdout is a failure" sh -c "'$bootlap' list --json >/dev/full 2>/dev/null; [ \$? -eq 1 ]"
done_testing
