# SPDX-License-Identifier: GPL-3.0-or-later
"""For tests of --serve: a user's gdb, an mprof top that serves it, and a session that is the same with
and without mprof."""

import json
import os
import re
import select
import signal
import subprocess
import threading
import time
import unittest

from support import FIRMWARE, HANG_S, environment, farewell, free_port, listens, start, stop, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
PROMPT = "(gdb) "
SETTINGS = ("pagination off", "confirm off", "width 0", "height 0", "style enabled off",
            f"remotetimeout {HANG_S}")


class UserGdb:
    """A gdb-multiarch at its prompt, like a person's."""

    def __init__(self):
        self.text = ""
        settings = [word for setting in SETTINGS for word in ("-iex", f"set {setting}")]
        self.process = subprocess.Popen(
            ["gdb-multiarch", "-nx", "-q", *settings, str(ELF)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
        self.until(PROMPT)

    def until(self, end):
        """What it prints until it has printed end."""
        deadline = time.monotonic() + HANG_S
        while end not in self.text:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"gdb does not print {end!r}; it printed {self.text!r}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise AssertionError(f"gdb ended: {self.text}")
            self.text += data.decode(errors="replace")
        said, _, self.text = self.text.partition(end)
        return said

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def __call__(self, line):
        """Types a line and returns what gdb says to it."""
        self.type(line)
        return self.until(PROMPT)

    def interrupt(self):
        """Ctrl-C, and what gdb says then."""
        self.process.send_signal(signal.SIGINT)
        return self.until(PROMPT)

    def leave(self):
        self.type("quit")
        self.process.communicate(timeout=HANG_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


class Top:
    """A running mprof top that serves a gdb; its refreshes are kept."""

    def __init__(self, gdb_port, delay=0.1, more=()):
        self.port = free_port()
        self.refreshes = []
        self.process = start("top", "--elf", ELF, "--gdb", f":{gdb_port}", "--serve",
                             f":{self.port}", "-d", str(delay), "-n", "1000000", "--format",
                             "json", *more, start_new_session=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        wait_for("the first refresh", lambda: self.refreshes or self.process.poll() is not None)
        if not self.refreshes:
            raise AssertionError(f"mprof ended: {self.process.stderr.read()}")

    def _read(self):
        for line in self.process.stdout:
            self.refreshes.append(json.loads(line))

    @property
    def hits(self):
        return self.refreshes[-1]["hits"]

    def rises(self):
        """Waits for refreshes in which the hits go up."""
        before, seen = self.hits, len(self.refreshes)
        try:
            wait_for("new hits", lambda: self.hits > before)
        except AssertionError as error:
            raise AssertionError(f"{error}, {len(self.refreshes) - seen} refreshes; the last one: "
                                 f"{self.refreshes[-1]}") from None

    def sees(self, state):
        wait_for(state, lambda: self.refreshes[-1]["link"]["state"] == state)

    def end(self, number=signal.SIGTERM):
        """Ends it, with its whole process group, and returns what it said on stderr."""
        os.killpg(self.process.pid, number)
        error = self.process.stderr.read()
        self.process.wait(HANG_S)
        return error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(HANG_S)
        self.process.stdout.close()
        self.process.stderr.close()


SESSION = (
    "break work_b", "continue", "x/4i $pc", "backtrace", "finish", "next", "next", "print $pc", "print s_prof",
    "x/4xw 0x0", "info registers", "stepi", "step", "delete", "tbreak work_c",
    "continue", "info breakpoints", "watch *(int *)0x20000000", "delete", "monitor help-nothing",
    "set variable *(unsigned *)0x20300000 = 0x1234", "print/x *(unsigned *)0x20300000", "load", "tbreak main", "continue", "info line")

# What differs from one run to the next: which function calls which, by chance; numbers of places.
CHANCE = (
    (re.compile(r"random=\d+"), "random=N"), (re.compile(r"state=\d+"), "state=N"),
    (re.compile(r"^(r\d+|lr|xpsr|sp|pc|primask|basepri|faultmask|control|msp|psp|fpscr) .*$", re.M),
     r"\1 N"),
    (re.compile(r"Transfer rate: .*"), "Transfer rate: N"),
    (re.compile(r"keep_alive\(\) was not invoked .*\n"), ""),  # OpenOCD, when this machine is busy
    (re.compile(r"Start address.*$", re.M), "Start address N"),
)
# Where chance leads, only the form of the answer is compared.
BY_CHANCE = ("backtrace", "finish", "next", "print $pc", "stepi", "step", "print s_prof", "info line")


def shape(command, text):
    """An answer without what chance decides."""
    for pattern, replacement in CHANCE:
        text = pattern.sub(replacement, text)
    if command in BY_CHANCE:
        return bool(text.strip())
    return text


class Proxy(unittest.TestCase):
    def session(self, port, while_running):
        """A session of every kind of command; its text, answer by answer."""
        with UserGdb() as gdb:
            gdb(f"target remote :{port}")
            said = [(line, shape(line, gdb(line))) for line in SESSION]
            for _ in range(3):
                gdb.type("continue")
                said.append(("continue", gdb.until("Continuing.\n")))
                while_running()
                text = shape("Ctrl-C", gdb.interrupt())
                said.append(("Ctrl-C", text.partition("SIGINT, Interrupt.\n")[0]))
            said.append(("detach", gdb("detach")))
            gdb.leave()
        farewell(port)
        return said

    def compare_sessions(self, rig):
        self.maxDiff = None
        alone = self.session(rig.gdb_port, lambda: rig.wait(lambda stat: stat["running"]))
        with Top(rig.gdb_port) as top:
            # What rises may have run before gdb's "continue".
            beside = self.session(top.port, lambda: (rig.wait(lambda stat: stat["running"]), top.rises()))
            top.end()
        self.assertEqual(alone, beside)
        self.assertIn("Breakpoint 1, work_b ()", str(beside))
        self.assertIn("Program received signal ", str(beside))
        wait_for("the proxy's end", lambda: not listens(top.port))
