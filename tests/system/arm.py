# SPDX-License-Identifier: GPL-3.0-or-later
"""Small programs for an Arm core that a test compiles, each with a table of hits that is read from a dump."""

import struct
import subprocess

# Where the code and the data of a program are, whose entry is top().
PLACED = ("-Ttext=0x8000", "-Tdata=0x20000000", "-Wl,-e,top")


def build(path, source, *flags):
    """path.elf of path, a .c or .cpp file in which the source is put."""
    path.write_text(source)
    elf = path.with_suffix(".elf")
    compiler = "arm-none-eabi-" + ("gcc" if path.suffix == ".c" else "g++")
    subprocess.run([compiler, "-mcpu=cortex-m3", "-mthumb", "-O1", "-g", "-nostdlib", "-w", *flags, path,
                    "-o", elf], check=True, capture_output=True)
    return elf


def dump(path, rows, room):
    """A dump of the table: rows are (address, hits), of which there is room for so many."""
    assert len(rows) <= room, len(rows)
    path.write_bytes(b"".join(struct.pack("<II", *row) for row in rows).ljust(8 * room, b"\0"))
    return path
