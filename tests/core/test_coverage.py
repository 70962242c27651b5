# SPDX-License-Identifier: GPL-3.0-or-later
"""The intervals that mprof prints hold the true shares of functions, on firmware that is generated:
as often as promised, also if it has more code than the table has rows.

usage: test_coverage.py PLUGIN BOARD FOLDER [KIND...]
FOLDER is where the board's firmware was built. The truth is the plugin's count of instructions in
the same run: see generated.py. MPROF_SOAK=1: all kinds, 20 boots, 60 virtual seconds. The control
is the same tables without their counters of lost hits: the same test must find their intervals wrong.
"""

import json
import os
import pty
import subprocess
import sys
import tempfile

from coverage import Tally, wilson
from generate import KINDS, generate
from generated import PARTS, Firmware
from support import HANG_S, MPROF, count, environment, mprof

BOOTS = count(1, 20)
SECONDS = count(10, 60)
FIRST_SEED = 20260701
SHORT = {"cortex-m0": ("tiny", "wide_phases"), "rv32": ("interrupts", "idle", "wide_phases"),
         "cortex-m3": ("tiny", "interrupts", "idle", "wide_zipf", "wide_phases")}
WIDE = ("wide_equal", "wide_zipf", "wide_phases", "wide_tiny", "wide_huge")
CHANGING = ("phases", "wide_phases", "wide_huge")  # at the start of the last tenth
JUDGED = 0.005
ROUNDED = 1e-6  # a share in JSON
JUDGED_PARTS = [part for part in PARTS if part * SECONDS >= 1]
WINDOW = "window"
CONTROL = "control"


def run_json(*words):
    done = mprof(*words, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def first_output(terminal):
    """Waits until mprof has shown its progress: by then it has read the table."""
    try:
        assert os.read(terminal, 4096)
    except OSError as error:
        raise AssertionError("mprof ended before it had read the table") from error


def difference(elf, before, after, folder):
    """The report of what was counted between two snapshots. `mprof snapshot` reads the first one,
    and then finds the second one in its place."""
    dump, saved = os.path.join(folder, "dump"), os.path.join(folder, "window.pb.gz")
    with open(dump, "wb") as file:
        file.write(before.table)
    ours, its = pty.openpty()
    with subprocess.Popen([str(MPROF), "snapshot", "--elf", elf, "--raw", dump, "--hits", "1",
                           "-o", saved], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=its, env=environment()) as process:
        os.close(its)
        first_output(ours)
        os.replace(after.path, dump)
        assert process.wait(HANG_S) == 0
    os.close(ours)
    return saved


def judge(tally, firmware, shares, *source):
    """Adds the functions whose share is not small, with the intervals that mprof prints for a
    source of hits: those of the ranking, or where a function has no row in it, of `mprof annotate`.
    Returns (hits, lost ones of them)."""
    printed = run_json("report", *source)
    lost = printed["unattributed"]["dropped"]
    rows = {row["function"]: row for row in printed["rows"]}
    for name, share in shares.items():
        if share > JUDGED:
            row = rows.get(name) or run_json("annotate", name, *source)
            if name in rows:
                check_width(row, printed["hits"] + lost)
            tally.add((firmware.kind, name), share, (row["low"], row["high"]),
                      printed["hits"] + lost, name in rows)
    return printed["hits"] + lost, lost


def check_width(row, hits):
    """No interval is narrower than that of counting alone: no chance is in this."""
    low, high = wilson(row["share"], hits)
    assert row["low"] <= low + ROUNDED and high - ROUNDED <= row["high"], (row, low, high)


def control(firmware, snapshot):
    path = snapshot.path + "-control"
    with open(path, "wb") as file:
        file.write(snapshot.without_rest())
    return path


def judge_window(firmware, before, last, tally, folder):
    saved = difference(firmware.elf, before, last, folder)
    hits, _ = judge(tally, firmware, firmware.shares(last, before), saved, "--elf", firmware.elf)
    assert hits == last.events - before.events, (hits, last.events, before.events)


def judge_boot(firmware, seed, tallies):
    """One boot. Returns (blocks of code that were executed, part of the samples that was lost)."""
    with tempfile.TemporaryDirectory() as folder:
        snapshots = firmware.run(seed, SECONDS, folder)
        before, last = snapshots[-2:]
        blocks, lost = firmware.blocks(last), 0
        for part, snapshot in zip(PARTS, snapshots):
            if part in JUDGED_PARTS:
                hits, lost = judge(tallies[part], firmware, firmware.shares(snapshot),
                                   "--elf", firmware.elf, "--raw", snapshot.path)
                assert hits == snapshot.events, (hits, snapshot.events)
        if firmware.kind in WIDE:
            assert blocks > last.rows, (firmware.kind, blocks)
            judge(tallies[CONTROL], firmware, firmware.shares(last), "--elf", firmware.elf,
                  "--raw", control(firmware, last))
        if firmware.kind in CHANGING:
            judge_window(firmware, before, last, tallies[WINDOW], folder)
        return blocks, lost / last.events


def print_line(kind, what, tally, more=""):
    width, exact = tally.width()
    print(f"{kind:12} {what:>7} {len(tally.functions):5} {tally.total:6} "
          f"{100 * tally.pooled:7.2f} {tally.absent:6} {width:7.2f} {exact:7.2f}  {more}", flush=True)


def title(part):
    return part if part in (WINDOW, CONTROL) else f"{part * SECONDS:.3g} s"


def judge_kind(board, folder, kind, plugin):
    """{part of the run, or WINDOW: Tally}"""
    firmware = Firmware(board, folder, kind, plugin)
    tallies = {part: Tally() for part in (*JUDGED_PARTS, WINDOW, CONTROL)}
    for boot in range(BOOTS):
        blocks, lost = judge_boot(firmware, FIRST_SEED + 7919 * boot, tallies)
    for part, tally in tallies.items():
        if tally.total:
            print_line(kind, title(part), tally, f"{blocks} blocks, {100 * lost:.1f} % lost")
    return tallies


def check_generator():
    """The same seed gives the same source, and another one another."""
    assert len(KINDS) >= 12
    for kind in KINDS:
        assert generate(kind, 1) == generate(kind, 1) != generate(kind, 2), kind


def main():
    plugin, board, folder, *kinds = sys.argv[1:]
    check_generator()
    print(f"{board}: boots {BOOTS}, seeds {FIRST_SEED} + 7919 n, {SECONDS} virtual seconds")
    print("kind         until   funcs      n covered absent   width  histogram's, pp")
    all_of = {part: Tally() for part in (*JUDGED_PARTS, WINDOW, CONTROL)}
    for kind in kinds or count(SHORT[board], tuple(KINDS)):
        for part, tally in judge_kind(board, folder, kind, plugin).items():
            all_of[part].join(tally)
    failed = []
    without = all_of.pop(CONTROL)
    print_line("all", CONTROL, without)
    assert without.total == 0 or without.below(), without.pooled
    for part, tally in all_of.items():
        print_line("all", title(part), tally)
        failed += [f"{title(part)}: below 95 %: {what}; worst {tally.worst}" for what in tally.below()]
    assert not failed, "\n".join(failed)
    print(f"counted: {sum(tally.total for tally in all_of.values())} intervals of functions, "
          f"{100 * min(tally.pooled for tally in all_of.values() if tally.total):.1f} % or more hold")


main()
