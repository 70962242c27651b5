# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the firmware of generate.py (firmware/generated) in QEMU, and counts exactly what it executes.

A boot is a seed: the length of time before the first sample, the rate of the samples and the order
of all calls depend on it. Under -icount each instruction takes 256 ns, so the same seed gives the
same run.
"""

import os
import struct
import subprocess

from generate import KINDS
from machine import Machine, functions

# Where the core is so slow that a sample's way through the stub takes a large part of the time between
# two samples, functions whose samples are lost run for less of that time than others, and the part of
# the instructions that a function has is no more that of the samples.
NS_AN_INSTRUCTION = 256
OPTIONS = ["-icount", "shift=8,sleep=off", "-semihosting-config", "enable=on,target=native",
           "-rtc", "clock=vm"]
CLOCK_HZ = {"cortex-m0": 16000000, "cortex-m3": 25000000, "rv32": 10000000}
PARTS = (0.017, 0.167, 0.9, 1)  # of the run, when main.c writes a snapshot
SLEEPER = "sleep_until_alarm"
BLOCK = 16


def elf_of(folder, kind):
    return os.path.join(folder, f"generated-{kind}.elf")


def elves(folder):
    """[(kind, path of the ELF file)] of all kinds."""
    return [(kind, elf_of(folder, kind)) for kind in KINDS]


def stub_functions(folder):
    """The names of the stub's functions: no sample has these, because they take it."""
    lines = subprocess.check_output(["nm", "--defined-only",
                                     os.path.join(folder, "libgenerated-stub.a")], text=True)
    return {fields[2] for fields in map(str.split, lines.splitlines())
            if len(fields) == 3 and fields[1] in "tTwW"}


class Snapshot:
    """What was executed until then, and the table of that moment."""

    def __init__(self, path, counts, ticks):
        self.path = path
        self.counts = counts  # {function: instructions}, those of the stub, too
        self.ticks = ticks  # of the board's clock
        with open(path, "rb") as file:
            self.table = file.read()

    @property
    def events(self):
        return struct.unpack_from("<I", self.table, 20)[0]

    @property
    def layout(self):
        """(rows, offset of the first one) of the table of samples, by docs/layout.md."""
        directory, = struct.unpack_from("<H", self.table, 8)
        return struct.unpack_from("<II", self.table, directory + 8)

    @property
    def rows(self):
        return self.layout[0]

    def without_rest(self):
        """The table, as if it did not know where it lost hits."""
        rows, offset = self.layout
        rest = offset + 12 * (rows + 1)
        spilled = offset - 4
        table = bytearray(self.table)
        table[rest:rest + 2 * rows] = bytes(2 * rows)
        table[spilled:spilled + 4] = bytes(4)
        return bytes(table)


class Firmware:
    """An ELF file of a kind, for a board. folder: where it was built."""

    def __init__(self, board, folder, kind, plugin):
        self.board = board
        self.kind = kind
        self.elf = elf_of(folder, kind)
        self.plugin = plugin
        self.functions = functions(self.elf)
        self.stub = stub_functions(folder)

    def run(self, seed, seconds, keep):
        """The snapshots of a boot that takes this number of virtual seconds; their tables stay in the
        folder keep."""
        return self.boot(seed, seconds, keep, ranges=sorted(self.functions.items()))

    def run_inside(self, seed, seconds, keep):
        """The last snapshot of a boot, whose counts are those of each instruction's address."""
        code = self.functions.values()
        code = min(start for start, _ in code), max(end for _, end in code)
        return self.boot(seed, seconds, keep, ["-singlestep"], each=[code])[-1]

    def without_stub(self, counts):
        """Those counts of run_inside() that a sample can be of."""
        stub = [self.functions[name] for name in self.stub if name in self.functions]
        return {at: count for at, count in counts.items()
                if not any(start <= int(at, 16) < end for start, end in stub)}

    def boot(self, seed, seconds, keep, more=(), **counted):
        boot = self.symbol("judge_boot")
        words = [f"loader,addr={boot + 4 * i:#x},data={word},data-len=4"
                 for i, word in enumerate((seed, seconds))]
        options = [*OPTIONS, *more] + [word for text in words for word in ("-device", text)]
        marks = [self.functions[name][0] for name in ("mark_begin", "mark_end")]
        with Machine(self.elf, options, self.plugin, marks=marks, board=self.board, folder=keep,
                     **counted) as machine:
            ticks = [int(line) for line in machine.output().split()]
            pieces = machine.marked()
        assert len(ticks) == len(pieces) == len(PARTS), (ticks, len(pieces))
        counts = dict.fromkeys(pieces[0], 0)
        snapshots = []
        for number, (now, piece) in enumerate(zip(ticks, pieces)):
            counts = {name: counts[name] + piece[name] for name in counts}
            snapshots.append(Snapshot(os.path.join(keep, str(number)), counts, now))
        return snapshots

    def symbol(self, name):
        text = subprocess.check_output(["nm", self.elf], text=True)
        return next(int(line.split()[0], 16) for line in text.splitlines()
                    if line.split()[-1] == name)

    def shares(self, snapshot, before=None):
        """{function: share} of the time in which a sample could be taken, since another snapshot or
        since the start. That is all time but the stub's; time in which nothing is executed is that
        of the function that sleeps."""
        counts = dict(snapshot.counts)
        ticks = snapshot.ticks
        if before:
            counts = {name: count - before.counts[name] for name, count in counts.items()}
            ticks -= before.ticks
        instructions = ticks * 1e9 / CLOCK_HZ[self.board] / NS_AN_INSTRUCTION
        asleep = instructions - sum(counts.values())
        if self.kind == "idle" and self.board == "rv32":  # see wait_for_interrupt()
            assert asleep > 0.01 * instructions, (asleep, instructions)
            counts[SLEEPER] += asleep
        else:
            # Up to two instructions a sample are not counted on a Cortex-M0, in the stub.
            assert abs(asleep) < 3e-3 * instructions + 50, (asleep, instructions)
        own = {name: count for name, count in counts.items() if name not in self.stub}
        return {name: count / sum(own.values()) for name, count in own.items()}

    def blocks(self, snapshot):
        """The number of blocks of code of the functions that were executed and can be sampled."""
        return len({block for name, (start, end) in self.functions.items()
                    if snapshot.counts[name] and name not in self.stub
                    for block in range(start // BLOCK, (end - 1) // BLOCK + 1)})
