# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipe of target-stub/README.md takes one sample for each interrupt and says the rate.

usage: test_recipe.py BOARD ELF
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=6", "-semihosting-config", "enable=on,target=native"]


def main():
    board, elf = sys.argv[1:]
    with Machine(elf, OPTIONS, board=board) as machine:
        said = machine.output().split()
    assert said == ["recipe", "100", "100", "997"], said


main()
