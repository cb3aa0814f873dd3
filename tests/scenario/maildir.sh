#!/bin/sh
# The maildir collector on mail as it should not be: counted as mutt and neomutt count it, never hung
# up, one clear line that names the file, or says that there is nothing to measure.
. "$srcdir/tests/lib.sh"
maildir="$builddir/collectors/maildir --quiet --cache=as-is"
user=
[ "$(id -u)" = 0 ] && user='--user root'

# figure FILE EXPRESSION: of the result in FILE; v is the last sample's values, d its details
figure() {
        python3 -c 'import json, sys
j = json.load(open(sys.argv[1])); s = j["samples"][-1]; d = s["details"]; p = s["parameters"]
v = {k: x["value"] for k, x in s["values"].items()}; print(eval(sys.argv[2]))' "$1" "$2"
}

# measure [OPTION...]: into $work/json
measure() {
        # shellcheck disable=SC2086
        timeout 60 $maildir $user "$@" >"$work/json" 2>"$work/err"
}

new_maildir() {
        rm -rf "$work/m"
        mkdir -p "$work/m/new" "$work/m/cur" "$work/m/tmp"
}

message() {
        printf 'From: a@example.org\nTo: b@example.org\nSubject: hi\nDate: Mon, 30 Nov 2026 10:00:00 +0000\nMessage-ID: <%s@x>\n\nbody\n' \
                "$$" >"$1"
}

# clients: how many messages mutt and neomutt see
clients() {
        mkdir -p "$work/home/Mail"
        for client in mutt neomutt; do
                HOME=$work/home TERM=xterm timeout 60 script -qec "$client -n -F /dev/null -R -f '$work/m' \
                        -e 'set sleep_time=0 status_format=\"count=%m.\"' -e 'push <exit>'" /dev/null \
                        </dev/null 2>&1 | tr -d '\r' | grep -ao 'count=[0-9]*\.' | tail -n 1 | tr -dc '0-9\n'
        done
}

"$bootlap" corpus --quiet --count 3000 "$work/busy" >/dev/null

# An empty one
new_maildir
measure "$work/m"
is "an empty folder" "$? $(figure "$work/json" 'v["messages"], j["warnings"]')" \
        "0 (0.0, ['$work/m: holds no message'])"

# All that is odd, but for the FIFO, at which the clients hang for ever
message "$work/m/cur/1.host:2,S"
message "$work/m/cur/2.host:2,FRS"
message "$work/m/cur/3.host"
message "$work/m/cur/4.host:2,T"
message "$work/m/new/5.host"
message "$work/m/new/6.host:2,S"
message "$work/m/tmp/7.host"
message "$work/m/cur/.hidden"
message "$work/m/outside"
mkdir "$work/m/cur/folder" "$work/m/.Sub" "$work/m/.Sub/cur"
message "$work/m/.Sub/cur/8.host:2,S"
ln -s nowhere "$work/m/cur/dangling"
ln -s loop "$work/m/cur/loop"
ln -s 1.host:2,S "$work/m/cur/link"
head -c 70000 /dev/urandom >"$work/m/cur/garbage.host:2,S"
printf 'Subject: no end' >"$work/m/cur/endless.host:2,"
{ printf 'To: a@b'; for i in $(seq 30000); do printf ',\n\tuser%d@example.com' "$i"; done; printf '\n\nbody\n'; } \
        >"$work/m/cur/wide.host:2,S"
message "$work/m/cur/$(printf '%0250d' 1):2,S"
measure "$work/m"
status=$?
count=$(figure "$work/json" 'int(v["messages"])')
is "all odd ones: status" $status 1
is "mutt and neomutt count the same" "$(clients)" "$count
$count"
is "what was odd is counted" "$(figure "$work/json" 'd["unreadable"], d["no_files"], d["gone"]')" "(2, 1, 0)"
is "and one of a kind is named" "$(figure "$work/json" \
        '" | ".join(sorted(f.replace("cur/dangling", "cur/loop") for f in j["faults"]))')" \
        "$work/m/cur/folder: is a folder, no message | $work/m/cur/loop: Too many levels of symbolic links (and 1 more)"
ok "the collector itself says the first, in one line" grep -cqE \
        "^maildir: $work/m/cur/[a-z]+: .*; and 1 other faults? in the result\$" "$work/err"
: >"$work/m/cur/empty.host:2,S"
measure "$work/m"
# They part on empty files: mutt 2.2 lists them, neomutt 20220429 does not.
is "an empty file is a message, as for mutt" "$(figure "$work/json" 'int(v["messages"]), d["empty"]') $(clients | head -n 1)" \
        "($((count + 1)), 1) $((count + 1))"
rm "$work/m/cur/empty.host:2,S"

mkfifo "$work/m/cur/fifo" "$work/m/new/fifo"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$work/m/cur/socket"
for order in readdir inode extent; do
        for jobs in 1 4; do
                measure --order $order --jobs $jobs "$work/m"
                is "FIFOs and a socket among them, $order, $jobs jobs" \
                        "$? $(figure "$work/json" 'int(v["messages"]), d["no_files"]')" "1 ($count, 4)"
        done
