# SPDX-License-Identifier: GPL-3.0-or-later
"""The plugin counts exactly, and its counts can be read while QEMU runs.

usage: test_count.py PLUGIN FIRMWARE_DIR BENCH_ELF
"""

import sys
import time

from machine import Machine, functions

WORK = {"work_a": 0.5, "work_b": 0.3, "work_c": 0.2}


def counts_of_control(plugin, elf):
    found = functions(elf)
    with Machine(elf, ["-semihosting-config", "enable=on,target=native"], plugin,
                 [("control", found["control"])],
                 (found["mark_begin"][0], found["mark_end"][0])) as machine:
        machine.output()
        return machine.marked()[0]["control"], machine.counts()["control"]


def grown(machine, floor):
    """The counts, when work_a's has passed floor."""
    while True:
        counts = machine.counts()
        if counts["work_a"] > floor:
            return counts
        time.sleep(0.02)


def main():
    plugin, firmware, bench = sys.argv[1:]
    assert counts_of_control(plugin, bench) == (10, 10)

    elf = firmware + "/cortex-m3.elf"
    found = functions(elf)
    with Machine(elf, plugin=plugin, ranges=[(name, found[name]) for name in WORK]) as machine:
        first = grown(machine, 20e6)
        second = grown(machine, first["work_a"] + 20e6)
    total = sum(second.values())
    for name, share in WORK.items():
        print(name, second[name], round(second[name] / total, 5))
        assert second[name] > first[name]
        assert abs(second[name] / total - share) < 0.005, name


main()
