# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples by halts that a real OpenOCD does not notice: it goes on as if nothing had been."""

import json
import unittest

from case import Case
from rig import Rig, Tcl
from support import FIRMWARE, mprof, start, stop, symbols

HITS = 8


class ShortHalts(Case):
    def sample(self, rig, elf, link):
        """How often the core was halted, and OpenOCD noticed that."""
        with Tcl(rig.tcl_port) as tcl:
            tcl("set ::seen 0; [target current] configure -event halted {incr ::seen}")
            # A sample's time limit of 200 ms never ends: QEMU may get no processor for so long.
            tcl("proc ms {} {return 0}")
            before = rig.stat()["halts"]
            done = mprof("snapshot", "--elf", elf, *link, "--sampler", "halt", "--allow-halt=50%", "--hits", HITS,
                         "-o", self.path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(rig.stat()["running"])
            return rig.stat()["halts"] - before, int(tcl("set ::seen"))

    def stops_at_breakpoint(self, rig, elf, link, tools):
        """What halts the core between two samples keeps it."""
        top = start("top", "--elf", elf, *link, "--sampler", "halt", "--allow-halt=50%", "-d", "0.05", "-n", "1000000",
                    "--format", "json")
        try:
            with Tcl(rig.tcl_port) as tcl:
                look = json.loads(top.stdout.readline())
                while look["hits"] < 3:
                    look = json.loads(top.stdout.readline())
                tcl(f"halt 1000; bp {symbols(elf, tools + 'nm')['work_a'][0] & ~1:#x} 2 hw; resume")
                while look["link"]["state"] != "HALTED":
                    look = json.loads(top.stdout.readline())
                hits = look["hits"]
                for _ in range(3):
                    look = json.loads(top.stdout.readline())
                self.assertEqual((look["hits"], look["link"]["state"]), (hits, "HALTED"))
                self.assertFalse(rig.stat()["running"])
                self.assertEqual(rig.stat()["breakpoint_stops"], 1)
        finally:
            stop(top)
        self.assertFalse(rig.stat()["running"])

    def check(self, core, tools):
        elf, self.path = FIRMWARE / f"{core}.elf", self.folder / "a.pb.gz"
        with Rig(elf) as rig, Tcl(rig.tcl_port) as tcl:
            by_gdb = ("--gdb", f":{rig.gdb_port}", "--tcl", "none")
            by_tcl = ("--tcl", f":{rig.tcl_port}")
            halts, seen = self.sample(rig, elf, by_tcl)
            self.assertGreater(halts, HITS)
            self.assertEqual(seen, 1)  # the first sample
            self.assertIn("background polling: on", tcl("poll"))
            halts, seen = self.sample(rig, elf, by_gdb)
            self.assertGreater(halts, HITS)
            self.assertEqual(seen, 2)  # connecting, too
            tcl("poll off")
            self.sample(rig, elf, by_tcl)
            self.assertIn("background polling: off", tcl("poll"))
            tcl("poll on")
            self.stops_at_breakpoint(rig, elf, by_tcl, tools)

    def test_cortex_m3(self):
        self.check("cortex-m3", "arm-none-eabi-")

    def test_rv32(self):
        self.check("rv32", "riscv64-unknown-elf-")


if __name__ == "__main__":
    unittest.main()
