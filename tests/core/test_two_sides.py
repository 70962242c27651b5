# SPDX-License-Identifier: GPL-3.0-or-later
"""A stub on TrustZone's secure side counts the samples of the other side, and looks into none.

usage: test_two_sides.py ELF PLUGIN
"""

import struct
import sys

from chance import plausible
from machine import Machine, functions, hits_by_address, hits_of
from support import Gdb, count, free_port, symbols, wait_for

# Time goes by instructions: 31.25 million a second.
OPTIONS = ["-icount", "shift=5"]
WORK = {"work_a": 0.5, "work_other": 0.4, "work_b": 0.1}
MAGIC = 0x6672706d
HEARTBEAT, OTHER_SIDE = 20, 96


def read(port, addr, size):
    """Memory as the halted core sees it; None where that was the side which may not look."""
    gdb = Gdb(port)
    ran = gdb.attach()
    try:
        return b"".join(gdb.read(addr + at, min(1024, size - at)) for at in range(0, size, 1024))
    except ValueError:
        return None
    finally:
        if ran:
            gdb.detach()
        gdb.close()


def sampled(elf, port, events):
    """The bytes of s_prof, when it has counted this number of events."""
    addr, size = symbols(elf, "nm")["s_prof"]

    def enough():
        data = read(port, addr, size)
        if data is None:
            return None
        magic, = struct.unpack_from("<I", data)
        heartbeat, = struct.unpack_from("<I", data, HEARTBEAT)
        return data if magic == MAGIC and heartbeat >= events else None
    return wait_for("samples", enough)


def main():
    elf, plugin = sys.argv[1:]
    found = functions(elf)
    port = free_port()
    with Machine(elf, [*OPTIONS, "-gdb", f"tcp:127.0.0.1:{port}"], plugin,
                 [(name, found[name]) for name in WORK], board="cortex-m33") as machine:
        wait_for("the other side runs", lambda: machine.counts()["work_other"] > 0)
        data = sampled(elf, port, count(3000, 100000))
        counts = machine.counts()
    heartbeat, = struct.unpack_from("<I", data, HEARTBEAT)
    other, = struct.unpack_from("<I", data, OTHER_SIDE)
    hits = hits_by_address(data)
    seen = {name: hits_of(found[name], hits) for name in WORK}
    print(f"{heartbeat} events, other side {other}, hits {seen}, executed {counts}")
    for name, share in WORK.items():
        exact = counts[name] / sum(counts.values())
        assert abs(exact - share) < 0.01, (name, exact)
        number = other if name == "work_other" else seen[name]
        assert plausible(number, heartbeat, exact), (name, number, heartbeat, exact)
    assert seen["work_other"] == 0
    # The core may have been halted between an event's two counters.
    assert heartbeat - 1 <= sum(hits.values()) + other <= heartbeat
    # No address that was made up from a stack that is not ours.
    assert all(start >> 28 == 1 for start in hits), hits
    print(f"counted: {heartbeat} samples")


main()
