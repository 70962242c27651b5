# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers and writers of other tools' formats, written apart from mprof so that the two can disagree."""

import collections
import gzip
import html.parser
import json
import re
import struct
import subprocess

from pprof_file import Texts, message
from support import HANG_S


def pprof(types, functions, locations, samples, comments=(), build_id=""):
    """The bytes of a profile. types: (name, unit); functions: (name, file, line), texts may be bytes;
    locations: (address, [(function, line), ...]) with functions from 0; samples: ([location, ...], values)."""
    text = Texts()
    fields = [(1, message((1, text(name)), (2, text(unit)))) for name, unit in types]
    for stack, values in samples:
        fields.append((2, message((1, [i + 1 for i in stack]), (2, list(values)))))
    fields.append((3, message((1, 1), (6, text(build_id)))))
    for i, (address, lines) in enumerate(locations, 1):
        fields.append((4, message((1, i), (2, 1), (3, address),
                                  *((4, message((1, function + 1), (2, line)))
                                    for function, line in lines))))
    for i, (name, file, line) in enumerate(functions, 1):
        fields.append((5, message((1, i), (2, text(name)), (4, text(file)), (5, line))))
    fields += [(13, text(comment)) for comment in comments]
    return gzip.compress(message(*fields, *text.fields(6)))


def histogram(low, high, bins, rate=100, size=8, order="<"):
    """A record of a gmon.out, of addresses of so many bytes."""
    address = {4: "I", 8: "Q"}[size]
    return (b"\0" + struct.pack(f"{order}{address}{address}II15sc", low, high, len(bins), rate, b"seconds", b"s") +
            struct.pack(f"{order}{len(bins)}H", *bins))


def gmon(*records, order="<"):
    """The bytes of a gmon.out."""
    return b"gmon" + struct.pack(order + "I12x", 1) + b"".join(records)


class Gmon:
    """A gmon.out: histogram records as (low, high, rate, dimension, bins), and arcs {(from, self): count}."""

    def __init__(self, data, size, order="<"):
        self.size, self.order = size, order
        assert data[:4] == b"gmon" and struct.unpack(order + "I", data[4:8]) == (1,), data[:8]
        self.histograms, self.arcs = [], {}
        address = {4: "I", 8: "Q"}[size]
        at = 20
        while at < len(data):
            tag, at = data[at], at + 1
            if tag == 0:
                head = struct.Struct(f"{order}{address}{address}II15sc")
                low, high, count, rate, dimension, _ = head.unpack_from(data, at)
                at += head.size
                bins = struct.unpack_from(f"{order}{count}H", data, at)
                at += 2 * count
                self.histograms.append((low, high, rate, dimension.rstrip(b"\0").decode(), bins))
            else:
                assert tag == 1, tag
                arc = struct.Struct(f"{order}{address}{address}I")
                source, target, calls = arc.unpack_from(data, at)
                at += arc.size
                key = (source, target)
                self.arcs[key] = self.arcs.get(key, 0) + calls
        assert at == len(data)

    def hits(self):
        """address of a bin -> hits"""
        found = {}
        for low, high, _, _, bins in self.histograms:
            width = (high - low) // len(bins)
            assert width * len(bins) == high - low
            for i, hits in enumerate(bins):
                if hits:
                    found[low + i * width] = found.get(low + i * width, 0) + hits
        return found

    def with_rate(self, rate):
        """The file's bytes with another prof_rate: with 1, gprof's seconds are hits."""
        address = {4: "I", 8: "Q"}[self.size]
        out = gmon(*(histogram(low, high, bins, rate, self.size, self.order)
                     for low, high, _, _, bins in self.histograms), order=self.order)
        for (source, target), calls in self.arcs.items():
            out += b"\1" + struct.pack(f"{self.order}{address}{address}I", source, target, calls)
        return out


def gprof(program, elf, path):
    """What gprof makes of it: {function: self}, {function: calls}, {(caller, function): calls}."""
    def run(*options):
        done = subprocess.run([program, "-b", *options, str(elf), str(path)], text=True,
                              capture_output=True, timeout=HANG_S)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout
    flat, calls, arcs = {}, {}, {}
    for line in run("-p", "-z").splitlines():
        match = re.match(r" *[\d.]+ +[\d.]+ +([\d.]+) +(?:(\d+) .*? )?(?:[\d.]+ +[\d.]+ +)?(\S+)$", line)
        if match:
            if float(match[1]):
                flat[match[3]] = float(match[1])
            if match[2]:
                calls[match[3]] = int(match[2])
    try:
        graph = run("-q")
    except AssertionError:
        graph = ""
    for entry in graph.split("-" * 47):
        callers = []
        for line in entry.splitlines():
            if line.startswith("["):
                function = re.search(r"(\S+) \[\d+\]$", line)[1]
                arcs.update({(caller, function): count for caller, count in callers})
                break
            match = re.match(r" +[\d.]+ +[\d.]+ +(\d+)/\d+ +(\S+) \[\d+\]$", line)
            if match:
                callers.append((match[2], int(match[1])))
    return flat, calls, arcs


