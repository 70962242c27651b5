# SPDX-License-Identifier: GPL-3.0-or-later
"""What the test cases share: a folder, mprof's good and bad ends, what limits a process, what it took."""

import fcntl
import functools
import json
import os
import pathlib
import pty
import resource
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from support import HANG_S, MPROF, environment, mprof


# What mprof snapshot --runs says unless it resets the target.
ONE_BOOT = ("mprof: the runs are of one boot: what differs from boot to boot is not in them; "
            "--reset-target resets the target before each\n")


class Case(unittest.TestCase):
    @functools.cached_property
    def folder(self):
        """A folder of the test's own."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def put(self, name, data):
        """A file in the folder, with these bytes or this text; its path."""
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def good(self, *args, said="", **more):
        """What mprof prints, when it succeeds and says no more on stderr than said."""
        done = mprof(*args, **more)
        self.assertEqual((done.returncode, done.stderr), (0, said))
        return done.stdout

    def json(self, *args, **more):
        return json.loads(self.good(*args, "--format", "json", **more), parse_constant=self.fail)

    def rows(self, *args, verb="report", **more):
        """function -> row."""
        return {row["function"]: row for row in self.json(verb, *args, **more)["rows"]}

    def bad(self, *args, status=1, **more):
        """The one line with which mprof refuses."""
        return self.refused(mprof(*args, **more), status=status)

    def lacking(self, done, *words):
        """mprof has ended with a line in which the words are, a usage line and an example."""
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        what, usage, example = done.stderr.splitlines()
        verb = usage.split()[2]
        self.assertTrue(usage.startswith(f"usage: mprof {verb} "), usage)
        self.assertTrue(example.startswith(f"example: mprof {verb} "), example)
        for word in words:
            self.assertIn(word, what)
        return what

    def refused(self, done, *words, status=1):
        """mprof has ended with this status and one line on stderr, in which the words are. The line."""
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr[:-1].isprintable(), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done.stderr


class SharedFolder(Case):
    """All tests of the class have one folder: path."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)


def no_room(size=50):
    """For preexec_fn: files grow to so many bytes, as on a disk that is full then."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def measured(*args, cpu_s=60, **more):
    """Runs mprof: (how it ended and what it printed, the most memory that it took, in bytes). cpu_s
    ends what hangs."""
    process = subprocess.Popen(
        [MPROF, *map(str, args)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s)), **more)
    with process.stdout, process.stderr:
        out, err = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return subprocess.CompletedProcess([], process.returncode, out, err), usage.ru_maxrss << 10


def ended_on_terminal(columns, *args, env=None, **more):
    """(What mprof writes on a terminal of so many columns, its status); 0: of an unknown size. more:
    of its process; stderr=subprocess.STDOUT shows both."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    try:
        with subprocess.Popen([str(MPROF), *map(str, args)], stdin=subprocess.DEVNULL, stdout=theirs,
                              env=environment() | (env or {}), **more) as process:
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError:
                pass
            status = process.wait(timeout=HANG_S)
    finally:
        os.close(ours)
    return text.decode().replace("\r\n", "\n"), status


def on_terminal(columns, *args, **variables):
    """The same of a command that succeeds."""
    text, status = ended_on_terminal(columns, *args, env=variables)
    assert status == 0, text
    return text


def closed_pipe(*args):
    """Runs mprof on a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as left:
        return subprocess.run([str(MPROF), *map(str, args)], stdin=subprocess.DEVNULL, stdout=left,
                              stderr=subprocess.PIPE, text=True, timeout=HANG_S, env=environment())
