#!/bin/sh
# bootlap measure and bootlap mark on this machine, whatever it is
. "$srcdir/tests/lib.sh"
export BOOTLAP_STORE="$work/store" BOOTLAP_COLLECTORS="$work/collectors" BOOTLAP_RUN_DIR="$work/run"
mkdir "$work/collectors"

# get EXPRESSION [RECORD]: of the record as JSON, in python: r is the record, m() finds a milestone
get() {
        python3 - "$1" "${2:-$record}" <<'END'
import json, sys
r = json.load(open(sys.argv[2]))
def m(name, session=None):
    return next((m for m in r["milestones"] if m["name"] == name and m.get("session") == session), None)
def absent(name):
    return next((a["reason"] for a in r["absent"] if a["name"] == name), None)
print(eval("(" + sys.argv[1] + ")"))
END
}
# measured WHAT ARGUMENT...: measure, which must work; then $record is set, and $work/out holds the text
measured() {
        what=$1
        shift
        "$bootlap" measure "$@" >"$work/out" 2>"$work/err"
        is "$what" $? 0
        record=$(sed -n 's/^Record: //p' "$work/out")
}
# misuse WHAT PATTERN COMMAND...: status 2, and the first line says what is wrong
misuse() {
        what=$1 pattern=$2
        shift 2
        "$@" >"$work/out" 2>"$work/err"
        is "$what: status" $? 2
        ok "$what: said in the first line" sh -c "head -n 1 '$work/err' | grep -qE -- \"$pattern\""
}
records() { find "$1" -name '*.json' | wc -l; }
monotonic_us() { python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000)'; }
# collector NAME BODY...: a program that stands for one
collector() {
        printf '#!/bin/sh\n%s\n' "$2" >"$work/collectors/$1"
        chmod 755 "$work/collectors/$1"
}
result() {
        printf "cat <<'END'\n%s\nEND\n" '{ "schema": "bootlap.result/1", "collector": "'"$1"'",
 "samples": [ { "workload": "'"$1"'", "run": 1, "tool": "sh",
 "values": { "real": { "value": 1.5, "unit": "s", "better": "lower" } } } ] }'
}

# --- a record, and what it says
measured "measure"
ok "it says where the record lies" test -f "$record"
ok "the record fits the schema" "$srcdir/tests/validate-record" "$record"
boot=$(tr -d - </proc/sys/kernel/random/boot_id)
is "its name ends in the boot's id" "${record##*-}" "$boot.json"
is "kernel.start is 0 by definition" "$(get 'm("kernel.start")["at_us"], m("kernel.start")["source"]')" \
        "(0, 'definition')"
is "what only a witness of the time could know" "$(get 'absent("desktop.settled")')" \
        "came before measuring started; needs bootlapd"
if [ ! -d /run/systemd/system ]; then
        is "who is not PID 1" "$(get '[absent(x) for x in ("userspace.start", "graphical.target")]')" \
                "['systemd is not PID 1', 'systemd is not PID 1']"
fi
for name in power.on loader.start loader.end initrd.start userspace.start unlock.mapped root.mounted \
        sysinit.target multi-user.target gpu.ready display.exec x.socket x.ready wm.ready; do
        is "$name is there or absent with a reason" \
                "$(get "any(x['name'] == '$name' for x in r['milestones']) != bool(absent('$name'))")" True
done
is "nothing that was seen lies in the future" "$(get '[x["name"] for x in r["milestones"]
        if x["at_us"] > r["clocks"]["end"]["monotonic_us"] and "implausible" not in x]')" "[]"
ok "no machine id and no host name in it" sh -c "
        ! grep -qiE \"\$(cat /etc/machine-id 2>/dev/null || echo no-machine-id)\" '$record'"
is "--json is one document with phases" "$("$bootlap" measure --json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])')" "$boot"

# --- again: one record, in which nothing is lost
is "measured twice, one record" "$(records "$work/store")" 1
collector one "$(result one)"
before=$(monotonic_us)
ok "mark" "$bootlap" mark backup-done 'all of it'
after=$(monotonic_us)
measured "measure with a collector" --run one
is "the sample" "$(get '[(s["workload"], s["run"]) for s in r["samples"]]')" "[('one', 1)]"
is "the mark, stamped when it was made" \
        "$(get "$before <= m('user.backup-done')['at_us'] <= $after, m('user.backup-done')['detail']")" \
        "(True, 'all of it')"
rm "$work/run/marks"
measured "and again" --run one --run one
is "samples are numbered on" "$(get '[(s["workload"], s["run"]) for s in r["samples"]]')" \
        "[('one', 1), ('one', 2), ('one', 3)]"
is "the mark is kept though its file is gone" "$(get 'm("user.backup-done") is not None')" True
is "still one record" "$(records "$work/store")" 1
ok "that fits the schema" "$srcdir/tests/validate-record" "$record"

