"""tests/vm/check_desktop.py: from power-on to a desktop with its terminals open."""

import re
import threading
import time

import boot
import check_unlock
import lab

TERMINALS_COLOUR = b"\x00\x00\xff"  # of xterm's background in the image's session
MOST_OF = 0.8  # of what is ever shown counts as there
SAME_S = 20  # after which no more of them are waited for


class Screen(threading.Thread):
    """What QEMU's screen shows of the terminals, again and again until that stays. No longer: each
    picture stops the machine for some milliseconds, which it takes for work, and it never settles."""

    def __init__(self, machine):
        super().__init__(daemon=True)
        self.machine, self.seen, self.is_over = machine, [], False

    def run(self):
        path = f"{self.machine.work}/screen.ppm"
        while not self.is_over and not self._stays():
            before = time.monotonic()
            try:
                self.machine.screenshot(path)
                with open(path, "rb") as f:
                    pixels = f.read().split(b"\n", 3)[3]
            except (OSError, IndexError, lab.LabError):
                return
            n = sum(pixels[i:i + 3] == TERMINALS_COLOUR for i in range(0, len(pixels) - 2, 3 * 16))
            self.seen.append((before, n))
            time.sleep(0.3)

    def _stays(self):
        at, n = self.seen[-1] if self.seen else (0, 0)
        since = next((then for then, before in reversed(self.seen) if before != n), at)
        return n > 0 and at - since > SAME_S

    def shown_at(self):
        """The host's time of the first picture with most of what one ever had; None without any."""
        self.is_over = True
        self.join()
        most = MOST_OF * max((n for _, n in self.seen), default=0)
        return next((at for at, n in self.seen if most and n >= most), None)


def manager_and_x(log, record):
    """When lightdm had the server's signal, and when the server had answered lightdm as its first client:
    seconds after the kernel's start; the log counts from when it was made, in hundredths."""
    born = re.search(r"^born ([\d.]+)", log)
    start = record["clocks"]["start"]
    found = [re.search(rf"^\[\+([\d.]+)s\] .*{said}", log, re.M)
             for said in ("Got signal from X server :0", "Display server ready")]
    if not born or None in found:
        return None
    return [float(born.group(1)) + float(m.group(1)) - (start["realtime_us"] - start["monotonic_us"]) / 1e6
            for m in found]


class Seen:
    """One boot up to a settled desktop, its passphrase typed, and what others saw of it."""

    def __init__(self, image, prompt=check_unlock.PROMPT, then=lambda m: None):
        with lab.Machine(image, memory=2048) as m:
            self.typed_s = check_unlock.answer(m, 2, prompt=prompt)
            self.screen = Screen(m)
            self.screen.start()
            m.login()
            self.boot = boot.watched(m, 1200)
            self.shown_at = self.screen.shown_at()
            self.busy = m.run("top -b -w 120 -d 10 -n 2 | awk '/^top/ {n++} n == 2' | head -n 20")
            self.spy = m.run("cat /home/lab/xprop.log", check=False)
            self.manager = m.run("stat -c 'born %.9W' /var/log/lightdm/lightdm.log; "
                                 "cat /var/log/lightdm/lightdm.log", check=False)
            then(m)
            m.power_off()
            self.accel, self.started = m.accel, m.started

    def agrees(self, t, r):
        """The desktop's milestones and their other witnesses."""
        w = r.wait("unlock")
        t.within("the wait", (w["to_us"] - w["from_us"]) / 1e6, self.typed_s[0], 0.2)
        t.ok("a person's session began it", r.at("login.answered") is not None,
             r.absent("login.answered"))
        heard = manager_and_x(self.manager, r)
        if t.ok("the X server told its display manager that it is ready", heard, self.manager):
            # It answers nobody before it has also set the screen up: some 70 ms where all is emulated
            t.ok(f"it signalled at {heard[0]:.3f} s and had answered its manager at {heard[1]:.3f} s; x.ready, "
                 f"{r.at('x.ready'):.3f} s, is no more than 0.05 s outside",
                 heard[0] - 0.05 <= r.at("x.ready") <= heard[1] + 0.05)
        first = re.search(r"^([\d.]+) .*window id", self.spy, re.M)
        if t.ok("xprop -spy saw the window manager", first, self.spy):
            # A manager names itself between taking the screen and answering, which may be long after
            took = int(re.search(r"took_us=(\d+)", r.milestone("wm.ready")["detail"]).group(1)) / 1e6
            named, ready = float(first.group(1)), r.at("wm.ready")
            t.ok(f"it took the screen at {took:.3f} s, xprop -spy saw it named at {named:.3f} s, and it "
                 f"answered (wm.ready) at {ready:.3f} s", took - 0.05 <= named <= ready + 0.05)
        if t.ok("the terminals were on the screen", self.shown_at, self.screen.seen[-5:]):
            t.within("desktop.windows and the first picture of the terminals", r.at("desktop.windows"),
                     self.shown_at - self.started + r.at("power.on"), 1)

    def is_sound(self, t):
        """The boot's record; who was busy where it did not settle."""
        t.say(self.accel)
        r = boot.is_sound(t, self.boot)
        if not r or not r["boot"]["complete"]:
            t.say(self.busy)
        return r


def in_order(t, r, names):
    """Every one of these milestones, in this order; they are printed."""
    times = [r.at(name) for name in names]
    t.say(", ".join(f"{name} {at:.2f}" for name, at in zip(names, times) if at is not None))
    return t.ok("the milestones follow each other", None not in times and times == sorted(times),
                [(name, at, r.absent(name)) for name, at in zip(names, times)])


def desktop(t):
    """BIOS, GRUB, an encrypted root, lightdm with autologin, Enlightenment with three terminals"""
    seen = Seen("enlightenment")
    r = seen.is_sound(t)
    if r and in_order(t, r, ["power.on", "loader.start", "kernel.start", "initrd.start", "unlock.prompt",
                             "unlock.answered", "unlock.mapped", "root.mounted", "userspace.start",
                             "x.socket", "x.ready", "wm.ready", "desktop.windows", "desktop.settled"]):
        seen.boot.agrees_on_unlock(t, r)
        seen.agrees(t, r)


MACHINES = {"a": (desktop, ["enlightenment"])}
