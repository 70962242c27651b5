#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs.py accepts a page with what looks like faults and is none, and refuses one for each rule.

  docs_fail.py ROOT
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

DOCS = pathlib.Path(sys.argv.pop(1)).resolve() / "tests" / "docs.py"
OWN = "## Words of our own\n\n| word | means |\n|---|---|\n"

GOOD = "A [page](other.md#part), [elsewhere](https://example.org/).\n"


class Pages(unittest.TestCase):
    def faults(self, text, name="page.md"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in ((name, text), ("other.md", ""), ("build/not-ours.md", "x" * 101)):
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_text(content, encoding="utf-8")
            run = subprocess.run([sys.executable, "-B", DOCS, root], text=True, capture_output=True)
            self.assertEqual(run.returncode, 1 if run.stdout else 0, run.stderr)
            return run.stdout.splitlines()

    def test_good(self):
        self.assertEqual(self.faults(GOOD), [])
        self.assertEqual(self.faults("µ" * 100 + "\n"), [])

    def test_width(self):
        self.assertEqual(self.faults("\n" + "x" * 101 + "\n"), ["page.md:2: 101 columns, at most 100"])
        self.assertEqual(self.faults("```\n" + "x" * 101 + "\n```\n"),
                         ["page.md:2: 101 columns, at most 100"])

    def test_link(self):
        self.assertEqual(self.faults("\n[a](none.md#part)\n"), ["page.md:2: there is no none.md"])

    def test_glossary(self):
        for count, faults in ((0, 1), (1, 0), (12, 0), (13, 1)):
            rows = "".join(f"| word{n} | a thing |\n" for n in range(count))
            self.assertEqual(len(self.faults(OWN + rows, "docs/glossary.md")), faults, count)


unittest.main()
