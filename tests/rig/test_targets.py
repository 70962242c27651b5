# SPDX-License-Identifier: GPL-3.0-or-later
"""Two chips on one JTAG chain under one OpenOCD: apart, and as one group."""

import unittest

from rig import Rig, RigError, Tcl, TclError
from support import FIRMWARE, Gdb, free_port, sampled, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
OTHER = FIRMWARE / "cortex-m3-many.elf"
NAMES = ["mps2.cpu0", "mps2.cpu1"]
DATA = 0x20000000
SPARE = 0x200000  # from the start of the RAM: nothing of the firmware's


def reset_handler(elf):
    return symbols(elf)["Reset_Handler"][0] & ~1


class TwoTargets:
    """What holds in either form."""

    def setUp(self):
        self.rig = Rig([ELF, OTHER], targets=2, smp=self.smp, fast=True).start()
        self.addCleanup(self.rig.stop)
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)

    def stats(self):
        return self.rig.stat()["targets"]

    def of(self, target, command):
        return self.tcl("%s %s" % (target, command))

    def test_each_has_its_memory(self):
        for i, name in enumerate(NAMES):
            self.of(name, "write_memory %#x 32 %#x" % (DATA + SPARE, 0x1000 + i))
        for i, (name, elf) in enumerate(zip(NAMES, (ELF, OTHER))):
            value, = self.of(name, "read_memory %#x 32 1" % (DATA + SPARE)).split()
            self.assertEqual(int(value, 16), 0x1000 + i)
            vector = self.of(name, "read_memory 4 32 1").split()[0]
            self.assertEqual(int(vector, 16) & ~1, reset_handler(elf))

    def test_each_has_its_counts(self):
        self.tcl("targets " + NAMES[1])
        self.tcl.halt()
        first, second = self.stats()
        self.assertEqual((first["halts"], first["running"]), (0, True))
        self.assertEqual((second["halts"], second["running"]), (1, False))
        stat = self.rig.stat()  # on top: the first one's
        self.assertEqual((stat["halts"], stat["running"]), (0, True))
        self.assertGreater(self.stats()[1]["halted_ms"], second["halted_ms"])
        self.tcl.resume()
        self.assertTrue(self.stats()[1]["running"])

    def test_each_has_its_reset(self):
        self.rig.reset(1)
        self.assertEqual([stat["resets"] for stat in self.stats()], [0, 1])
        self.rig.load(ELF, 1)
        self.assertEqual([stat["resets"] for stat in self.stats()], [0, 2])
        vector = self.of(NAMES[1], "read_memory 4 32 1").split()[0]
        self.assertEqual(int(vector, 16) & ~1, reset_handler(ELF))
        with self.assertRaises(RigError):
            self.rig.reset(2)

    def test_names_and_counts(self):
        self.assertEqual(self.tcl("target names").split(), NAMES)
        self.assertEqual([target["name"] for target in self.rig.targets], NAMES)
        self.assertEqual([stat["name"] for stat in self.stats()], NAMES)


class Apart(TwoTargets, unittest.TestCase):
    smp = False

    def test_a_port_each(self):
        ports = [target["gdb_port"] for target in self.rig.targets]
        self.assertEqual(len(set(ports)), 2)
        self.assertEqual(self.rig.gdb_port, ports[0])
        self.assertEqual([int(self.of(name, "cget -gdb-port")) for name in NAMES], ports)
        gdb = Gdb(ports[1])
        self.addCleanup(gdb.close)
        self.assertTrue(gdb.ask("?").startswith("S"))
        self.assertEqual([stat["halts"] for stat in self.stats()], [0, 1])

    def test_mprof_by_port(self):
        """The gdb port tells which target is meant."""
        for target, elf, function in zip(self.rig.targets, (ELF, OTHER), ("work_", "f")):
            rows = sampled(elf, 20, "--gdb", ":%d" % target["gdb_port"], "--tcl",
                           ":%d" % self.rig.tcl_port)["rows"]
            self.assertTrue(any(row["function"].startswith(function) for row in rows), rows)
        self.assertEqual([stat["halts"] for stat in self.stats()], [0, 0])

    def test_preferred_ports(self):
        """One after the other from the first; Tcl gets another one when it is among them."""
        first = free_port()
        with Rig(ELF, targets=2, options=("--gdb-port", first, "--tcl-port", first), fast=True) as rig:
            self.assertEqual(rig.gdb_port, first)
            self.assertNotIn(rig.tcl_port, [target["gdb_port"] for target in rig.targets])

    def test_kill_and_start(self):
        self.rig.stop_openocd()
        self.rig.start_openocd()
        with Tcl(self.rig.tcl_port) as tcl:
            self.assertEqual([int(tcl("%s cget -gdb-port" % name)) for name in NAMES],
                             [target["gdb_port"] for target in self.rig.targets])

    def test_cable(self):
        self.rig.unplug()
        with self.assertRaises(TclError):
            self.of(NAMES[1], "read_memory 0 32 1")
        self.rig.plug()
        for name in NAMES:
            wait_for(name, lambda n=name: self.of(n, "curstate") == "running")


class Group(TwoTargets, unittest.TestCase):
    smp = True

    def test_one_port(self):
        self.assertEqual(int(self.of(NAMES[0], "cget -gdb-port")), self.rig.gdb_port)
        self.assertIsNone(self.rig.targets[1]["gdb_port"])
        self.assertEqual(self.of(NAMES[1], "cget -gdb-port"), "undefined")


if __name__ == "__main__":
    unittest.main()
