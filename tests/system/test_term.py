# SPDX-License-Identifier: GPL-3.0-or-later
"""cli/term on a real terminal emulator: what it shows, what it reads, what it leaves behind."""

import os
import pathlib
import re
import signal
import sys
import time
import unittest

from terminal import Terminal

DEMO = sys.argv[1]


class TermTest(unittest.TestCase):
    def begin(self, terminal, rows=10, columns=40):
        terminal.command("echo before")
        terminal.shows("^before$")
        self.before = terminal.settings()
        terminal.command(f"{DEMO} {rows} {columns}")
        terminal.shows("^demo ")
        terminal.wait("other settings", lambda: terminal.settings() != self.before)

    def left_as_found(self, terminal, more):
        terminal.shows(more)
        self.assertRegex(terminal.screen(), r"(?m)^before$")
        self.assertNotRegex(terminal.screen(), r"(?m)^demo ")
        self.assertEqual(terminal.ask("alternate_on"), "0")
        self.assertEqual(terminal.ask("cursor_flag"), "1")
        self.assertEqual(terminal.ask("keypad_cursor_flag"), "0")
        # The shell may read a line by settings of its own: look while it waits for another one.
        terminal.command("sleep 1000")
        terminal.wait("settings as before", lambda: terminal.settings() == self.before)

    def test_draws_and_clips(self):
        for columns, rows in ((80, 24), (200, 50)):
            with self.subTest(columns=columns), Terminal(columns, rows) as t:
                self.begin(t)
                t.shows("corner$")
                lines = t.screen().split("\n")[:rows]
                self.assertEqual(lines[0], f"demo {rows} rows {columns} columns")
                self.assertEqual(lines[1], "begun")
                self.assertEqual(lines[2], "[?[2J??31m??????]")
                self.assertEqual(lines[3], "[\u00e4\u2588\u6f22]")
                self.assertEqual(lines[5], "cli".ljust(columns - 3) + "cli")
                self.assertEqual(lines[6], "")
                self.assertEqual(lines[-1], "corner".rjust(columns))
                self.assertNotIn("below", t.screen())
                self.assertNotIn("above", t.screen())
                self.assertEqual(t.ask("cursor_flag"), "0")

    def test_reads_keys_and_wakes(self):
        with Terminal() as t:
            self.begin(t)
            for key, news in (("a", "key 61"), ("Up", "key 110003"), ("F1", "key 11000d"),
                              ("Escape", "key 1b"), ("Enter", "key a"), ("\u00e4", "key e4"),
                              ("BSpace", "key 11000b"), ("PageDown", "key 11000a")):
                t.type(key)
                t.shows(f"^{news}$")
            os.kill(t.child(), signal.SIGUSR1)
            t.shows("^woken$")

    def test_resizes(self):
        with Terminal() as t:
            self.begin(t)
            for columns, rows in ((200, 50), (30, 8), (80, 24)):
                t.tmux("resize-window", "-x", str(columns), "-y", str(rows))
                t.shows(f"^demo {rows} rows {columns} column")
                t.wait("corner", lambda: t.screen().split("\n")[rows - 1].endswith("corner"))
                self.assertEqual(t.screen().count("corner"), 1)

    def test_leaves_no_trace(self):
        ways = {
            "q": (lambda t: t.type("q"), "^ended by 0$"),
            "Ctrl-C": (lambda t: t.type("C-c"), "^ended by 2$"),
            "SIGTERM": (lambda t: os.kill(t.child(), signal.SIGTERM), "^ended by 15$"),
            "SIGSEGV": (lambda t: os.kill(t.child(), signal.SIGSEGV), "Segmentation"),
            "SIGABRT": (lambda t: os.kill(t.child(), signal.SIGABRT), "Aborted"),
        }
        for name, (end, more) in ways.items():
            with self.subTest(name), Terminal() as t:
                self.begin(t)
                end(t)
                self.left_as_found(t, more)

    def test_stops_and_goes_on(self):
        with Terminal() as t:
            self.begin(t)
            t.type("C-z")
            t.shows("(Stopped|^before$)")
            self.assertEqual(t.ask("alternate_on"), "0")
            t.command("fg")
            t.shows("^demo ")
            t.type("q")
            self.left_as_found(t, "^ended by 0$")

    def test_too_small_is_refused(self):
        with Terminal(20, 5) as t:
            t.command(f"clear; {DEMO} 10 40")
            t.wait("text", lambda: "refused 2: the terminal is 20x5, at least 40x10 are needed" in
                   t.screen().replace("\n", ""))
            self.assertEqual(t.ask("alternate_on"), "0")

    def test_no_terminal_is_refused(self):
        for redirection, text in (("</dev/null", "refused 1: standard input is not a terminal"),
                                  ("| cat", "refused 1: standard output is not a terminal")):
            with self.subTest(redirection), Terminal() as t:
                t.command(f"{DEMO} 10 40 {redirection}")
                t.shows(text)

    def test_unknown_terminal_is_refused(self):
        for name in ("dumb", "no-such-terminal"):
            with self.subTest(name), Terminal() as t:
                t.command(f"TERM={name} {DEMO} 10 40")
                t.shows(f'refused 3: the terminal "{name}"')

    def test_colours(self):
        colour = re.compile(r"\033\[[0-9;]*3[1-7]")
        with Terminal() as t:
            self.begin(t)
            t.shows("corner$")
            self.assertRegex(t.screen("-e"), colour)
        with Terminal(NO_COLOR="1") as t:
            self.begin(t)
            t.shows("corner$")
            self.assertNotRegex(t.screen("-e"), colour)
            self.assertRegex(t.screen("-e"), r"\033\[1m")

    def test_ends_with_its_terminal(self):
        with Terminal() as t:
            self.begin(t)
            demo = pathlib.Path(f"/proc/{t.child()}")
            t.tmux("kill-server")
            end = time.monotonic() + 10
            while demo.exists() and time.monotonic() < end:
                time.sleep(0.02)
            self.assertFalse(demo.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
