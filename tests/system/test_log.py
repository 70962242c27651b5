# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof log: the list of a folder of snapshots, and @N and @BUILD where files are taken."""

import csv
import io
import json
import os
import re
import resource
import shutil
import unittest

from case import on_terminal
from store import WithStore
from support import HANG_S, MPROF, count, counted, mprof
from written import write


class Lists(WithStore):
    """Of files that were dropped into the folder."""

    def numbers(self, **more):
        return [entry["file"] for entry in self.log(**more)["snapshots"]]

    def test_order(self):
        """By the time inside, then by name; what has no time comes last."""
        for name, number in (("b", 5), ("zz", 1), ("a", 5), ("20990101T000000Z-aaaaaaa.pb.gz", 2),
                             ("c.pb.gz", 5)):
            self.write(name, {"f": 1}, number)
        self.write("timeless", {"f": 1}, time_s=0)
        self.assertEqual(self.numbers(), ["a", "b", "c.pb.gz", "20990101T000000Z-aaaaaaa.pb.gz",
                                          "zz", "timeless"])
        self.assertIsNone(self.log()["snapshots"][-1]["time"])

    def test_order_of_one_second(self):
        """The number at the end of a name tells which came later."""
        stem = "20260921T141320Z-1234567"
        wanted = [f"{stem}-{i}.pb.gz" for i in (1000, 11, 10, 9, 3, 2)] + [f"{stem}.pb.gz"]
        for name in [*wanted, "20260921T141320Z-1234566-10.pb.gz"]:
            self.write(name, {"f": 1})
        self.assertEqual(self.numbers(), ["20260921T141320Z-1234566-10.pb.gz", *wanted])

    def test_files_that_are_no_snapshots(self):
        self.write("good", {"f": 1})
        whole = (self.store / "good").read_bytes()
        (self.store / "README.md").write_text("what these are\n")
        (self.store / "short").write_bytes(whole[:-20])
        (self.store / "empty").write_bytes(b"")
        (self.store / ".gitignore").write_text("*.tmp\n")
        (self.store / "x.pb.gz.a1B2c3").write_bytes(whole[:-20])  # being written
        (self.store / "folder").mkdir()
        os.mkfifo(self.store / "fifo")
        (self.store / "dangling").symlink_to("nowhere")
        done = mprof("log", "--store", self.store, "--format", "json", timeout=HANG_S)
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, lines)
        for line, name in zip(lines, ("README.md", "empty", "short")):
            self.assertRegex(line, rf"\Amprof: {self.store}/{name}: .*; skipped\Z")
        report = json.loads(done.stdout)
        self.assertEqual((report["count"], report["left_out"]), (1, 3))
        self.assertEqual(report["snapshots"][0]["file"], "good")

    def fill(self):
        """@0 and @1 are of one build, @2 of another, @3 and @4 of one that is not known."""
        for number in range(5):
            self.write(f"{number}", {"fir,x": 70 + number, "crc|": 30}, 4 - number,
                       build=["3f9a21c0", "3f9a21c0", "beefbeef", "", ""][number],
                       duration_s=2.5 if number < 2 else 0)

    def test_table_groups_builds(self):
        self.fill()
        lines = self.good("log", "--store", self.store, TZ="Europe/Berlin").splitlines()
        self.assertEqual(lines[0].split(), ["TIME", "BUILD", "ELF", "TARGET", "SAMPLER", "HITS",
                                            "UNIT", "SECONDS", "SHARE%", "TOP", "FUNCTION"])
        self.assertRegex(lines[1], r"\A@0  2026-09-21 20:13:20 \+02:00  ┌  3f9a21c +fw.elf  chip.cpu  table +"
                                   r"100  samples +2.5 +70.0  fir,x\Z")
        self.assertIn("  └  3f9a21c", lines[2])
        self.assertRegex(lines[3], r"\A@2  \S+ \S+ \S+ +beefbee ")
        self.assertRegex(lines[4], r"\A@3  \S+ \S+ \S+ +not known ")
        self.assertEqual(len(lines), 6)
        plain = self.good("log", "--store", self.store, LC_ALL="C", TZ="UTC")
        self.assertTrue(plain.isascii())
        self.assertRegex(plain, r"(?m)^@0  2026-09-21 18:13:20 \+00:00  /  3f9a21c")
        self.assertRegex(plain, r"(?m)^@1  2026-09-21 17:13:20 \+00:00  \\  3f9a21c")
        short = self.good("log", "--store", self.store, "--limit", "2").splitlines()
        self.assertEqual(short[1][:2] + short[2][:2], "@0@1")
        self.assertEqual(short[-2:], ["", "3 older snapshots"])

    def test_when_clocks_go_back(self):
        """An hour comes twice: the offset tells which one it was, and the order is that of time."""
        for number in range(4):
            self.write(f"{number}", {"f": 1}, time_s=1792886400 + number * 1800)
        for words in ((), ("f",)):
            lines = self.good("log", "--store", self.store, *words, TZ="Europe/Berlin").splitlines()
            times = [re.search(r"2026-10-\d\d [\d:]{8} [+-]\d\d:\d\d", line) for line in lines]
            self.assertEqual([time[0][11:] for time in times if time],
                             ["02:30:00 +01:00", "02:00:00 +01:00", "02:30:00 +02:00",
                              "02:00:00 +02:00"])

    def test_narrow_terminal(self):
        """The least important columns are left out there, and nothing in a pipe."""
        for number in range(3):
            self.write(f"{number}", {"a_function_of_a_rather_long_name": 7000 + number, "b": 3000},
                       number, build=f"{number}abbaabb", duration_s=10)
        wide = self.good("log", "--store", self.store)
        for columns in (60, 80, 100, 120, 200):
            lines = on_terminal(columns, "log", "--store", self.store).splitlines()
            self.assertLessEqual(max(map(len, lines)), columns, lines)
            self.assertIn("a_func", lines[1])
            self.assertRegex(lines[1], r"^@0  2026-\S+ \S+ \S+ +2abbaab ")
            lines = on_terminal(columns, "log", "--store", self.store, "a_*").splitlines()
            table = [line for line in lines if re.match(r"@\d|  +TIME|  +BUILD", line)]
            self.assertEqual(len(table), 4, lines)
            self.assertLessEqual(max(map(len, table)), columns, lines)
        self.assertEqual(on_terminal(200, "log", "--store", self.store).replace("\r", ""), wide)
        narrow = on_terminal(80, "log", "--store", self.store).splitlines()[0].split()
        self.assertEqual(narrow[:2], ["TIME", "BUILD"])
        self.assertNotIn("TARGET", narrow)
        self.assertIn("SHARE%", narrow)

    def test_formats(self):
        self.fill()
        entries = self.log(TZ="UTC")["snapshots"]
        self.assertEqual(entries[1]["time"], "2026-09-21T17:13:20+00:00")
        self.assertEqual((entries[0]["duration"], entries[2]["duration"]), (2.5, None))
        text = self.good("log", "--store", self.store, "--format", "csv", TZ="UTC")
        for row, entry in zip(csv.DictReader(io.StringIO(text)), entries):
            for key, value in entry.items():
                self.assertEqual(row[key], "" if value is None else f"{value:.9g}"
                                 if isinstance(value, float) else str(value).lower()
                                 if isinstance(value, bool) else str(value), key)
        text = self.good("log", "--store", self.store, "--format", "markdown", "--limit", "1",
                         "-o", "out.md")
        self.assertEqual(text, "")
        lines = (self.folder / "out.md").read_text().splitlines()
        self.assertEqual(len({re.sub(r"\\.", "", line).count("|") for line in lines[:3]}), 1)
        self.assertIn("4 older snapshots", lines[-1])

    def test_empty_or_missing_folder(self):
        self.lacking(self.run_in({}, "log"), "give --store DIR or set MPROF_STORE")
        self.assertIn("nowhere: ", self.bad("log", "--store", "nowhere"))
        self.assertIn("unexpected argument 'b'", self.bad("log", "--store", ".", "a", "b", status=2))
        self.store.mkdir()
        self.assertIn("no snapshots", self.good("log", MPROF_STORE="store"))
        self.assertEqual(self.log()["snapshots"], [])
        self.assertIn("'main'", self.bad("log", "--store", "store", "main"))

    @unittest.skipIf(b"__asan_init" in MPROF.read_bytes(), "a sanitizer takes all addresses")
    def test_files_are_read_one_at_a_time(self):
        """Files that would not fit into memory together."""
        self.write("0", {f"function_{number}": number + 1 for number in range(20000)})
        files = count(12, 100)
        for number in range(1, files):
            shutil.copy(self.store / "0", self.store / f"{number}")

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))
        done = mprof("log", "--store", self.store, preexec_fn=little_memory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), files + 1)
        counted(f"{files} files read within 60 MiB")


