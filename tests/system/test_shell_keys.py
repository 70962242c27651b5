# SPDX-License-Identifier: GPL-3.0-or-later
"""Random keys at the prompt of mprof shell: whatever is typed, the next command is run. Readline 8.2
has faults that only some orders of keys show: a search that a prefix key ends, Ctrl-C in between."""

import fcntl
import os
import pty
import random
import select
import struct
import subprocess
import tempfile
import termios
import unittest

from process import PIE, Made
from support import HANG_S, MPROF, count, counted, environment, stop, wait_for

KEYS = [b"\t", b"\x1b[A", b"\x1b[B", b"\x1b[D", b"\x1b[1~", b"\x1b[4~", b"\x7f", b"\x1b[3~", b"\x17",
        b"\x15", b"\x12", b"\x01", b"\x19", b"\x14", b"\x03", b"\x1b", b"\x18", b"\x16",
        b"\x0c", b"\x07", b"\x1f", b"\r"]
WORDS = [b"report ", b"annotate ", b"set ", b"--by=", b"--", b"@", b"'", b'"', b"\\", b";", b"#",
         "é".encode(), b"x"]


# What readline writes when it reads keys again: before that Ctrl-D would be the terminal's, and be lost.
PROMPT = b"\x1b[?2004hmprof> "


class Typist:
    """mprof shell on a terminal of its own, for a with statement."""

    def __init__(self, process):
        self.folder = tempfile.TemporaryDirectory(prefix="mprof-keys-")
        self.master, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        inputrc = os.path.join(self.folder.name, "inputrc")
        with open(inputrc, "w", encoding="ascii") as file:
            file.write("set enable-bracketed-paste on\n")  # which PROMPT begins with
        env = dict(environment(), TERM="xterm-256color", MPROF_HISTORY="", INPUTRC=inputrc,
                   HOME=self.folder.name, ASAN_OPTIONS="detect_leaks=0")  # readline's
        self.process = subprocess.Popen(
            [MPROF, "shell", "--elf", PIE, "--pid", str(process.pid)], stdin=end, stdout=end,
            stderr=end, env=env, cwd=self.folder.name, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(end)
        self.output = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)
        os.close(self.master)
        self.folder.cleanup()

    def read(self, seconds=0):
        """What it wrote up to now; waits that long for more."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                self.output += os.read(self.master, 65536)
            except OSError:  # it has ended
                break
        return self.output

    def shows(self, words):
        def shown():
            assert words in self.read() or self.process.poll() is None, self.last()
            return words in self.output
        wait_for(words, shown)

    def last(self):
        return f"ended with {self.process.poll()}; last output: {self.output[-2000:]}"

    def type(self, keys):
        os.write(self.master, keys)


class Keys(unittest.TestCase):
    def type_at_random(self, process, seed, number):
        chance = random.Random(seed)
        with Typist(process) as typist:
            typist.shows(PROMPT)
            for _ in range(number):
                typist.type(chance.choice(WORDS if chance.random() < 0.5 else KEYS))
                typist.read(chance.choice((0, 0, 0, 0.001, 0.005)))
                self.assertIsNone(typist.process.poll(), f"seed {seed}: {typist.last()}")
            typist.output = b""
            # Out of what is open: after Ctrl-V a key is taken as it is, and Ctrl-C, too; Esc Enter
            # is vi's mode, where i begins to insert.
            typist.type(b"\x07i%%")
            typist.shows(b"%")
            typist.output = b""
            typist.type(b"\x03")
            typist.shows(PROMPT)
            # Ctrl-C drops what was not read yet, so the command is typed after the prompt has come.
            typist.output = b""
            typist.type(b"set limit 7; set\r")
            typist.shows(b"\nset limit 7\r\n" + PROMPT)
            typist.type(b"\x04")
            typist.read()
            self.assertEqual(typist.process.wait(timeout=HANG_S), 0)

    def test_random_keys(self):
        seeds, number = count(3, 20), count(800, 3000)
        with Made(PIE) as process:
            for seed in range(1, seeds + 1):
                with self.subTest(seed=seed):
                    self.type_at_random(process, seed, number)
        counted(f"{seeds * number} keys at the prompt")


if __name__ == "__main__":
    unittest.main()
