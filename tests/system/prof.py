# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes of an s_prof that is made up (docs/layout.md), for --raw: numbers that stand still and are known."""

import struct

from support import symbols

MAGIC = 0x6672706d
HEADER = 112
BLOCK = 16
ITEM = 16
GRAIN_SHIFT = 4
ENABLE_ALL = 0xffffffab


def table(items, *, rows=256, size=0, boot=1, heartbeat=None, dropped=0, sample_hz=1000, wide=False):
    """items: (address, hits) or (address, hits, inherited) of a 32-bit little-endian core; a row
    each. size: of the whole, more than the table needs belongs to nothing. wide: of a 64-bit core."""
    entry = struct.Struct("<QIII4x" if wide else "<IIII")
    total = max(size, HEADER + BLOCK + rows * entry.size)
    items = [item if len(item) == 3 else (*item, 0) for item in items]
    if heartbeat is None:
        heartbeat = sum(hits for _, hits, _ in items) + dropped
    header = struct.pack("<IBBBBHHI", MAGIC, 1, 1, 8 if wide else 4, 1, HEADER, 2, total)
    header += struct.pack("<IIIIIIII", boot, heartbeat, len(items), dropped, 0, 0, sample_hz, 0)
    header += struct.pack("<IIIIIIIII", 0, 0, 0, 0, ENABLE_ALL, 0, 0, 0, 0).ljust(48, b"\0")
    header += struct.pack("<IIBBHI", 0, 0, 0, 1, 0, 0)
    assert len(header) == HEADER, len(header)
    block = struct.pack("<BBBBHHII", 1, 1, GRAIN_SHIFT, 0, entry.size, 0, rows, HEADER + BLOCK)
    body = b"".join(entry.pack(address, hits, inherited, stamp)
                    for stamp, (address, hits, inherited) in enumerate(items, 1))
    return (header + block + body).ljust(total, b"\0")


def of_functions(elf, hits, **about):
    """hits: function -> number, or function -> {offset of a block: number}; see table()."""
    places = symbols(elf)
    items = []
    for name, blocks in hits.items():
        start = places[name][0] & ~1
        for offset, count in (blocks if isinstance(blocks, dict) else {0: blocks}).items():
            items.append(((start + offset) & -(1 << GRAIN_SHIFT), count))
    return table(items, size=places["s_prof"][1], **about)