class Words(WithStore):
    """@N and @BUILD where files are taken."""

    def setUp(self):
        super().setUp()
        self.new = self.write("z", {"f": 3}, 2, build="beef0000")
        self.old = [self.write(name, {"f": 10 * number}, 1, build="3f9a21c0", duration_s=1)
                    for number, name in enumerate("ab", 1)]

    def of(self, *operands, **env):
        return self.report("--store", self.store, *operands, **env)

    def test_words_stand_for_files(self):
        self.assertEqual(self.of("@0")["hits"], 3)
        self.assertEqual(self.of("@1")["hits"], 10)
        self.assertEqual(self.of("@2")["hits"], 20)
        self.assertEqual(self.of("@3F9A")["hits"], 30)
        self.assertEqual(self.of("@1", "@2"), self.of("@3f9a"))
        self.assertEqual(self.of("@2", "@1"), self.report(*self.old))
        self.assertEqual(self.report("@0", MPROF_STORE="store")["hits"], 3)
        self.assertEqual(self.of(self.old[0], "@2")["hits"], 30)

    def test_words_of_two_sides(self):
        """A word is as many snapshots of its side as it stands for; --store may stand anywhere."""
        done = self.good("diff", "--format", "json", "--base", "@3f9a", "--new", "@0", "@1", "--store",
                         self.store)
        sides = json.loads(done)
        self.assertEqual([sides[side]["files"] for side in ("base", "new")],
                         [[f"{self.store}/{name}" for name in names] for names in ("ab", "za")])
        self.assertEqual((sides["base"]["hits"], sides["new"]["hits"]), (30, 13))
        done = self.good("diff", "--format", "json", "--new", "@1", "@2", "--base", "@0",
                         MPROF_STORE="store")
        sides = json.loads(done)
        self.assertEqual((sides["base"]["hits"], sides["new"]["hits"]), (3, 20))  # the newer one of two
        self.assertEqual(self.good("export", "--format", "folded", "@2", "--store", self.store),
                         "f 20\n")

    def test_a_file_of_that_name(self):
        write(self.folder / "@0", {"f": 77})
        self.assertEqual(self.of("./@0")["hits"], 77)
        self.assertEqual(self.report("./@0")["hits"], 77)
        self.assertEqual(self.of("@0")["hits"], 3)

    def test_words_that_lead_nowhere(self):
        self.write("c", {"f": 1}, build="3f9affff")
        for word, text in (("@4", "@4: there are 4 snapshots"), ("@3f9a", "several builds"),
                           ("@dead", "no snapshot in"), ("@3f9", "at least four digits"),
                           ("@last", "not @NUMBER or @BUILD")):
            self.assertIn(text, self.bad("report", "--store", self.store, "@0", word))
        self.assertIn("@0: no folder of snapshots", self.bad("report", "@0", status=2))
        self.assertIn("different builds", self.bad("report", "--store", self.store, "@0", "@1"))
        self.assertIn("nowhere", self.bad("report", "--store", "nowhere", "@0"))


if __name__ == "__main__":
    unittest.main()
