# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof top through a real OpenOCD, and on plain QEMU, against exact instruction counts."""

import math
import pathlib
import re
import struct
import sys
import tempfile
import unittest

from chance import margin
from rig import Rig, Tcl
from support import (BUILD, FIRMWARE, HANG_S, count, counted, json_lines, mprof, qemu_runs, sampled,
                     symbols, wait_for)

PLUGIN = sys.argv[1]

# The core's clock counts its instructions, so that a sample is taken every PERIOD of them, whatever
# this machine does meanwhile. The core runs about a hundred times as fast as it would: so shares are
# compared when it is halted, or a poll would spread over thousands of samples.
ICOUNT = 10
PERIOD = 1e6 / 2**ICOUNT
ROUND = 200000  # instructions of cortex-m3.elf in which each function runs once
# Of a period, the instructions of the stub are in no sample. It has more of them for a sample without
# room: so functions that lose samples have up to so much more of them, and others less.
OWN = 0.1


def jittered_margin(hits, share):
    """How far the share of a function may be off that runs once a ROUND, by chance once in a billion runs: 6.2
    standard deviations. Periods vary by half, each by itself, so in a run the number of samples has a twelfth of
    the variance of independent ones, and less than 1 for the two ends of the run."""
    rounds = hits * PERIOD / ROUND
    return 6.2 * math.sqrt(share * (1 - share) * hits / 12 + rounds) / hits


class Counted:
    """Exact numbers of executed instructions of functions, from the plugin tests/core/count.c."""

    def __init__(self, elf, names):
        table = symbols(elf)
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, "counts")
        ranges = [f"range={n}:{table[n][0]:x}:{table[n][0] + table[n][1]:x}" for n in names]
        self.qemu_args = ["-plugin", ",".join([PLUGIN, f"out={self.path}", *ranges])]

    def read(self):
        data = self.path.read_bytes()
        magic, entries = struct.unpack_from("<8sQ", data)
        assert magic == b"mpcount1", magic
        counts = {}
        for i in range(entries):
            name, _, _, executed = struct.unpack_from("<40sQQQ", data, 16 + 64 * i)
            counts[name.rstrip(b"\0").decode()] = executed
        return counts

    def close(self):
        self.folder.cleanup()


def top(elf, rig, *args):
    """One run of mprof top --format json; its last object."""
    result = mprof("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}",
                   "--format", "json", *args)
    assert result.returncode == 0, result.stderr
    return json_lines(result.stdout)[-1]


def hits_reached(elf, rig, hits):
    """Polls until so many hits are there, and returns the object that has them."""
    def enough():
        last = top(elf, rig, "-n", "1")
        return last if last["hits"] >= hits else None
    return wait_for(f"{hits} hits", enough, 4 * HANG_S)


class Exact(unittest.TestCase):
    def test_shares_halts_and_breakpoints(self):
        elf = FIRMWARE / "cortex-m3.elf"
        names = ("work_a", "work_b", "work_c")
        counted_exactly = Counted(elf, names)
        self.addCleanup(counted_exactly.close)
        with Rig(elf, icount=ICOUNT, qemu_args=counted_exactly.qemu_args) as rig, \
                Tcl(rig.tcl_port) as tcl:
            hits_reached(elf, rig, 1)  # a core that has not come past the breakpoint would stop there
            tcl(f"bp {symbols(elf)['Reset_Handler'][0] & ~1:#x} 2 hw")
            before = tcl.raw("bp")
            self.assertIn("0x", before)
            halts = rig.stat()["halts"]

            last = hits_reached(elf, rig, count(5000, 1000000))

            self.assertEqual(rig.stat()["halts"], halts)
            self.assertTrue(rig.stat()["running"])
            self.assertEqual(tcl.raw("bp"), before)
            self.assertEqual(last["link"]["kind"], "openocd-tcl")
            self.assertEqual(last["link"]["halts"], 0)
            self.assertIs(last["link"]["live"], True)
            tcl.halt()
            last = top(elf, rig, "-n", "1")
            executed = counted_exactly.read()
        self.assertEqual(last["unattributed"], {"ignored": 0, "dropped": 0, "sleeping": 0})
        hits = {row["function"]: row["hits"] for row in last["rows"]}
        all_hits, all_executed = (sum(d[n] for n in names) for d in (hits, executed))
        for name in names:
            share, truth = hits[name] / all_hits, executed[name] / all_executed
            print(f"{name}: share {share:.5f}, exact {truth:.5f}, {hits[name]} hits")
            self.assertLess(abs(share - truth), jittered_margin(all_hits, truth))
        counted(f"{last['hits']} samples against exact counts, 0 halts")

    def test_true_top_ten(self):
        elf = FIRMWARE / "cortex-m3-many.elf"
        names = [name for name in symbols(elf) if len(name) == 4 and name[0] == "f"
                 and name[1:].isdigit()]
        self.assertEqual(len(names), 300)
        counted_exactly = Counted(elf, [*names, "main"])  # all but the stub, which no sample is in
        self.addCleanup(counted_exactly.close)
        with Rig(elf, icount=ICOUNT, qemu_args=counted_exactly.qemu_args) as rig, \
                Tcl(rig.tcl_port) as tcl:
            hits_reached(elf, rig, count(20000, 1000000))
            self.assertEqual(rig.stat()["halts"], 0)
            tcl.halt()
            last = top(elf, rig, "-n", "1")
            executed = counted_exactly.read()
        whole = sum(executed.values())
        truth = {name: executed[name] / whole for name in names}
        found = [r["function"] for r in last["rows"] if r["function"] in truth][:10]
        true = sorted(truth, key=truth.get, reverse=True)[:10]
        print("found", found)
        print("true ", true)
        self.assertGreater(last["unattributed"]["dropped"], 0)
        # None that is found has less than one that is not, but for what chance may do to both.
        least = min(truth[name] for name in found)
        most = max(truth[name] for name in names if name not in found)
        self.assertGreater(least, most - 2 * margin(last["hits"], most))
        for row in last["rows"]:
            if row["function"] in true:
                share = truth[row["function"]]
                off = margin(last["hits"], share) + OWN * share
                self.assertLess(row["low"], share + off)
                self.assertGreater(row["high"], share - off)
        counted(f"{last['hits']} samples of 300 functions, the true top ten")


