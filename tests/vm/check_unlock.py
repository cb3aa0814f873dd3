"""tests/vm/check_unlock.py: BIOS, GRUB, an encrypted root, and somebody who types its passphrase."""

import os
import time

import boot
import lab

BOOTS = int(os.environ.get("BOOTLAP_VM_BOOTS", "3"))  # of each kind
PROMPT = r"unlock disk \w+: "


def answer(m, delay_s, tries=(lab.PASSPHRASE,), prompt=PROMPT):
    """Type each of the words, so long after its prompt came; the host's figures of these waits."""
    waits = []
    for word in tries:
        _, asked_at = m.expect(prompt, 300)
        time.sleep(max(0, asked_at + delay_s - time.monotonic()))  # this is the person
        m.send(word + "\n")
        waits.append(time.monotonic() - asked_at)
    return waits


class Unlocked:
    """One boot in which the passphrase was typed."""

    def __init__(self, delay_s, tries=(lab.PASSPHRASE,), disk=None, after=None):
        with lab.Machine("luks", disk=disk) as m:
            self.typed_s = answer(m, delay_s, tries)
            m.login()
            self.boot = boot.watched(m)
            if after:
                after(m)
            m.power_off()
        self.record = r = self.boot.records[-1]
        self.waits_s = [(w["to_us"] - w["from_us"]) / 1e6 for w in r["waits"] if w["kind"] == "unlock"]
        end = r.at("multi-user.target")
        self.machine_s = end - sum(self.waits_s)
        self.derive_s = r.at("unlock.mapped") - r.at("unlock.answered")

    def __str__(self):
        return (f"typed {self.typed_s[0]:.2f} s after the prompt, wait {self.waits_s[0]:.2f} s, "
                f"key derivation and mapping {self.derive_s:.2f} s, "
                f"kernel to multi-user {self.machine_s:.2f} s of the machine's time")


def is_right(t, u):
    r = boot.is_sound(t, u.boot)
    if not r:
        return
    names = ["power.on", "loader.start", "loader.end", "kernel.start", "initrd.start", "unlock.prompt",
             "unlock.answered", "unlock.mapped", "root.mounted", "userspace.start", "multi-user.target"]
    times = [r.at(name) for name in names]
    t.ok("the milestones follow each other", None not in times and times == sorted(times),
         list(zip(names, times)))
    u.boot.agrees_on_unlock(t, r)


def unlock(t):
    """BIOS, GRUB, an encrypted root with initramfs-tools, the passphrase typed on the serial line"""
    kinds = {delay: [Unlocked(delay) for _ in range(BOOTS)] for delay in (2, 60)}
    is_right(t, kinds[2][0])
    for delay, boots in kinds.items():
        for u in boots:
            t.say(u)
            t.within(f"the wait of a passphrase typed after {delay} s", u.waits_s[0], u.typed_s[0], 0.2)
    spans = {delay: sorted(u.machine_s for u in boots) for delay, boots in kinds.items()}
    apart = abs(sum(spans[60]) - sum(spans[2])) / BOOTS
    spread = max(s[-1] - s[0] for s in spans.values())
    t.ok(f"the machine's time is {apart:.2f} s apart where 58 s more were waited, less than the boots' "
         f"spread of {spread:.2f} s", BOOTS < 3 or apart < spread, spans)


def wrong_tries(t):
    """a passphrase that is wrong twice, and a longer key derivation"""
    disk = lab.overlay("luks", lab.kept_folder())
    slower = ("printf lab | cryptsetup luksConvertKey --batch-mode --key-file - --pbkdf pbkdf2 "
              "--pbkdf-force-iterations 1000000 /dev/vda3")
    first = Unlocked(2, ("wrong", "worse", lab.PASSPHRASE), disk, lambda m: m.run(slower, 300))
    t.equal("two wrong tries give three waits", len(first.waits_s), 3)
    for i, (wait, typed) in enumerate(zip(first.waits_s, first.typed_s)):
        t.within(f"wait {i + 1}", wait, typed, 0.2)
    second = Unlocked(2, disk=disk)
    t.ok(f"a key derivation of 50 times the steps takes longer: {second.derive_s:.2f} s, not "
         f"{first.derive_s:.2f} s", second.derive_s > first.derive_s + 1)
    t.within("and the wait stays what was typed", second.waits_s[0], second.typed_s[0], 0.2)


MACHINES = {"unlock": (unlock, ["luks"]), "tries": (wrong_tries, ["luks"])}
