#!/bin/sh
# bootlapd from its start to its record, in a mount namespace with a /run and /var/lib of its own.
# Where there is a question to systemd, tests/fake-pid1 answers it.
# shellcheck disable=SC2317 # ok() calls functions
if [ -z "${BOOTLAP_TEST_NS-}" ]; then
        if ! unshare -m true 2>/dev/null; then
                echo "1..0 # SKIP mount namespaces want root"
                exit 0
        fi
        BOOTLAP_TEST_NS=1 exec unshare -m "$0"
fi
mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /var/lib || exit 99
. "$srcdir/tests/lib.sh"
store=/var/lib/bootlap/records
export BOOTLAP_COLLECTORS="$work/collectors" BOOTLAP_PROBES="$work/probes" work
mkdir "$work/probes" # none yet: what is tested first is without

# start: bootlapd in the background, once its socket is there
start() {
        rm -f /run/bootlap/socket
        "$builddir/bootlapd" --config "$work/conf" 2>"$work/stderr" &
        daemon=$!
        await test -S /run/bootlap/socket
}
# ended: wait for it; its exit status
ended() {
        timeout 60 tail -s 0.02 --pid="$daemon" -f /dev/null
        wait "$daemon"
}
mark() {
        "$builddir/bootlap-stamp" "$@"
}
# the_record EXPRESSION: of the one record, in Python
the_record() {
        python3 - "$1" $store/*/*.json <<'E'
import json, sys
r = json.load(open(sys.argv[2]))
m = {x["name"]: x for x in r["milestones"]}
print(eval(sys.argv[1]))
E
}
# settings LINES...: a deadline that this machine's uptime does not reach, unless given
settings() {
        printf '%s\n' '[daemon]' 'deadline = 604800' "$@" >"$work/conf"
}
# afresh: as after a boot
afresh() {
        rm -rf /run/* /var/lib/* "$work/pid1"
        settings
}
# systemd LOCAL-FS DISPLAY-MANAGER FINISH: something that calls itself PID 1
systemd() {
        mkdir -p /run/systemd/system "$work/pid1"
        says "$@"
        "$builddir/tests/fake-pid1" /run/systemd/private "$work/pid1" &
        pid1=$!
        await test -S /run/systemd/private
}
says() {
        echo "$1" >"$work/pid1/local-fs"
        echo "$2" >"$work/pid1/display-manager"
        echo "$3" >"$work/pid1/finish"
}
later_us() {
        echo $(($(cut -d. -f1 /proc/uptime) * 1000000 + 1000000000))
}
has_started_record() {
        [ -n "$(find $store.started -name '*.json' 2>/dev/null)" ]
}

afresh
mkdir "$work/collectors"
cat >"$work/collectors/good" <<'E'
#!/bin/sh
echo '{"schema":"bootlap.result/1","collector":"good","samples":[{"workload":"good.thing","run":1,
"values":{"real":{"value":1.5,"unit":"s","better":"lower"}}}],"warnings":[]}'
E
chmod 755 "$work/collectors/good"
settings '[plan]' 'good = --some arguments'
mkdir -p /run/bootlap
mark initrd.start initramfs-tools
mark unlock.prompt askpass cryptroot
mark unlock.answered askpass cryptroot
start
ok "a start record is written" await has_started_record
is "which is small" "$(find $store.started -type f -size +4096c)" ""
is "and nothing else yet" "$(ls /var/lib/bootlap)" records.started
mark desktop.settled "probe settle"
ok "a boot that settles" ended
is "its record is complete" "$(the_record 'r["boot"]["complete"]')" True
ok "and follows the schema" "$srcdir/tests/validate-record" $store/*/*.json
is "the wait is in it" "$(the_record '[(w["kind"], w["name"], w["attempts"]) for w in r["waits"]]')" \
        "[('unlock', 'cryptroot', 1)]"
is "marks from before it started are in it" "$(the_record '"initrd.start" in m, m["desktop.settled"]["source"]')" \
        "(True, 'probe settle')"
is "the plan was carried out" "$(the_record '[s["workload"] for s in r["samples"]]')" "['good.thing']"
is "its cost is in it" "$(the_record 'r["cost"]["cpu_us"] > 0 and r["cost"]["wakeups"] > 0')" True
is "the start record is gone" "$(find $store.started -type f)" ""
is "the marks tell what bootlapd did" "$(mark_names /run/bootlap/marks)" \
        "initrd.start unlock.prompt unlock.answered bootlapd.start desktop.settled bootlapd.done"
ok "started again, it has nothing to do" "$builddir/bootlapd" --config "$work/conf"
is "and changes nothing" "$(the_record 'any("bootlapd was started" in w for w in r["warnings"])')" False

afresh
start
ok "it watches" await has_started_record
fails_with "a second one" 1 "another bootlapd watches this boot" "$builddir/bootlapd" --config "$work/conf"
mark user.before
kill -KILL "$daemon"
ended
start
mark desktop.settled test
ok "one that was killed goes on" ended
is "from the marks" "$(the_record '"user.before" in m, r["boot"]["complete"]')" "(True, True)"
is "and says that it was killed" "$(the_record 'any("started 2 times" in w for w in r["warnings"])')" True

afresh
start
ok "it watches" await has_started_record
kill -TERM "$daemon"
ok "stopped by a shutdown" ended
is "it leaves an incomplete record" "$(the_record 'r["boot"]["incomplete"]')" \
        "the machine was shut down before it had settled"
is "and no start record" "$(find $store.started -type f)" ""

# Probes: one that answers a mark of another's, and one that will not end.
cat >"$work/probes/answer" <<'E'
#!/bin/sh
while read -r name rest; do
        [ "$name" != user.question ] || printf 'desktop.settled\t5\tprobe answer\tsession=:7\n'
done
E
cat >"$work/probes/stubborn" <<'E'
#!/bin/sh
trap '' TERM
echo $$ >"$work/stubborn.pid"
printf 'x.socket\t4\tprobe stubborn\tsession=:7 error_us=20\n'
while :; do sleep 1000; done
E
chmod 755 "$work/probes/answer" "$work/probes/stubborn"
afresh
start
ok "a probe's mark is kept" await grep -q x.socket /run/bootlap/marks
mark user.question
ok "a probe is told of other marks" ended
is "what it then says settles the boot" "$(the_record 'm["desktop.settled"]["source"], r["boot"]["complete"]')" \
        "('probe answer', True)"
# The machine may have X servers of its own, which the witnesses find
is "its words are understood" "$(the_record '[x["error_us"] for x in r["milestones"]
        if x["name"] == "x.socket" and x.get("session") == ":7"]')" "[20]"
