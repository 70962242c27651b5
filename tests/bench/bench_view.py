# SPDX-License-Identifier: GPL-3.0-or-later
"""What names, lines and inlined functions of a large ELF file cost, beside gdb, addr2line and llvm-symbolizer; and what
the live screen costs that shows them (steady.py).

usage: bench_view.py ELF SYMBOLIZE [-o JSON] [--rounds N] [--addresses N] [--seconds N]

All programs take turns in each round and see the same scattered addresses; times are medians, memory is the most that
was seen. Answers are compared one by one, and what differs is put into classes with a count each. Exit status 1: a
difference that no class explains.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import steady

SEED = 6
LIMIT_ANON_KB = 64 * 1024


class Run:
    """A program that is run once a round, from start to end."""

    def __init__(self, name, arguments, addresses=None):
        self.name = name
        self.arguments = [str(one) for one in arguments]
        self.addresses = addresses
        self.wall, self.cpu, self.steps = [], [], []
        self.text = ""

    def once(self):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as out, \
                tempfile.TemporaryFile("w+", encoding="utf-8") as errors, \
                open(self.addresses or os.devnull, encoding="utf-8") as addresses:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            begin = time.monotonic()
            subprocess.run(self.arguments, stdin=addresses, stdout=out, stderr=errors, check=True, timeout=600)
            self.wall.append(time.monotonic() - begin)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            out.seek(0)
            self.text = out.read()
            errors.seek(0)
            self.steps += [json.loads(line) for line in errors if line.startswith("{")]

    @property
    def wall_s(self):
        return statistics.median(self.wall)

    @property
    def cpu_s(self):
        return statistics.median(self.cpu)

    def most(self, key):
        return max(step[key] for step in self.steps)


def functions(elf):
    """(start, end) of each function."""
    text = subprocess.run(["nm", "-S", "--defined-only", elf], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^([0-9a-f]+) ([0-9a-f]+) [tT] ", text, re.MULTILINE)
    return [(int(start, 16), int(start, 16) + int(size, 16)) for start, size in found]


def write_addresses(elf, count, path):
    """Addresses scattered over all functions, always the same ones."""
    dice = random.Random(SEED)
    all_functions = functions(elf)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            start, end = dice.choice(all_functions)
            file.write(f"0x{dice.randrange(start, end):x}\n")
    return {start for start, _ in all_functions}


def place(text):
    """"file:line[:column] (discriminator 2)" to what counts."""
    file, _, line = text.partition(" (")[0].rpartition(":")
    return os.path.normpath(file) if file else "??", int(line) if line.isdigit() else 0


def frames(lines):
    return [(lines[i], *place(lines[i + 1])) for i in range(0, len(lines) - 1, 2)]


def read_blocks(text):
    """addr2line -a: an address, then pairs of lines."""
    answers = []
    for line in text.splitlines():
        if line.startswith("0x"):
            answers.append([])
        else:
            answers[-1].append(line)
    return [frames(one) for one in answers]


def read_llvm(text):
    """Pairs of lines up to an empty line; columns are left out."""
    answers = []
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        lines[1::2] = [line.rpartition(":")[0] for line in lines[1::2]]
        answers.append(frames(lines))
    return answers


def names(answer):
    """The outermost function's name in the debug information has no prefix: objcopy made those of the symbols."""
    return [re.sub(r"^r\d+_", "", name) for name, _, _ in answer]


def classify(ours, other, is_entry):
    if names(ours) == names(other) and [one[1:] for one in ours] == [one[1:] for one in other]:
        return "same"
    if names(ours) != names(other):
        if names(ours)[-1] != names(other)[-1]:
            return "other function"
        return "other inlined functions"
    differing = [i for i, (a, b) in enumerate(zip(ours, other)) if a[1:] != b[1:]]
    if is_entry and differing == [0]:
        return "entry"
    if differing == [0] and ours[0][2] == other[0][2]:
        return "other file"
    if all(ours[i][1] == other[i][1] and 0 in (ours[i][2], other[i][2]) for i in differing):
        return "line 0"
    return "other line"


EXPLAINED = {
    "same": "",
    "entry": "first instruction of a function: mprof says the line where the function begins",
    "line 0": "the compiler says that the code has no line",
    "file 0": "gdb names mprof's file; a line table of DWARF 5 begins with file 1, and file 0 was taken",
}


class Referee:
    """gdb, which reads line tables by itself: asked where two programs name different files for one line."""

    MOST = 1000

    def __init__(self, elf, debugger):
        self.command = [debugger, "-nx", "-batch", "-iex", "set auto-load no", elf]

    def places(self, addresses):
        """address -> (file, line), of those that gdb knows."""
        asked = [word for address in addresses[:self.MOST]
                 for word in ("-ex", f"echo 0x{address:x}:", "-ex", f"info line *0x{address:x}")]
        text = subprocess.run(self.command + asked, capture_output=True, text=True, check=True, timeout=600,
                              stdin=subprocess.DEVNULL).stdout
        found = re.findall(r'^0x([0-9a-f]+):Line (\d+) of "(.*?)" ', text, re.MULTILINE)
        return {int(address, 16): (os.path.normpath(file), int(line)) for address, line, file in found}