class OnOpenOcd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = FIRMWARE / "cortex-m3.elf"
        cls.rig = Rig(cls.elf).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.link = ("--elf", cls.elf, "--gdb", f":{cls.rig.gdb_port}", "--tcl",
                    f":{cls.rig.tcl_port}")
        sampled(cls.elf, 500, *cls.link[2:])

    def test_json_lines(self):
        result = mprof("top", *self.link, "--batch", "-n", "3", "-d", "0.1", "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        objects = json_lines(result.stdout)
        self.assertEqual(len(objects), 3)
        self.assertIsNone(objects[0]["rows"][0]["rate"])
        for earlier, later in zip(objects, objects[1:]):
            # A core that got no time meanwhile has no new hits, and a rate of 0.
            new = later["hits"] - earlier["hits"]
            self.assertGreaterEqual(new, 0)
            self.assertGreater(later["time"], earlier["time"])
            self.assertEqual(sum(row["rate"] for row in later["rows"]) > 0, new > 0)
        for one in objects:
            self.assertEqual(sum(row["hits"] for row in one["rows"]), one["hits"])
            for row in one["rows"]:
                self.assertLessEqual(row["low"], row["share"])
                self.assertLessEqual(row["share"], row["high"])
                int(row["address"], 16)
        names = [row["function"] for row in objects[-1]["rows"]]
        self.assertEqual(set(names[:3]), {"work_a", "work_b", "work_c"})
        row = objects[-1]["rows"][0]
        self.assertTrue(row["file"].endswith("main.c"))
        self.assertGreater(row["line"], 0)


class OnQemu(unittest.TestCase):
    elf = FIRMWARE / "cortex-m3.elf"

    @classmethod
    def setUpClass(cls):
        cls.qemu = Rig(cls.elf, qemu_gdb=True).start()
        cls.addClassCleanup(cls.qemu.stop)
        cls.link = ("top", "--elf", cls.elf, "--gdb", f":{cls.qemu.gdb_port}")
        sampled(cls.elf, 1, *cls.link[3:])

    def test_halt_read_resume(self):
        result = mprof(*self.link, "-n", "5", "-d", "0.05", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        last = json_lines(result.stdout)[-1]
        self.assertEqual(last["link"]["kind"], "gdb-remote")
        self.assertIs(last["link"]["live"], False)
        self.assertGreaterEqual(last["link"]["halts"], 5)
        self.assertGreater(last["link"]["halted_ms"], 0)
        self.assertGreater(last["hits"], 0)
        self.assertTrue(qemu_runs(self.qemu.gdb_port))

    def test_share_of_halts(self):
        """The first read halts the core nearly all of the time so far: no share is shown of it."""
        text = mprof(*self.link, "-n", "2", "-d", "0.05").stdout
        first, second = re.findall(r"halts \d+, \d+\.\d ms( of .* connected|.*of time\))", text)
        self.assertRegex(first, r"^ of \d+\.\d ms connected$")
        self.assertRegex(second, r"^ \(\d+\.\d% of time\)$")
        self.assertIn("read by halts", text)

    def test_process_stack(self):
        """Code on the process stack: the SysTick entry takes the program counter from there."""
        elf = BUILD / "tests/core/firmware/psp.elf"
        with Rig(elf, qemu_gdb=True) as qemu:
            row = sampled(elf, 200, "--gdb", f":{qemu.gdb_port}")["rows"][0]
            self.assertEqual(row["function"], "spin")
            self.assertGreater(row["share"], 0.98)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
