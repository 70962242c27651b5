# SPDX-License-Identifier: GPL-3.0-or-later
"""--by inline: a sample in an inlined function is its own, with the callers behind it; binutils' addr2line
says what is right."""

import collections
import json
import subprocess
import unittest

import arm
from case import SharedFolder
from support import mprof, symbols

SOURCE = """
struct item { void *addr; unsigned hits; };
struct item hits[256] = {{0, 1}};
volatile unsigned sink;
static inline __attribute__((always_inline)) unsigned step(unsigned x) { sink ^= x; return x * 33 + sink; }
static inline __attribute__((always_inline)) unsigned crc8(unsigned x) { sink += x; return step(x) ^ step(sink); }
__attribute__((noinline)) void update(unsigned x) { sink = crc8(x) + 1; sink += x; }
__attribute__((noinline)) void other(unsigned x) { sink = step(x) - 1; }
__attribute__((noinline)) void plain(unsigned x) { sink -= x; }
void top(void) { update(1); other(2); plain(3); }
"""


class Inlined(SharedFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.elf = arm.build(cls.path / "in.c", SOURCE, *arm.PLACED)
        table = symbols(cls.elf)
        places = [addr for name in ("update", "other", "plain")
                  for addr in range(table[name][0], sum(table[name]), 2)]
        rows = [(addr, 1 + i) for i, addr in enumerate(places)]
        cls.raw = arm.dump(cls.path / "hits.bin", rows, 256)
        cls.link = ("--elf", cls.elf, "--symbol", "hits", "--raw", cls.raw, "--block-size", "2")
        cls.right = collections.Counter()
        for addr, hits in rows:
            names = subprocess.run(["arm-none-eabi-addr2line", "-f", "-i", "-e", cls.elf, hex(addr)], text=True,
                                   capture_output=True, check=True).stdout.splitlines()[::2]
            names[0] += " (inlined)" if len(names) > 1 else ""
            cls.right[" <- ".join(names)] += hits

    def inlined(self, *args):
        return self.json("report", *args, "--by", "inline")["rows"]

    def test_as_addr2line_says(self):
        self.assertIn("step (inlined) <- crc8 <- update", self.right)
        rows = self.inlined(*self.link)
        self.assertEqual({row["function"]: row["hits"] for row in rows}, dict(self.right))
        lines = {row["function"]: row["line"] for row in rows}
        self.assertEqual((lines["step (inlined) <- crc8 <- update"], lines["plain"]), (5, 9))

    def test_of_a_snapshot(self):
        path = self.path / "a.pb.gz"
        done = mprof("snapshot", *self.link, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({row["function"]: row["hits"] for row in self.inlined(path)}, dict(self.right))

    def test_functions_have_them_all(self):
        """By function it is the code of the function that it stands in."""
        done = mprof("report", *self.link, "--format", "json")
        self.assertEqual({row["function"] for row in json.loads(done.stdout)["rows"]},
                         {"update", "other", "plain"})

    def test_everywhere(self):
        for args in (("report",), ("report", "--format", "csv"), ("report", "--format", "markdown"),
                     ("top", "--batch", "-n", "2", "-d", "0.01")):
            done = mprof(*args, *self.link, "--by", "inline")
            self.assertIn("step (inlined)", done.stdout, done.stderr)
        done = mprof("diff", self.raw, self.raw, "--by", "inline")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))


if __name__ == "__main__":
    unittest.main()
