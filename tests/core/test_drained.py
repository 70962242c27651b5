# SPDX-License-Identifier: GPL-3.0-or-later
"""A trace that is read while the firmware runs has each entry that QEMU has seen, in order, or counts it as lost
where it is missing.

usage: test_drained.py BOARD ELF PLUGIN
"""

import collections
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

from rig import Rig, Tcl
from support import HANG_S, count, counted, start, stop, symbols, wait_for

BOARD, ELF, PLUGIN = sys.argv[1:]
TOOLS = "arm-none-eabi-" if BOARD.startswith("cortex") else "riscv64-unknown-elf-"
NAMES = ("first", "second", "third", "fourth", "in_interrupt", "below_interrupt", "at_rest")
EVENTS = count(1280, 100000)
# Rounds, of at most 17 events, that the firmware may be ahead: the ring has room for 1024 events.
AHEAD = 60
# Rounds in which the ring overflows, and how often.
BURST, BURSTS = 250, count(1, 80)
ICOUNT = 10


def places():
    """Where each function begins, and where its hook returns to."""
    text = subprocess.run([TOOLS + "objdump", "-d", "--no-show-raw-insn", ELF], text=True, capture_output=True,
                          check=True).stdout
    found = {}
    for begin, name, body in re.findall(r"(?m)^([0-9a-f]+) <(\w+)>:\n((?:.+\n)+)", text):
        if name in NAMES:
            [after] = re.findall(r"<(?:__gnu_mcount_nc|_mcount)>\n *([0-9a-f]+):", body)
            found[name] = int(begin, 16), int(after, 16)
    return [found[name] for name in NAMES]


class Seen:
    """The entries that the plugin has seen. last: of each, the index of the last entry before its hook returned: it is
    recorded before, between or after those, because an interrupt came in its hook."""

    @staticmethod
    def names_in(path):
        with open(path, "rb") as file:
            return [NAMES[at // 2] for at in file.read() if at % 2 == 0]

    def __init__(self, path):
        self.names, self.last, inside = [], [], []
        with open(path, "rb") as file:
            for at in file.read():
                if at % 2 == 0:
                    inside.append(len(self.names))
                    self.names.append(NAMES[at // 2])
                    self.last.append(None)
                else:
                    entry = inside.pop()
                    assert self.names[entry] == NAMES[at // 2], entry
                    self.last[entry] = len(self.names) - 1
        assert not inside and None not in self.last, "a hook has not returned"

    def positions(self, events):
        """After this number of events: [(the next entry, the entry before it that is not recorded yet or None)]."""
        held = [(events + 1, entry) for entry in range(max(0, events - 8), events) if self.last[entry] >= events]
        return {(events, None), *held}

    def after(self, position, name):
        """The positions after an event of this function."""
        entry, held = position
        if held is not None and self.names[held] == name:
            yield entry, None
        if entry < len(self.names) and self.names[entry] == name and (held is None or entry <= self.last[held]):
            yield entry + 1, held
        if held is None and entry < len(self.names) and self.last[entry] > entry and self.names[entry + 1] == name:
            yield entry + 2, entry

    def check(self, lines):
        """All that was printed. Returns how many entries came after those of an interrupt in their hook."""
        events, late, positions = 0, 0, {(0, None)}
        for line in lines:
            if line["kind"] == "lost":
                events += line["count"]
                positions = self.positions(events)
                continue
            assert line["kind"] == "entry", line
            before = positions
            positions = {new for old in before for new in self.after(old, line["function"])}
            assert positions, (events, line, before, self.names[events - 2:events + 4])
            late += all(held is None for _, held in before) and all(held is not None for _, held in positions)
            events += 1
        assert events == len(self.names), (events, len(self.names))
        return late


class Drained:
    """A trace that is printed while the firmware makes as many rounds as it may."""

    def __init__(self, rig, tcl, log):
        self.tcl, self.log = tcl, log
        table = symbols(ELF, TOOLS + "nm")
        self.allowed, self.rested, self.rests = (table[name][0] for name in ("allowed", "rested", "rests"))
        self.process = start("trace", "--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}",
                             "--link-share", "1", "--format", "json")
        # Ends a trace that prints nothing more.
        self.timer = threading.Timer(HANG_S, self.process.kill)
        self.timer.start()
        self.lines, self.events, self.rounds, self.at_rest = [], 0, 0, 0
        self.lost = collections.Counter()

    def line(self):
        text = self.process.stdout.readline()
        assert text, (self.events, self.process.communicate())
        line = json.loads(text)
        lost = line["count"] if line["kind"] == "lost" else 0
        self.lines.append(line)
        self.events += lost or 1
        if lost:
            self.lost[line["reason"]] += lost
        # Each round has one interrupt. The plugin has recorded the lost ones, too.
        if lost:
            self.rounds = Seen.names_in(self.log)[:self.events].count("in_interrupt")
        else:
            self.rounds += line["function"] == "in_interrupt"
        self.at_rest += not lost and line["function"] == "at_rest"

    def allow(self, rounds):
        self.tcl.write(self.allowed, [rounds])
        return rounds

    def finish(self, allowed):
        """Reads all events of these rounds: to the last one, which is at_rest() and may be lost."""
        wait_for("the rounds", lambda: self.tcl.read(self.rested) == [allowed])
        entries, [rests] = len(Seen(self.log).names), self.tcl.read(self.rests)
        while self.events < entries and self.at_rest < rests:
            self.line()
        assert self.events == entries, (self.events, entries, self.lost)

    def in_step(self):
        """The firmware never gets far ahead of what was printed."""
        allowed = 1
        while self.events < EVENTS:
            self.line()
            # A core that got no processor in the middle of an event leaves it unfinished.
            assert set(self.lost) <= {"unfinished"}, self.lost
            if allowed - self.rounds <= AHEAD // 2:
                allowed = self.allow(self.rounds + AHEAD)
        self.finish(allowed)
        return allowed

    def burst(self, allowed):
        self.allow(allowed + BURST)
        self.finish(allowed + BURST)
        return allowed + BURST

    def end(self):
        self.process.send_signal(signal.SIGINT)
        more, said = self.process.communicate()
        assert (self.process.returncode, more) == (0, ""), (self.process.returncode, more, said)


def run(rig, tcl, log):
    halts = rig.stat()["halts"]
    trace = Drained(rig, tcl, log)
    try:
        allowed = trace.in_step()
        in_step, unfinished = trace.events, trace.lost["unfinished"]
        for _ in range(BURSTS):
            allowed = trace.burst(allowed)
        trace.end()
    finally:
        trace.timer.cancel()
        stop(trace.process)
    assert rig.stat()["halts"] == halts
    late = Seen(log).check(trace.lines)
    assert trace.lost["overwritten"] > 0, trace.lost
    counted(f"{BOARD}: {in_step} entries as QEMU has seen them, {unfinished} lost, and {trace.events - in_step} more "
            f"with {trace.lost.total() - unfinished} lost, {late} of them interrupted before they were recorded")


def main():
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "entries")
        words = [PLUGIN, f"out={log}", *(f"at={addr:x}" for place in places() for addr in place)]
        with Rig(ELF, icount=ICOUNT, qemu_args=["-plugin", ",".join(words)]) as rig, Tcl(rig.tcl_port) as tcl:
            run(rig, tcl, log)


main()
