# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes calls of mprof_patched_entry into functions that start with nops, in an ELF file."""

import struct
import subprocess

HOOK = "mprof_patched_entry"
# What -fpatchable-function-entry=N needs, and the nops that it makes of it.
COUNT = {"arm": 3, "riscv": 2, "host": 5}
NOPS = {"arm": (bytes.fromhex("00bf") * 3, bytes.fromhex("c046") * 3),
        "riscv": (bytes.fromhex("0100") * 2, bytes.fromhex("13000000") * 2),
        "host": (bytes.fromhex("90") * 5,)}


def arm_call(site, hook):
    """push {lr}; bl (Armv7-M Architecture Reference Manual, A7.7.18)"""
    offset = hook - (site + 6)
    assert -1 << 24 <= offset < 1 << 24, offset
    sign = offset >> 24 & 1
    one, two = (~(offset >> bit ^ sign) & 1 for bit in (23, 22))
    return struct.pack("<HHH", 0xb500, 0xf000 | sign << 10 | offset >> 12 & 0x3ff,
                       0xd000 | one << 13 | two << 11 | offset >> 1 & 0x7ff)


def riscv_call(site, hook):
    """jal t0 (RISC-V Unprivileged Architecture, 2.5.1)"""
    offset = hook - site
    assert -1 << 20 <= offset < 1 << 20, offset
    return struct.pack("<I", (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 |
                       (offset >> 11 & 1) << 20 | (offset >> 12 & 0xff) << 12 | 5 << 7 | 0x6f)


def host_call(site, hook):
    return b"\xe8" + struct.pack("<i", hook - (site + 5))


CALL = {"arm": arm_call, "riscv": riscv_call, "host": host_call}


def segments(data):
    """(address, offset, bytes) of what is loaded."""
    wide = data[4] == 2
    start, = struct.unpack_from("<Q" if wide else "<I", data, 32 if wide else 28)
    size, count = struct.unpack_from("<HH", data, 54 if wide else 42)
    for at in range(start, start + size * count, size):
        if wide:
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, at)
        else:
            kind, offset, address, _, length = struct.unpack_from("<IIIII", data, at)
        if kind == 1:
            yield address, offset, length


def offset_of(data, address):
    return next(offset + address - start for start, offset, length in segments(data)
                if start <= address < start + length)


def starts(elf, family):
    """{name: address} of functions. On x86 they may begin at odd addresses."""
    found = {}
    for line in subprocess.check_output(["nm", elf], text=True).splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[1] in "tTwW":
            found[fields[2]] = int(fields[0], 16) & ~int(family == "arm")
    return found


def patch(elf, family, wanted):
    """Patches the functions of these names that start with nops. Returns their names."""
    with open(elf, "rb") as file:
        data = bytearray(file.read())
    found, patched = starts(elf, family), []
    for name, start in found.items():
        if name.split(".")[0] not in wanted:
            continue
        at = offset_of(data, start)
        if any(data[at:at + len(nops)] == nops for nops in NOPS[family]):
            call = CALL[family](start, found[HOOK])
            data[at:at + len(call)] = call
            patched.append(name)
    with open(elf, "wb") as file:
        file.write(data)
    return patched
