# SPDX-License-Identifier: GPL-3.0-or-later
"""What mprof costs on slow debug probes: polls beside a raw read of the same bytes, and what a user's gdb feels.

usage: bench_slow.py FOLDER [-o JSON] [--probe NAME]... [--seconds S], FOLDER with fill-256 and fill-2048.elf

The probes are simulated (tests/rig/README.md, "probe"). A poll's time is what mprof's own JSON says; its bytes are those
that OpenOCD was asked for. The raw read is one read_memory of as many bytes, before and after. All times are medians.
A long read keeps OpenOCD from everyone else; how long another client waits is measured by its "expr 1".
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from pcsr import Waits  # noqa: E402
from rig import Rig, Tcl  # noqa: E402
from support import HANG_S, MPROF, symbols, wait_for  # noqa: E402
from wire import Wire  # noqa: E402
from lines import Lines  # noqa: E402

GDB = "gdb-multiarch"
PROBES = {"fast": "0", "0.2 ms": "200", "1 ms": "1000", "5 ms": "5000", "1 ms, 64 B": "1000:64",
          "100 kB/s": "0:0:100000"}
TABLES = ((256, 11), (256, 256), (2048, 11))
MAGIC = 0x6672706d
FREE = 136  # where s_prof says how many rows are left
POLLS_MIN, POLLS_MAX = 4, 60


def top(elf, rig, delay, tcl_port=None):
    return Lines([str(MPROF), "top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl",
                  f":{tcl_port or rig.tcl_port}", "-d", str(delay), "-n", "1000000", "--format",
                  "json"])


class Table:
    """Firmware that uses so many rows of its table."""

    def __init__(self, folder, items, rows):
        self.elf = f"{folder}/fill-{items}.elf"
        self.items, self.rows = items, rows
        found = symbols(self.elf)
        self.prof, self.size = found["s_prof"]
        self.rows_wanted = found["fill_rows"][0]

    def fill(self, tcl):
        wait_for("mprof_init()", lambda: tcl.read(self.prof)[0] == MAGIC)
        tcl.write(self.rows_wanted, [self.rows])
        wait_for("rows", lambda: tcl.read(self.prof + FREE)[0] == self.items - self.rows)

    def bytes_read(self, wire):
        asked = b"".join(bytes(data) for ours, data in wire.stretches if ours).decode()
        return [int(width) // 8 * int(number) for addr, width, number
                in re.findall(r"read_memory 0x([0-9a-f]+) (\d+) (\d+)", asked)
                if self.prof <= int(addr, 16) < self.prof + self.size]


def polls_of(table, rig, seconds):
    """(times, periods, bytes and requests of a poll) of mprof at its default share of the link."""
    times, ends = [], []
    with Wire(rig.tcl_port) as wire, top(table.elf, rig, 0.01, wire.port) as program:
        for _ in range(2):
            program.line()
        before = table.bytes_read(wire)
        begin = time.monotonic()
        while len(times) < POLLS_MAX and (len(times) < POLLS_MIN or time.monotonic() < begin + seconds):
            shown = json.loads(program.line())
            times.append(shown["link"]["poll_ms"])
            ends.append(shown["time"])
        after = table.bytes_read(wire)[len(before):]
    # A poll that was begun may have been asked for in part.
    periods = [b - a for a, b in zip(ends, ends[1:])]
    return times, periods, round(sum(after) / len(times)), len(after) / len(times)


def raw_ms(table, tcl, size, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        tcl.read(table.prof, size // 4)
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def bench_polls(name, table, rig, seconds):
    with Tcl(rig.tcl_port) as tcl:
        times, periods, size, requests = polls_of(table, rig, seconds)
        raw = raw_ms(table, tcl, size, 5)
        more, _, _, _ = polls_of(table, rig, seconds)
        raw += raw_ms(table, tcl, size, 5)
    poll = statistics.median(times + more)
    reference = statistics.median(raw)
    period = statistics.median(periods) * 1e3
    with Waits(rig.tcl_port) as waits:
        beside, _, _, _ = polls_of(table, rig, seconds)
    wait = waits.longest_ms(len(beside))
    print(f"{name:12} {table.rows:5} of {table.items:5} {size:7} {requests:5.1f} {poll:9.1f} "
          f"{reference:9.1f} {poll / reference:6.2f} {period / poll:7.2f} {wait:9.1f}",
          flush=True)
    what = f"{name}: {table.rows} of {table.items} rows"
    return [{"name": f"{what}: time per poll", "value": round(poll, 3), "unit": "ms",
             "reference": "raw read", "reference_value": round(reference, 3),
             "ratio": round(poll / reference, 3)},
            {"name": f"{what}: bytes per poll", "value": size, "unit": "bytes",
             "reference": "whole table", "reference_value": table.size,
             "ratio": round(size / table.size, 4)},
            {"name": f"{what}: period", "value": round(period, 3), "unit": "ms",
             "reference": "poll", "reference_value": round(poll, 3),
             "ratio": round(period / poll, 3)},
            {"name": f"{what}: wait of another client during a poll, median", "value": round(wait, 3),
             "unit": "ms", "reference": None, "reference_value": None, "ratio": None}]


class User:
    """A user's gdb: steps, and continues to a breakpoint."""

    def __init__(self, elf, port):
        self.gdb = Lines([GDB, "-nx", "-q", "--interpreter=mi3", elf], stdin=subprocess.PIPE)
        self.send(f"-target-select remote :{port}", "*stopped")
        self.send("-break-insert -h mprof_sample", "^done")

    def send(self, command, answer):
        self.gdb.process.stdin.write(command + "\n")
        self.gdb.process.stdin.flush()
        while not self.gdb.line().startswith(answer):
            pass

    def times(self, command, seconds):
        times = []
        begin = time.monotonic()
        while len(times) < 8 or time.monotonic() < begin + seconds:
            before = time.perf_counter()
            self.send(command, "*stopped")
            times.append((time.perf_counter() - before) * 1e3)
        return times

    def close(self):
        self.send("-break-delete", "^done")
        self.send('-interpreter-exec console "monitor resume"', "^done")
        self.gdb.process.stdin.write("-target-detach\n-gdb-exit\n")
        self.gdb.process.stdin.flush()
        self.gdb.process.wait(timeout=HANG_S)


