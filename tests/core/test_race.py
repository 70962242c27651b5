# SPDX-License-Identifier: GPL-3.0-or-later
"""No event is lost and no row is damaged, wherever another event comes in between.

usage: test_race.py PLUGIN RACE_ELF PLAIN_ELF
The second ELF has a port without exclusive access: the same test must find it wanting.
"""

import sys

from machine import Machine, functions, named

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
STUB = ("mprof_sample", "sample_", "miss_", "come_late_")


def halfwords(found):
    """A range for every address at which an instruction of the stub can start."""
    return [(f"{addr:x}", (addr, addr + 1)) for start, end in named(found, STUB).values()
            for addr in range(start, end, 2)]


def run(plugin, elf):
    """The results by (outer, inner); by outer, where ticks landed and what was executed."""
    found = functions(elf)
    marks = (found["mark_begin"][0], found["mark_end"][0])
    with Machine(elf, OPTIONS, plugin, halfwords(found), marks) as machine:
        lines = machine.output(300).splitlines()
        paths = [{int(addr, 16) for addr, count in path.items() if count}
                 for path in machine.marked()]
    results = {}
    landed = {}
    for kind, *words in (line.split() for line in lines if line):
        if kind == "race":
            results[tuple(words[:2])] = dict(zip(
                ("trials", "lost", "invalid", "duplicates", "dropped"), map(int, words[2:])))
        elif kind == "landed":
            landed[words[0]] = set(map(int, words[1:]))
    assert len(results) == 25 and len(landed) == len(paths) == 5, lines
    return results, landed, dict(zip(landed, paths))


def total(results, what):
    return sum(result[what] for result in results.values())


def main():
    plugin, race, plain = sys.argv[1:]
    results, landed, paths = run(plugin, race)
    print(f"{total(results, 'trials')} trials")
    for outer, path in paths.items():
        print(f"{outer}: a tick before each of {len(path & landed[outer])} "
              f"of {len(path)} instructions")
        assert len(path) > 20 and path <= landed[outer], outer
    for (outer, inner), result in results.items():
        assert result["lost"] == 0 and result["invalid"] == 0, (outer, inner, result)
        # An event in the middle of the first one of its address may make a second row of it.
        assert result["duplicates"] == 0 or inner in ("same", "two"), (outer, inner, result)
        if outer.startswith("hit") and inner in ("same", "present", "two"):
            assert result["dropped"] == 0, (outer, inner, result)
    print(f"{total(results, 'duplicates')} second rows, all of an address in its own first event")

    results, _, _ = run(plugin, plain)
    print(f"without exclusive access: {total(results, 'lost')} of {total(results, 'trials')} "
          f"trials lost events, {total(results, 'invalid')} left invalid rows")
    assert total(results, "lost") > 0


main()
