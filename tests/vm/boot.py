"""tests/vm/boot.py: what a boot left behind, and what has to be true of every one."""

import json
import os
import shutil
import subprocess
import tempfile

import lab

VALIDATE = f"{lab.HERE}/../validate-record"

# In the guest, when the boot is over. Properties, since systemd-analyze itself prints milliseconds.
COLLECT = r"""
mkdir -p /run/left; cd /run/left
cp -a /var/lib/bootlap . 2>/dev/null
cp /run/bootlap/marks . 2>/dev/null
systemd-analyze time >analyze; systemd-analyze critical-chain --no-pager >chain
systemctl --failed --no-legend --plain >failed
systemctl show -p UserspaceTimestampMonotonic -p InitRDTimestampMonotonic >manager
for t in sysinit basic multi-user graphical; do
        echo $t.target=$(systemctl show $t.target -p ActiveEnterTimestampMonotonic --value)
done >targets
systemctl show bootlapd -p CPUUsageNSec -p NRestarts -p Result >unit
journalctl -b -u bootlapd -o cat --no-pager >journal
stat -c '%n %.9W' /dev/dm-* >nodes 2>/dev/null
dmesg >dmesg; cat /proc/cmdline >cmdline
"""


class Boot:
    """Collected from a machine with a shell. Its folder goes with the machine's."""

    def __init__(self, machine, name="boot"):
        self.folder = tempfile.mkdtemp(prefix=f"{name}.", dir=machine.kept)
        machine.run_script(COLLECT)
        machine.fetch("/run/left/*", self.folder)
        machine.run("rm -rf /run/left")
        keep = os.environ.get("BOOTLAP_VM_KEEP")
        if keep:
            to = tempfile.mkdtemp(prefix=f"{machine.about['name']}.{name}.", dir=keep)
            shutil.copytree(self.folder, to, dirs_exist_ok=True)
        self.records = self._read_records()

    def text(self, name):
        path = f"{self.folder}/{name}"
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()

    def values(self, name):
        """A file of KEY=VALUE lines."""
        return dict(line.split("=", 1) for line in self.text(name).splitlines() if "=" in line)

    def paths(self, below="records"):
        found = []
        for folder, _, files in os.walk(f"{self.folder}/bootlap/{below}"):
            found += [os.path.join(folder, f) for f in files if f.endswith(".json")]
        return sorted(found, key=os.path.basename)

    def _read_records(self):
        """Every record of the store, in the order of their names: oldest first."""
        records = []
        for path in self.paths():
            with open(path, encoding="utf-8") as f:
                records.append(Record(json.load(f)))
        return records

    def agrees_on_unlock(self, t, r):
        """Mapping and root file system of an encrypted machine, and their other witnesses."""
        start = r["clocks"]["start"]
        born = [line.split() for line in self.text("nodes").splitlines() if line.startswith("/dev/dm-0 ")]
        t.within("unlock.mapped and its node's birth", r.at("unlock.mapped"),
                 float(born[0][1]) - (start["realtime_us"] - start["monotonic_us"]) / 1e6, 0.05)
        mounts = [line for line in self.text("dmesg").splitlines() if "EXT4-fs (dm-0): mounted" in line]
        t.within("root.mounted and the kernel log's line", r.at("root.mounted"),
                 float(mounts[0].strip("[ ").split("]")[0]), 0.05)

    def marks(self):
        return [line.split("\t") for line in self.text("marks").splitlines()]


class Record(dict):
    """A record, with the answers that checks want of it."""

    def milestone(self, name):
        found = [m for m in self["milestones"] if m["name"] == name]
        return found[-1] if found else None

    def at(self, name):
        """Seconds after the kernel's start, or None."""
        m = self.milestone(name)
        return m["at_us"] / 1e6 if m else None

    def absent(self, name):
        return next((a["reason"] for a in self["absent"] if a["name"] == name), None)

    def wait(self, kind):
        return next((w for w in self["waits"] if w["kind"] == kind), None)

    def cost(self):
        c = self["cost"]
        return (f"cost: {c.get('cpu_us', 0) / 1000:.0f} ms of CPU, "
                f"{c.get('cpu_share_percent', 0):.2f} % of all used; "
                f"PSS {c.get('pss_bytes', 0) // 1024} KiB; {c.get('wakeups')} wake-ups; "
                f"{c.get('written_bytes')} bytes written, the start record has "
                f"{c.get('start_record_bytes')}")


def watched(m, timeout=900):
    """Wait in the guest until bootlapd has ended, and collect what there is. To ask systemd each second
    would keep an emulated machine a quarter busy, and no desktop would ever settle."""
    m.run("systemctl is-system-running --wait >/dev/null", timeout, check=False)
    m.run("while [ \"$(systemctl is-active bootlapd)\" = active ]; do "
          "pid=$(systemctl show -p MainPID --value bootlapd); "
          "[ \"$pid\" = 0 ] || tail --pid=$pid -f /dev/null; done", timeout)
    return Boot(m)


def is_sound(t, boot):
    """One valid, complete record, whose userspace is systemd's, from a boot that nothing held up."""
    if not t.equal("one record", len(boot.records), 1):
        t.say(boot.text("journal"))
        return None
    r = boot.records[0]
    t.ok("it is complete", r["boot"]["complete"], r["boot"])
    said = subprocess.run([VALIDATE, *boot.paths()], capture_output=True, text=True, check=False)
    t.ok("and valid", said.returncode == 0, said.stdout + said.stderr)
    systemds = {k: int(v) for k, v in boot.values("targets").items() if int(v)}
    systemds["userspace.start"] = int(boot.values("manager")["UserspaceTimestampMonotonic"])
    t.equal("its userspace is systemd's own, to the microsecond",
            {k: r.milestone(k) and r.milestone(k)["at_us"] for k in systemds}, systemds)
    t.ok("systemd's critical chain does not name bootlapd",
         "bootlap" not in boot.text("chain") and "target @" in boot.text("chain"), boot.text("chain"))
    t.equal("no unit failed", boot.text("failed"), "")
    t.equal("the start record is gone", boot.paths("records.started"), [])
    t.ok("it says what it cost", all(k in r["cost"] for k in (
        "cpu_us", "cpu_share_percent", "pss_bytes", "wakeups", "written_bytes")), r["cost"])
    t.ok("the start record is 4 KiB at most, and all that was written before",
         0 < r["cost"].get("start_record_bytes", 0) <= r["cost"]["written_bytes"] <= 4096, r["cost"])
    t.say(r.cost())
    return r
