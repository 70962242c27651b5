# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader that takes one word at a time, while events interrupt each other, believes nothing that
is not so; and nothing is lost.

usage: test_reader.py BOARD FOLDER, with reader-samples, -small and -arcs.elf, and for the soak -long.elf
"""

import sys

from machine import Machine
from support import count

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
FAULTS = ("uncounted", "lost", "unsound", "unbound", "promised")
FIELDS = ("events", *FAULTS, "rows", "fresh", "writing", "stale", "wrong", "naive")


def check(board, elf):
    with Machine(elf, OPTIONS, board=board) as machine:
        kind, *words = machine.output().split()
    assert kind == "reader", kind
    result = dict(zip(FIELDS, map(int, words)))
    print(elf.rpartition("/")[2], result)
    assert not any(result[fault] for fault in FAULTS), result
    assert result["wrong"] == 0, result
    # Without stamps some of what was held back would have been believed, and wrong.
    assert result["naive"] > 20 and result["fresh"] > result["stale"] > 0, result
    print(f"counted: {result['rows']} rows read while {result['events']} events came")


def main():
    board, folder = sys.argv[1:]
    for kind in ("samples", "small", "arcs"):
        check(board, f"{folder}/reader-{kind}{count('', '-long')}.elf")


main()
