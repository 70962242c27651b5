# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that starts on each tick and ends before the next one takes 30 % of the time. Sampled by
the tick, or by a timer of the same period, it takes 0 %; sampled with jitter, what it takes.

usage: test_tick.py LOCKED_ELF FIXED_ELF JITTERED_ELF PLUGIN
"""

import sys

from machine import Machine, functions
from support import count, free_port, sampled, wait_for

# Time goes by instructions: 31.25 million a second.
OPTIONS = ["-icount", "shift=5"]
# An interval of 95 % may miss.
MARGIN = 0.008


def measure(elf, plugin, hits):
    """(share of the executed instructions that are the task's, the task's row or None)"""
    found = functions(elf)
    port = free_port()
    with Machine(elf, [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"], plugin,
                 sorted(found.items())) as machine:
        wait_for("the firmware runs", lambda: machine.counts()["task"] > 0)
        report = sampled(elf, hits, "--gdb", f":{port}")
        counts = machine.counts()
    rows = [row for row in report["rows"] if row["function"] == "task"]
    exact = counts["task"] / sum(counts.values())
    shown = f"{rows[0]['low']:.4f} to {rows[0]['high']:.4f}" if rows else "no row"
    print(f"{elf.rpartition('/')[2]}: executed {exact:.4f}, profile {shown}")
    assert abs(exact - 0.3) < 0.01, exact
    return exact, rows[0] if rows else None


def main():
    *blind, jittered, plugin = sys.argv[1:]
    for elf in blind:
        _, row = measure(elf, plugin, count(3000, 100000))
        assert row is None or row["share"] < 0.002, row
    exact, row = measure(jittered, plugin, count(10000, 200000))
    assert row is not None
    assert row["low"] - MARGIN <= exact <= row["high"] + MARGIN, (exact, row)


main()
