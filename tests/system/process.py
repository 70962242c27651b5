# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated firmware of --pid and --raw: starts it, dumps its table."""

import json
import subprocess

from support import BUILD, mprof, sampled, stop, symbols

PIE, FIXED, OTHER = (BUILD / "tests" / "system" / f"process-{name}"
                     for name in ("pie", "fixed", "other"))
SHARES = (("work_a", 0.5), ("work_b", 0.3), ("work_c", 0.2))


class Process:
    """A running program of these; use it in a with statement. It ends with this program too."""

    def __init__(self, elf):
        self.elf = elf
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen([str(self.elf)], stdin=subprocess.DEVNULL,
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


def shares(report):
    return {row["function"]: row["share"] for row in report["rows"]}
