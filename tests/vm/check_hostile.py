"""tests/vm/check_hostile.py: what a boot may meet, and is not held up by.

How long a whole boot takes says little where a processor is emulated beside other work. What bootlap
can hold up are the five hooks that the initrd waits for, which are timed one by one, and what systemd
orders behind bootlapd, which is nothing; a missing module of GRUB is timed up to the kernel's first word.
"""

import os
import re

import boot
import check_unlock
import lab

BOOTS = int(os.environ.get("BOOTLAP_VM_BOOTS", "3"))  # of each kind, where only GRUB is looked at
HOOKS = [f"scripts/{stage}/bootlap"
         for stage in ("init-top", "init-premount", "local-top", "local-bottom", "init-bottom")]
# A script of Debian's initrd that does nothing unless asked to, and is the first
FIRST = "scripts/init-top/all_generic_ide"
FILE_FOR_FOLDER = "rm -rf /run/bootlap; : >/run/bootlap"
FILL = "cat /dev/zero >/run/full 2>/dev/null"
# In the real system /run is filled once udev and systemd have what they need of it to start at all
FILL_LATER = r"""cat >/etc/systemd/system/lab-full.service <<'TEXT'
[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'cat /dev/zero >/run/full 2>/dev/null; true'
TEXT
mkdir -p /etc/systemd/system/multi-user.target.wants /etc/systemd/system/bootlapd.service.d
ln -s /etc/systemd/system/lab-full.service /etc/systemd/system/multi-user.target.wants/
printf '[Service]\nExecStopPost=/bin/rm -f /run/full\n' >/etc/systemd/system/bootlapd.service.d/lab.conf
sync"""
DO_NOT_FILL = """rm -rf /etc/systemd/system/bootlapd.service.d /etc/systemd/system/*/lab-full.service
sync"""
DELETE = r"""find / -xdev \( -name bootlap -o -name bootlapd -o -name bootlap-stamp \) ! -path '/var/*' \
        ! -path '/etc/*' -prune -exec rm -rf {} +
sync"""
STAMP = ("read a b </proc/uptime; bootlap-stamp user.lab 2>/tmp/said; read c d </proc/uptime; "
         "echo $a $c; cat /tmp/said")


def timed(hook, after="true"):
    """The hook of that path, with a line in the kernel's log that says how long it took."""
    with open(f"{lab.DIR}/installed/usr/share/initramfs-tools/{hook}", encoding="utf-8") as f:
        original = f.read()
    return (f"#!/bin/sh\nread was rest </proc/uptime\n( {original}\n)\nread now rest </proc/uptime\n"
            f"echo \"lab: hook $was $now\" >/dev/kmsg\n{after}\nexit 0\n")


class Hostile:
    """One boot, and what it waited for."""

    def __init__(self, disk, first="true", last="true", then="true"):
        files = {hook: timed(hook, last if "init-bottom" in hook else "true") for hook in HOOKS}
        files[FIRST] = f"#!/bin/sh\n{first}\nexit 0\n"
        with lab.Machine("server", disk=disk, files=files) as m:
            m.login()
            self.left = boot.watched(m)
            stamped = m.run(STAMP, check=False).split("\n", 1)
            m.run_script(then)
            m.power_off()
        self.stamp_said = stamped[1] if len(stamped) > 1 else ""
        was, now = stamped[0].split()
        self.stamp_s = float(now) - float(was)
        self.hooks_s = [float(now) - float(was) for was, now in
                        re.findall(r"lab: hook ([\d.]+) ([\d.]+)", self.left.text("dmesg"))]
        self.up_s = int(self.left.values("targets")["multi-user.target"]) / 1e6

    def holds_nothing_up(self, t, what, failed=()):
        hooks = " + ".join(f"{s:.2f}" for s in self.hooks_s)
        t.ok(f"{what}: the initrd waited {hooks} = {sum(self.hooks_s):.2f} s for its hooks",
             len(self.hooks_s) == len(HOOKS) and sum(self.hooks_s) < 1, self.left.text("dmesg")[-2000:])
        t.ok(f"{what}: systemd's critical chain does not name bootlapd",
             "bootlap" not in self.left.text("chain"), self.left.text("chain"))
        units = [line.split()[0] for line in self.left.text("failed").splitlines()]
        if failed is not None:
            t.equal(f"{what}: what failed", units, list(failed))
        t.say(f"{what}: failed: {units}; multi-user.target {self.up_s:.1f} s after the kernel's start")


def hostile(t):
    """marks folder replaced by a file, /run full, programs deleted after the initrd was built"""
    disk = lab.overlay("server", lab.kept_folder())
    usual = Hostile(disk)
    usual.holds_nothing_up(t, "as usual")
    t.equal("as usual: a record", len(usual.left.records), 1)

    bad = Hostile(disk, first=FILE_FOR_FOLDER, then=FILL_LATER)
    bad.holds_nothing_up(t, "a file in the folder's place", ["bootlapd.service"])
    t.ok("bootlapd says so", "/run/bootlap: Not a directory" in bad.left.text("journal"),
         bad.left.text("journal"))
    t.ok(f"a stamp ends after {bad.stamp_s:.2f} s, and says so", bad.stamp_s < 1
         and "/run/bootlap" in bad.stamp_said, bad.stamp_said)

    full = Hostile(disk, first=FILL, last="rm -f /run/full", then=DO_NOT_FILL + "\n" + DELETE)
    full.holds_nothing_up(t, "/run full", failed=None)  # the journal's own units do, with or without us
    t.ok("bootlapd ends", "bootlapd.service" in full.left.text("failed"), full.left.text("failed"))
    t.equal("there is a record of it all the same", len(full.left.records), 2)
    t.ok("which says so", any("No space left" in w for w in full.left.records[-1]["warnings"]),
         full.left.records[-1]["warnings"])

    gone = Hostile(disk)
    gone.holds_nothing_up(t, "programs deleted")
    t.equal("the initrd still marked, and nothing else did",
            [mark[2] for mark in gone.left.marks()], ["initramfs-tools"] * len(HOOKS))


def kernel_after_s(disk):
    """Until the kernel's first word, on the host's clock."""
    with lab.Machine("luks", disk=disk) as m:
        _, at = m.expect(r"Linux version \d", 120)
        return at - m.started


def without_module(t):
    """GRUB's modules for the clock are removed after grub.cfg was made"""
    disks = {}
    whole = {}
    for missing in ("", "datetime", "datehook"):
        disk = disks[missing] = lab.overlay("luks", lab.kept_folder())
        if missing:
            remove = f"rm /boot/grub/i386-pc/{missing}.mod; sync"
            check_unlock.Unlocked(2, disk=disk, after=lambda m, c=remove: m.run(c))
            whole[missing] = check_unlock.Unlocked(2, disk=disk)
    times = {missing: [] for missing in disks}
    for _ in range(BOOTS):
        for missing, disk in disks.items():
            times[missing].append(kernel_after_s(disk))
    for missing, seconds in times.items():
        t.say(f"{missing and 'without ' + missing + '.mod' or 'as usual'}: the kernel's first word "
              f"{', '.join(f'{s:.1f}' for s in seconds)} s after the start")
    for missing, u in whole.items():
        later = min(times[missing]) - min(times[""])
        t.ok(f"without {missing}.mod the kernel comes {later:.2f} s later, not 10 s", later < 1)
        t.ok(f"and the record says why there is no loader.start: {u.record.absent('loader.start')}",
             u.record.absent("loader.start") and u.record["boot"]["complete"])


MACHINES = {"hostile": (hostile, ["server"]), "module": (without_module, ["luks"])}