is "no probe is left" "$(kill -0 "$(cat "$work/stubborn.pid")" 2>&1 | grep -c "No such process")" 1
is "their memory is in the account" "$(the_record 'r["cost"]["pss_bytes"] > 0')" True
afresh
mkdir -p /run/bootlap
printf 'user.question\t1\ttest\n' >/run/bootlap/marks
start
ok "a probe is told what came before it" ended
rm "$work/probes/"*

# Probes that wait until they are wanted: by a mark, by a file, and by one of them failing.
# waits NAME WANTED: a probe that says into a file that it runs, and what it is told
waits() {
        cat >"$work/probes/$1" <<E
#!/bin/sh
echo started >>"\$work/$1.ran"
while read -r name rest; do
        echo "\$name" >>"\$work/$1.ran"
done
E
        chmod 755 "$work/probes/$1"
        printf '# why\n%s\n' "$2" >"$work/probes/$1.wants"
}
ran() {
        paste -sd ' ' "$work/$1.ran" 2>/dev/null
}
# heard NAME MARK
heard() {
        grep -qx "$2" "$work/$1.ran" 2>/dev/null
}
waits late 'mark user.want *session=:7*'
waits path "path $work/wanted-?"
waits never 'mark user.never'
waits atonce 'mark'
afresh
start
mark user.before
mark user.want test session=:8
ok "one with a wrong file is started at once" await heard atonce user.want
ok "and it is said" grep -q "atonce.wants:2: want 'mark NAME" "$work/stderr"
is "one that waits for a mark is not" "$(ran late)" ""
mark user.want test session=:7
mark user.after
ok "it is when the mark has come" await heard late user.after
is "and is told what came before, and each once" "$(ran late)" \
        "started bootlapd.start user.before user.want user.want user.after"
is "one that waits for a file is not yet" "$(ran path)" ""
: >"$work/wanted-1"
ok "it is when the file is there" await heard path user.want
mark desktop.settled test
ok "one that was never wanted holds up nothing" ended
is "and was not started" "$(ran never)" ""
rm "$work/wanted-1" "$work"/*.ran
printf '#!/bin/sh\nexit 77\n' >"$work/probes/unable"
chmod 755 "$work/probes/unable"
afresh
start
ok "when one cannot watch, none waits any longer" await heard never bootlapd.start
mark desktop.settled test
ok "and the boot ends as any" ended
rm "$work/probes/"*

# systemd's files tell when to ask it; without a word of theirs it is asked all the same
afresh
mkdir -p /run/systemd/units
systemd active inactive 0
start
ok "a start record is written though no unit shows itself" await has_started_record
mark desktop.settled test
ok "and the boot ends" ended
kill "$pid1"

# A boot that is cut off, and the next: the same machine under another boot id.
afresh
start
ok "it watches" await has_started_record
kill -KILL "$daemon"
ended
rm -r /run/bootlap
echo 0f0e0d0c-0b0a-4908-8706-050403020100 >"$work/boot_id"
mount --bind "$work/boot_id" /proc/sys/kernel/random/boot_id
start
mark desktop.settled test
ok "the boot after one that was cut off" ended
umount /proc/sys/kernel/random/boot_id
is "both have a record" "$(find $store -name '*.json' | wc -l)" 2
is "one of them incomplete" "$(grep -l '"incomplete": "cut off: ' $store/*/*.json | wc -l)" 1
is "it is not this boot's" "$(grep -l '"incomplete": "cut off: ' $store/*/*-0f0e0d0c*.json)" ""
is "no start record is left" "$(find $store.started -type f)" ""

