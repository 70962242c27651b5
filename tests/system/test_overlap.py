# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots that hold the same hits: copies, and readings of counts that went on. Nothing is taken
twice, and what runs differ by is not learned from them."""

import os
import random
import shutil
import unittest

from case import Case
from pprof_file import write
from support import count, counted, mprof

NAMES = [f"f{i}" for i in range(20)]
TIME = 1_700_000_000
PLACE = 0x555555556000


class OverlapCase(Case):
    def write(self, name, hits, at=0, **about):
        return write(self.folder / name, hits, time_s=TIME + at, **{"seconds": 0, **about})

    def run_of(self, rng, hits=2000, noise=0.02):
        """Of one run: what it hit in a while."""
        return {name: max(0, round(rng.gauss(hits * (i + 1), (hits * (i + 1)) ** 0.5)
                                   * rng.gauss(1, noise))) for i, name in enumerate(NAMES)}

    def cumulative(self, side, rng, build, at):
        """Three readings of counts that go on."""
        all_hits, paths = dict.fromkeys(NAMES, 0), []
        for i in range(3):
            for name, hits in self.run_of(rng).items():
                all_hits[name] += hits
            paths.append(self.write(f"{side}-{i + 1}.pb.gz", all_hits, at + 60 * i, build=build))
        return paths

    def diff(self, base, newer, *more):
        return self.json("diff", "--base", *base, "--new", *newer, *more)

    def counts(self, whole):
        return tuple(whole[side]["snapshots"] + whole[side]["spare"] for side in ("base", "new"))

    def notes(self, whole):
        return "\n".join(note["text"] if isinstance(note, dict) else note for note in whole["notes"])


class Diff(OverlapCase):
    def test_counts_that_went_on(self):
        """Their noise is that of one run a side, which is not known."""
        rng = random.Random(7)
        for i in range(rounds := count(3, 30)):
            base = self.cumulative("a", rng, "aa" * 20, 0)
            newer = self.cumulative("b", rng, "bb" * 20, 3600)
            for by in ("function", "file"):
                whole = self.diff(base, newer, "--by", by)
                self.assertEqual(self.counts(whole), (1, 1), by)
                self.assertIsNone(whole["noise"])
                self.assertEqual(whole["base"]["files"], [base[2]])
                self.assertIn("a-1.pb.gz is not used: its counts are also in a-3.pb.gz (and 1 more like this); "
                              "take separate runs with --duration or --reset",
                              self.notes(whole))
                self.assertIn("one run a side: ", self.notes(whole))
        single = self.diff(base[2:], newer[2:])
        self.assertEqual(self.diff(base, newer)["rows"], single["rows"])
        self.assertEqual(self.diff(base[::-1], newer[::-1])["rows"], single["rows"])
        counted(f"{rounds} pairs of three snapshots whose counts went on")

    def test_runs_of_their_own(self):
        """Of a time, or since resets of their own: all are taken."""
        rng = random.Random(8)
        for seconds in (0, 10):
            base, newer = ([self.write(f"{side}{i}.pb.gz", self.run_of(rng), 60 * i, build=build,
                                       seconds=seconds) for i in range(3)]
                           for side, build in (("a", "aa" * 20), ("b", "bb" * 20)))
            whole = self.diff(base, newer)
            self.assertEqual(self.counts(whole), (3, 3))
            self.assertNotIn("not used", self.notes(whole))
            self.assertNotIn("also has the counts", self.notes(whole))
            self.assertGreater(whole["noise"], 0.005)

    def test_copies(self):
        rng = random.Random(9)
        for seconds in (0, 10):
            old = self.write("old.pb.gz", self.run_of(rng), seconds=seconds)
            new = self.write("new.pb.gz", self.run_of(rng), 60, build="bb" * 20, seconds=seconds)
            copy, link = self.folder / "copy.pb.gz", self.folder / "link.pb.gz"
            shutil.copy(old, copy)
            if not link.exists():
                os.symlink(old, link)
            for base in ([old, old, old], [old, copy, link]):
                whole = self.diff(base, [new, new, new])
                self.assertEqual(self.counts(whole), (1, 1))
                self.assertIsNone(whole["noise"])
                self.assertIn("is the same snapshot as old.pb.gz: used once (and 1 more like this)",
                              self.notes(whole))

    def test_both_sides(self):
        rng = random.Random(10)
        old = self.write("old.pb.gz", self.run_of(rng), seconds=10)
        whole = self.diff([old], [old])
        self.assertEqual(self.counts(whole), (1, 1))
        self.assertIn("old.pb.gz of base and old.pb.gz of new are the same snapshot",
                      self.notes(whole))
        self.assertEqual({row["delta"] for row in whole["rows"]}, {0})
        first, second, _ = self.cumulative("c", rng, "aa" * 20, 0)
        whole = self.diff([first], [second])
        self.assertIn("c-2.pb.gz of new also has the counts of c-1.pb.gz of base; take separate runs", self.notes(whole))
        first, _, third = self.cumulative("d", rng, "", 0)
        self.assertIn("also has the counts of", self.notes(self.diff([first], [third])))

    def test_run_of_a_time_in_all(self):
        """The runs of a time show what runs differ by; what contains them is left out."""
        rng = random.Random(11)
        runs = [self.run_of(rng) for _ in range(3)]
        base = [self.write(f"t{i}.pb.gz", run, 60 * i, seconds=10) for i, run in enumerate(runs)]
        everything = self.write("all.pb.gz", {name: sum(run[name] for run in runs) + 5
                                              for name in NAMES}, 600)
        other = self.write("n.pb.gz", self.run_of(rng), 700, build="bb" * 20, seconds=10)
        whole = self.diff([everything, *base], [other])
        self.assertEqual(self.counts(whole), (3, 1))
        self.assertIn("all.pb.gz is not used: it also has the counts of t0.pb.gz", self.notes(whole))

    def test_counts_that_began_anew(self):
        """What was read before cannot hold what was counted after."""
        long = self.write("long.pb.gz", {"a": 100, "b": 50})
        short = self.write("short.pb.gz", {"a": 10, "b": 5}, 60)
        other = self.write("other.pb.gz", {"a": 40, "b": 50}, 90, build="bb" * 20)
        self.assertEqual(self.counts(self.diff([long, short], [other])), (2, 1))

    def test_of_a_store(self):
        """The snapshots of a build, as numbered by the folder."""
        rng = random.Random(14)
        self.cumulative("a", rng, "aa" * 20, 0)
        self.cumulative("b", rng, "bb" * 20, 3600)
        whole = self.json("diff", "--store", self.folder, "@aaaa", "@bbbb")
        self.assertEqual(self.counts(whole), (1, 1))
        self.assertEqual(whole["base"]["files"], [str(self.folder / "a-3.pb.gz")])

    def test_of_other_tools(self):
        """That they say no duration does not mean that they hold everything."""
        short = self.write("short.pb.gz", {"a": 10, "b": 5}, ours=False)
        long = self.write("long.pb.gz", {"a": 100, "b": 50}, 60, ours=False)
        other = self.write("other.pb.gz", {"a": 40, "b": 50}, 90, ours=False)
        self.assertEqual(self.counts(self.diff([short, long], [other])), (2, 1))


class AddedUp(OverlapCase):
    def test_report(self):
        rng = random.Random(12)
        first, second, third = self.cumulative("a", rng, "aa" * 20, 0)
        alone = self.json("report", third)["rows"]
        said = (f"mprof: {first} is not added: its counts are also in {third}\n"
                f"mprof: {second} is not added: its counts are also in {third}\n")
        self.assertEqual(self.json("report", first, second, third, said=said)["rows"], alone)
        self.assertEqual(self.json("report", third, third, said=f"mprof: {third} is the same "
                                   f"snapshot as {third}: added once\n")["rows"], alone)
        own = [self.write(f"o{i}.pb.gz", self.run_of(rng), 60 * i, seconds=10) for i in range(2)]
        total = sum(row["hits"] for path in own for row in self.json("report", path)["rows"])
        self.assertEqual(sum(row["hits"] for row in self.json("report", *own)["rows"]), total)

    def test_loaded_elsewhere(self):
        """Two processes, of which the second one has more hits of everything. At this distance hits
        are where others were, as far as a comparison in brief tells."""
        hits = {name: 10 + i for i, name in enumerate(NAMES)}
        more = {name: number + 1 for name, number in hits.items()}
        linked = 0x1000
        first, again, other = (self.write(f"{name}.pb.gz", counts, at, start=start,
                                          conditions=[f"linked-at={linked}"])
                               for name, counts, at, start in (("a", hits, 0, PLACE),
                                                               ("b", more, 60, PLACE),
                                                               ("c", more, 60, PLACE + 0xac1000)))
        both = {row["function"]: row["hits"] for row in self.json("report", first, other)["rows"]}
        self.assertEqual(both, {name: hits[name] + more[name] for name in NAMES})
        self.assertEqual(self.json("report", first, again, said=f"mprof: {first} is not added: its "
                                   f"counts are also in {again}\n")["rows"],
                         self.json("report", again)["rows"])
        newer = self.write("n.pb.gz", hits, 90, build="bb" * 20)
        self.assertEqual(self.counts(self.diff([first, other], [newer])), (2, 1))
        self.assertEqual(self.counts(self.diff([first, again], [newer])), (1, 1))

    def test_export(self):
        rng = random.Random(13)
        first, second, third = self.cumulative("a", rng, "aa" * 20, 0)
        alone = mprof("export", "--format", "folded", third)
        both = mprof("export", "--format", "folded", first, third, third)
        self.assertEqual((alone.returncode, both.returncode), (0, 0), alone.stderr + both.stderr)
        self.assertEqual(alone.stdout, both.stdout)
        self.assertIn("is the same snapshot as", both.stderr)
        self.assertIn(f"{first} is not added: its counts are also in {third}", both.stderr)


class Forced(OverlapCase):
    def test_forced_snapshot_is_of_no_build(self):
        """What a target ran that was not the ELF is not of that build."""
        forced = ["identity=differs, forced"]
        old = self.write("old.pb.gz", {"a": 500, "b": 300}, seconds=10)
        new = self.write("new.pb.gz", {"a": 510, "b": 300}, 60, seconds=10, conditions=forced)
        self.assertNotIn("forced", self.notes(self.diff([old], [old])))
        self.assertIn(f"{new} was taken with --force from another build than the ELF file",
                      self.notes(self.diff([old], [new])))
        log = self.json("log", "--store", self.folder)["snapshots"]
        self.assertEqual([entry["differs"] for entry in log], [True, False])
        lines = mprof("log", "--store", self.folder).stdout.splitlines()
        self.assertIn("  aaaaaaa?  ", lines[1])
        self.assertIn("  aaaaaaa   ", lines[2])
        trend, = self.json("log", "--store", self.folder, "a")["trends"]
        self.assertEqual([point["runs"] for point in trend["points"]], [1, 1])


if __name__ == "__main__":
    unittest.main()
