# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are damaged, absurd or incomplete: one line that names them, in bounded time and memory."""

import gzip
import json
import os
import pathlib
import random
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from support import BUILD, MPROF, count, environment, mprof

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


class BadFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "a.pb.gz")

    def refuse(self, data, *words, options=()):
        self.path.write_bytes(data)
        text = self.one_line(mprof("report", self.path, *options))
        for word in words:
            self.assertIn(word, text)

    def one_line(self, done):
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(str(self.path), done.stderr)
        return done.stderr

    def rows(self, data, *options):
        self.path.write_bytes(data)
        done = mprof("report", self.path, "--format", "json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["rows"]

    def peak(self, data):
        """Megabytes that it takes to refuse it."""
        self.path.write_bytes(data)
        process = subprocess.Popen([MPROF, "report", self.path], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment(),
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU,
                                                                         (60, 60)))
        out, err = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        process.stderr.close()
        self.one_line(subprocess.CompletedProcess([], process.returncode, out, err))
        return usage.ru_maxrss / 1024, err


class Damaged(BadFiles):
    """A good file, cut and flipped in places by chance. What is refused is refused in one line."""

    def files(self):
        folder = self.path.parent
        for kind in ("flat", "deep"):
            plain = folder / f"{kind}.pb.gz"
            profiles.KINDS[kind](plain, 0, 300)
            packed = plain.read_bytes()
            yield packed
            yield gzip.decompress(packed)
        yield gmon(0x8000, 0x9000, 256)

    def read(self, data):
        """Whether it was read; how it ends is checked."""
        self.path.write_bytes(data)
        done = mprof("report", self.path, "--limit", "3")
        if done.returncode == 0:
            self.assertEqual(done.stderr, "")
            return True
        self.one_line(done)
        return False

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

    def test_cut(self):
        cuts, files = count(8, 400), 0
        for files, data in enumerate(self.files(), 1):
            self.assertTrue(self.read(data))
            whole = sum(self.read(data[:len(data) * part // cuts]) for part in range(cuts))
            # Cut between two parts, an unpacked profile may be a whole one with less in it.
            self.assertLessEqual(whole, cuts // 4)
        print(f"counted: {files * cuts} files that were cut")

    def test_flipped(self):
        dice, files, flips = random.Random(11), 0, count(6, 1000)
        for files, data in enumerate(self.files(), 1):
            refused = 0
            for _ in range(flips):
                bad = bytearray(data)
                bit = dice.randrange(8 * len(bad))
                bad[bit // 8] ^= 1 << bit % 8
                refused += not self.read(bytes(bad))
            if data[:2] == b"\x1f\x8b":  # it has a checksum
                self.assertGreater(refused, count(4, 900))
        print(f"counted: {files * flips} files with a bit flipped")


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
                self.assertRegex(text, f"{what} \\d+: more of them")
                self.assertLess(peak, PEAK_MB)

    def test_one_large_part(self):
        for field, what, inner in ((2, "sample", b"\x1a\x00"), (4, "location", b"\x22\x00")):
            with self.subTest(what):
                data = profile(profiles.field(field, inner * (9 << 20)))
                peak, text = self.peak(gzip.compress(data, 1))
                self.assertIn(f"{what} 0: larger", text)
                self.assertLess(peak, PEAK_MB)

    def test_many_frames(self):
        deep = sample([1] * 100000, [1])
        peak, text = self.peak(gzip.compress(profile(location(1, 1), deep * 400), 1))
        self.assertIn("location_id is one too many", text)
        self.assertLess(peak, PEAK_MB)

    def test_lengths(self):
        """More bytes than the file has, at each depth."""
        for length in (b"\x7f", b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\xff" * 11):
            self.refuse(b"\x12" + length, "byte 0")
            self.refuse(profile(profiles.field(2, b"\x0a" + length)), "sample 0")


class Foreign(BadFiles):
    """Profiles without some parts, or with parts that lead nowhere."""

    def test_without(self):
        plain = [location(1, 0x1000), sample([1], [5])]
        row = self.rows(profile(*plain))[0]
        self.assertIsNone(row["function"])
        self.assertEqual((row["hits"], row["address"]), (5, "0x1000"))
        self.assertEqual(self.rows(profile()), [])  # no samples
        self.assertEqual([row["hits"] for row in self.rows(profile(sample([], [3])))], [3])
        named = profile(location(1, 0x1000, 4), function(4, 3), sample([1], [5]), more=["f"])
        self.assertEqual(self.rows(named)[0]["function"], "f")
        unnamed = profile(location(1, 0x1000, 0), sample([1], [5]))
        self.assertIsNone(self.rows(unnamed)[0]["function"])
        # Parts stand in any order: here everything is behind what leads to it.
        parts = [sample([1], [5]), location(1, 0x1000, 4), function(4, 3)]
        self.assertEqual(self.rows(profile(*parts, more=["f"]))[0]["function"], "f")

    def test_nowhere(self):
        good = location(1, 0x1000)
        for part, words in (
                (sample([2], [5]), ("sample 0: location_id",)),
                (sample([0], [5]), ("sample 0: location_id",)),
                (sample([1], []), ("sample 0: value",)),
                (sample([1], [5, 6]), ("sample 0: value",)),
                (sample([1], [5], profiles.field(3, profiles.field(1, 99))), ("label's key",)),
                (location(1, 0x2000), ("location 1: id is another one's",)),
                (location(0, 0x2000), ("location 1: id is 0",)),
                (location(2, 0x2000, 9), ("location 1: line's function_id",)),
                (location(2, 0x2000, mapping=3), ("location 1: mapping_id",)),
                (function(1, 77), ("function 0: name",)),
                (function(0, 1), ("function 0: id is 0",)),
                (function(8, 1) * 2, ("function 1: id is another one's",)),
                (profiles.field(3, profiles.field(1, 1) + profiles.field(5, 1 << 40)),
                 ("mapping 0: filename",)),
                (profiles.field(14, 1 << 62), ("default_sample_type",)),
                (profiles.field(13, b"\x63"), ("comment 0",))):
            with self.subTest(words):
                self.refuse(profile(good, part), *words)
                self.refuse(gzip.compress(profile(good, part)), *words)
        self.refuse(good, "sample_type 0: missing")
        self.refuse(profiles.field(1, profiles.field(1, 1)), "sample_type 0: type")

    def test_absurd_values(self):
        least = profiles.varint((1 << 64) - 5)
        wrong = profiles.field(2, profiles.field(1, b"\1") + profiles.field(2, least))
        self.refuse(profile(location(1, 0x1000), wrong), "below 0")
        most = [sample([1], [(1 << 63) - 1]), sample([2], [1])]
        self.refuse(profile(location(1, 0x1000), location(2, 0x2000), *most), "too large")

    def test_absurd_conditions(self):
        for text in ("mprof grain=0", "mprof grain=99999999", "mprof dropped=-1",
                     "mprof rate=1e9", "mprof runs=0"):
            with self.subTest(text):
                data = profile(profiles.field(13, b"\3\4"), more=["mprof snapshot 1", text])
                self.refuse(data, text.split("=")[0].removeprefix("mprof "))


def gmon(low, high, bins, body=None):
    head = b"gmon" + struct.pack("<I12x", 1)
    histogram = struct.pack("<BIIII15sc", 0, low, high, bins, 100, b"seconds", b"s")
    return head + histogram + (bytes(2 * bins) if body is None else body)


class Gmon(BadFiles):
    def test_absurd_bins(self):
        self.refuse(gmon(0x8000, 0x9000, 0xffffffff, b"\1\0" * 50), "gmon.out")
        self.refuse(gmon(0x9000, 0x8000, 8), "gmon.out")
        self.refuse(gmon(0, 0xffffffff, 2), "too wide")
        self.refuse(gmon(0x8000, 0x9000, 256)[:-1], "cut short")


class Merging(BadFiles):
    def test_other_builds(self):
        """It says what to do instead."""
        base, new = profiles.pair(self.path.parent, "flat", 300)
        done = mprof("report", base, new)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        for word in (str(base), str(new), "different builds", "mprof diff"):
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
