"""tests/vm/check_login.py: a person logs in, at the greeter of each display manager."""

import os
import time

import boot
import check_desktop
import lab

BOOTS = int(os.environ.get("BOOTLAP_VM_BOOTS", "3"))  # of each kind
COLOURS = 24  # a console has 16; whoever draws letters with soft edges has more
LOOKS_S = 1  # between two pictures, each of which stops the machine for some milliseconds
READS_S = 10  # the person, until they type
SHOWN_WITHIN_S = 2  # of login.prompt and the first picture: one look, and what an emulated screen lags


def greeter_shown_at(m, timeout=600):
    """The host's time of the first picture that is more than a console."""
    path = f"{m.work}/screen.ppm"
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        before = time.monotonic()
        m.screenshot(path)
        with open(path, "rb") as f:
            pixels = f.read().split(b"\n", 3)[3]
        if len({pixels[i:i + 3] for i in range(0, len(pixels) - 2, 3)}) > COLOURS:
            return before
        time.sleep(LOOKS_S)
    raise lab.LabError("no greeter came on the screen")


class LoggedIn:
    """One boot in which somebody typed their name, where that is asked, and their password."""

    def __init__(self, image, words, append="", memory=2048):
        with lab.Machine(image, append=append, memory=memory) as m:
            m.login()
            self.shown_at = greeter_shown_at(m)
            time.sleep(READS_S)
            for word in words:
                m.type_keys(word)
                self.typed_at = time.monotonic()
                time.sleep(6)  # until the next question
            self.boot = boot.watched(m, 1200)
            keep = os.environ.get("BOOTLAP_VM_KEEP")
            if keep:
                m.screenshot(f"{keep}/{image}.ppm")
            self.started, self.accel = m.started, m.accel
            m.power_off()

    def guest_s(self, host_at, r):
        """The host's time on the record's axis."""
        return host_at - self.started + r.at("power.on")

    def machine_s(self):
        return machine_s(self.boot.records[0])


def machine_s(r):
    """Kernel to desktop, less what a person took."""
    waits = sum(w["to_us"] - w["from_us"] for w in r["waits"]) / 1e6
    return r.at("desktop.windows") - waits


def is_right(t, seen, ready):
    """The record of a boot with a greeter. ready: the milestone of its display server."""
    t.say(seen.accel)
    r = boot.is_sound(t, seen.boot)
    if not r:
        return None
    for m in r["milestones"]:
        if m["name"].split(".")[0] in ("x", "wayland", "wm", "desktop", "login"):
            t.say(f"{m['name']} {m['at_us'] / 1e6:.3f} {m.get('source')} {m.get('detail', '')}")
    if not check_desktop.in_order(t, r, ["kernel.start", "login.prompt", "login.answered",
                                         "desktop.windows", "desktop.settled"]):
        return None
    prompt, shown_s = r.milestone("login.prompt"), seen.guest_s(seen.shown_at, r)
    if "no-window-seen" in prompt.get("detail", ""):  # it says itself that it is early
        t.ok(f"login.prompt at {r.at('login.prompt'):.3f} s is not after the first picture of the greeter "
             f"at {shown_s:.3f} s", r.at("login.prompt") <= shown_s + SHOWN_WITHIN_S)
    else:
        t.within("login.prompt and the first picture of the greeter", r.at("login.prompt"), shown_s,
                 SHOWN_WITHIN_S)
    typed_s, answered_s = seen.guest_s(seen.typed_at, r), r.at("login.answered")
    t.ok(f"what was typed at {typed_s:.2f} s made a session at {answered_s:.2f} s",
         -1 < answered_s - typed_s < 15)
    t.equal("the wait is between the two", [(w["from_us"], w["to_us"]) for w in r["waits"]
                                            if w["kind"] == "login"],
            [(r.milestone("login.prompt")["at_us"], r.milestone("login.answered")["at_us"])])
    greeters = [m for m in r["milestones"] if m["name"] == ready and "greeter" in m.get("session", "")]
    t.ok("the greeter's display is its own", greeters or r.milestone(ready), r["milestones"])
    return r


class Straight:
    """One boot of the same machine that lets them in by itself."""

    def __init__(self, image):
        with lab.Machine(image, memory=2048) as m:
            m.login()
            self.boot = boot.watched(m, 1200)
            m.power_off()
        self.record = self.boot.records[0]


def greeter(t):
    """lightdm's greeter, name and password, beside boots that log in by themselves"""
    asked, straight = [], []
    for _ in range(BOOTS):
        straight.append(Straight("desktop"))
        asked.append(LoggedIn("desktop", ["lab", lab.PASSPHRASE], "lab.greeter"))
    if not is_right(t, asked[0], "x.ready"):
        return
    t.equal("who is let in has no wait", [s.record["waits"] for s in straight], [[]] * BOOTS)
    by_itself = [machine_s(s.record) for s in straight]
    with_greeter = [a.machine_s() for a in asked]
    # That the machine also had to start a greeter is no wait, and nothing that the others did
    starts = [r.at("login.prompt") - r.at("x.ready") for r in (a.boot.records[0] for a in asked)]
    without_start = [whole - start for whole, start in zip(with_greeter, starts)]
    for what, seconds in (("by itself", by_itself), ("with a greeter, less the wait", with_greeter),
                          ("from x.ready until the greeter could be seen", starts),
                          ("less that, too", without_start)):
        t.say(f"kernel to desktop, {what}: {', '.join(f'{s:.2f}' for s in seconds)} s")
    apart = abs(sum(without_start) - sum(by_itself)) / BOOTS
    spread = max(max(s) - min(s) for s in (by_itself, without_start))
    t.ok(f"but for the greeter's own start the means are {apart:.2f} s apart, the boots' spread is "
         f"{spread:.2f} s", BOOTS < 3 or apart < spread)


def sddm(t):
    """SDDM's greeter and a password, Openbox"""
    is_right(t, LoggedIn("sddm", [lab.PASSPHRASE]), "x.ready")


def greetd(t):
    """greetd's text greeter in cage, name and password, Weston"""
    is_right(t, LoggedIn("greetd", ["lab", lab.PASSPHRASE]), "wayland.ready")


def gdm(t):
    """GDM's greeter, a person chosen and a password, GNOME"""
    is_right(t, LoggedIn("gdm", ["", lab.PASSPHRASE], memory=3072), "wayland.ready")


MACHINES = {"greeter": (greeter, ["desktop"]), "sddm": (sddm, ["sddm"]), "greetd": (greetd, ["greetd"]),
            "gdm": (gdm, ["gdm"])}
