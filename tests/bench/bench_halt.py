# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples a second by short halts, beside 'gdb -batch' in a loop, at the same share of time halted.

usage: bench_halt.py [--seconds N] [--rounds N]

On each target all take turns, and the best round of each counts, since other programs only make halts longer. A gdb that
connects halts the core, and lets it go when it has printed the program counter and left. What counts is how long the core
was halted for a sample: the rig says it, of QEMU by the events of QEMU itself, of all halts, also that of connecting. At
a share S of time halted, S * (samples per halted second) samples a second are possible: for mprof, which pauses between
them; and for a loop of gdb, which would have to pause too, or takes so long to start that it stays below the share.

Through OpenOCD that is measured twice: as fast as this machine simulates a board, and with a debug adapter of USB's high
speed, whose packets of 64 bytes take 125 us each. How many packets an adapter takes while the core is halted hardly
depends on this machine.
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
ADAPTER = "125:64"


class Round:
    """Samples, the time that they took, and for how long the core was halted in it."""

    def __init__(self, rig):
        self.rig, self.before, self.begin = rig, rig.stat(), time.monotonic()
        self.samples = 0
        self.seconds = self.halted = self.packets = self.halts = 0.0

    def end(self, samples):
        after = self.rig.stat()
        self.samples = samples
        self.seconds = time.monotonic() - self.begin
        self.halted = (after["halted_ms"] - self.before["halted_ms"]) / 1e3
        self.halts = after["halts"] - self.before["halts"]
        self.packets = (after["halted_packets"] - self.before["halted_packets"]) / max(self.halts, 1)
        return self

    @property
    def per_halted_second(self):
        return self.samples / self.halted

    def __str__(self):
        packets = f", {self.packets:.1f} packets a halt" if self.packets else ""
        return (f"{self.samples / self.seconds:7.1f} samples/s, halted {100 * self.halted / self.seconds:5.1f} % "
                f"of the time: {self.per_halted_second:7.1f} samples per halted second{packets}")


def run_gdb(rig, elf, is_qemu, seconds):
    this, samples = Round(rig), 0
    command = [GDB, "-nx", "-batch", "-ex", "set tcp connect-timeout 5", "-ex", f"target remote :{rig.gdb_port}",
               "-ex", "print/x $pc", "-ex", "detach" if is_qemu else "monitor resume", str(elf)]
    while time.monotonic() < this.begin + seconds:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert re.search(r"^\$1 = 0x", done.stdout, re.M), done.stdout + done.stderr
        samples += 1
        if not is_qemu:
            farewell(rig.gdb_port)
    return this.end(samples)


def run_mprof(rig, elf, link, seconds):
    this = Round(rig)
    command = [MPROF, "top", "--elf", elf, *link, "--sampler", "halt", "--allow-halt=20%", "-d", "0.5",
               "-n", str(int(seconds * 2)), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, env=environment())
    return this.end(json.loads(done.stdout.splitlines()[-1])["hits"])


def best(rounds):
    return max(rounds, key=lambda one: one.per_halted_second)


def compare(name, rig, elf, is_qemu, links, options):
    gdbs, ours = [], {word: [] for word in links}
    for _ in range(options.rounds):
        gdbs.append(run_gdb(rig, elf, is_qemu, options.seconds))
        for word, link in links.items():
            ours[word].append(run_mprof(rig, elf, link, options.seconds))
    gdb = best(gdbs)
    print(f"{name}, gdb -batch:     {gdb}")
    for word, rounds in ours.items():
        ratio = best(rounds).per_halted_second / gdb.per_halted_second
        print(f"{name}, mprof {word:9s} {best(rounds)}; ratio {ratio:.1f}", flush=True)
        if gdb.packets:
            print(f"{name}, mprof {word:9s} fewest packets a halt {min(one.packets for one in rounds):.1f}; "
                  f"gdb {min(one.packets for one in gdbs):.1f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for core, firmware in (("Cortex-M3", "cortex-m3"), ("RV32", "rv32")):
        elf = FIRMWARE / f"{firmware}.elf"
        with Rig(elf, qemu_gdb=True) as rig:
            compare(f"{core}, QEMU", rig, elf, True, {"--gdb": ["--gdb", f":{rig.gdb_port}", "--tcl", "none"]}, options)
        with Rig(elf) as rig:
            links = {"--gdb": ["--gdb", f":{rig.gdb_port}", "--tcl", "none"], "--tcl": ["--tcl", f":{rig.tcl_port}"]}
            compare(f"{core}, OpenOCD", rig, elf, False, links, options)
            rig.command(f"probe {ADAPTER}")
            compare(f"{core}, OpenOCD, adapter", rig, elf, False, links, options)


main()
