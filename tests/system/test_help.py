# SPDX-License-Identifier: GPL-3.0-or-later
"""--help of every verb: how long, in which order, and whether its examples work. Typing mistakes."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import termios
import unittest

from case import Case
from support import FIRMWARE, HANG_S, MPROF, environment, mprof

ELF = FIRMWARE / "cortex-m3.elf"
COLUMN = 26  # where what an option does begins
VERBS = re.findall(r"^  (\w+) ", mprof("--help").stdout, re.M)


def sections(text):
    """Title -> its lines, of the parts of a verb's help that have a title."""
    found = {}
    lines = []
    for line in text.splitlines():
        title = re.fullmatch(r"(\S.*):", line)
        if title:
            lines = found.setdefault(title[1], [])
        elif line:
            lines.append(line)
    return found


def options(lines):
    """(option, value, what it does) of each, of a section of options."""
    found = []
    for line in lines:
        start = re.match(r"  (?:-\w, |    )(--[a-z-]+)(\S*| \S+)(?:  +|$)", line)
        if start:
            found.append([start[1], start[2].strip(), line[COLUMN:]])
        else:
            found[-1][2] += " " + line[COLUMN:]
    return [(name, value, " ".join(text.split())) for name, value, text in found]


def all_options(verb):
    return [option for lines in sections(mprof(verb, "--help").stdout).values()
            for option in options(lines if lines and lines[0].startswith(("  -", "      --")) else [])]


def examples(verb):
    return [line.strip() for line in sections(mprof(verb, "--help").stdout)["Examples"]
            if line.startswith("  mprof ")]


class Help(Case):
    def each(self):
        """(verb, what its --help prints)"""
        self.assertGreater(len(VERBS), 8)
        return [(verb, self.good(verb, "--help")) for verb in VERBS]

    def test_length(self):
        for text in [self.good("--help"), *(text for _, text in self.each())]:
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])

    def test_common_options(self):
        for verb, text in self.each():
            found = sections(text)
            self.assertEqual(next(iter(found)), "Common options")
            self.assertTrue(text.startswith(f"usage: mprof {verb} "))
            self.assertLessEqual(len(options(found["Common options"])), 15)

    def test_options(self):
        """None twice, each a phrase."""
        for verb, _ in self.each():
            found = all_options(verb)
            self.assertGreater(len(found), 5, verb)
            self.assertEqual(len({name for name, _, _ in found}), len(found))
            for name, _, text in found:
                with self.subTest(name):
                    self.assertIn(len(text.split()), range(1, 13), text)
                    self.assertTrue(text[0].isupper() or text.startswith("gdb"), text)
                    self.assertNotRegex(text, r"\.$")

    def test_output(self):
        """A snapshot is never printed."""
        said = {verb: text for verb, _ in self.each() for name, _, text in all_options(verb) if name == "--output"}
        self.assertEqual(said.pop("snapshot"), "Write the snapshot to this file")
        self.assertEqual(said.pop("run"), "Write the snapshot to this file; with --trace, the calls")
        self.assertEqual(said.pop("instrument"), "Write the copy with calls of the hook to this file")
        self.assertEqual(set(said.values()), {"Write to this file instead of standard output"})

    def test_examples(self):
        """Three a verb, of its own options; without their files each fails, but not by its words."""
        for verb, _ in self.each():
            found = examples(verb)
            self.assertEqual(len(found), 3)
            names = {name for name, _, _ in all_options(verb)}
            for line in found:
                with self.subTest(line):
                    words = shlex.split(line)
                    self.assertEqual(words[:2], ["mprof", verb])
                    for word in words:
                        if word.startswith("--") and word != "--":
                            self.assertIn(word.partition("=")[0], names)
                    done = subprocess.run([MPROF, *words[1:]], cwd=self.folder, text=True,
                                          env=environment(), capture_output=True,
                                          stdin=subprocess.DEVNULL, timeout=HANG_S)
                    self.assertNotEqual(done.returncode, 2, done.stderr)

    def test_help_verb(self):
        self.assertEqual(self.good("help"), self.good("--help"))
        for verb, text in self.each():
            self.assertEqual(self.good("help", verb), text)
        self.assertEqual(self.good("help", "record"), self.good("help", "snapshot"))
        self.assertEqual(self.bad("help", "tpo", status=2),
                         "mprof: unknown command 'tpo'; did you mean 'top'?\n")
        self.assertIn("'more'", self.bad("help", "top", "more", status=2))

    def test_nothing(self):
        done = mprof()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, self.good("--help"))

    def test_narrow_terminal(self):
        """Lines are as long as the terminal is wide, to the last word."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 60, 0, 0))
        done = subprocess.Popen([MPROF, "diff", "--help"], stdout=theirs, env=environment())
        os.close(theirs)
        text = b""
        while True:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:
                break
            if not data:
                break
            text += data
        os.close(ours)
        self.assertEqual(done.wait(HANG_S), 0)
        lines = text.decode().split("\r\n")
        wrapped = [line for line in lines if not re.match("  mprof |      ", line)]
        self.assertLessEqual(max(map(len, wrapped)), 60)
        self.assertEqual("".join(text.decode().split()), "".join(self.good("diff", "--help").split()))


class Missing(Case):
    def test_what_is_needed(self):
        """The complaint, the usage line, and an example that is one of --help's."""
        for words, what in ((("top",), "missing ELF file"),
                            (("top", "--elf", ELF), "missing debug server"),
                            (("stat",), "missing ELF file"), (("report",), "missing ELF file"),
                            (("annotate",), "missing argument: FUNC"),
                            (("annotate", "main"), "missing ELF file"),
                            (("control",), "missing ELF file"),
                            (("snapshot", "--elf", ELF, "--gdb", ":1"), "missing output"),
                            (("diff",), "missing arguments: OLD NEW"),
                            (("diff", "a"), "missing argument: NEW"),
                            (("diff", "--base", "a"), "missing option: --new"),
                            (("diff", "--new", "a"), "missing option: --base"),
                            (("export",), "missing option: --format"),
                            (("export", "--format", "csv"), "missing argument: FILE")):
            with self.subTest(words):
                self.lacking(mprof(*words), what)


