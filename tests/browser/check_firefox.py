# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export --format firefox, read by the Firefox Profiler's own command line. npm fetches it once.

usage: check_firefox.py BUILD_FOLDER       keeps it in BUILD_FOLDER/browser/npm
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
os.environ.setdefault("MPROF_BUILD", str(BUILD))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))
from npm import install  # noqa: E402
from support import HANG_S, mprof, stop, wait_for  # noqa: E402
from test_trace_export import NS, Exports, broken, whole  # noqa: E402

PROGRAM = install(BUILD, "@firefox-devtools/profiler-cli@0.10.0", "dist/profiler-cli.js")


class Firefox(Exports):
    def setUp(self):
        sessions = tempfile.TemporaryDirectory()
        self.addCleanup(sessions.cleanup)
        self.sessions = pathlib.Path(sessions.name)
        self.environment = os.environ | {"PROFILER_CLI_SESSION_DIR": sessions.name}

    def say(self, *words):
        done = subprocess.run(["node", PROGRAM, *map(str, words), "--session", "one"], text=True, capture_output=True,
                              timeout=HANG_S, env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def load(self, data):
        """The trace; {thread: handle}."""
        path = self.put("made.trace", data)
        done = mprof("export", "--format", "firefox", path, "-o", self.folder / "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        # Its command "load" gives up after half a second, so its server is started as that does.
        server = subprocess.Popen(["node", PROGRAM, "--daemon", self.folder / "out.json", "--session", "one"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=self.environment)
        self.addCleanup(stop, server)
        log = self.sessions / "one.log"
        wait_for("the profile", lambda: log.exists() and "Profile loaded" in log.read_text(encoding="utf-8"), 60)
        return path, {one["name"]: one["threadHandle"]
                      for one in json.loads(self.say("thread", "list", "--json", "--limit", 0))["threads"]}

    def test_self(self):
        """Self times of functions over all threads."""
        path, threads = self.load(whole())
        self.assertEqual(len(threads), 5)
        found = collections.Counter()
        for handle in threads.values():
            for one in json.loads(self.say("thread", "functions", "--thread", handle, "--limit", 0, "--include-idle",
                                           "--json"))["functions"]:
                found[one["name"]] += one["selfSamples"] * NS / 1000
        expected = self.known(self.report(path), "self")
        self.assertEqual({name: round(ns) for name, ns in found.items()}, expected)

    def test_markers(self):
        """Marks and losses."""
        _, threads = self.load(broken())
        found = collections.Counter()
        for handle in threads.values():
            for one in json.loads(self.say("thread", "markers", "--thread", handle, "--json"))["byType"]:
                found[one["markerName"]] += one["count"]
        self.assertEqual(found, {"mark 1": 2, "lost events": 6})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
