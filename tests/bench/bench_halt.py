# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples a second by short halts, beside 'gdb -batch' in a loop, at the same share of time halted.

usage: bench_halt.py [--seconds N] [--rounds N]

On each target all take turns, and the best round of each counts, since other programs only make halts longer. A gdb that
connects halts the core, and lets it go when it has printed the program counter and left. The rate of each is divided by
the share of the time that the core was halted for it: that is how many samples it takes in a second of halts. On OpenOCD
the rig says how long the core was halted; QEMU does not, so there a gdb is taken to halt the core from the moment it
connects until it leaves, which its own log tells, and mprof says it itself.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from rig import Rig  # noqa: E402
from support import FIRMWARE, MPROF, environment, farewell  # noqa: E402

GDB = "gdb-multiarch"


class Round:
    """Samples, the time that they took, and for how long the core was halted in it."""

    def __init__(self):
        self.samples = 0
        self.seconds = self.halted = 0.0

    @property
    def per_halted_second(self):
        return self.samples / self.halted

    def __str__(self):
        return (f"{self.samples / self.seconds:7.1f} samples/s, halted {100 * self.halted / self.seconds:5.1f} % "
                f"of the time: {self.per_halted_second:7.1f} samples per halted second")


def halted_s(rig):
    return rig.stat()["halted_ms"] / 1e3


def run_gdb(rig, elf, is_qemu, seconds, to):
    begin, before = time.monotonic(), None if is_qemu else halted_s(rig)
    command = [GDB, "-nx", "-batch", "-ex", "set tcp connect-timeout 5",
               "-ex", "python import time; t = time.monotonic()", "-ex", f"target remote :{rig.gdb_port}",
               "-ex", "print/x $pc", "-ex", "detach" if is_qemu else "monitor resume",
               "-ex", "python print('halted', time.monotonic() - t)", str(elf)]
    while time.monotonic() < begin + seconds:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert re.search(r"^\$1 = 0x", done.stdout, re.M), done.stdout + done.stderr
        to.samples += 1
        if is_qemu:
            to.halted += float(re.search(r"^halted ([\d.]+)", done.stdout, re.M)[1])
        else:
            farewell(rig.gdb_port)
    to.seconds += time.monotonic() - begin
    if not is_qemu:
        to.halted += halted_s(rig) - before


def run_mprof(rig, elf, is_qemu, link, seconds, to):
    begin, before = time.monotonic(), None if is_qemu else halted_s(rig)
    command = [MPROF, "top", "--elf", elf, *link, "--sampler", "halt", "--allow-halt=20%", "-d", "0.5",
               "-n", str(int(seconds * 2)), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=environment())
    last = json.loads(done.stdout.splitlines()[-1])
    to.samples += last["hits"]
    to.seconds += time.monotonic() - begin
    to.halted += last["link"]["halted_ms"] / 1e3 if is_qemu else halted_s(rig) - before


def compare(name, elf, is_qemu, links, seconds, rounds):
    with Rig(elf, qemu_gdb=is_qemu) as rig:
        gdbs, ours = [], {word: [] for word in links}
        for _ in range(rounds):
            gdbs.append(Round())
            run_gdb(rig, elf, is_qemu, seconds, gdbs[-1])
            for word, make in links.items():
                ours[word].append(Round())
                run_mprof(rig, elf, is_qemu, make(rig), seconds, ours[word][-1])
        gdb = max(gdbs, key=lambda one: one.per_halted_second)
        print(f"{name}, gdb -batch:     {gdb}")
        for word, some in ours.items():
            best = max(some, key=lambda one: one.per_halted_second)
            ratio = best.per_halted_second / gdb.per_halted_second
            print(f"{name}, mprof {word:9s} {best}; ratio {ratio:.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    by_gdb = {"--gdb": lambda rig: ["--gdb", f":{rig.gdb_port}", "--tcl", "none"]}
    by_both = {**by_gdb, "--tcl": lambda rig: ["--tcl", f":{rig.tcl_port}"]}
    for core, firmware in (("Cortex-M3", "cortex-m3"), ("RV32", "rv32")):
        elf = FIRMWARE / f"{firmware}.elf"
        compare(f"{core}, QEMU", elf, True, by_gdb, options.seconds, options.rounds)
        compare(f"{core}, OpenOCD", elf, False, by_both, options.seconds, options.rounds)


main()
