# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes files of snapshots, apart from mprof, so that the two can disagree: pprof profiles with the
functions and hits that a test wants, and what all writers of such files are made of."""

import gzip
import pathlib

GRAIN = 16


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def message(*fields):
    """Of (number, value): an int, bytes, or a list that is packed."""
    out = []
    for field, value in fields:
        if isinstance(value, int):
            out.append(varint(field << 3) + varint(value))
            continue
        if isinstance(value, list):
            value = b"".join(map(varint, value))
        out.append(varint(field << 3 | 2) + varint(len(value)) + value)
    return b"".join(out)


class Texts:
    """The number of each text, str or bytes, in the order in which they come."""

    def __init__(self):
        self.numbers = {"": 0}

    def __call__(self, text):
        return self.numbers.setdefault(text, len(self.numbers))

    def fields(self, number):
        return [(number, text if isinstance(text, bytes) else text.encode())
                for text in self.numbers]


def retimed(path, to, time_s, seconds):
    """A copy of a profile as a run of its own, of that time: of fields that come twice the last one counts."""
    data = gzip.decompress(pathlib.Path(path).read_bytes())
    data += message((9, time_s * 10**9), (10, seconds * 10**9))
    pathlib.Path(to).write_bytes(gzip.compress(data))
    return to


def profile(hits, *, build="aa" * 20, elf="fw.elf", unit="samples", seconds=10, rate=1000,
            conditions=(), ours=True, start=0x10000, called=False, file="src/main.c", time_s=1_700_000_000,
            iterations=0):
    """hits: {function: hits} or {(function, file): hits}; a function of None has no name. Each one
    is a block of 16 bytes of its own; a list of counts is that of several runs, seconds each, with
    iterations each. called: all are called from the first one."""
    text, runs = Texts(), 0
    fields = [(1, message((1, text(unit)), (2, text("count"))))]
    mapping = [(1, 1), (2, start), (3, start + GRAIN * (len(hits) + 1)), (5, text(elf)),
               (6, text(build)), (7, 1), (8, 1), (9, 1)]
    for number, (name, count) in enumerate(hits.items(), 1):
        function, where = name if isinstance(name, tuple) else (name, file)
        for run, part in enumerate(count if isinstance(count, list) else [count], 1):
            label = [(3, message((1, text("run")), (3, run)))] if isinstance(count, list) else []
            fields.append((2, message((1, [number, 1] if called else [number]), (2, [part]), *label)))
            runs = run if label else 0
        line = [] if function is None else [(4, message((1, number), (2, 10 * number)))]
        fields.append((4, message((1, number), (2, 1), (3, start + GRAIN * number), *line)))
        if function is not None:
            fields.append((5, message((1, number), (2, text(function)), (3, text(function)),
                                      (4, text(where or "")), (5, 10 * number))))
    fields.append((3, message(*mapping)))
    words = [f"grain={GRAIN}", f"elf={elf}", "address-size=4", "runs=1", *conditions]
    for run in range(runs):
        began, events = time_s + seconds * run, sum(count[run] for count in hits.values())
        words.append(f"run={run + 1} {began * 10**9} {seconds * 10**9} 0 0 0 {events} {iterations}")
    if rate:
        words.append(f"rate={rate}")
    if ours:
        fields += [(13, [text("mprof snapshot 1"), *(text("mprof " + word) for word in words)])]
    if seconds:
        fields.append((10, int(seconds * 1e9) * max(runs, 1)))
    fields += [(9, time_s * 10**9)]
    return gzip.compress(message(*fields, *text.fields(6)), mtime=0)


def write(path, hits, **about):
    pathlib.Path(path).write_bytes(profile(hits, **about))
    return str(path)
