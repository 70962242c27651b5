# SPDX-License-Identifier: GPL-3.0-or-later
"""Executed instructions of the stub on each core, and its size.

usage: bench_stub.py PLUGIN BOARD=FOLDER... [-o JSON] [--check]
--check fails when a limit is passed.
"""

import argparse
import glob
import json
import os
import pathlib
import re
import subprocess
import sys

from machine import Machine, functions, named

# shift=0: a tick that was not asked for is half a second, 500 million instructions, away.
OPTIONS = ["-icount", "shift=0", "-semihosting-config", "enable=on,target=native"]
STUB = ("mprof_sample", "mprof_call", "mprof_isr", "mprof_timer", "mprof_mtimer_entry", "sample_",
        "mprof_count_", "call_", "miss_", "come_late_", "SysTick_Handler", "on_tick", "on_timer",
        "__sanitizer_cov_trace_pc", "count_first")
REFERENCE = ("reference_sample",)
BOARDS = ("cortex-m0", "cortex-m3", "rv32")

FIRST = "reference hit, first row"
MIDDLE = "reference hit, middle row rising"
LAST = "reference hit, last row rising"
MISS = "reference miss"

# What is measured: name, ELF, event, what it is set against; on each board the most that it may be,
# a little above what it is, and the aim, where the project has set one.
ROWS = [
    ("sample: hit, 1st row", "bench", "hit, 1st row", FIRST, (35, 25, 26), (55, 25, 40)),
    ("sample: hit, 2nd row", "bench", "hit, 2nd row", MIDDLE, (43, 30, 32), (55, 30, 40)),
    ("sample: hit, 3rd row", "bench", "hit, 3rd row", MIDDLE, (52, 36, 38), (55, 36, 40)),
    ("sample: hit, 4th row", "bench", "hit, 4th row", LAST, (155, 89, 84), None),
    ("sample: hit, 5th row", "bench", "hit, 5th row", LAST, (163, 97, 90), None),
    ("sample: hit, 6th row", "bench", "hit, 6th row", LAST, (174, 107, 98), None),
    ("sample: new row, 1st", "bench", "insert, 1st row", MISS, (182, 105, 104), (None, 165, None)),
    ("sample: new row, 2nd", "bench", "insert, 2nd row", MISS, (196, 116, 112), (None, 165, None)),
    ("sample: new row, 3rd", "bench", "insert, 3rd row", MISS, (209, 127, 120), (None, 165, None)),
    ("sample: new row, 4th", "bench", "insert, 4th row", MISS, (231, 147, 136), (None, 165, None)),
    ("sample: new row, 5th", "bench", "insert, 5th row", MISS, (241, 156, 143), (None, 165, None)),
    ("sample: new row, 6th", "bench", "insert, 6th row", MISS, (251, 165, 150), (None, 165, None)),
    ("sample: miss, dropped", "bench", "miss, dropped", MISS, (193, 124, 117), (None, 145, None)),
    ("sample: miss, replaced", "bench", "miss, replaced", MISS, (231, 142, 134),
     (None, 145, None)),
    ("sample: miss, dropped, 1st row has the fewest", "bench", "miss, dropped, first least", MISS,
     (215, 135, 128), (None, 145, None)),
    ("sample: miss, 1st row replaced", "bench", "miss, first replaced", MISS, (253, 153, 145),
     (None, 145, None)),
    ("sample: miss, borrowed", "bench", "miss, borrowed", MISS, (252, 145, 147),
     (None, 145, None)),
    ("sample: miss, dropped, short chain", "bench", "miss, dropped, short chain", MISS,
     (186, 111, 112), (None, 145, None)),
    ("sample: hit, 1st row, focus off", "bench-focus", "hit, 1st row", None, (35, 25, 26),
     (35, 25, 26)),
    ("sample: hit, 1st row, focus elsewhere", "bench-focus", "elsewhere, hit, 1st row", None,
     (43, 32, 33), (41, 32, 32)),
    ("sample: hit, 1st row, in the focus", "bench-focus", "focus, hit, 1st row", None, (59, 42, 43),
     (41, 32, 32)),
    ("sample: hit, 1st row, 1st task", "bench-tasks", "hit, 1st row", None, (88, 65, 72), None),
    ("sample: into the stream", "bench-stream", "record", None, (28, 24, 26), (28, 24, None)),
    ("call: hit, 1st row", "bench-calls", "hit, 1st row", None, (37, 26, 28), (None, 26, 28)),
    ("call: hit, 6th row", "bench-calls", "hit, 6th row", None, (174, 109, 100), None),
    ("call: miss, replaced", "bench-calls", "miss, replaced", None, (229, 145, 137), None),
    ("arc: hit, 1st row", "bench-arcs", "hit, 1st row", None, (44, 38, 36), (None, 33, None)),
    ("arc: hit, 6th row", "bench-arcs", "hit, 6th row", None, (204, 130, 119), None),
    ("arc: miss, replaced", "bench-arcs", "miss, replaced", None, (264, 164, 154), None),
    ("coverage: bit, place reached before", "coverage-bench-1", "again", None, (24, 18, 26), None),
    ("coverage: bit, place new", "coverage-bench-1", "first", None, (40, 31, 37), None),
    ("coverage: counter of 8 bits", "coverage-bench-8", "again", None, (36, 28, 35), None),
    ("interrupt: table, bare", "bench-bare", "tick, hit", None, (45, 33, 96), (None, 50, None)),
    ("interrupt: table, fixed", "bench-fixed", "tick, hit", None, (53, 39, 96), (None, 50, None)),
    ("interrupt: table, jittered", "bench", "tick, hit", None, (71, 50, 112), (None, 50, None)),
    ("interrupt: stream, bare", "bench-stream-bare", "tick, hit", None, (46, 32, 100),
     (None, 32, None)),
    ("interrupt: stream, fixed", "bench-stream-fixed", "tick, hit", None, (56, 41, 112), None),
    ("interrupt: stream, jittered", "bench-stream", "tick, hit", None, (76, 57, 129), None),
]

