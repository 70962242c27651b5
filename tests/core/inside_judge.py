# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the numbers that mprof prints inside functions by exact counts of executed instructions.

    run = InsideRun(elf, board, plugin, samples)    # runs the firmware in QEMU, until so many samples
    run.judge()                                     # raises AssertionError, or returns what it checked

A sample is the instruction that is next when the timer interrupts, so an instruction's samples are
binomial: as many as its function's, each with its part of the instructions that the function executed.
Each comparison fails by chance once in 10^12: a run has far less than 10^5 of them.
"""

import collections
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
    """Whether so many of total samples are certainly more than a share of them."""
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

    def __init__(self, annotation, text, executed):
        self.annotation, self.text = annotation, text
        self.executed = {step["address"]: executed.get(int(step["address"], 16), 0)
                         for step in steps_of(annotation) if not step["data"]}
        self.total = sum(self.executed.values())
        # How many samples the function has, if others have code in its blocks.
        self.least = sum(block["hits"] for block in annotation["blocks"])
        self.most = sum(block["most"] for block in annotation["blocks"])

    def share(self, steps):
        return sum(self.executed.get(step["address"], 0) for step in steps) / self.total

    def check(self, what, number, steps, complaints):
        """A number with hits that are certain, hits that are possible, and the interval of its share."""
        share = self.share(steps)
        place = f"{self.annotation['function']}: {what}: executed {share:.4f}"
        if too_many(number["hits"], max(self.most, 1), share):
            complaints.append(f"{place}, printed at least {number['hits']} of {self.most} samples")
        if too_few(number["most"], max(self.least, 1), share):
            complaints.append(f"{place}, printed at most {number['most']} of {self.least} samples")
        # What is printed as an interval has room for both ends.
        if number["low"] is not None:
            low, high = number["hits"] / max(self.most, 1), number["most"] / max(self.least, number["most"], 1)
            if not number["low"] <= low + 1e-9 or not number["high"] >= high - 1e-9:
                complaints.append(f"{place}, interval {number['low']} to {number['high']}, "
                                  f"hits {low} to {high}")
        return 1

    def check_all(self, complaints):
        checked = 0
        blocks = {}
        for line in self.annotation["lines"]:
            steps = [step for step in line["instructions"] if not step["data"]]
            checked += self.check(f"{line['file']}:{line['line']}", line, steps, complaints)
            for step in steps:
                checked += self.check(step["address"], step, [step], complaints)
                blocks.setdefault(step["block"], []).append(step)
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


class InsideRun:
    """Firmware that has run, its samples, and how often each of its instructions was executed."""

    def __init__(self, elf, board, plugin, samples, *, shift=5, nm="nm"):
        """Until there are about so many samples of 997 Hz. Time goes by instructions: each takes
        2^shift ns. So samples and counts are of the same time on any machine."""
        self.elf = str(elf)
        found = functions(self.elf, nm)
        start, end = min(at for at, _ in found.values()), max(end for _, end in found.values())
        with tempfile.TemporaryDirectory() as folder:
            qmp = os.path.join(folder, "qmp")
            options = ["-icount", f"shift={shift}", "-qmp", f"unix:{qmp},server=on,wait=off"]
            enough = samples * (1_000_000 >> shift)
            with Machine(self.elf, options, plugin, board=board, each=[(start, end)]) as machine:
                wait_for("enough instructions", lambda: sum(machine.counts().values()) > enough)
                monitor = Monitor(qmp)
                monitor.run("stop")
                monitor.close()
                self.path = os.path.join(folder, "a.pb.gz")
                good("snapshot", "--elf", self.elf, "--qmp", qmp, "-o", self.path)
                self.executed = {int(name, 16): count for name, count in machine.counts().items()
                                 if count}
            self.snapshot = pathlib.Path(self.path).read_bytes()

    @contextlib.contextmanager
    def file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.pb.gz")
            pathlib.Path(path).write_bytes(self.snapshot)
            yield path

    def annotated(self, limit=None, function=None):
        """The functions with most samples, or the one of that name."""
        with self.file() as path:
            rows = json.loads(good("report", path, "--format", "json"))["rows"]
            for row in [row for row in rows if row["hits"] and row["function"] and
                        function in (None, row["function"])][:limit]:
                words = ("annotate", row["address"], path, "--elf", self.elf)
                yield Annotated(json.loads(good(*words, "--format", "json")), good(*words),
                                self.executed)

    def check_by_line(self, all_of_them, complaints):
        """report --by line. The samples of a line are those of its functions together, so they are a sum
        of independent ones, for which the same bound holds (Hoeffding 1956)."""
        least, most = collections.Counter(), collections.Counter()
        for one in all_of_them:
            for line in one.annotation["lines"]:
                share = one.share([step for step in line["instructions"] if not step["data"]])
                least[line["file"], line["line"]] += share * one.least
                most[line["file"], line["line"]] += share * one.most
        with self.file() as path:
            report = json.loads(good("report", path, "--by", "line", "--format", "json"))
        total, rows = report["hits"], [row for row in report["rows"] if row["line"]]
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
        blocks were divided by bytes."""
        complaints, checked, control, judged = [], 0, 0, []
        for one in self.annotated(limit):
            if not one.total:
                complaints.append(f"{one.annotation['function']}: sampled, but never executed")
                continue
            judged.append(one)
            checked += one.check_all(complaints)
            wrong = []
            Annotated(divided(one.annotation), "", self.executed_of(one)).check_all(wrong)
            control += bool(wrong)
        if limit is None:
            checked += self.check_by_line(judged, complaints)
        assert not complaints, f"{self.elf}:\n" + "\n".join(complaints)
        return checked, control

    def executed_of(self, one):
        return {int(address, 16): count for address, count in one.executed.items()}
