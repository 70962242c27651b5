# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the numbers that mprof prints inside functions by exact counts of executed instructions.

    run = example_run(elf, board, plugin, samples)  # runs the firmware in QEMU, for about samples samples
    run = generated_run(firmware, seed, seconds)    # so does it with a Firmware of generated.py
    run.judge()                                     # raises AssertionError, or returns what it checked

A sample is the instruction that is next when the timer interrupts, so an instruction's samples are
binomial: as many as its function's, each with its part of the instructions that the function executed.
Each comparison fails by chance once in 10^12: a run has far less than 10^5 of them.
"""

import collections
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import re
import tempfile

from chance import divergence
from machine import Machine, Monitor, functions
from support import mprof, wait_for

BOUND = math.log(1e12)

def too_many(hits, total, share):
    """Whether hits of total samples are certainly more than a share of them."""
    return hits > share * total and total * divergence(min(hits / total, 1), share) > BOUND


def too_few(hits, total, share):
    return hits < share * total and total * divergence(hits / total, share) > BOUND


def good(*args):
    done = mprof(*args)
    assert done.returncode == 0, (args, done.stdout, done.stderr)
    return done.stdout


def steps_of(annotation):
    return [step for line in annotation["lines"] for step in line["instructions"]]


class Annotated:
    """One function: what mprof says, and what was executed."""

    def __init__(self, annotation, text, executed, lost):
        """lost: whether the table lost samples, of which any may be the function's."""
        self.annotation, self.text, self.lost = annotation, text, lost
        self.executed = {step["address"]: executed.get(int(step["address"], 16), 0)
                         for step in steps_of(annotation) if not step["data"]}
        self.total = sum(self.executed.values())
        # How many samples the function has, if others have code in its blocks.
        self.least = sum(block["hits"] for block in annotation["blocks"])
        self.most = sum(block["most"] for block in annotation["blocks"])
        self.foreign = {block["address"]: block["most"] for block in annotation["blocks"]
                        if block["hits"] == 0}

    def share(self, steps):
        return sum(self.executed.get(step["address"], 0) for step in steps) / self.total

    def check(self, what, number, steps, complaints):
        """A number with hits that are certain, hits that are possible, and the interval of its share."""
        share = self.share(steps)
        place = f"{self.annotation['function']}: {what}: executed {share:.4f}"
        if not self.lost and too_many(number["hits"], max(self.most, 1), share):
            complaints.append(f"{place}, printed at least {number['hits']} of {self.most} samples")
        if not self.lost and too_few(number["most"], max(self.least, 1), share):
            complaints.append(f"{place}, printed at most {number['most']} of {self.least} samples")
        if number["low"] is not None:
            self.check_interval(place, number, steps, share, complaints)
        return 1

    def check_interval(self, place, number, steps, share, complaints):
        ends = f"{place}, interval {number['low']} to {number['high']}"
        # It has room for both ends. At the high one, blocks that other functions share are its own.
        foreign = sum(self.foreign.get(block, 0) for block in {step["block"] for step in steps})
        low = number["hits"] / max(self.most, 1)
        high = number["most"] / max(self.least + foreign, 1)
        if not number["low"] <= low + 1e-9 or not number["high"] >= high - 1e-9:
            complaints.append(f"{ends}, hits {low} to {high}")
        # The part that its samples really have is within, and the function has these or more.
        samples = max(self.least, 1)
        if too_many(number["low"] * samples, samples, share) or \
                too_few(number["high"] * samples, samples, share):
            complaints.append(f"{ends}, {self.least} samples")

    def check_all(self, complaints):
        checked = 0
        blocks = {}
        for line in self.annotation["lines"]:
            steps = line["instructions"]
            checked += self.check(f"{line['file']}:{line['line']}", line, steps, complaints)
            for step in steps:
                blocks.setdefault(step["block"], []).append(step)
                if not step["data"]:
                    checked += self.check(step["address"], step, [step], complaints)
        for block in self.annotation["blocks"]:
            if block["instructions"]:
                checked += self.check(f"block {block['address']}", block, blocks[block["address"]],
                                      complaints)
        return checked + self.check_text(blocks, complaints)

    def check_text(self, blocks, complaints):
        """A number next to an instruction is its own, or that of the block whose bracket begins there."""
        steps = {int(step["address"], 16): step for step in steps_of(self.annotation)}
        numbers = re.findall(r"^ *[\d.]+ +(\d+) (.*?) ([0-9a-f]{8}|[0-9a-f]{1,7})  \S", self.text,
                             re.M)
        for hits, gutter, address in numbers:
            step = steps[int(address, 16)]
            block = [block for block in self.annotation["blocks"]
                     if block["address"] == step["block"]][0]
            own = step if block["instructions"] == 1 else block
            bracket = "\u250f" in gutter
            if int(hits) != own["hits"] or bracket != (block["instructions"] > 1) or \
                    int(address, 16) != int(block["address"], 16):
                complaints.append(f"{self.annotation['function']}: text: {address} has {hits} samples")
        return len(numbers)


