# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples by halts that a real OpenOCD does not notice: it goes on as if nothing had been."""

import json
import unittest

from case import Case
from rig import Rig, Tcl
from support import FIRMWARE, mprof, start, stop, symbols

HITS = 8
PAUSE = 32  # samples after one that failed


class ShortHalts(Case):
    def sample(self, rig, elf, link):
        """How often the core was halted, and OpenOCD noticed that."""
        with Tcl(rig.tcl_port) as tcl:
            tcl("set ::seen 0; [target current] configure -event halted {incr ::seen}")
            before = rig.stat()["halts"]
            done = mprof("snapshot", "--elf", elf, *link, "--sampler", "halt", "--allow-halt=50%", "--hits", HITS,
                         "-o", self.path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("failed", done.stderr)
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

    def takes(self, tcl, body, *words):
        """Samples while a procedure takes the place of OpenOCD's read_memory, which it can call as old."""
        tcl(f"rename {{mps2.cpu read_memory}} old; proc {{mps2.cpu read_memory}} args {{{body}}}; list")
        done = mprof("snapshot", *words, "--sampler", "halt", "--allow-halt=50%", "-o", self.path)
        tcl("rename {mps2.cpu read_memory} {}; rename old {mps2.cpu read_memory}; list")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def old_breakpoint(self, rig, elf, link):
        """Its flag was set long ago, and no debugger has cleared it: it has not halted the core."""
        with Tcl(rig.tcl_port) as tcl:
            self.takes(tcl, "set v [old {*}$args]; if {[lindex $args 0] == 0xe000ed30} {set v [expr {$v | 2}]}; set v",
                       "--elf", elf, *link, "--stacks", "--hits", 2)
        self.assertTrue(rig.stat()["running"])

    def fails_once(self, rig, elf, link):
        """Then OpenOCD's own halts take samples for a while, which is said once; then short ones again."""
        with Tcl(rig.tcl_port) as tcl:
            tcl("set ::seen 0; set ::left 1")
            done = self.takes(tcl, "if {$::left && [lindex $args 0] == 0xe000ed04} {set ::left 0; error glitch};"
                              "old {*}$args", "--elf", elf, *link, "--hits", PAUSE + HITS)
            said = [line for line in done.stderr.splitlines() if "short halt" in line]
            self.assertEqual(said, ["mprof: a short halt for a sample failed: OpenOCD's own, longer halts take the next 32"])
            self.assertEqual((tcl("set ::left"), tcl("set ::seen")), ("0", str(1 + PAUSE)))

    def check(self, core, tools):
        elf, self.path = FIRMWARE / f"{core}.elf", self.folder / "a.pb.gz"
        with Rig(elf) as rig, Tcl(rig.tcl_port) as tcl:
            by_gdb = ("--gdb", f":{rig.gdb_port}", "--tcl", "none")
            by_tcl = ("--tcl", f":{rig.tcl_port}")
            # A short halt is waited for without a limit: QEMU may get no processor for its 200 ms.
            tcl("proc ms {} {return 0}")
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
            if core == "cortex-m3":
                self.fails_once(rig, elf, by_tcl)
                self.old_breakpoint(rig, elf, by_tcl)
            self.stops_at_breakpoint(rig, elf, by_tcl, tools)

    def test_cortex_m3(self):
        self.check("cortex-m3", "arm-none-eabi-")

    def test_rv32(self):
        self.check("rv32", "riscv64-unknown-elf-")


if __name__ == "__main__":
    unittest.main()
