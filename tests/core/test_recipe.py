# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes of target-stub/README.md take one sample for each interrupt and say the rate; one varies
the period, and the other one leaves it as it is.

usage: test_recipe.py BOARD ELF FIXED_ELF
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=6", "-semihosting-config", "enable=on,target=native"]
JITTERED = 2


def run(board, elf):
    with Machine(elf, OPTIONS, board=board) as machine:
        return machine.output().split()


def check_random(said):
    assert said[:4] == ["recipe", "400", "400", "998"], said
    flags, shortest, mean, longest = map(int, said[4:])
    assert flags & JITTERED, said
    # The periods are the same in each run: 501 to 1503 ticks, 1002 in the mean.
    assert 501 <= shortest < 550 and 1450 < longest <= 1503 and abs(mean - 1002) < 50, said


def check_fixed(said):
    assert said[:4] == ["recipe", "400", "400", "997"], said
    assert int(said[4]) & JITTERED == 0, said


def main():
    board, elf, fixed = sys.argv[1:]
    check_random(run(board, elf))
    check_fixed(run(board, fixed))


main()
