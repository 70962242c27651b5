# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes of an s_prof that is made up (docs/layout.md), for --raw: numbers that stand still and are known."""

import struct

from support import symbols

MAGIC = 0x6672706d
HEADER = 112
BLOCK = 16
LEAD = 16
GRAIN_SHIFT = 4
ENABLE_ALL = 0xffffffab


def table(items, *, rows=256, size=0, boot=1, heartbeat=None, rest=(), sample_hz=1000, wide=False):
    """items: (address, hits) of a 32-bit little-endian core; a row each. rest: (region, events) of
    those that no row has. size: of the whole, more than the table needs belongs to nothing. wide: of
    a 64-bit core."""
    row = struct.Struct("<QIHH" if wide else "<IIHH")
    lost = [0] * (rows // 2)
    for region, events in rest:
        lost[region] += events
    if heartbeat is None:
        heartbeat = sum(hits for _, hits in items) + sum(lost)
    total = max(size, HEADER + BLOCK + LEAD + (rows + 1) * row.size + 4 * len(lost) + 2 * rows)
    header = struct.pack("<IBBBBHHI", MAGIC, 1, 2, 8 if wide else 4, 1, HEADER, 2, total)
    header += struct.pack("<IIIIIIII", boot, heartbeat, 1, 0, 0, 0, sample_hz, 0)
    header += struct.pack("<IIIIIIIII", 0, 0, 0, 0, ENABLE_ALL, 0, 0, 0, 0).ljust(48, b"\0")
    header += struct.pack("<IIBBHI", 0, 0, 0, 1, 0, 0)
    assert len(header) == HEADER, len(header)
    block = struct.pack("<BBBBHHII", 6, 1, GRAIN_SHIFT, 0, row.size, 0, rows, HEADER + BLOCK + LEAD)
    lead = struct.pack("<IIII", 0, 0, rows - len(items), any(lost))
    body = b"".join(row.pack(address, hits, 0, 0) for address, hits in items)
    body += row.pack(1, 0, 0, 0) * (rows + 1 - len(items)) + struct.pack(f"<{len(lost)}I", *lost)
    return (header + block + lead + body).ljust(total, b"\0")


def of_functions(elf, hits, **about):
    """hits: function -> number, or function -> {offset of a block: number}; see table()."""
    places = symbols(elf)
    items = []
    for name, blocks in hits.items():
        start = places[name][0] & ~1
        for offset, count in (blocks if isinstance(blocks, dict) else {0: blocks}).items():
            items.append(((start + offset) & -(1 << GRAIN_SHIFT), count))
    return table(items, size=places["s_prof"][1], **about)
