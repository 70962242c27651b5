# SPDX-License-Identifier: GPL-3.0-or-later
"""A real gdb-multiarch on a terminal of its own: a line goes in, the text up to the next prompt comes out."""

import os
import pty
import select
import shutil
import subprocess
import termios
import time

from support import HANG_S

PROGRAM = shutil.which("gdb-multiarch")
PROMPT = "mprof-gdb> "
CONTROL_C = b"\x03"


class GdbError(Exception):
    """gdb did not come back to its prompt in time, or ended; the text is what it had said."""


class GdbSession:
    """gdb as a person uses it; use it in a with statement. elf: what it debugs. port: of a server on
    127.0.0.1 to connect to at once. It is ended by its process id, whatever it is doing.
    """

    def __init__(self, elf=None, port=None, seconds=HANG_S):
        self.seconds = seconds  # for one command; only bounds a failure
        self.pending = b""
        settings = ("editing off", "prompt " + PROMPT, "confirm off", "pagination off", "width 0",
                    "style enabled off", "debuginfod enabled off", f"remotetimeout {HANG_S}")
        arguments = [PROGRAM, "-nx", "-q"]
        for setting in settings:
            arguments += ["-iex", "set " + setting]
        if elf is not None:
            arguments.append(str(elf))
        self.terminal, theirs = pty.openpty()
        attributes = termios.tcgetattr(theirs)
        attributes[1] &= ~termios.OPOST  # "\n" stays one byte
        attributes[3] &= ~termios.ECHO  # what is typed is not part of the answer
        termios.tcsetattr(theirs, termios.TCSANOW, attributes)
        self.process = subprocess.Popen(arguments, stdin=theirs, stdout=theirs, stderr=theirs,
                                        env=dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8"),
                                        preexec_fn=self._take_terminal)
        os.close(theirs)
        try:
            self.wait()
            if port is not None:
                self.command("target remote 127.0.0.1:%d" % port)
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _take_terminal():
        """In the child: the terminal is its own, so that Ctrl-C on it becomes SIGINT."""
        os.setsid()
        os.close(os.open(os.ttyname(0), os.O_RDWR))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends gdb at once. It takes no leave of its server: command("detach") before does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def send(self, line):
        """Types a line, and does not wait for what comes: for continue and its like."""
        os.write(self.terminal, line.encode() + b"\n")

    def wait(self, seconds=None):
        """The text up to the next prompt."""
        end = time.monotonic() + (seconds or self.seconds)
        while PROMPT.encode() not in self.pending:
            left = end - time.monotonic()
            if left <= 0 or not self._read(left):
                raise GdbError(self.pending.decode(errors="replace"))
        text, _, self.pending = self.pending.partition(PROMPT.encode())
        return text.decode(errors="replace")

    def _read(self, seconds):
        """False: nothing more will come. A terminal without a program gives an error."""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        try:
            data = os.read(self.terminal, 65536) if ready else b""
        except OSError:
            return False
        self.pending += data
        return bool(data) or not ready

    def command(self, line, seconds=None):
        """Types a line and returns the text up to the next prompt."""
        self.send(line)
        return self.wait(seconds)

    def interrupt(self):
        """Ctrl-C; returns the text up to the prompt that follows."""
        os.write(self.terminal, CONTROL_C)
        return self.wait()

    def is_waiting(self):
        """Whether it has no prompt: it waits for the target."""
        self._read(0)
        return PROMPT.encode() not in self.pending
