# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of snapshots for tests of those who write it and read it: its files are made up (written.py)."""

import subprocess

from case import Case
from support import HANG_S, MPROF, environment
from written import write

START = 1790000000


class WithStore(Case):
    """store is the folder; it is made when the first file is written."""

    @property
    def store(self):
        return self.folder / "store"

    def run_in(self, env, *args):
        return subprocess.run([str(MPROF), *map(str, args)], stdin=subprocess.DEVNULL, timeout=HANG_S,
                              capture_output=True, text=True, env=dict(environment(), **env),
                              cwd=self.folder)

    def good(self, *args, noise="", **env):
        done = self.run_in(env, *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, noise or r"\A\Z")
        return done.stdout

    def bad(self, *args, status=1, **env):
        return self.refused(self.run_in(env, *args), status=status)

    def log(self, *args, **more):
        return self.json("log", "--store", self.store, *args, **more)

    def report(self, *args, **more):
        return self.json("report", *args, **more)

    def files(self):
        return sorted(path.name for path in self.store.iterdir())

    def write(self, name, hits, number=0, **more):
        """number: of hours after the first one; time_s takes its place."""
        self.store.mkdir(exist_ok=True)
        return write(self.store / name, hits, **{"time_s": START + number * 3600, **more})
