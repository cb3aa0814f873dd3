"""tests/vm/factor_witness.py: what others say of the stack beneath a path, under bootlap's names.

lsblk, cryptsetup, lvs, mdadm, findmnt and stat within the guest; none of them is bootlap's source of any
factor that is compared with it, though some read the same kernel.
"""

import json
import os
import re

# witness NAME PATH: into /run/left/NAME
SCRIPT = r"""
below() { lsblk -s -n -r -p -o NAME,TYPE "$source" | sed -n "s/ $1\$//p" | sort -u; }
witness() {
        mkdir -p /run/left/$1; cd /run/left/$1
        bootlap config --now --json --path $2 >config
        findmnt -nro SOURCE,FSTYPE,OPTIONS -T "$2" >findmnt
        stat -f -c '%b %S' "$2" >stat
        source=$(cut -d' ' -f1 findmnt)
        lsblk -J -b -s -O "$source" >lsblk
        for node in $(below crypt); do
                cryptsetup status $node >status
                cryptsetup luksDump $(sed -n 's/^ *device: *//p' status) >dump
        done
        for node in $(below lvm); do lvs --noheadings -o segtype $node >lvs; done
        for node in $(below raid0); do mdadm --detail $node >mdadm; done
        for node in $(below disk); do
                echo ${node#/dev/}=$(cat /sys/block/${node#/dev/}/queue/write_cache)
        done >write_caches
        cd /
}
"""

KINDS = {"part": "partition", "disk": "drive", "raid0": "md"}
FLAGS = {"discards": "allow_discards"}  # cryptsetup's word and the mapping's


class Witness:
    """What was said of one stack. blocks: lsblk's, breadth first from the top, each once."""

    def __init__(self, folder):
        self.folder = folder
        level, found = json.loads(self.text("lsblk"))["blockdevices"], {}
        while level:
            level = sorted(level, key=lambda b: b["kname"])
            for b in level:
                found.setdefault(b["kname"], b)
            level = [child for b in level for child in b.get("children", [])]
        self.blocks = list(found.values())
        self.disks = [b for b in self.blocks if b["type"] == "disk"]

    def text(self, name):
        path = f"{self.folder}/{name}"
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as f:
            return f.read()

    def said(self, name, key):
        """What stands behind the first line's "KEY:" in one of the texts; None without such a line."""
        m = re.search(rf"^\s*{key}\s*:\s*(.*)", self.text(name), re.M)
        return m and m.group(1).strip()

    def number(self, name, key):
        value = self.said(name, key)
        return value and int(re.match(r"\d+", value).group())

    def factors(self):
        _, fs_type, options = self.text("findmnt").split()
        blocks, block_bytes = self.text("stat").split()
        kinds = dict.fromkeys(KINDS.get(b["type"], b["type"]) for b in self.blocks)
        return {"storage.stack": ", ".join(kinds), "fs.type": fs_type, "fs.options": options,
                "fs.size_bytes": int(blocks) * int(block_bytes),
                **self._drives(), **self._partition(), **self._volumes(), **self._crypt()}

    def _drives(self):
        caches = dict(line.split("=", 1) for line in self.text("write_caches").splitlines())
        found = {"drive.count": len(self.disks),
                 "drive.bus": joined([b["tran"] or "virtio" for b in self.disks]),
                 "drive.write_cache": joined([caches[b["kname"]] for b in self.disks])}
        for key, field in (("model", "model"), ("size_bytes", "size"), ("scheduler", "sched"),
                           ("requests", "rq-size"), ("logical_sector_bytes", "log-sec"),
                           ("physical_sector_bytes", "phy-sec")):
            found[f"drive.{key}"] = joined([b[field] for b in self.disks])
        return found

    def _partition(self):
        parts = [b for b in self.blocks if b["type"] == "part"] or [{}]
        start = parts[0].get("start")
        return {"partition.table": parts[0].get("pttype"), "partition.size_bytes": parts[0].get("size"),
                "partition.start_bytes": start and int(start) * 512}

    def _volumes(self):
        chunk = self.number("mdadm", "Chunk Size")
        return {"lvm": bool(self.text("lvs")), "lvm.layout": self.text("lvs").strip() or None,
                "md.level": self.said("mdadm", "Raid Level") or "none",
                "md.disks": self.number("mdadm", "Raid Devices"),
                "md.metadata": self.said("mdadm", "Version"),
                "md.chunk_bytes": chunk and chunk * 1024}

    def _crypt(self):
        if not self.text("status"):
            return {"crypt.type": "none", "crypt.cipher": None}
        flags = [FLAGS.get(f, f) for f in (self.said("status", "flags") or "").split()]
        sector_bytes = self.number("status", "sector size") or 512
        memory = self.number("dump", "Memory")
        return {"crypt.type": self.said("status", "type").lower(),
                "crypt.cipher": self.said("status", "cipher"),
                "crypt.key_bits": self.number("status", "keysize"),
                "crypt.sector_bytes": sector_bytes, "crypt.integrity": "none",
                "crypt.flags": " ".join(sorted(flags)) or "none",
                "crypt.pbkdf": self.said("dump", "PBKDF") or "pbkdf2",
                "crypt.pbkdf_iterations": self._iterations(),
                "crypt.pbkdf_memory_bytes": memory and memory * 1024,
                "crypt.pbkdf_threads": self.number("dump", "Threads")}

    def _iterations(self):
        """Of the first key slot: LUKS2 has those of its digest further down, LUKS1 before."""
        slots = re.split(r"^(?:Keyslots:|Key Slot 0: ENABLED)", self.text("dump"), flags=re.M)[1]
        return int(re.search(r"(?:Time cost|Iterations):\s*(\d+)", slots).group(1))


def joined(values):
    """Of several drives as bootlap writes it: the one word, or both."""
    if all(v == values[0] for v in values):
        return values[0]
    return " + ".join("unknown" if v is None else str(v) for v in values)


def config_of(path):
    """(factors, reasons for absence) of what "bootlap config --json" printed."""
    with open(path, encoding="utf-8") as f:
        view = json.load(f)
    return {k: v for group in view["groups"].values() for k, v in group.items()}, view["absent"]


def compare(t, name, witness, config, absent, prefix=""):
    """Is each factor as the witnesses have it?"""
    want = witness.factors()
    got = {key: config.get(prefix + key) for key in want}
    if got.get("crypt.flags"):  # the kernel's order is not cryptsetup's
        got["crypt.flags"] = " ".join(sorted(got["crypt.flags"].split()))
    wrong = [f"{key}: {got[key]} ({absent.get(prefix + key, 'no reason')}), not {want[key]}"
             for key in want if got[key] != want[key]]
    cipher = f"{want['crypt.cipher']} {want['crypt.sector_bytes']}: " if want["crypt.cipher"] else ""
    t.ok(f"{name}: {want['storage.stack']}: {cipher}{len(want)} factors as the witnesses have them",
         not wrong, "\n".join(wrong))
