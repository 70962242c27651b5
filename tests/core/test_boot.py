# SPDX-License-Identifier: GPL-3.0-or-later
"""The boot counter survives a reset, and all else starts anew.

usage: test_boot.py BOARD ELF, whose s_prof start-up code leaves alone
"""

import struct
import subprocess
import sys
import time

from machine import Machine, Monitor


def address_of(elf, name):
    for line in subprocess.check_output(["nm", elf], text=True).splitlines():
        if line.split()[-1] == name:
            return int(line.split()[0], 16)
    raise SystemExit(f"{elf} has no {name}")


def main():
    board, elf = sys.argv[1:]
    machine = Machine(elf, board=board)
    machine.command += ["-qmp", f"unix:{machine.path('qmp')},server=on,wait=off"]
    with machine:
        monitor = Monitor(machine.path("qmp"))

        def boot_and_heartbeat(wanted):
            """(boot, heartbeat) when wanted says so."""
            end = time.monotonic() + 30
            words = None
            while time.monotonic() < end:
                monitor.run("memsave", val=address_of(elf, "s_prof"), size=32,
                            filename=machine.path("header"))
                with open(machine.path("header"), "rb") as file:
                    words = struct.unpack("<8I", file.read())
                if words[0] == 0x6672706d and wanted(words[4], words[5]):
                    return words[4], words[5]
                time.sleep(0.01)
            raise SystemExit(f"in 30 s the header did not become what it should: {words}")

        boot, before = boot_and_heartbeat(lambda boot, heartbeat: heartbeat > 200)
        assert boot == 1, boot
        monitor.run("system_reset")
        boot, after = boot_and_heartbeat(lambda boot, heartbeat: boot != 1)
        print(f"boot 1: {before} events, boot {boot}: {after}")
        assert boot == 2 and after < before


main()
