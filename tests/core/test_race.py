# SPDX-License-Identifier: GPL-3.0-or-later
"""No event is lost and no row is damaged, wherever another event comes in between.

usage: test_race.py PLUGIN BOARD FOLDER, with race-samples, -calls, -arcs and -plain.elf
The last has a port whose stores do not see what came between: the test must find it wanting.
"""

import sys

from machine import Machine, functions, named

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
STUB = ("mprof_sample", "mprof_call", "sample_", "call_", "miss_", "come_late_")
FIELDS = ("trials", "lost", "invalid", "unbound", "promised", "twice", "dropped", "unused",
          "waited")
FAULTS = ("lost", "invalid", "unbound", "promised")
OUTERS, HITS, INNERS = 12, 4, 8

# What makes or renames a row, which a reset waits for.
WRITES = ("insert", "replace", "borrow")

# The most instructions in a row that may keep interrupts away, on a core without exclusive access.
MASKED_MAX = 15


def halfwords(found):
    """A range for every address at which an instruction of the stub can start."""
    return [(f"{addr:x}", (addr, addr + 1)) for start, end in named(found, STUB).values()
            for addr in range(start, end, 2)]


def run(plugin, board, elf, outers=OUTERS):
    """The results by (outer, inner); by outer, where ticks landed and what was executed."""
    found = functions(elf)
    marks = (found["mark_begin"][0], found["mark_end"][0])
    ranges = halfwords(found)
    with Machine(elf, OPTIONS, plugin, ranges, marks, board) as machine:
        lines = machine.output().splitlines()
        paths = [{int(addr, 16) for addr, count in path.items() if count}
                 for path in machine.marked()]
    results = {}
    landed = {}
    for kind, *words in (line.split() for line in lines if line):
        if kind == "race":
            results[tuple(words[:2])] = dict(zip(FIELDS, map(int, words[2:])))
        elif kind == "landed":
            landed[words[0]] = set(map(int, words[1:]))
    assert len(results) == outers * INNERS and len(landed) == len(paths) == outers, lines
    return results, landed, dict(zip(landed, paths))


def total(results, what):
    return sum(result[what] for result in results.values())


def longest_run(path, landed):
    """Instructions of the path, in a row, before which no tick landed."""
    longest = now = 0
    for addr in sorted(path):
        now = 0 if addr in landed else now + 1
        longest = max(longest, now)
    return longest


def check(plugin, board, elf):
    results, landed, paths = run(plugin, board, elf)
    print(f"{elf.rpartition('/')[2]}: {total(results, 'trials')} trials, "
          f"{total(results, 'waited')} resets waited for an insertion to end")
    for outer, path in paths.items():
        masked = longest_run(path, landed[outer])
        print(f"{outer}: a tick before {len(path & landed[outer])} of {len(path)} instructions, "
              f"all but {masked} in a row")
        assert len(path) > 20, outer
        assert masked <= (MASKED_MAX if board == "cortex-m0" else 0), outer
    for (outer, inner), result in results.items():
        assert not any(result[fault] for fault in FAULTS), (outer, inner, result)
        if outer.startswith("hit") and inner in ("same", "present", "two"):
            assert result["dropped"] == 0, (outer, inner, result)
        assert (result["waited"] > 0) == (inner == "reset" and outer.startswith(WRITES)), \
            (outer, inner, result)
    print(f"{total(results, 'twice')} second rows of an address, "
          f"{total(results, 'unused')} rows that found no place")
    return total(results, "trials")


def main():
    plugin, board, folder = sys.argv[1:]
    trials = sum(check(plugin, board, f"{folder}/race-{kind}.elf")
                 for kind in ("samples", "calls", "arcs"))
    results, _, _ = run(plugin, board, f"{folder}/race-plain.elf", HITS)
    print(f"without exclusive access: {total(results, 'lost')} of {total(results, 'trials')} "
          f"trials lost events, {total(results, 'invalid')} left invalid rows, "
          f"{total(results, 'promised')} broke the promise of a row")
    assert total(results, "lost") > 0
    print(f"counted: {trials} trials")


main()
