#!/bin/sh
# bootlap watch and the supervision that it shares with bootlapd: probes that see something, crash,
# flood, hang, print nonsense, or cannot watch here; and whose word they get of each other.
. "$srcdir/tests/lib.sh"
export BOOTLAP_PROBES="$work/probes"
mkdir "$BOOTLAP_PROBES"

# probe NAME: a probe of our own; its script on stdin
probe() {
        { echo '#!/bin/sh'; cat; } >"$BOOTLAP_PROBES/$1"
        chmod +x "$BOOTLAP_PROBES/$1"
}
watch() { timeout 60 "$bootlap" watch "$@" >"$work/out" 2>"$work/err"; }
usage_error() {
        "$bootlap" watch "$@" 2>"$work/err"
        [ $? -eq 2 ] && grep -q -- '--for wants' "$work/err"
}
forget() { rm -f "$BOOTLAP_PROBES"/*; }

fails_with "no probe at all" 1 'there is no probe' "$bootlap" watch --for 1 --store "$work"
fails_with "none of that name" 1 'no probe called nobody' "$bootlap" watch --probe nobody
ok "a wrong number is a usage error" usage_error --for 0

probe one <<'E1'
printf 'user.one\t1500000000\tprobe one\tsession=:0 error_us=120 title=a%%20b\n'
printf 'probe.absent\t1600000000\tprobe one\tmilestone=wm.ready session=:0 reason=no%%20answer\n'
cat >/dev/null
E1
watch --for 1
is "status" $? 0
ok "a milestone: when, what, whose, how late, and what else" grep -qE \
        '^ +1\.500000 s  user\.one +:0 +late by up to 120 us +title=a b$' "$work/out"
ok "what has not come" grep -qE '^ +1\.600000 s  wm\.ready +:0 +not yet: no answer$' "$work/out"
is "nothing on stderr" "$(cat "$work/err")" ""
watch --for 1 --json
ok "as one JSON document" python3 - "$work/out" <<'E2'
import json, sys
j = json.load(open(sys.argv[1]))
m, a = j["milestones"][0], j["absent"][0]
assert (m["name"], m["session"], m["at_us"], m["error_us"], m["detail"]) == \
    ("user.one", ":0", 1500000, 120, "title=a%20b"), m
assert (a["name"], a["reason"]) == ("wm.ready", ":0: no answer"), a
E2
watch --until user.one
is "--until: seen" $? 0
fails_with "--until: not seen" 1 '^bootlap: user\.none was not seen$' \
        timeout 60 "$bootlap" watch --until user.none --for 1

# Another's marks come in on stdin; one's own do not
probe two <<'E1'
while read -r name rest; do
        [ "$name" = user.one ] && printf 'user.heard-it\t1\t\t\n'
        [ "$name" = user.heard-it ] && printf 'user.heard-myself\t1\t\t\n'
done
E1
watch --until user.heard-it
is "one probe hears of another" $? 0
is "and not of itself" "$(grep -c heard-myself "$work/out")" 0
forget

probe unable <<'E1'
echo "unable: nothing to see here" >&2
exit 77
E1
watch
is "all ended: so does watch" $? 0
is "why it cannot" "$(tail -n 1 "$work/err")" "bootlap: unable: cannot watch here: nothing to see here"
forget

# Crashes once, and is told again what it knew
probe one <<'E1'
printf 'user.one\t1\t\t\n'
cat >/dev/null
E1
probe shaky <<E1
if [ ! -e "$work/crashed" ]; then
        read -r name rest
        [ "\$name" = user.one ] && : >"$work/crashed"
        kill -SEGV \$\$
fi
read -r name rest
printf 'user.told-again-%s\t1\t\t\n' "\$name"
cat >/dev/null
E1
watch --until user.told-again-user.one --for 30
is "a probe that crashed is started again and told what was seen" $? 0
ok "the crash is said" grep -q '^bootlap: shaky: was killed by signal 11; is started again$' "$work/err"
forget

probe broken <<'E1'
echo "broken: out of luck" >&2
exit 3
E1
watch
is "one that always fails is given up" "$(tail -n 1 "$work/err")" \
        "bootlap: broken: is given up: failed with status 3: out of luck"
is "after five more tries" "$(grep -c 'is started again' "$work/err")" 5
forget

probe flood <<'E1'
yes "$(printf 'user.flood\t1\t\t')"
E1
watch --quiet
is "a flood ends its probe, not watch" $? 0
is "and no more is taken than any boot has" "$(wc -l <"$work/out")" 10000
forget

probe noise <<'E1'
printf 'not a mark\nuser.bad name\t1\n\033]0;x\007\t1\n'
head -c 100000 /dev/zero | tr '\0' x
printf '\nuser.good\t1\t\t\n'
E1
watch
is "nonsense is dropped, what follows is not" "$(grep -c 'user\.good' "$work/out")" 1
is "no control character gets through" "$(tr -d '\11\12\40-\176' <"$work/err" | wc -c)" 0
forget

# Does not end when asked, has a child, and blocks SIGTERM
probe deaf <<E1
trap '' TERM INT
sleep 1000 &
echo \$! >"$work/left-behind"
printf 'user.deaf\t1\t\t\n'
wait
E1
watch --until user.deaf
is "one that does not end is killed" $? 0
is "with what it started" "$(grep -v 'State:.*Z' "/proc/$(cat "$work/left-behind")/status" 2>/dev/null |
        grep -c '^State:')" 0
forget

# Ctrl-C
probe one <<'E1'
printf 'user.one\t1\t\t\n'
cat >/dev/null
E1
mkfifo "$work/fifo"
"$bootlap" watch >"$work/fifo" 2>&1 &
pid=$!
{ head -n 1 >/dev/null; kill -INT $pid; cat >/dev/null; } <"$work/fifo"
wait $pid
is "Ctrl-C ends it well" $? 0
done_testing
