"""tests/vm/check_factors.py: what a record says of drives, dm-crypt and kernels."""

import json
import re

import boot
import check_unlock
import drives
import factor_witness
import lab

SPINS = drives.Drive("spins", 192, "sata", "SPINDLE 54", "F1.2", 5400)
SOLID = drives.Drive("solid", 192, "sata", "CHIPS 1", "F9", 1)
VIRTIO = [drives.Drive(f"v{i}", 128) for i in range(4)]
NVME = drives.Drive("quick", 128, "nvme")
FORMAT = "printf lab | cryptsetup luksFormat --batch-mode --key-file -"
OPEN = "printf lab | cryptsetup open --key-file -"
ARGON = "--pbkdf argon2id --pbkdf-force-iterations 4 --pbkdf-memory 32768 --pbkdf-parallel 2"
PBKDF2 = "--pbkdf pbkdf2 --pbkdf-force-iterations 1500"


class Stack:
    """How the shell makes it, from which drives, and the device that its file system lies on."""

    def __init__(self, name, on, make, device, options="noatime"):
        self.name, self.on, self.device = name, on, device
        self.make = f"""
set -e
{make}
udevadm settle
mkfs.ext4 -q {device}
mkdir -p /srv/{name}
mount -o {options} {device} /srv/{name}
chmod 1777 /srv/{name}
"""


STACKS = [
    Stack("xts", [SPINS], f"""
{FORMAT} --type luks2 -c aes-xts-plain64 -s 512 --sector-size 512 {ARGON} {SPINS.node}
{OPEN} {SPINS.node} xts
""", "/dev/mapper/xts"),
    Stack("adiantum", [VIRTIO[0]], f"""
{FORMAT} --type luks2 -c xchacha12,aes-adiantum-plain64 -s 256 --sector-size 4096 {PBKDF2} {VIRTIO[0].node}
{OPEN} --allow-discards --perf-no_read_workqueue --perf-no_write_workqueue {VIRTIO[0].node} adiantum
""", "/dev/mapper/adiantum", "noatime,commit=9"),
    Stack("lvm", [SOLID], f"""
printf 'label: gpt\\nsize=40M\\nsize=100M\\n' | sfdisk -q {SOLID.node}
udevadm settle
vgcreate -qq lab0 {SOLID.node}2
lvcreate -qq -y -n crypt -l 100%FREE lab0
{FORMAT} --type luks1 -c aes-cbc-essiv:sha256 -s 256 {PBKDF2} /dev/lab0/crypt
{OPEN} /dev/lab0/crypt lvm
""", "/dev/mapper/lvm"),
    Stack("md", [VIRTIO[1], NVME], f"""
mdadm --create /dev/md/lab --run --level 0 --chunk 64 --raid-devices 2 {VIRTIO[1].node} {NVME.node} 2>&1
""", "/dev/md/lab"),
    Stack("deep", VIRTIO[2:], f"""
mdadm --create /dev/md/deep --run --level 0 --chunk 256 --raid-devices 2 {VIRTIO[2].node} {VIRTIO[3].node} 2>&1
{FORMAT} --type luks2 -c serpent-xts-plain64 -s 256 --sector-size 512 {PBKDF2} /dev/md/deep
{OPEN} /dev/md/deep deep
vgcreate -qq lab1 /dev/mapper/deep
lvcreate -qq -y -n data -l 100%FREE lab1
""", "/dev/lab1/data"),
]

# A file and some mail on each, the collectors, and cryptsetup's word on how fast the cipher is.
COLLECT = """
cd /srv/NAME
head -c 24M /dev/urandom >file
bootlap corpus --quiet --count 100 mail
chmod -R a+rX mail file
sync
bootlap run --quiet --json --record this disk --random 50 /srv/NAME/file >/run/left/NAME/disk
bootlap run --quiet --json --record this maildir --path /srv/NAME/mail >/run/left/NAME/maildir
cd /run/left/NAME
[ ! -e status ] || cryptsetup benchmark -c $(sed -n 's/^ *cipher: *//p' status) \\
        -s $(sed -n 's/^ *keysize: *\\([0-9]*\\).*/\\1/p' status) >benchmark
"""


