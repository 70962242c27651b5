# SPDX-License-Identifier: GPL-3.0-or-later
"""--raw: a dump of s_prof in a file, good ones, bad ones, and one that is dumped again and again."""

import json
import os
import struct
import time
import unittest

from case import Case
from process import FIXED, OTHER, Made
from support import HANG_S, json_lines, mprof, start, stop, wait_for

HITS = {"work_a": 1000, "work_b": 600, "work_c": 401}
HEARTBEAT = 20  # its place in s_prof (docs/layout.md)
COUNTERS = 32, 56, 60, 96  # ignored, late, sleeping, other_side
FLAGS, SMALL = 10, 4  # of header.flags, and MPROF_FLAG_SMALL


class Raw(Case):
    @classmethod
    def setUpClass(cls):
        with Made(FIXED, HITS) as process:
            cls.bytes = process.dump()
            process.feed({"work_a": 1})
            cls.later = process.dump()

    def setUp(self):
        self.path = self.put("s_prof.bin", self.bytes)

    def report(self, *options):
        return mprof("report", "--elf", FIXED, "--raw", self.path, *options)

    def test_right_numbers(self):
        result = self.report("--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        report = json.loads(result.stdout)
        self.assertEqual(int.from_bytes(self.bytes[HEARTBEAT:HEARTBEAT + 4], "little"), 2001)
        self.assertEqual((report["hits"], report["unattributed"]["dropped"]), (2001, 0))
        self.assertEqual({row["function"]: row["hits"] for row in report["rows"]}, HITS)
        link = report["link"]
        self.assertEqual((link["kind"], link["address"], link["state"], link["server"]),
                         ("raw", str(self.path), None, None))
        self.assertEqual({row["rate"] for row in report["rows"]}, {None})

    def test_says_what_it_cannot_know(self):
        """Neither is compared whose dump this is, nor how fast it counts."""
        os.utime(self.path, (time.time() - 3600, time.time() - 3600))
        lines = self.report().stdout.splitlines()
        self.assertIn("(not compared)", lines[0])
        self.assertRegex(lines[1], r"^raw .* updated 60 min ago$")
        self.assertIn("names are right only if this ELF runs", lines[3])
        self.assertNotIn("/s", lines[2])
        for refresh in json_lines(mprof("top", "--elf", FIXED, "--raw", self.path, "-n", "3", "-d",
                                        "0.01", "--format", "json").stdout):
            self.assertEqual({row["rate"] for row in refresh["rows"]}, {None})

    def test_dumped_again(self):
        """A top that is running takes each new dump, also while it is gone, empty or half."""
        self.path.write_bytes(self.bytes)
        command = ("top", "--elf", FIXED, "--raw", self.path, "-n", "100000", "-d", "0.05", "--format",
                   "json")
        top = start(*command)
        try:
            def hits():
                return json.loads(top.stdout.readline())["hits"]
            first = hits()
            self.path.write_bytes(self.later)
            wait_for("the next dump", lambda: hits() > first)
            new = self.folder / "new"
            new.write_bytes(self.bytes)
            new.rename(self.path)
            wait_for("the dump in its place", lambda: hits() == first)
            self.assertIsNone(top.poll())
        finally:
            stop(top)
        top = start(*command, "--wait", "0.5")
        try:
            top.stdout.readline()
            self.path.unlink()
            _, text = top.communicate(timeout=HANG_S)
        finally:
            stop(top)
        self.assertEqual(top.returncode, 1)
        self.assertIn("No such file", text.splitlines()[-1])

    def test_small_stub(self):
        """A stub that was built with MPROF_SMALL ignores what is asked: nobody asks it."""
        small = bytearray(self.bytes)
        small[FLAGS] |= SMALL
        self.path.write_bytes(small)
        link = "--elf", FIXED, "--raw", self.path
        for words in (("reset",), ("off", "timer"), ("on", "table"), ("ignore", "work_a"), ("phase", "1")):
            done = mprof("control", *words, *link)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"mprof: {words[0]}: "
                             "this firmware was built with MPROF_SMALL, so mprof cannot control it; "
                             "build it without MPROF_SMALL\n"))
        self.assertIn("\nswitches none: built with MPROF_SMALL\n", mprof("control", *link).stdout)
        self.assertIn("2001 samples", self.report().stdout)
        self.path.write_bytes(self.bytes)
        self.assertIn("\nswitches timer=on", mprof("control", *link).stdout)

    def test_status(self):
        """mprof control shows each counter of the header under its own name."""
        counted = bytearray(self.bytes)
        for number, place in enumerate(COUNTERS, 3):
            struct.pack_into("<I", counted, place, number)
        self.path.write_bytes(counted)
        done = mprof("control", "status", "--elf", FIXED, "--raw", self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\nevents   2001, lost 0, ignored 3, late 4, asleep 5, other TrustZone side 6\n",
                      done.stdout)

    def test_no_dump_of_this_table(self):
        """What is no file of this size: unit-link-raw."""
        size = len(self.bytes)
        self.path.write_bytes(self.bytes + b"\0")
        self.refused(self.report(), str(self.path), f"has {size + 1} bytes", f"has {size}")
        self.path.write_bytes(self.bytes)
        self.refused(mprof("report", "--elf", OTHER, "--raw", self.path), f"has {size} bytes")
        self.path.write_bytes(bytes(size))
        self.refused(self.report(), "not initialised")
        self.path.write_bytes(b"\x55" * size)
        self.refused(self.report(), "s_prof")
        self.path.write_bytes(self.bytes[:4] + b"\x09" + self.bytes[5:])
        self.refused(self.report(), "cannot be used")


if __name__ == "__main__":
    unittest.main()
