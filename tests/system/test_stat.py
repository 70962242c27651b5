# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof stat: a line each interval, in any format, whatever happens to the target and its server.

usage: test_stat.py CONTEXTS_ELF LOCKED_ELF
"""

import csv
import json
import re
import signal
import sys
import tempfile
import threading
import unittest

from chance import as_rarely, plausible
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, count, json_lines, mprof, sampled, start, stop

ELF, LOCKED = sys.argv[1:]
SAMPLES = count(1000, 50000)
HEADING = "TIME  TASKS%   IRQ%  IDLE%  UNKNOWN%  SAMPLES/S   LOST  HALTED%  STATE"


class Stat(unittest.TestCase):
    def begin(self, elf=ELF, **more):
        rig = Rig(elf, **more).start()
        self.addCleanup(rig.stop)
        return rig

    @staticmethod
    def link(rig, elf=ELF):
        return ["--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}"]

    def start(self, rig, *more):
        stat = start("stat", *self.link(rig), *more)
        self.addCleanup(stop, stat)
        return stat

    def line(self, stat):
        """Its next line. A stat that prints none for too long is killed, so that its pipe ends."""
        watchdog = threading.Timer(HANG_S, stat.kill)
        watchdog.start()
        try:
            line = stat.stdout.readline()
        finally:
            watchdog.cancel()
        self.assertTrue(line, "stat has ended")
        return line

    @staticmethod
    def samples(line):
        """Those of a line's interval, by what they came in. A simulator's time may go faster than the
        host's, or stand still for an interval: only these numbers are not the host's affair."""
        names = ("tasks", "interrupts", "idle")
        known = sum(line[name] or 0 for name in names)
        return {name: round(line["rate"] * line["seconds"] * line[name] / known) if known else 0
                for name in names}

    def watch(self, rig, *more, samples=500):
        """Its lines until there are so many samples; these, and what it said."""
        stat = self.start(rig, "--format", "json", "-d", "0.2", "--link-share", "1", *more)
        lines, sums = [], dict.fromkeys(("tasks", "interrupts", "idle"), 0)
        while sum(sums.values()) < samples:
            lines.append(json.loads(self.line(stat)))
            for name, number in self.samples(lines[-1]).items():
                sums[name] += number
        stat.send_signal(signal.SIGINT)
        return lines, sums, stat.communicate(timeout=HANG_S)[1]

    def near(self, number, sums, share):
        self.assertTrue(plausible(number, sum(sums.values()), share), (sums, share))

    def test_shares(self):
        rig = self.begin(icount=4)
        # Until it has seen an interrupt, a stream does not know that it tells them apart.
        sampled(ELF, 100, "--tcl", f":{rig.tcl_port}")
        lines, sums, said = self.watch(rig, samples=SAMPLES)
        self.assertEqual(said, "")
        for line in lines:
            self.assertAlmostEqual(
                line["tasks"] + line["interrupts"] + line["idle"] + line["unknown"], 1, places=4)
            self.assertTrue(line["wall"] and not line["callees_are_tasks"])
            self.assertEqual((line["state"], line["halted_share"], line["tick_locked"]),
                             ("RUNNING", 0, False))
        self.intervals(lines)
        for name, share in (("tasks", 0.45), ("interrupts", 0.30), ("idle", 0.25)):
            self.near(sums[name], sums, share)
        self.assertEqual(rig.stat()["halts"], 0)
        print(f"counted: {sum(sums.values())} samples")

        # What a table does not tell.
        lines, sums, said = self.watch(rig, "--sampler", "table")
        self.assertIn("functions called by a handler count as tasks", said)
        self.assertTrue(all(line["callees_are_tasks"] for line in lines))
        # The handler itself is a few instructions, below 1 % of the time.
        self.assertTrue(as_rarely(sums["interrupts"], sum(sums.values()), 0.01), sums)
        # 75 and 25 %, but rows that are read while the core runs are of different times.
        self.assertGreater(sums["tasks"], sums["idle"])

        # What the user knows better.
        _, sums, _ = self.watch(rig, "--idle", "task_work")
        self.near(sums["idle"], sums, 0.5)

        self.formats(rig)

    def intervals(self, lines):
        for number, line in enumerate(lines, 1):
            mean = line["mean"]
            for name in ("tasks", "interrupts", "idle"):
                self.assertTrue(line[name + "_low"] <= line[name] <= line[name + "_high"], line)
                self.assertTrue(mean[name + "_low"] <= mean[name] <= mean[name + "_high"], line)
                self.assertLess(mean[name + "_low"], mean[name + "_high"])
            self.assertEqual(line["intervals"], "counting only")
            self.assertEqual(mean["intervals"], "counting only" if number < 8 else "counting and polls")
        self.assertAlmostEqual(mean["seconds"], sum(line["seconds"] for line in lines), places=3)

    def formats(self, rig):
        done = mprof("stat", *self.link(rig), "-n", "22", "-d", "0.02", "--link-share", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 22 + 2 + 3)
        for at, line in enumerate(lines):
            if at in (0, 21):
                self.assertEqual(line.strip(), HEADING)
            elif at < 24:
                self.assertRegex(line, r"^\d\d:\d\d:\d\d +[\d.-]+ +[\d.-]+ +[\d.-]+ +[\d.-]+ +[\d-]+ "
                                       r"+[\d-]+ +[\d.-]+  RUNNING$")
        self.assertRegex(lines[-3], r"mean of \d+ s$")
        self.assertRegex(lines[-2], r"^95 % \+/-  +[\d.]+ +[\d.]+ +[\d.]+  of the mean: counting and polls$")
        self.assertRegex(lines[-1], r"^95 % \+/-  +[\d.]+ +[\d.]+ +[\d.]+  of one line: counting only$")
        columns = [match.end() for match in re.finditer(r"\S+", lines[0])][:-1]
        for line in lines[1:3]:
            self.assertEqual([match.end() for match in re.finditer(r"\S+", line)][:-1], columns)

        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/stat.csv"
            done = mprof("stat", *self.link(rig), "-n", "3", "-d", "0.02", "--format", "csv", "-o", path)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            with open(path, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.assertEqual((row["state"], row["wall"]), ("RUNNING", "true"))
            self.assertLess(float(row["tasks_low"]), float(row["tasks_high"]))
            self.assertAlmostEqual(sum(float(row[name]) for name in ("tasks", "interrupts", "idle",
                                                                     "unknown")), 1, places=4)

    def test_a_locked_tick(self):
        rig = self.begin(LOCKED)
        done = mprof("stat", *self.link(rig, LOCKED), "-n", "2", "-d", "0.1", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("interrupts and work in step with the tick are not seen", done.stderr)
        for line in json_lines(done.stdout):
            self.assertIsNone(line["interrupts"])
            self.assertEqual((line["tasks_low"], line["intervals"]), (None, None))
            self.assertTrue(line["tick_locked"])

    def test_states_and_signals(self):
        rig = self.begin()
        tcl = Tcl(rig.tcl_port)
        self.addCleanup(tcl.close)
        stat = self.start(rig, "--format", "json", "-d", "0.05")

        def until(condition):
            while not condition(shown := json.loads(self.line(stat))):
                pass
            return shown

        until(lambda line: line["tasks"] is not None)
        tcl.halt()
        halted = until(lambda line: line["state"] == "HALTED" and line["tasks"] is None)
        self.assertIsNone(halted["unknown"])
        self.assertIsNone(halted["rate"])
        tcl.resume()
        until(lambda line: line["tasks"] is not None)
        rig.reset()
        until(lambda line: line["tasks"] is None)  # no interval goes over it
        until(lambda line: line["tasks"] is not None)
        stat.send_signal(signal.SIGINT)
        stat.communicate(timeout=HANG_S)
        self.assertEqual(stat.returncode, -signal.SIGINT)

        # A reader that leaves ends it, too, as it does vmstat.
        sampled(ELF, 100, "--tcl", f":{rig.tcl_port}")
        stat = self.start(rig, "-d", "0.1")
        self.line(stat)
        stat.stdout.close()
        self.assertEqual(stat.wait(HANG_S), -signal.SIGPIPE)
        self.assertEqual(stat.stderr.read(), "")

        # A server that goes away for good.
        stat = self.start(rig, "--format", "json", "-d", "0.05", "--wait", "5")
        until(lambda line: line["tasks"] is not None)
        tcl.close()
        rig.stop()
        lost = until(lambda line: line["state"] == "LOST")
        self.assertIsNone(lost["tasks"])
        _, said = stat.communicate(timeout=HANG_S)
        self.assertEqual(stat.returncode, 1, said)

    def test_wrong_use(self):
        elf = FIRMWARE / "cortex-m3.elf"
        done = mprof("stat", "--elf", elf, "--gdb", ":1", "--format", "markdown")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--format: 'markdown' is not one of table, json, csv; see 'mprof stat --help'", done.stderr)
        done = mprof("stat", "--elf", elf, "--raw", "/dev/null")
        self.assertEqual(done.returncode, 2)
        self.assertIn("stat cannot read a memory dump", done.stderr)
        done = mprof("stat", "--elf", elf, "--gdb", ":1", "-o", "/no/such/folder/x")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/folder/x", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
