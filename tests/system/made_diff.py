# SPDX-License-Identifier: GPL-3.0-or-later
"""Two snapshots of a program that changed, for tests of mprof diff: what it makes of them is known."""

import csv
import io
import pathlib

from case import Case
from pprof_file import write
from support import mprof

OLD = {"fir_filter": 20000, "crc32": 30000, "idle": 40000, "uart": 5000, "old_name": 3000,
       ("copy", "a/x.c"): 2000, "going": 1000}
NEW = {"fir_filter": 26000, "crc32": 30000, "idle": 40000, "uart": 5000, "new_name": 3000,
       ("copy.isra.0", "b/x.c"): 2000, ("evil\x1b[2J|<x>,\"y&", "src/new.c"): 900}
OTHER_BUILD = "bb" * 20
# One run a side is judged only if it is given what runs differ by: here, nothing but chance in counting.
SURE = ("--noise", "0", "--per", "median")


class Diff(Case):
    """old and new are the snapshots' files."""

    def setUp(self):
        self.old = self.write("old.pb.gz", OLD)
        self.new = self.write("new.pb.gz", NEW, build=OTHER_BUILD)

    def write(self, name, hits, **about):
        return write(self.folder / name, hits, **about)

    def cut(self):
        """A file that is not whole."""
        return self.put("cut", pathlib.Path(self.old).read_bytes()[:90])

    def diff(self, *words, status=0, **more):
        done = mprof("diff", *words, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def whole(self, *words):
        return self.json("diff", *words)

    def rows(self, *words):
        return {row["function"]: row for row in self.whole(*words)["rows"]}

    def csv(self, *words):
        return list(csv.DictReader(io.StringIO(self.diff(*words, "--format", "csv").stdout)))

    def fails(self, *words, status=1):
        return self.bad("diff", *words, status=status)
