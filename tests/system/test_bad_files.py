# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are damaged, absurd or incomplete: one line that names them, in bounded time and memory."""

import gzip
import pathlib
import subprocess
import sys
import unittest
import zlib

import formats
from case import Case, measured
from support import BUILD, MPROF, environment, mprof

sys.path.insert(0, str(BUILD.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))

import profiles  # noqa: E402

# What a file may take: the most that is believed of it when it is unpacked, and as much again.
PEAK_MB = 600


def types(*names):
    """The types' fields, for texts that begin with "", then each name and "count"."""
    return b"".join(profiles.field(1, profiles.field(1, number) + profiles.field(2, len(names) + 1))
                    for number, _ in enumerate(names, 1)), ["", *names, "count"]


def sample(frames, values, more=b""):
    def packed(numbers):
        return b"".join(map(profiles.varint, numbers))
    return profiles.field(2, profiles.field(1, packed(frames)) +
                          profiles.field(2, packed(values)) + more)


def location(number, address, *functions, mapping=0):
    lines = b"".join(profiles.field(4, profiles.field(1, function) + profiles.field(2, 7))
                     for function in functions)
    return profiles.field(4, profiles.field(1, number) + profiles.field(2, mapping) +
                          profiles.field(3, address) + lines)


def function(number, name):
    return profiles.field(5, profiles.field(1, number) + profiles.field(2, name))


def profile(*parts, names=("samples",), more=()):
    head, texts = types(*names)
    return head + b"".join(parts) + b"".join(
        profiles.field(6, text.encode()) for text in [*texts, *more])


class BadFiles(Case):
    @property
    def path(self):
        return self.folder / "a.pb.gz"

    def one_line(self, done):
        return self.refused(done, str(self.path))

    def peak(self, data):
        """Megabytes that it takes to refuse it, and what is said."""
        self.path.write_bytes(data)
        done, peak = measured("report", self.path)
        return peak / (1 << 20), self.one_line(done)


class Damaged(BadFiles):
    """Of each kind one file; every cut and every bit: unit-snapshot-foreign and unit-snapshot-file."""

    def test_cut_short(self):
        whole = self.folder / "whole.pb.gz"
        profiles.KINDS["deep"](whole, 0, 300)
        packed = whole.read_bytes()
        for data in (packed, gzip.decompress(packed),
                     formats.gmon(formats.histogram(0x8000, 0x9000, [0] * 256, size=4))):
            self.path.write_bytes(data[:-1])
            self.assertIn("cut short", self.one_line(mprof("report", self.path)))

    def test_names_that_a_terminal_obeys(self):
        """Of files, of functions: what is said of them is one line of UTF-8 without controls."""
        name = b"e\x1b[2Jf\x9b31mg\xc2\x9b31mh\x7f\ni\xffj\xe2\x82k\xed\xa0\x80l\xc3\xa9"
        for length in (0, 940):  # cut in the middle of a letter, too
            done = subprocess.run([MPROF, "report", name + b"\xc3\xa9" * length], capture_output=True,
                                  env=environment(), check=False)
            self.assertEqual(done.returncode, 1)
            text = done.stderr.decode()
            self.assertEqual(len(text.splitlines()), 1, text)
            self.assertTrue(text[:-1].isprintable(), text)
            self.assertIn("e?[2Jf?31mg?31mh? i?j??k???l\xe9", text)


class Bombs(BadFiles):
    @staticmethod
    def zeros(gigabytes):
        """One member of a gzip file, of so many zeros."""
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        block = packer.compress(bytes(64 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
        return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + block * (16 * gigabytes)

    def test_ten_gigabytes(self):
        peak, text = self.peak(self.zeros(10))
        self.assertIn("256 MB", text)
        self.assertLess(peak, PEAK_MB)

    def test_many_members(self):
        peak, text = self.peak(gzip.compress(bytes(1 << 20)) * 10240)
        self.assertIn("256 MB", text)
        self.assertLess(peak, PEAK_MB)

    def test_many_parts(self):
        """Two bytes of file each that would take much more of memory."""
        for part, what in ((b"\x12\x00", "sample"), (b"\x22\x00", "location"),
                           (b"\x2a\x00", "function"), (b"\x1a\x00", "mapping"),
                           (b"\x32\x00", "string_table")):
            with self.subTest(what):
                peak, text = self.peak(gzip.compress(types("samples")[0] + part * (9 << 20), 1))
                self.assertRegex(text, f"{what} \\d+: too many")
                self.assertLess(peak, PEAK_MB)

    def test_many_frames(self):
        deep = sample([1] * 100000, [1])
        peak, text = self.peak(gzip.compress(profile(location(1, 1), deep * 400), 1))
        self.assertIn("location_id entries exceed the limit", text)
        self.assertLess(peak, PEAK_MB)


class Foreign(BadFiles):
    """Profiles without some parts, or with parts that lead nowhere."""

    def of(self, data):
        self.path.write_bytes(data)
        return self.json("report", self.path)["rows"]

    def test_profiles_without_some_parts(self):
        plain = [location(1, 0x1000), sample([1], [5])]
        row = self.of(profile(*plain))[0]
        self.assertIsNone(row["function"])
        self.assertEqual((row["hits"], row["address"]), (5, "0x1000"))
        self.assertEqual(self.of(profile()), [])  # no samples
        self.assertEqual([row["hits"] for row in self.of(profile(sample([], [3])))], [3])
        named = profile(location(1, 0x1000, 4), function(4, 3), sample([1], [5]), more=["f"])
        self.assertEqual(self.of(named)[0]["function"], "f")
        unnamed = profile(location(1, 0x1000, 0), sample([1], [5]))
        self.assertIsNone(self.of(unnamed)[0]["function"])
        # Parts stand in any order: here everything is behind what leads to it.
        parts = [sample([1], [5]), location(1, 0x1000, 4), function(4, 3)]
        self.assertEqual(self.of(profile(*parts, more=["f"]))[0]["function"], "f")

    def test_parts_that_lead_nowhere(self):
        """More of them are in unit-snapshot-foreign."""
        good = location(1, 0x1000)
        for part, words in (
                (sample([1], [5], profiles.field(3, profiles.field(1, 99))), "label's key"),
                (location(1, 0x2000), "location 1: id is used twice"),
                (location(0, 0x2000), "location 1: id is 0"),
                (profiles.field(3, profiles.field(1, 1) + profiles.field(5, 1 << 40)),
                 "mapping 0: filename")):
            with self.subTest(words):
                self.path.write_bytes(gzip.compress(profile(good, part)))
                self.assertIn(words, self.bad("report", self.path))

    def test_sum_that_is_too_large(self):
        most = [sample([1], [(1 << 63) - 1]), sample([2], [1])]
        self.path.write_bytes(profile(location(1, 0x1000), location(2, 0x2000), *most))
        self.assertIn("too large", self.bad("report", self.path))


class Merging(BadFiles):
    def test_other_builds_do_not_mix(self):
        """It says what to do instead."""
        base, new = profiles.pair(self.folder, "flat", 300)
        self.refused(mprof("report", base, new), str(base), str(new), "different builds", "mprof diff")


if __name__ == "__main__":
    unittest.main()
