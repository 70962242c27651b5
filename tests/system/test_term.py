# SPDX-License-Identifier: GPL-3.0-or-later
"""cli/term on a real terminal emulator: what it shows, what it reads, what it leaves behind."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import termios
import unittest

from support import state, wait_for
from terminal import Pty, Terminal

DEMO = sys.argv[1]
XTERM, TMUX, OLD = "xterm-256color", "tmux-256color", "vt100"


# A process with a terminal, which says its server's process id and waits.
OWNER = """
import sys
from terminal import Terminal
with Terminal() as terminal:
    print(terminal.ask("pid"), terminal.ask("pane_pid"), flush=True)
    sys.stdin.read()
"""


class Ended(unittest.TestCase):
    def test_no_server_is_left(self):
        """A test that is ended from outside leaves no tmux behind, and nothing that ran in it."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with subprocess.Popen([sys.executable, "-B", "-c", OWNER], text=True, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, cwd=pathlib.Path(__file__).parent) as owner:
                pids = owner.stdout.readline().split()
                owner.send_signal(number)
            self.assertEqual((owner.returncode, len(pids)), (-number, 2))
            for pid in pids:
                wait_for(f"the end of {pid}", lambda pid=pid: state(pid) in ("", "Z"))


class TermTest(unittest.TestCase):
    def begin(self, terminal, rows=10, columns=40):
        terminal.command("echo before")
        terminal.shows("^before$")
        self.before = terminal.settings()
        terminal.command(f"{DEMO} {rows} {columns}")
        terminal.shows(r"^demo \d+ rows")
        terminal.wait("other settings", lambda: terminal.settings() != self.before)

    def left_as_found(self, terminal, more):
        terminal.shows(more)
        self.assertRegex(terminal.screen(), r"(?m)^before$")
        self.assertNotRegex(terminal.screen(), r"(?m)^demo \d+ rows")
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
                # Of a character that is half covered nothing is left.
                self.assertEqual(lines[8].rstrip(), " x\u5b57|     y |        \u5b57|      \u6f22")
                self.assertEqual(lines[-1], "corner".rjust(columns))
                self.assertNotIn("below", t.screen())
                self.assertNotIn("above", t.screen())
                self.assertEqual(t.ask("cursor_flag"), "0")

    def test_reads_keys_and_wakes(self):
        with Terminal() as t:
            self.begin(t)
            keys = [("a", 0x61), ("Escape", 0x1b), ("Enter", 10), ("\u00e4", 0xe4), ("Tab", 9)]
            keys += [(name, 0x110004 + i) for i, name in enumerate(
                ["Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "BSpace",
                 "DC", *(f"F{i}" for i in range(1, 13)), "BTab", "IC"])]
            for key, number in keys:
                t.type(key)
                t.shows(f"^key {number:x}$")
            # Alt and a key: Escape comes first, and Escape alone is not waited for.
            t.type("M-q")
            t.shows("ended by 0")

    def test_is_woken(self):
        with Terminal() as t:
            self.begin(t)
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

    def test_stops_and_goes_on(self):
        with Terminal(TERM=XTERM) as t:
            self.begin(t)
            t.type("m")
            t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
            t.type("C-z")
            t.shows("Stopped")
            self.assertEqual(t.ask("alternate_on"), "0")
            self.assertEqual(t.ask("mouse_any_flag"), "0")
            t.command("fg")
            t.shows(r"^demo \d+ rows")
            t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
            self.mouse(t, True, 0, 4, 9)
            t.shows("^mouse 0 at 4 9,")
            t.type("q")
            self.left_as_found(t, "^ended by 0$")
            self.assertEqual(t.ask("mouse_any_flag"), "0")

    def test_stops_amid_a_frame(self):
        """Ctrl-Z while the terminal takes nothing: ncurses' own handler would drop it."""
        with Terminal(TERM=XTERM) as t:
            self.begin(t)
            syscall = pathlib.Path(f"/proc/{t.child()}/syscall")
            t.type("C-s", "w")
            # Its first argument is standard output.
            wait_for("a write that waits", lambda: syscall.read_text().split()[1:2] == ["0x1"])
            t.type("a", "C-z", "C-q")
            t.shows("Stopped")
            self.assertEqual(t.ask("alternate_on"), "0")
            t.command("fg")
            t.shows("^demo .* rows")
            t.shows("^key 61")
            t.type("q")
            self.left_as_found(t, "^ended by 0$")

    def test_goes_on_after_another_program(self):
        with Terminal(TERM=XTERM) as t:
            self.begin(t)
            t.type("m", "s")
            t.shows("^away 1 1$")
            self.assertEqual(t.settings(), self.before)
            self.assertEqual(t.ask("mouse_any_flag"), "0")
            t.type("Enter")
            t.shows(r"^demo \d+ rows")
            t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
            t.type("C-z")
            t.shows("Stopped")
            self.assertEqual(t.ask("alternate_on"), "0")
            t.command("fg")
            t.shows(r"^demo \d+ rows")
            t.type("q")
            self.left_as_found(t, "^ended by 0$")

    def test_no_terminal_is_refused(self):
        for redirection, text in (("</dev/null", "refused 1: standard input is not a terminal"),
                                  ("| cat", "refused 1: standard output is not a terminal")):
            with self.subTest(redirection), Terminal() as t:
                t.command(f"{DEMO} 10 40 {redirection}")
                t.shows(text)

    def looks(self, **variables):
        """What switches each style on, in its line and in the cursor's."""
        with Terminal(200, 20, **variables) as t:
            self.begin(t)
            t.shows("corner$")
            lines = t.screen("-e").split("\n")
        found = []
        for line in (lines[4], lines[7]):
            style = ""
            looks = {}
            for escape, word in re.findall(r"\033\[([0-9;]*)m|([a-z]+)", line):
                if word:
                    looks[word] = style
                else:
                    style = escape if escape in ("", "0") else f"{style};{escape}"
            found.append(looks)
        self.assertEqual(len(found[0]), 16)
        self.assertEqual(len(found[1]), 16)
        return found

    def test_colours(self):
        colour = re.compile(r"(^|;)(3[1-7]|38;5)(;|$)")
        for name, fine in ((XTERM, True), (TMUX, True), ("xterm", False), ("linux", False)):
            with self.subTest(name):
                plain, selected = self.looks(TERM=name)
                for style in ("title", "good", "warn", "bad", "bar", "hot", "warm", "section",
                              "match", "source", "inline", "keyname"):
                    self.assertRegex(plain[style], colour)
                    self.assertEqual("38;5" in plain[style], fine, style)
                    # Its own ground, or its colour in reverse.
                    self.assertRegex(selected[style], r"48;5;238" if fine else colour)
                    self.assertNotEqual(selected[style], selected["normal"])
                self.assertRegex(selected["normal"], r"48;5;238" if fine else r"(^|;)7(;|$)")

    def test_no_colours(self):
        colour = re.compile(r"(^|;)([34][0-7]|[34]8;5)(;|$)")
        for variables in ({"TERM": XTERM, "NO_COLOR": "1"}, {"TERM": OLD}):
            with self.subTest(**variables):
                plain, selected = self.looks(**variables)
                for look in (*plain.values(), *selected.values()):
                    self.assertNotRegex(look, colour)
                for a, b in (("hot", "normal"), ("title", "hot"), ("title", "normal"),
                             ("match", "normal"), ("keyname", "normal")):
                    self.assertNotEqual(plain[a], plain[b])
                    self.assertNotEqual(selected[a], selected[b])
                self.assertRegex(selected["normal"], r"(^|;)7(;|$)")
                self.assertRegex(selected["hot"], r"(^|;)7(;|$)")
                self.assertNotIn(";7", selected["match"])

    def mouse(self, t, sgr, button, row, column):
        if sgr:
            text = f"\033[<{button};{column + 1};{row + 1}M"
            # The button goes up again, which nobody asked for.
            text += f"\033[<{button};{column + 1};{row + 1}m" if button < 64 else ""
        else:
            text = f"\033[M{chr(32 + button)}{chr(33 + column)}{chr(33 + row)}"
        t.type("-H", *(f"{byte:x}" for byte in text.encode("latin-1")))

    def test_mouse(self):
        for name, sgr in ((XTERM, True), ("xterm", True), (TMUX, False), ("screen", False)):
            with self.subTest(name), Terminal(TERM=name) as t:
                self.begin(t)
                self.assertEqual(t.ask("mouse_any_flag"), "0")
                t.type("m")
                t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
                self.assertEqual(t.ask("mouse_sgr_flag"), str(int(sgr)))
                for button, place, news in ((0, (4, 9), 0), (64, (0, 0), 2), (65, (23, 79), 3)):
                    self.mouse(t, sgr, button, *place)
                    t.shows("^mouse %d at %d %d," % (news, *place))
                # The other buttons say nothing.
                self.mouse(t, sgr, 2, 5, 5)
                t.type("a")
                t.shows("^key 61$")
                t.type("m")
                t.wait("no mouse", lambda: t.ask("mouse_any_flag") == "0")

    def test_mouse_twice(self):
        with Terminal(TERM=XTERM) as t:
            self.begin(t)
            t.type("m")
            t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
            press = [f"{b:x}" for b in b"\033[<0;3;2M\033[<0;3;2m"]
            other = [f"{b:x}" for b in b"\033[<0;4;2M\033[<0;4;2m"]
            for keys, news in ((press * 2, "mouse 1 at 1 2"), (press, "mouse 0 at 1 2"),
                               (other, "mouse 0 at 1 3"), (press + other, "mouse 0 at 1 3"),
                               (press * 3, "mouse 0 at 1 2")):
                t.type("Z")
                t.shows("^key 5a$")
                t.type("-H", *keys)
                t.shows(f"^{news},")

    def test_no_event_is_lost(self):
        with Terminal(TERM=XTERM) as t:
            self.begin(t)
            t.type("m")
            t.wait("mouse", lambda: t.ask("mouse_any_flag") == "1")
            for what in (64, 65):
                t.type("-H", *(f"{b:x}" for b in b"\033[<%d;3;2M" % what * 30))
            t.type("-H", *(f"{b:x}" for i in range(4) for b in b"\033[<0;%d;2M\033[<0;%d;2m" %
                           (i + 1, i + 1)))
            t.shows("^mouse 0 at 1 3, event 64$")

    def test_no_mouse(self):
        with Terminal(TERM=OLD) as t:
            self.begin(t)
            t.type("m", "a")
            t.shows("^key 61$")
            self.assertEqual(t.ask("mouse_any_flag"), "0")

    def test_cursor(self):
        with Terminal() as t:
            self.begin(t)
            for shown in ("1", "0", "1"):
                t.type("c")
                t.wait("cursor", lambda: t.ask("cursor_flag") == shown)
                if shown == "1":
                    self.assertEqual(t.ask("cursor_y cursor_x".replace(" ", "},#{")), "1,3")
            t.type("q")
            self.left_as_found(t, "^ended by 0$")

    def check_given_back(self, p):
        self.assertFalse(p.modes() & {1, 1000, 1002, 1003, 1006, 1015, 1049})
        hidden = re.findall(rb"\033\[\?25([hl])", p.bytes)
        self.assertNotEqual(hidden[-1:], [b"l"])
        self.assertEqual(termios.tcgetattr(p.slave), p.before)

    def way_out(self, name, end):
        with Pty(name, [DEMO, "10", "40"]) as p:
            p.shows(b"corne")
            p.type(b"mca")
            p.shows(b"61")
            self.assertNotEqual(termios.tcgetattr(p.slave), p.before)
            self.assertEqual(1000 in p.modes(), name != OLD)
            self.assertEqual(1006 in p.modes(), name.startswith("xterm"))
            self.assertEqual(1049 in p.modes(), name not in (OLD, "linux"))
            end(p)
            p.wait("end", p.ended)
            p.all()
            self.check_given_back(p)
            return p

    def test_every_way_out(self):
        def kill(number):
            return lambda p: os.kill(p.pid, number)

        ways = {"q": lambda p: p.type(b"q"), "SIGTERM": kill(signal.SIGTERM),
                "SIGSEGV": kill(signal.SIGSEGV), "away": self.go_away,
                "away, SIGSEGV": self.crash_away}
        for name in (XTERM, "xterm", TMUX, "screen", "linux", OLD):
            for way, end in ways.items():
                with self.subTest(name=name, way=way):
                    self.way_out(name, end)

    def go_away(self, p):
        p.type(b"s")
        p.shows(b"away 1 1")
        self.check_given_back(p)
        begin = len(p.bytes)
        p.type(b"\n")
        p.shows(b"corne", begin)
        p.type(b"b")
        p.shows(b"62", begin)
        self.assertNotEqual(termios.tcgetattr(p.slave), p.before)
        self.assertEqual(b"[?1000h" in p.bytes[begin:] or b";1000h" in p.bytes[begin:],
                         b"1000h" in p.bytes[:begin])
        self.assertEqual(p.bytes[begin:].count(b"[?1049h"), p.bytes[:begin].count(b"[?1049h") // 2)
        p.type(b"q")

    def crash_away(self, p):
        p.type(b"s")
        p.shows(b"away 1 1")
        p.all()
        self.check_given_back(p)
        begin = len(p.bytes)
        os.kill(p.pid, signal.SIGSEGV)
        p.wait("end", p.ended)
        p.all()
        self.assertNotIn(b"\033", p.bytes[begin:])
        p.ended = lambda: True

    def test_resized_while_away(self):
        with Pty(XTERM, [DEMO, "10", "40"]) as p:
            p.shows(b"corne")
            p.type(b"s")
            p.shows(b"away 1 1")
            p.resize(100, 30)
            p.type(b"\n")
            p.shows(b"demo 30 rows 100 columns")
            p.type(b"q")
            p.wait("end", p.ended)

    def frames(self, p, keys, marks):
        """Calls of write() for the frames of keys that each show their mark."""
        begin = p.writes()
        for key, mark in zip(keys, marks):
            at = len(p.bytes)
            p.type(key)
            p.shows(mark, at)
        p.wait("frames", lambda: p.writes() - begin >= len(keys))
        p.rests()
        return p.writes() - begin

    def test_one_write_a_frame(self):
        with Pty(XTERM, [DEMO, "10", "40"], 200, 50) as p:
            p.shows(b"corne")
            p.type(b"a")
            p.shows(b"key 61")
            p.rests()
            # Frames in which nothing changes, of the keys i, write nothing.
            self.assertEqual(self.frames(p, [b"b", b"iiid", b"e"], [b"2", b"4", b"5"]), 3)

    def test_one_write_a_whole_frame(self):
        with Pty(XTERM, [DEMO, "10", "40"]) as p:
            p.shows(b"corne")
            p.resize(200, 50)
            p.shows(b"200 columns")
            p.rests()
            for _ in range(2):
                at = len(p.bytes)
                self.assertEqual(self.frames(p, [b"f"], [b"\033[38;5;31m"]), 1)
                self.assertGreater(len(p.bytes) - at, 20000)
                at = len(p.bytes)
                self.assertEqual(self.frames(p, [b"w"], [b"\033[H\033[2J"]), 1)

    def test_ends_with_its_terminal(self):
        with Terminal() as t:
            self.begin(t)
            demo = pathlib.Path(f"/proc/{t.child()}")
            t.end()
            wait_for("its end", lambda: not demo.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=1)