def stacks(t):
    """LUKS with four ciphers, LVM, md, drives on three buses, and collectors on each"""
    folder = lab.kept_folder()
    used = [d for s in STACKS for d in s.on]
    with lab.Machine("layers", "root=LABEL=root", devices=drives.words(used, folder)) as m:
        m.login()
        boot.watched(m)
        m.run("mkdir /run/left")
        for s in STACKS:
            t.say(m.run_script(drives.FIND + s.make, 300))
            t.say(m.run_script(factor_witness.SCRIPT + f"witness {s.name} /srv/{s.name}\n", 300))
            t.say(m.run_script(COLLECT.replace("NAME", s.name), 900))
        machine_id = m.run("cat /etc/machine-id")
        left = boot.Boot(m, "stacks")
        m.power_off()
    t.equal("one record", len(left.records), 1)
    witnesses = [factor_witness.Witness(f"{left.folder}/{s.name}") for s in STACKS]
    for s, witness in zip(STACKS, witnesses):
        is_right(t, s, witness)
    is_recorded(t, left.records[0])
    names = [machine_id, *(d.serial for d in used),
             *(b["uuid"] for w in witnesses for b in w.blocks if b["uuid"])]
    record = json.dumps(left.records)
    t.equal(f"the record has none of {len(names)} serial numbers, UUIDs and the machine's id",
            [n for n in names if n in record], [])


def is_right(t, s, witness):
    """The stack as "bootlap config" tells of its mount, and what the collectors say of its cipher."""
    config, absent = factor_witness.config_of(f"{witness.folder}/config")
    factor_witness.compare(t, s.name, witness, config, absent, "path.given.")
    for d in s.on:
        if d.bus != "sata":
            continue
        told = [config.get(f"path.given.drive.{key}") for key in ("model", "firmware", "rpm")]
        t.equal(f"{s.name}: the drive that QEMU was told of", told, [d.model, d.firmware, d.told_rpm])
    for collector in ("disk", "maildir"):
        costs_what_it_does(t, s, witness, collector)


def costs_what_it_does(t, s, witness, collector):
    what = f"{s.name}: {collector}"
    result = json.loads(witness.text(collector))
    samples = [x for x in result["samples"] if x["workload"] == "crypt.decrypt"]
    cipher = witness.said("status", "cipher")
    if not cipher or len(s.on) > 1:
        t.equal(f"{what} tells no cost of a cipher", len(samples), 0)
        t.ok(f"{what} says why", not cipher or any("there is not one drive beneath" in w
                                                   for w in result["warnings"]), result["warnings"])
        return
    if not t.equal(f"{what} tells the cost of the cipher, once", len(samples), 1):
        t.say(result["warnings"])
        return
    # Where a drive has partitions, its rate is that of the one beneath.
    x, kname = samples[0], next(b["kname"] for b in witness.blocks if b["type"] in ("part", "disk"))
    value = {k: v["value"] for k, v in x["values"].items()}
    t.equal(f"{what}: cipher, bits and drive",
            (x["parameters"]["cipher"], x["parameters"]["key_bits"], x["details"]["drive"]),
            (cipher, witness.number("status", "keysize"), f"/dev/{kname}"))
    t.within(f"{what}: the share", value["share"], value["rate"] / value["drive_rate"], 1e-9, "")
    slow = any("it lies on dm-crypt: one processor decrypts" in w for w in result["warnings"])
    t.ok(f"{what} warns where the cipher is the limit", slow == (value["share"] < 1),
         result["warnings"])
    said = witness.text("benchmark").split("\n")[-2].split()
    t.say(f"{what}: {value['rate']:.1f} MiB/s, {value['share']:.2f} of the drive's "
          f"{value['drive_rate']:.1f}; cryptsetup benchmark: {' '.join(said)}")


def is_recorded(t, record):
    """Each collector's paths in the record, under names of their own."""
    config = record["config"]
    for collector in ("disk", "maildir"):
        told = [config.get(f"path.{collector}{number}.storage.stack")
                for number in ("", "-2", "-3", "-4", "-5", "-6")]
        t.equal(f"the stacks beneath the paths of {collector} are in the record", told, [
            "crypt, drive", "crypt, drive", "crypt, lvm, partition, drive", "md, drive",
            "lvm, crypt, md, drive", None])