done
new_maildir
chmod 755 "$work" # root's collectors work as nobody
message "$work/m/cur/1.host:2,S"
mkfifo "$work/m/cur/$(printf 'fi\nfo')"
export BOOTLAP_COLLECTORS="$builddir/collectors" BOOTLAP_STORE="$work/store"
fails_with "a FIFO is named, in one line whatever its name" 1 "^bootlap: maildir: $work/m/cur/fi\?fo: is a FIFO, no message\$" \
        timeout 60 "$bootlap" run maildir --cache=as-is "$work/m"
ok "and the rest is measured" grep -qE '^maildir.open.messages +#1 +1$' "$work/out"
fails_with "so does bootlap measure" 1 "^bootlap: maildir: $work/m/cur/fi\?fo: is a FIFO, no message\$" \
        timeout 120 "$bootlap" measure --quiet --maildir "$work/m"
ok "which keeps what was measured" grep -qE '^maildir.open.messages +#1 +1$' "$work/out"
ok "and the reason" grep -qF "maildir: $work/m/cur/fi?fo: is a FIFO, no message" "$work/out"
ok "bytes are shown as such" grep -qE '^maildir.open.bytes_read +#1 +[0-9]+ B$' "$work/out"
rm "$work"/m/cur/fi*
ln -s loop "$work/m/cur/loop"
fails_with "a link to itself is named" 1 "^bootlap: maildir: $work/m/cur/loop: Too many levels of symbolic links\$" \
        timeout 60 "$bootlap" run maildir --cache=as-is "$work/m"
rm "$work/m/cur/loop"
is "all well: no fault" "$("$bootlap" run --json maildir --cache=as-is "$work/m" 2>&1 | python3 -c \
        'import json, sys; print(json.load(sys.stdin)["faults"])') $?" "[] 0"
measure --order extent --jobs 4 "$work/m"
is "what was measured is said" "$(figure "$work/json" 'p["order"], p["jobs"], s["tool"], d["path"]')" \
        "('extent', 4, 'bootlap-maildir', '$work/m')"
is "a name and runs" "$(measure --name rcvd --runs 2 "$work/m"
        figure "$work/json" '[(x["workload"], x["run"]) for x in j["samples"]]')" \
        "[('maildir.open.rcvd', 1), ('maildir.open.rcvd', 2)]"
is "values" "$(figure "$work/json" '" ".join(sorted(k for k in v if not k.startswith("device")))')" \
        "bytes_read list messages messages_per_s open real sys user"
is "the parts fit in the whole" "$(figure "$work/json" 'v["list"] + v["open"] <= v["real"]')" True

