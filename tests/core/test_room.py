# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an example puts things: what the core fetches first is first, the build-id next; s_prof takes no room in the
image and none that start-up code clears; the stack has some.

usage: test_room.py ELF...
"""

import subprocess
import sys

STACK_MIN = 1024


def sections(elf):
    """{name: (type, start, end)}"""
    found = {}
    for line in subprocess.check_output(["readelf", "-SW", elf], text=True).splitlines():
        fields = line.partition("]")[2].split()
        if len(fields) >= 6 and fields[0].startswith("."):
            start = int(fields[2], 16)
            found[fields[0]] = (fields[1], start, start + int(fields[4], 16))
    return found


def symbols(elf):
    """{name: (start, size)}"""
    found = {}
    for line in subprocess.check_output(["nm", "-S", elf], text=True).splitlines():
        fields = line.split()
        if fields[0] != "U" and fields[0] != "w":
            found[fields[-1]] = (int(fields[0], 16), int(fields[1], 16) if len(fields) == 4 else 0)
    return found


def check(elf):
    parts = sections(elf)
    names = symbols(elf)
    where = {name: start for name, (start, _) in names.items()}
    first = where["vectors"] if "vectors" in where else where["_start"]
    begin = ".vectors" if "vectors" in where else ".start"
    order = [parts[name][1] for name in (begin, ".note.gnu.build-id", ".text")]
    assert first == order[0] and order == sorted(order), (elf, hex(first))

    kind, start, end = parts[".mprof"]
    assert (kind, start, end) == ("NOBITS", where["s_prof"], start + names["s_prof"][1]), elf
    assert start % 32 == 0, elf
    for cleared in (("data_start", "data_end"), ("bss_start", "bss_end")):
        low, high = (where[name] for name in cleared)
        assert end <= low or start >= high, (elf, cleared)

    below = max(end for _, _, end in parts.values() if end <= where["stack_top"])
    room = where["stack_top"] - below
    print(f"{elf.rpartition('/')[2]}: s_prof at {start:#x}, {end - start} bytes; stack {room}")
    assert room >= STACK_MIN, elf


def main():
    for elf in sys.argv[1:]:
        check(elf)


main()
