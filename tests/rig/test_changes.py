# SPDX-License-Identifier: GPL-3.0-or-later
"""What may change under a debugger's hands: resets, other firmware, a lost server, a pulled cable."""

import os
import socket
import unittest

from rig import Rig, RigError, Tcl, TclError
from support import FIRMWARE, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
OTHER = FIRMWARE / "cortex-m3-many.elf"
DATA = 0x20000000
SPARE = 0x200000  # from the start of the RAM: nothing of the firmware's
AIRCR = 0xe000ed0c
BOOT = 16  # place of the boot counter in s_prof
MARK = [0xc0ffee01, 0x12345678]


class Changes(unittest.TestCase):
    def setUp(self):
        self.rig = Rig(ELF, fast=True).start()
        self.addCleanup(self.rig.stop)
        self.connect()
        self.symbols = {name: addr & ~1 for name, (addr, _) in symbols(ELF).items()}

    def connect(self):
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)

    def boots(self):
        """How often the firmware has initialised the stub, which no reset clears."""
        return self.tcl.read(self.symbols["s_prof"] + BOOT)[0]

    def leave_a_mark(self):
        self.tcl.write(DATA + SPARE, MARK)

    def mark_stands(self):
        self.assertEqual(self.tcl.read(DATA + SPARE, 2), MARK)

    def runs_firmware(self, function="work_a"):
        """Waits for a breakpoint in the firmware, and lets it run on."""
        self.tcl("bp %#x 2 hw" % self.symbols[function])
        self.tcl.wait_halted()
        self.assertEqual(self.tcl.reg("pc"), self.symbols[function])
        self.tcl("rbp all")
        self.tcl.resume()

    def test_button(self):
        self.leave_a_mark()
        boots = self.boots()
        for count in (1, 2, 3):
            self.rig.reset()
            stat = self.rig.stat()
            self.assertTrue(stat["running"])
            self.assertEqual(stat["resets"], count)
            wait_for("the firmware's start", lambda: self.boots() == boots + count)
        self.assertEqual(self.rig.stat()["halts"], 0)
        self.mark_stands()
        self.runs_firmware()

    def test_button_on_a_halted_core(self):
        """A reset ends a halt, as it does on the core."""
        self.tcl.halt()
        self.rig.reset()
        self.assertTrue(self.rig.stat()["running"])
        wait_for("OpenOCD's word for it", lambda: self.tcl.state() == "running")
        self.runs_firmware()

    def test_button_under_vector_catch(self):
        self.tcl("cortex_m vector_catch reset")
        self.rig.reset()
        self.assertFalse(self.rig.stat()["running"])
        self.tcl.wait_halted()
        self.assertEqual(self.tcl.reg("pc"), self.symbols["Reset_Handler"])

    def test_firmware_resets_itself(self):
        self.leave_a_mark()
        self.tcl.halt()
        self.tcl.write(DATA + SPARE + 64, [0x6001, 0xe7fe], 16)  # str r1, [r0]; b to itself
        for name, value in (("r0", AIRCR), ("r1", 0x05fa0004), ("primask", 1),
                            ("pc", DATA + SPARE + 64)):
            self.tcl("reg %s %#x" % (name, value))
        self.assertEqual(self.rig.stat()["resets"], 0)
        self.tcl.resume()
        self.rig.wait(lambda stat: stat["resets"] == 1)
        self.mark_stands()
        self.runs_firmware()

    def test_openocd_resets(self):
        self.leave_a_mark()
        self.tcl("reset run")
        self.assertTrue(self.rig.stat()["running"])
        self.tcl("reset halt")
        self.assertEqual(self.tcl.reg("pc"), self.symbols["Reset_Handler"])
        self.assertEqual(self.rig.stat()["resets"], 2)
        self.mark_stands()

    def test_another_firmware(self):
        self.leave_a_mark()
        self.rig.load(OTHER)
        stat = self.rig.stat()
        self.assertTrue(stat["running"])
        self.assertEqual((stat["resets"], stat["halts"]), (1, 0))
        self.assertEqual(stat["openocd_pid"], self.rig.info["openocd_pid"])
        self.symbols = {name: addr & ~1 for name, (addr, _) in symbols(OTHER).items()}
        self.mark_stands()
        self.runs_firmware("f001")
        self.rig.reset()  # does not bring the old one back
        self.runs_firmware("f001")

    def test_load_clears_breakpoint_instructions(self):
        self.tcl.halt()
        self.tcl("bp %#x 2" % self.symbols["work_a"])
        self.rig.load(ELF)
        wait_for("OpenOCD's word for it", lambda: self.tcl.state() == "running")
        self.tcl("bp %#x 2 hw" % self.symbols["work_b"])
        for _ in range(4):
            self.tcl.wait_halted()
            self.assertEqual(self.tcl.reg("pc"), self.symbols["work_b"])
            self.tcl.resume()

    def test_firmware_that_does_not_fit(self):
        before = self.rig.stat()["resets"]
        for path in ("/no/such.elf", os.__file__, os.environ["MPROF_BUILD"] + "/mprof"):
            with self.subTest(path=path), self.assertRaises(RigError) as caught:
                self.rig.load(path)
            self.assertIn(path, str(caught.exception))
        self.assertEqual(self.rig.stat()["resets"], before)
        self.assertTrue(self.rig.stat()["running"])

    def test_openocd_is_killed_and_starts_again(self):
        pid, ports = self.rig.info["openocd_pid"], (self.rig.gdb_port, self.rig.tcl_port)
        with socket.create_connection(("127.0.0.1", self.rig.tcl_port)):
            self.rig.stop_openocd()
        self.assertFalse(os.path.exists("/proc/%d" % pid))
        stat = self.rig.stat()
        self.assertIsNone(stat["openocd"])
        self.assertTrue(stat["running"])
        with self.assertRaises((OSError, TclError)):
            self.tcl("version")
        with self.assertRaises(RigError):
            self.rig.stop_openocd()
        self.rig.start_openocd()
        self.assertNotEqual(self.rig.info["openocd_pid"], pid)
        self.assertEqual((self.rig.gdb_port, self.rig.tcl_port), ports)
        self.connect()
        self.runs_firmware()
        with self.assertRaises(RigError):
            self.rig.start_openocd()

    def test_killed_openocd_leaves_the_core_halted(self):
        self.tcl.halt()
        self.rig.stop_openocd()
        self.assertFalse(self.rig.stat()["running"])
        self.rig.start_openocd()
        self.connect()
        self.tcl.wait_halted()
        self.tcl.resume()
        self.assertTrue(self.rig.stat()["running"])

    def test_cable(self):
        self.leave_a_mark()
        self.rig.unplug()
        self.assertFalse(self.rig.stat()["plugged"])
        with self.assertRaises(TclError):
            self.tcl.read(DATA + SPARE)
        reads = self.rig.stat()["reads"]
        wait_for("OpenOCD's word for it", lambda: self.tcl.state() == "unknown")
        stat = self.rig.stat()
        self.assertTrue(stat["running"])
        self.assertEqual((stat["reads"], stat["halts"]), (reads, 0))
        self.rig.plug()
        wait_for("OpenOCD's word for it", lambda: self.tcl.state() == "running")
        self.mark_stands()
        self.runs_firmware()

    def test_unknown_command(self):
        self.assertIn("error", self.rig.control("fly"))
        with self.assertRaises(RigError):
            self.rig.reset(1)


if __name__ == "__main__":
    unittest.main()
