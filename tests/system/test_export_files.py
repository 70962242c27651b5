# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export and report of files that are large or odd, without a target.

usage: test_export_files.py
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import formats
from pprof_file import Texts, message
from support import environment, mprof, start, stop, wait_for

# Far more than any of these takes, and far less than what takes the square of the time.
LIMIT_S = 30


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def good(self, *args, **more):
        done = mprof(*args, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def bad(self, *args, status=1, **more):
        done = mprof(*args, **more)
        self.assertEqual(done.returncode, status, done.stdout[:200])
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def bytes_of(self, name, *files, options=()):
        out = self.folder / f"out.{name}"
        self.good("export", "--format", name, *files, "-o", out, *options, timeout=LIMIT_S)
        return out.read_bytes()

    def text(self, name, *files, options=()):
        return self.bytes_of(name, *files, options=options).decode()


class OfLargeFiles(WithFolder):
    def deep(self, samples, depth):
        """Each calls the other: stacks of so many frames."""
        return self.write("deep.pb.gz", formats.pprof(
            [("samples", "count")], [("even", "a.c", 3), ("odd", "a.c", 5)],
            [(0x1000, [(0, 3)]), (0x2000, [(1, 5)])],
            [([i & 1 for i in range(depth)], [5])] * samples))

    def test_deep_stacks(self):
        depth = 400_000
        path = self.deep(1, depth)
        stacks = formats.folded(self.text("folded", path))
        self.assertEqual([(len(stack), hits) for stack, hits in stacks.items()], [(depth, 5)])
        file = formats.check_speedscope(self.text("speedscope", path))
        self.assertEqual([len(stack) for stack in file["profiles"][0]["samples"]], [depth])

    def wide(self, samples):
        """A file of ours whose blocks are as wide as may be."""
        return self.write("wide.pb.gz", formats.pprof(
            [("samples", "count")], [("f", "a.c", 3)],
            [(0x10000 * (i + 1), [(0, 3)]) for i in range(samples)],
            [([i], [1]) for i in range(samples)],
            ["mprof snapshot 1", "mprof grain=65536", "mprof address-size=8", "mprof runs=1"]))

    def test_wide_blocks(self):
        count = 100_000
        path = self.wide(count)
        self.assertEqual(formats.folded(self.text("folded", path)), {("f",): count})
        rows = json.loads(self.good("report", path, "--format", "json", timeout=LIMIT_S))["rows"]
        self.assertEqual([(row["function"], row["hits"]) for row in rows], [("f", count)])

    def test_a_signal_ends_it(self):
        """Also while nobody reads what it writes; it says nothing, and dies of the signal."""
        path = self.deep(30, 20_000)
        for end in (signal.SIGTERM, signal.SIGINT):
            out = self.folder / f"fifo-{end}"
            os.mkfifo(out)
            process = start("export", "--format", "json", path, "-o", out)
            try:
                reader = os.open(out, os.O_RDONLY)
                self.assertTrue(os.read(reader, 1))
                process.send_signal(end)
                _, err = process.communicate(timeout=LIMIT_S)
                os.close(reader)
            finally:
                stop(process)
            self.assertEqual((process.returncode, err), (-end, ""))

    def test_a_signal_leaves_no_file(self):
        path = self.deep(300, 20_000)
        out = self.write("out", b"as before")
        before = set(self.folder.iterdir())
        process = start("export", "--format", "json", path, "-o", out)
        try:
            wait_for("a file in the making", lambda: set(self.folder.iterdir()) - before)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=LIMIT_S)
        finally:
            stop(process)
        self.assertEqual((process.returncode, err), (-signal.SIGTERM, ""))
        self.assertEqual(set(self.folder.iterdir()), before)
        self.assertEqual(out.read_bytes(), b"as before")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
