# SPDX-License-Identifier: GPL-3.0-or-later
"""Executed instructions of the stub on a Cortex-M3, and its size.

usage: bench_stub.py PLUGIN BENCH_ELF ARCHIVE_O2 ARCHIVE_OS [-o JSON] [--check]
--check fails when a limit is passed.
"""

import argparse
import json
import os
import subprocess
import sys

from machine import Machine, functions, named

# shift=0: a tick that was not asked for is half a second, 500 million instructions, away.
OPTIONS = ["-icount", "shift=0", "-semihosting-config", "enable=on,target=native"]
TABLE = ("mprof_sample", "sample_", "miss_", "come_late_", "SysTick_Handler", "on_tick")
REFERENCE = ("reference_sample",)

# What is measured, what it is set against, and the most that it may be.
ROWS = [
    ("hit, way 1", "reference hit, first row", 36),
    ("hit, way 2", "reference hit, middle row rising", 36),
    ("hit, way 3", "reference hit, middle row rising", 36),
    ("hit, way 4", "reference hit, last row rising", 36),
    ("insert, way 1", "reference miss", 80),
    ("miss, dropped", "reference miss", 64),
    ("miss, replaced", "reference miss", 100),
    ("tick, hit", None, 43),
    ("tick, insert", None, 86),
]

# Bytes at most, a little above what they are.
SIZES = {"ROM -O2": 820, "ROM -Os": 760, "RAM, 256 items": 4212}


def instructions(plugin, elf):
    """{name: the most that an event of that name executed}"""
    found = functions(elf)
    ranges = list(named(found, ("control", *TABLE, *REFERENCE)).items())
    with Machine(elf, OPTIONS, plugin, ranges,
                 (found["mark_begin"][0], found["mark_end"][0])) as machine:
        names = machine.output(60).splitlines()
        marked = machine.marked()
    assert len(names) == len(marked), (len(names), len(marked))
    most = {}
    for name, counts in zip(names, marked):
        most[name] = max(most.get(name, 0), sum(counts.values()))
    assert most["control"] == 10, most["control"]
    return most


def bytes_of(archive):
    """(ROM, RAM) of all objects of an archive."""
    rom = ram = 0
    lines = subprocess.check_output(["arm-none-eabi-size", archive], text=True).splitlines()
    for line in lines[1:]:
        text, data, bss = map(int, line.split()[:3])
        rom += text + data
        ram += data + bss
    return rom, ram


def measure(arguments):
    most = instructions(arguments.plugin, arguments.elf)
    rows = []
    for name, reference, limit in ROWS:
        against = most[reference] if reference else None
        rows.append({"name": name, "value": most[name], "unit": "instructions",
                     "reference": reference, "reference_value": against,
                     "ratio": against and round(against / most[name], 2), "limit": limit})
    rom_o2, ram = bytes_of(arguments.archive_o2)
    rom_os, _ = bytes_of(arguments.archive_os)
    for name, value in (("ROM -O2", rom_o2), ("ROM -Os", rom_os), ("RAM, 256 items", ram)):
        rows.append({"name": name, "value": value, "unit": "bytes", "reference": None,
                     "reference_value": None, "ratio": None, "limit": SIZES[name]})
    return rows


def show(rows):
    print("Cortex-M3, gcc -O2, most executed instructions of an event (exact)")
    heads = f"{'mprof':>6} {'limit':>6}   {'30 items, linear search, bubble up':36} {'ratio':>6}"
    print(" " * 16, heads)
    for row in rows:
        against = "" if row["reference"] is None else \
            f"{row['reference_value']:>5}  {row['reference'].removeprefix('reference ')}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.1f}"
        print(f"{row['name']:16} {row['value']:>6} {row['limit']:>6}   {against:36} {ratio:>6}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "elf", "archive_o2", "archive_os"):
        parser.add_argument(name)
    parser.add_argument("-o", dest="output")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    rows = measure(arguments)
    show(rows)
    over = [row["name"] for row in rows if row["value"] > row["limit"]]
    for row in rows:
        del row["limit"]
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(rows, file, indent=1)
    if arguments.check and over:
        sys.exit("over the limit: " + ", ".join(over))


main()
