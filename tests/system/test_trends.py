# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof log FUNC: a function's share from build to build, and where it changed."""

import csv
import io
import random
import re
import unittest

from store import WithStore


def draw(seed, weights, total):
    """Hits of a run, as a timer would take them."""
    hits = dict.fromkeys(weights, 0)
    for name in random.Random(seed).choices(list(weights), list(weights.values()), k=total):
        hits[name] += 1
    return hits


class Trends(WithStore):
    MANY = {"fir": 20, "crc": 20, "poll": 15, "uart": 10, "spi": 10, "adc": 10, "main": 8, "log": 7}

    def points(self, pattern, *more, **env):
        trend, = self.log(pattern, *more, **env)["trends"]
        return trend["points"]

    def build(self, number, weights, runs=3, total=20000, **more):
        for run in range(runs):
            self.write(f"b{number}-{run}", draw(number * 10 + run, weights, total),
                       number * 10 + run, build=f"{number:x}abc" * 5, duration_s=20, rate=997, **more)

    def test_where_it_changed(self):
        """In the third of four builds fir takes half as much again; in the last one a copy of it."""
        slower = dict(self.MANY, fir=30)
        self.build(0, self.MANY)
        self.build(1, self.MANY, runs=2)
        self.build(2, slower)
        self.build(3, {"fir.constprop.0" if name == "fir" else name: weight
                       for name, weight in slower.items()})
        points = self.points("fir")
        self.assertEqual([point["runs"] for point in points], [3, 3, 2, 3])
        self.assertEqual([point["number"] for point in points], [0, 3, 6, 8])
        self.assertEqual([point["total"] for point in points], [60000, 60000, 40000, 60000])
        self.assertEqual([point["change"] and point["change"]["significant"] for point in points],
                         [False, True, False, None])
        change = points[1]["change"]
        self.assertTrue(change["ratio_low"] < 1.5 < change["ratio_high"], change)
        self.assertAlmostEqual(change["delta"], 0.1, delta=0.02)
        self.assertEqual(change["verdict"], "more")
        self.assertAlmostEqual(change["change"], change["ratio"] - 1)
        for point, share in zip(points, (30 / 110, 30 / 110, 0.2, 0.2)):
            self.assertLess(point["low"], point["share"])
            self.assertAlmostEqual(point["share"], share, delta=0.015)
        # Every other function's share fell, and none of them changed.
        others = [trend for trend in self.log("*")["trends"] if trend["function"] != "fir"]
        self.assertEqual(len(others), len(self.MANY) - 1)
        for trend in others:
            self.assertLess(trend["points"][1]["share"], trend["points"][2]["share"])
            for point in trend["points"][:-1]:
                self.assertFalse(point["change"]["significant"], trend["function"])
        table = self.good("log", "--store", self.store, "fir").splitlines()
        self.assertRegex(table[0], "fir   main.c   fw.elf   chip.cpu   samples   ▆▆██")
        marked = [line.split()[1] for line in table if line.startswith("more ")]
        self.assertEqual(marked, ["@3"])
        # The same ratio as a diff's, and no points of a share.
        self.assertIn("CHANGE [95 %]", table[1])
        shown, = re.findall(r" (\+\d+\.\d) % (?:±|\[)", table[3])
        self.assertEqual(float(shown), round(100 * change["change"], 1))
        bars = [line.count("█") for line in table[2:]]
        self.assertTrue(bars[0] >= 19 and bars[1] >= 19 and 12 <= bars[2] <= 16, bars)
        plain = self.good("log", "--store", self.store, "fir", LC_ALL="C")
        self.assertTrue(plain.isascii())
        self.assertIn("#" * 19, plain)

    def test_limit_keeps_the_newest(self):
        self.test_where_it_changed()
        whole, part = self.points("fir"), self.log("fir", "--limit", "2")["trends"][0]
        self.assertEqual(part["points"], whole[:2])  # the change against the one left out, too
        self.assertEqual(part["older"], 2)

    def test_new_and_gone(self):
        self.build(0, self.MANY)
        self.build(1, dict(self.MANY, cold_start=0, dma_copy=20))
        self.build(2, self.MANY)
        self.build(3, self.MANY)
        points = self.points("dma*")
        self.assertEqual([point["hits"] > 0 for point in points], [False, False, True, False])
        self.assertEqual([point["change"] and point["change"]["state"] for point in points],
                         [None, "gone", "new", None])
        self.assertEqual([point["change"]["significant"] for point in points[1:3]], [True, True])
        lines = self.good("log", "--store", self.store, "dma*").splitlines()
        self.assertEqual([line.split()[0::len(line.split()) - 1] for line in lines[3:5]],
                         [["less", "gone"], ["more", "new"]])
        self.assertEqual((points[0]["share"], points[0]["low"]), (0, 0))
        self.assertIn("'cold_start'", self.bad("log", "--store", self.store, "cold_start"))

    def test_readings_that_go_on(self):
        """Without a duration: counts that went on hold the reading before; a new start does not."""
        hits = draw(1, self.MANY, 5000)
        self.write("a", hits, 0, build="aaaa1111")
        more = {name: value + 50 for name, value in hits.items()}
        self.write("b", more, 1, build="aaaa1111")
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"], point["hits"]), (2, 1, more["fir"]))
        self.write("c", draw(3, self.MANY, 5000), 2, build="aaaa1111")
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"]), (3, 2))

    def test_a_copy(self):
        """A run of a time that is there twice counts once, as in a diff."""
        hits = draw(1, self.MANY, 5000)
        for name in ("a", "copy"):
            self.write(name, hits, 0, build="aaaa1111", duration_s=3)
        self.write("b", hits, 1, build="aaaa1111", duration_s=3)
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"], point["hits"]), (3, 2, 2 * hits["fir"]))

    def test_runs_and_all_of_them(self):
        """Runs of a time, and what was counted since the reset, which they are a part of."""
        runs = [draw(seed, self.MANY, 3000) for seed in range(3)]
        for number, hits in enumerate(runs):
            self.write(f"{number}", hits, number, build="aaaa1111", duration_s=3)
        self.write("all", {name: sum(hits[name] for hits in runs) for name in self.MANY}, 3,
                   build="aaaa1111")
        self.write("more", {name: 900 for name in self.MANY}, 4, build="aaaa1111", duration_s=3)
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"]), (5, 4))
        self.assertEqual(point["total"], 9000 + 900 * len(self.MANY))

    def test_point_is_a_program_and_a_build(self):
        """One program, one build; what is not known is nobody's; what comes back is another."""
        for number, (elf, build) in enumerate((("a.elf", "aaaa"), ("b.elf", "bbbb"),
                                               ("a.elf", "aaaa"), ("a.elf", "cccc"),
                                               ("a.elf", "aaaa"), ("a.elf", ""), ("a.elf", ""))):
            self.write(f"{number}", draw(number, self.MANY, 3000), number, elf=elf, build=build,
                       duration_s=3)
        trends = self.log("fir")["trends"]
        self.assertEqual([trend["elf"] for trend in trends], ["a.elf", "b.elf"])
        self.assertEqual([(point["build"], point["snapshots"], point["number"])
                          for point in trends[0]["points"]],
                         [(None, 1, 0), (None, 1, 1), ("aaaa", 1, 2), ("cccc", 1, 3), ("aaaa", 2, 4)])
        self.assertEqual(len(trends[1]["points"]), 1)

    def test_single_runs(self):
        """The table says that nothing is known of what runs differ by."""
        self.build(0, self.MANY, runs=1)
        self.build(1, dict(self.MANY, fir=40), runs=1)
        table = self.good("log", "--store", self.store, "fir")
        self.assertFalse(any(line.startswith("more") for line in table.splitlines()), table)
        self.assertIn("take five runs of each", " ".join(table.split()))

    def test_what_is_not_tested(self):
        for number in range(2):
            self.write(f"c{number}", {"fir": 500 + 100 * number, "crc": 300}, number, unit="calls",
                       build=f"aaa{number}", sampler="calls")
            self.write(f"t{number}", draw(number, self.MANY, 3000), number, build=f"aaa{number}",
                       tick_locked="yes", duration_s=3)
        calls, locked = sorted(self.log("fir")["trends"], key=lambda trend: trend["unit"])
        self.assertIsNone(calls["points"][0]["change"]["p"])
        self.assertIsNone(calls["points"][0]["change"]["significant"])
        self.assertIsNone(locked["points"][0]["change"])
        self.assertIsNone(locked["points"][0]["low"])
        table = self.good("log", "--store", self.store, "fir")
        self.assertIn("not tested", table)
        self.assertIn("locked to the firmware's tick", table)

    def test_patterns(self):
        self.write("a", {"op[1]": 5, "opx": 4, ("init", "a.c"): 3, ("init", "b.c"): 2, "f.cold": 1})
        for pattern, names in (("op[1]", {"op[1]"}), ("op?", {"opx"}), ("f", {"f"}),
                               ("f.cold", {"f"}), ("*", {"op[1]", "opx", "init", "f"})):
            found = {trend["function"] for trend in self.log(pattern)["trends"]}
            self.assertEqual(found, names, pattern)
        self.assertEqual([(trend["file"], trend["points"][0]["hits"])
                          for trend in self.log("init")["trends"]], [("a.c", 3), ("b.c", 2)])

    def test_renamed(self):
        """The heading is the newest name, whichever one was asked for; the points say theirs."""
        renamed = {"alpha_new" if name == "fir" else name: weight for name, weight in self.MANY.items()}
        self.build(0, self.MANY)
        self.build(1, self.MANY)
        self.build(2, renamed)
        trend, = self.log("fir")["trends"]
        self.assertEqual(trend["function"], "alpha_new")
        self.assertEqual([point["name"] for point in trend["points"]], ["alpha_new", "fir", "fir"])
        self.assertEqual(self.log("alpha_new")["trends"], [trend])
        for name in ("fir", "alpha_new"):
            lines = self.good("log", "--store", self.store, name).splitlines()
            self.assertTrue(lines[0].startswith("alpha_new "), lines[0])
            self.assertTrue(lines[2].endswith("was fir?"), lines[2])
            self.assertTrue(lines[3].endswith("as fir") and lines[4].endswith("as fir"), lines)
        rows = csv.DictReader(io.StringIO(self.good("log", "--store", self.store, "fir", "--format",
                                                    "csv")))
        self.assertEqual([(row["function"], row["name"]) for row in rows],
                         [("alpha_new", "alpha_new"), ("alpha_new", "fir"), ("alpha_new", "fir")])

    def test_formats(self):
        self.build(0, self.MANY)
        self.build(1, dict(self.MANY, fir=40))
        points = self.points("fir")
        rows = list(csv.DictReader(io.StringIO(self.good("log", "--store", self.store, "fir",
                                                         "--format", "csv"))))
        self.assertEqual([row["number"] for row in rows], ["0", "3"])
        for key in ("share", "low", "high"):
            self.assertEqual([float(row[key]) for row in rows], [point[key] for point in points])
        self.assertEqual((rows[0]["significant"], rows[1]["significant"]), ("true", ""))
        for key in ("verdict", "change", "delta"):
            self.assertEqual(rows[0][key], str(points[0]["change"][key]))
        text = self.good("log", "--store", self.store, "f[i]r", "--format", "markdown", "--limit",
                         "1")
        self.assertRegex(text, r"\A### fir .*\n\n\| .*\n\| --- \| ---: .*\n\| more \| @<!-- -->0 .*\n\n"
                               r"1 older build\n\Z")


if __name__ == "__main__":
    unittest.main()
