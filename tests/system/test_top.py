# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof top through a real OpenOCD, and on plain QEMU, against exact instruction counts."""

import pathlib
import re
import struct
import sys
import tempfile
import unittest

from rig import Rig, Tcl
from support import (BUILD, FIRMWARE, Gdb, count, json_lines, mprof, qemu_runs, start, stop, symbols,
                     wait_for)

PLUGIN = sys.argv[1]

# So the core runs about a hundred times as fast as it would: a poll that takes 30 ms spreads over 3,000
# samples, and only many more of them make that small.
ICOUNT = 10


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
    return wait_for(f"{hits} hits", enough, 240)


class OnOpenOcd(unittest.TestCase):
    def test_shares_halts_and_breakpoints(self):
        elf = FIRMWARE / "cortex-m3.elf"
        names = ("work_a", "work_b", "work_c")
        counted = Counted(elf, names)
        self.addCleanup(counted.close)
        with Rig(elf, icount=ICOUNT, qemu_args=counted.qemu_args) as rig, Tcl(rig.tcl_port) as tcl:
            tcl(f"bp {symbols(elf)['Reset_Handler'][0] & ~1:#x} 2 hw")
            before = tcl.raw("bp")
            self.assertIn("0x", before)
            halts = rig.stat()["halts"]

            last = hits_reached(elf, rig, count(250000, 1000000))
            executed = counted.read()

            self.assertEqual(rig.stat()["halts"], halts)
            self.assertTrue(rig.stat()["running"])
            self.assertEqual(tcl.raw("bp"), before)
            hits = {row["function"]: row["hits"] for row in last["rows"]}
            all_hits, all_executed = (sum(d[n] for n in names) for d in (hits, executed))
            for name in names:
                share, truth = hits[name] / all_hits, executed[name] / all_executed
                print(f"{name}: share {share:.4f}, exact {truth:.4f}, {hits[name]} hits")
                self.assertLess(abs(share - truth), 0.01)
            self.assertEqual(last["link"]["kind"], "openocd-tcl")
            self.assertEqual(last["link"]["halts"], 0)
            self.assertIs(last["link"]["live"], True)
            self.assertEqual(last["unattributed"], {"ignored": 0, "dropped": 0, "sleeping": 0})

    def test_true_top_ten(self):
        elf = FIRMWARE / "cortex-m3-many.elf"
        names = [name for name in symbols(elf) if len(name) == 4 and name[0] == "f"
                 and name[1:].isdigit()]
        self.assertEqual(len(names), 300)
        counted = Counted(elf, names)
        self.addCleanup(counted.close)
        with Rig(elf, icount=ICOUNT, qemu_args=counted.qemu_args) as rig:
            last = hits_reached(elf, rig, count(150000, 1000000))
            executed = counted.read()
            self.assertEqual(rig.stat()["halts"], 0)
        found = [r["function"] for r in last["rows"] if r["function"] in executed][:10]
        true = sorted(executed, key=executed.get, reverse=True)[:10]
        print("found", found)
        print("true ", true)
        self.assertGreater(last["unattributed"]["dropped"], 0)
        self.assertEqual(set(found), set(true))
        whole = sum(executed.values())
        for row in last["rows"]:
            if row["function"] in true:
                self.assertLess(row["low"], executed[row["function"]] / whole + 0.01)
                self.assertGreater(row["high"], executed[row["function"]] / whole - 0.01)

    def test_json_lines(self):
        elf = FIRMWARE / "cortex-m3.elf"
        with Rig(elf) as rig:
            wait_for("samples", lambda: top(elf, rig, "-n", "1")["hits"] > 200)
            result = mprof("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl",
                           f":{rig.tcl_port}", "--batch", "-n", "3", "-d", "0.3", "--format",
                           "json")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            objects = json_lines(result.stdout)
            self.assertEqual(len(objects), 3)
            self.assertIsNone(objects[0]["rows"][0]["rate"])
            for earlier, later in zip(objects, objects[1:]):
                self.assertGreater(later["hits"], earlier["hits"])
                self.assertGreater(later["time"], earlier["time"])
                rates = sum(row["rate"] for row in later["rows"])
                self.assertGreater(rates, 0)
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

    def test_tables(self):
        """Fields, order, grouping, limit and file, as text."""
        elf = FIRMWARE / "cortex-m3.elf"
        with Rig(elf) as rig, tempfile.TemporaryDirectory() as folder:
            wait_for("samples", lambda: top(elf, rig, "-n", "1")["hits"] > 500)
            link = ("--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            out = pathlib.Path(folder, "out")
            result = mprof("top", *link, "-n", "1", "-f", "function,hits", "-s", "function",
                           "--limit", "2", "-o", out)
            self.assertEqual((result.returncode, result.stdout), (0, ""))
            lines = out.read_text(encoding="utf-8").splitlines()
            heading = next(i for i, line in enumerate(lines) if line.startswith("FUNCTION"))
            self.assertEqual(lines[heading].split(), ["FUNCTION", "HITS"])
            names = [line.split()[0] for line in lines[heading + 1:heading + 3]]
            self.assertEqual(names, sorted(names))
            self.assertIn("others", lines[heading + 3])
            result = mprof("top", *link, "-n", "1", "--by", "file")
            self.assertRegex(result.stdout, r"work\.h")
            result = mprof("top", *link, "-n", "1", "--by", "address", "-f", "address,function")
            self.assertRegex(result.stdout, r"(?m)^0x0000[0-9a-f]{4} +work_a$")
            result = mprof("top", *link, "-n", "1", "-o", "/dev/full")
            self.assertEqual(result.returncode, 1)
            self.assertIn("could not be written", result.stderr)

    def test_reset_of_the_target(self):
        """Counts that began anew are not mixed with the old ones, and the header says so."""
        elf = FIRMWARE / "cortex-m3.elf"
        with Rig(elf) as rig, Tcl(rig.tcl_port) as tcl:
            wait_for("samples", lambda: top(elf, rig, "-n", "1")["hits"] > 1000)
            process = start("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl",
                            f":{rig.tcl_port}", "-n", "1000", "-d", "0.05")
            try:
                counts = []
                for line in process.stdout:
                    match = re.match(r"table   (\d+) samples .* rows \d+ of 256( .*restarted 1)?", line)
                    if not match:
                        continue
                    counts.append(int(match[1]))
                    if len(counts) == 5:
                        tcl("reset run")
                    if match[2]:
                        break
                self.assertLess(counts[-1], counts[4])
                self.assertLess(len(counts), 200)
            finally:
                stop(process)

    def test_ladder_without_tcl_port(self):
        """OpenOCD halts the core once when its gdb port is used; mprof lets it run and says so."""
        elf = FIRMWARE / "cortex-m3.elf"
        with Rig(elf, options=["--tcl-port", "disabled"]) as rig:
            result = mprof("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--format", "json",
                           "-n", "3", "-d", "0.3", "-v")
            self.assertEqual(result.returncode, 0, result.stderr)
            last = json_lines(result.stdout)[-1]
            self.assertEqual(last["link"]["kind"], "gdb-remote")
            self.assertIs(last["link"]["live"], True)
            self.assertGreater(last["hits"], 0)
            stat = rig.stat()
            self.assertEqual(stat["halts"], 1)
            self.assertEqual(last["link"]["halts"], 1)
            self.assertTrue(stat["running"])
            self.assertIn("halted", result.stderr)


class OnQemu(unittest.TestCase):
    elf = FIRMWARE / "cortex-m3.elf"

    def test_halt_read_resume(self):
        with Rig(self.elf, qemu_gdb=True) as qemu:
            link = ("top", "--elf", self.elf, "--gdb", f":{qemu.gdb_port}")
            result = mprof(*link, "-n", "5", "-d", "0.2", "--format", "json")
            self.assertEqual(result.returncode, 0, result.stderr)
            last = json_lines(result.stdout)[-1]
            self.assertEqual(last["link"]["kind"], "gdb-remote")
            self.assertIs(last["link"]["live"], False)
            self.assertGreaterEqual(last["link"]["halts"], 5)
            self.assertGreater(last["link"]["halted_ms"], 0)
            self.assertGreater(last["hits"], 0)
            self.assertTrue(qemu_runs(qemu.gdb_port))
            text = mprof(*link, "-n", "1").stdout
            self.assertRegex(text, r"halts \d+, \d+\.\d ms \(\d+\.\d%\)")
            self.assertIn("read by halts", text)

    def test_process_stack(self):
        """Code on the process stack: the SysTick entry takes the program counter from there."""
        elf = BUILD / "tests/core/firmware/psp.elf"
        with Rig(elf, qemu_gdb=True) as qemu:
            def last():
                return json_lines(mprof("top", "--elf", elf, "--gdb", f":{qemu.gdb_port}", "-n", "1",
                                        "--format", "json").stdout)[-1]
            wait_for("samples", lambda: last()["hits"] > 200)
            row = last()["rows"][0]
            self.assertEqual(row["function"], "spin")
            self.assertGreater(row["share"], 0.98)

    def test_halted_stays_halted(self):
        with Rig(self.elf, qemu_gdb=True) as qemu:
            link = ("top", "--elf", self.elf, "--gdb", f":{qemu.gdb_port}")
            self.assertGreater(json_lines(mprof(*link, "--format", "json").stdout)[-1]["hits"], 0)
            gdb = Gdb(qemu.gdb_port)
            self.assertTrue(gdb.attach())
            gdb.close()
            result = mprof(*link, "-n", "3", "-d", "0.1", "--format", "json")
            first, *_, last = json_lines(result.stdout)
            self.assertEqual(first["hits"], last["hits"])
            self.assertEqual(last["link"]["halts"], 0)
            self.assertEqual(last["link"]["state"], "HALTED")
            self.assertFalse(qemu_runs(qemu.gdb_port))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