# The deadline counts machine time. Of this uptime, all but the first second goes to a question.
afresh
settings "deadline = $(($(cut -d. -f1 /proc/uptime) - 1))"
mkdir -p /run/bootlap
printf 'unlock.prompt\t1000000000\taskpass\ta\n' >/run/bootlap/marks
start
ok "while a person is awaited it waits" await has_started_record
is "and goes on" "$(kill -0 "$daemon" && echo on)" on
printf 'unlock.answered\t1000000001\taskpass\ta\n' >>/run/bootlap/marks
ok "then its time is over" ended
is "the record says so" "$(the_record 'r["boot"]["incomplete"]')" "did not settle within its time"

afresh
systemd inactive inactive 0
start
mark user.a
ok "before local file systems are mounted" await grep -q user.a /run/bootlap/marks
is "nothing is written" "$(ls /var/lib)" ""
says active inactive 0
ok "then the start record is" await has_started_record
says active inactive "$(later_us)"
ok "without a display manager the boot is over when start-up is" ended
is "and complete" "$(the_record 'r["boot"]["complete"]')" True
is "what it lacks has its reason" \
        "$(the_record '[a["reason"] for a in r["absent"] if a["name"] == "desktop.settled"]')" \
        "['no display server was started in this boot']"
kill $pid1

afresh
systemd active failed "$(later_us)"
start
ok "a display manager that failed" ended
is "makes an incomplete record" "$(the_record 'r["boot"]["incomplete"]')" "the display manager failed"
kill $pid1

afresh
systemd active active "$(later_us)"
start
ok "a display manager that runs" await has_started_record
is "is waited for" "$(kill -0 "$daemon" && echo on)" on
mark desktop.settled test
ok "until the desktop has settled" ended
is "complete" "$(the_record 'r["boot"]["complete"]')" True
kill $pid1

afresh
systemd active inactive 1000000
start
ok "started by hand, long after the boot" ended
is "it says what to do instead" "$(grep -c "bootlap measure" "$work/stderr")" 1
is "and makes no record" "$(ls /var/lib)" ""
kill $pid1

afresh
systemd hang hang hang
start
mark desktop.settled test
ok "a systemd that does not answer" ended
is "holds up nothing" "$(the_record 'r["boot"]["complete"]')" True
kill $pid1

afresh
mkdir -p /run/systemd/sessions /run/systemd/seats /run/systemd/users /run/systemd/machines
start
printf 'ACTIVE=1\nREMOTE=0\nCLASS=user\nTYPE=tty\n' >/run/systemd/sessions/1 # a serial line
printf 'ACTIVE=1\nREMOTE=0\nCLASS=greeter\nTYPE=x11\nSEAT=seat0\n' >/run/systemd/sessions/c1
ok "sessions that are no person's at the screen" await has_started_record
is "are passed over" "$(grep -c login /run/bootlap/marks)" 0
printf 'ACTIVE=1\nREMOTE=0\nCLASS=user\nTYPE=x11\nSEAT=seat0\n' >/run/systemd/sessions/.new
mv /run/systemd/sessions/.new /run/systemd/sessions/2
ok "a person's is a login" await grep -q login.answered /run/bootlap/marks
mark desktop.settled test
ok "and the boot goes on" ended

if setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
        afresh
        start
        setpriv --reuid=65534 --regid=65534 --clear-groups "$builddir/bootlap-stamp" desktop.settled me
        ok "a user's mark" await grep -q '^user.desktop.settled' /run/bootlap/marks
        is "settles nothing" "$(kill -0 "$daemon" && echo on)" on
        mark desktop.settled test
        ok "root's does" ended
        is "whose it was is in the record" "$(the_record 'm["user.desktop.settled"]["source"]')" "user 65534"
else
        skip "a user's mark" "no other user can be had here"
fi

afresh
printf '[daemon]\ndeadline = soon\n' >"$work/conf"
mkdir -p /run/bootlap
printf 'no mark\ndesktop.settled\t5\ttest\n' >/run/bootlap/marks
start
ok "wrong settings and wrong marks" ended
is "are warned of, in the record too" \
        "$(the_record 'any("deadline wants" in w for w in r["warnings"]), any("bad line" in w for w in r["warnings"])')" \
        "(True, True)"

afresh
: >/run/bootlap
fails_with "a file in the run folder's place" 1 "^bootlapd: /run/bootlap: " \
        "$builddir/bootlapd" --config "$work/conf"
done_testing
