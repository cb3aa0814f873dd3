#!/bin/sh
# The build collector cut short: by a person, by a kill, by a full disk. No process and no folder stays.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/build-tree.sh"
own=
trap '[ -z "$own" ] || kill -TERM "$own" 2>/dev/null; rm -rf "$work"' EXIT
echo "$whole" | tree good

# Two processes that leave make's process group, and a third; two of them ignore SIGTERM.
tree endless <<'MAKEFILE'
$(O)/vmlinux:
	@echo here >$(O)/file; \
	setsid sh -c 'trap "" TERM INT HUP; echo pid $$$$; exec sleep 1000' & \
	( sh -c 'echo pid $$$$; exec sleep 1000' & ) ; \
	trap "" TERM; echo pid $$$$; sleep 1000; sleep 1000
MAKEFILE

# start_endless COMMAND...: in the background, until all three run; their numbers go to $work/pids.
# What make prints is read through a log that is a FIFO.
mkfifo "$work/heard"
chmod a+rw "$work/heard"
start_endless() {
        # A shell's background jobs ignore SIGINT, and under nohup SIGHUP: env gives the defaults back.
        env --default-signal=INT,HUP,TERM "$@" --quiet --source "$work/endless" --dir "$dir" \
                --log "$work/heard" >"$work/result" 2>"$work/err" &
        own=$!
        n=0
        : >"$work/pids"
        exec 4<"$work/heard"
        while [ $n -lt 3 ] && read -r word pid <&4; do
                [ "$word" = pid ] || continue
                echo "$pid" >>"$work/pids"
                n=$((n + 1))
        done
}

all_gone() {
        while read -r pid; do
                timeout 30 tail -s 0.05 --pid="$pid" -f /dev/null || return 1
        done <"$work/pids"
}

for signal in INT TERM HUP; do
        start_endless "$build"
        is "SIG$signal: there is something to remove" "$(find "$dir" -name file | wc -l)" 1
        kill -$signal $own
        wait $own
        is "SIG$signal: died of it" "$(kill -l $?)" $signal
        exec 4<&-
        is "SIG$signal: there were three processes" "$(wc -l <"$work/pids")" 3
        ok "SIG$signal: and all are gone" all_gone
        nothing_left "SIG$signal"
        is "SIG$signal: no result and no words" "$(cat "$work/result" "$work/err")" ""
done

# The same below bootlap, which passes the signal on and waits for the folder to be removed.
BOOTLAP_COLLECTORS=$builddir/collectors
BOOTLAP_STORE=$work/store
export BOOTLAP_COLLECTORS BOOTLAP_STORE
start_endless "$bootlap" run build
kill -TERM $own
wait $own
is "below bootlap: died of it" "$(kill -l $?)" TERM
exec 4<&-
ok "below bootlap: all are gone" all_gone
nothing_left "below bootlap"

start_endless "$build"
kill -KILL $own
wait $own 2>/dev/null
exec 4<&-
ok "killed: all its processes are gone nevertheless" all_gone
is "killed: the folder is left" "$(find "$dir" -mindepth 1 -maxdepth 1 | wc -l)" 1
ok "and the next run removes it" run_build good
nothing_left "after the next run"

ok "--keep" run_build good --keep
is "one folder stays" "$(cat "$dir"/bootlap-kept.*/objects/.config)" CONFIG_FAKE=y
ok "and the next run lets it be" run_build good
is "so it is still there" "$(find "$dir" -mindepth 1 -maxdepth 1 | wc -l)" 1
rm -r "$dir"/bootlap-kept.*

# --- a full disk: in a mount namespace of its own, so that nothing has to be unmounted
small=$work/small
mkdir "$small"
# in_small SIZE COMMAND...: with a file system of that size on $small; what stays on it is listed
# in $work/left
in_small() {
        size=$1
        shift
        # shellcheck disable=SC2016 # expanded by the inner shell
        unshare -m sh -c 'mount -t tmpfs -o mode=1777,size="$1" tmpfs "$2" || exit 99
                small=$2
                shift 2
                "$@"
                status=$?
                ls -A "$small" >&3
                exit $status' sh "$size" "$small" "$@" 3>"$work/left"
}
# shellcheck disable=SC2016
printf '%s\n' '$(O)/vmlinux: $(O)/a.o' '	@head -c 3000000 /dev/zero >$@' | tree big
head -c 300000 /dev/urandom >"$work/good/random"
tar -C "$work" -cJf "$work/good.tar.xz" good
seq -f 'CONFIG_%.0f=y' 20000 >"$work/huge"
if unshare -m mount -t tmpfs tmpfs "$small" 2>"$work/err"; then
        fails_with "a disk that fills up during the build" 1 \
                "run #1 is incomplete: the disk of $small/.* was full after 1 objects: .*No space left" \
                in_small 1m "$build" --quiet --source "$work/big" --dir "$small"
        is "nothing stays on it" "$(cat "$work/left")" ""
        fails_with "too small for the source, seen before" 77 \
                "^build: $small/.*: [0-9]+ MiB free, and the unpacked source takes about" \
                in_small 600k "$build" --quiet --source "$work/good.tar.xz" --dir "$small"
        is "nothing stays on that" "$(cat "$work/left")" ""
        fails_with "too small for the configuration, seen before" 77 \
                '[0-9]+ MiB free, and such a build takes about' \
                in_small 20m "$build" --quiet --source "$work/good" --dir "$small" --config "$work/huge"
        is "nothing stays on that either" "$(cat "$work/left")" ""
else
        skip "a full disk" "no mount namespace here: $(cat "$work/err")"
fi
done_testing
