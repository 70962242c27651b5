# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of firmware behind a real OpenOCD: every block, and counts of a time alone.

usage: test_snapshot_target.py BLOCKS_ELF
"""

import contextlib
import csv
import io
import shutil
import signal
import struct
import subprocess
import sys
import unittest

from blocks_rig import BOOT, HEARTBEAT, RESET_DONE, BlocksRig
from case import Case
from pprof_file import retimed
from process import Recorder
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, count, environment, mprof, symbols, wait_for

ELF, = sys.argv[1:]
SYMBOLS = symbols(ELF)
GO = shutil.which("go")


class OfFirmware(Case):
    @classmethod
    def setUpClass(cls):
        cls.rig = BlocksRig(ELF).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.word, cls.tcl = cls.rig.word, cls.rig.tcl

    def setUp(self):
        self.rig.restart()
        self.path = self.folder / "a.pb.gz"

    def live(self, verb, *more):
        return self.good(verb, *self.rig.link, *more)

    def report(self, *more):
        return self.json("report", *self.rig.link, *more)

    def kept(self, *more):
        return self.json("report", self.path, *more)

    def record(self, sampler):
        """A snapshot in the making; its end comes by finish()."""
        return Recorder("snapshot", *self.rig.link, "-o", self.path, "--duration", "3600", "--sampler",
                        sampler)

    def finish(self, recorder):
        recorder.process.send_signal(signal.SIGINT)
        self.assertEqual(recorder.end()[0], 0)
        return self.kept()

    def test_every_block(self):
        """As the live ranking, of a target that stands still at the end of its samples."""
        self.rig.begin(2000)
        self.rig.end()
        self.tcl.halt()
        for sampler in ("table", "calls", "arcs", "histogram", "stream"):
            self.live("snapshot", "-o", self.path, "--sampler", sampler)
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
        self.live("snapshot", "-o", self.path, "--sampler", "arcs")
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
        rows = csv.reader(io.StringIO(self.good(*show, "csv")))
        self.assertEqual([(row[1], row[2], int(row[3])) for row in rows if row[0] != "time"], arcs)
        table = self.good(*show, "table").splitlines()[-len(arcs):]
        self.assertEqual([(row[0], row[1]) for row in map(str.split, table)],
                         [arc[:2] for arc in arcs])
        text = self.good(*show, "markdown").replace("\\_", "_")
        cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
        self.assertEqual([tuple(row[1:3]) for row in cells[-len(arcs):]], [arc[:2] for arc in arcs])
        one, other = (retimed(self.path, self.folder / f"run-{i}.pb.gz", 1000 + 10 * i, 5)
                      for i in range(2))
        forth, back = (self.json("report", *files, "--by", "arc")
                       for files in ((one, other), (other, one)))
        self.assertEqual(forth, back)
        self.assertEqual([(row["caller"], row["function"], row["hits"]) for row in forth["rows"]],
                         [(*arc[:2], 2 * arc[2]) for arc in arcs])

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
            with self.record(sampler) as recorder:
                recorder.counts(0)
                self.samples(300)
                after = self.report(*how)
                came = after["hits"] - before["hits"]
                recorder.counts(came)
                self.finish(recorder)
            kept = self.kept("--by", "address")
            self.assertEqual(kept["hits"], came)
            hits = {row["address"]: row["hits"] for row in after["rows"]}
            for row in before["rows"]:
                hits[row["address"]] -= row["hits"]
            self.assertEqual({row["address"]: row["hits"] for row in kept["rows"]},
                             {address: number for address, number in hits.items() if number})
        self.tcl("resume")
        halts = self.rig.stat()["halts"]
        # How much of a stream is lost, and said, depends on the machine.
        done = mprof("snapshot", *self.rig.link, "-o", self.path, "--sampler", "stream", "--hits", "20")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(self.kept()["hits"], 20)
        self.live("snapshot", "-o", self.path, "--sampler", "table", "--reset", "--hits", "100")
        self.assertEqual(self.word(RESET_DONE), 1)
        self.assertTrue(100 <= self.kept()["hits"] <= self.report("--sampler", "table")["hits"])
        self.assertEqual(self.rig.stat()["halts"], halts)

    def saves_nothing(self, *more):
        """Of a core that a debugger has halted: it says so, leaves no file, and the core as it is."""
        halts, place = self.rig.stat()["halts"], self.tcl.reg("pc")
        text = self.bad("snapshot", *self.rig.link, *more, "-o", self.path, "--duration", "0.1")
        self.assertRegex(text, rf"^mprof: nothing saved to {self.path}: no samples in \d+\.\d s: "
                         "the target is halted: continue it in your debugger\n$")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual((self.tcl.state(), self.tcl.reg("pc")), ("halted", place))
        self.assertEqual(self.rig.stat()["halts"], halts)
        self.rig.is_left(False)

    def test_halted(self):
        """By a command; and at a breakpoint, where OpenOCD's gdb port tells of it too."""
        self.rig.begin()
        self.rig.until(100)
        self.tcl.halt()
        self.saves_nothing()
        self.tcl(f"bp {SYMBOLS['work_b'][0] & ~1:#x} 2 hw")
        self.tcl.resume()
        self.tcl.wait_halted()
        self.tcl(f"rbp {SYMBOLS['work_b'][0] & ~1:#x}")
        self.saves_nothing("--tcl", "none")
        # What is advised helps.
        self.tcl.resume()
        self.live("snapshot", "-o", self.path, "--sampler", "table", "--hits", "1")

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
        plain = self.json("report", gmon)
        self.assertGreater(plain["hits"], 0)
        self.assertEqual((plain["unit"], plain["sampler"]), ("samples", "gmon.out"))
        self.assertIsNone(plain["unattributed"]["dropped"])
        self.assertEqual({row["function"] for row in plain["rows"]}, {None})
        named = self.json("report", gmon, "--elf", ELF)
        self.assertEqual(named["hits"], plain["hits"])
        names = {row["function"] for row in named["rows"]} - {None}
        self.assertTrue(names)
        self.assertLessEqual(names, self.sampled_functions(gmon.read_bytes()))

    def test_restart_in_the_middle(self):
        """The snapshot has what came since, all of it and nothing else."""
        self.rig.begin()
        self.rig.until(500)
        with self.record("table") as recorder:
            recorder.shows(rb" [1-9]\d\d+ hits")
            self.rig.restart()
            self.rig.begin()
            recorder.shows(rb"has restarted")
            self.tcl.halt()
            self.samples(200)
            live = self.report("--sampler", "table")
            recorder.counts(live["hits"])
            kept = self.finish(recorder)
        for key in ("function", "hits", "share"):
            self.assertEqual([row[key] for row in kept["rows"]], [row[key] for row in live["rows"]])


