# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of firmware behind a real OpenOCD: every block, and counts of a time alone.

usage: test_snapshot_target.py BLOCKS_ELF
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from rig import Rig, Tcl
from support import count, environment, mprof, start, stop, symbols, wait_for

ELF, = sys.argv[1:]
SYMBOLS = symbols(ELF)
PROF = SYMBOLS["s_prof"][0]
SAMPLES = SYMBOLS["blocks_samples"][0]
MAGIC = 0x6672706d
HEARTBEAT, RESET_DONE, ENABLE = PROF + 20, PROF + 48, PROF + 64
GO = shutil.which("go")


class OfFirmware(unittest.TestCase):
    def setUp(self):
        self.rig = Rig(ELF).start()
        self.addCleanup(self.rig.stop)
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "a.pb.gz"
        wait_for("mprof_init()", lambda: self.word(PROF) == MAGIC and self.word(ENABLE) != 0)

    def word(self, address):
        return self.tcl.read(address)[0]

    def good(self, verb, *more, live=True):
        link = ("--elf", ELF, "--gdb", f":{self.rig.gdb_port}", "--tcl",
                f":{self.rig.tcl_port}") if live else ()
        done = mprof(verb, *link, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def report(self, *more):
        return json.loads(self.good("report", "--format", "json", *more))

    def kept(self, *more):
        return json.loads(self.good("report", self.path, "--format", "json", *more, live=False))

    def test_every_block(self):
        """As the live ranking, of a target that stands still at the end of its samples."""
        self.tcl.write(SAMPLES, [2000])
        wait_for("the last sample", lambda: self.word(HEARTBEAT) >= 2000, 60)
        self.tcl.halt()
        for sampler in ("table", "calls", "arcs", "histogram", "stream"):
            self.good("snapshot", "-o", self.path, "--sampler", sampler)
            for by in count(("function", "line", "arc"), ("function", "line", "file", "address", "arc")):
                live = self.report("--sampler", sampler, "--by", by)
                kept = self.kept("--by", by)
                for key in ("rows", "hits", "unit", "sampler", "unattributed", "late"):
                    self.assertEqual(live[key], kept[key], (sampler, by, key))
                self.assertEqual(kept["link"]["kind"], "openocd-tcl")
                self.assertEqual(kept["link"]["target"], live["link"]["target"])
        if GO:
            self.good("snapshot", "-o", self.path, "--sampler", "arcs")
            text = subprocess.run([GO, "tool", "pprof", "-peek", "work_b", str(self.path)], text=True,
                                  capture_output=True, check=True, timeout=60,
                                  env=dict(environment(), HOME=str(self.folder))).stdout
            for caller in ("from_one", "from_two"):
                self.assertRegex(text, rf"\| +{caller}\n")

    def test_of_a_time(self):
        """What was there before is not in it; with --reset nothing was."""
        self.tcl.write(SAMPLES, [0x7fffffff])
        wait_for("samples", lambda: self.word(HEARTBEAT) > 1500, 60)
        samplers = ("table", "calls", "arcs", "histogram", "stream")
        for sampler in count(("table", "arcs", "stream"), samplers):
            before = self.report("--sampler", sampler)
            self.good("snapshot", "-o", self.path, "--sampler", sampler, "--hits", "20")
            kept = self.kept()
            self.assertGreaterEqual(kept["hits"], 20, sampler)
            if sampler != "stream":
                self.assertLessEqual(kept["hits"],
                                     self.report("--sampler", sampler)["hits"] - before["hits"])
        self.good("snapshot", "-o", self.path, "--sampler", "table", "--reset", "--hits", "100")
        self.assertEqual(self.word(RESET_DONE), 1)
        self.assertGreaterEqual(self.kept()["hits"], 100)
        self.assertEqual(self.rig.stat()["halts"], 0)

    def test_gmon_of_openocd(self):
        """What OpenOCD's own profiler wrote; the ELF file names it."""
        self.tcl.write(SAMPLES, [0x7fffffff])
        wait_for("samples", lambda: self.word(HEARTBEAT) > 50)
        gmon = self.folder / "gmon.out"
        self.tcl(f"profile 1 {gmon}")
        wait_for("gmon.out", lambda: gmon.exists() and gmon.stat().st_size > 100)
        plain = json.loads(self.good("report", gmon, "--format", "json", live=False))
        self.assertGreater(plain["hits"], 0)
        self.assertEqual((plain["unit"], plain["sampler"]), ("samples", "gmon.out"))
        self.assertIsNone(plain["unattributed"]["dropped"])
        self.assertEqual({row["function"] for row in plain["rows"]}, {None})
        named = json.loads(self.good("report", gmon, "--elf", ELF, "--format", "json", live=False))
        self.assertEqual(named["hits"], plain["hits"])
        names = {row["function"] for row in named["rows"]}
        self.assertNotEqual(names, {None})

    def test_restart_in_the_middle(self):
        self.tcl.write(SAMPLES, [0x7fffffff])
        wait_for("samples", lambda: self.word(HEARTBEAT) > 500, 60)
        process = start("snapshot", "--elf", ELF, "--gdb", f":{self.rig.gdb_port}", "--tcl",
                        f":{self.rig.tcl_port}", "-o", self.path, "--duration", "4", "--sampler",
                        "table")
        try:
            seen = self.word(HEARTBEAT)
            wait_for("samples", lambda: self.word(HEARTBEAT) > seen + 600)
            self.rig.reset()
            wait_for("mprof_init()", lambda: self.word(PROF) == MAGIC and self.word(ENABLE) != 0)
            self.tcl.write(SAMPLES, [0x7fffffff])
            out, err = process.communicate(timeout=60)
        finally:
            stop(process)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("has restarted", err)
        self.assertLessEqual(self.kept()["hits"], self.word(HEARTBEAT))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
