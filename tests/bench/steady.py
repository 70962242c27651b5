# SPDX-License-Identifier: GPL-3.0-or-later
"""What the live screen costs while it is left open, and how soon it stands there with names.

All programs run side by side, so that a busy host slows all of them, each on a terminal of 200x50 of its own: a pty
that is read at once. Processor time is of the program alone, by /proc/PID/task/*/schedstat; that of processes it has
started (a guardian, gdb) is said apart. A frame is what comes without a gap of GAP_S. How many writes it takes strace
counts, in a time of its own.
"""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from process import FIXED, Process  # noqa: E402
from rig import Rig  # noqa: E402
from support import FIRMWARE, MPROF, environment, stop, wait_for  # noqa: E402

ROWS, COLUMNS = 50, 200
RATE_HZ = 10
GAP_S = 0.02
STRACE_S = 5
NAMES_MIN = 20


def cpu_s(pid):
    """Seconds of processor time of all its threads."""
    with contextlib.suppress(OSError):
        return sum(int(task.joinpath("schedstat").read_text().split()[0]) * 1e-9
                   for task in pathlib.Path(f"/proc/{pid}/task").iterdir())
    return 0.0


def children_of(pid):
    found = []
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            for child in task.joinpath("children").read_text().split():
                found += [int(child), *children_of(int(child))]
    return found


def anon_kb(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"RssAnon:\s+(\d+)", text)[1])


class Screen:
    """A program on a pty of its own that is read as soon as something comes."""

    def __init__(self, arguments, folder):
        self.bytes = self.frames = 0
        self.text = b""
        self.last = 0.0
        self.master, slave = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        env = dict(environment(), TERM="xterm-256color", HOME=str(folder), MPROF_HISTORY="")
        self.begin = time.monotonic()
        self.process = subprocess.Popen([str(one) for one in arguments], stdin=slave, stdout=slave, cwd=folder,
                                        stderr=subprocess.PIPE, env=env, start_new_session=True)
        os.close(slave)
        self.pid = self.process.pid
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with contextlib.suppress(OSError):
            while select.select([self.master], [], [])[0]:
                data = os.read(self.master, 1 << 16)
                now = time.monotonic()
                self.frames += now - self.last > GAP_S
                self.last = now
                self.bytes += len(data)
                self.text = (self.text + data)[-(1 << 20):]

    def type(self, keys):
        os.write(self.master, keys)

    def shows(self, pattern, seconds=60):
        def look():
            if self.process.poll() is not None:
                raise RuntimeError(self.process.stderr.read().decode())
            return re.search(pattern, self.text)
        wait_for(pattern, look, seconds)

    def sample(self):
        return {"s": time.monotonic(), "cpu": cpu_s(self.pid), "bytes": self.bytes, "frames": self.frames,
                "helpers": sum(cpu_s(child) for child in children_of(self.pid))}

    def close(self):
        stop(self.process)
        os.close(self.master)


