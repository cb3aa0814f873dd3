#!/bin/sh
# The dracut module, built into images by the real dracut; its hooks are then run.
# shellcheck disable=SC2317 # ok() calls functions
. "$srcdir/tests/lib.sh"
if ! command -v dracut >/dev/null || ! command -v cpio >/dev/null; then
        echo "1..0 # SKIP no dracut or cpio here"
        exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
        echo "1..0 # SKIP dracut wants root"
        exit 0
fi
# dracut finds modules below its base folder only: a copy made of links, and ours
export dracutbasedir="$work/dracut" TMPDIR="$work"
mkdir -p "$dracutbasedir/modules.d" "$work/bin" "$work/conf"
for file in /usr/lib/dracut/*; do
        [ -d "$file" ] || ln -s "$file" "$dracutbasedir/"
done
ln -s /usr/lib/dracut/modules.d/* "$dracutbasedir/modules.d/"
cp "$builddir/bootlap-stamp" "$work/bin/"
configured hooks/dracut/module-setup.sh.in "$dracutbasedir/modules.d/90bootlap/module-setup.sh"

# build IMAGE MODULES: and unpack it
build() {
        dracut --no-kernel --force --no-compress --confdir "$work/conf" --conf /dev/null \
                --modules "$2" "$work/$1.img" || return 1
        mkdir "$work/$1"
        (cd "$work/$1" && cpio -idm --quiet --no-absolute-filenames <"$work/$1.img")
}
ok "an image without systemd" build plain bootlap
ok "has the stamp program" [ -x "$work/plain$work/bin/bootlap-stamp" ]
export BOOTLAP_RUN_DIR="$work/run"
hooks() {
        for hook in cmdline pre-mount pre-pivot cleanup; do
                for script in "$work/plain/usr/lib/dracut/hooks/$hook/"*bootlap*.sh; do
                        sh -e "$script" || return 1
                done
        done
}
ok "its hooks run" hooks
is "and mark the stages" "$(mark_names "$work/run/marks")" \
        "initrd.start initrd.drivers root.mounted initrd.end"
rm -r "$work/run"
: >"$work/run"
ok "a file in the folder's place fails nothing" hooks
mv "$work/bin/bootlap-stamp" "$work/gone"
ok "nor does a missing stamp program" hooks
is "without which the module says no" "$(build none bootlap 2>&1 | grep -c "cannot be found or installed")" 1
mv "$work/gone" "$work/bin/bootlap-stamp"
ok "an image with systemd" build systemd "bootlap systemd"
is "has no hooks of ours" "$(find "$work/systemd" -path '*hooks*bootlap*')" ""
done_testing
