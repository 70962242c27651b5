# SPDX-License-Identifier: GPL-3.0-or-later
"""'mprof trace --patch' makes functions of a running program call the hook, and its code is as before
when mprof has ended, or was killed at any moment.

usage: test_patch.py CORE...
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import calls
import patched
import patched_programs as programs
from machine import HANG_S, Machine, Monitor, die_with_parent
from support import Gdb, count, counted, environment, free_port, MPROF, mprof

FUNCTIONS = 60
POINTS, LEASE, PATCHED = 3, 4, 8  # words of s_mprof_patch


class Target:
    """What both kinds of target have in common: elf, read(), write()."""

    def __init__(self, core, folder):
        self.core = core
        self.chain = calls.Toolchain(core)
        level = "-Os" if core == "x86-64" else "-O2"  # then functions start at any address
        self.elf = programs.build(core, folder, level, FUNCTIONS, main="patch",
                                  options=["-DMPROF_TRACE_CNT=1024", "-DMPROF_PATCH_CNT=64"])
        self.symbols = {}
        for line in calls.run([self.chain.tool("nm"), self.elf]).splitlines():
            fields = line.split()
            if len(fields) == 3:
                self.symbols[fields[2]] = int(fields[0], 16)
        with open(self.elf, "rb") as file:
            data = file.read()
        start = min(self.symbols[f"f{i}"] for i in range(FUNCTIONS))
        end = max(self.symbols[f"f{i}"] for i in range(FUNCTIONS)) + 16
        at = patched.offset_of(data, start)
        self.code = start, data[at:at + end - start]

    def word(self, name, index=0):
        return int.from_bytes(self.read(self.symbols[name] + 4 * index, 4), "little")

    def is_as_before(self):
        start, code = self.code
        return self.read(start, len(code)) == code

    def hurry(self, on):
        self.write(self.symbols["in_a_hurry"], int(on).to_bytes(4, "little"))

    def until(self, condition, what):
        end = time.monotonic() + HANG_S
        while not condition():
            assert time.monotonic() < end, f"{self.core}: {what}"
            time.sleep(0.002)

    def await_taken_back(self):
        """The lease runs out."""
        self.hurry(True)
        self.until(lambda: self.word("s_mprof_patch", PATCHED) == 0, "calls are not taken back")
        self.hurry(False)

    def check(self, what):
        assert self.is_as_before(), f"{self.core}: {what}: other code than before"
        assert not self.word("has_changed"), f"{self.core}: {what}: other results"


class Process(Target):
    """The program as a process of this machine."""

    def __enter__(self):
        self.process = subprocess.Popen([self.elf], preexec_fn=die_with_parent)
        self.memory = open(f"/proc/{self.process.pid}/mem", "r+b", buffering=0)
        self.until(lambda: self.word("result") != 0, "does not start")
        self.options = ["--pid", str(self.process.pid)]
        return self

    def __exit__(self, *_):
        self.memory.close()
        self.process.kill()
        self.process.wait()

    def read(self, addr, length):
        return os.pread(self.memory.fileno(), length, addr)

    def write(self, addr, data):
        os.pwrite(self.memory.fileno(), data, addr)


class Board(Target):
    """The program in QEMU, whose memory is code and data."""

    def __init__(self, core, folder):
        super().__init__(core, folder)
        self.folder = folder

    def __enter__(self):
        self.port = free_port()
        path = os.path.join(self.folder, "qmp")
        self.machine = Machine(self.elf, ["-gdb", f"tcp:127.0.0.1:{self.port}", "-qmp",
                                          f"unix:{path},server=on,wait=off"], board=self.core)
        self.machine.__enter__()
        self.monitor = Monitor(path)
        self.until(lambda: self.word("result") != 0, "does not start")
        self.options = ["--gdb", f"127.0.0.1:{self.port}"]
        return self

    def __exit__(self, *_):
        self.monitor.close()
        self.machine.__exit__()

    def read(self, addr, length):
        path = os.path.join(self.folder, "memory")
        self.monitor.run("pmemsave", val=addr, size=length, filename=path)
        with open(path, "rb") as file:
            return file.read()

    def write(self, addr, data):
        gdb = Gdb(self.port)
        assert gdb.attach(), "mprof left the target halted"
        gdb.write(addr, data)
        gdb.detach()


def trace(target, *options):
    return ["trace", "--elf", target.elf, *target.options, "--patch", *options]


def is_split(target, filters):
    """Whether the nops of a function are in two lines of the cache, which --patch leaves out."""
    done = mprof("instrument", target.elf, "--list", *filters, "--format", "json")
    sites = [int(one["address"], 16) if isinstance(one["address"], str) else one["address"]
             for one in json.loads(done.stdout)["functions"] if one["reason"] is None]
    return target.core == "x86-64" and any(site % 64 > 59 for site in sites)


def check_trace(target):
    """Only the chosen functions have events, and the code is as before in the end."""
    for filters, wanted in ((["--filter", "f1*"], lambda name: name.startswith("f1")), ([], None)):
        done = mprof(*trace(target, *filters, "--format", "json", "-n", "300"))
        assert done.returncode == 0, done.stderr
        events = [json.loads(line) for line in done.stdout.splitlines()]
        names = {one["function"] for one in events if one.get("kind") == "entry"}
        assert ("in two cache lines" in done.stderr) == is_split(target, filters), done.stderr
        assert len(names) > 3 and (wanted is None or all(map(wanted, names))), names
        assert target.word("s_mprof_patch", PATCHED) == 0
        target.check("after a trace")


def check_refused(target):
    for options, text in ((["--filter", "mprof_init"], "none of these functions can be chosen"),
                          (["--raw", target.elf], "--patch needs a target that runs")):
        words = trace(target, *options) if options[0] != "--raw" else [
            "trace", "--elf", target.elf, "--patch", *options]
        done = mprof(*words)
        assert done.returncode != 0 and text in done.stderr, (done.returncode, done.stderr)
    target.check("after a refusal")


def start(target):
    return subprocess.Popen([MPROF, *trace(target, "--filter", "f*")], env=environment(),
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def check_signals(target):
    """Whoever ends mprof has the calls taken back at once."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with start(target) as process:
            target.until(lambda: target.word("s_mprof_patch", PATCHED), "is not patched")
            process.send_signal(number)
            process.communicate()
        assert target.word("s_mprof_patch", PATCHED) == 0, number
        target.check(number.name)


def check_kills(target, kills, rng):
    """SIGKILL at any moment, from before mprof has asked until it has been there for long."""
    seen = 0
    for number in range(kills):
        with start(target) as process:
            if number % 2:
                time.sleep(rng.random() / 2)
            else:
                target.until(lambda: target.word("s_mprof_patch", PATCHED) or
                             process.poll() is not None, "is not patched")
                time.sleep(rng.random() / 20)
            seen += target.word("s_mprof_patch", PATCHED) != 0
            process.send_signal(signal.SIGKILL)
            error = process.communicate()[1]
            assert process.returncode == -signal.SIGKILL, error
        target.await_taken_back()
        target.check(f"kill {number}")
    assert seen >= kills // 2, seen
    counted(f"{target.core}: SIGKILL of mprof trace --patch {kills} times, {seen} of them while "
            f"functions called the hook: code and results as before, {kills} of {kills}")


def main():
    for core in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            kind = Process if core == "x86-64" else Board
            with kind(core, folder) as target:
                check_trace(target)
                check_refused(target)
                check_signals(target)
                check_kills(target, count(2, 200), random.Random(19))
                check_trace(target)


main()
