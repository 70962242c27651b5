# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual is about this program: its verbs, options, columns, keys; and it is clean roff."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import HANG_S, MPROF, mprof

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
WRITER = ROOT / "tools" / "manual"
VERBS = re.findall(r"^  (\w+) ", mprof("--help").stdout, re.M)


def write(*arguments):
    return subprocess.run([sys.executable, WRITER, *map(str, arguments)], text=True,
                          capture_output=True, timeout=HANG_S)


def page(verb):
    return (DOCS / f"mprof-{verb}.1").read_text(encoding="utf-8")


def plain(text):
    """Roff without fonts and escapes, as far as words in it are looked for."""
    return re.sub(r"\\f.|\\", "", text)


class Manual(unittest.TestCase):
    def test_pages_are_those_of_the_program(self):
        done = write("--check", MPROF, DOCS)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(path.name for path in DOCS.glob("*.1")),
                         sorted(["mprof.1", *(f"mprof-{verb}.1" for verb in VERBS)]))

    def test_pages_of_another_program(self):
        """They are seen, and written anew, and nothing else is touched."""
        with tempfile.TemporaryDirectory() as folder:
            docs = pathlib.Path(folder, "docs")
            shutil.copytree(DOCS, docs)
            text = page("top")
            changed = text.replace(".TP 10\n\\fBI\\fR\n", ".TP 10\n\\fBJ\\fR\n")
            self.assertNotEqual(changed, text)
            (docs / "mprof-top.1").write_text(changed, encoding="utf-8")
            (docs / "mprof-log.1").unlink()
            done = write("--check", MPROF, docs)
            self.assertEqual(done.returncode, 1)
            self.assertIn("make manual", done.stderr)
            self.assertEqual((docs / "mprof-top.1").read_text(encoding="utf-8"), changed)
            self.assertEqual(write(MPROF, docs).returncode, 0)
            for path in DOCS.glob("*.1"):
                self.assertEqual((docs / path.name).read_bytes(), path.read_bytes())

    @unittest.skipUnless(shutil.which("groff"), "groff is missing (make check installs it)")
    def test_roff(self):
        for path in DOCS.glob("*.1"):
            for device in ("utf8", "ascii"):
                with self.subTest(path.name):
                    done = subprocess.run(["groff", "-ww", "-man", f"-T{device}", path], text=True,
                                          capture_output=True, timeout=HANG_S)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_verbs_and_options(self):
        overview = plain((DOCS / "mprof.1").read_text(encoding="utf-8"))
        self.assertGreater(len(VERBS), 8)
        for verb in VERBS:
            self.assertIn(f"mprof-{verb} (1)", overview)
            text, listing = plain(page(verb)), mprof(verb, "--help").stdout
            for option in re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", listing, re.M):
                with self.subTest(verb=verb, option=option):
                    self.assertRegex(text, rf"(?m)^\.TP\n.*{option}(?![a-z-])")
            for example in re.findall(r"^  (mprof .*)", listing, re.M):
                self.assertIn(example, text.replace("(aq", "'"))

    def test_texts(self):
        """What is said of an option or a column is said of one that there is."""
        help_texts = {verb: mprof(verb, "--help").stdout for verb in VERBS}
        for kind, name, verbs in re.findall(r'\.\\" (option|column): ([\w-]+)(?: \(([\w ]+)\))?',
                                            (DOCS / "man" / "options.roff").read_text()):
            row = rf"(?m)^  .*--{name}\b" if kind == "option" else rf"(?m)^  {name} "
            for verb in verbs.split():
                self.assertRegex(help_texts[verb], row)
            self.assertTrue(any(re.search(row, text) for text in help_texts.values()), name)

    def test_columns(self):
        for verb in ("top", "report", "diff"):
            listing = mprof(verb, "--help").stdout
            fields = listing.partition("\nColumns for --fields and --sort:\n")[2].partition("\n\n")[0]
            names = re.findall(r"^  (\w+) ", fields, re.M)
            self.assertGreater(len(names), 15)
            section = plain(page(verb)).partition(".SH COLUMNS\n")[2].partition(".SH ")[0]
            for name in names:
                with self.subTest(name):
                    self.assertRegex(section, rf"(?m)^\.B {name}$")


unittest.main()
