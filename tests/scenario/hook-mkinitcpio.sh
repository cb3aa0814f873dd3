#!/bin/sh
# The mkinitcpio hooks by its contract (mkinitcpio(8)): install hooks are sourced by bash, with
# add_binary and add_runscript; runtime hooks by busybox's ash, all of them in one shell.
# shellcheck disable=SC2016,SC2317 # inner shells expand; ok() calls functions
. "$srcdir/tests/lib.sh"
if ! command -v busybox >/dev/null; then
        echo "1..0 # SKIP no busybox here"
        exit 0
fi
mkdir -p "$work/bin"
cp "$builddir/bootlap-stamp" "$work/bin/"
configured hooks/mkinitcpio/install/bootlap.in "$work/install/bootlap"
configured hooks/mkinitcpio/hooks/bootlap.in "$work/hooks/bootlap"
export BOOTLAP_RUN_DIR="$work/run" work

cat >"$work/mkinitcpio" <<'TEXT'
add_binary() { echo "binary $1"; }
add_runscript() { echo "runscript ${BASH_SOURCE[1]##*/}"; }
. "$1"
"$2"
TEXT
is "what is built in" "$(bash "$work/mkinitcpio" "$work/install/bootlap" build)" \
        "binary $work/bin/bootlap-stamp
runscript bootlap"
ok "there is a help text" sh -c 'bash "$@" | grep -q passphrase' sh "$work/mkinitcpio" "$work/install/bootlap" help
mv "$work/bin/bootlap-stamp" "$work/gone"
is "nothing without the stamp program" "$(bash "$work/mkinitcpio" "$work/install/bootlap" build)" ""
mv "$work/gone" "$work/bin/bootlap-stamp"

# The image's /init: the two hooks share its shell. The encrypt hook calls cryptsetup by name; here
# it is a program that fails once, as after a wrong passphrase.
cat >"$work/hooks/encrypt" <<'TEXT'
run_hook() {
        cryptname=cryptroot
        while ! eval cryptsetup open --type luks /dev/vda2 "$cryptname" $cryptargs; do :; done
}
TEXT
cat >"$work/bin/cryptsetup" <<TEXT
#!/bin/sh
echo "\$*" >>"$work/called"
[ -e "$work/tried" ] || { : >"$work/tried"; exit 2; }
TEXT
chmod 755 "$work/bin/cryptsetup"
cat >"$work/init" <<'TEXT'
PATH=$work/bin:$PATH
run_hooks() {
        fn=$1
        shift
        for hook; do
                . $work/hooks/$hook
                $fn
        done
}
run_hooks run_earlyhook bootlap
run_hooks run_hook encrypt bootlap
echo mounted
run_hooks run_latehook bootlap
run_hooks run_cleanuphook bootlap
echo switched
TEXT
boot() {
        [ "$(cryptargs="${1-}" timeout 60 busybox ash "$work/init" 2>&1 | xargs)" = "mounted switched" ]
}
ok "a boot" boot
is "its marks" "$(mark_names "$work/run/marks")" \
        "initrd.start unlock.prompt unlock.prompt initrd.drivers root.mounted initrd.end"
is "the disk's name" "$(grep unlock.prompt "$work/run/marks" | cut -f4 | sort -u)" cryptroot
is "cryptsetup gets its own arguments" "$(sort -u "$work/called")" "open --type luks /dev/vda2 cryptroot"
rm "$work/run/marks"
ok "with a key file" boot "--key-file /key"
is "nobody is asked" "$(mark_names "$work/run/marks")" \
        "initrd.start initrd.drivers root.mounted initrd.end"
rm -r "$work/run"
: >"$work/run"
ok "a file in the folder's place fails nothing" boot
rm "$work/bin/bootlap-stamp"
ok "nor does a missing stamp program" boot
done_testing
