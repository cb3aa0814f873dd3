"""tests/vm/lab.py: virtual machines, started, typed at, looked at, and switched off.

A Machine is one QEMU process over a disk image of tests/vm/build-image. Its first serial line is a
root shell of the guest's (what is typed there is recorded with the time it came), its monitor takes
key presses and screenshots, and a folder is shared with it for what a boot left behind. Changes to
the disk go to an overlay, so that an image serves many boots, and several boots one overlay.
"""

import atexit
import os
import re
import selectors
import shutil
import socket
import subprocess
import tempfile
import threading
import time

DIR = os.environ.get("BOOTLAP_VM_DIR", "/var/tmp/bootlap-vm")
HERE = os.path.dirname(os.path.abspath(__file__))
PASSPHRASE = "lab"
OVMF = "/usr/share/OVMF/OVMF"
KERNEL_IS_UP = rb"Linux version \d"


def kept_folder():
    """For what is looked at when its machine has gone; it goes with the program."""
    path = tempfile.mkdtemp(prefix="kept.", dir=DIR)
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


class LabError(Exception):
    """What stops a boot from being tried, or went wrong in it, in one line."""


class LabSkip(Exception):
    """What this machine cannot do, in one line."""


def image_about(name):
    """What build-image said of the image."""
    about = {}
    with open(f"{DIR}/images/{name}/about", encoding="utf-8") as f:
        for line in f:
            key, value = line.rstrip("\n").split("=", 1)
            about[key] = value.strip('"')
    return about


def build_image(name):
    # In a session of its own: apt and others stop when they meet a terminal that is not theirs.
    status = subprocess.run([f"{HERE}/build-image", name], check=False, stdin=subprocess.DEVNULL,
                            start_new_session=True).returncode
    if status == 77:
        raise LabSkip(f"there is no image {name} yet, and it cannot be made here: see build-image")
    if status != 0:
        raise LabError(f"the image {name} could not be built")