def annotate(path, *options):
    """What callgrind_annotate makes of it: the events, their totals, {(file, function): counts}."""
    done = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", *options, str(path)],
                          text=True, capture_output=True, timeout=HANG_S, errors="replace",
                          cwd=path.parent)  # whose name it takes from the files' ones
    assert done.returncode == 0 and not done.stderr, done.stderr + done.stdout

    def counts(text):
        found = re.findall(r"([\d,.]+)(?: \( *[\d.]+%\))?", text)
        return [int(count.replace(",", "")) if count != "." else 0 for count in found]
    events = re.search(r"^Events recorded: +(.*)$", done.stdout, re.M)[1].split()
    totals = counts(re.search(r"^(.*?) +PROGRAM TOTALS$", done.stdout, re.M)[1])
    rows = {}
    for line in done.stdout[done.stdout.index("file:function"):].splitlines()[2:]:
        match = re.match(r"^((?: *[\d,.]+(?: \( *[\d.]+%\))?)+)  (?:\? |\* )?(.*):(.*?)(?: \[.*\])?$", line)
        if match:
            rows[match[2].strip(), match[3]] = counts(match[1])
    return events, totals, rows


SPEEDSCOPE_UNITS = {"none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"}


def check_evented(profile, frames):
    """Calls nest, all end, and times do not go back."""
    stack, last = [], profile["startValue"]
    for event in profile["events"]:
        assert set(event) == {"type", "frame", "at"} and 0 <= event["frame"] < frames, event
        assert last <= event["at"] <= profile["endValue"], event
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert event["type"] == "C" and stack.pop() == event["frame"], event
    assert not stack


def check_speedscope(text):
    """The rules of https://www.speedscope.app/file-format-schema.json, for what we write of it; the file."""
    def only(thing, needed, may=()):
        assert isinstance(thing, dict) and needed <= set(thing) <= needed | set(may), thing

    def is_number(thing):
        return isinstance(thing, (int, float)) and not isinstance(thing, bool)
    file = json.loads(text)
    only(file, {"$schema", "shared", "profiles"}, {"name", "activeProfileIndex", "exporter"})
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    for key in ("name", "exporter"):
        assert isinstance(file.get(key, ""), str)
    only(file["shared"], {"frames"})
    for frame in file["shared"]["frames"]:
        only(frame, {"name"}, {"file", "line", "col"})
        assert isinstance(frame["name"], str) and isinstance(frame.get("file", ""), str), frame
        assert is_number(frame.get("line", 0)) and is_number(frame.get("col", 0)), frame
    assert file["profiles"] and 0 <= file.get("activeProfileIndex", 0) < len(file["profiles"])
    for profile in file["profiles"]:
        if isinstance(profile, dict) and profile.get("type") == "evented":
            only(profile, {"type", "name", "unit", "startValue", "endValue", "events"})
            assert isinstance(profile["name"], str) and profile["unit"] in SPEEDSCOPE_UNITS
            check_evented(profile, len(file["shared"]["frames"]))
            continue
        only(profile, {"type", "name", "unit", "startValue", "endValue", "samples", "weights"})
        assert profile["type"] == "sampled" and isinstance(profile["name"], str)
        assert profile["unit"] in SPEEDSCOPE_UNITS, profile["unit"]
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(is_number(weight) and weight > 0 for weight in profile["weights"])
        assert profile["endValue"] - profile["startValue"] == sum(profile["weights"])
        for stack in profile["samples"]:
            assert stack and all(isinstance(i, int) and 0 <= i < len(file["shared"]["frames"])
                                 for i in stack), stack
    return file


def folded(text):
    """{stack as a tuple: hits}; each stack stands there once."""
    stacks = {}
    for line in text.splitlines():
        stack, hits = line.rsplit(" ", 1)
        key = tuple(stack.split(";"))
        assert key not in stacks and int(hits) > 0, line
        stacks[key] = int(hits)
    return stacks


class Page(html.parser.HTMLParser):
    """The page: its table, its data, and what must not be in it."""

    VOID = {"meta", "input", "br"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.heads, self.words = [], [], [], ""
        self.scripts, self.attributes, self.tags = [], [], collections.Counter()
        self.feed(text)
        self.close()
        assert not self.open, self.open
        self.data = json.loads(self.scripts[0])

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            if tag == "th":
                self.heads.append(dict(attrs))
        elif tag == "script":
            self.scripts.append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data
        elif "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        else:
            self.words += data

    def column(self, title):
        return next(i for i, text in enumerate(self.rows[0]) if text.startswith(title))

    def hits(self):
        """function -> hits, of the table"""
        found = collections.Counter()
        for row in self.rows[1:]:
            found[row[self.column("Function")]] += int(row[2])
        return dict(+found)

    def graph_total(self):
        return sum(node[2] + (node[3] if len(node) > 3 else 0) for node in self.data["nodes"])