def bench_user(name, table, rig, seconds):
    user = User(table.elf, rig.gdb_port)
    felt = {(what, beside): [] for what in ("stepi", "continue") for beside in ("alone", "-d 1", "-d 0.1")}
    commands = {"stepi": "-exec-step-instruction", "continue": "-exec-continue"}
    for _ in range(2):
        for beside in ("alone", "-d 1", "-d 0.1"):
            program = top(table.elf, rig, beside[3:]) if beside != "alone" else None
            if program:
                for _ in range(2):
                    program.line()
            for what, command in commands.items():
                felt[what, beside] += user.times(command, seconds)
            if program:
                program.__exit__()
    user.close()
    rows = []
    for (what, beside), times in felt.items():
        value, reference = statistics.median(times), statistics.median(felt[what, "alone"])
        rows.append({"name": f"{name}: {what}, {beside}", "value": round(value, 3), "unit": "ms",
                     "reference": "alone", "reference_value": round(reference, 3),
                     "ratio": round(value / reference, 3)})
    texts = [f"{row['value']:8.1f} ({row['ratio']:4.2f})" for row in rows]
    print(f"{name:12} {table.rows:5} of {table.items:5} " + " ".join(texts), flush=True)
    return rows


def run(folder, items, probes, seconds, bench, rows):
    results = []
    table = Table(folder, items, rows)
    with Rig(table.elf, fast=True) as rig:
        with Tcl(rig.tcl_port) as tcl:
            table.fill(tcl)
        for name in probes:
            rig.command(f"probe {PROBES[name]}")
            results += bench(name, table, rig, seconds)
            rig.command("probe 0")
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--probe", action="append", choices=PROBES)
    parser.add_argument("--table", action="append", help="ROWS/ITEMS, like 11/256")
    parser.add_argument("--no-user", action="store_true")
    parser.add_argument("--no-polls", action="store_true")
    parser.add_argument("--seconds", type=float, default=4)
    arguments = parser.parse_args()
    probes = arguments.probe or list(PROBES)
    results = []
    if not arguments.no_polls:
        print(f"{'probe':12} {'rows':>14} {'bytes':>7} {'reads':>5} {'poll ms':>9} {'raw ms':>9} "
              f"{'ratio':>6} {'period':>7} {'wait ms':>9}")
    for items, rows in TABLES:
        if not arguments.no_polls and f"{rows}/{items}" in (arguments.table or f"{rows}/{items}"):
            results += run(arguments.folder, items, probes, arguments.seconds, bench_polls, rows)
    if not arguments.no_user:
        print(f"{'gdb beside':27} " + " ".join(f"{what + ', ' + beside:>15}" for what in
              ("stepi", "continue") for beside in ("alone", "-d 1", "-d 0.1")))
        results += run(arguments.folder, 256, probes, arguments.seconds, bench_user, 11)
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(results, file, indent=1)


main()
