# SPDX-License-Identifier: GPL-3.0-or-later
"""No line or instruction has a number that exact counts refuse: of the example firmware, and of
firmware that is generated.

usage: test_inside.py PLUGIN BOARD=ELF... BOARD=FOLDER...
FOLDER is where a board's generated firmware was built. In make check it is for the first two ELF
files, and a kind of generated firmware that loses samples on the first board; in make soak for all.
"""

import os
import pathlib
import sys

from generate import KINDS
from generated import Firmware
from inside_judge import example_run, generated_run
from support import count, counted

SAMPLES = count(4_000, 100_000)
# A faster core than the default: it waits for the next interrupt, in the loop of main().
SHIFTS = {"motor": 3}
SEED = 20261125
SECONDS = count(4, 60)
# On RV32 none with interrupts: there is no sample while their handlers mask them, but one after.
OTHERS = {
    "cortex-m0": ("tight", "tiny", "recursion", "interrupts", "wide_phases", "wide_huge"),
    "rv32": ("zipf", "tight", "tiny", "recursion", "wide_phases", "wide_tiny"),
}
ONCE = "NVIC_ISER = 1U << TIMER_IRQ;"


def check_once(run):
    """motor.elf: a line that runs once, in whose block a loop begins."""
    main, = run.annotated(function="main")
    line, = [line for line in main.annotation["lines"] if (line["source"] or "").strip() == ONCE]
    assert line["shared"] and line["most"] and (line["hits"], line["share"], line["low"]) == (0, 0, 0), line
    head, _, body = main.text.partition("\nSHARE%")
    assert "hottest lines" in head and ONCE not in head, main.text
    rows = [row for row in body.splitlines() if row.endswith(ONCE)]
    assert rows and all(row.lstrip().startswith(("[0.0, ", "main.c:")) for row in rows), rows
    assert any(row.lstrip().startswith("[0.0, ") for row in rows), rows


def judge_example(plugin, board, elf):
    name = pathlib.Path(elf).stem
    run = example_run(elf, board, plugin, SAMPLES, shift=SHIFTS.get(name, 5))
    checked, control = run.judge(count(3, None))
    if name == "motor":
        check_once(run)
    counted(f"{checked} numbers inside functions of {name}.elf")
    return control


def judge_kind(plugin, board, folder, kind):
    run = generated_run(Firmware(board, folder, kind, plugin), SEED, SECONDS)
    checked, control = run.judge(count(3, None))
    wide = kind.startswith("wide")
    assert not wide or run.lost and control >= count(0, 1), (board, kind, run.lost, control)
    part = 100 * run.lost / (run.report["hits"] + run.lost)
    counted(f"{checked} numbers inside functions of generated {kind}, {board}, "
            f"{part:.1f} % of samples lost")
    return control


def main():
    plugin, *words = sys.argv[1:]
    pairs = [word.split("=", 1) for word in words]
    elves = [pair for pair in pairs if not os.path.isdir(pair[1])]
    folders = [pair for pair in pairs if os.path.isdir(pair[1])]
    controls = sum(judge_example(plugin, *pair) for pair in elves[:count(2, None)])
    for board, folder in folders[:count(1, None)]:
        for kind in count(("wide_zipf",), OTHERS.get(board, tuple(KINDS))):
            controls += judge_kind(plugin, board, folder, kind)
    # Wrong numbers do not pass.
    assert controls > 0


main()