class Case:
    """One way to leave the live screen open."""

    def __init__(self, name, arguments, keys=(), pattern=rb"q quit|q leave|work_|main"):
        self.name, self.arguments, self.keys, self.pattern = name, arguments, keys, pattern
        self.screen = None
        self.writes = None

    def start(self, folder):
        self.screen = Screen(self.arguments, folder)
        self.screen.shows(self.pattern)
        for key in self.keys:
            time.sleep(1)
            self.screen.type(key)

    def count_writes(self):
        """Writes to the terminal a frame, by strace; None: it cannot be run."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
            tracer = subprocess.Popen(["strace", "-qq", "-ttt", "-y", "-s0", "-e", "trace=write,writev", "-p",
                                       str(self.screen.pid), "-o", log.name], stderr=subprocess.DEVNULL)
            time.sleep(STRACE_S)
            tracer.terminate()
            tracer.wait()
            times = [float(line.split()[0]) for line in log if "/dev/pts/" in line or "/dev/ptmx" in line]
        frames = sum(b - a > GAP_S for a, b in zip([0.0, *times], times))
        self.writes = len(times) / frames if frames else None


def numbers(before, after):
    seconds = after["s"] - before["s"]
    frames = after["frames"] - before["frames"]
    return {"percent": 100 * (after["cpu"] - before["cpu"]) / seconds,
            "helpers": 100 * (after["helpers"] - before["helpers"]) / seconds,
            "hz": frames / seconds,
            "bytes": (after["bytes"] - before["bytes"]) / max(frames, 1)}


def make_cases(pid, big_pid, big_elf, rig, many):
    top = [MPROF, "top", "-d", 1 / RATE_HZ]
    here = [*top, "--elf", FIXED, "--pid", pid]
    cases = [Case("a process, by --pid", here),
             Case("the same, zoomed", here, (b"\r",)),
             Case("the same, with a baseline", here, (b"b",)),
             Case("256 rows, 55 MB of DWARF", [*top, "--elf", big_elf, "--pid", big_pid],
                  pattern=rb"u\d_f\d+")]
    for name, one, elf in (("3 rows, OpenOCD", rig, "cortex-m3.elf"), ("256 rows, OpenOCD", many, "cortex-m3-many.elf")):
        if one:
            cases.append(Case(name, [*top, "--elf", FIRMWARE / elf, "--gdb", f":{one.gdb_port}", "--tcl",
                                     f":{one.tcl_port}"]))
    return cases


def run_side_by_side(cases, folder, seconds):
    """What came of each: a list in the order of cases."""
    for case in cases:
        case.start(folder)
    time.sleep(3)
    before = [case.screen.sample() for case in cases]
    time.sleep(seconds)
    after = [case.screen.sample() for case in cases]
    result = [dict(numbers(a, b), anon_kb=anon_kb(case.screen.pid)) for case, a, b in zip(cases, before, after)]
    if shutil.which("strace"):
        for case in cases:
            case.count_writes()
    return result


@contextlib.contextmanager
def targets(big_elf):
    """Everything that the screens look at: (pid, pid of the large program, rig, rig of many rows)."""
    with contextlib.ExitStack() as stack:
        rigs = [stack.enter_context(Rig(FIRMWARE / elf, fast=True)) if (FIRMWARE / elf).exists() else None
                for elf in ("cortex-m3.elf", "cortex-m3-many.elf")]
        yield (stack.enter_context(Process(FIXED)).pid, stack.enter_context(Process(big_elf)).pid, *rigs)


def bench_steady(elf, seconds, report):
    """report(name, value, unit, reference, reference_value) takes each number."""
    with targets(elf) as (pid, big_pid, rig, many), tempfile.TemporaryDirectory() as folder:
        cases = make_cases(pid, big_pid, elf, rig, many)
        reference = Case(f"top -d {1 / RATE_HZ}", ["top", "-d", 1 / RATE_HZ], pattern=rb"PID")
        cases.append(reference)
        try:
            result = run_side_by_side(cases, folder, seconds)
        finally:
            for case in cases:
                if case.screen:
                    case.screen.close()
    for case, one in zip(cases[:-1], result):
        report(f"{case.name}: processor", one["percent"], "%", reference.name, result[-1]["percent"])
        print("  {:.2f} ms a frame; {:.1f} frames/s of {:.0f} bytes, {} writes each; helpers {:.2f} %; {} kB anonymous".format(
            10 * one["percent"] / one["hz"] if one["hz"] else 0, one["hz"], one["bytes"], "?" if case.writes is None else f"{case.writes:.2f}", one["helpers"],
            one["anon_kb"]))
    print("  {}: {:.1f} frames/s of {:.0f} bytes, {} writes each".format(
        reference.name, result[-1]["hz"], result[-1]["bytes"],
        "?" if reference.writes is None else f"{reference.writes:.2f}"))


def first_screen(elf, pid, folder):
    """Seconds up to the first screen that has names."""
    screen = Screen([MPROF, "top", "--elf", elf, "--pid", pid, "-d", 1 / RATE_HZ], folder)
    try:
        while len(set(re.findall(rb"u\d_f\d+", screen.text))) < NAMES_MIN:
            if screen.process.poll() is not None or time.monotonic() - screen.begin > 60:
                raise RuntimeError(f"no screen: {screen.process.stderr.read().decode()}")
            time.sleep(0.001)
        return screen.last - screen.begin
    finally:
        screen.close()


def bench_first(elf, debugger, rounds, report):
    ours, theirs = [], []
    with Process(elf) as process, tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            ours.append(first_screen(elf, process.pid, folder))
            begin = time.monotonic()
            subprocess.run([debugger, "-nx", "-batch", "-ex", "info line main", str(elf)], check=True,
                           capture_output=True)
            theirs.append(time.monotonic() - begin)
    report("first screen with names, wall", statistics.median(ours), "s", "gdb info line main",
           statistics.median(theirs))


def seconds_of(*arguments):
    begin = time.monotonic()
    subprocess.run([str(one) for one in arguments], check=True, capture_output=True, env=environment())
    return time.monotonic() - begin


def bench_shell(commands, rounds, report):
    """A command inside mprof shell, against a process for each."""
    one, all_of_them = [], []
    with Process(FIXED) as process:
        process.sampled(500)
        link = ["--elf", FIXED, "--pid", process.pid]
        for _ in range(rounds):
            few = seconds_of(MPROF, "shell", *link, "-c", "report")
            many = seconds_of(MPROF, "shell", *link, "-c", "; ".join(["report"] * commands))
            one.append((many - few) / (commands - 1))
            all_of_them.append(statistics.median(seconds_of(MPROF, "report", *link) for _ in range(10)))
    report("report in mprof shell, wall", 1e3 * statistics.median(one), "ms", "mprof report",
           1e3 * statistics.median(all_of_them))


def bench_stat(seconds, report):
    """mprof stat at the same rate, against a process for each line."""
    with Process(FIXED) as process:
        process.sampled(500)
        link = ["--elf", FIXED, "--pid", str(process.pid)]
        stat = subprocess.Popen([str(MPROF), "stat", *link, "-d", str(1 / RATE_HZ), "-n", "1000000"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        try:
            time.sleep(1)
            if stat.poll() is not None:
                raise RuntimeError(stat.stderr.read().decode())
            begin, before = time.monotonic(), cpu_s(stat.pid)
            time.sleep(seconds)
            cpu = (cpu_s(stat.pid) - before) / (time.monotonic() - begin)
        finally:
            stop(stat)
        before = os.times()
        for _ in range(20):
            seconds_of(MPROF, "report", *link)
        after = os.times()
        single = (after.children_user + after.children_system - before.children_user - before.children_system) / 20
    report(f"mprof stat -d {1 / RATE_HZ}: processor", 100 * cpu, "%", f"{RATE_HZ} mprof report a second",
           100 * single * RATE_HZ)
