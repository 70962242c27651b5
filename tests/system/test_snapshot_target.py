# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of firmware behind a real OpenOCD: every block, and counts of a time alone.

usage: test_snapshot_target.py BLOCKS_ELF
"""

import csv
import io
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

from blocks_rig import HEARTBEAT, RESET_DONE, BlocksRig
from pprof_file import retimed
from support import HANG_S, count, environment, mprof, patient, start, stop, symbols, wait_for

patient()
ELF, = sys.argv[1:]
SYMBOLS = symbols(ELF)
GO = shutil.which("go")


class OfFirmware(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = BlocksRig(ELF).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.word, cls.tcl = cls.rig.word, cls.rig.tcl

    def setUp(self):
        self.rig.restart()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "a.pb.gz"

    def good(self, verb, *more, live=True):
        done = mprof(verb, *(self.rig.link if live else ()), *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def report(self, *more):
        return json.loads(self.good("report", "--format", "json", *more))

    def kept(self, *more):
        return json.loads(self.good("report", self.path, "--format", "json", *more, live=False))

    def test_every_block(self):
        """As the live ranking, of a target that stands still at the end of its samples."""
        self.rig.begin(2000)
        self.rig.end()
        self.tcl.halt()
        for sampler in ("table", "calls", "arcs", "histogram", "stream"):
            self.good("snapshot", "-o", self.path, "--sampler", sampler)
            short = {"table": ("function", "line"), "arcs": ("arc",)}.get(sampler, ("function",))
            for by in count(short, ("function", "line", "file", "address", "arc")):
                live = self.report("--sampler", sampler, "--by", by)
                kept = self.kept("--by", by)
                for row in live["rows"] + kept["rows"]:  # a file has names, and no exceptions
                    del row["late"], row["context"]
                for key in ("rows", "hits", "unit", "sampler", "unattributed", "late"):
                    self.assertEqual(live[key], kept[key], (sampler, by, key))
                self.assertEqual(kept["link"]["kind"], "openocd-tcl")
                self.assertEqual(kept["link"]["target"], live["link"]["target"])
        self.good("snapshot", "-o", self.path, "--sampler", "arcs")
        self.arcs_in_every_format()
        if GO:
            text = subprocess.run([GO, "tool", "pprof", "-peek", "work_b", str(self.path)], text=True,
                                  capture_output=True, check=True, timeout=HANG_S,
                                  env=dict(environment(), HOME=str(self.folder))).stdout
            for caller in ("from_one", "from_two"):
                self.assertRegex(text, rf"\| +{caller}\n")

    def arcs_in_every_format(self):
        arcs = [(row["caller"], row["function"], row["hits"])
                for row in self.kept("--by", "arc")["rows"]]
        self.assertEqual({arc[:2] for arc in arcs}, {("from_one", "work_a"), ("from_one", "work_b"),
                                                     ("from_two", "work_b"), ("from_two", "work_c")})
        show = ("report", self.path, "--by", "arc", "-f", "caller,function,hits", "--format")
        rows = csv.reader(io.StringIO(self.good(*show, "csv", live=False)))
        self.assertEqual([(row[1], row[2], int(row[3])) for row in rows if row[0] != "time"], arcs)
        table = self.good(*show, "table", live=False).splitlines()[-len(arcs):]
        self.assertEqual([(row[0], row[1]) for row in map(str.split, table)],
                         [arc[:2] for arc in arcs])
        text = self.good(*show, "markdown", live=False).replace("\\_", "_")
        cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
        self.assertEqual([tuple(row[1:3]) for row in cells[-len(arcs):]], [arc[:2] for arc in arcs])
        one, other = (retimed(self.path, self.folder / f"run-{i}.pb.gz", 1000 + 10 * i, 5)
                      for i in range(2))
        forth, back = (json.loads(self.good("report", *files, "--by", "arc", "--format", "json",
                                            live=False))
                       for files in ((one, other), (other, one)))
        self.assertEqual(forth, back)
        self.assertEqual([(row["caller"], row["function"], row["hits"]) for row in forth["rows"]],
                         [(*arc[:2], 2 * arc[2]) for arc in arcs])

    def record(self, sampler):
        """A snapshot in the making; its end comes by finish()."""
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        process = start("snapshot", *self.rig.link, "-o", self.path, "--duration", "3600",
                        "--sampler", sampler, stderr=end)
        os.close(end)
        self.addCleanup(stop, process)
        return process, terminal

    def shows(self, terminal, pattern):
        """Waits until the progress bar, or what stands there beside it, says so."""
        text = b""
        while not re.search(pattern, text):
            self.assertTrue(select.select([terminal], [], [], HANG_S)[0], text)
            text += os.read(terminal, 4096)

    def finish(self, process):
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 0)
        return self.kept()

    def samples(self, more):
        """So many are taken, and then the target stands still."""
        seen = self.word(HEARTBEAT)
        self.tcl("resume")
        self.rig.until(seen + more)
        self.tcl.halt()

    def test_of_a_time(self):
        """What was there before is not in it, and all that came is; with --reset nothing was."""
        self.rig.begin()
        self.rig.until(1000)
        self.tcl.halt()
        for sampler in count(("table", "arcs"), ("table", "calls", "arcs", "histogram")):
            # By address: blocks of several functions are divided, and rounded, once more for each report.
            how = ("--sampler", sampler, "--by", "address")
            before = self.report(*how)
            process, terminal = self.record(sampler)
            self.shows(terminal, rb" 0 hits")
            self.samples(300)
            after = self.report(*how)
            came = after["hits"] - before["hits"]
            self.shows(terminal, rb" %d hits" % came)
            self.finish(process)
            kept = self.kept("--by", "address")
            self.assertEqual(kept["hits"], came)
            hits = {row["address"]: row["hits"] for row in after["rows"]}
            for row in before["rows"]:
                hits[row["address"]] -= row["hits"]
            self.assertEqual({row["address"]: row["hits"] for row in kept["rows"]},
                             {address: number for address, number in hits.items() if number})
        self.tcl("resume")
        halts = self.rig.stat()["halts"]
        self.good("snapshot", "-o", self.path, "--sampler", "stream", "--hits", "20")
        self.assertGreaterEqual(self.kept()["hits"], 20)
        self.good("snapshot", "-o", self.path, "--sampler", "table", "--reset", "--hits", "100")
        self.assertEqual(self.word(RESET_DONE), 1)
        self.assertTrue(100 <= self.kept()["hits"] <= self.report("--sampler", "table")["hits"])
        self.assertEqual(self.rig.stat()["halts"], halts)

    @staticmethod
    def sampled_functions(gmon):
        """Of the histogram in a gmon.out: those that a bucket with samples has a part of."""
        low, high, buckets, _ = struct.unpack_from("<IIII", gmon, 21)
        width = (high - low) / buckets
        hits = struct.unpack_from(f"<{buckets}H", gmon, 21 + 16 + 16)
        places = [(low + width * i, low + width * (i + 1)) for i, hit in enumerate(hits) if hit]
        return {name for name, (address, size) in SYMBOLS.items()
                if any(begin < (address & ~1) + size and address & ~1 < end for begin, end in places)}

    def test_gmon_of_openocd(self):
        """What OpenOCD's own profiler wrote; the ELF file names it."""
        self.rig.begin()
        self.rig.until(50)
        gmon = self.folder / "gmon.out"

        def profiled():
            """A second may be over before OpenOCD had time for a sample."""
            self.tcl(f"profile 1 {gmon}")
            return self.sampled_functions(gmon.read_bytes())
        wait_for("a gmon.out with samples", profiled)
        plain = json.loads(self.good("report", gmon, "--format", "json", live=False))
        self.assertGreater(plain["hits"], 0)
        self.assertEqual((plain["unit"], plain["sampler"]), ("samples", "gmon.out"))
        self.assertIsNone(plain["unattributed"]["dropped"])
        self.assertEqual({row["function"] for row in plain["rows"]}, {None})
        named = json.loads(self.good("report", gmon, "--elf", ELF, "--format", "json", live=False))
        self.assertEqual(named["hits"], plain["hits"])
        names = {row["function"] for row in named["rows"]} - {None}
        self.assertTrue(names)
        self.assertLessEqual(names, self.sampled_functions(gmon.read_bytes()))

    def test_restart_in_the_middle(self):
        """The snapshot has what came since, all of it and nothing else."""
        self.rig.begin()
        self.rig.until(500)
        process, terminal = self.record("table")
        self.shows(terminal, rb" [1-9]\d\d+ hits")
        self.rig.restart()
        self.rig.begin()
        self.shows(terminal, rb"has restarted")
        self.tcl.halt()
        self.samples(200)
        live = self.report("--sampler", "table")
        self.shows(terminal, rb" %d hits" % live["hits"])
        kept = self.finish(process)
        for key in ("function", "hits", "share"):
            self.assertEqual([row[key] for row in kept["rows"]], [row[key] for row in live["rows"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
