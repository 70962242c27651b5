# SPDX-License-Identifier: GPL-3.0-or-later
"""A timer's interrupt takes 30 % of the time, in a function that a task calls for 20 %, too: the
stream tells them apart, the table cannot.

usage: test_contexts.py CONTEXTS_ELF
"""

import json
import subprocess
import sys
import tempfile
import unittest

from blocks_rig import HEARTBEAT
from chance import as_rarely, plausible
from rig import Rig, Tcl
from support import count, mprof, start, stop, symbols, wait_for

ELF, = sys.argv[1:]
TIMER = "External_Handler (IRQ 8)"
HITS = count(1000, 20000)


class Contexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Time goes by instructions, so that a busy host changes no share.
        cls.rig = Rig(ELF, icount=4).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.link = ["--elf", ELF, "--gdb", f":{cls.rig.gdb_port}", "--tcl", f":{cls.rig.tcl_port}"]

    def watch(self, *more, hits=HITS):
        """The first object with so many hits."""
        top = start("top", *self.link, "--format", "json", "-d", "0.1", "--link-share", "1",
                    "-n", "100000", *more, stderr=subprocess.DEVNULL)
        try:
            for line in top.stdout:
                shown = json.loads(line)
                if shown["hits"] >= hits:
                    return shown
            raise AssertionError("top has ended")
        finally:
            stop(top)

    def report(self, *more):
        """Of a core that stands still. The rows of a table are read one after another, and on a busy
        host the core can take hundreds of samples meanwhile, which then are in some rows only."""
        heartbeat = symbols(ELF)["s_prof"][0] + HEARTBEAT
        with Tcl(self.rig.tcl_port) as tcl:
            wait_for(f"{HITS} samples", lambda: tcl.read(heartbeat)[0] >= HITS)
            tcl.halt()
            try:
                done = mprof("report", *self.link, "--format", "json", *more)
            finally:
                tcl.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def near(self, row, shown, expected):
        self.assertTrue(plausible(row["hits"], shown["hits"], expected), (row, shown["hits"]))

    def nearly_all(self, row, shown):
        """But for the few instructions of a handler around what it calls: below 1 %."""
        self.assertTrue(as_rarely(shown["hits"] - row["hits"], shown["hits"], 0.01), (row, shown["hits"]))

    def test_handlers_are_rows(self):
        shown = self.watch("--by", "context")
        rows = {row["function"]: row for row in shown["rows"]}
        self.assertEqual(shown["sampler"], "stream")
        self.assertLessEqual(set(rows), {"thread", TIMER, "SysTick_Handler (SysTick)"})
        self.near(rows[TIMER], shown, 0.30)
        self.near(rows["thread"], shown, 0.70)
        print(f"counted: {shown['hits']} samples")
        self.assertEqual((rows[TIMER]["exception"], rows["thread"]["exception"]), (24, 0))
        self.assertEqual((rows[TIMER]["context"], rows["thread"]["context"]), ("interrupt", "task"))
        self.assertLess(rows[TIMER]["low"], rows[TIMER]["share"])
        self.assertIsNotNone(rows[TIMER]["rate"])
        self.assertIsNotNone(rows[TIMER]["file"])
        self.assertEqual(sum(row["hits"] for row in rows.values()), shown["hits"])

    def test_functions_have_contexts(self):
        shown = self.watch()
        rows = {row["function"]: row for row in shown["rows"]}
        self.near(rows["shared_work"], shown, 0.50)
        self.near(rows["task_work"], shown, 0.25)
        self.near(rows["idle_task"], shown, 0.25)
        contexts = {name: row["context"] for name, row in rows.items()}
        self.assertEqual(contexts["shared_work"], "task")  # 20 of its 50 %
        self.assertEqual(contexts["task_work"], "task")
        self.assertEqual(contexts["idle_task"], "idle")
        for row in rows.values():
            self.assertLessEqual(row["late"], row["hits"])

    def test_one_context(self):
        for name in ("external_handler", "IRQ8", "24"):
            shown = self.watch("--context", name, hits=HITS // 4)
            rows = {row["function"]: row for row in shown["rows"]}
            self.assertLessEqual(set(rows), {"shared_work", "External_Handler"})
            self.nearly_all(rows["shared_work"], shown)
            self.assertGreater(shown["unattributed"]["ignored"], shown["hits"])
        shown = self.watch("--context", "thread")
        rows = {row["function"]: row for row in shown["rows"]}
        self.near(rows["shared_work"], shown, 20 / 70)
        self.assertTrue(all(row["context"] != "interrupt" for row in rows.values()))

    def test_a_table_cannot_tell(self):
        shown = self.report("--sampler", "table", "--by", "context")
        rows = {row["function"]: row for row in shown["rows"]}
        self.nearly_all(rows["thread"], shown)
        self.assertIsNone(rows["thread"]["late"])
        self.assertLessEqual(set(rows), {"thread", "External_Handler", "SysTick_Handler (SysTick)"})
        shown = self.report("--sampler", "table")
        self.assertGreaterEqual(shown["hits"], HITS)
        rows = {row["function"]: row for row in shown["rows"]}
        self.near(rows["shared_work"], shown, 0.50)
        self.assertEqual(rows["shared_work"]["context"], "task")
        self.assertEqual(rows["idle_task"]["context"], "idle")
        done = mprof("report", *self.link, "--context", "thread")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a table does not record the exception of a sample", done.stderr)

    def test_idle_is_told(self):
        shown = self.watch("--idle", "task_*", hits=100)
        contexts = {row["function"]: row["context"] for row in shown["rows"]}
        self.assertEqual(contexts["task_work"], "idle")

    def test_snapshots(self):
        """A file adds up what came at one address; it has names and no exceptions."""
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/a.pb.gz"
            done = mprof("snapshot", *self.link, "--sampler", "stream", "--hits", "500", "-o", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = mprof("report", path, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = {row["function"]: row for row in json.loads(done.stdout)["rows"]}
            self.assertEqual(rows["idle_task"]["context"], "idle")
            self.near(rows["shared_work"], {"hits": sum(row["hits"] for row in rows.values())}, 0.5)
            done = mprof("diff", path, path, "--by", "context")
            self.assertEqual(done.returncode, 1)
            self.assertIn("does not say what tasks and exceptions had", done.stderr)
            done = mprof("report", path, "--context", "thread")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--context", done.stderr)

    def test_wrong_use(self):
        for word in ("nothing", "IRQ900", "-1"):
            done = mprof("report", *self.link, "--context", word)
            self.assertEqual(done.returncode, 1, word)
            self.assertIn("has no exception of this name", done.stderr)
        done = mprof("report", *self.link, "--by", "thread")
        self.assertEqual(done.returncode, 2)
        self.assertIn("context", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
