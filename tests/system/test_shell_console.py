# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof shell at a terminal: completion, history, Ctrl-C and Ctrl-Z. The target is a process."""

import os
import pathlib
import re
import signal
import unittest

from process import PIE, Steady
from support import MPROF, wait_for
from terminal import Terminal


class Console(unittest.TestCase):
    def begin(self, terminal, process, before=""):
        terminal.command(f"{before}{MPROF} shell --elf {PIE} --pid {process.pid}; echo status $?")
        # Last, behind what an earlier one has left.
        terminal.shows(r"^mprof>\s*\Z")

    def type(self, terminal, text, *keys):
        if text:
            terminal.tmux("send-keys", "-l", "--", text)
        terminal.type(*keys)

    def completes(self, terminal, text, line):
        """What Tab makes of it; the line is then given up."""
        self.type(terminal, text, "Tab")
        terminal.shows(rf"^mprof> {re.escape(line)}$")
        self.type(terminal, "", "C-c")
        terminal.shows(r"\^C\nmprof>$")
        terminal.type("C-l")

    def test_completion(self):
        with Steady(PIE) as process, Terminal(MPROF_HISTORY="") as t:
            pathlib.Path(t.folder.name, "some file.pb.gz").write_bytes(b"")
            self.begin(t, process)
            for text, line in (
                    ("rep", "report"), ("annotate --disas", "annotate --disassembler"),
                    ("report --by fu", "report --by function"),
                    ("report --by=fi", "report --by=file"),
                    ("set; top --sampler hist", "set; top --sampler histogram"),
                    ("report --fields share,fun", "report --fields share,function"),
                    ("diff --sort sig", "diff --sort significant"),
                    ("export --format fold", "export --format folded"),
                    ("report --format mark", "report --format markdown"),
                    ("diff --per med", "diff --per median"),
                    ("diff --per func", "diff --per function:"),
                    ("report --tcl no", "report --tcl none"),
                    ("report --ignore mai", "report --ignore main"),
                    ("set form", "set format"), ("set by ad", "set by address"),
                    ("control ign", "control ignore"), ("control on tim", "control on timer"),
                    ("help sna", "help snapshot"), ("disc", "disconnect"),
                    ("annotate wor", "annotate work_"), ("annotate main", "annotate main"),
                    ("report some", r"report some\ file.pb.gz"),
                    ("report 'some", "report 'some file.pb.gz'"),
                    ("report --output=some", "report --output=some file.pb.gz"),
                    ("connect --sym", "connect --symbol")):
                with self.subTest(text):
                    self.completes(t, text, line)
            self.type(t, "annotate work_", "Tab", "Tab")
            t.shows(r"^work_a +work_b +work_c")

    def test_snapshots(self):
        with Steady(PIE) as process, Terminal(MPROF_HISTORY="") as t:
            self.begin(t, process)
            t.command("set store .")
            t.command("snapshot; snapshot")
            t.shows(r"(?s)\.pb\.gz.*\.pb\.gz")
            self.type(t, "report @", "Tab", "Tab")
            t.shows(r"^@0 +@1")

    def test_history(self):
        with Steady(PIE) as process, Terminal(MPROF_HISTORY="h") as t:
            path = pathlib.Path(t.folder.name, "h")
            before = t.settings()
            self.begin(t, process)
            for text in ("set limit 3", "set by line", "set by line"):
                t.command(text)
                t.shows(rf"{text}\nmprof>$")  # what is typed before is shown by the terminal, anywhere
            wait_for("the file", lambda: path.exists() and "line" in path.read_text())
            self.assertEqual(path.read_text(), "set limit 3\nset by line\n")
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            t.shows(r"by line\nmprof> set by line\nmprof>$")  # before, Ctrl-D is not readline's, and lost
            t.type("C-d")
            t.shows("^status 0")
            self.assertEqual(t.settings(), before)
            t.command("clear")
            self.begin(t, process)
            t.type("Up")
            t.shows("^mprof> set by line$")
            t.type("Up")
            t.shows("^mprof> set limit 3$")
            t.type("C-c")
            t.shows(r"\^C\nmprof>$")  # it takes what was not read yet with it
            t.command("quit")
            t.shows("^status 0")
            # Bounded: what is too long is cut when it is read.
            path.write_text("".join(f"set limit {i}\n" for i in range(1, 5001)))
            t.command("clear")
            self.begin(t, process)
            t.type("Up")
            t.shows("^mprof> set limit 5000$")
            wait_for("a shorter file", lambda: len(path.read_text().splitlines()) == 1000)
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)

    def test_history_elsewhere(self):
        """In the state folder, which may have to be made; and none."""
        with Steady(PIE) as process, Terminal() as t:
            self.begin(t, process, "XDG_STATE_HOME=$PWD/state ")
            t.command("set limit 3")
            path = pathlib.Path(t.folder.name, "state", "mprof", "history")
            wait_for("the file", lambda: path.exists() and path.read_text() == "set limit 3\n")
            self.assertEqual(path.parent.stat().st_mode & 0o777, 0o700)
            t.command("quit")
            t.shows("^status 0")
            for name in ("", "/dev/full", "/nowhere/h", "fifo"):
                if name == "fifo":
                    os.mkfifo(pathlib.Path(t.folder.name, name))
                t.command("clear")
                self.begin(t, process, f"MPROF_HISTORY={name} ")
                t.command("set by line")
                t.command("set")
                t.shows("^set by line$")
                t.command("quit")
                t.shows("^status 0")

    def test_interrupts(self):
        with Steady(PIE) as process, Terminal(MPROF_HISTORY="") as t:
            before = t.settings()
            self.begin(t, process)
            self.type(t, "not this")
            t.shows("^mprof> not this$")  # Ctrl-C takes what was not read yet with it
            t.type("C-c")
            t.shows(r"^mprof> not this\^C\nmprof>$")
            t.command("top -b -n 100000 -d 0.1 -f function,hits")
            t.shows("^work_a")
            t.type("C-c")
            t.shows(r"(?s)\^C.*mprof>\s*\Z")  # some rows of a table may come behind it
            t.command("top -d 0.1")
            t.shows("q quit *$")
            t.type("C-c")
            t.shows(r"(?s)mprof> top -d 0\.1\nmprof>$")
            # Stopped, the terminal is the other shell's.
            t.type("C-z")
            t.shows("Stopped")
            self.assertEqual(t.settings(), before)
            t.command("fg")
            t.shows(r"(?s)\$ fg\n.+\nmprof>$")
            t.command("set limit 7; set")
            t.shows(r"^set limit 7\nmprof>$")
            t.type("C-d")
            t.shows(r"^\$$")
            self.assertEqual(t.settings(), before)

    def test_ends(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with Steady(PIE) as process, Terminal(MPROF_HISTORY="") as t:
                before = t.settings()
                self.begin(t, process)
                os.kill(t.child(), number)
                t.shows(f"status {status}")
                self.assertEqual(t.settings(), before)


if __name__ == "__main__":
    unittest.main()
