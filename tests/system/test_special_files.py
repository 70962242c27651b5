# SPDX-License-Identifier: GPL-3.0-or-later
"""Verbs that take snapshots, given a pipe, a device or a folder: one line at once, as for --elf."""

import os
import unittest

from case import Case
from pprof_file import write
from process import PIE


class Special(Case):
    def setUp(self):
        self.file = write(self.folder / "a.pb.gz", {"f": 5})

    def test_verbs(self):
        """Nobody writes into the pipe: who waits for that would run into the time limit."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        odd = "this is not a regular file; copy it to one first"
        for path, text in ((pipe, odd), ("/dev/zero", odd), ("/dev/null", odd),
                           (self.folder, "this is a folder, not a snapshot; give a file in it")):
            for words in (("report", path), ("report", self.file, path), ("diff", self.file, path),
                          ("diff", path, self.file), ("export", "--format", "folded", path),
                          ("annotate", "f", path, "--elf", PIE)):
                with self.subTest(path=path, words=words):
                    self.assertEqual(self.bad(*words), f"mprof: {path}: {text}\n")


if __name__ == "__main__":
    unittest.main()
