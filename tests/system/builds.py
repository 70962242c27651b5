# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds without a build-id, and the name that docs/snapshot.md gives them."""

import hashlib
import struct
import subprocess


def nameless(elf, to, objcopy="arm-none-eabi-objcopy"):
    """A copy without the build-id."""
    subprocess.run([objcopy, "--remove-section=.note.gnu.build-id", str(elf), str(to)], check=True)


def segments_hash(elf):
    """As docs/snapshot.md describes it."""
    data = bytearray(elf.read_bytes())
    wide, order = data[4] == 2, "<" if data[5] == 1 else ">"
    table, = struct.unpack_from(order + ("Q" if wide else "I"), data, 32 if wide else 28)
    size, entry, count = struct.unpack_from(order + "HHH", data, 52 if wide else 40)
    headers = [struct.unpack_from(order + ("II4Q" if wide else "5I"), data, table + entry * i)
               for i in range(count)]
    data[:size] = bytes(size)
    data[table:table + entry * count] = bytes(entry * count)
    digest = hashlib.sha1()
    for header in headers:
        offset, addr, length = (header[2], header[3], header[5]) if wide else (*header[1:3], header[4])
        if header[0] == 1 and length:
            digest.update(struct.pack("<QQ", addr, length) + data[offset:offset + length])
    return "seg-" + digest.hexdigest()
