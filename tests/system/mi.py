# SPDX-License-Identifier: GPL-3.0-or-later
"""A real gdb for tests of mprof through one: the command that starts it, and a user who sits at it."""

import contextlib
import fcntl
import os
import pathlib
import pty
import queue
import re
import signal
import subprocess
import termios
import threading
import time

from support import FIRMWARE, HANG_S, MPROF, environment, json_lines, start, wait_for, waited

ELF = FIRMWARE / "cortex-m3.elf"
FUNCTIONS = {"work_a", "work_b", "work_c"}


def command(port, *more, gdb="gdb-multiarch"):
    """What a user gives to --mi."""
    # QEMU loses a packet that comes while its machine runs: gdb sends it again after this time.
    return " ".join([f"{gdb} -nx -q {ELF} -iex 'set remotetimeout 60' "
                     f"-ex 'target remote :{port}'", *more])


def processes(mark):
    """The processes that have mark in their arguments: pid -> arguments."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            arguments = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if mark in arguments and not arguments.startswith(str(MPROF)):
                found[int(path.parent.name)] = arguments
    return found


class UserGdb:
    """A gdb in a terminal, with a user who types; use it in a with statement."""

    def __init__(self, *arguments):
        self.terminal, other = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen(
            ["gdb-multiarch", "-nx", "-q", "-ex", "set pagination off", "-ex",
             "set remotetimeout 60", str(ELF), *arguments],
            stdin=other, stdout=other, stderr=other, preexec_fn=take_terminal,
            env=dict(environment(), TERM="dumb"))
        os.close(other)
        self.shown = ""
        # A terminal that nobody reads holds gdb up.
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with contextlib.suppress(OSError):
            while data := os.read(self.terminal, 65536):
                self.shown += data.decode("utf-8", "replace")

    def shows(self, pattern):
        try:
            return wait_for(pattern, lambda: re.search(pattern, self.shown))
        except AssertionError as error:
            raise AssertionError(f"{error}: gdb ({waited(self.process.pid)}) shows "
                                 f"{self.shown[-500:]!r}") from None

    def type(self, text, pattern=None):
        """Types a line, and waits for what gdb shows then."""
        self.shown = ""
        os.write(self.terminal, text.encode() + b"\n")
        return self.shows(pattern) if pattern else None

    def interrupts(self):
        """A word that comes while gdb is stopping or letting go the target is lost: so again. What it
        says may be to a word before the last one. Where mprof has not ended the user's continue, gdb
        reads no words, and only Ctrl-C is heard; at a prompt that stops nothing."""
        self.shown = ""

        def stopped():
            for word in (b"interrupt\n", b"\x03"):
                os.write(self.terminal, word)
                with contextlib.suppress(AssertionError):
                    return wait_for("SIGINT", lambda: re.search("SIGINT", self.shown), 1)
            return None
        wait_for(f"a stop: gdb shows {self.shown[-500:]!r}", stopped)

    def answers(self):
        return self.type("print 6*7", r"\$\d+ = 42")

    def __enter__(self):
        try:
            self.shows(r"\(gdb\) $")
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.kill()
        self.process.wait()
        # Its terminal has no other end then. A reader that came too late to see that would read from
        # the next file that is opened, which has the descriptor's number.
        self.reader.join()
        os.close(self.terminal)


class Joined:
    """An mprof that joins the user's gdb. Its refreshes are read as they come."""

    def __init__(self, *options, link=None, delay="0.05"):
        self.process = start("top", "--elf", ELF, f"--mi-attach={link}" if link else "--mi-attach",
                             "--format", "json", "-n", "100000", "-d", delay, *options)
        self.refreshes = queue.Queue()
        self.told = self.process.stderr.readline()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.refreshes.put(json_lines(line)[0])
        self.refreshes.put(None)

    def until(self, condition):
        """Looks at refreshes that begin after now until condition(refresh) holds."""
        end = time.monotonic() + HANG_S
        while not self.refreshes.empty():
            self.refreshes.get()
        refresh = self.refreshes.get(timeout=HANG_S)
        while refresh is not None and time.monotonic() < end:
            refresh = self.refreshes.get(timeout=HANG_S)
            if refresh is not None and condition(refresh):
                return refresh
        raise AssertionError(f"mprof ended: {self.process.stderr.read()}" if refresh is None else
                             f"did not come: {refresh}")

    def until_state(self, name):
        return self.until(lambda refresh: refresh["link"]["state"] == name)

    def ended(self):
        """Waits for its end; returns its exit status and what it said last."""
        status = self.process.wait(HANG_S)
        self.reader.join(HANG_S)
        return status, self.process.stderr.read()

    def leave(self, number=signal.SIGINT):
        self.process.send_signal(number)
        status, text = self.ended()
        assert (status, text) == (-number, ""), (status, text)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


@contextlib.contextmanager
def session(port, *options, setup=(), **more):
    """A gdb that is connected and stopped, and an mprof that has joined it."""
    with UserGdb("-ex", f"target remote :{port}") as gdb:
        for line in setup:
            gdb.type(line, r"\(gdb\) $")
        joined = Joined(*options, **more)
        try:
            assert re.search(r"new-ui mi3 /\S+\n$", joined.told), joined.told
            gdb.type(joined.told.split("gdb: ")[1].strip(), r"New UI allocated\s+\(gdb\) ")
            yield gdb, joined
        finally:
            joined.stop()
