#!/bin/sh
# Collectors that crash, hang, flood or talk nonsense: a reason each, and nothing of them left.
. "$srcdir/tests/lib.sh"
mkdir "$work/collectors"
BOOTLAP_COLLECTORS=$work/collectors BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE work

# collector NAME: a program of that name from the shell text on stdin
collector() {
        { echo '#!/bin/sh'; cat; } >"$work/collectors/$1"
        chmod 755 "$work/collectors/$1"
}

# is_gone PIDFILE: the process has ended; waits for that, since it may be dying
is_gone() {
        pid=$(cat "$1") && [ -n "$pid" ] || return 1
        timeout 20 tail -s 0.05 --pid="$pid" -f /dev/null
}

cat >"$work/result" <<'E'
{"schema":"bootlap.result/1","collector":"good","samples":[{"workload":"good.thing","run":1,
"values":{"real":{"value":1.5,"unit":"s","better":"lower"}}}],"warnings":["as told"]}
E

collector good <<'E'
cat "$work/result"
E
is "a result is printed" "$("$bootlap" run good 2>/dev/null | grep -c 'good.thing.real *#1 *1.500 s')" 1
is "so are its warnings" "$("$bootlap" run good 2>&1 >/dev/null)" 'bootlap: warning: as told'
is "and it is listed" "$("$bootlap" run --list)" good

fails_with "a collector that is not there" 77 '^bootlap: absent: no collector called absent$' \
        "$bootlap" run absent
fails_with "a name with a folder in it" 77 'is no collector' "$bootlap" run ../good
touch "$work/collectors/plain"
fails_with "a file that is no program" 77 'no collector called plain' "$bootlap" run plain
printf '\1\2\3' >"$work/collectors/binary" && chmod 755 "$work/collectors/binary"
fails_with "a program that cannot be executed" 1 '^bootlap: binary: .*Exec format error$' \
        "$bootlap" run binary

collector dies <<'E'
kill -SEGV $$
E
fails_with "a crash" 1 '^bootlap: dies: was killed by signal 11 \(Segmentation fault\)$' \
        "$bootlap" run dies
collector failing <<'E'
echo 'failing: first words' >&2
echo 'failing: /some/path: why not' >&2
exit 1
E
"$bootlap" run failing >"$work/out" 2>"$work/err"
is "a failure has its own words, the last of them once" "$? $(cat "$work/err")" \
        '1 failing: first words
bootlap: failing: /some/path: why not'
collector unable <<'E'
echo 'unable: no such device here' >&2
exit 77
E
fails_with "unavailable, with its reason" 77 '^bootlap: unable: no such device here$' \
        "$bootlap" run unable
collector silent <<'E'
exit 3
E
fails_with "a failure without words" 1 'failed without saying why' "$bootlap" run silent

n=0
for text in 'garbage' '' '{' '[]' '{"schema":"other/1"}' \
        '{"schema":"bootlap.result/1","samples":[]}' \
        '{"schema":"bootlap.result/1","samples":[{"workload":"a b","values":{}}]}' \
        '{"schema":"bootlap.result/1","samples":[{"workload":"a","values":{"x":{"value":"1"}}}]}' \
        '{"schema":"bootlap.result/1","samples":7}'; do
        n=$((n + 1))
        printf '%s' "$text" >"$work/text"
        collector odd <<'E'
cat "$work/text"
E
        fails_with "no result: $text" 1 '^bootlap: odd: printed no result: ' "$bootlap" run odd
done
head -c 100000 /dev/urandom >"$work/text"
fails_with "no result: binary" 1 '^bootlap: odd: printed no result: ' "$bootlap" run odd
sed 's,result/1,result/2,' "$work/result" >"$work/text"
fails_with "a newer schema" 1 'bootlap.result/2 is newer' "$bootlap" run odd

collector flood <<'E'
yes
E
fails_with "a flood on stdout" 1 'printed more than 16 MiB and was killed' "$bootlap" run flood
collector chatter <<'E'
head -c 3000000 /dev/zero >&2
head -c 3000000 /dev/urandom >&2
cat "$work/result"
E
ok "a flood on stderr does no harm" "$bootlap" run --quiet chatter

# A child that leaves the session and a grandchild that ignores SIGTERM, both holding the pipes.
collector hung <<'E'
trap 'echo asked >"$work/asked"' TERM
setsid sh -c 'echo $$ >"$work/pid1"; trap "" TERM; exec sleep 1000' &
( sh -c 'echo $$ >"$work/pid2"; exec sleep 1000' & )
while [ ! -s "$work/pid1" ] || [ ! -s "$work/pid2" ]; do sleep 0.01; done
echo $$ >"$work/pid3"
echo started >"$work/started"
while :; do sleep 1000 & wait; done
E
mkfifo "$work/started" "$work/asked"
cat "$work/started" >/dev/null &
fails_with "a hang" 1 '^bootlap: hung: did not end within 1 s and was killed$' \
        "$bootlap" run --deadline 1 --grace 1 hung
for i in 1 2 3; do
        ok "process $i of the hung one is gone" is_gone "$work/pid$i"
done

for signal in INT TERM HUP; do
        rm -f "$work"/pid*
        # A shell's background jobs ignore SIGINT, and under nohup SIGHUP: env gives the defaults back.
        # Told twice: the one asks it to end, which it ignores, and the other cuts its grace short.
        env --default-signal=INT,HUP,TERM "$bootlap" run hung >"$work/out" 2>"$work/err" &
        own=$!
        read -r _ <"$work/started"
        kill -$signal $own
        read -r _ <"$work/asked"
        kill -$signal $own
        wait $own
        is "SIG$signal is passed on as death by it" "$(kill -l $?)" $signal
        is "SIG$signal: all are gone" "$(for i in 1 2 3; do is_gone "$work/pid$i" && echo gone; done)" \
                "gone
gone
gone"
done
rm -f "$work"/pid*
"$bootlap" run --grace 1 hung >"$work/out" 2>"$work/err" &
own=$!
read -r _ <"$work/started"
kill -KILL $own
wait $own 2>/dev/null
is "bootlap itself killed: all are gone" \
        "$(for i in 1 2 3; do is_gone "$work/pid$i" && echo gone; done)" "gone
gone
gone"

collector leaver <<'E'
sh -c 'echo $$ >"$work/pid1"; exec sleep 1000' &
while [ ! -s "$work/pid1" ]; do sleep 0.01; done
cat "$work/result"
E
rm -f "$work"/pid*
ok "a background process does not hold the result up" "$bootlap" run leaver
ok "and is ended" is_gone "$work/pid1"

ok "what follows the collector is its own" "$bootlap" run good --json --bogus
"$bootlap" run --deadline 0 good >"$work/out" 2>"$work/err"
is "a wrong deadline" "$? $(head -n 1 "$work/err")" \
        "2 bootlap run: --deadline wants 1 to 604800 seconds, not '0'"
done_testing
