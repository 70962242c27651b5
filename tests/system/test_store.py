# SPDX-License-Identifier: GPL-3.0-or-later
"""What mprof snapshot --store puts into the folder: names, order, what is never overwritten."""

import datetime
import pathlib
import re
import signal
import subprocess
import unittest

from builds import nameless, segments_hash
from case import ONE_BOOT, no_room
from process import FIXED, OTHER, Made, Recorder
from store import WithStore
from support import HANG_S, mprof, start, stop

NAME = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{7}|nobuild)(-\d+)?\.pb\.gz")


class OfAProcess(WithStore):
    """What mprof snapshot puts into the folder."""

    @classmethod
    def setUpClass(cls):
        with Made(FIXED, {"work_a": 150, "work_b": 90, "work_c": 60}) as process:
            cls.bytes = process.dump()
        notes = subprocess.run(["readelf", "-n", str(FIXED)], text=True, capture_output=True,
                               check=True).stdout
        cls.build = re.search(r"Build ID: (\w+)", notes)[1]

    def setUp(self):
        self.path = self.folder / "s_prof.bin"
        self.path.write_bytes(self.bytes)
        self.dump = ("--elf", FIXED, "--raw", self.path)

    def run_process(self):
        """It, and the options that name it."""
        process = Made(FIXED, {"work_a": 3, "work_b": 1})
        process.__enter__()
        self.addCleanup(process.__exit__)
        return process, ("--elf", FIXED, "--pid", process.pid)

    def snapshot(self, *more):
        """Its path, as mprof says it."""
        said = self.good("snapshot", *self.dump, "--store", self.store, *more)
        return pathlib.Path(said[:said.index(": ")])

    def test_name_is_time_and_build(self):
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        path = self.snapshot()
        after = datetime.datetime.now(datetime.timezone.utc)
        self.assertEqual(self.files(), [path.name])
        stamp, build, again = NAME.fullmatch(path.name).groups()
        self.assertEqual((build, again), (self.build[:7], None))
        time = datetime.datetime.strptime(stamp + "+0000", "%Y%m%dT%H%M%SZ%z")
        self.assertTrue(before <= time <= after, (before, time, after))
        entry, = self.log(TZ="Asia/Kolkata")["snapshots"]
        self.assertEqual(datetime.datetime.fromisoformat(entry["time"]), time)
        self.assertTrue(entry["time"].endswith("+05:30"), entry["time"])
        live = self.report(*self.dump)
        self.assertEqual({key: entry[key] for key in ("number", "file", "build", "elf", "sampler",
                                                      "unit", "hits", "duration", "runs")},
                         {"number": 0, "file": path.name, "build": self.build, "elf": FIXED.name,
                          "sampler": "table", "unit": "samples", "hits": live["hits"],
                          "duration": None, "runs": 1})
        self.assertEqual((entry["function"], entry["share"]),
                         (live["rows"][0]["function"], live["rows"][0]["share"]))

    def test_never_overwrites(self):
        """Whatever it would be called in the next minutes is taken, the second name too."""
        self.store.mkdir()
        now = datetime.datetime.now(datetime.timezone.utc)
        for second in range(HANG_S + 2):
            stamp = (now + datetime.timedelta(seconds=second)).strftime("%Y%m%dT%H%M%SZ")
            for again in ("", "-2"):
                (self.store / f"{stamp}-{self.build[:7]}{again}.pb.gz").write_bytes(b"mine")
        taken = set(self.files())
        path = self.snapshot()
        self.assertEqual(set(self.files()) - taken, {path.name})
        self.assertEqual(NAME.fullmatch(path.name)[3], "-3")
        for name in taken:
            self.assertEqual((self.store / name).read_bytes(), b"mine")

    def test_several_at_once(self):
        writers = [start("snapshot", *self.dump, "--store", self.store) for _ in range(6)]
        try:
            said = {writer.communicate(timeout=HANG_S)[0] for writer in writers}
        finally:
            for writer in writers:
                stop(writer)
        self.assertEqual({writer.returncode for writer in writers}, {0})
        self.assertEqual(len(said), 6, said)
        self.assertEqual(len(self.files()), 6)
        self.assertEqual(len(self.log()["snapshots"]), 6)

    def test_no_build_id(self):
        """The hash of what is loaded, of which strip changes nothing, is the name of the build."""
        elf, stripped = self.folder / "nameless.elf", self.folder / "stripped.elf"
        nameless(FIXED, elf, "objcopy")
        subprocess.run(["strip", "--strip-debug", "-o", str(stripped), str(elf)], check=True)
        build = segments_hash(elf)
        for path in (elf, stripped):
            said = self.good("snapshot", "--elf", path, "--raw", self.path, "--store", self.store)
            self.assertRegex(said, rf"-{build[:11]}(-2)?\.pb\.gz: ")
            self.assertIn(f" {path.name} {build[:11]} ",
                          self.good("report", "--elf", path, "--raw", self.path))
        self.snapshot()
        self.assertEqual([entry["build"] for entry in self.log()["snapshots"]],
                         [self.build, build, build])
        self.assertIn(f" {build[:11]} ", self.good("log", "--store", self.store))
        for word in (build[:9], build[4:9]):  # of the two, the later one holds the other
            text = self.good("report", f"@{word}", "--store", self.store, noise="is not added: its counts are also in")
            self.assertRegex(text, rf"\Amprof report   stripped\.elf {build[:11]} ")

    def test_no_build(self):
        """An older snapshot, of an ELF without a build-id, says of none."""
        self.write("old.pb.gz", {"f": 10})
        self.assertIsNone(self.log()["snapshots"][0]["build"])
        self.assertIn("not known", self.good("log", "--store", self.store))

    def test_snapshots_of_a_build_are_runs(self):
        process, live = self.run_process()
        process.run()
        self.good("snapshot", *live, "--hits", "50", MPROF_STORE="store")
        self.good("snapshot", *live, "--hits", "50", MPROF_STORE="store")
        self.good("snapshot", *live, "--hits", "50", "--runs", "3", "--settle", "0s",
                  noise=ONE_BOOT, MPROF_STORE="store")
        self.assertEqual(len(self.files()), 3)
        entries = self.log()["snapshots"]
        self.assertEqual([entry["number"] for entry in entries], [0, 1, 2])
        times = [entry["time"] for entry in entries]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertTrue(all(entry["duration"] > 0 for entry in entries))
        point, = self.log("work_a")["trends"][0]["points"]
        self.assertEqual((point["snapshots"], point["runs"]), (3, 5))
        self.assertEqual(point["total"], sum(entry["hits"] for entry in entries))

    def test_full_disk_leaves_nothing(self):
        self.store.mkdir()
        said = self.refused(mprof("snapshot", *self.dump, "--store", self.store, preexec_fn=no_room))
        self.assertRegex(said, rf"\Amprof: cannot write {self.store}/\S+: ")
        self.assertEqual(self.files(), [])

    def test_folder_that_cannot_be(self):
        # Refused before anybody is asked: there is no such process.
        nobody = ("--elf", FIXED, "--pid", "999999999")
        text = self.bad("snapshot", *nobody, "--store", "a/b")
        self.assertIn("a/b: cannot create this folder", text)
        self.assertIn("s_prof.bin: ", self.bad("snapshot", *nobody, "--store", "s_prof.bin"))
        self.assertIn("give -o or --store, not both",
                      self.bad("snapshot", *self.dump, "--store", "a", "-o", "b", status=2))
        self.lacking(mprof("snapshot", *self.dump, cwd=self.folder), "--store")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["s_prof.bin"])
        # -o goes before the environment.
        self.good("snapshot", *self.dump, "-o", "b.pb.gz", MPROF_STORE="a")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["b.pb.gz", "s_prof.bin"])


class TwoBuilds(WithStore):
    def test_builds_of_a_process(self):
        """Two programs that ran: a row of the trend each, and @BUILD is one of them."""
        for elf in (FIXED, OTHER):
            with Made(elf, {"work_a": 150, "work_b": 90}) as process:
                self.good("snapshot", "--elf", elf, "--pid", process.pid, "--store", self.store)
        builds = [entry["build"] for entry in self.log()["snapshots"]]
        self.assertEqual(len(set(builds)), 2)
        for number, build in enumerate(builds):
            self.assertEqual(self.report("--store", self.store, f"@{build[:8]}"),
                             self.report("--store", self.store, f"@{number}"))


if __name__ == "__main__":
    unittest.main()
