# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs whose calls are traced (traced.c), and what they have counted themselves."""

import collections
import pathlib
import re
import subprocess
import tempfile
import unittest

from support import BUILD, HANG_S, environment, json_lines, mprof

EXITS, FENTRY, PG, WORDS = (BUILD / "tests" / "system" / f"traced-{name}"
                            for name in ("exits", "fentry", "pg", "words"))


def calls(lines, kind="entry", **where):
    """{function: number} of these events."""
    return dict(collections.Counter(
        line["function"] for line in lines
        if line["kind"] == kind and all(line[key] == value for key, value in where.items())))


def calls_of_text(text):
    """The called functions of these lines."""
    return set(re.findall(r"-> (\w+)", text))


class Traced(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.counts, self.out, self.file = (self.folder / name for name in ("counts", "out", "s_prof"))

    def counted(self):
        """What the program itself has counted."""
        pairs = (line.split() for line in self.counts.read_text(encoding="utf-8").splitlines())
        return {name: int(number) for name, number in pairs if number != "0"}

    def run_traced(self, elf, *words, status=0):
        """mprof run --trace; the events."""
        done = mprof("run", "--trace", "--format", "json", "-o", self.out, "--", elf, words[0], self.counts, *words[1:])
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        self.output = done.stdout
        return json_lines(self.out.read_text(encoding="utf-8"))

    def of_file(self, elf, path):
        done = mprof("trace", "--elf", elf, "--raw", path, "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json_lines(done.stdout)

    def program(self, elf, *words, **more):
        """The program alone, with a file."""
        return subprocess.run([elf, *map(str, words)], env=environment() | {"MPROF_FILE": str(self.file)}, text=True,
                              capture_output=True, timeout=HANG_S, check=False, **more)

    def check_times(self, lines):
        """One order, of one clock."""
        ticks = [line["ticks"] for line in lines]
        self.assertEqual(ticks, sorted(ticks))
        self.assertTrue(all(line["time"] >= 0 for line in lines))
