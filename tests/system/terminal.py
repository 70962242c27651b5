# SPDX-License-Identifier: GPL-3.0-or-later
"""A real terminal emulator for tests of what is on a screen."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from support import HANG_S, PATIENCE


class Terminal:
    """A tmux server of our own with one window that runs a shell."""

    def __init__(self, columns=80, rows=24, **variables):
        self.folder = tempfile.TemporaryDirectory(prefix="mprof-term-")
        env = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR", "LINES",
                                                                "COLUMNS")}
        # A hangup leaves the tracer of the leak check waiting for ever.
        self.env = dict(env, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", PS1="$ ", ENV="",
                        TERM="xterm-256color", **PATIENCE)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-c", self.folder.name,
                  "-x", str(columns), "-y", str(rows),
                  "env", *(f"{k}={v}" for k, v in variables.items()), "sh")
        self.wait("prompt", lambda: "$" in self.screen())

    def tmux(self, *args, check=True):
        return subprocess.run(["tmux", "-S", f"{self.folder.name}/s", *args], env=self.env,
                              text=True, capture_output=True, check=check, timeout=HANG_S).stdout

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

    def settings(self):
        """The line settings, as another process sees them."""
        tty = self.ask("pane_tty")
        with open(tty) as f:
            return subprocess.run(["stty", "-g"], stdin=f, text=True, capture_output=True,
                                  check=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A program that a failed test left in the window may not end by a hangup.
        with contextlib.suppress(AssertionError, OSError, subprocess.SubprocessError):
            os.kill(self.child(), signal.SIGKILL)
        self.tmux("kill-server", check=False)
        self.folder.cleanup()
