# SPDX-License-Identifier: GPL-3.0-or-later
"""--format csv and --ignore, as a script uses them."""

import csv
import io
import json
import os
import tempfile
import unittest

from process import PIE, SHARES, Steady, shares
from support import json_lines, mprof, symbols

ALL = ["time", "function", "file", "line", "address", "hits", "share", "low", "high", "error", "recent",
       "rate", "flags"]


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = Steady(PIE)
        cls.process.__enter__()
        cls.addClassCleanup(cls.process.__exit__)

    def run_mprof(self, verb, *options):
        result = mprof(verb, "--elf", PIE, "--pid", self.process.pid, *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def refused(self, *options):
        result = mprof("report", "--elf", PIE, "--pid", self.process.pid, *options)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def test_csv(self):
        text = self.run_mprof("top", "-n", "3", "-d", "0.05", "--format", "csv")
        self.assertNotIn("\r", text)
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(list(rows[0]), ALL)
        times = sorted({float(row["time"]) for row in rows})
        self.assertEqual(len(times), 3)
        for at in times:
            these = [row for row in rows if float(row["time"]) == at]
            self.assertAlmostEqual(sum(float(row["share"]) for row in these), 1, delta=1e-6)
            self.assertEqual({row["rate"] == "" for row in these}, {at == times[0]})
        by_name = {row["function"]: row for row in rows if float(row["time"]) == times[-1]}
        for name, share in SHARES:
            row = by_name[name]
            self.assertAlmostEqual(float(row["share"]), share, delta=0.01)
            self.assertLess(float(row["low"]), float(row["share"]))
            self.assertTrue(row["file"].endswith("process.c"))
            self.assertGreater(int(row["line"]), 0)
            self.assertGreater(int(row["address"], 16), 1 << 32)

    def test_fields(self):
        lines = self.run_mprof("report", "--format", "csv", "-f", "hits,bar,location", "--limit",
                               "2").splitlines()
        self.assertEqual(lines[0], "time,hits,location")
        self.assertEqual(len(lines), 3)
        self.assertRegex(lines[1], r"^[0-9.e-]+,\d+,process\.c:\d+$")
        self.assertNotIn("recent", self.run_mprof("report", "--format", "csv").splitlines()[0])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.csv")
            self.assertEqual(self.run_mprof("top", "--format", "csv", "-n", "2", "-d", "0.1", "-o",
                                            path), "")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read().count("time,"), 1)

    def test_ignore(self):
        for options in (("--ignore", "nobody", "--ignore", "none,work_[a]"),
                        ("--ignore", self.range_of("work_a"))):
            with self.subTest(options=options):
                last = json_lines(self.run_mprof("top", "-n", "2", "-d", "0.05", "--format", "json",
                                                 *options))[-1]
                seen = shares(last)
                self.assertNotIn("work_a", seen)
                self.assertAlmostEqual(seen["work_b"], 0.6, delta=0.01)
                ignored = last["unattributed"]["ignored"]
                self.assertAlmostEqual(ignored / (ignored + last["hits"]), 0.5, delta=0.01)
                self.assertAlmostEqual(sum(seen.values()), 1, delta=1e-6)
        self.assertRegex(self.run_mprof("report", "--ignore", "work_a"), r" ignored \d+")
        report = json.loads(self.run_mprof("report", "--ignore", "pro*.c", "--format", "json"))
        self.assertFalse({"work_a", "work_b", "work_c"} & set(shares(report)))

    def range_of(self, name):
        """In the running program: START+SIZE."""
        report = json.loads(self.run_mprof("report", "--format", "json"))
        start = next(row["address"] for row in report["rows"] if row["function"] == name)
        return f"{start}+{symbols(PIE, 'nm')[name][1]}"

    def test_wrong(self):
        self.assertIn("'0x100' is not a range", self.refused("--ignore", "0x100"))
        self.assertIn("'' is empty", self.refused("--ignore", "main,"))
        self.assertIn("one of table, json, csv", self.refused("--format", "CSV"))
        for option in ("--ignore", "--elf", "--raw", "--gdb", "--symbol", "--fields", "--output", "--mi",
                       "--mi-attach="):
            words = [option] if option.endswith("=") else [option, ""]
            self.assertIn("empty", self.refused(*words))


if __name__ == "__main__":
    unittest.main()
