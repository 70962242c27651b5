# SPDX-License-Identifier: GPL-3.0-or-later
"""Large pprof profiles, the same for the same seed: pairs of runs of two builds.

Everything is drawn by Random.random(), whose sequence Python promises to keep.
"""

import gzip
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from pprof_file import varint  # noqa: E402

FUNCTIONS = 5000
FILES = 400


SMALL = [varint(number) for number in range(1 << 16)]


def short(number):
    return SMALL[number] if number < len(SMALL) else varint(number)


def field(number, value):
    """An int, or bytes."""
    if isinstance(value, int):
        return short(number << 3) + short(value)
    return short(number << 3 | 2) + short(len(value)) + value


class Writer:
    """A profile in the making: parts in the order of pprof's own files, texts at the end."""

    def __init__(self, types):
        self.texts = {"": 0}
        self.parts = [field(1, field(1, self.text(name)) + field(2, self.text(unit)))
                      for name, unit in types]

    def text(self, text):
        return self.texts.setdefault(text, len(self.texts))

    def function(self, number, name, file, line):
        self.parts.append(field(5, field(1, number) + field(2, self.text(name)) +
                                field(3, self.text(name)) + field(4, self.text(file)) +
                                field(5, line)))

    def mapping(self, number, start, limit, file, build_id):
        self.parts.append(field(3, field(1, number) + field(2, start) + field(3, limit) +
                                field(5, self.text(file)) + field(6, self.text(build_id)) +
                                field(7, 1) + field(8, 1) + field(9, 1) + field(10, 1)))

    def location(self, number, address, lines, folded=False):
        self.parts.append(field(4, field(1, number) + field(2, 1) + field(3, address) + b"".join(
            field(4, field(1, function) + field(2, line)) for function, line in lines) +
            (field(5, 1) if folded else b"")))

    def save(self, path, period_type, comments=(), **numbers):
        name, unit = period_type
        self.parts.append(field(11, field(1, self.text(name)) + field(2, self.text(unit))))
        for number, value in (("time", 9), ("duration", 10), ("period", 12)):
            self.parts.append(field(value, numbers[number]))
        if comments:
            self.parts.append(field(13, b"".join(short(self.text(text)) for text in comments)))
        self.parts += [field(6, text.encode()) for text in self.texts]
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 1, file, 0) as packed:
            packed.write(b"".join(self.parts))


def name_of(number):
    parts = ("filter", "buffer", "Scheduler", "decode", "queue", "Transport", "update", "state")
    return (f"{parts[number % 8]}::{parts[number // 8 % 8]}_{number}<{parts[number // 64 % 8]}>"
            f"::run({parts[number // 512 % 8]} const&)")


def write_functions(writer, new):
    """In the new build a function is renamed in a hundred, and all lines are further down."""
    for number in range(FUNCTIONS):
        name = name_of(number) + ("_v2" if new and number % 100 == 0 else "")
        writer.function(number + 1, name, f"/src/module_{number % FILES}/part_{number % FILES}.cpp",
                        10 + number + 3 * new)


def hits_of(dice, function, new):
    """Few places have most of the hits; every fiftieth function is slower in the new build."""
    hits = int(1 / (0.0005 + dice.random()))
    return hits * 5 // 4 + 1 if new and function % 50 == 0 else hits


