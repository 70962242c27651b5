# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of the live screen after every way out of it, from whatever is on it."""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import tempfile
import termios
import unittest

from process import FIXED, Steady
from support import MPROF, SOAK, environment, state, wait_for

# What is typed, and what is on the screen then.
MODES = {
    "ranking": (b"", rb"FUNCTION"),
    "changes": (b"B", rb"compared with"),
    "zoom": (b"\r", rb"disassembling"),
    "help": (b"?", rb"commands to type after"),
    "prompt": (b":sor", rb":sor"),
    "pattern": (b"/wor", rb"filter: wor"),
    "menu": (b"s", rb"SORT BY"),
    "question": (b"Z", rb"\(y/n\)"),
    "editor": (b"e", rb"the editor"),
    "command": (b":control\r", rb"return to the live screen"),
}
WAYS = ("INT", "TERM", "HUP", "SEGV")
# On and off, as xterm is told: the other screen, the cursor, the mouse.
SWITCHES = {"screen": (rb"\x1b\[\?1049h", rb"\x1b\[\?1049l"),
            "cursor": (rb"\x1b\[\?25l", rb"\x1b\[\?(?:12;)?25h|\x1b\[34h\x1b\[\?25h"),
            "mouse": (rb"\x1b\[\?100[0-6](?:;\d+)*h", rb"\x1b\[\?100[0-6](?:;\d+)*l")}


def script(path, text):
    """A program that says its number and does not end by itself."""
    path.write_text(f"#!/bin/sh\necho $$ > {path}.new; mv {path}.new {path}.pid\n{text}\n")
    path.chmod(0o700)


