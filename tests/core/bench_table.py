# SPDX-License-Identifier: GPL-3.0-or-later
"""The stub's table beside the one until ABI 1.1, of as many rows: streams of program counters are
presented to both, on each core.

usage: bench_table.py COUNT_PLUGIN PCS_PLUGIN FIRMWARE BOARD=FOLDER... [-o JSON] [--check]
FIRMWARE is the folder of the example firmware, whose program counters are recorded; other streams
are generated, of programs with many more blocks than rows. --check fails if the recorded streams
take more instructions than with the old table (by 2 %), or the busiest blocks are found less often, or if
the table loses anything before it is full; make check takes two streams.
"""

import argparse
import collections
import itertools
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from machine import BOARDS, HANG_S, Machine, functions, named
from support import SOAK

ROWS = 256
BLOCK = 16
EVENTS = 20000
APART = 300
SEED = 20261125
# The functions that count, without what answers the host.
TABLES = {"new": ("mprof_sample_in_time", "sample_all", "miss_"),
          "old": ("old_sample_in_time", "old_miss", "old_come_late")}
STREAM_AT = {"rv32": 0x80200000}
EXAMPLES = ("cortex-m3", "contexts", "motor", "cortex-m3-many", "selfcheck-cortex-m3")
# Functions of generated programs, and the exponent of Zipf's law.
MADE = ((40, 1.2), (120, 1.0), (400, 1.0), (400, 0.8))
FILL_MIN = 0.95
KINDS = ("recorded", "generated")


def recorded(plugin, elf, folder):
    """The program counters of an example, at random distances."""
    out = f"{folder}/pcs"
    subprocess.run([*BOARDS["cortex-m3"], "-kernel", elf, "-display", "none", "-monitor", "none",
                    "-serial", "none", "-icount", "shift=5", "-plugin",
                    f"{plugin},out={out},samples={EVENTS},apart={APART}"], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=HANG_S)
    with open(out, "rb") as file:
        return list(struct.unpack(f"<{EVENTS}I", file.read()[4:]))


