# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated firmware of --pid and --raw: starts it, makes its hits, dumps its table; and mprof
snapshot, watched while it counts."""

import functools
import json
import os
import pty
import re
import select
import subprocess

from support import BUILD, HANG_S, mprof, sampled, start, stop, symbols, wait_for

PIE, FIXED, OTHER = (BUILD / "tests" / "system" / f"process-{name}"
                     for name in ("pie", "fixed", "other"))
SHARES = (("work_a", 0.5), ("work_b", 0.3), ("work_c", 0.2))


@functools.lru_cache
def loop(elf, name):
    """The place of a block, for Made.feed(), that has nothing in it but the loop of this function."""
    start, size = symbols(elf, "nm")[name]
    text = subprocess.run(["objdump", "-d", f"--start-address={start}", f"--stop-address={start + size}",
                           str(elf)], text=True, capture_output=True, check=True).stdout
    jumps = re.findall(rf"^ +([0-9a-f]+):.*<{name}\+0x([0-9a-f]+)>$", text, re.M)
    begin, end = max((int(target, 16), int(at, 16) - start) for at, target in jumps
                     if int(target, 16) < int(at, 16) - start)
    inside = (begin + 15) & ~15
    return name, inside if inside + 16 <= end else begin


class Process:
    """A running program of these; use it in a with statement. It ends with this program too."""

    arguments, stdin = (), subprocess.DEVNULL

    def __init__(self, elf):
        self.elf = elf
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen([str(self.elf), *self.arguments], stdin=self.stdin,
                                        stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()  # ready
        return self

    def __exit__(self, *_):
        stop(self.process)

    @property
    def pid(self):
        return self.process.pid

    def report(self, *options):
        return json.loads(mprof("report", "--elf", self.elf, "--pid", self.pid, "--format", "json",
                                *options).stdout)

    def sampled(self, hits):
        """Waits until it was sampled so often; the last report."""
        return sampled(self.elf, hits, "--pid", self.pid)

    def dump(self):
        """The bytes of s_prof, of a program at fixed addresses."""
        addr, size = symbols(self.elf, "nm")["s_prof"]
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:
            memory.seek(addr)
            return memory.read(size)


class Made(Process):
    """One whose hits are made (process.c), so that each of them is known. It takes no time of the
    machine's."""

    arguments, stdin = ("made",), subprocess.PIPE

    def __init__(self, elf, hits=None):
        """hits: to begin with, as for feed()."""
        super().__init__(elf)
        self.hits = hits

    def __enter__(self):
        super().__enter__()
        if self.hits:
            self.feed(self.hits)
        return self

    def tell(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        for line in lines:
            assert self.process.stdout.readline() == "done\n", line

    def feed(self, hits):
        """{place: number}; place: a function, or (function, offset in it) of this ELF."""
        table = symbols(self.elf, "nm")
        places = {place if isinstance(place, tuple) else (place, 0): number
                  for place, number in hits.items()}
        self.tell(*(f"{table[name][0] + offset - table['work_a'][0]} {number}"
                    for (name, offset), number in places.items()))

    def run(self):
        """From now on about a thousand hits a second, in the proportions of those so far."""
        self.tell("run")

    def rest(self):
        self.tell("rest")


class Steady(Made):
    """Like the sampled program, but at once and exactly: a thousand hits in its loops, and then more."""

    def __init__(self, elf):
        super().__init__(elf, {loop(elf, name): round(1000 * share) for name, share in SHARES})

    def __enter__(self):
        super().__enter__()
        self.run()
        return self


class Recorder:
    """A running mprof snapshot, or another verb with one in it, and what it says of its progress on a
    terminal."""

    def __init__(self, *args):
        self.terminal, end = pty.openpty()
        self.process = start(*args, stderr=end)
        os.close(end)
        self.text, self.at = b"", 0

    def read(self):
        """Whether there may be more to come."""
        if select.select([self.terminal], [], [], 0.1)[0]:
            try:
                chunk = os.read(self.terminal, 4096)
            except OSError:
                return False
            self.text += chunk
            return chunk != b""
        return True

    def shows(self, pattern):
        """Waits until it has said this, after what was waited for before."""
        def said():
            self.read()
            return re.compile(pattern).search(self.text, self.at)
        self.at = wait_for(pattern, said).end()

    def counts(self, hits):
        self.shows(rb" s  %d hits\b" % hits)

    def end(self):
        """Its exit status, and what it printed."""
        while self.read():
            pass
        text, _ = self.process.communicate(timeout=HANG_S)
        return self.process.returncode, text

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)
        os.close(self.terminal)


def shares(report):
    return {row["function"]: row["share"] for row in report["rows"]}
