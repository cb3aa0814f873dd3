#!/bin/sh
# The session probe: the word of a compositor's session that it has started, where its windows are
# listed to nobody. A real user manager (systemd --user) and a real journald, in a /run of their own.
if [ -z "${BOOTLAP_TEST_NS-}" ]; then
        if ! unshare -m true 2>/dev/null; then
                echo "1..0 # SKIP mount namespaces want root"
                exit 0
        fi
        BOOTLAP_TEST_NS=1 exec unshare -m "$0"
fi
mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup || exit 99
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/xlib.sh"
session=$builddir/daemon/probes/session
uid=4242 other=4243
cgroup=/sys/fs/cgroup/bootlap-test.$$
mkdir -p /run/systemd/system "$cgroup"
# leave: the user managers end with their groups
leave() {
        stop_all
        for group in $(find "$cgroup" -mindepth 1 -depth -type d) "$cgroup"; do
                xargs -r kill -KILL <"$group/cgroup.procs" 2>/dev/null
                while [ -s "$group/cgroup.procs" ] && ! grep -qx $$ "$group/cgroup.procs"; do sleep 0.02; done
                rmdir "$group" 2>/dev/null
        done
        rm -rf "$work"
}
trap leave EXIT

# as UID COMMAND...
as() {
        user=$1
        shift
        setpriv --reuid="$user" --regid="$user" --clear-groups env XDG_RUNTIME_DIR="/run/user/$user" HOME="$work" "$@"
}
# home UID: its runtime folder, with a target that a session starts, which cannot be started by itself
home() {
        mkdir -p "/run/user/$1/systemd/user"
        printf '[Unit]\nBindsTo=graphical-session.target\n' >"/run/user/$1/systemd/user/lab.target"
        chown -R "$1" "/run/user/$1"
        chmod 700 "/run/user/$1"
}
# manager UID: a real one
manager() {
        mkdir "$cgroup/$1"
        chown -R "$1" "$cgroup/$1"
        # shellcheck disable=SC2016 # the inner shell's
        sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$cgroup/$1" setpriv --reuid="$1" --regid="$1" \
                --clear-groups env -i PATH="$PATH" XDG_RUNTIME_DIR="/run/user/$1" HOME="$work" \
                SYSTEMD_LOG_TARGET=console /lib/systemd/systemd --user >"$work/manager.$1" 2>&1 9>&- &
        manager=$!
        started="$started $manager"
        until [ -S "/run/user/$1/systemd/private" ]; do
                kill -0 $manager || return
                sleep 0.02
        done
}
# begin NAME
begin() {
        name=$1
        start_probe "$work/$name.marks" "$session" "$work/journal"
}
# compositor SESSION LISTS PROGRAM: what the wayland probe says of one
compositor() {
        printf 'wayland.ready\t5000\tprobe wayland\tsession=%s error_us=1 pid=1 lists=%s program=%s\n' "$@" >&9
}
finish() {
        exec 9>&-
        wait "$probe"
        is "$name: it ends" $? 0
        is "$name: nothing odd on stderr" "$(cat "$marks.err")" ""
        is "$name: nothing of it is left" "$(pgrep -c -f "^$session")" 0
}
chmod 755 "$work"
mkdir "$work/journal"

# The target is reached after the compositor was there
home $uid
ok "a user manager runs" manager $uid
begin target
compositor wayland-0@$uid none weston
compositor wayland-1@$uid wlr-foreign-toplevel-management sway
ok "the session starts" as $uid systemctl --user start lab.target
ok "$name: that is said" await "$marks" '^desktop.windows	'
at_us=$(as $uid systemctl --user show -P ActiveEnterTimestampMonotonic graphical-session.target)
is "$name: to the microsecond, with what it means" "$(grep '^desktop' "$marks" | cut -f 2-)" \
        "${at_us}000	probe session	session=wayland-0@$uid error_us=0 by=graphical-session.target meaning=session-started,-no-window-seen"
finish

# It was reached before; and a session on the side, or one of a name that is no user's, is none
begin before
compositor wayland-0@$uid%20other none weston
compositor wayland-0@$uid none weston
compositor nobody none weston
compositor wayland-0@-1 none weston
ok "$name: that is said, too" await "$marks" "^desktop.windows	${at_us}000	"
finish
is "$name: and nothing else but why it was not, before" "$(n_marks desktop.windows) $(grep -vc '^probe.absent	' "$marks")" "1 1"

# What listens there is another's; then nothing does; then the manager comes
home $other
mkdir -p /run/user/$other/systemd
cat >"$work/listener" <<'P'
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
s.listen()
print("listening", flush=True)
while True:
    c = s.accept()[0]
    print("accepted", flush=True)
    c.sendall(b"OK " + 32 * b"0" + b"\r\nAGREE_UNIX_FD\r\n" + os.urandom(4096))
