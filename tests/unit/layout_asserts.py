# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes C of the tables in docs/layout.md, trace.md and records.md: it compiles if they say what the header does.

usage: layout_asserts.py MD... C_FILE
"""

import re
import sys

HEADING = re.compile(r"### `struct (\w+)`( on a 32-bit core)?, (\d+) bytes")
MEMBER = re.compile(r"\| (\d+) \| (\d+) \| `(\w+)` \|")
# Behind the last member, up to the size: the object's alignment.
FILLING = re.compile(r"\| (\d+) \| (\d+) \| \| \|")
CONSTANT = re.compile(r"\| `(MPROF_\w+)` \| (\w+) \|")


def read(lines):
    """[(struct, only on 32-bit cores, size, [(offset, size, member)])], [(constant, value)]"""
    structs = []
    constants = []
    for line in lines:
        if heading := HEADING.match(line):
            structs.append((heading[1], bool(heading[2]), int(heading[3]), []))
        elif member := MEMBER.match(line):
            structs[-1][3].append((int(member[1]), int(member[2]), member[3]))
        elif filling := FILLING.match(line):
            structs[-1][3].append((int(filling[1]), int(filling[2]), None))
        elif constant := CONSTANT.match(line):
            constants.append(constant.groups())
    return structs, constants


def asserts(structs, constants):
    for name, value in constants:
        yield f'_Static_assert({name} == {value}, "{name}");'
    for name, narrow, size, members in structs:
        if narrow:
            yield "#if UINTPTR_MAX == 0xffffffffU"
        yield f'_Static_assert(sizeof(struct {name}) == {size}, "{name}");'
        end = 0
        for offset, length, member in members:
            if offset != end:
                sys.exit(f"struct {name}: bytes {end} to {offset} are not described")
            end = offset + length
            if member is None:
                continue
            where = f"offsetof(struct {name}, {member}) == {offset}"
            what = f"sizeof(((struct {name} *)0)->{member}) == {length}"
            yield f'_Static_assert({where} && {what}, "{name}.{member}");'
        if end != size:
            sys.exit(f"struct {name}: bytes {end} to {size} are not described")
        if narrow:
            yield "#endif"


def main():
    lines = []
    for page in sys.argv[1:-1]:
        with open(page) as file:
            lines += file
    structs, constants = read(lines)
    if len(structs) != 30 or len(constants) != 86:
        sys.exit(f"{len(structs)} structs and {len(constants)} constants were found in the document")
    with open(sys.argv[-1], "w") as file:
        file.write("#include <mprof/mprof.h>\n\n")
        for line in asserts(structs, constants):
            file.write(line + "\n")


main()