# What is read is what the headers need: a block of 4096 of a large message
new_maildir
{ printf 'Subject: x\n\n'; head -c 100000 /dev/zero | tr '\0' b; } >"$work/m/cur/1:2,S"
measure "$work/m"
is "only blocks of the headers are read" "$(figure "$work/json" 'v["bytes_read"]')" 4096.0
if [ "$(id -u)" = 0 ]; then
        chmod 755 "$work" "$work/m" "$work/m"/*
        sync
        timeout 60 "$builddir/collectors/maildir" --quiet --user nobody "$work/m" >"$work/json" 2>"$work/err"
        is "cold, and proven" "$? $(figure "$work/json" 'p["cache"], d["cache"]["resident_pages"]')" "0 ('cold', 0)"
        is "a drive was read, if there is one" "$(figure "$work/json" \
                '"device_unknown" in d["usage"] or d["usage"]["device_read_bytes"] >= 4096')" True
        timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups "$builddir/collectors/maildir" --quiet \
                "$work/m" >"$work/json" 2>"$work/err"
        is "as a user, of somebody else's mail" "$? $(figure "$work/json" 'p["cache"]')" "0 unknown"
        chown -R 65534 "$work/m"
        timeout 60 setpriv --reuid 65534 --regid 65534 --clear-groups "$builddir/collectors/maildir" --quiet \
                "$work/m" >"$work/json" 2>"$work/err"
        is "as a user, of one's own" "$? $(figure "$work/json" 'p["cache"], d["cache"]["dropped"]')" \
                "0 ('cold-data-only', 'file contents')"
        chmod 700 "$work/m/cur"
        timeout 60 "$builddir/collectors/maildir" --quiet --cache=as-is "$work/m" >"$work/json" 2>"$work/err"
        is "root becomes the owner of the mail" "$? $(figure "$work/json" 'int(v["messages"])')" "0 1"
        fails_with "somebody else's private folder" 1 "^maildir: $work/m/cur: Permission denied\$" \
                timeout 60 "$builddir/collectors/maildir" --quiet --user 12345 "$work/m"
        chmod 755 "$work/m/cur"
        chmod 000 "$work/m/cur/1:2,S"
        chown root "$work/m/cur/1:2,S"
        fails_with "no message may be read" 1 "^maildir: $work/m: none of 1 messages can be read: Permission denied\$" \
                timeout 60 "$builddir/collectors/maildir" --quiet --user nobody "$work/m"
        fails_with "no such user" 1 "^maildir: no such user: nosuchuser\$" \
                timeout 60 "$builddir/collectors/maildir" --quiet --user nosuchuser "$work/m"
        # On tmpfs nothing can be cold, and there is no drive.
        # shellcheck disable=SC2016  # the inner shell expands it
        work=$work builddir=$builddir unshare -m sh -c 'mount -t tmpfs tmpfs "$work/home" && mkdir "$work/home/new" "$work/home/cur" &&
                echo "Subject: x" >"$work/home/cur/1:2,S" && chmod -R a+rX "$work/home" &&
                "$builddir/collectors/maildir" --quiet "$work/home"' >"$work/json" 2>"$work/err"
        is "tmpfs is warm, and said so" "$(figure "$work/json" \
                'p["cache"], "device_unknown" in d["usage"], j["warnings"][0].split(": ")[1]')" \
                "('warm', True, 'the cache was warm, not cold')"

        # Through a loop device down to the drive that holds its file.
        truncate -s 64M "$work/image" && mkfs.ext4 -q "$work/image"
        # shellcheck disable=SC2016
        work=$work builddir=$builddir unshare -m sh -c 'mount -o loop "$work/image" "$work/home" && mkdir "$work/home/new" \
                "$work/home/cur" && echo "Subject: x" >"$work/home/cur/1:2,S" && chmod -R a+rX "$work/home" &&
                "$builddir/collectors/maildir" --quiet "$work/home"' >"$work/json" 2>"$work/err"
        is "a file system on a loop device: cold, and the drive named" \
                "$? $(figure "$work/json" 'p["cache"], d["usage"].get("devices")')" \
                "0 ('cold', $(timeout 60 "$builddir/collectors/maildir" --quiet --user root "$work/busy" | python3 -c \
                        'import json, sys; print(json.load(sys.stdin)["samples"][0]["details"]["usage"].get("devices"))'))"
else
        skip "cold, permissions" "needs root"
fi

fails_with "no such folder" 1 "^maildir: $work/none: No such file or directory\$" \
        timeout 60 "$builddir/collectors/maildir" "$work/none"
mkdir "$work/plain"
fails_with "a folder that is no maildir" 1 "^maildir: $work/plain: is no maildir: it has no new/\$" \
        timeout 60 "$builddir/collectors/maildir" "$work/plain"
touch "$work/file"
fails_with "a file" 1 "^maildir: $work/file: is no folder\$" timeout 60 "$builddir/collectors/maildir" "$work/file"
mkfifo "$work/fifo"
fails_with "a FIFO" 1 "^maildir: $work/fifo: is no folder\$" timeout 60 "$builddir/collectors/maildir" "$work/fifo"
ln -s round "$work/round"
fails_with "a link to itself" 1 "^maildir: $work/round: Too many levels" \
        timeout 60 "$builddir/collectors/maildir" "$work/round"
fails_with "no maildir at all" 77 "^maildir: no maildir given, and there is no $work/home/Maildir\$" \
        env -u MAILDIR HOME="$work/home" timeout 60 "$builddir/collectors/maildir"
for wrong in '--order alphabet' '--jobs 0' '--runs 0' '--cache lukewarm' '--name a/b' '--bogus' 'one two'; do
        # shellcheck disable=SC2086
        "$builddir/collectors/maildir" $wrong >"$work/out" 2>"$work/err"
        is "usage: $wrong" "$? $(wc -l <"$work/err") $(wc -c <"$work/out")" "2 2 0"
done
fails_with "standard output is full" 1 "^maildir: cannot write to standard output\$" \
        sh -c "$maildir $user '$work/m' >/dev/full"

# Mail that changes while it is read: a reader that is held up at its first message by a FIFO's writer
# cannot be had, so all is changed as fast as it goes, and the sum has to fit.
(
        cd "$work/busy/cur" || exit 1
        for f in *; do
                case $f in
                *Q*[02468].mail*) mv -- "$f" "$f"R ;;
                *Q*1.mail*) rm -- "$f" ;;
                esac
        done
) &
changer=$!
n=0
while kill -0 $changer 2>/dev/null || [ $n -eq 0 ]; do
        n=$((n + 1))
        measure --jobs 2 "$work/busy"
        status=$?
        sum=$(figure "$work/json" 'int(v["messages"]) + d["gone"] >= 2500 and d["unreadable"] == 0 and '$status' == (d["gone"] > 0) == \
                len([f for f in j["faults"] if "was deleted or renamed while the folder was opened" in f])')
        [ "$sum" = True ] || break
done
wait $changer
is "deleted and renamed meanwhile, $n times" "$sum" True
done_testing
