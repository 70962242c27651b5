# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware in QEMU, and the instruction counts that the plugin count.c takes of it."""

import ctypes
import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time

PR_SET_PDEATHSIG = 1
MAGIC = b"mpcount1"
# A limit for what hangs, and for nothing else: full counts on a busy machine take long.
HANG_S = 3600 if os.environ.get("MPROF_SOAK") else 300

# The machine that each example board stands for.
BOARDS = {
    "cortex-m0": ["qemu-system-arm", "-M", "microbit"],
    "cortex-m3": ["qemu-system-arm", "-M", "mps2-an385"],
    "cortex-m4f": ["qemu-system-arm", "-M", "mps2-an386"],
    "cortex-m7": ["qemu-system-arm", "-M", "mps2-an500"],
    "cortex-m33": ["qemu-system-arm", "-M", "mps2-an505"],
    "rv32": ["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
    "rv64": ["qemu-system-riscv64", "-M", "virt", "-bios", "none"],
}


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def functions(elf, nm="nm"):
    """{name: (start, end)} of the functions of an ELF file that have a size."""
    found = {}
    for line in subprocess.check_output([nm, "-S", elf], text=True).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwW":
            start = int(fields[0], 16) & ~1
            found[fields[3]] = (start, start + int(fields[1], 16))
    return found


def named(found, prefixes):
    """Those of functions() whose names begin so: compilers add suffixes."""
    return {name: at for name, at in found.items() if name.startswith(tuple(prefixes))}


def hits_by_address(data):
    """{address: hits} of the table in the bytes of a 32-bit core's s_prof: its first block."""
    directory, = struct.unpack_from("<H", data, 8)
    entries, start = struct.unpack_from("<II", data, directory + 8)
    found = {}
    for addr, hits, _, _ in struct.iter_unpack("<IIHH", data[start:start + 12 * entries]):
        if not addr & 1:
            found[addr] = found.get(addr, 0) + hits
    return found


def hits_of(function, hits):
    """The hits of a function, (start, end), whose items are its own."""
    return sum(hits.get(addr, 0) for addr in range(function[0] & ~15, function[1], 16))


def ranges_of(path):
    """{name: executed instructions} of the ranges in the plugin's file."""
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        count, = struct.unpack_from("<Q", data, len(MAGIC))
        entries = [struct.unpack_from("<40sQQQ", data, 16 + 64 * i) for i in range(count)]
        data.close()
    return {entry[0].split(b"\0")[0].decode(): entry[3] for entry in entries}


class Machine:
    """QEMU with firmware; ends with the `with` block, or with this process. folder: where the
    firmware writes its files."""

    def __init__(self, elf, options=(), plugin=None, ranges=(), marks=None, board="cortex-m3",
                 each=(), folder=None):
        self.folder = tempfile.TemporaryDirectory()
        self.cwd = folder
        self.names = [name for name, _ in ranges]
        self.names += [f"{at:x}" for start, end in each for at in range(start, end, 2)]
        self.command = [*BOARDS[board], "-kernel", os.path.abspath(elf), "-display", "none",
                        "-monitor", "none", "-serial", "none", *options]
        if plugin:
            self.command += ["-plugin", self.plugin(plugin, ranges, marks, each)]

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def plugin(self, library, ranges, marks, each):
        words = [library, "out=" + self.path("counts")]
        words += [f"range={name}:{start:x}:{end:x}" for name, (start, end) in ranges]
        words += [f"each={start:x}:{end:x}" for start, end in each]
        if marks:
            words += [f"mark={marks[0]:x}:{marks[1]:x}", "log=" + self.path("log")]
        return ",".join(words)

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        cwd=self.cwd, preexec_fn=die_with_parent)
        while "-plugin" in self.command and not self.counting():
            time.sleep(0.01)
        return self

    def counting(self):
        """The plugin is there. Ends the test if QEMU is not."""
        if self.process.poll() not in (None, 0):
            raise SystemExit("QEMU ended: " + self.process.stderr.read())
        try:
            with open(self.path("counts"), "rb") as file:
                return file.read(len(MAGIC)) == MAGIC
        except FileNotFoundError:
            return False

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def output(self):
        """What firmware printed by semihosting until it ended QEMU, which it must do with 0."""
        out, err = self.process.communicate(timeout=HANG_S)
        if self.process.returncode != 0:
            raise SystemExit(f"firmware failed ({self.process.returncode})\n{out}{err}")
        return out + err

    def counts(self):
        """{name: executed instructions} of the plugin's ranges, of one moment: QEMU stands still
        while they are read, since this process may be kept waiting between two of them."""
        assert self.counting()
        if self.process.poll() is not None:
            return ranges_of(self.path("counts"))
        self.process.send_signal(signal.SIGSTOP)
        try:
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            return ranges_of(self.path("counts"))
        finally:
            self.process.send_signal(signal.SIGCONT)

    def marked(self):
        """One {name: executed instructions} for each pair of marks that was passed."""
        with open(self.path("log")) as file:
            return [dict(zip(self.names, map(int, line.split()))) for line in file]


class Monitor:
    """QEMU's machine protocol. QEMU has one client at a time."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(path):
            time.sleep(0.01)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.run("qmp_capabilities")

    def close(self):
        self.file.close()
        self.socket.close()

    def run(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while "return" not in (answer := json.loads(self.file.readline())):
            assert "error" not in answer, answer
        return answer["return"]