class Run:
    """mprof top on a pty, with all that it has written."""

    def __init__(self, folder, target):
        self.folder = folder
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, b"\x18\x00\x50\x00\x00\x00\x00\x00")
        self.before = termios.tcgetattr(self.slave)
        self.output = b""
        script(folder / "editor", "echo the editor; exec sleep 1000")
        script(folder / "gdb", "trap '' TERM HUP INT\nwhile :; do sleep 1000; done")
        env = dict(environment(), TERM="xterm-256color", EDITOR=str(folder / "editor"),
                   HOME=str(folder), MPROF_HISTORY="", ASAN_OPTIONS="detect_leaks=0")
        env.pop("VISUAL", None)
        self.process = subprocess.Popen(
            [MPROF, "top", "--elf", FIXED, "--pid", str(target.pid), "-d", "0.1", "--disassembler",
             str(folder / "gdb")], stdin=self.slave, stdout=self.slave, stderr=self.slave, env=env,
            cwd=folder, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def read(self):
        while select.select([self.master], [], [], 0.02)[0]:
            self.output += os.read(self.master, 65536)
        return self.output

    def all(self):
        """All that was written up to now has come when what is written behind it has. Linux ends a
        program at a Ctrl-C before it drops what is in the terminal: so it may drop that, too."""
        def written():
            os.write(self.slave, b"<mark>")
            return b"<mark>" in self.read()
        wait_for("what was written last", written)
        self.output = self.output.replace(b"<mark>", b"")

    def shows(self, pattern, start=0):
        try:
            wait_for(pattern, lambda: re.search(pattern, self.read()[start:]))
        except AssertionError as error:
            raise AssertionError(f"{error}; the last that was written is {self.output[-300:]}") from None

    def type(self, keys):
        start = len(self.output)
        os.write(self.master, keys)
        return start

    def pid(self, name):
        path = self.folder / f"{name}.pid"
        return int(path.read_text()) if path.exists() else None

    def ended(self):
        self.read()
        return self.process.poll() is not None

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for name in ("editor", "gdb"):
            if self.pid(name) and state(self.pid(name)) not in ("", "Z"):
                os.kill(self.pid(name), signal.SIGKILL)
        os.close(self.master)
        os.close(self.slave)


class Ways(unittest.TestCase):
    def check(self, run, target, crashed=False):
        """The terminal is as it was, nobody is left but the editor, and the target runs."""
        run.all()
        self.assertEqual(termios.tcgetattr(run.slave), run.before)
        for name, (on, off) in SWITCHES.items():
            last_on = max((m.start() for m in re.finditer(on, run.output)), default=-1)
            last_off = max((m.start() for m in re.finditer(off, run.output)), default=-1)
            self.assertGreater(last_on, -1, name)
            self.assertGreater(last_off, last_on, f"{name}: {run.output[last_on:][-300:]}")
        # After a crash nobody is there to kill it, if it does not leave at the end of its input.
        if run.pid("gdb") and not crashed:
            wait_for("gdb's end", lambda: state(run.pid("gdb")) in ("", "Z"))
        self.assertIn(state(target.pid), ("R", "S"))

    def leave(self, target, mode, way):
        keys, shown = MODES[mode]
        with tempfile.TemporaryDirectory(prefix="mprof-ways-") as name:
            run = Run(pathlib.Path(name), target)
            try:
                run.shows(rb"work_a")
                run.shows(shown, run.type(keys) if keys else 0)
                if mode == "zoom":
                    wait_for("gdb", lambda: run.read() and run.pid("gdb"))
                if way == "INT":
                    start = run.type(b"\x03")
                    if mode == "command":
                        # There it is Enter; the live view comes back, and the next one ends it.
                        run.shows(SWITCHES["screen"][0], start)
                        run.shows(rb"FUNCTION", start)
                        run.type(b"\x03")
                else:
                    run.process.send_signal(getattr(signal, f"SIG{way}"))
                wait_for("the end", run.ended)
                number = getattr(signal, f"SIG{way}")
                self.assertEqual(run.process.returncode, 0 if way == "INT" else -number)
                self.check(run, target, way == "SEGV")
            finally:
                run.close()

    def test_every_way(self):
        left = 0
        with Steady(FIXED) as target:
            for i, mode in enumerate(MODES):
                # Ctrl-C is the editor's, while it has the terminal.
                ways = [way for way in WAYS if (mode, way) != ("editor", "INT")]
                for way in ways if SOAK else (ways[i % len(ways)], ways[(i + 1) % len(ways)]):
                    with self.subTest(mode=mode, way=way):
                        self.leave(target, mode, way)
                        left += 1
        print(f"counted: {left} ends of the live screen, {len(MODES)} modes")

    def test_q(self):
        """From each mode back to the ranking, and out."""
        # What is typed, and what comes then before the next key can be told from it: an Esc is one when
        # nothing follows it, and what is typed at another program is not for this one.
        keys = {"prompt": (b"\x1b", rb"\x1b\[\?25l"), "pattern": (b"\x1b", rb"\x1b\[\?25l"),
                "question": (b"n", b""), "command": (b"\r", SWITCHES["screen"][0]), "changes": (b"", b""),
                "ranking": (b"", b"")}
        with Steady(FIXED) as target:
            for mode, (typed, shown) in MODES.items():
                if mode == "editor":
                    continue
                with self.subTest(mode=mode), \
                        tempfile.TemporaryDirectory(prefix="mprof-ways-") as name:
                    run = Run(pathlib.Path(name), target)
                    try:
                        run.shows(rb"work_a")
                        run.shows(shown, run.type(typed) if typed else 0)
                        back, then = keys.get(mode, (b"q", b""))
                        if back:
                            run.shows(then, run.type(back))
                        run.type(b"q")
                        wait_for("the end", run.ended)
                        self.assertEqual(run.process.returncode, 0)
                        self.check(run, target)
                    finally:
                        run.close()

    def test_target_ends(self):
        """A target that is gone for good ends it only when it was told how long to wait; here Ctrl-C
        does."""
        with tempfile.TemporaryDirectory(prefix="mprof-ways-") as name:
            with Steady(FIXED) as target:
                run = Run(pathlib.Path(name), target)
                self.addCleanup(run.close)
                run.shows(rb"work_a")
            run.shows(rb"the process has ended")
            run.type(b"\x03")
            wait_for("the end", run.ended)
            run.all()
            self.assertEqual(termios.tcgetattr(run.slave), run.before)
            self.assertGreater(run.output.rindex(b"\x1b[?1049l"), run.output.rindex(b"\x1b[?1049h"))


if __name__ == "__main__":
    unittest.main()