# Another system on LVM on LUKS on md: made by the first machine, started with the same initrd.
ROOT_DRIVES = [drives.Drive(f"r{i}", 900) for i in range(2)]
ROOT = f"""
set -e
mdadm --create /dev/md/root --run --level 0 --chunk 128 --raid-devices 2 {ROOT_DRIVES[0].node} \\
        {ROOT_DRIVES[1].node} 2>&1
{FORMAT} --type luks2 --uuid 6c61620a-0000-4000-8000-000000000002 -c aes-xts-plain64 -s 512 \\
        --sector-size 4096 {PBKDF2} /dev/md/root
{OPEN} /dev/md/root root
vgcreate -qq lab /dev/mapper/root
lvcreate -qq -y -n root -l 100%FREE lab
mkfs.ext4 -q /dev/lab/root
mount /dev/lab/root /srv
tar -C / --one-file-system --exclude './usr/lib/modules/*/kernel/drivers/[a-l]*' --exclude ./usr/share/doc \\
        --exclude ./usr/share/locale --exclude ./var/lib/bootlap -cf - . | tar -C /srv -xf -
umount /srv
vgchange -qq -an lab
cryptsetup close root
mdadm --stop /dev/md/root 2>&1
"""
CRYPTTAB = "root UUID=6c61620a-0000-4000-8000-000000000002 none luks,initramfs\n"


def root(t):
    """a root on LVM on LUKS on md, whose passphrase is typed"""
    folder = lab.kept_folder()
    words = drives.words(ROOT_DRIVES, folder)
    with lab.Machine("layers", "root=LABEL=root", devices=words) as m:
        m.login()
        boot.watched(m)
        t.say(m.run_script(drives.FIND + ROOT, 1200))
        m.power_off()
    with lab.Machine("layers", "root=/dev/mapper/lab-root", devices=words,
                     files={"cryptroot/crypttab": CRYPTTAB}) as m:
        check_unlock.answer(m, 1)
        m.login()
        boot.watched(m)
        m.run_script(factor_witness.SCRIPT + "witness root /\n", 300)
        left = boot.Boot(m, "root")
        m.power_off()
    r = boot.is_sound(t, left)
    if not r:
        return
    absent = {a["name"]: a["reason"] for a in r["absent"]}
    factor_witness.compare(t, "the record", factor_witness.Witness(f"{left.folder}/root"), r["config"],
                           absent)


def i386(t):
    """Debian's kernels 686 and 686-pae on one disk"""
    disk = lab.overlay("i386", lab.kept_folder())
    for flavour in ("686", "686-pae"):
        with lab.Machine("i386", disk=disk, kernel=flavour) as m:
            m.login()
            boot.watched(m)
            if flavour == "686-pae":
                m.run_script("""
set -- $(ls /var/lib/bootlap/records/*/*.json)
mkdir -p /run/left
bootlap config diff $1 $2 >/run/left/diff
bootlap config diff --json $1 $2 >/run/left/diff.json
cp /boot/config-* /run/left/
uname -m >/run/left/uname
""")
            left = boot.Boot(m, flavour)
            m.power_off()
    if not t.equal("two records", len(left.records), 2):
        return
    for r, flavour, pae, highmem in zip(left.records, ("686", "686-pae"), (False, True), ("4g", "64g")):
        config = r["config"]
        t.ok(f"{flavour}: release", re.search(rf"\d-{flavour}$", config["kernel.release"]), config)
        t.equal(f"{flavour}: architecture, PAE and HIGHMEM",
                [config.get(f"kernel.{k}") for k in ("arch", "pae", "highmem")], ["i686", pae, highmem])
    diff = json.loads(left.text("diff.json"))
    options = {o["option"]: (o["a"], o["b"]) for o in diff["kernel_options"]}
    t.equal("the options that differ are those of the two files in /boot", options,
            differing(*(left.text(f"config-{r['config']['kernel.release']}") for r in left.records)))
    for name in ("CONFIG_X86_PAE", "CONFIG_HIGHMEM4G", "CONFIG_HIGHMEM64G"):
        t.ok(f"config diff names {name}", name in options and name in left.text("diff"), options)
    keys = [f["key"] for f in diff["factors"]]
    t.ok("and the factors", {"kernel.pae", "kernel.highmem"} <= set(keys), keys)
    t.say(f"{len(options)} options differ")
    t.say("\n".join(line for line in left.text("diff").splitlines()
                    if line[:7] != "CONFIG_" or re.search(r"_PAE|HIGHMEM|PGTABLE_LEVELS", line)))


def differing(a, b):
    """{option: (in a, in b)} of two files of a kernel's; None where one does not name it."""
    sides = []
    for text in (a, b):
        side = dict(re.findall(r"^(CONFIG_\w+)=(.*)$", text, re.M))
        side.update((name, "n") for name in re.findall(r"^# (CONFIG_\w+) is not set", text, re.M))
        sides.append(side)
    return {name: (sides[0].get(name), sides[1].get(name)) for name in {**sides[0], **sides[1]}
            if sides[0].get(name) != sides[1].get(name)}


MACHINES = {"stacks": (stacks, ["layers"]), "root": (root, ["layers"]), "i386": (i386, ["i386"])}
