# SPDX-License-Identifier: GPL-3.0-or-later
"""The boot counter survives a reset, and all else starts anew.

usage: test_boot.py BOARD ELF, whose s_prof start-up code leaves alone
"""

import struct
import subprocess
import sys

from machine import Machine, Monitor
from support import Gdb, wait_for

# Events that no run of this test could have.
MANY = 0x70000000
MAGIC = 0x6672706d


def address_of(elf, name):
    for line in subprocess.check_output(["nm", elf], text=True).splitlines():
        if line.split()[-1] == name:
            return int(line.split()[0], 16)
    raise SystemExit(f"{elf} has no {name}")


def main():
    board, elf = sys.argv[1:]
    machine = Machine(elf, board=board)
    place = address_of(elf, "s_prof")
    machine.command += ["-qmp", f"unix:{machine.path('qmp')},server=on,wait=off",
                        "-gdb", f"unix:{machine.path('gdb')},server=on,wait=off"]
    with machine:
        monitor = Monitor(machine.path("qmp"))

        def header(wanted):
            """(boot, heartbeat) when wanted says so."""
            monitor.run("memsave", val=place, size=32, filename=machine.path("header"))
            with open(machine.path("header"), "rb") as file:
                magic, _, _, _, boot, heartbeat, _, _ = struct.unpack("<8I", file.read())
            return (boot, heartbeat) if magic == MAGIC and wanted(boot, heartbeat) else None

        boot, _ = wait_for("events", lambda: header(lambda _, heartbeat: heartbeat > 200))
        assert boot == 1, boot
        gdb = Gdb(machine.path("gdb"))
        gdb.attach()
        gdb.write(place + 20, struct.pack("<I", MANY))
        gdb.detach()
        boot, before = header(lambda *_: True)
        assert boot == 1 and before >= MANY, (boot, before)
        monitor.run("system_reset")
        boot, after = wait_for("another boot", lambda: header(lambda boot, _: boot != 1))
        print(f"boot 1: {before} events, boot {boot}: {after}")
        assert boot == 2 and after < MANY


main()
