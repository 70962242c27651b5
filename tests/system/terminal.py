# SPDX-License-Identifier: GPL-3.0-or-later
"""A real terminal emulator for tests of what is on a screen, and a pseudo terminal for what is written."""

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

from support import HANG_S, PATIENCE, state, wait_for


class Terminal:
    """A tmux server of our own with one window that runs a shell."""

    def __init__(self, columns=80, rows=24, **variables):
        self.folder = tempfile.TemporaryDirectory(prefix="mprof-term-")
        env = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR", "LINES",
                                                                "COLUMNS")}
        # A hangup leaves the tracer of the leak check waiting for ever.
        self.env = dict(env, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", PS1="$ ", ENV="",
                        TERM="xterm-256color", **PATIENCE)
        self.run("-f", "/dev/null", "new-session", "-d", "-c", self.folder.name,
                 "-x", str(columns), "-y", str(rows),
                 "env", *(f"{k}={v}" for k, v in variables.items()), "sh")
        # One client for all commands: a process for each look at the screen costs more than the look.
        self.client = subprocess.Popen(
            ["tmux", "-S", self.socket, "-C", "attach-session", "-f", "no-output,ignore-size"],
            env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.said = b""
        self.answer()
        # It ends with its only client, and this with our process, also when that is killed.
        self.tmux("set-option", "-s", "exit-unattached", "on")
        self.wait("prompt", lambda: "$" in self.screen())

    @property
    def socket(self):
        return f"{self.folder.name}/s"

    def run(self, *args):
        """tmux as a process of its own."""
        subprocess.run(["tmux", "-S", self.socket, *args], env=self.env, capture_output=True,
                       check=True, timeout=HANG_S)

    def tmux(self, *args):
        """What the command prints."""
        words = ("'" + word.replace("'", "'\"'\"'") + "'" for word in args)
        self.client.stdin.write((" ".join(words) + "\n").encode())
        return self.answer()

    def line(self):
        """The next one that the client prints."""
        while b"\n" not in self.said:
            if not select.select([self.client.stdout], [], [], HANG_S)[0]:
                raise AssertionError("tmux does not answer")
            data = os.read(self.client.stdout.fileno(), 65536)
            if not data:
                raise AssertionError("tmux has ended")
            self.said += data
        line, _, self.said = self.said.partition(b"\n")
        return line.decode(errors="replace")

    def answer(self):
        """Of the next command that has not been answered (tmux(1), CONTROL MODE)."""
        text, begun = [], None
        while True:
            line = self.line()
            if begun is None:
                if line.startswith("%begin "):
                    begun = line.removeprefix("%begin ")
            elif line == f"%end {begun}":
                return "".join(part + "\n" for part in text)
            elif line == f"%error {begun}":
                raise AssertionError(f"tmux: {' '.join(text)}")
            else:
                text.append(line)

    def ask(self, format):
        return self.tmux("display-message", "-p", f"#{{{format}}}").strip()

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def type(self, *keys):
        self.tmux("send-keys", *keys)

    def command(self, text):
        self.tmux("send-keys", "-l", text)
        self.type("Enter")

    def wait(self, what, condition):
        end = time.monotonic() + HANG_S
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.02)
        raise AssertionError(f"{what}: did not happen; the screen is\n{self.screen()}")

    def shows(self, pattern):
        self.wait(pattern, lambda: re.search(pattern, self.screen(), re.M))

    def settles(self, check):
        """Waits until the screen passes: what is captured may be half drawn."""
        end = time.monotonic() + HANG_S
        while True:
            try:
                return check(self.screen())
            except AssertionError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.02)

    def child(self):
        shell = self.ask("pane_pid")
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        assert len(children) == 1, children
        return int(children[0])

    def end(self):
        """As by a closed window."""
        # Before the server, which waits for it when it is to end itself.
        self.client.kill()
        self.client.wait()
        self.client.stdin.close()
        self.client.stdout.close()
        with contextlib.suppress(subprocess.SubprocessError):
            self.run("kill-server")

    def settings(self):
        """The line settings, as another process sees them."""
        tty = self.ask("pane_tty")
        with open(tty) as f:
            return subprocess.run(["stty", "-g"], stdin=f, text=True, capture_output=True,
                                  check=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.client.returncode is None:
            # A program that a failed test left in the window may not end by a hangup.
            with contextlib.suppress(AssertionError, OSError):
                os.kill(self.child(), signal.SIGKILL)
            self.end()
        self.folder.cleanup()


class Pty:
    """A program on a pseudo terminal of this name, and each byte that it wrote there."""

    def __init__(self, name, command, columns=80, rows=24):
        self.bytes = b""
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.login_tty(self.slave)
            env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
            env.update(TERM=name, LC_ALL="C.UTF-8", ASAN_OPTIONS="detect_leaks=0:handle_segv=0")
            os.execve(command[0], command, env)

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text)

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                self.bytes += os.read(self.master, 1 << 20)

    def wait(self, what, condition):
        end = time.monotonic() + HANG_S
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"{what}: did not happen after {self.bytes[-2000:]}")
            self.read(0.02)

    def shows(self, text, begin=0):
        self.wait(text, lambda: text in self.bytes[begin:])

    def all(self):
        """All that was written up to now has come when what is written behind it has."""
        os.write(self.slave, b"<mark>")
        self.shows(b"<mark>", len(self.bytes) - 6)
        self.bytes = self.bytes.replace(b"<mark>", b"")

    def rests(self):
        """Waits until it waits: what it writes is counted behind that only."""
        def sleeps():
            self.read(0)
            return state(self.pid) == "S"
        wait_for("sleep", sleeps)

    def modes(self):
        """The private modes of ECMA-48 that were set and not reset again."""
        on = set()
        for numbers, what in re.findall(rb"\033\[\?([0-9;]+)([hl])", self.bytes):
            for number in map(int, numbers.split(b";")):
                (on.add if what == b"h" else on.discard)(number)
        return on

    def writes(self):
        """How often the process has called write() so far."""
        text = pathlib.Path(f"/proc/{self.pid}/io").read_text()
        return int(re.search(r"syscw: (\d+)", text)[1])

    def ended(self):
        pid, self.status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            self.pid = 0
            self.all()  # what it said last
        return pid != 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.slave)
        os.close(self.master)