# --- collectors that do not measure
collector sorry 'echo "sorry: no such thing on this machine" >&2; exit 77'
collector broken 'echo "broken: it fell apart" >&2; exit 1'
measured "one that cannot measure here is no failure" --run sorry
ok "it gave its reason" grep -q "no such thing" "$work/err"
is "which is in the record" "$(get '"no such thing" in absent("collector.sorry")')" True
"$bootlap" measure --run broken --run one >"$work/out" 2>"$work/err"
is "one that fails is" $? 1
ok "and says why" grep -q "it fell apart" "$work/err"
is "the others still run" "$(get 'len(r["samples"])')" 4

# --- marks: names and rights
misuse "a mark without a name" "wants a name" "$bootlap" mark
fails_with "a name with a blank" 1 "'a b': a mark's name" "$bootlap" mark 'a b'
fails_with "an empty name" 1 "a mark's name" "$bootlap" mark ''
fails_with "a name that is too long" 1 "a mark's name" "$bootlap" mark "$(printf '%060d' 0)"
ok "the prefix may be given" "$bootlap" mark user.x
is "and is not doubled" "$(cut -f 1 "$work/run/marks")" user.x
printf 'no tab\nuser.y\t12\t\t\nuser.z\t-3\t\t\n' >>"$work/run/marks"
measured "measure with bad marks"
is "bad marks are counted and dropped" "$(get '[w for w in r["warnings"] if "marks" in w]')" \
        "['$work/run/marks:2: want 1 to 63 of [A-Za-z0-9._-], then a tab; 2 bad lines dropped']"
is "the good ones between them are kept" "$(get 'm("user.y")["at_us"]')" 0
rm "$work/run/marks"
mkdir "$work/run/marks"
measured "a folder instead of the marks is a warning"
ok "that names it" grep -q "^Warning: the marks were not read: $work/run/marks" "$work/out"
rmdir "$work/run/marks"

# --- earlier records that must not be lost
damaged=$record
sed 's/"tool_version"/"tool_versiom"/' "$record" >"$work/damaged" && cp "$work/damaged" "$record"
fails_with "a damaged record of this boot is not replaced" 1 \
        "this boot's earlier record is not replaced: $record: damaged" "$bootlap" measure
ok "and lies there as it was" cmp "$work/damaged" "$record"
sed 's|bootlap.record/1|bootlap.record/9|' "$record" >"$work/newer" && cp "$work/newer" "$record"
fails_with "nor one of a newer schema" 1 "not replaced: $damaged" "$bootlap" measure
ok "which lies there as it was" cmp "$work/newer" "$record"
rm "$record"

# --- wrong command lines and places
misuse "an argument" "wants no argument" "$bootlap" measure x
fails_with "a maildir that is not there" 1 "/no/such/maildir: No such file" \
        "$bootlap" measure --maildir /no/such/maildir
misuse "no collector's name" "want a collector's name" "$bootlap" measure --run ' '
touch "$work/file"
fails_with "a store that is a file" 1 "$work/file.*: Not a directory" \
        "$bootlap" measure --store "$work/file"

# --- without root
if [ "$(id -u)" -eq 0 ]; then
        mkdir "$work/nobody"
        chown 65534 "$work/nobody"
        chmod 711 "$work"
        cp "$bootlap" "$work/bootlap" # the build tree need not be open to others
        as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"; }
        as_nobody "$work/bootlap" measure --store "$work/nobody" >"$work/out" 2>"$work/err"
        is "nobody measures" $? 0
        record=$(sed -n 's/^Record: //p' "$work/out")
        ok "a record that fits the schema" "$srcdir/tests/validate-record" "$record"
        if [ "$(cat /proc/sys/kernel/dmesg_restrict)" = 1 ] || [ ! -r /dev/kmsg ]; then
                is "the kernel log is refused, and that is said" "$(get 'absent("root.mounted")')" \
                        "the kernel log is for root only"
        fi
        fails_with "nobody's mark without a bootlapd" 1 "no bootlapd is measuring" \
                env BOOTLAP_RUN_DIR="$work/none" setpriv --reuid 65534 --regid 65534 --clear-groups -- \
                "$work/bootlap" mark x

        # --- and without the file systems that everything comes from
        cat >"$work/bare.sh" <<'END'
mount --make-rprivate / && mount -t tmpfs none /sys && mount -t tmpfs none /run &&
        mount -t tmpfs none /dev && umount -l /proc && exec "$@"
END
        BOOTLAP_RUN_DIR=/run/bootlap unshare --mount sh "$work/bare.sh" \
                "$bootlap" measure --store "$work/bare" >"$work/out" 2>"$work/err"
        status=$?
        # The leak checker of a sanitized program fails without /proc, and reads its options there too
        if ! grep -q __asan_init "$bootlap"; then
                is "without /proc, /sys, /run and /dev: status" $status 0
                is "nothing on stderr" "$(cat "$work/err")" ""
        fi
        ok "the unknown boot id is said" grep -q "^Warning: the boot id cannot be read" "$work/out"
        record=$(sed -n 's/^Record: //p' "$work/out")
        ok "a record that fits the schema" "$srcdir/tests/validate-record" "$record"
fi
done_testing