def divided(annotation):
    """As if the hits of blocks were divided by bytes: what must not be printed."""
    copy = json.loads(json.dumps(annotation))
    for block in copy["blocks"]:
        steps = [step for step in steps_of(copy) if step["block"] == block["address"]]
        size = sum(len(step["bytes"]) for step in steps)
        for step in steps:
            step["hits"] = step["most"] = round(block["part"] * len(step["bytes"]) / size)
            step["low"] = step["high"] = None
    return copy


def example_run(elf, board, plugin, samples, *, shift=5, nm="nm"):
    """Until there are about this number of samples, of 997 Hz. Time goes by instructions: each takes
    2^shift ns. So samples and counts are of the same time on any machine."""
    found = functions(str(elf), nm)
    code = min(at for at, _ in found.values()), max(end for _, end in found.values())
    with tempfile.TemporaryDirectory() as folder:
        qmp = os.path.join(folder, "qmp")
        options = ["-icount", f"shift={shift}", "-qmp", f"unix:{qmp},server=on,wait=off"]
        enough = samples * (1_000_000 >> shift)
        with Machine(elf, options, plugin, board=board, each=[code]) as machine:
            wait_for("enough instructions", lambda: sum(machine.counts().values()) > enough)
            monitor = Monitor(qmp)
            monitor.run("stop")
            monitor.close()
            return InsideRun(elf, machine.counts(), "--qmp", qmp)


def generated_run(firmware, seed, seconds):
    with tempfile.TemporaryDirectory() as folder:
        last = firmware.run_inside(seed, seconds, folder)
        return InsideRun(firmware.elf, firmware.without_stub(last.counts), "--raw", last.path)


class InsideRun:
    """Firmware that has run, its samples, and how often each of its instructions was executed."""

    def __init__(self, elf, counts, *source):
        """counts: by address, a hexadecimal text. source: where mprof finds the table."""
        self.elf = str(elf)
        self.executed = {int(name, 16): count for name, count in counts.items() if count}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.pb.gz")
            good("snapshot", "--elf", self.elf, *source, "-o", path)
            self.snapshot = pathlib.Path(path).read_bytes()
            self.report = json.loads(good("report", path, "--format", "json"))
        self.lost = self.report["unattributed"]["dropped"]

    @contextlib.contextmanager
    def file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.pb.gz")
            pathlib.Path(path).write_bytes(self.snapshot)
            yield path

    def annotated(self, limit=None, function=None):
        """The functions with most samples, or the one of that name."""
        rows = [row for row in self.report["rows"] if row["hits"] and row["function"] and
                function in (None, row["function"])][:limit]
        with self.file() as path, concurrent.futures.ThreadPoolExecutor(4) as pool:
            yield from pool.map(lambda row: self.annotate(row["address"], path), rows)

    def annotate(self, address, path):
        words = ("annotate", address, path, "--elf", self.elf)
        return Annotated(json.loads(good(*words, "--format", "json")), good(*words), self.executed,
                         self.lost)

    def samples_of(self, one):
        """The least and the most that a function may be expected to have."""
        if not self.lost:
            return one.least, one.most
        part = (self.report["hits"] + self.lost) * one.total / sum(self.executed.values())
        return part, part

    def check_by_line(self, all_of_them, complaints):
        """report --by line. The samples of a line are those of its functions together, so they are a sum
        of independent ones, for which the same bound holds (Hoeffding 1956)."""
        least, most = collections.Counter(), collections.Counter()
        for one in all_of_them:
            ends = self.samples_of(one)
            for line in one.annotation["lines"]:
                share = one.share(line["instructions"])
                least[line["file"], line["line"]] += share * ends[0]
                most[line["file"], line["line"]] += share * ends[1]
        with self.file() as path:
            report = json.loads(good("report", path, "--by", "line", "--format", "json"))
        total = report["hits"] + self.lost
        rows = [row for row in report["rows"] if row["line"]]
        for row in rows:
            place = row["file"], row["line"]
            if too_many(row["hits"], total, min(most[place] / total, 1)) or \
                    too_few(row["high"] * total, total, least[place] / total):
                complaints.append(f"by line: {place}: {least[place]} to {most[place]} of {total} samples "
                                  f"are expected, printed: {row}")
        return len(rows)

    def judge(self, limit=None):
        """Checks all numbers of the functions with most samples, and without a limit those of report
        --by line, too. Returns how many numbers, and how many of the functions would be refused if
        blocks were divided by bytes, or where samples were lost, if hits were taken for all."""
        complaints, checked, control, judged = [], 0, 0, []
        for one in self.annotated(limit):
            if not one.total:
                # Its blocks are those of other functions as well.
                if one.least:
                    complaints.append(f"{one.annotation['function']}: sampled, but never executed")
                continue
            judged.append(one)
            checked += one.check_all(complaints)
            wrong = []
            Annotated(one.annotation if self.lost else divided(one.annotation), "", self.executed,
                      0).check_all(wrong)
            control += bool(wrong)
        if limit is None:
            checked += self.check_by_line(judged, complaints)
        assert not complaints, f"{self.elf}:\n" + "\n".join(complaints)
        return checked, control
