# SPDX-License-Identifier: GPL-3.0-or-later
"""Every block of s_prof is read from a running core, and what the host writes takes effect.

usage: test_blocks.py BLOCKS_ELF
"""

import json
import signal
import subprocess
import sys
import unittest

from blocks_rig import ENABLE, HEARTBEAT, RESET_DONE, BlocksRig
from chance import plausible
from support import count, mprof, start, stop, wait_for

ELF, = sys.argv[1:]
# Records that the stream holds.
RING = 256
# Parts of a round: two a, two b, one c, of 50, 30 and 20.
SHARES = {"work_a": 100 / 180, "work_b": 60 / 180, "work_c": 20 / 180}
ARCS = {("from_one", "work_a"): 2, ("from_one", "work_b"): 1, ("from_two", "work_b"): 1,
        ("from_two", "work_c"): 1}


class Blocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = BlocksRig(ELF).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.word, cls.tcl = cls.rig.word, cls.rig.tcl

    def setUp(self):
        self.rig.restart()
        self.halts = self.rig.stat()["halts"]

    def report(self, sampler, *more):
        done = mprof("report", *self.rig.link, "--sampler", sampler, "--format", "json", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def report_standing_still(self):
        """The table at one moment: rows are read one after the other, and a read may take seconds."""
        self.tcl.halt()
        shown = self.report("table")
        self.tcl.resume()
        return shown

    def control(self, *words, status=0):
        done = mprof("control", *words, *self.rig.link)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def check_shares(self, shown):
        rows = {row["function"]: row for row in shown["rows"]}
        for name, share in SHARES.items():
            self.assertTrue(plausible(rows[name]["hits"], shown["hits"], share), rows)

    def test_stream_counts_its_losses(self):
        """Each sample from the first one on is in a row or lost, while the ring runs over."""
        top = start("top", *self.rig.link, "--sampler", "stream", "--format", "json", "-d", "0.02",
                    "-n", "100000", stdout=subprocess.PIPE)
        try:
            first = json.loads(top.stdout.readline())
            self.assertEqual((first["sampler"], first["hits"]), ("stream", 0))
            self.rig.begin(RING // 2)
            presented = self.rig.end()
            self.assertLess(presented, RING)
            self.read_until(top, lambda shown: shown["hits"] == presented)
            # A reader who is late loses some.
            top.send_signal(signal.SIGSTOP)
            self.rig.begin()
            self.rig.until(presented + 2 * RING)
            top.send_signal(signal.SIGCONT)
            # The firmware ends after the round in which it has as many as that.
            self.rig.begin(1)
            presented = self.rig.end()
            last = self.read_until(top, lambda shown: shown["hits"] +
                                   shown["unattributed"]["dropped"] >= presented)
        finally:
            stop(top)
        print("samples", presented, "lost", last["unattributed"]["dropped"])
        self.assertGreater(last["unattributed"]["dropped"], 0)
        self.assertEqual(last["hits"] + last["unattributed"]["dropped"], presented)
        self.check_shares(last)
        self.assertEqual(self.rig.stat()["halts"], self.halts)

    def read_until(self, top, condition):
        for line in top.stdout:
            shown = json.loads(line)
            if condition(shown):
                return shown
        raise AssertionError("top has ended")

    def test_every_block(self):
        self.rig.begin(2000)
        presented = self.rig.end()

        table = self.report("table")
        self.assertEqual(table["hits"] + table["unattributed"]["dropped"], presented)
        self.check_shares(table)
        self.assertEqual(self.report("auto")["sampler"], "table")

        histogram = self.report("histogram")
        self.assertEqual(histogram["hits"] + histogram["unattributed"]["dropped"], presented)
        self.check_shares(histogram)
        self.assertTrue(all(row["low"] <= row["share"] <= row["high"] for row in table["rows"]))

        calls = self.report("calls")
        self.assertEqual(calls["unit"], "calls")
        rows = {row["function"]: row["hits"] for row in calls["rows"]}
        rounds = rows["work_c"]
        self.assertGreater(rounds, 50)
        print(f"counted: {presented} samples, {calls['hits']} calls")
        self.assertEqual(rows, {"work_a": 2 * rounds, "work_b": 2 * rounds, "work_c": rounds})

        arcs = self.report("arcs", "--by", "arc")
        rows = {(row["caller"], row["function"]): row["hits"] for row in arcs["rows"]}
        self.assertEqual(rows, {arc: times * rounds for arc, times in ARCS.items()})
        rows = {row["function"]: row["hits"] for row in self.report("arcs")["rows"]}
        self.assertEqual(rows["work_b"], 2 * rounds)

    def test_the_ring_is_there_for_who_comes_late(self):
        self.rig.begin(1000)
        self.rig.end()
        shown = self.report("stream")
        self.assertEqual((shown["hits"], shown["unattributed"]["dropped"]), (RING, 0))

    def wait_for_a_call(self):
        calls = self.report("calls")["hits"]
        wait_for("calls", lambda: self.report("calls")["hits"] > calls)

    def test_control(self):
        self.rig.begin()
        self.rig.until(100)
        self.assertIn("timer=on", self.control())

        self.control("off", "timer", "stream")
        self.assertIn("timer=off", self.control("status"))
        self.assertIn("stream=off", self.control("status"))
        self.wait_for_a_call()  # a sample that had begun is counted by then
        before = self.word(HEARTBEAT)
        self.wait_for_a_call()
        self.assertEqual(self.word(HEARTBEAT), before)

        self.control("on", "timer")
        wait_for("samples again", lambda: self.word(HEARTBEAT) > before)
        stream = self.report("stream")["hits"]
        wait_for("more samples", lambda: self.word(HEARTBEAT) > before + 50)
        self.assertEqual(self.report("stream")["hits"], stream)
        self.control("on", "stream")

        self.control("reset")
        self.assertEqual(self.word(RESET_DONE), 1)
        self.assertEqual(self.word(ENABLE), 0xffffffab)
        self.assertIn("unexpected argument 'now'", self.control("reset", "now", status=2))

    def test_reset(self):
        self.rig.begin(1000)
        self.rig.end()
        kinds = count(("table", "arcs"), ("table", "histogram", "calls", "arcs"))
        hits = {kind: self.report(kind)["hits"] for kind in kinds}
        self.tcl.halt()
        # As long as OpenOCD needs for an answer, on this machine now.
        for seconds in ("0.5", "5", "50"):
            said = self.control("reset", "--timeout", seconds, status=1)
            if "OpenOCD did not answer" not in said:
                break
        self.assertRegex(said, r"^mprof: reset: takes effect at the next event, but none came within \d+ ms; the target is "
                               r"halted: continue it in your debugger\n$")
        self.assertEqual({kind: self.report(kind)["hits"] for kind in hits}, hits)
        self.tcl.resume()
        wait_for("the reset", lambda: self.word(RESET_DONE) == 1)
        self.assertEqual({kind: self.report(kind)["hits"] for kind in hits},
                         {kind: 0 for kind in hits})
        self.assertEqual(self.word(HEARTBEAT), 0)

    def test_ignore(self):
        self.rig.begin()
        self.rig.until(100)
        self.control("ignore", "work_a", "from_*")
        self.assertIn("work_a", self.control())
        self.control("reset")
        self.rig.until(300)
        shown = self.report_standing_still()
        self.assertNotIn("work_a", {row["function"] for row in shown["rows"]})
        ignored = shown["unattributed"]["ignored"]
        self.assertTrue(plausible(ignored, shown["hits"] + ignored, SHARES["work_a"]), shown)
        self.control("ignore", "none")
        before = self.report("table")["unattributed"]["ignored"]
        wait_for("work_a again", lambda: "work_a" in {
            row["function"] for row in self.report("table")["rows"]})
        self.assertEqual(self.report("table")["unattributed"]["ignored"], before)
        self.assertIn("these are 5 ranges of code, and the stub can ignore 4", self.control("ignore", "0-2", "4-6", "8-10", "12-14",
                                                        "16-18", status=1))
        self.assertIn("no function", self.control("ignore", "nothing_like_it", status=1))

    def test_phase(self):
        self.rig.begin()
        self.rig.until(100)
        self.control("phase", "2")
        self.control("reset")
        self.rig.until(500)
        shown = self.report_standing_still()
        rows = {row["function"]: row["hits"] for row in shown["rows"]}
        self.assertNotIn("work_a", rows)
        # A part of b and one of c, of 30 and 20.
        self.assertTrue(plausible(rows["work_b"], rows["work_b"] + rows["work_c"], 0.6), rows)
        self.control("phase", "all")
        self.assertEqual(self.word(ENABLE), 0xffffffab)

    def test_a_block_that_is_not_there(self):
        done = mprof("report", *self.rig.link, "--sampler", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("one of auto, table", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
