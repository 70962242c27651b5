# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries of mprof/isr.h take samples, and go on to whom they should.

usage: test_isr.py BOARD ELF...
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=6", "-semihosting-config", "enable=on,target=native"]
TICK_LOCKED = 1


def main():
    board, *elves = sys.argv[1:]
    for elf in elves:
        with Machine(elf, OPTIONS, board=board) as machine:
            kind, as_many, flags, hits = machine.output().split()
        print(elf.rpartition("/")[2], as_many, flags, hits)
        assert kind == "isr" and int(as_many) and int(flags) == TICK_LOCKED
        assert int(hits) > 190, hits


main()