def deep(path, new, samples, locations=200000):
    """As a profiler of a large service writes it: every sample a stack of its own, 14 frames on the
    average and up to 40, a fifth of the locations with an inlined frame, a tenth of the samples
    with a label."""
    dice = random.Random(5)
    noise = random.Random(6 + new)
    writer = Writer([("samples", "count"), ("cpu", "nanoseconds")])
    key, request = writer.text("request"), [writer.text(f"/api/v1/thing/{n}") for n in range(500)]
    owner = [int(FUNCTIONS * dice.random() ** 3) for _ in range(locations)]
    stacks = []
    for number in range(samples):
        place = int(locations * dice.random())
        stack = short(place + 1)
        if number:
            stack += stacks[int(number * dice.random())]
        stacks.append(stack)
        hits = hits_of(noise, owner[place], new)
        label = b""
        if number % 10 == 0:
            label = field(3, field(1, key) + field(2, request[number // 10 % 500]))
        writer.parts.append(field(2, field(1, stack) + field(
            2, short(hits) + short(hits * 10000000)) + label))
    start = 0x400000 + 0x1230 * new
    writer.mapping(1, start, start + 96 * locations, "/opt/service", f"{new + 0xab:040x}")
    for number, function in enumerate(owner):
        lines = [(function + 1, 10 + function + number % 50)]
        if number % 5 == 0:
            lines.insert(0, (1 + (function * 7 + number) % FUNCTIONS, 10 + number % 90))
        writer.location(number + 1, start + 96 * number + 17, lines)
    write_functions(writer, new)
    writer.save(path, ("cpu", "nanoseconds"), time=1700000000000000000 + new, period=10000000,
                duration=60000000000)


def flat(path, new, samples):
    """As mprof writes it: every sample a block of 16 bytes, an eighth of which two functions
    share; a quarter have inherited hits; a sixth of the functions' code is inlined."""
    dice = random.Random(7)
    noise = random.Random(8 + new)
    writer = Writer([("samples", "count"), ("time", "nanoseconds")])
    inherited = writer.text("inherited")
    start = 0x8000000 + 0x40 * new
    step = samples // FUNCTIONS + 1
    places = []
    number = 0
    for block in range(samples):
        function = block // step
        shared = block % 8 == 7
        number += 2 if shared else 1  # a shared block stands behind its first part
        hits = hits_of(noise, function, new)
        label = field(3, field(1, inherited) + field(3, 1)) if block % 4 == 0 else b""
        writer.parts.append(field(2, field(1, short(number)) +
                                  field(2, short(hits) + short(hits * 1003009)) + label))
        lines = [(function + 1, 10 + function + block % 40)]
        if block % 6 == 0:
            lines.insert(0, (1 + (function * 7 + block) % FUNCTIONS, 10 + block % 90))
        address = start + 16 * block
        if shared:
            places.append((number - 1, address, lines, False))
        places.append((number, address, lines, shared))
        if shared:
            places.append((number + 1, address + 2 * int(1 + 7 * dice.random()),
                           [(min(function + 2, FUNCTIONS), 11 + function)], False))
            number += 1
    writer.mapping(1, start, start + 16 * samples, "fw.elf", f"{new + 0xcd:040x}")
    for place in places:
        writer.location(*place)
    write_functions(writer, new)
    writer.save(path, ("time", "nanoseconds"), time=1700000000000000000 + new, period=1003009,
                duration=60000000000,
                comments=["mprof snapshot 1", "mprof tool=mprof 0.1.0", "mprof elf=fw.elf",
                          "mprof sampler=histogram", "mprof grain=16", "mprof rate=997",
                          "mprof address-size=4", "mprof runs=1", "mprof dropped=1000"])


def arcs(path, new, samples, callers=8):
    """As mprof writes it: calls of functions' entries, each from several places in 2 MB of code;
    two frames a sample and one line a location, so that there is little but samples."""
    dice = random.Random(9)
    noise = random.Random(10 + new)
    writer = Writer([("calls", "count")])
    start = 0x8000000 + 0x40 * new
    count = max(samples // callers, FUNCTIONS)
    for sample in range(samples):
        entry = sample // callers
        caller = int(count * dice.random())
        writer.parts.append(field(2, field(1, short(entry + 1) + short(caller + 1)) +
                                  field(2, short(hits_of(noise, entry * FUNCTIONS // count, new)))))
    writer.mapping(1, start, start + 16 * count, "fw.elf", f"{new + 0xef:040x}")
    for place in range(count):
        function = place * FUNCTIONS // count
        writer.location(place + 1, start + 16 * place, [(function + 1, 10 + function + place % 25)])
    write_functions(writer, new)
    writer.save(path, ("calls", "count"), time=1700000000000000000 + new, period=1,
                duration=60000000000,
                comments=["mprof snapshot 1", "mprof tool=mprof 0.1.0", "mprof elf=fw.elf",
                          "mprof sampler=arcs", "mprof grain=1", "mprof address-size=4",
                          "mprof runs=1"])


KINDS = {"deep": deep, "flat": flat, "arcs": arcs}


def pair(folder, kind, samples):
    """Paths of a base and a new profile, written if they are not there."""
    paths = []
    for new in (0, 1):
        path = pathlib.Path(folder, f"{kind}-{samples}-{'new' if new else 'base'}.pb.gz")
        if not path.exists():
            half = path.with_suffix(".part")
            KINDS[kind](half, new, samples)
            half.rename(path)
        paths.append(path)
    return paths
