"""tests/vm/check_server.py: no encryption, no desktop."""

import boot
import lab

# What this machine passes, in this order. Who watches starts after the kernel and before sysinit.
ORDER = ["power.on", "kernel.start", "initrd.start", "initrd.drivers", "root.mounted", "initrd.end",
         "userspace.start", "bootlapd.start", "sysinit.target", "basic.target", "multi-user.target",
         "graphical.target"]
CLOCKS_APART_S = 0.05  # the kernel log (root.mounted) has a clock of its own, some ms off the marks'
MARKS = ["initrd.start", "initrd.drivers", "initrd.local-top", "root.mounted", "initrd.end",
         "bootlapd.start", "bootlapd.done"]


def server(t):
    """no encryption, no desktop, started by QEMU itself"""
    with lab.Machine("server") as m:
        m.login()
        left = boot.watched(m)
        guest_s = float(m.run("cut -d' ' -f1 /proc/uptime"))
        host_s = m.heard_at - m.started
        m.power_off()
        t.say(m.accel)
        r = boot.is_sound(t, left)
    if not r:
        return
    t.equal("the marks of initrd and daemon, in order",
            [mark[0] for mark in left.marks() if mark[2] in ("initramfs-tools", "bootlapd")], MARKS)
    times = [r.at(name) for name in ORDER]
    t.ok("the milestones follow each other",
         None not in times and all(b > a - CLOCKS_APART_S for a, b in zip(times, times[1:])),
         list(zip(ORDER, times)))
    mounts = [line for line in left.text("dmesg").splitlines() if "EXT4-fs (vda): mounted" in line]
    t.within("root.mounted and the kernel log's line", r.at("root.mounted"),
             float(mounts[0].strip("[ ").split("]")[0]), 0.05)
    t.within("power.on and the clock of the machine's host", -r.at("power.on"), host_s - guest_s, 1)
    t.ok("what a desktop would have is absent, with its reason",
         "no display server" in (r.absent("desktop.settled") or ""), r["absent"])
    t.equal("nothing to warn of", r["warnings"], [])


MACHINES = {"c": (server, ["server"])}
