#!/bin/sh
# bootlap measure beside real X servers: the socket's birth, the window manager, cookies, and servers
# that do not serve
. "$srcdir/tests/lib.sh"
export BOOTLAP_STORE="$work/store" BOOTLAP_RUN_DIR="$work/run"
servers=
# shellcheck disable=SC2086 # a list of numbers
trap 'kill -CONT $servers 2>/dev/null; kill $servers 2>/dev/null; wait; rm -rf "$work"' EXIT

# start_server LOG [COMMAND PREFIX...] -- [ARGUMENT...]: Xvfb on a free display; sets $number and $pid
start_server() {
        log=$1
        shift
        prefix=
        while [ "$1" != -- ]; do
                prefix="$prefix $1"
                shift
        done
        shift
        mkfifo "$log.number"
        # shellcheck disable=SC2086
        $prefix Xvfb -displayfd 3 -screen 0 320x240x24 -nolisten tcp "$@" 3>"$log.number" \
                >"$log" 2>&1 &
        pid=$!
        servers="$servers $pid"
        read -r number <"$log.number" # Xvfb writes it when it serves
        export DISPLAY=":$number"
}

# get EXPRESSION: of the record, in python; m(NAME) is the milestone of our display
get() {
        python3 - "$1" "$record" ":$number" <<'END'
import json, sys
r = json.load(open(sys.argv[2]))
def m(name):
    return next((m for m in r["milestones"]
                 if m["name"] == name and m.get("session") == sys.argv[3]), None)
def absent(name):
    return next((a["reason"] for a in r["absent"] if a["name"] == name), None)
print(eval("(" + sys.argv[1] + ")"))
END
}
measured() {
        rm -rf "$work/store" # each time with fresh eyes
        what=$1
        shift
        "$bootlap" measure "$@" >"$work/out" 2>"$work/err"
        is "$what" $? 0
        record=$(sed -n 's/^Record: //p' "$work/out")
}

# --- a server without a window manager
start_server "$work/a" --
measured "measure beside Xvfb"
ok "a record that fits the schema" "$srcdir/tests/validate-record" "$record"
# stat's birth on BOOTTIME, computed apart from bootlap; the stamp is two clock ticks after it
stat -c %.9W "/tmp/.X11-unix/X$number" >"$work/birth"
is "x.socket is the socket's birth, to two clock ticks" "$(python3 - "$record" ":$number" "$work/birth" <<'END'
import json, sys, time
s = next(m for m in json.load(open(sys.argv[1]))["milestones"]
         if m["name"] == "x.socket" and m.get("session") == sys.argv[2])
born = float(open(sys.argv[3]).read()) - time.clock_gettime(time.CLOCK_REALTIME) \
    + time.clock_gettime(time.CLOCK_BOOTTIME)
late = s["at_us"] / 1e6 - born
print(s["source"], s["detail"], 0 <= late + 0.001 and late < 0.022 or late)
END
)" "socket birth Xvfb True"
is "the server's start is a lower bound" "$(get 'm("display.exec")["bound"],
        m("display.exec")["at_us"] <= m("x.socket")["at_us"]')" "('lower', True)"
is "x.ready is not guessed" "$(get 'absent("x.ready")')" \
        "came before measuring started; needs bootlapd (display :$number answers now)"
is "nor a window manager where there is none" "$(get 'absent("wm.ready"), r["config"].get("wm.name")')" \
        "('no window manager runs on display :$number', None)"

# --- window managers, with and without EWMH
mkfifo "$work/started"
openbox --sm-disable --startup "sh -c 'echo >$work/started'" >"$work/openbox.log" 2>&1 &
wm=$!
servers="$servers $wm"
read -r _ <"$work/started"
measured "measure beside openbox"
is "its name" "$(get 'r["config"].get("wm.name")')" Openbox
# Other desktops may run on this machine: ours is among those that were seen
is "its start is a lower bound" "$(get '("lower", "openbox") in [(x["bound"], x.get("detail"))
        for y in r["milestones"] if y["name"] == "wm.exec" for x in [y] + y.get("also", [])]')" True
is "and no readiness" "$(get 'absent("wm.ready")')" \
        "came before measuring started; needs bootlapd (_NET_SUPPORTING_WM_CHECK is there now)"
kill "$wm"
wait "$wm" 2>/dev/null
# twm says nothing when it is up: it is asked until it answers, as long as it lives
HOME="$work" LC_ALL=C twm >"$work/twm.log" 2>&1 &
wm=$!
servers="$servers $wm"
until "$bootlap" measure --store "$work/poll" --json | grep -q "SubstructureRedirect is there now"; do
        kill -0 "$wm" || break
done
measured "measure beside twm"
is "a manager without a name" "$(get 'r["config"].get("wm.name")')" "without a name"
kill "$wm"
wait "$wm" 2>/dev/null

# --- a server that does not answer
kill -STOP "$pid"
measured "measure beside a stopped server"
is "said after a deadline" "$(get 'absent("wm.ready")')" "display :$number did not answer within 2 s"
is "its socket's birth is known all the same" "$(get 'm("x.socket") is not None')" True
kill -CONT "$pid"

# --- cookies
cookie_file() {
        rm -rf "$1" && (umask 077 && : >"$1") &&
                xauth -f "$1" add "$(uname -n)/unix:$2" . 0123456789abcdef0123456789abcdef
}
if [ "$(id -u)" -eq 0 ]; then
        chmod 711 "$work"
        mkdir "$work/user"
        cookie_file "$work/user/auth" 0
        # For any display: its number is known only when it serves
        xauth -f "$work/user/auth" nlist | sed 's/^\(.\{4\} [^ ]* [^ ]* \)[^ ]* [^ ]* /\10000 /' \
                >"$work/any" && rm "$work/user/auth" &&
                (umask 077 && xauth -f "$work/user/auth" nmerge "$work/any") 2>"$work/err"
        chown -R 65534:65534 "$work/user"
        start_server "$work/b" setpriv --reuid 65534 --regid 65534 --clear-groups -- -auth "$work/user/auth"
        measured "root measures a user's server, with that user's cookie"
        is "and is let in" "$(get 'absent("wm.ready")')" "no window manager runs on display :$number"
        mv "$work/user/auth" "$work/user/real"
        ln -s real "$work/user/auth"
        measured "a symlink in the place of the cookies"
        is "is not followed" "$(get '"cookie file" in absent("wm.ready")')" True
        rm "$work/user/auth"
        (umask 077 && : >"$work/user/auth") # root's own, which the user may not read
        measured "a file that the server's user may not read"
        is "is not read for it" "$(get '"Permission denied" in absent("wm.ready")')" True
        is "and what the server says is no line of ours" "$(grep -c Authorization "$work/err")" 0
fi
done_testing
