#!/bin/sh
# The initramfs-tools hooks with the real hook-functions, cryptsetup's own scripts and askpass, and
# busybox as the image's shell, in an image folder that is entered by chroot.
# shellcheck disable=SC2016,SC2317 # inner shells expand; ok() calls functions
. "$srcdir/tests/lib.sh"
if ! chroot / true 2>/dev/null; then
        echo "1..0 # SKIP chroot wants root"
        exit 0
fi
for needed in /usr/share/initramfs-tools/hook-functions /lib/cryptsetup/askpass /usr/bin/busybox; do
        [ -e $needed ] || { echo "1..0 # SKIP no $needed here"; exit 0; }
done
export DESTDIR="$work/image" verbose=n # as mkinitramfs does
mkdir -p "$work/bin" "$DESTDIR/usr/bin" "$DESTDIR/usr/sbin" "$DESTDIR/usr/lib/cryptsetup/scripts" \
        "$DESTDIR/usr/lib64" "$DESTDIR/run" "$DESTDIR/dev"
if ! mknod -m 666 "$DESTDIR/dev/null" c 1 3; then
        echo "1..0 # SKIP no device nodes may be made here"
        exit 0
fi
for d in bin sbin lib lib64; do ln -s usr/$d "$DESTDIR/$d"; done
cp "$builddir/bootlap-stamp" "$work/bin/"
configured hooks/initramfs-tools/initramfs-askpass.in "$work/share/initramfs-askpass"
configured hooks/initramfs-tools/hooks/bootlap.in "$work/hook"
for stage in init-top init-premount local-top local-bottom nfs-bottom init-bottom panic; do
        configured hooks/initramfs-tools/scripts/bootlap.in "$DESTDIR/scripts/$stage/bootlap"
done
# in_image COMMAND...
in_image() {
        chroot "$DESTDIR" "$@"
}

sh -c '. /usr/share/initramfs-tools/hook-functions
        copy_exec /usr/bin/busybox /usr/bin; copy_exec /lib/cryptsetup/askpass' >/dev/null
for applet in sh sed mkfifo cat timeout; do ln -s busybox "$DESTDIR/usr/bin/$applet"; done
cp /lib/cryptsetup/functions "$DESTDIR/lib/cryptsetup/"
cp /lib/cryptsetup/scripts/decrypt_keyctl "$DESTDIR/lib/cryptsetup/scripts/"

ok "the hook names what comes first" sh -c '"$1" prereqs | grep -q cryptroot' sh "$work/hook"
ok "the hook runs" "$work/hook"
ok "the stamp program is in the image" [ -x "$DESTDIR$work/bin/bootlap-stamp" ]
ok "cryptsetup's functions are still shell" in_image sh -n /lib/cryptsetup/functions
is "a configured keyscript is compared as before" \
        "$(grep -c '!= "/lib/cryptsetup/askpass"' "$DESTDIR/lib/cryptsetup/functions")" 1
is "other scripts ask through the wrapper too" \
        "$(grep -c /lib/bootlap/askpass "$DESTDIR/lib/cryptsetup/scripts/decrypt_keyctl")" 1
cp -a "$DESTDIR/lib/cryptsetup/functions" "$work/once"
ok "the hook runs again" "$work/hook"
ok "and changes nothing more" cmp "$work/once" "$DESTDIR/lib/cryptsetup/functions"

# ask TAG: the real functions ask for a disk's passphrase, which comes through askpass's FIFO as from
# cryptroot-unlock; what cryptsetup would read is in $work/TAG.key
ask() {
        in_image timeout 60 sh -c '. /lib/cryptsetup/functions
                CRYPTTAB_NAME=cryptroot CRYPTTAB_SOURCE=/dev/vda2 CRYPTTAB_OPTIONS=luks CRYPTTAB_KEY=none
                _CRYPTTAB_NAME= _CRYPTTAB_SOURCE= _CRYPTTAB_OPTIONS=
                run_keyscript 0' >"$work/$1.key" 2>"$work/$1.err" </dev/null &
        asker=$!
        timeout 60 sh -c 'until [ -p "$1" ]; do :; done; printf "%s" "pass  word\\n" >"$1"' sh \
                "$DESTDIR/lib/cryptsetup/passfifo"
        wait "$asker"
}
ok "a question is asked and answered" ask first
is "the passphrase arrives as it was typed" "$(cat "$work/first.key")" 'pass  word\n'
is "question and answer are marked" "$(cut -f1,3,4 "$DESTDIR/run/bootlap/marks")" \
        "unlock.prompt	askpass	cryptroot
unlock.answered	askpass	cryptroot"
rm "$DESTDIR$work/bin/bootlap-stamp"
ok "without the stamp program" ask second
is "the passphrase arrives all the same" "$(cat "$work/second.key")" 'pass  word\n'
printf '#!/bin/sh\nexit 3\n' >"$DESTDIR/lib/cryptsetup/askpass"
in_image /lib/bootlap/askpass question
is "askpass's own failure is passed on" $? 3

rm -r "$DESTDIR/run/bootlap"
"$work/hook"
stages() {
        for stage in init-top init-premount local-top local-bottom init-bottom; do
                in_image "/scripts/$stage/bootlap" || return 1
        done
}
is "a stage's script needs none before it" "$(in_image /scripts/init-top/bootlap prereqs)" ""
ok "every stage" stages
is "is marked" "$(mark_names "$DESTDIR/run/bootlap/marks")" \
        "initrd.start initrd.drivers initrd.local-top root.mounted initrd.end"
ok "an unknown stage" in_image /scripts/panic/bootlap
rm -r "$DESTDIR/run/bootlap"
: >"$DESTDIR/run/bootlap"
ok "nothing fails with a file in the folder's place" stages
rm -r "$DESTDIR/run/bootlap" "$DESTDIR$work/bin/bootlap-stamp"
ok "nothing fails without the stamp program" stages
rm "$work/bin/bootlap-stamp"
ok "an image is built without bootlap too" "$work/hook"
done_testing