class Mistakes(Case):
    def test_typing(self):
        target = ("--elf", ELF, "--gdb", ":1")
        for words, answer in (
                (("tpo",), "unknown command 'tpo'; did you mean 'top'?"),
                (("REPORT",), "unknown command 'REPORT'; did you mean 'report'?"),
                (("hlep",), "unknown command 'hlep'; did you mean 'help'?"),
                (("xyzzy",), "unknown command 'xyzzy'; see 'mprof --help'"),
                (("--elf", "fw.elf"), "options come after the command: mprof COMMAND --elf"),
                (("top", "--elff", "x"), "unknown option '--elff'; did you mean '--elf'?"),
                (("top", "--elff=x"), "unknown option '--elff'; did you mean '--elf'?"),
                (("diff", "--fial-above"), "unknown option '--fial-above'; did you mean '--fail-above'?"),
                (("report", "--fail-above", "+5%"), "--fail-above is an option of 'mprof diff'; see"),
                (("report", "-d", "1"), "-d is an option of 'mprof top'; see"),
                (("top", "--batch=yes"), "--batch takes no value; see"),
                (("top", "--re"), "--re is ambiguous: --record-link, --region, --restart-on-resume; see"),
                (("top", "-e"), "-e needs a value: -e FILE; see"),
                (("top", "--elf"), "--elf needs a value: --elf FILE; see"),
                (("top", *target, "--by", "lines"), "did you mean 'line'?"),
                (("top", *target, "--format", "jsn"), "did you mean 'json'?"),
                (("top", *target, "--sampler", "steam"), "did you mean 'stream'?"),
                (("top", *target, "--sort", "hist"), "--sort: unknown column 'hist'; did you mean 'hits'?"),
                (("top", *target, "--fields", "share,functoin"),
                 "--fields: unknown column 'functoin'; did you mean 'function'?"),
                (("export", "--format", "foldd", "x"), "did you mean 'folded'?"),
                (("diff", "a", "b", "--by", "inline"), "--by inline does not work for a diff"),
                (("diff", "a", "b", "--per", "medain"), "did you mean 'median'?"),
                (("top", *target, "extra"), "unexpected argument 'extra'; see 'mprof top --help'"),
                (("shell", "-c", "set delya 2"), "set: no shared option 'delya'; "
                                                 "did you mean 'delay'?")):
            with self.subTest(words):
                self.refused(mprof(*words), answer, status=2)

    def test_times(self):
        for value in ("10s", "500ms", "2min", "1h", "3", "0.5"):
            done = mprof("top", "--elf", "nowhere.elf", "--gdb", ":1", "-d", value, "--wait", value,
                         "--timeout", value)
            self.assertEqual(done.returncode, 1, done.stderr)
        for value in ("10 s", "2m", "1d", "1:30", "s"):
            self.refused(mprof("snapshot", "--elf", ELF, "--gdb", ":1", "--duration", value),
                         f"'{value}' is not a time from 0.01s to 24h, like 500ms, 10s or 2min", status=2)


if __name__ == "__main__":
    unittest.main()
