# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export of snapshots of firmware: what the programs make of it that the formats are for.

usage: test_export.py BLOCKS_ELF RV64_ELF
"""

import collections
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import formats
import prof
from blocks_rig import BlocksRig
from exports import ARM_GPROF, RISCV_GPROF, Exports
from support import HANG_S, mprof, symbols

BLOCKS, RV64 = map(pathlib.Path, sys.argv[1:3])


def shared_blocks(elf):
    """Addresses of blocks of 16 bytes that are parts of several functions, and of nothing else."""
    owners, covered = collections.Counter(), collections.Counter()
    for line in subprocess.check_output(["arm-none-eabi-nm", "-S", elf], text=True).splitlines():
        start, *size, kind, name = line.split()
        if size and kind in "tT" and name != "vectors" and not name.startswith("s_"):
            code = range(int(start, 16), int(start, 16) + int(size[0], 16))
            owners.update({addr & -16 for addr in code})
            covered.update(addr & -16 for addr in code)
    return sorted(block for block, count in owners.items() if count > 1 and covered[block] == 16)


class OfFirmware(Exports):
    """Snapshots of a Cortex-M3 behind a real OpenOCD."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kept = pathlib.Path(folder.name)
        with BlocksRig(BLOCKS) as rig:
            rig.begin(3000)
            rig.end()
            rig.tcl.halt()
            for sampler in ("table", "histogram", "arcs"):
                done = mprof("snapshot", *rig.link, "--sampler", sampler, "-o", cls.file(sampler))
                assert done.returncode == 0, done.stderr
        items = [(block, 7 * i + 1) for i, block in enumerate(shared_blocks(BLOCKS))]
        dump = cls.kept / "dump"
        dump.write_bytes(prof.table(items, size=symbols(BLOCKS)["s_prof"][1]))
        done = mprof("snapshot", "--elf", BLOCKS, "--raw", dump, "-o", cls.file("shared"))
        assert done.returncode == 0, done.stderr

    @classmethod
    def file(cls, sampler):
        return cls.kept / f"{sampler}.pb.gz"

    def rows_of(self, *files, by="function", options=()):
        return self.json("report", *files, "--by", by, *options)["rows"]

    def hits(self, *files, options=()):
        found = collections.Counter()
        for row in self.rows_of(*files, options=options):
            found[row["function"] or row["address"]] += row["hits"]
        return dict(found)

    def arcs(self):
        return {(row["caller"], row["function"]): row["hits"]
                for row in self.rows_of(self.file("arcs"), by="arc") if row["caller"]}

    def check_gprof(self, program, elf, size, *files):
        data = formats.Gmon(self.export("gmon", *files), size)
        path = self.put("one.gmon", data.with_rate(1))
        return data, formats.gprof(program, elf, path)

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_gprof(self):
        """Flat profile and call graph, to the last hit: of blocks that several functions share too."""
        for sampler in ("table", "histogram", "shared"):
            data, (flat, calls, arcs) = self.check_gprof(ARM_GPROF, BLOCKS, 4, self.file(sampler),
                                                         self.file("arcs"))
            self.assertEqual({low % 2 for low in data.hits()}, {0})
            self.assertEqual({h[2:4] for h in data.histograms}, {(1000, "seconds")})
            self.assertEqual(flat, self.hits(self.file(sampler)))
            self.assertEqual(arcs, self.arcs())
            counted = collections.Counter()
            for (_, function), hits in self.arcs().items():
                counted[function] += hits
            self.assertEqual(calls, counted)
        self.assertGreater(len(self.rows_of(self.file("shared"))), 3)

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_gprof_takes_the_file_as_it_is(self):
        path = self.put("gmon.out", self.export("gmon", self.file("histogram"), self.file("arcs")))
        done = subprocess.run([ARM_GPROF, "-b", str(BLOCKS), str(path)], text=True, timeout=HANG_S,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Each sample counts as 0.001 seconds.", done.stdout)
        flat, _, arcs = formats.gprof(ARM_GPROF, BLOCKS, path)
        hits = self.hits(self.file("histogram"))
        for function, seconds in flat.items():
            self.assertAlmostEqual(seconds, hits[function] / 1000, delta=0.0051)
        self.assertEqual(arcs, self.arcs())

    def test_gmon_comes_back(self):
        """What was exported and is imported again is the same."""
        path = self.put("gmon.out", self.export("gmon", self.file("table"), self.file("arcs")))
        self.assertEqual(self.export("gmon", path), path.read_bytes())
        self.assertEqual(self.hits(path, options=("--elf", BLOCKS)), self.hits(self.file("table")))
        named = formats.Gmon(self.export("gmon", path, options=("--elf", BLOCKS)), 4)
        self.assertEqual(named.hits(), formats.Gmon(path.read_bytes(), 4).hits())
        self.assertEqual(sum(named.arcs.values()), sum(self.arcs().values()))
        stacks = formats.folded(self.text("folded", path, options=("--elf", BLOCKS)))
        self.assertEqual(stacks, formats.folded(self.text("folded", self.file("table"))))

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_callgrind_annotate(self):
        path = self.put("callgrind.out", self.export("callgrind", self.file("table"), self.file("arcs")))
        events, totals, rows = formats.annotate(path)
        self.assertEqual(events, ["Samples", "ns", "Calls"])
        samples, calls = self.hits(self.file("table")), self.arcs()
        self.assertEqual(totals, [sum(samples.values()), sum(samples.values()) * 10**6,
                                  sum(row["hits"] for row in self.rows_of(self.file("arcs")))])
        flat, called = collections.Counter(), collections.Counter()
        for (_, function), counts in rows.items():
            flat[function] += counts[0]
            called[function] += counts[2]
        self.assertEqual(+flat, samples)
        lines = self.rows_of(self.file("table"), by="file")
        files = collections.Counter()
        for (file, _), counts in rows.items():
            files[file] += counts[0]
        self.assertEqual({file: hits for file, hits in files.items() if hits},
                         {row["file"]: row["hits"] for row in lines if row["file"]})
        for (_, function), hits in calls.items():
            self.assertGreaterEqual(called[function], hits)
        # Who calls whom: each arc is a line under its caller.
        text = path.read_text()
        self.assertEqual(sum(int(line.split()[0][6:]) for line in text.splitlines()
                             if line.startswith("calls=")), sum(calls.values()))
        _, _, inclusive = formats.annotate(path, "--inclusive=yes")
        both = {function: counts[2] for (_, function), counts in inclusive.items()}
        for caller in {caller for caller, _ in calls}:
            self.assertEqual(both[caller], sum(hits for (c, _), hits in calls.items() if c == caller))

    def test_same_hits_in_every_format(self):
        hits = self.hits(self.file("table"))
        total = sum(hits.values())
        whole = json.loads(self.text("json", self.file("table")))
        frames, (profile,) = whole["frames"], whole["profiles"]
        self.assertEqual([t["name"] for t in profile["types"]], ["samples", "time"])
        by_owner, stacks = collections.Counter(), collections.Counter()
        for sample in profile["samples"]:
            by_owner[frames[sample["stack"][sample["owner"]]]["function"]] += sample["values"][0]
            stacks[tuple(frames[i]["name"] for i in reversed(sample["stack"]))] += sample["values"][0]
            self.assertEqual(int(sample["address"], 16) % 2, 0)
        self.assertEqual(+by_owner, hits)
        self.assertTrue(any(frame["inlined"] for frame in frames))
        self.assertEqual(formats.folded(self.text("folded", self.file("table"))), +stacks)
        file = formats.check_speedscope(self.text("speedscope", self.file("table")))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        sampled = collections.Counter()
        for stack, weight in zip(file["profiles"][0]["samples"], file["profiles"][0]["weights"]):
            sampled[tuple(names[i] for i in stack)] += weight
        self.assertEqual(sampled, +stacks)
        lines = list(csv.DictReader(io.StringIO(self.text("csv", self.file("table")))))
        from_csv, by_line = collections.Counter(), collections.Counter()
        for line in lines:
            if line["type"] == "samples":
                from_csv[line["function"]] += int(line["value"])
            if line["type"] == "samples" and line["line"]:
                by_line[line["file"], int(line["line"])] += int(line["value"])
        self.assertEqual(+from_csv, hits)
        # A line has what is certainly its own, here as in a report.
        rows = self.rows_of(self.file("table"), by="line")
        self.assertEqual(by_line, {(row["file"], row["line"]): row["hits"] for row in rows
                                   if row["line"] and row["hits"]})
        self.assertEqual(sum(row["hits"] for row in rows), total)
        self.assertTrue(any(row["line"] and not row["hits"] and row["high"] > 0.01 for row in rows))
        page = formats.Page(self.text("html", self.file("table")))
        self.assertEqual(page.hits(), hits)
        self.assertEqual(page.graph_total(), total)
        conditions = profile["conditions"]
        self.assertEqual((conditions["elf"], conditions["sampler"], conditions["grain"],
                          conditions["jittered"]), (BLOCKS.name, "table", 16, True))
        self.assertIn("mps2.cpu", page.words)

    def test_type(self):
        file = formats.check_speedscope(self.text("speedscope", self.file("table"),
                                                  options=("--type", "time")))
        self.assertEqual(file["profiles"][0]["unit"], "nanoseconds")
        self.assertEqual(file["profiles"][0]["endValue"],
                         sum(self.hits(self.file("table")).values()) * 10**6)
        both = formats.check_speedscope(self.text("speedscope", self.file("table"), self.file("arcs")))
        self.assertEqual([p["name"] for p in both["profiles"]], ["samples", "calls"])
        self.assertIn("--type samples or --type calls",
                      self.bad("export", "--format", "folded", self.file("table"), self.file("arcs"),
                               status=2))
        calls = formats.folded(self.text("folded", self.file("table"), self.file("arcs"),
                                         options=("--type", "calls")))
        self.assertEqual({stack[-2:]: hits for stack, hits in calls.items() if len(stack) > 1},
                         self.arcs())
        self.assertIn("--type 'x': not in", self.bad("export", "--format", "csv", self.file("table"),
                                                    "--type", "x", status=2))


@unittest.skipUnless(shutil.which(RISCV_GPROF), "binutils-riscv64-unknown-elf is missing")
class OfRiscV(OfFirmware):
    """Addresses of eight bytes."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kept = pathlib.Path(folder.name)
        table = symbols(RV64, "nm")
        start, size = table["work_a"]
        items = [((start & -16) + 16 * i, 11 + i) for i in range(size // 16)]
        dump = cls.kept / "dump"
        dump.write_bytes(prof.table(items, size=table["s_prof"][1], wide=True))
        done = mprof("snapshot", "--elf", RV64, "--raw", dump, "-o", cls.file("table"))
        assert done.returncode == 0, done.stderr

    test_gprof_takes_the_file_as_it_is = test_gmon_comes_back = test_callgrind_annotate = None
    test_same_hits_in_every_format = test_type = None

    def test_gprof(self):
        data, (flat, calls, arcs) = self.check_gprof(RISCV_GPROF, RV64, 8, self.file("table"))
        self.assertEqual(flat, self.hits(self.file("table")))
        self.assertEqual((calls, arcs, data.arcs), ({}, {}, {}))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
