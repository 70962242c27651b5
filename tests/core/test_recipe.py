# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of target-stub/README.md takes one sample for each interrupt, says the rate, and varies
the period.

usage: test_recipe.py BOARD ELF
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=6", "-semihosting-config", "enable=on,target=native"]
JITTERED = 2


def main():
    board, elf = sys.argv[1:]
    with Machine(elf, OPTIONS, board=board) as machine:
        said = machine.output().split()
    assert said[:4] == ["recipe", "400", "400", "998"], said
    flags, shortest, mean, longest = map(int, said[4:])
    assert flags & JITTERED, said
    # The periods are the same in each run: 501 to 1503 ticks, 1002 in the mean.
    assert 501 <= shortest < 550 and 1450 < longest <= 1503 and abs(mean - 1002) < 50, said


main()
