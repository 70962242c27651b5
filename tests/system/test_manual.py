# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual is about this program: its keys, verbs, options, columns; and it is clean roff."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import HANG_S, MPROF, mprof

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs" / "mprof.1"
WRITER = ROOT / "tools" / "manual-keys"


def write(*arguments):
    return subprocess.run([sys.executable, WRITER, *map(str, arguments)], text=True,
                          capture_output=True, timeout=HANG_S)


def plain(text):
    """Roff without fonts and escapes, as far as words in it are looked for."""
    return re.sub(r"\\f.|\\", "", text)


class Manual(unittest.TestCase):
    def setUp(self):
        self.text = MANUAL.read_text(encoding="utf-8")

    def test_keys(self):
        done = write("--check", MPROF, MANUAL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_keys_that_are_not_the_program_s(self):
        """It is seen, and written anew, and nothing else is touched."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "mprof.1")
            changed = self.text.replace(".TP 10\n\\fBI\\fR\n", ".TP 10\n\\fBJ\\fR\n")
            self.assertNotEqual(changed, self.text)
            copy.write_text(changed, encoding="utf-8")
            done = write("--check", MPROF, copy)
            self.assertEqual(done.returncode, 1)
            self.assertIn("make manual", done.stderr)
            self.assertEqual(copy.read_text(encoding="utf-8"), changed)
            self.assertEqual(write(MPROF, copy).returncode, 0)
            self.assertEqual(copy.read_text(encoding="utf-8"), self.text)

    @unittest.skipUnless(shutil.which("groff"), "groff is missing (make check installs it)")
    def test_roff(self):
        for device in ("utf8", "ascii"):
            done = subprocess.run(["groff", "-ww", "-man", f"-T{device}", MANUAL], text=True,
                                  capture_output=True, timeout=HANG_S)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_verbs_and_options(self):
        text = plain(self.text)
        verbs = re.findall(r"^  (\w+) ", mprof("--help").stdout, re.M)
        self.assertGreater(len(verbs), 8)
        for verb in verbs:
            self.assertIn(f"mprof {verb}", text.replace('"', ""))
            listing = mprof(verb, "--help").stdout
            for option in re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", listing, re.M):
                with self.subTest(verb=verb, option=option):
                    self.assertRegex(text, rf"{option}(?![a-z-])")

    def test_columns(self):
        fields = mprof("top", "--help").stdout.partition("\nfields:\n")[2].partition("\n\n")[0]
        names = re.findall(r"^  (\w+) ", fields, re.M)
        self.assertGreater(len(names), 15)
        section = plain(self.text).partition(".SH FIELDS\n")[2].partition(".SH ")[0]
        for name in names:
            with self.subTest(name):
                self.assertRegex(section, rf"(?m)^\.BR? .*\b{name}\b")


unittest.main()
