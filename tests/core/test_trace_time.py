# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of a trace by SysTick are those of another timer, whatever comes between; and they never go back.

usage: test_trace_time.py BOARD FOLDER
"""

import os
import sys
import tempfile

from machine import Machine
from support import json_lines, mprof

# An instruction takes 1.6 cycles of a Cortex-M3, and 1.02 of a Cortex-M0.
OPTIONS = ["-icount", "shift=6", "-semihosting-config", "enable=on,target=native"]
CPU_HZ = {"cortex-m0": 16000000, "cortex-m3": 25000000}
TESTS = ["plain", "masked", "above", "below", "late", "plain"]
# In cycles. Both timers are read in whole ticks, the Cortex-M0's second one in ticks of two.
BOUND = 6
# What the firmware masks interrupts for, to lose time.
LOST = 40000
# From when a mark reads the second timer until its time is taken.
MARK = 600


def check_found(board, elf, lines):
    assert [line.split()[0] for line in lines] == TESTS, lines
    for line in lines:
        name, *numbers = line.split()
        events, back, early, late, tried = map(int, numbers)
        print(f"{board} {os.path.basename(elf)}, {name}: {events} events, at most {early} cycles early and "
              f"{late} late; {tried} times")
        assert events > 0 and back == 0 and late <= BOUND, line
        assert early <= (LOST if name == "late" else BOUND), line
        assert tried > 0 or name in ("below", "late"), line


def check_printed(board, elf, prof, timed):
    done = mprof("trace", "--elf", elf, "--raw", prof, "--format", "json")
    assert done.returncode == 0 and "no times" not in done.stderr, done.stderr
    events = json_lines(done.stdout)
    assert len(events) == 64 and {one["kind"] for one in events} == {"mark"}, events
    ticks = [one["ticks"] for one in events]
    values = [one["value"] for one in events]
    for tick, value in zip(ticks, values):
        assert abs((tick - ticks[0]) - (value - values[0])) <= MARK, (tick - ticks[0], value - values[0])
    for one in events:
        assert not timed or abs(one["time"] - one["ticks"] / CPU_HZ[board]) < 1e-6, one


def run(board, elf, timed):
    with tempfile.TemporaryDirectory() as folder:
        with Machine(elf, OPTIONS, board=board, folder=folder) as machine:
            check_found(board, elf, machine.output().splitlines())
        check_printed(board, elf, os.path.join(folder, "prof"), timed)


def main():
    board, folder = sys.argv[1:]
    run(board, os.path.join(folder, "trace-time.elf"), True)
    run(board, os.path.join(folder, "trace-time-own.elf"), False)


main()
