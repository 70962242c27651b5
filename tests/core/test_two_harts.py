# SPDX-License-Identifier: GPL-3.0-or-later
"""Two harts, a profile each: every one has its own functions with their shares, and no others.

usage: test_two_harts.py ELF PLUGIN
"""

import json
import struct
import sys

from machine import Machine, Monitor, functions
from support import count, mprof, symbols, wait_for

# Time goes by the instructions of both harts: 31.25 million a second.
OPTIONS = ["-smp", "2", "-icount", "shift=5"]
HARTS = ({"work_a": 0.5, "work_b": 0.3, "work_c": 0.2}, {"work_d": 0.7, "work_e": 0.3})
MARGIN = 0.01
MAGIC = 0x6672706d


def objects(machine, monitor, elf):
    """The bytes of each hart's object."""
    addr, size = symbols(elf, "nm")["s_prof"]
    monitor.run("pmemsave", val=addr, size=size, filename=machine.path("dump"))
    with open(machine.path("dump"), "rb") as file:
        data = file.read()
    each = size // len(HARTS)
    return [data[each * hart:each * (hart + 1)] for hart in range(len(HARTS))]


def sampled(machine, monitor, elf, hits):
    """The objects, when each has so many events."""
    def enough():
        found = objects(machine, monitor, elf)
        headers = [struct.unpack_from("<8I", data) for data in found]
        return found if all(header[0] == MAGIC and header[5] >= hits for header in headers) else None
    return wait_for("samples of both harts", enough, 60)


def check(hart, rows, counts):
    """The rows of a hart are its functions, as they were executed."""
    wanted = HARTS[hart]
    total = sum(counts[name] for name in wanted)
    assert [row["function"] for row in rows[:len(wanted)]] == list(wanted), rows
    for row in rows[:len(wanted)]:
        exact = counts[row["function"]] / total
        print(f"hart {hart}: {row['function']} {row['share']:.4f} "
              f"({row['low']:.4f} to {row['high']:.4f}), executed {exact:.4f}")
        assert abs(exact - wanted[row["function"]]) < 0.01, exact
        assert row["low"] - MARGIN <= exact <= row["high"] + MARGIN, row
    strangers = {name for other in HARTS if other is not wanted for name in other}
    assert not strangers & {row["function"] for row in rows}, rows


def main():
    elf, plugin = sys.argv[1:]
    found = functions(elf)
    names = [name for hart in HARTS for name in hart]
    machine = Machine(elf, OPTIONS, plugin, [(name, found[name]) for name in names], board="rv32")
    machine.command += ["-qmp", f"unix:{machine.path('qmp')},server=on,wait=off"]
    with machine:
        monitor = Monitor(machine.path("qmp"))
        each = sampled(machine, monitor, elf, count(3000, 100000))
        counts = machine.counts()
        for hart in range(len(HARTS)):
            # A dump has the size of s_prof; its first object is the one that is looked at.
            with open(machine.path("raw"), "wb") as file:
                file.write(b"".join(each[hart:] + each[:hart]))
            result = mprof("report", "--elf", elf, "--raw", machine.path("raw"), "--format", "json")
            assert result.returncode == 0, result.stderr
            check(hart, json.loads(result.stdout)["rows"], counts)


main()
