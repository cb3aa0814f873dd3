# shellcheck shell=sh disable=SC2154
# tests/vm/uefi.sh: for build-image, whose variables it uses: a dracut initrd, and a disk that UEFI
# firmware starts systemd-boot from.

# make_dracut_initrd: no more modules of the kernel than the machine needs, and none of dracut's that look
# for what it does not have
make_dracut_initrd() {
        version=$(basename "$tree"/lib/modules/*)
        enter_tree
        chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
                dracut --force --no-hostonly --no-early-microcode --drivers "$modules" --omit \
                "plymouth i18n lvm mdraid dmraid multipath btrfs resume nfs iscsi nbd network ifcfg memstrack
                kernel-network-modules qemu qemu-net lunmask nvdimm pcsc tpm2-tss fido2 biosdevname dmsquash-live
                livenet" \
                /boot/initrd.lab "$version" >"$dir/initrd.log" 2>&1 || :
        leave_tree
        [ -s "$tree/boot/initrd.lab" ] || { cat "$dir/initrd.log" >&2; die "no initrd was made"; }
        cp "$tree/boot/initrd.lab" "$image/initrd"
        cp "$tree/boot/vmlinuz-$version" "$image/vmlinuz"
}

# make_uefi_disk: an EFI system partition with systemd-boot, the kernel and the initrd, and the root
make_uefi_disk() {
        boot_program=/usr/lib/systemd/boot/efi/systemd-bootx64.efi
        [ -f $boot_program ] || die "wants systemd-boot (systemd-boot-efi)"
        for program in sfdisk mkfs.vfat mcopy; do
                command -v $program >/dev/null || die "wants $program (fdisk, dosfstools, mtools)"
        done
        disk=$image/disk.img esp_first=2048 esp_sectors=$((100 * 2048))
        root_first=$((esp_first + esp_sectors))
        rm -rf "$image/esp"
        mkdir -p "$image/esp/EFI/BOOT" "$image/esp/loader/entries"
        cp $boot_program "$image/esp/EFI/BOOT/BOOTX64.EFI"
        cp "$image/vmlinuz" "$image/esp/vmlinuz"
        cp "$image/initrd" "$image/esp/initrd.img"
        printf 'timeout %s\n' "$timeout" >"$image/esp/loader/loader.conf"
        case $initrd_by in
        loader) lines="initrd /initrd.img" options=$cmdline ;;
        stub) lines='' options="$cmdline initrd=\\initrd.img" ;;
        esac
        printf 'title Debian\nlinux /vmlinuz\n%s\noptions %s\n' "$lines" "$options" \
                >"$image/esp/loader/entries/debian.conf"
        rm -f "$image/esp.img"
        truncate -s $((esp_sectors * 512)) "$image/esp.img"
        mkfs.vfat -F 32 "$image/esp.img" >/dev/null
        mcopy -i "$image/esp.img" -s "$image/esp/"* ::
        find "$tree/boot" -mindepth 1 -delete
        make_root
        rm -f "$disk"
        truncate -s $((root_first * 512 + $(stat -c %s "$image/root.img") + 1048576)) "$disk"
        sfdisk -q "$disk" <<TEXT
label: gpt
start=$esp_first, size=$esp_sectors, type=uefi
start=$root_first, size=$(($(stat -c %s "$image/root.img") / 512)), type=linux
TEXT
        put "$image/esp.img" $esp_first
        put "$image/root.img" $root_first
        rm -rf "$image/esp" "$image/esp.img" "$image/root.img"
}
