# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes trace files by docs/tracefile.md, apart from mprof, so that the two can disagree."""

import struct
import zlib

from pprof_file import varint

ENTRY, EXIT, MARK = 0, 1, 2
OVERWRITTEN, UNFINISHED, FULL = 1, 2, 3


def signed(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return varint(len(data)) + data


def numbers(*of):
    return b"".join(map(varint, of))


def chunk(kind, contents=b""):
    head = kind + struct.pack("<I", len(contents))
    return head + struct.pack("<I", zlib.crc32(head + contents)) + contents


class TraceMaker:
    """A file of one recording or more. Functions are (address, name, file, line), or a name."""

    def __init__(self):
        head = b"\x8dmpt\r\n\x1a\n" + struct.pack("<HH", 1, 2)
        self.bytes = head + struct.pack("<I", zlib.crc32(head))
        self.events = None
        self.addresses = {}

    def run(self, *, cores=1, threads=False, time_ns=1700000000 * 10**9, elf="made.elf", build="aa" * 20, address=4):
        """Begins a recording."""
        self.end()
        self.bytes += chunk(b"RUN ", numbers(time_ns, address, cores, int(threads)) + string(build) + string(elf))
        self.events, self.functions, self.points, self.times = [], {}, {}, {}
        return self

    def end(self):
        if self.events is not None:
            contents = b""
            for one in self.events:
                if len(contents) + len(one) > 60000:
                    self.bytes += chunk(b"EVNT", contents)
                    contents = b""
                contents += one
            self.bytes += chunk(b"EVNT", contents) + chunk(b"END ")
            self.events = None
        return self.bytes

    def record(self, kind, contents):
        self.events.append(varint(kind) + varint(len(contents)) + contents)

    def clock(self, hz, core=0, timed=True):
        self.record(5, numbers(core, int(timed), hz))
        return self

    def exception(self, number, name):
        self.record(1, varint(number) + string(name))

    def function(self, function):
        if not isinstance(function, tuple):
            number = self.addresses.setdefault(function, len(self.addresses) + 1)
            function = (0x8000 + 64 * number, function, "src/main.c", number)
        known = function[1] or function[0]
        if known not in self.functions:
            address, name, file, line = function
            self.functions[known] = (len(self.functions), address)
            self.record(0, numbers(address, line) + string(name) + string(file) + string("(u4u4u4*"))
        return self.functions[known]

    def put(self, what, function, ticks, *, core=0, exception=0, caller=0x9001, task=None, words=(), sleep=0):
        """An entry, an exit or a mark, whose function is its id."""
        index, address = (0, function) if what == MARK else self.function(function)
        point = (core, exception, what, address, 0 if what == MARK else caller, index, 0)
        if (point, sleep) not in self.points:
            self.points[point, sleep] = len(self.points)
            if sleep:
                self.record(7, numbers(2, sleep))
            self.record(2, numbers(*point))
        if words or task is not None:
            self.record(6, numbers(*([0] if task is None else [1, task]), len(words), *words))
        self.events.append(varint(8 + self.points[point, sleep]) + signed(ticks - self.times.get(core, 0)))
        self.times[core] = ticks
        return self

    def enter(self, function, ticks, **more):
        return self.put(ENTRY, function, ticks, **more)

    def leave(self, function, ticks, **more):
        return self.put(EXIT, function, ticks, **more)

    def mark(self, number, value, ticks, **more):
        return self.put(MARK, number, ticks, words=(value,), **more)

    def task(self, number, name):
        self.record(7, numbers(1, 2**32 - 3, number, 1) + string(name))

    def sleep(self, rate, time, ticks, **more):
        return self.put(MARK, rate, ticks, words=(time,), sleep=1, **more)

    def wake(self, rate, time, ticks, **more):
        return self.put(MARK, rate, ticks, words=(time,), sleep=2, **more)

    def lost(self, count, core=0, reason=OVERWRITTEN):
        self.record(3, numbers(core, reason, count))
        return self

    def restart(self, core=0):
        self.record(4, varint(core))
        self.times[core] = 0
        return self
