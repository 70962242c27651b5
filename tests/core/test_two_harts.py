# SPDX-License-Identifier: GPL-3.0-or-later
"""Two harts, a table each: every one has its own functions with their shares, and no others; mprof
shows them all.

usage: test_two_harts.py ELF PLUGIN
"""

import struct
import sys

from machine import Machine, Monitor, functions, hits_by_address, hits_of
from support import count, free_port, sampled, symbols, wait_for

# Time goes by the instructions of both harts: 31.25 million a second.
OPTIONS = ["-smp", "2", "-icount", "shift=5"]
HARTS = ({"work_a": 0.5, "work_b": 0.3, "work_c": 0.2}, {"work_d": 0.7, "work_e": 0.3})
# QEMU goes from hart to hart when a timer is due: not quite in a random place of either's work. Chance alone takes
# 3,000 samples so far off once in 10^25 runs.
MARGIN = 0.1
MAGIC, EVENTS = 0, 5


def objects(machine, monitor, elf):
    """The bytes of each hart's object."""
    addr, size = symbols(elf, "nm")["s_prof"]
    monitor.run("pmemsave", val=addr, size=size, filename=machine.path("dump"))
    with open(machine.path("dump"), "rb") as file:
        data = file.read()
    each = size // len(HARTS)
    return [data[each * hart:each * (hart + 1)] for hart in range(len(HARTS))]


def sampled_objects(machine, monitor, elf, hits):
    """The objects, when each has counted this number of events."""
    def enough():
        found = objects(machine, monitor, elf)
        headers = [struct.unpack_from("<8I", data) for data in found]
        ready = all(header[MAGIC] == 0x6672706d and header[EVENTS] >= hits for header in headers)
        return found if ready else None
    return wait_for("samples of both harts", enough)


def check_tables(each, found, counts):
    for hart, wanted in enumerate(HARTS):
        hits = hits_by_address(each[hart])
        seen = {name: hits_of(found[name], hits) for work in HARTS for name in work}
        executed = sum(counts[name] for name in wanted)
        print(f"hart {hart}: {seen}")
        for name, number in seen.items():
            exact = counts[name] / executed if name in wanted else 0
            assert abs(exact - wanted.get(name, 0)) < 0.01, (name, exact)
            assert abs(number / sum(seen.values()) - exact) < MARGIN, (name, exact)
            assert name in wanted or number == 0, (hart, name)


def check_report(report, counts):
    """The hits of both tables. QEMU does not run the harts equally often, but each is sampled at the
    same rate."""
    rows = {row["function"]: row for row in report["rows"]}
    for wanted in HARTS:
        executed = sum(counts[name] for name in wanted)
        for name in wanted:
            exact = counts[name] / executed / len(HARTS)
            row = rows[name]
            print(f"{name}: {row['low']:.4f} to {row['high']:.4f}, executed {exact:.4f}")
            assert row["low"] - MARGIN <= exact <= row["high"] + MARGIN, row


def main():
    elf, plugin = sys.argv[1:]
    found = functions(elf)
    port = free_port()
    names = [name for hart in HARTS for name in hart]
    machine = Machine(elf, [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"], plugin,
                      [(name, found[name]) for name in names], board="rv32")
    machine.command += ["-qmp", f"unix:{machine.path('qmp')},server=on,wait=off"]
    with machine:
        monitor = Monitor(machine.path("qmp"))
        each = sampled_objects(machine, monitor, elf, count(3000, 100000))
        check_tables(each, found, machine.counts())
        report = sampled(elf, count(6000, 200000), "--gdb", f":{port}")
        check_report(report, machine.counts())
    print(f"counted: {report['hits']} samples of {len(HARTS)} harts")


main()