def made(count, exponent):
    """A program of functions of 32 bytes to 1 KB; four samples of five are in a loop of each."""
    draw = random.Random(f"{SEED} {count} {exponent}")
    weights = [(i + 1) ** -exponent for i in range(count)]
    draw.shuffle(weights)
    starts, sizes, at = [], [], 0x8000
    for _ in range(count):
        starts.append(at)
        sizes.append(int(32 * 2 ** (5 * draw.random())) & ~1)
        at += (sizes[-1] + 3) & ~3
    loops = [(int(draw.random() * size) // 2, size // 8 + 16) for size in sizes]
    events = []
    for i in draw.choices(range(count), weights, k=EVENTS):
        start, size = loops[i] if draw.random() < 0.8 else (0, sizes[i])
        events.append(starts[i] + min(start + int(draw.random() * size), sizes[i] - 1) & ~1)
    return events


def streams(plugin, firmware, folder, few):
    for name in ["cortex-m3-many"] if few else EXAMPLES:
        yield "recorded", name, recorded(plugin, f"{firmware}/{name}.elf", folder)
    for count, exponent in MADE[:1] if few else MADE:
        yield "generated", f"{count} functions, Zipf {exponent}", made(count, exponent)


def replay(plugin, board, folder, table, path):
    """What a table made of a stream: instructions and losses of all events, rows in use at the
    first loss (0: none), {address: hits}."""
    elf = f"{folder}/replay-{table}.elf"
    found = functions(elf)
    options = ["-icount", "shift=0", "-semihosting-config", "enable=on,target=native", "-device",
               f"loader,file={path},addr={STREAM_AT.get(board, 0x20000):#x},force-raw=on"]
    with Machine(elf, options, plugin, list(named(found, TABLES[table]).items()),
                 (found["mark_begin"][0], found["mark_end"][0]), board) as machine:
        first, *rows = machine.output().splitlines()
        executed, = machine.marked()
    events, lost, filled = map(int, first.split())
    assert events == EVENTS, first
    hits = {addr: hits for addr, hits in (map(int, row.split()) for row in rows) if hits}
    return sum(executed.values()), lost, filled, hits


def code_bytes(folder, table):
    """Bytes of the functions that count."""
    found = named(functions(f"{folder}/replay-{table}.elf"), TABLES[table])
    return sum(end - start for start, end in found.values())


def recall(events, hits):
    """The part of the true ten busiest blocks that are among the table's ten."""
    counts = collections.Counter(pc & -BLOCK for pc in events)
    truth = [block for block, _ in counts.most_common(10)]
    shown = sorted(hits, key=hits.get, reverse=True)[:len(truth)]
    return sum(block in shown for block in truth) / len(truth)


def measure(plugin, boards, all_streams, folder):
    """One row for each board, stream and table."""
    path = f"{folder}/stream"
    for kind, name, events in all_streams:
        with open(path, "wb") as file:
            file.write(struct.pack(f"<{len(events) + 1}I", len(events), *events))
        blocks = len({pc & -BLOCK for pc in events})
        for board, firmware in boards.items():
            for table in TABLES:
                executed, lost, filled, hits = replay(plugin, board, firmware, table, path)
                yield {"board": board, "kind": kind, "stream": name, "blocks": blocks,
                       "table": table, "bytes": code_bytes(firmware, table),
                       "instructions": executed / EVENTS, "lost": lost / EVENTS,
                       "full_at_loss": filled / ROWS if lost else None,
                       "recall": recall(events, hits)}


def mean(rows, board, kind, table, what):
    values = [row[what] for row in rows
              if (row["board"], row["kind"], row["table"]) == (board, kind, table)]
    return sum(values) / len(values)


def check(rows, boards):
    """What is not as it should be."""
    for row in rows:
        if row["table"] == "new" and row["lost"] and row["full_at_loss"] < FILL_MIN:
            yield f"{row['board']}, {row['stream']}: loses at {row['full_at_loss']:.0%} of the rows"
    for board in boards:
        # On a Cortex-M0 the two are equal, and either may need a little less for one stream.
        for kind, what, sign, near in (("recorded", "instructions", 1, 1.02),
                                       ("recorded", "recall", -1, 1), ("generated", "recall", -1, 1)):
            new, old = (mean(rows, board, kind, table, what) for table in ("new", "old"))
            if sign * new > sign * old * near:
                yield f"{board}, {kind}: mean {what} {new:.2f}, of the old table {old:.2f}"


def show(rows, boards):
    print(f"Tables of {ROWS} rows, {EVENTS} samples of each stream; seed {SEED}")
    print(f"{'core':10} {'stream':28} {'blocks':>6}  {'table':5} {'instr.':>6} {'lost':>6} "
          f"{'first loss':>10} {'recall':>6}")
    for row in rows:
        full = "none" if row["full_at_loss"] is None else f"{row['full_at_loss']:.0%} full"
        print(f"{row['board']:10} {row['stream']:28} {row['blocks']:6}  {row['table']:5} "
              f"{row['instructions']:6.1f} {row['lost']:6.1%} {full:>10} {row['recall']:6.0%}")
    for board, table in itertools.product(boards, TABLES):
        size = next(row["bytes"] for row in rows if (row["board"], row["table"]) == (board, table))
        for kind in KINDS:
            instructions, lost, found = (mean(rows, board, kind, table, what)
                                         for what in ("instructions", "lost", "recall"))
            print(f"{board:10} {'mean, ' + kind:28} {'':6}  {table:5} {instructions:6.1f} "
                  f"{lost:6.1%} {'':>10} {found:6.0%}   {size} bytes of code")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count_plugin")
    parser.add_argument("pcs_plugin")
    parser.add_argument("firmware")
    parser.add_argument("boards", nargs="+")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    boards = dict(word.split("=") for word in arguments.boards)
    with tempfile.TemporaryDirectory() as folder:
        found = list(streams(arguments.pcs_plugin, arguments.firmware, folder,
                             few=arguments.check and not SOAK))
        rows = list(measure(arguments.count_plugin, boards, found, folder))
    show(rows, boards)
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(rows, file, indent=1)
    wrong = list(check(rows, boards))
    print("not better than the old table: " + ("; ".join(wrong) or "none"))
    if arguments.check and wrong:
        sys.exit(1)
    print(f"counted: {len(rows)} runs of {len(found)} streams of samples")


main()
