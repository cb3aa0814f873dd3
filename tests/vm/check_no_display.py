"""tests/vm/check_no_display.py: where a desktop should be, and none ever comes."""

import boot
import lab


def without(t, append, incomplete):
    """One boot whose X server never starts."""
    with lab.Machine("no-display", append=append) as m:
        m.login()
        left = boot.watched(m)
        m.power_off()
    if not t.equal("one record", len(left.records), 1):
        t.say(left.text("journal"))
        return
    r = left.records[0]
    t.ok(f"it says that {incomplete}", not r["boot"]["complete"]
         and incomplete in r["boot"].get("incomplete", ""), r["boot"])
    for name in ("x.ready", "wm.ready", "desktop.windows", "desktop.settled"):
        t.ok(f"{name} is absent, with a reason: {r.absent(name)}",
             r.absent(name) and r.milestone(name) is None)
    t.ok("what came before is there", r.at("multi-user.target") is not None)
    t.say(r.cost())


def no_display(t):
    """an X server that never starts: it fails, or says nothing"""
    without(t, "", "the display manager failed")
    without(t, "lab.x=hangs", "did not settle within its time")


MACHINES = {"d": (no_display, ["no-display"])}
