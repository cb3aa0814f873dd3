"""tests/vm/check_cuts.py: the plug is pulled, at moments that nobody chose."""

import hashlib
import os
import random
import re
import time

import boot
import lab

CUTS = int(os.environ.get("BOOTLAP_VM_CUTS", "30"))
ROW = 10  # cuts between two boots that are left alone
SEED = os.environ.get("BOOTLAP_VM_SEED", "1")
LOCAL_FS = "Reached target.*local-fs.target"
IS_UP = rb"Reached target[^\n]*multi-user.target"  # a record may be whole when the plug is pulled now
GRACE_S = 10  # within which bootlapd, which looks once a second, has surely written what it starts with


class Cut:
    """One boot that was cut off, as the host knows it."""

    def __init__(self, disk, after_s):
        with lab.Machine("server", disk=disk) as m:
            self.from_s = time.time()
            try:
                _, writable_at = m.expect(LOCAL_FS, after_s)
                time.sleep(max(0, m.started + after_s - time.monotonic()))
            except lab.LabError:
                writable_at = None
            m.kill()
            self.is_up = bool(re.search(IS_UP, m.heard))
            self.to_s = time.time()
            self.after_s = time.monotonic() - m.started
            self.writable_s = None if writable_at is None else time.monotonic() - writable_at

    def is_of(self, record):
        """Guest and host have one wall clock; the guest's is read to the second."""
        return self.from_s - 1 <= record["clocks"]["start"]["realtime_us"] / 1e6 <= self.to_s + 1


def whole_boot(disk):
    with lab.Machine("server", disk=disk) as m:
        m.login()
        left = boot.watched(m)
        lasted_s = time.monotonic() - m.started
        m.power_off()
    return left, lasted_s


def sums(left):
    found = {}
    for path in left.paths():
        with open(path, "rb") as f:
            found[os.path.basename(path)] = hashlib.sha256(f.read()).hexdigest()
    return found


def cuts(t):
    """the plug pulled at random moments of a boot"""
    dice = random.Random(SEED)
    disk = lab.overlay("server", lab.kept_folder())
    left, lasted_s = whole_boot(disk)
    known = sums(left)
    t.say(f"a whole boot takes {lasted_s:.0f} s with its record; seed {SEED}")
    all_cuts, n_found = [], 0
    for row in range(0, CUTS, ROW):
        made = [Cut(disk, dice.uniform(1, 0.75 * lasted_s)) for _ in range(min(ROW, CUTS - row))]
        left, _ = whole_boot(disk)
        now = sums(left)
        t.equal(f"the {len(known)} earlier records are what they were",
                {k: now.get(k) for k in known}, known)
        known = now
        complete = [r for r in left.records if r["boot"]["complete"]]
        cut_short = [c for c in made if not c.is_up and any(c.is_of(r) for r in complete)]
        t.equal("no boot that was cut before it was up is complete", [c.after_s for c in cut_short], [])
        for cut in made:
            found = [r for r in left.records if cut.is_of(r)]
            was = "never saw /var writable" if cut.writable_s is None else \
                f"saw /var writable for {cut.writable_s:.1f} s"
            must, may = cut.writable_s is not None and cut.writable_s > GRACE_S, cut.writable_s is not None
            became = "not recorded" if not found else \
                "complete, since it was up" if found[0]["boot"]["complete"] else "incomplete"
            t.ok(f"cut after {cut.after_s:.1f} s, {was}: {became}", must <= len(found) <= may
                 and (cut.is_up or not any(r["boot"]["complete"] for r in found)))
            n_found += any(not r["boot"]["complete"] for r in found)
        all_cuts += made
    t.say(f"{len(all_cuts)} cuts: {n_found} recorded as incomplete, "
          f"{sum(c.writable_s is not None for c in all_cuts)} saw /var writable")


MACHINES = {"e": (cuts, ["server"])}
