# SPDX-License-Identifier: GPL-3.0-or-later
"""The live screen under random keys and sizes: it neither falls, nor hangs, nor leaves the terminal
changed. The seed is said where it fails."""

import fcntl
import os
import pty
import random
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest

from process import FIXED, Steady
from support import HANG_S, MPROF, count, environment

KEYS = count(1000, 10000)

# What terminals send, and what nobody sends.
SEQUENCES = [b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1bOA", b"\x1bOB", b"\x1b[H", b"\x1b[F",
             b"\x1b[5~", b"\x1b[6~", b"\x1b[3~", b"\x1bOP", b"\x1b[15~", b"\x1b[Z", b"\t", b"\r", b"\n",
             b"\x7f", b"\x08", b"\x1b", b"\x0c", b"\x07", b"\x01", b"\x05", b"\x0b", b"\x15", b"\x17",
             b"\xc3\xa4", b"\xe6\xbc\xa2", b"\xf0\x9f\x98\x80", b"\xff", b"\xc3", b"\x1b[", b"\x1b[999999Z"]
PLAIN = b"kjgGnN\\s<>I12345tmMrbBp +-wZxXfSy/?h:\x1b\r"
WORDS = [b"work", b"/w.*k_[ab]/", b"/[", b"sort hits", b"sort ", b"by line", b"by ", b"fields share,function",
         b"zoom work_a", b"zoom nothing", b"delay 1", b"write", b"baseline", b"help", b"x" * 300]


class Keyboard:
    """Types what chance says, without leaving the live view for the shell's program or for good."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def mouse(self):
        r = self.random
        return b"\x1b[<%d;%d;%d%c" % (r.choice((0, 0, 0, 64, 65, 2)), r.randint(1, 210), r.randint(1, 55),
                                      r.choice(b"Mm"))

    def next(self):
        r = self.random
        chance = r.random()
        if chance < 0.6:
            return bytes([r.choice(PLAIN)])
        if chance < 0.8:
            return r.choice(SEQUENCES)
        if chance < 0.92:
            return self.mouse()
        return r.choice(WORDS)


class LiveRandom(unittest.TestCase):
    def size(self, fd, rows, columns):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def drain(self, fd, seconds=0.0):
        """Takes what is drawn; False: nobody draws any more."""
        while select.select([fd], [], [], seconds)[0]:
            try:
                if not os.read(fd, 65536):
                    return False
            except OSError:
                return False
            seconds = 0
        return True

    def taken(self, process, master, slave, after):
        """What was typed is no longer in the terminal's queue, which would drop what is too much."""
        end = time.monotonic() + HANG_S
        while self.drain(master, 0.002) and process.poll() is None:
            if fcntl.ioctl(slave, termios.FIONREAD, b"\0" * 4) == b"\0" * 4:
                return
            self.assertLess(time.monotonic(), end, f"it takes nothing any more after {after}")

    def start(self, pid, folder):
        master, slave = pty.openpty()
        self.size(master, 24, 80)
        env = dict(environment(), TERM="xterm-256color", EDITOR="true", VISUAL="true", HOME=folder,
                   ASAN_OPTIONS="detect_leaks=0:exitcode=99", MPROF_HISTORY="")
        before = termios.tcgetattr(slave)
        error = open(os.path.join(folder, "err"), "w+")
        process = subprocess.Popen(
            [MPROF, "top", "--elf", FIXED, "--pid", str(pid), "-d", "0.1"], stdin=slave, stdout=slave,
            stderr=error, env=env, cwd=folder, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        return process, master, slave, before, error

    def begun(self, master):
        """Waits until it draws."""
        text, end = b"", time.monotonic() + HANG_S
        while b"FUNCTION" not in text:
            self.assertLess(time.monotonic(), end, text)
            if select.select([master], [], [], 0.1)[0]:
                text += os.read(master, 65536)

    def leave(self, process, fd, chance):
        """q is typed until it is gone: it may be in a prompt, a menu, a question."""
        end = time.monotonic() + HANG_S
        while process.poll() is None and time.monotonic() < end:
            try:
                os.write(fd, chance.choice((b"\x1b", b"\x1b", b"\r", b"q")))
            except OSError:
                break
            self.drain(fd, 0.1)
        return process.wait(HANG_S)

    def run_once(self, seed, target):
        keyboard, rounds = Keyboard(seed), 0
        with tempfile.TemporaryDirectory(prefix="mprof-live-") as folder:
            process, master, slave, before, error = self.start(target.pid, folder)
            try:
                self.begun(master)
                for rounds in range(KEYS):
                    if process.poll() is not None:
                        break
                    if keyboard.random.random() < 0.02:
                        self.size(master, keyboard.random.randint(1, 60), keyboard.random.randint(1, 220))
                        self.resizes += 1
                        process.send_signal(signal.SIGWINCH)
                    os.write(master, keyboard.next())
                    if keyboard.random.random() < 0.3:
                        self.taken(process, master, slave, f"{rounds} keys of seed {seed}")
                alive = process.poll() is None
                self.size(master, 24, 80)
                status = self.leave(process, master, keyboard.random) if alive else process.returncode
                error.seek(0)
                text = error.read()
                self.assertEqual(status, 0, f"after {rounds} keys of seed {seed}:\n{text}")
                # Commands by ':' that fail say so; nobody else does.
                for line in text.splitlines():
                    self.assertRegex(line, "^mprof: ", f"after {rounds} keys of seed {seed}:\n{text}")
                # Ctrl-C is never typed; q may have been chosen by a word in a prompt.
                self.assertEqual(termios.tcgetattr(slave), before, f"seed {seed}")
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
                error.close()
                os.close(master)
                os.close(slave)
        return rounds

    def test_random_keys(self):
        typed = self.resizes = 0
        with Steady(FIXED) as target:
            seed = int(os.environ.get("MPROF_SEED", count(1, random.SystemRandom().randint(1, 1 << 30))))
            while typed < KEYS:
                typed += self.run_once(seed, target) + 1
                seed += 1
        print(f"counted: {typed} keys, {self.resizes} sizes")


if __name__ == "__main__":
    unittest.main()
