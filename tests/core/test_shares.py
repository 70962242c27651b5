# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof's shares of an example's functions are those of the instructions that were executed.

usage: test_shares.py BOARD PREFIX ELF [PLUGIN]
The functions are called PREFIXa, b and c. A core runs in QEMU, whose plugin counts in the same run;
the board x86-64 is a process.
"""

import math
import subprocess
import sys

from chance import plausible
from machine import Machine, die_with_parent, functions
from support import count, free_port, sampled, wait_for

WORK = {"a": 0.5, "b": 0.3, "c": 0.2}
# Who calls them; the rest is the stub.
CALLERS = ("main", "mprof_selfcheck")
# Time goes by instructions: 31.25 million a second, whatever the host does meanwhile.
OPTIONS = ["-icount", "shift=5"]


def check(report, exact):
    """The rows of exact, {name: share}, have hits that agree with it, and an interval that is as
    wide as the report's number of samples makes it."""
    rows = {row["function"]: row for row in report["rows"]}
    for name, share in exact.items():
        row = rows[name]
        print(f"{name}: {row['share']:.4f} ({row['low']:.4f} to {row['high']:.4f}), "
              f"executed {share:.4f}")
        assert plausible(row["hits"], report["hits"], share), (row, report["hits"], share)
        deviation = math.sqrt(row["share"] * (1 - row["share"]) / report["hits"])
        assert 3 * deviation < row["high"] - row["low"] < 6 * deviation, row
        assert row["low"] < row["share"] < row["high"], row
    assert report["unattributed"]["dropped"] == 0, report["unattributed"]
    print(f"counted: {report['hits']} samples")


def on_a_core(board, work, elf, plugin):
    found = functions(elf)
    ranges = [(name, found[name]) for name in (*work, *CALLERS) if name in found]
    port = free_port()
    options = [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"]
    with Machine(elf, options, plugin, ranges, board=board) as machine:
        # Before the machine runs, nobody listens at the port.
        wait_for("the firmware runs", lambda: sum(machine.counts().values()) > 0)
        report = sampled(elf, count(3000, 100000), "--gdb", f":{port}")
        counts = machine.counts()
    exact = {name: counts[name] / sum(counts.values()) for name in work}
    for name, share in work.items():
        assert abs(exact[name] - share) < 0.02, exact
    check(report, exact)


def in_a_process(work, elf):
    process = subprocess.Popen([elf], stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
    try:
        check(sampled(elf, count(500, 20000), "--pid", process.pid), work)
    finally:
        process.kill()
        process.wait()


def main():
    board, prefix, elf, *plugin = sys.argv[1:]
    work = {prefix + name: share for name, share in WORK.items()}
    if board == "x86-64":
        in_a_process(work, elf)
    else:
        on_a_core(board, work, elf, *plugin)


main()
