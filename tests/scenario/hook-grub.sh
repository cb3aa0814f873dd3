#!/bin/sh
# The GRUB snippet: when it is emitted at all, and that GRUB's own parser takes it.
# shellcheck disable=SC2016 # inner shells expand
. "$srcdir/tests/lib.sh"
grub=$work/boot/grub
export BOOTLAP_GRUB_DIR="$grub" BOOTLAP_EFI_DIR="$work/efi"
mkdir -p "$grub/i386-pc"

# configure: what grub-mkconfig would hand to its generators, which run under set -e like it
configure() {
        sh -euc '. "$1"; printf "%s" "${GRUB_CMDLINE_LINUX-}"' sh "$srcdir/hooks/grub/bootlap.cfg"
}
generate() {
        GRUB_CMDLINE_LINUX=$(configure) sh -eu "$srcdir/hooks/grub/01_bootlap"
}
# secure_boot BYTE
secure_boot() {
        mkdir -p "$work/efi/efivars"
        printf '\006\000\000\000%b' "\\00$1" \
                >"$work/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
}
is "nothing without the module" "$(configure)$(generate)" ""
: >"$grub/i386-pc/datehook.mod"
GRUB_CMDLINE_LINUX=splash
export GRUB_CMDLINE_LINUX
is "on a BIOS" "$(configure)" \
        "splash bootlap.grub=\$bootlap_start,\$YEAR-\$MONTH-\${DAY}T\$HOUR:\$MINUTE:\$SECOND"
unset GRUB_CMDLINE_LINUX
secure_boot 1
is "nothing under Secure Boot" "$(configure)$(generate)" ""
rm -r "$work/efi/efivars/"*
is "nothing when Secure Boot cannot be read" "$(configure)$(generate)" ""
secure_boot 0
ok "with Secure Boot off" [ -n "$(configure)" ]
generate >"$work/grub.cfg"
is "the module is looked for at boot too" "$(sed -n 1p "$work/grub.cfg")" \
        "if [ -f \$prefix/\$grub_cpu-\$grub_platform/datehook.mod ]; then"
printf 'menuentry Linux {\n linux /vmlinuz ro %s\n}\n' "$(configure)" >>"$work/grub.cfg"
if command -v grub-script-check >/dev/null; then
        ok "GRUB's parser takes it" grub-script-check "$work/grub.cfg"
else
        skip "GRUB's parser takes it" "no grub-script-check here"
fi
done_testing
