#!/bin/sh
# One real boot: Debian with bootlap installed, under QEMU, from the kernel to a record (the machine
# "c" of tests/vm/). The others are for "make check-vm". Its disk is made once a build folder.
needed="qemu-system-x86_64 qemu-img mmdebstrap apt-get mke2fs unshare"
for program in $needed; do
        command -v "$program" >/dev/null || { echo "1..0 # SKIP no $program here"; exit 0; }
done
if [ "$(id -u)" -ne 0 ]; then
        echo "1..0 # SKIP building a disk image wants root"
        exit 0
fi
export BOOTLAP_VM_BUILD="${builddir:?}" BOOTLAP_VM_DIR="${BOOTLAP_VM_DIR:-$builddir/vm}"
exec "${srcdir:?}/tests/vm/check-vm" c