class OfBoots(Case):
    """A reset before each run, by a real OpenOCD: over its Tcl port, and by gdb's monitor."""

    ELF = FIRMWARE / "cortex-m3.elf"

    def test_reset_target(self):
        with Rig(self.ELF) as rig, contextlib.closing(Tcl(rig.tcl_port)) as tcl:
            table = symbols(self.ELF)["s_prof"][0]
            wait_for("mprof_init()", lambda: tcl.read(table + BOOT)[0] == 1)
            for boots, link in ((1, ("--tcl", f":{rig.tcl_port}")), (3, ("--tcl", "none"))):
                path = self.folder / f"{boots}.pb.gz"
                said = self.good("snapshot", "--elf", self.ELF, "--gdb", f":{rig.gdb_port}", *link, "-o",
                                 path, "--hits", "100", "--runs", "2", "--reset-target", "--settle", "0s")
                self.assertIn(": 2 runs of ", said)
                self.assertEqual(tcl.read(table + BOOT)[0], boots + 2)
                self.assertEqual(tcl.state(), "running")
                self.assertGreaterEqual(self.kept(path)["hits"], 200)
                diff = self.json("diff", path, path)
                self.assertEqual(diff["runs"], 2)
                self.assertNotIn("one boot", " ".join(diff["notes"]))

    def kept(self, path):
        return self.json("report", path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
