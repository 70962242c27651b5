# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that attack a terminal or a table: nothing of them gets through, and no column moves."""

import json
import os
import re
import subprocess
import unicodedata
import unittest

import hostile
from case import SharedFolder, measured
from support import HANG_S, MPROF, environment
from terminal import Terminal

HIDDEN = set("\u061c\u200e\u200f\ufeff") | {chr(c) for c in (*range(0x2028, 0x202f), *range(0x2066, 0x206a))}
EXPORTS = ("folded", "callgrind", "gmon", "speedscope", "html", "csv", "json")


def cells(text):
    """By Python's tables, not by those of libc."""
    return sum(0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF"
               else 1 for c in text)


def behind(line, column):
    """What is before and behind so many cells; None: a wide character is across them."""
    at = used = 0
    while at < len(line) and (used < column or cells(line[at]) == 0):
        used += cells(line[at])
        at += 1
    return (line[:at], line[at:]) if used >= column and used == column or at == len(line) else None


class Hostile(SharedFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.elf, cls.places = hostile.compile(cls.path)
        cls.raw = cls.path / "hits.bin"
        hostile.dump(cls.raw, [(addr, 200 - i) for i, addr in enumerate(cls.places.values())])
        cls.link = ("--elf", cls.elf, "--symbol", "hits", "--raw", cls.raw)
        cls.snapshots = cls.path / "a.pb.gz", cls.path / "b.pb.gz"
        cls.run_mprof("snapshot", *cls.link, "-o", cls.snapshots[0])
        hostile.dump(cls.raw, [(addr, 10 + 20 * i) for i, addr in enumerate(cls.places.values())])
        cls.run_mprof("snapshot", *cls.link, "-o", cls.snapshots[1])

    @staticmethod
    def run_mprof(*args, status=(0,), **variables):
        done = subprocess.run([MPROF, *map(str, args)], capture_output=True, stdin=subprocess.DEVNULL,
                              env=dict(environment(), **variables), timeout=HANG_S, check=False)
        assert done.returncode in status, (args, done.returncode, done.stderr)
        return done.stdout

    def text(self, *args, tabs=False, **more):
        """What it prints: UTF-8, and nothing that a terminal obeys or that nobody sees."""
        text = self.run_mprof(*args, **more).decode()
        bad = {c for c in text if (unicodedata.category(c) == "Cc" and c != "\n" and not (tabs and c == "\t"))
               or c in HIDDEN}
        self.assertEqual(bad, set(), args)
        return text

    def columns(self, text, width, *titles):
        """Each line has its room, and what stands under a title begins where that does."""
        lines = text.splitlines()
        for line in lines:
            self.assertLessEqual(cells(line), width, line)
        heading = next(i for i, line in enumerate(lines) if all(t in line for t in titles))
        for title in titles:
            column = lines[heading].index(title)
            for line in lines[heading + 1:]:
                parts = behind(line, column)
                self.assertIsNotNone(parts, (title, line))
                if parts[1] and " other" not in line:
                    self.assertTrue(parts[0].endswith("  "), (title, line))
        return lines[heading + 1:]


class Printed(Hostile):
    def test_tables(self):
        for source in (self.link, self.snapshots[:1]):
            for by, titles in (("function", ("FUNCTION", "FILE:LINE")), ("line", ("FILE:LINE", "FUNCTION")),
                               ("file", ("FILE",)), ("address", ("ADDRESS", "FUNCTION"))):
                text = self.text("report", *source, "--by", by)
                rows = self.columns(text, 120, *titles)
                self.assertGreaterEqual(len(rows), 20)

    def test_top(self):
        text = self.text("top", "--batch", "-n", "2", "-d", "0.01", *self.link)
        self.columns(text.split("\nmprof top")[0], 120, "FUNCTION", "FILE:LINE")

    def test_for_programs(self):
        for source in (self.link, self.snapshots[:1]):
            for form in ("json", "csv", "markdown"):
                for by in ("function", "line", "file", "address"):
                    text = self.text("report", *source, "--by", by, "--format", form)
                    if form != "json" or by != "function":
                        continue
                    names = [row["function"] for row in json.loads(text)["rows"]]
                    for name in ("long", "wide", "flood", "blanks", "csv", "html", "format", "mark first",
                                 "emoji"):
                        self.assertIn(hostile.NAMES[name].decode(), names, name)
                    self.assertIn(None, names)  # the empty one

    def test_diff(self):
        for line in self.text("diff", *self.snapshots).splitlines():
            self.assertLessEqual(cells(line), 160, line)
        for form in ("json", "csv", "markdown"):
            self.text("diff", *self.snapshots, "--format", form)

    def test_export(self):
        for form in EXPORTS:
            out = self.run_mprof("export", self.snapshots[0], "--format", form, "-o", self.path / "out",
                                 status=(0, 2))
            self.assertEqual(out, b"")
        for form in ("folded", "callgrind", "speedscope", "csv", "json"):
            self.text("export", self.snapshots[0], "--format", form)

    def test_annotate(self):
        for name, addr in self.places.items():
            if not name:  # that is no function
                continue
            for source in (self.link, (self.snapshots[0], "--elf", self.elf)):
                text = self.text("annotate", hex(addr), *source, "--disassembler", "false")
                for line in text.splitlines():
                    self.assertLessEqual(cells(line), 160, line)
            self.text("annotate", hex(addr), *self.link, "--disassembler", "false", "--format", "json")

    def test_annotate_by_gdb(self):
        """Without the C++ names, of which gdb makes gigabytes."""
        path = self.path / "tame"
        path.mkdir()
        names = {key: name for key, name in hostile.NAMES.items() if "bomb" not in key}
        elf, places = hostile.compile(path, names)
        hostile.dump(path / "hits.bin", [(addr, 100) for addr in places.values()])
        link = ("--elf", elf, "--symbol", "hits", "--raw", path / "hits.bin")
        for addr in list(places.values())[::9]:
            self.assertIn("INSTRUCTION", self.text("annotate", hex(addr), *link))
            self.text("annotate", hex(addr), *link, "--format", "json")

    def test_name_that_takes_much_of_gdb(self):
        path = self.path / "bomb"
        path.mkdir()
        bomb = hostile.doubled(21)
        elf, places = hostile.compile(path, {"bomb": bomb}, sources=False)
        hostile.dump(path / "hits.bin", [(addr, 100) for addr in places.values()])
        done, peak = measured("annotate", hex(places[bomb]), "--elf", elf, "--symbol", "hits", "--raw", path / "hits.bin")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "INSTRUCTION|no instructions: .* MB of memory for this file: it is too large")
        self.assertLess(peak, (400 << 20) + os.cpu_count() * (10 << 20))

    def test_other_locales(self):
        """Elsewhere a character is one cell, and still nothing is obeyed."""
        for locale in ("C", "POSIX"):
            self.text("report", *self.link, LC_ALL=locale)

    def test_errors(self):
        for name in hostile.NAMES.values():
            if not name:
                continue
            done = subprocess.run([MPROF, "annotate", name, *map(str, self.link),
                                   "--disassembler", "false"], capture_output=True,
                                  env=environment(), timeout=HANG_S, check=False)
            said = done.stderr.decode()
            self.assertLessEqual(len(said.splitlines()), 1, said)
            self.assertFalse([c for c in said[:-1] if unicodedata.category(c) == "Cc" or c in HIDDEN], said)


