# SPDX-License-Identifier: GPL-3.0-or-later
"""The zoom of mprof top into a function: real numbers, a real gdb, real arcs.

usage: test_zoom.py BLOCKS_ELF
"""

import pathlib
import re
import shlex
import sys
import tempfile
import unittest

from process import PIE, Steady
from rig import Rig, Tcl
from support import MPROF, state, symbols, wait_for
from terminal import Terminal

BLOCKS, = sys.argv[1:]
SOURCE = pathlib.Path(__file__).with_name("process.c")
PLAIN = b"__asan_" not in PIE.read_bytes()
HOT = "left = left - 1;"
MAGIC = 0x6672706d


class Zoom(unittest.TestCase):
    def start(self, terminal, elf, function, *options):
        terminal.command(f"clear; {MPROF} top --elf {elf} -d 0.1 {' '.join(map(str, options))}; "
                         "echo status $?")
        terminal.shows("FUNCTION")
        terminal.type(":")
        terminal.command(f"zoom {function}")

    def hits(self, terminal):
        return int(re.search(r"(\d+) of \d+ samples", terminal.screen()).group(1))

    def cursor(self, terminal):
        """The line that the cursor is on, without its numbers: its ground is another one."""
        return self.place(terminal)[1]

    def place(self, terminal):
        """Its number on the screen, too."""
        for number, line in enumerate(terminal.screen("-e").split("\n")[2:-1]):
            plain = re.sub(r"\x1b\[[\d;]*m", "", line)
            if "48;5;238m" in line and not plain.startswith("Enter"):
                return number, plain[14:].rstrip()
        return None, None

    def leave(self, terminal):
        terminal.type("q")
        terminal.shows("FUNCTION")
        terminal.type("q")
        terminal.shows("^status 0$")
        self.assertEqual(terminal.ask("alternate_on"), "0")

    @unittest.skipUnless(PLAIN, "the program has a sanitizer in it")
    def test_sizes(self):
        with Steady(PIE) as process:
            for columns, rows in ((80, 24), (200, 50), (40, 10)):
                with self.subTest(columns=columns), Terminal(columns, rows) as t:
                    self.start(t, PIE, "work_a", "--pid", process.pid)
                    t.settles(lambda screen: self.check(screen, columns, rows))
                    self.leave(t)

    def check(self, screen, columns, rows):
        lines = screen.split("\n")
        self.assertRegex(screen, r"(?m)^ *(\[0\.0, [\d.]+\]| +[\d.]+ +\d+) [┏┃ ] ")
        self.assertRegex(lines[0], r"^work_a  [\d.]+ % (\u00b1 [\d.]+|\[[\d.]+, [\d.]+\])")
        if columns >= 80:
            self.assertRegex(screen, r"(?m)^ +[\d.]+ +\d+ ┏ ")
            self.assertRegex(lines[0], r"  \d+ of \d+ samples  process\.c:\d+  block"
                                       r"(?: size 16 bytes| 16 B)$")
            self.assertIn(HOT, screen)
            self.assertRegex(screen, r"│└─ +[0-9a-f]+  jne ")
            self.assertRegex(screen, r"(?m)^ +inlined work at process\.c:\d+ <- "
                                     r"work_a at process\.c:\d+$")
        self.assertRegex(lines[1], r"^SHARE% +HITS +ADDRESS")
        fitting = r"Tab callers  Esc back  .*" if columns >= 80 else ""
        self.assertRegex(lines[rows - 1], rf"^Enter annotate  {fitting}\? help  q quit$")

    @unittest.skipUnless(PLAIN, "the program has a sanitizer in it")
    def test_numbers_follow(self):
        """Hits go up at each poll, and the cursor stays on its line; the editor's place is there."""
        with Steady(PIE) as process, Terminal(80, 24, EDITOR="./editor") as t:
            folder = pathlib.Path(t.folder.name)
            editor = folder / "editor"
            editor.write_text('#!/bin/sh\necho "$@" > edited.new; mv edited.new edited\n')
            editor.chmod(0o700)
            self.start(t, PIE, "work_a", "--pid", process.pid)
            t.shows(r"^ +[\d.]+ +\d+ ┏ ")
            t.type("Home")
            t.wait("the first line", lambda: self.place(t)[0] == 0)
            t.type("Down", "Down", "Down")
            t.wait("the cursor", lambda: (self.place(t)[0] or 0) >= 3)
            line, hits = self.cursor(t), self.hits(t)
            t.wait("hits", lambda: self.hits(t) > hits + 200)
            self.assertEqual(self.cursor(t), line)
            t.type("n")
            t.wait("the cursor has moved", lambda: self.cursor(t) != line)
            t.type("e")
            wait_for("the editor", (folder / "edited").exists)
            number = int(re.fullmatch(r"\+(\d+) /\S+/process\.c\n",
                                      (folder / "edited").read_text()).group(1))
            self.assertIn(SOURCE.read_text().splitlines()[number - 1].strip(),
                          (HOT, "while (left > 0)"))
            t.type("Tab")
            t.shows("^no callers and callees: the firmware has no arcs")
            t.shows("^Enter annotate  Tab code ")
            t.type("Tab")
            t.shows(r"jne ")
            t.shows("^Enter annotate  Tab callers ")
            self.leave(t)

    def test_gdb_hangs(self):
        """The screen lives, with source lines; nobody is left behind."""
        with tempfile.TemporaryDirectory() as folder, Steady(PIE) as process, \
                Terminal(80, 24) as t:
            gdb = pathlib.Path(folder) / "gdb"
            gdb.write_text("#!/bin/sh\ntrap '' TERM HUP INT\necho $$ > ${0%/*}/new\n"
                           "mv ${0%/*}/new ${0%/*}/pid\nwhile :; do sleep 1000; done\n")
            gdb.chmod(0o700)
            self.start(t, PIE, "work_a", "--pid", process.pid,
                       "--disassembler", shlex.quote(str(gdb)))
            t.shows("^disassembling")
            wait_for("the script", (gdb.parent / "pid").exists)
            pid = int((gdb.parent / "pid").read_text())
            hits = self.hits(t)
            t.wait("hits", lambda: self.hits(t) > hits + 100)
            if PLAIN:
                self.assertRegex(t.screen(),
                                 rf"(?m)^ +\[0\.0, [\d.]+\]  process\.c:\d+ +{re.escape(HOT)}")
            self.leave(t)
            wait_for("gdb's end", lambda: state(pid) in ("", "Z"))

    def check_callers(self, screen):
        self.assertRegex(screen.split("\n")[1], "^SHARE% +CALLS +CALLERS AND CALLEES$")
        callers = re.findall(r"^ +([\d.]+) +(\d+)    (from_\w+)", screen, re.M)
        self.assertEqual([name for *_, name in callers], ["from_one", "from_two"])
        self.assertEqual({share for share, *_ in callers}, {"50.0"})
        self.assertEqual(len({hits for _, hits, _ in callers}), 1)
        self.assertRegex(screen, rf"(?m)^ +100\.0 +{2 * int(callers[0][1])}  work_b")
        self.assertIn("(no call was recorded)", screen)

    def test_callers_and_callees(self):
        """Arcs of a running core, read without a halt; Enter walks along them."""
        prof, samples = symbols(BLOCKS)["s_prof"][0], symbols(BLOCKS)["blocks_samples"][0]
        rig = Rig(BLOCKS, icount=6, fast=True).start()
        self.addCleanup(rig.stop)
        with Tcl(rig.tcl_port) as tcl:
            wait_for("mprof_init()", lambda: tcl.read(prof)[0] == MAGIC and tcl.read(prof + 64)[0])
            tcl.write(samples, [2000])
            wait_for("samples", lambda: tcl.read(prof + 20)[0] >= 2000)
        with Terminal(80, 24) as t:
            self.start(t, BLOCKS, "work_b", "--gdb", f":{rig.gdb_port}", "--tcl",
                       f":{rig.tcl_port}")
            t.shows(r"^ +[\d.]+ +\d+/?.* [0-9a-f]+  [a-z]")
            t.type("Tab")
            t.shows("from_one")
            t.settles(self.check_callers)
            t.wait("the cursor", lambda: re.search("work_b", self.cursor(t) or ""))
            t.type("Up")
            t.wait("the cursor", lambda: re.search("from_two", self.cursor(t) or ""))
            t.type("Enter")
            t.shows("^from_two  ")
            t.type("Tab")
            t.shows(r"^ +50\.0 +\d+    work_b")
            t.shows(r"^ +50\.0 +\d+    work_c")
            self.leave(t)
        self.assertEqual(rig.stat()["halts"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
