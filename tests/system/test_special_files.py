# SPDX-License-Identifier: GPL-3.0-or-later
"""Verbs that take snapshots, given a pipe, a device or a folder: one line at once, as for --elf."""

import os
import pathlib
import tempfile
import unittest

from pprof_file import write
from process import PIE
from support import mprof


class Special(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.good = write(self.folder / "a.pb.gz", {"f": 5})

    def refused(self, path, text, *words):
        """Nobody writes into the pipe: who waits for that would run into the time limit."""
        done = mprof(*words)
        self.assertEqual((done.returncode, done.stdout), (1, ""), words)
        self.assertEqual(done.stderr, f"mprof: {path}: {text}\n")

    def test_verbs(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for path, text in ((pipe, "this is not a regular file"), ("/dev/zero", "this is not a regular file"),
                           ("/dev/null", "this is not a regular file"),
                           (self.folder, "this is a folder, not a snapshot")):
            for words in (("report", path), ("report", self.good, path), ("diff", self.good, path),
                          ("diff", path, self.good), ("export", "--format", "folded", path),
                          ("annotate", "f", path, "--elf", PIE)):
                with self.subTest(path=path, words=words):
                    self.refused(path, text, *words)


if __name__ == "__main__":
    unittest.main()
