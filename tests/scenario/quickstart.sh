#!/bin/sh
# quickstart in front of a tree that is built in no time: what it refuses, what it does again after an
# interruption, what it leaves. Real packages and the real build are what README's commands test.
# shellcheck disable=SC2016 # expanded by inner shells
. "$srcdir/tests/lib.sh"
unset SUDO_USER BOOTLAP_MAILDIR QUICKSTART_ROOT # of a quickstart that runs this
if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>"$work/err"; then
        skip "quickstart" "wants root and a mount namespace of its own: $(cat "$work/err" 2>/dev/null)"
        done_testing
fi

# In a mount namespace /var/tmp is ours alone, and as large as it is said to be.
cat >"$work/apart" <<'E2'
#!/bin/sh
# apart MIB COMMAND...
mib=$1
shift
mount -t tmpfs -o size="${mib}m",mode=1777 tmpfs /var/tmp || exit 99
"$@"
status=$?
ls -A /var/tmp >"$work/left"
grep quickstart-root /proc/self/mounts >>"$work/left"
exit $status
E2
export work
apart() {
        PATH=$work/stubs:$PATH unshare --mount sh "$work/apart" "$@" </dev/null
}

# new_tree FOLDER: this quickstart, and stand-ins for all that takes long. autoreconf ends halfway at
# first, like one that was interrupted: configure is made before what it is to fill in.
new_tree() {
        mkdir -p "$1/build-aux"
        cp "$srcdir/quickstart" "$1/"
        cat >"$1/configure" <<'E2'
#!/bin/sh
[ -f ../Makefile.in ] || { echo "configure: error: cannot find input files: Makefile.in"; exit 1; }
cp ../Makefile.in Makefile
E2
        mv "$1/configure" "$1/build-aux/configure"
        printf 'all:\n\t%s\n' 'echo '"'"'echo bootlap "$$@"'"'"' >bootlap && chmod +x bootlap' >"$1/build-aux/Makefile.in"
}
mkdir "$work/stubs"
printf '#!/bin/sh\n' >"$work/stubs/apt-get" # nothing is missing
cat >"$work/stubs/autoreconf" <<'E2'
#!/bin/sh
install -m 755 build-aux/configure configure
[ -e been-here ] || { touch been-here; exit 130; }
cp build-aux/Makefile.in Makefile.in
E2
chmod +x "$work/stubs"/*

new_tree "$work/tree"
apart 6000 "$work/tree/quickstart" >"$work/out" 2>"$work/err"
is "interrupted while configure is made" "$? $(tail -n 1 "$work/err")" \
        "1 quickstart: 'autoreconf -fi' failed; the whole log is build/autoreconf.log"
is "nothing stays" "$(cat "$work/left")" ""
apart 6000 "$work/tree/quickstart" >"$work/out" 2>"$work/err"
is "goes on where it was" "$? $(cat "$work/err")" "0 "
is "a corpus, then the boot with both collectors" "$(grep '^bootlap' "$work/out" | sed 's,quickstart\.[^/]*,quickstart,')" \
        "bootlap corpus /var/tmp/bootlap-quickstart/Maildir
bootlap measure --maildir /var/tmp/bootlap-quickstart/Maildir --build"
is "nothing stays after it" "$(cat "$work/left")" ""
BOOTLAP_MAILDIR=$work/mine apart 6000 "$work/tree/quickstart" >"$work/out" 2>"$work/err"
is "one's own mail instead" "$? $(grep '^bootlap' "$work/out")" "0 bootlap measure --maildir $work/mine --build"
fails_with "no space, said before anything is begun" 1 \
        "^quickstart: /var/tmp has [0-9]+ MiB free; a mail folder and an unpacked kernel tree needs 4500 MiB\$" \
        apart 100 "$work/tree/quickstart"
new_tree "$work/a blank"
touch "$work/a blank/been-here"
apart 6000 "$work/a blank/quickstart" >"$work/out" 2>"$work/err"
is "a blank in the path" "$? $(cat "$work/err") $(grep -c '^bootlap measure' "$work/out")" "0  1"
new_tree "$work/persons"
touch "$work/persons/been-here"
chmod 755 "$work"
chown -R nobody "$work/persons"
SUDO_USER=nobody apart 6000 "$work/persons/quickstart" >"$work/out" 2>"$work/err"
is "under sudo" "$? $(cat "$work/err")" "0 "
is "what is built stays the person's" "$(find "$work/persons" ! -user nobody)" ""
apart 6000 setpriv --reuid nobody --regid nogroup --clear-groups "$work/persons/quickstart" >"$work/out" 2>"$work/err"
is "who goes on without sudo" "$? $(cat "$work/err") $(grep -c '^bootlap measure' "$work/out")" "0  1"

# Told to end while packages are installed: they are, first.
mkdir "$work/installing"
cat >"$work/installing/apt-get" <<'E2'
#!/bin/sh
case " $* " in
*" -s "*) [ -e "$work/installed" ] || echo "Inst foo" ;;
*" --download-only "*) : >"$work/downloaded" ;;
*" build-dep "*)
        : >"$work/started"
        while [ ! -e "$work/go" ]; do sleep 0.02; done
        : >"$work/installed"
        ;;
esac
E2
printf '#!/bin/sh\nprintf "a b c d\\na b c 99999999\\n"\n' >"$work/installing/df"
chmod +x "$work/installing"/*
PATH=$work/installing:$work/stubs:$PATH setsid "$work/tree/quickstart" >"$work/out" 2>"$work/err" </dev/null &
pid=$!
ok "installation begins" await test -e "$work/started"
kill -TERM "-$pid"
ok "being told to end is heard" await grep -q '^quickstart: ends once the packages are installed' "$work/err"
touch "$work/go"
wait $pid
is "ends after it" "$? $(cd "$work" && ls -d downloaded installed) $(grep -c Building "$work/out")" "130 downloaded
installed 0"

# A chroot whose folders are mounts of their own, as containers have them, without /proc.
cat >"$work/bare" <<'E2'
set -e
for folder in bin sbin lib lib32 lib64 libx32 usr etc; do
        [ -e "/$folder" ] || continue
        mkdir -p "$work/root/$folder"
        mount --bind "/$folder" "$work/root/$folder"
done
mkdir -p "$work/root/proc" "$work/root/tmp" "$work/root/dev" "$work/root/sys" "$work/root/var/tmp" "$work/root/src"
mount --bind "$work/bare-tree" "$work/root/src"
mount -t tmpfs -o size=6000m tmpfs "$work/root/var/tmp"
cp -r "$work/stubs" "$work/root/tmp/stubs"
PATH=/tmp/stubs:$PATH chroot "$work/root" /src/quickstart
E2
new_tree "$work/bare-tree"
touch "$work/bare-tree/been-here"
apart 10 sh "$work/bare" >"$work/out" 2>"$work/err"
is "in a chroot of mounts, without /proc" "$? $(cat "$work/err")" "0 "
is "where it measures too" "$(grep -c '^bootlap measure' "$work/out")" 1
is "and leaves no mount and no folder" "$(cat "$work/left" && cd "$work/root" && ls -A tmp)" stubs
done_testing
