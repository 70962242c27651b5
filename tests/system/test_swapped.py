# SPDX-License-Identifier: GPL-3.0-or-later
"""A gdb port given as --tcl: it is used as what it is, and the core runs on, or stays halted, as before."""

import unittest

from case import Case
from rig import Rig, Tcl
from support import FIRMWARE, count, counted, farewell, sampled, symbols

ELF = FIRMWARE / "cortex-m3.elf"


class Swapped(Case):
    def look(self, *link):
        """The header of one refresh, in one line: it says how the target was read."""
        return " ".join(self.good("top", "--elf", ELF, *link, "-n", "1", "--batch").split())

    def openocd(self, rig):
        gdb, tcl = f":{rig.gdb_port}", f":{rig.tcl_port}"
        with_gdb = ("--gdb", tcl, "--tcl", gdb)
        return (("--tcl", gdb), "gdb-remote", "is a gdb port, not a Tcl port: used as with --gdb;"), \
            (with_gdb, "openocd-tcl", f"swapped: using --gdb {gdb} --tcl {tcl};")

    def test_openocd_runs_on(self):
        rounds = count(3, 20)
        with Rig(ELF) as rig:
            sampled(ELF, 1, "--tcl", f":{rig.tcl_port}")
            for link, kind, words in rounds * self.openocd(rig):
                header = self.look(*link)
                for said in ("RUNNING", kind, words):
                    self.assertIn(said, header)
                farewell(rig.gdb_port)
                self.assertTrue(rig.stat()["running"])
        counted(f"{rounds} times each way round, the core ran on")

    def test_openocd_at_a_breakpoint(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            sampled(ELF, 1, "--tcl", f":{rig.tcl_port}")
            tcl(f"bp {symbols(ELF)['work_b'][0] & ~1} 2 hw")
            tcl.wait_halted()
            for link, kind, _ in self.openocd(rig):
                header = self.look(*link)
                self.assertIn("HALTED", header)
                self.assertIn(kind, header)
                farewell(rig.gdb_port)
                self.assertFalse(rig.stat()["running"])

    def test_qemu_runs_on(self):
        rounds = count(3, 20)
        with Rig(ELF, qemu_gdb=True) as rig:
            sampled(ELF, 1, "--gdb", f":{rig.gdb_port}")
            for _ in range(rounds):
                header = self.look("--tcl", f":{rig.gdb_port}")
                self.assertIn("RUNNING", header)
                self.assertIn("used as with --gdb", header)
                rig.wait(lambda stat: stat["running"])
        counted(f"{rounds} times, the machine ran on")


if __name__ == "__main__":
    unittest.main()