def _kvm_boots(vmlinuz):
    """A /dev/kvm that is there may still be useless: some emulate every instruction of a kernel that
    does not know them, ten times slower than QEMU itself. So a kernel has to say a first word."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False, "no /dev/kvm here"
    for cpu in ("host", "host,-arch-capabilities"):
        q = subprocess.Popen(
            ["qemu-system-x86_64", "-accel", "kvm", "-machine", "q35", "-cpu", cpu, "-m", "512",
             "-display", "none", "-serial", "stdio", "-monitor", "none", "-no-reboot",
             "-kernel", vmlinuz,
             "-append", "console=ttyS0 earlyprintk=serial panic=-1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        said = b""
        with selectors.DefaultSelector() as s:
            s.register(q.stdout, selectors.EVENT_READ)
            end = time.monotonic() + 10
            while time.monotonic() < end and not re.search(KERNEL_IS_UP, said):
                if not s.select(end - time.monotonic()):
                    break
                chunk = os.read(q.stdout.fileno(), 65536)
                if not chunk:
                    break
                said += chunk
        q.kill()
        q.wait()
        if re.search(KERNEL_IS_UP, said):
            return True, cpu
    return False, "/dev/kvm is there, but no kernel comes up under it within 10 s"


def accelerator(vmlinuz):
    """(words of the command line, a sentence for the results), found out once a building folder."""
    chosen = os.environ.get("BOOTLAP_VM_ACCEL", "")
    cache = f"{DIR}/accelerator"
    if chosen not in ("", "kvm", "tcg"):
        raise LabError(f"BOOTLAP_VM_ACCEL is kvm or tcg, not '{chosen}'")
    if not chosen and os.path.exists(cache):
        with open(cache, encoding="utf-8") as f:
            chosen, cpu, why = f.read().rstrip("\n").split("\t")
    elif chosen != "tcg":
        works, found = _kvm_boots(vmlinuz)
        chosen, cpu, why = ("kvm", found, "KVM") if works else ("tcg", "", f"TCG ({found})")
        with open(cache, "w", encoding="utf-8") as f:
            f.write(f"{chosen}\t{cpu}\t{why}\n")
    else:
        why = "TCG, as asked for"
    if chosen == "kvm":
        return ["-accel", "kvm", "-cpu", cpu], why
    # qemu64 boots faster than max; systemd-boot leaves its times only where no hypervisor shows.
    return ["-accel", "tcg,thread=multi", "-cpu", "qemu64,-hypervisor"], why


class Machine:
    """with Machine("server") as m: m.login(); m.run("...")"""

    def __init__(self, image, append="", drive="", disk=None, memory=1024, cpus=2, files=None,
                 kernel="", devices=()):
        """disk: an overlay to go on with (see overlay()); where QEMU starts the kernel, append: more
        options for it, files: {path: text}, scripts that replace those of the initrd, and kernel: the
        flavour, of an image with several; drive: more of QEMU's options for the disk
        (throttling.bps-total=...); devices: more words for QEMU"""
        self.image = f"{DIR}/images/{image}"
        self.about = image_about(image)
        self.work = tempfile.mkdtemp(prefix="run.", dir=DIR)
        self.share = f"{self.work}/share"
        os.mkdir(self.share)
        self.disk = disk or overlay(image, self.work)
        self.append, self.drive, self.memory, self.cpus = append, drive, memory, cpus
        self.devices = devices
        self.kept = kept_folder()
        self.kernel = f"{self.image}/{kernel}"
        self.initrd = f"{self.kernel}/initrd"
        if files:
            self.initrd = more_initrd(self.initrd, files, self.work)
        self.heard = b""  # on the serial line so far
        self.times = []  # (bytes heard, host's monotonic seconds), a pair a chunk
        self.mark = 0  # up to where expect() has looked
        self.lock = threading.Condition()
        self.process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.work, ignore_errors=True)

    def start(self):
        accel, self.accel = accelerator(f"{self.kernel}/vmlinuz")
        command = ["qemu-system-x86_64", "-machine", "q35", *accel,
                   "-smp", str(self.cpus), "-m", str(self.memory), "-vga", self.about["vga"],
                   "-display", "none", "-no-reboot", "-nic", "none",
                   "-drive", f"file={self.disk},if=virtio,format=qcow2{self.drive and ',' + self.drive}",
                   *self.devices,
                   "-chardev", f"socket,id=s,path={self.work}/serial,server=on,wait=off",
                   "-serial", "chardev:s",
                   "-monitor", f"unix:{self.work}/monitor,server=on,wait=off",
                   "-virtfs", f"local,path={self.share},mount_tag=lab,security_model=none"]
        if self.about["loader"] == "direct":
            command += ["-kernel", f"{self.kernel}/vmlinuz", "-initrd", self.initrd,
                        "-append", f"{self.about['cmdline']} {self.append}"]
        if self.about["loader"] == "systemd-boot":
            shutil.copy(f"{OVMF}_VARS.fd", f"{self.work}/vars.fd")
            command += ["-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={OVMF}_CODE.fd",
                        "-drive", f"if=pflash,unit=1,format=raw,file={self.work}/vars.fd"]
        self.started = time.monotonic()
        with open(f"{self.work}/qemu.log", "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)
        self.serial = self._connect("serial")
        threading.Thread(target=self._listen, daemon=True).start()

    def _connect(self, name):
        s = socket.socket(socket.AF_UNIX)
        for _ in range(500):
            try:
                s.connect(f"{self.work}/{name}")
                return s
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.02)
        with open(f"{self.work}/qemu.log", encoding="utf-8", errors="replace") as f:
            raise LabError(f"QEMU did not start: {f.read().strip()[-300:]}")

    def _listen(self):
        while True:
            try:
                chunk = self.serial.recv(65536)
            except OSError:
                chunk = b""
            with self.lock:
                self.heard += chunk
                self.times.append((len(self.heard), time.monotonic()))
                self.lock.notify_all()
            if not chunk:
                return

    def expect(self, pattern, timeout=300):
        """Wait for the pattern on the serial line, behind what was expected before. Returns the match
        and the host's time at which its last byte had come."""
        end = time.monotonic() + timeout
        with self.lock:
            while True:
                m = re.compile(pattern.encode(), re.S).search(self.heard, self.mark)
                if m:
                    self.mark = m.end()
                    return m, next(at for n, at in self.times if n >= m.end())
                if self.process.poll() is not None:
                    raise LabError(f"the machine ended before '{pattern}' came: {self.tail()}")
                if not self.lock.wait(max(0, min(1, end - time.monotonic()))) and \
                        time.monotonic() >= end:
                    raise LabError(f"'{pattern}' did not come within {timeout} s: {self.tail()}")

    def tail(self):
        with open(f"{self.work}/qemu.log", encoding="utf-8", errors="replace") as f:
            said = f.read()
        return " | ".join([*self.heard.decode(errors="replace").splitlines()[-6:], *said.splitlines()])

    def send(self, text):
        self.serial.sendall(text.encode())

    def monitor(self, command):
        """One command of QEMU's monitor; what it answered."""
        s = self._connect("monitor")
        with s:
            s.settimeout(30)
            said = b""
            while not said.endswith(b"(qemu) "):
                said += s.recv(65536)
            s.sendall(command.encode() + b"\n")
            said = b""
            while not said.endswith(b"(qemu) "):
                said += s.recv(65536)
        return said.decode(errors="replace").rsplit("\n", 1)[0].split("\n", 1)[-1]

    def type_keys(self, text):
        """On the machine's keyboard, with the return key behind."""
        for key in [*text, "ret"]:
            self.monitor(f"sendkey {key}")

    def screenshot(self, path):
        self.monitor(f"screendump {path}")

    def login(self, timeout=600):
        """The root shell on the serial line, with a prompt that nothing else prints."""
        self.expect(r"root@lab:[^\n]*# ", timeout)
        self.send("dmesg -n 1; PS1='lab''> '; stty -echo; export TERM=dumb LC_ALL=C.UTF-8\n")
        self.expect(r"lab> ", 60)

    def run(self, command, timeout=120, check=True):
        """A command in that shell; its output."""
        self.send(command + "\nprintf '\\n<%d>' $?\n")
        m, _ = self.expect(r"(.*?)\r?\n<(\d+)>.*?lab> ", timeout)
        output = m.group(1).decode(errors="replace").replace("\r\n", "\n").replace("lab> ", "")
        if check and m.group(2) != b"0":
            raise LabError(f"'{command}' ended with {m.group(2).decode()}: {output.strip()[-300:]}")
        return output.strip()

    # Both mount the share, which takes a module: only when the boot is over.
    def run_script(self, text, timeout=120, check=True):
        """Lines of shell, in a shell of their own; what they print."""
        with open(f"{self.share}/script", "w", encoding="utf-8") as f:
            f.write(text)
        return self.run("mountpoint -q /mnt || mount -t 9p -o trans=virtio lab /mnt; sh /mnt/script",
                        timeout, check)

    def fetch(self, path, to):
        """Copy a file or folder of the guest's out."""
        self.run_script(f"mkdir /mnt/out && cp -a {path} /mnt/out/ && sync /mnt")
        for name in os.listdir(f"{self.share}/out"):
            shutil.move(f"{self.share}/out/{name}", f"{to}/{name}")
        os.rmdir(f"{self.share}/out")

    @property
    def heard_at(self):
        """The host's time when the last of what was heard came."""
        with self.lock:
            return self.times[-1][1]

    def power_off(self, timeout=180):
        self.send("systemctl poweroff\n")
        self.wait(timeout)

    def wait(self, timeout=180):
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise LabError(f"the machine does not switch off: {self.tail()}") from None

    def kill(self):
        """Pull the plug."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def more_initrd(initrd, files, folder):
    """The initrd with a second archive behind it, which the kernel unpacks over the first."""
    for path, text in files.items():
        os.makedirs(os.path.dirname(f"{folder}/initrd.d/{path}"), exist_ok=True)
        with open(f"{folder}/initrd.d/{path}", "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(f"{folder}/initrd.d/{path}", 0o755)
    archive = subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=f"{folder}/initrd.d", check=True,
                             input="\n".join(files), text=True, capture_output=True).stdout
    with open(initrd, "rb") as old, open(f"{folder}/initrd", "wb") as new:
        new.write(old.read())
        new.write(b"\0" * (-new.tell() % 512))
        new.write(archive.encode("latin-1"))
    return f"{folder}/initrd"


def overlay(image, folder):
    """A disk over the image's, for what one boot or a row of boots changes."""
    path = f"{folder}/disk.qcow2"
    about = image_about(image)
    base = f"{DIR}/images/{image}/{'root' if about['loader'] == 'direct' else 'disk'}.img"
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", base, path],
                   check=True)
    return path
