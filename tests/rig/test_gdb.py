# SPDX-License-Identifier: GPL-3.0-or-later
"""A real gdb-multiarch at its prompt, on the rig: what a person does, and what the rig counts of it."""

import unittest

import gdb
from rig import Rig, Tcl
from support import FIRMWARE, wait_for

ELF = FIRMWARE / "cortex-m3.elf"


@unittest.skipUnless(gdb.PROGRAM, "gdb-multiarch is missing")
class AtThePrompt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(ELF, fast=True).start()
        cls.addClassCleanup(cls.rig.stop)

    def setUp(self):
        with Tcl(self.rig.tcl_port) as tcl:
            tcl("reset run")
        self.gdb = gdb.GdbSession(ELF, self.rig.gdb_port)
        self.addCleanup(self.gdb.close)
        self.before = self.rig.stat()

    def counted(self, name):
        return self.rig.stat()[name] - self.before[name]

    def test_connecting_halts(self):
        self.assertFalse(self.rig.stat()["running"])

    def test_break_step_continue(self):
        # Else OpenOCD lets interrupts run before a step, and lets the core go on if that takes 0.5 s.
        self.gdb.command("monitor cortex_m maskisr steponly")
        self.assertRegex(self.gdb.command("break work_a"), r"^Breakpoint 1 at 0x")
        self.assertIn("Breakpoint 1, ", self.gdb.command("continue"))
        self.assertRegex(self.gdb.command("backtrace"), r"(?m)^#0 .*work_a")
        first = self.gdb.command("print $pc")
        self.assertEqual(self.gdb.command("stepi").splitlines()[0][:2], "0x")
        self.assertNotEqual(self.gdb.command("print $pc"), first)
        self.assertIn("Breakpoint 1, ", self.gdb.command("continue"))
        self.assertIn("already hit 2 times", self.gdb.command("info breakpoints"))
        self.assertGreaterEqual(self.counted("breakpoint_stops"), 2)
        self.assertGreaterEqual(self.counted("steps"), 1)
        self.assertEqual(self.counted("halts"), 0)

    def test_interrupt(self):
        for count in (1, 2, 3):
            self.gdb.send("continue")
            self.rig.wait(lambda stat: stat["running"])
            self.assertTrue(self.gdb.is_waiting())
            self.assertIn("received signal SIGINT", self.gdb.interrupt())
            self.assertFalse(self.rig.stat()["running"])
            self.assertEqual(self.counted("halts"), count)

    def test_reset_under_gdb(self):
        """Someone presses the button while gdb waits: the core runs, and gdb goes on waiting."""
        self.gdb.send("continue")
        self.rig.wait(lambda stat: stat["running"])
        self.rig.reset()
        self.assertTrue(self.rig.stat()["running"])
        self.assertIn("received signal SIGINT", self.gdb.interrupt())

    def test_lost_server(self):
        self.gdb.send("continue")
        self.rig.wait(lambda stat: stat["running"])
        self.rig.stop_openocd()
        self.addCleanup(self.rig.start_openocd)
        self.assertRegex(self.gdb.wait(), "Remote connection closed|Remote communication error")
        self.assertTrue(self.rig.stat()["running"])

    def test_end(self):
        """gdb is gone when it was closed, also while it waits; the core stays as it is."""
        self.gdb.send("continue")
        self.rig.wait(lambda stat: stat["running"])
        self.gdb.close()
        self.assertIsNotNone(self.gdb.process.returncode)
        with Tcl(self.rig.tcl_port) as tcl:
            wait_for("OpenOCD's word for it", lambda: tcl.state() == "running")
        self.assertEqual(self.counted("halts"), 0)

    def test_too_late(self):
        self.gdb.send("continue")
        with self.assertRaises(gdb.GdbError):
            self.gdb.wait(0.2)


if __name__ == "__main__":
    unittest.main()