P
python3 "$work/listener" /run/user/$other/systemd/private >"$work/listener.log" 2>&1 9>&- &
listener=$!
started="$started $listener"
ok "an impostor listens" await "$work/listener.log" '^listening'
begin garbage
compositor wayland-0@$other none weston
ok "$name: it was asked, and believed nothing" await "$work/listener.log" '^accepted'
ok "$name: that is why there is none" await "$marks" \
        "^probe.absent	[0-9]*	probe session	milestone=desktop.windows session=wayland-0@$other reason=.*/run/user/$other.*another%20user"
finish
is "$name: nothing else is said" "$(grep -v '^probe.absent	' "$marks")" ""
stop $listener
rm -f /run/user/$other/systemd/private
mkdir "$work/fake"
echo active >"$work/fake/display-manager"
echo 77 >"$work/fake/active"
"$builddir/tests/fake-pid1" /run/user/$other/systemd/private "$work/fake" 9>&- &
listener=$!
started="$started $listener"
until [ -S /run/user/$other/systemd/private ]; do sleep 0.02; done
chmod 777 /run/user/$other/systemd/private
begin another
compositor wayland-0@$other none weston
# Page faults of children that have ended
until [ "$(cut -d ' ' -f 11 "/proc/$probe/stat")" -gt 0 ]; do sleep 0.02; done
is "$name: nor when it speaks as a manager does, as someone else" "$(grep -v '^probe.absent	' "$marks")" ""
stop $listener
rm -f /run/user/$other/systemd/private
ok "$name: the manager comes" manager $other
ok "$name: the session starts" as $other systemctl --user start lab.target
ok "$name: which is found" await "$marks" "^desktop.windows	[0-9]*	probe session	session=wayland-0@$other "
finish

# GNOME Shell says it in the journal, and its own user only
/lib/systemd/systemd-journald >"$work/journald" 2>&1 9>&- &
started="$started $!"
until [ -S /run/systemd/journal/socket ]; do sleep 0.02; done
rmdir "$work/journal"
say() {
        printf 'MESSAGE_ID=%s\nMESSAGE=It started\n' "${2-f3ea493c22934e26811cd62abe8e203a}" | as "$1" logger --journald
}
say $other
until find /run/log/journal -name '*.journal' | grep -q .; do sleep 0.02; done
ln -s "$(dirname "$(find /run/log/journal -name '*.journal' | head -n 1)")" "$work/journal"
begin shell
compositor wayland-0@$uid none gnome-shell
ok "$name: until it speaks, that is why there is none" await "$marks" \
        "^probe.absent	.*session=wayland-0@$uid reason=gnome-shell%20has%20not%20said"
say $other
say $uid
ok "$name: its message counts" await "$marks" \
        "^desktop.windows	[0-9]*	probe session	session=wayland-0@$uid by=gnome-shell's-journal-message meaning=shell-started,-no-window-seen"
logged_us=$(journalctl -D "$work/journal" -o json MESSAGE_ID=f3ea493c22934e26811cd62abe8e203a _UID=$uid |
        sed -n 's/.*"__MONOTONIC_TIMESTAMP" *: *"\([0-9]*\)".*/\1/p')
is "$name: at journald's own stamp" "$(grep '^desktop' "$marks" | cut -f 2)" "${logged_us}000"
finish
# A greeter's compositor asks once it answers, GDM's once gnome-session says so: its shell does not; neither
# is a desktop
begin greeter
compositor wayland-0@$other%20greeter none cage
ok "$name: asks when it is ready" await "$marks" \
        "^login.prompt	5000	probe session	session=wayland-0@$other%20greeter by=wayland.ready meaning=compositor-ready,-no-window-seen"
compositor wayland-0@$uid%20greeter none gnome-shell
ok "$name: GDM's is waited for" await "$marks" \
        "^probe.absent	.*milestone=login.prompt session=wayland-0@$uid%20greeter reason=gnome-session%20has%20not%20said"
say $uid 0ce153587afa4095832d233c17a88001
ok "$name: and asks when its session runs" await "$marks" \
        "^login.prompt	[0-9]*	probe session	session=wayland-0@$uid%20greeter by=gnome-session's-journal-message meaning=session-running"
is "$name: and no desktop" "$(n_marks desktop.windows)" 0
finish
begin said
compositor wayland-0@$uid none gnome-shell
ok "$name: one that was said before, too" await "$marks" "^desktop.windows	${logged_us}000	"
finish
done_testing
