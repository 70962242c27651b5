# SPDX-License-Identifier: GPL-3.0-or-later
"""An interrupt moves the focus at any instruction of an event: no count is lost, or another place's.

usage: test_focus_race.py BOARD ELF
"""

import sys

from machine import Machine

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
FIELDS = ("moves", "events", "unserved", "mixed", "lost", "extra")


def main():
    board, elf = sys.argv[1:]
    with Machine(elf, OPTIONS, board=board) as machine:
        result = dict(zip(FIELDS, map(int, machine.output().split())))
    print(result)
    assert not any(result[fault] for fault in FIELDS[2:]), result
    # Else events were not interrupted at each of their instructions.
    assert result["moves"] > 50000 and result["events"] > result["moves"] / 4, result


main()
