# SPDX-License-Identifier: GPL-3.0-or-later
"""A port keeps its contract on the core; one whose interrupts are not masked does not.

usage: test_port.py BOARD FOLDER, with port.elf, port-plain.elf, and maybe port-masked.elf
"""

import pathlib
import sys

from machine import Machine

OPTIONS = ["-semihosting-config", "enable=on,target=native"]


def verdict(board, elf):
    with Machine(elf, OPTIONS, board=board) as machine:
        said = machine.output().strip()
    print(f"{elf.name}: {said}")
    return said


def main():
    board, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for elf in folder.glob("port*.elf"):
        if elf.name == "port-plain.elf":
            assert verdict(board, elf).startswith("mprof_port_mask() masks"), elf
        else:
            assert verdict(board, elf) == "the port keeps its contract", elf


main()