class Bounded(Hostile):
    def peak(self, *args):
        done, peak = measured(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return peak >> 20, done.stdout

    def test_ten_megabytes(self):
        path = self.path / "big"
        path.mkdir()
        names = {"big": b"b" * 10_000_000, "marks": "\u0301".encode() * 5_000_000, "small": b"s"}
        elf, places = hostile.compile(path, names, sources=False)
        hostile.dump(path / "hits.bin", [(addr, 100) for addr in places.values()])
        link = ("--elf", elf, "--symbol", "hits", "--raw", path / "hits.bin")
        base, _ = self.peak("report", *self.link)
        peak, text = self.peak("report", *link)
        self.assertLess(peak, base + 120)
        self.columns(text, 120, "FUNCTION", "FILE:LINE")
        for form in ("csv", "json"):
            peak, _ = self.peak("report", *link, "--format", form)
            self.assertLess(peak, base + 400)


class OnScreen(Hostile):
    def check(self, screen, columns):
        self.assertFalse([c for c in screen if unicodedata.category(c) == "Cc" and c != "\n" or c in HIDDEN],
                         screen)
        lines = screen.splitlines()
        heading = next((i for i, line in enumerate(lines) if "FUNC" in line), None)
        self.assertIsNotNone(heading, screen)
        column = lines[heading].index("FUNC")
        for line in lines[heading + 1:-1]:
            if not line or " other" in line or re.search(r"\d+ samples ", line):
                continue
            parts = behind(line, column)
            if columns < 60 and not line[column:].strip():  # a name of blanks stands last there
                continue
            self.assertTrue(parts and parts[0].endswith("  "), (line, screen))
        self.assertRegex(lines[-1], r"^Enter annotate")
        if columns > 100:
            self.assertIn("漢字", screen)

    def test_top(self):
        for columns, rows in ((80, 40), (41, 12), (161, 40)):
            with Terminal(columns, rows) as terminal:
                title = terminal.ask("pane_title")
                terminal.command(f"{MPROF} top --elf {self.elf} --symbol hits --raw {self.raw}")
                terminal.settles(lambda screen: self.check(screen, columns))
                self.assertEqual(terminal.ask("pane_title"), title)
                terminal.type("q")
                terminal.wait("the end", lambda: terminal.screen().strip().endswith("$"))


if __name__ == "__main__":
    unittest.main()
