# SPDX-License-Identifier: GPL-3.0-or-later
"""A task that starts on each tick and ends before the next one takes 30 % of the time. Sampled by
the tick, or by a timer of the same period, it takes 0 %; sampled with jitter, what it takes.

usage: test_tick.py LOCKED_ELF FIXED_ELF JITTERED_ELF PLUGIN
"""

import sys

from chance import plausible
from machine import Machine, functions
from support import count, free_port, sampled, wait_for

# Time goes by instructions: 31.25 million a second.
OPTIONS = ["-icount", "shift=5"]


def measure(elf, plugin, hits):
    """(the task's share of the executed instructions, its hits, all hits)"""
    found = functions(elf)
    port = free_port()
    with Machine(elf, [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"], plugin,
                 sorted(found.items())) as machine:
        wait_for("the firmware runs", lambda: machine.counts()["task"] > 0)
        report = sampled(elf, hits, "--gdb", f":{port}")
        counts = machine.counts()
    hits = sum(row["hits"] for row in report["rows"] if row["function"] == "task")
    exact = counts["task"] / sum(counts.values())
    print(f"{elf.rpartition('/')[2]}: executed {exact:.4f}, {hits} of {report['hits']} hits")
    assert abs(exact - 0.3) < 0.01, exact
    return exact, hits, report["hits"]


def main():
    *blind, jittered, plugin = sys.argv[1:]
    for elf in blind:
        _, hits, total = measure(elf, plugin, count(3000, 100000))
        assert hits < 0.002 * total, (hits, total)
    exact, hits, total = measure(jittered, plugin, count(3000, 200000))
    assert plausible(hits, total, exact), (hits, total, exact)
    print(f"counted: {total} samples with jitter")


main()