# Bytes, of a program with the table and a timer as its source.
ROM_SMALL = (950, 950, 1315)
ROM_OS = (2140, 1920, 2290)
ROM_O2 = (2780, 2460, 2860)
RAM = (4256, 4256, 4256)
STACK = (96, 64, 64)
STACK_RESET = (112, 96, 112)

# Functions that call each other; what is inlined has no entry of its own.
USUAL = ("on_tick", "on_timer", "mprof_sample_in_time", "sample_all", "miss_items")
RESET = ("on_tick", "on_timer", "mprof_sample_in_time", "sample_some", "mprof_gate",
         "look_at_requests", "mprof_reset", "mprof_clear", "under_way")
NOT_THE_STUB = ("main", "Reset_Handler", "Default_Handler", "vectors", "_start", "hart_main")


def instructions(plugin, board, elf):
    """{name: the most that an event of that name executed}"""
    found = functions(elf)
    ranges = list(named(found, ("control", *STUB, *REFERENCE)).items())
    with Machine(elf, OPTIONS, plugin, ranges, (found["mark_begin"][0], found["mark_end"][0]),
                 board) as machine:
        names = machine.output().splitlines()
        marked = machine.marked()
    assert len(names) == len(marked), (len(names), len(marked))
    most = {}
    for name, counts in zip(names, marked):
        most[name] = max(most.get(name, 0), sum(counts.values()))
    assert most["control"] == 10, most["control"]
    return most


def weigh(elf):
    """(ROM, RAM) of the stub in a program that has little else."""
    rom = ram = 0
    for line in subprocess.check_output(["nm", "-S", elf], text=True).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[3] not in NOT_THE_STUB:
            if fields[2] in "bBdD":
                ram += int(fields[1], 16)
            else:
                rom += int(fields[1], 16)
    return rom, ram


def stack_of(folder, chain):
    used = {}
    for path in glob.glob(f"{folder}/CMakeFiles/size-Os.dir/**/*.su", recursive=True):
        with open(path) as file:
            for line in file:
                place, size, _ = line.split("\t")
                used[place.rpartition(":")[2].partition(".")[0]] = int(size)
    assert used, folder
    return sum(used.get(name, 0) for name in chain)


def measure(plugin, board, folder):
    which = BOARDS.index(board)
    most = {elf: instructions(plugin, board, f"{folder}/{elf}.elf")
            for elf in sorted({row[1] for row in ROWS})}
    rows = []

    def add(name, value, unit, limit, aim=None, reference=None):
        against = most["bench"][reference] if reference else None
        rows.append({"name": f"{board}: {name}", "value": value, "unit": unit,
                     "reference": reference, "reference_value": against,
                     "ratio": against and round(against / value, 2), "limit": limit[which],
                     "aim": aim and aim[which]})

    for name, elf, event, reference, limit, aim in ROWS:
        add(name, most[elf][event], "instructions", limit, aim, reference)
    for level, limit, aim in (("small", ROM_SMALL, (1000, None, None)), ("Os", ROM_OS, None),
                              ("O2", ROM_O2, None)):
        rom, ram = weigh(f"{folder}/size-{level}.elf")
        name = "-Os, MPROF_SMALL" if level == "small" else f"-{level}"
        add(f"ROM {name}", rom, "bytes", limit, aim)
    add("RAM, 256 items", ram, "bytes", RAM, RAM)
    add("stack -Os", stack_of(folder, USUAL), "bytes", STACK, STACK)
    add("stack -Os, at a reset", stack_of(folder, RESET), "bytes", STACK_RESET, STACK)
    return rows


def show(rows):
    print("gcc -O2, most executed instructions of an event (exact)")
    print(f"{'':40} {'mprof':>6} {'aim':>6} {'limit':>6}   "
          f"{'30 items, linear search, bubble up':36} {'ratio':>6}")
    for row in rows:
        against = "" if row["reference"] is None else \
            f"{row['reference_value']:>5}  {row['reference'].removeprefix('reference ')}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f}"
        print(f"{row['name']:40} {row['value']:>6} {row['aim'] or '':>6} {row['limit']:>6}   "
              f"{against:36} {ratio:>6}")


def check_estimate(rows):
    """The cycles that the host takes a timer interrupt for: 1 to 2.2 for each instruction."""
    text = (pathlib.Path(__file__).parents[2] / "cli/target/watch_status.c").read_text()
    cycles = int(re.search(r"#define ARM_EVENT_CYCLES (\d+)", text).group(1))
    for row in rows:
        if row["name"].startswith("cortex") and row["name"].endswith("interrupt: table, jittered"):
            assert row["value"] <= cycles <= 2.2 * row["value"], (row, cycles)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("boards", nargs="+")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    rows = []
    for board, folder in (word.split("=") for word in arguments.boards):
        rows += measure(arguments.plugin, board, folder)
    show(rows)
    over = [row["name"] for row in rows if row["value"] > row["limit"]]
    missed = [row["name"] for row in rows if row["aim"] and row["value"] > row["aim"]]
    print("aims that are not reached: " + (", ".join(missed) or "none"))
    for row in rows:
        del row["limit"], row["aim"]
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(rows, file, indent=1)
    check_estimate(rows)
    if arguments.check and over:
        sys.exit("over the limit: " + ", ".join(over))


main()