def classify_all(ours, theirs, addresses, starts, referee):
    """A class for each address. Of another file gdb is asked, and believed against either."""
    classes = [classify(a, b, address in starts) for address, a, b in zip(addresses, ours, theirs)]
    doubts = [i for i, one in enumerate(classes) if one == "other file"]
    places = referee.places([addresses[i] for i in doubts]) if doubts else {}
    for i in doubts:
        if places.get(addresses[i]) == ours[i][0][1:]:
            classes[i] = "file 0"
    return classes


def compare(name, ours, theirs, addresses, starts, referee):
    """Prints the classes; returns how many differences have no explanation."""
    classes = collections.Counter()
    examples = {}
    for address, a, b, one in zip(addresses, ours, theirs,
                                  classify_all(ours, theirs, addresses, starts, referee)):
        classes[one] += 1
        examples.setdefault(one, (address, a, b))
    print(f"answers beside {name}: {classes.pop('same', 0)} of {len(ours)} are the same")
    for one, number in classes.most_common():
        print(f"  {number:7} {one}: {EXPLAINED.get(one, 'NOT EXPLAINED')}")
        if one not in EXPLAINED:
            print("          e.g. 0x{:x}: {} and not {}".format(*examples[one]))
    if len(ours) != len(theirs):
        print(f"  {len(theirs)} answers")
        return len(theirs)
    return sum(number for one, number in classes.items() if one not in EXPLAINED)


def report(entries, name, value, unit, reference, reference_value):
    ratio = value / reference_value if reference_value else None
    entries.append({"name": name, "value": round(value, 4), "unit": unit, "reference": reference,
                    "reference_value": round(reference_value, 4), "ratio": round(ratio, 4)})
    print(f"{name:38} {value:10.3f} {unit:3} {reference:28} {reference_value:10.3f}   {ratio:6.3f}")


def bench_symbols(arguments, entries):
    """Returns how many answers differ without an explanation."""
    elf, tool = arguments.elf, arguments.symbolize
    path = pathlib.Path(elf).with_name("addresses")
    starts = write_addresses(elf, arguments.addresses, path)
    ours = Run("mprof", [tool, elf], path)
    first = Run("mprof, names", [tool, "--names", elf])
    debugger = shutil.which("gdb") or "gdb-multiarch"
    gdb = Run("gdb info line main", [debugger, "-nx", "-batch", "-ex", "info line main", elf])
    addr2line = Run("addr2line -afi", ["addr2line", "-afie", elf], path)
    runs = [first, gdb, ours, addr2line]
    llvm = None
    if shutil.which("llvm-symbolizer"):
        llvm = Run("llvm-symbolizer --inlines", ["llvm-symbolizer", "--inlines", "--functions=linkage",
                                                 f"--obj={elf}"], path)
        runs.append(llvm)
    else:
        print("llvm-symbolizer is left out: it is missing (Debian: llvm)")
    for number in range(arguments.rounds):
        for run in runs:
            print(f"\rround {number + 1} of {arguments.rounds}: {run.name:28}", end="", file=sys.stderr, flush=True)
            run.once()
    print(file=sys.stderr)

    print(f"{'':38} {'mprof':>14} {'':28} {'reference':>10}   {'ratio':>6}")
    for what, of in (("wall", "wall_s"), ("cpu", "cpu_s")):
        report(entries, f"first names, {what}", getattr(first, of), "s", gdb.name, getattr(gdb, of))
        for other in filter(None, (addr2line, llvm)):
            report(entries, f"{arguments.addresses} addresses, {what}", getattr(ours, of), "s", other.name,
                   getattr(other, of))
    for key in ("anon_kb", "shmem_kb"):
        report(entries, f"peak {key[:-3]} memory", ours.most(key), "kB", "limit", LIMIT_ANON_KB)
    for step in ours.steps[-3:]:
        print("  {step:11} wall {wall_s:.3f} s, cpu {cpu_s:.3f} s, anon {anon_kb} kB, shmem {shmem_kb} kB"
              .format(**step))

    addresses = [int(line, 16) for line in open(path, encoding="utf-8")]
    answers = read_blocks(ours.text)
    referee = Referee(elf, debugger)
    wrong = compare(addr2line.name, answers, read_blocks(addr2line.text), addresses, starts, referee)
    if llvm:
        wrong += compare(llvm.name, answers, read_llvm(llvm.text), addresses, starts, referee)
    return wrong


def bench_screen(arguments, entries):
    def take(*numbers):
        report(entries, *numbers)

    debugger = shutil.which("gdb") or "gdb-multiarch"
    steady.bench_first(arguments.elf, debugger, arguments.rounds, take)
    steady.bench_steady(arguments.elf, arguments.seconds, take)
    steady.bench_stat(arguments.seconds / 2, take)
    steady.bench_shell(100, arguments.rounds, take)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("elf")
    parser.add_argument("symbolize")
    parser.add_argument("-o", "--output")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--addresses", type=int, default=100000)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    entries = []
    wrong = bench_symbols(arguments, entries)
    bench_screen(arguments, entries)
    if arguments.output:
        pathlib.Path(arguments.output).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(arguments.output).write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
