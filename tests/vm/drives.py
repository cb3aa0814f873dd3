"""tests/vm/drives.py: more drives for a machine, whose facts QEMU was given."""

import os

import lab


class Drive:
    """One of QEMU's, over a sparse file. bus: virtio, sata or nvme; the names are what it tells of itself."""

    def __init__(self, name, size_mib, bus="virtio", model="", firmware="", rpm=0):
        self.name, self.size_bytes, self.bus, self.rpm = name, size_mib << 20, bus, rpm
        self.model, self.firmware, self.serial = model, firmware, f"RAWSERIAL{name.upper()}"

    def words(self, folder, port):
        """For QEMU. port: of the SATA controller."""
        path = f"{folder}/{self.name}.img"
        if not os.path.exists(path):
            with open(path, "wb") as f:
                f.truncate(self.size_bytes)
        device = {"virtio": "virtio-blk-pci", "sata": "ide-hd", "nvme": "nvme"}[self.bus]
        options = f"drive={self.name},serial={self.serial}"
        if self.bus == "sata":
            options += f",bus=ide.{port},model={self.model},ver={self.firmware},rotation_rate={self.rpm}"
        return ["-drive", f"file={path},if=none,format=raw,id={self.name},discard=unmap",
                "-device", f"{device},{options}"]

    @property
    def told_rpm(self):
        """As a record has it: 1 is ATA's word for no rotation."""
        return 0 if self.rpm == 1 else self.rpm

    @property
    def node(self):
        """For the guest's shell, which has FIND."""
        return f"$(drive {self.serial})"


def words(drives, folder):
    """For Machine(devices=...)."""
    ports = iter((0, 1, 3, 4, 5))  # at 2 there is a CD drive
    return [word for d in drives for word in d.words(folder, next(ports) if d.bus == "sata" else None)]


# In the guest: the node of a drive by the serial number that QEMU was given.
FIND = r"""
drive() { lsblk -dnro KNAME,SERIAL | sed -n "s|^\([a-z0-9]*\) $1\$|/dev/\1|p"; }
"""
