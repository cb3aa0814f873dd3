"""tests/vm/check_uefi.py: UEFI firmware, systemd-boot, dracut, and a counter that nothing else reads."""

import os
import subprocess

import boot
import check_desktop
import lab

PROMPT = r"[Pp]lease enter passphrase for [^\n]*: ?"
# Reset to kernel, asked of the counter by a program that shares nothing with bootlap
COUNTER = r"""
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>
static double raw_s(void)
{
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC_RAW, &t);
        return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}
static void both(double *counted, double *at_s)
{
        double least_s = 1;
        for (int i = 0; i < 1000; i++) {
                double before_s = raw_s(), now = (double) __rdtsc(), took_s = raw_s() - before_s;
                if (took_s >= least_s)
                        continue;
                least_s = took_s;
                *counted = now;
                *at_s = before_s + took_s / 2;
        }
}
int main(void)
{
        double from, from_s, to, to_s, hz;
        both(&from, &from_s);
        while (raw_s() < from_s + 2)
                ;
        both(&to, &to_s);
        hz = (to - from) / (to_s - from_s);
        return printf("%.6f\n", to / hz - to_s) < 0;
}
"""


def ask(said):
    """What the machine itself says of the time before its kernel, in seconds."""
    def ask_it(m):
        subprocess.run(["cc", "-O1", "-static", "-x", "c", "-o", f"{m.share}/counter", "-"], check=True,
                       input=COUNTER, text=True)
        said["counter"] = float(m.run_script("/mnt/counter"))
        for name in ("Firmware", "Loader"):
            us = m.run(f"systemctl show -p {name}TimestampMonotonic --value")
            said[name] = int(us) / 1e6
    return ask_it


def uefi(t):
    """UEFI, systemd-boot, an encrypted root with dracut, lightdm with autologin, Openbox"""
    said = {}
    seen = check_desktop.Seen("openbox", PROMPT, ask(said))
    r = seen.is_sound(t)
    if not r or not check_desktop.in_order(t, r, [
            "power.on", "loader.start", "loader.end", "kernel.start", "initrd.start", "unlock.prompt",
            "unlock.answered", "unlock.mapped", "root.mounted", "userspace.start", "x.socket", "x.ready",
            "wm.ready", "desktop.windows", "desktop.settled"]):
        return
    firmware, loader, handover = (r.at(to) - r.at(start) for start, to in (
        ("power.on", "loader.start"), ("loader.start", "loader.end"), ("loader.end", "kernel.start")))
    t.within(f"firmware {firmware:.3f} + loader {loader:.3f} + handover {handover:.3f} and the counter",
             firmware + loader + handover, said["counter"], 0.1)
    # systemd counts both back from what it takes for the kernel's start: the loader's end
    t.within(f"systemd's firmware {said['Firmware'] - said['Loader']:.3f} + loader {said['Loader']:.3f} "
             "fall short of it by the handover", said["counter"] - said["Firmware"], handover, 0.1)
    seen.boot.agrees_on_unlock(t, r)
    seen.agrees(t, r)


SLOW = 8_000_000  # bytes a second


class Phases:
    """One boot without a desktop, and what came before its kernel."""

    def __init__(self, drive=""):
        with lab.Machine("uefi", drive=drive) as m:
            m.login()
            r = boot.watched(m).records[0]
            m.power_off()
        self.loader_s = r.at("loader.end") - r.at("loader.start")
        self.handover_s = r.at("kernel.start") - r.at("loader.end")
        self.initrd_s = r.at("userspace.start") - r.at("kernel.start")

    def __str__(self):
        return (f"loader {self.loader_s:.2f} s, handover {self.handover_s:.2f} s, kernel and initrd "
                f"{self.initrd_s:.2f} s")


def slow_drive(t):
    """UEFI, systemd-boot, and a drive of 8 MB/s, from which the kernel's stub reads the initrd"""
    folder = f"{lab.DIR}/images/uefi"
    kernel_s, initrd_s = (os.path.getsize(f"{folder}/{name}") / SLOW for name in ("vmlinuz", "initrd"))
    usual, slow = Phases(), Phases(f"throttling.bps-total={SLOW}")
    t.say(f"as usual: {usual}")
    t.say(f"at {SLOW // 1000000} MB/s: {slow}")
    for what, more_s, read_s in (("boot.loader, the kernel's", slow.loader_s - usual.loader_s, kernel_s),
                                 ("boot.handover, the initrd's", slow.handover_s - usual.handover_s, initrd_s)):
        # An emulated processor's own time moves by some tenths of a second, too
        t.ok(f"{what} {read_s:.2f} s are in it: {more_s:.2f} s more", more_s > 0.4 * read_s)


MACHINES = {"b": (uefi, ["openbox"]), "slow-drive": (slow_drive, ["uefi"])}
