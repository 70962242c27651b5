# SPDX-License-Identifier: GPL-3.0-or-later
"""How old a report calls its files: the time of day is made up.

usage: test_fresh.py MADE_CLOCK
"""

import subprocess
import sys
import unittest

from case import Case
from pprof_file import write
from process import PIE, Process
from support import HANG_S, MPROF, environment, over_a_time

CLOCK, = sys.argv[1:]
NOW = 1_700_000_100


class Fresh(Case):
    def setUp(self):
        self.path = self.folder / "a.pb.gz"

    def mprof(self, *words):
        env = dict(environment(), LD_PRELOAD=CLOCK, MADE_CLOCK=str(NOW),
                   ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
        done = subprocess.run([str(MPROF), *map(str, words)], env=env, text=True, timeout=HANG_S,
                              stdin=subprocess.DEVNULL, capture_output=True)
        return done

    def age(self, *files):
        done = self.mprof("report", *files)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()[1]

    def test_clock_that_was_set_meanwhile(self):
        """The time of day goes by less than the time that was counted: it ended before now."""
        with Process(PIE) as process:
            done = over_a_time(self.mprof, "snapshot", "--elf", PIE, "--pid", process.pid, "-o",
                               self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(self.age(self.path), r"over \d+\.\d s   0 s old")

    def test_at_the_same_time(self):
        """Runs that overlap end when the last one does, not when all of them in a row would."""
        paths = [write(self.folder / f"{i}.pb.gz", {"f": 5 + i}, time_s=NOW - 10 - i, seconds=10)
                 for i in range(3)]
        for files in (paths, paths[::-1]):
            self.assertRegex(self.age(*files), r"over 30\.0 s   0 s old")
        self.assertRegex(self.age(*paths[1:]), r"   1 s old")

    def test_as_people_count(self):
        for ago, text in ((40, "40 s old"), (100, "100 s old"), (40 * 60, "40 min old"),
                          (30 * 3600, "30 h old"), (10 * 86400, "10 days old"),
                          (5 * 366 * 86400, "5 years old"), (-40 * 60, "dated 40 min in the future")):
            write(self.path, {"f": 5}, time_s=NOW - ago, seconds=0)
            self.assertRegex(self.age(self.path), rf"   {text}(  |$)")
        # The clock of a target that has none; no time at all.
        write(self.path, {"f": 5}, time_s=1, seconds=0)
        self.assertRegex(self.age(self.path), "   53 years old(  |$)")
        write(self.path, {"f": 5}, time_s=0)
        self.assertNotRegex(self.age(self.path), " old| ahead")

    def test_ahead(self):
        for seconds, text in ((0.4, "0 s old"), (3, "dated 3 s in the future")):
            write(self.path, {"f": 5}, time_s=NOW, seconds=seconds)
            self.assertRegex(self.age(self.path), f"   {text}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
