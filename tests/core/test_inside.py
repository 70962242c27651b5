# SPDX-License-Identifier: GPL-3.0-or-later
"""No line or instruction of the example firmware has a number that exact counts refuse.

usage: test_inside.py PLUGIN BOARD=ELF...
In make check it is for the first two; in make soak for all.
"""

import pathlib
import sys

from inside_judge import InsideRun
from support import count, counted

SAMPLES = count(4_000, 100_000)
# A faster core than the default: it waits for the next interrupt, in the loop of main().
SHIFTS = {"motor": 3}
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


def main():
    plugin, *firmware = sys.argv[1:]
    controls = 0
    for word in firmware[:count(2, None)]:
        board, _, elf = word.partition("=")
        name = pathlib.Path(elf).stem
        run = InsideRun(elf, board, plugin, SAMPLES, shift=SHIFTS.get(name, 5))
        checked, control = run.judge(count(3, None))
        controls += control
        if name == "motor":
            check_once(run)
        counted(f"{checked} numbers inside functions of {name}.elf")
    # Hits that are divided by bytes do not pass.
    assert controls > 0


main()
