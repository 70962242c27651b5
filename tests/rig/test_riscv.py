# SPDX-License-Identifier: GPL-3.0-or-later
"""A RISC-V hart behind a simulated debug module, with and without access to memory while it runs."""

import os
import pathlib
import re
import unittest

import gdb
from rig import Rig, Tcl, TclError
from support import Gdb, mprof, sampled, symbols, wait_for

ELF = pathlib.Path(os.environ["MPROF_BUILD"]) / "firmware/rv32.elf"
RAM = 0x80000000
SPARE = RAM + 0xc00000  # nothing of the firmware's
TEST_DEVICE = 0x100000
RESET_VECTOR = 0x1000
ABSTRACTCS, COMMAND, SBCS = 0x16, 0x17, 0x38  # registers of the debug module
READ_WORD, SATP = 0x00220000, 0x180
EBREAK, TRIGGER, HALT, STEP, RESET = range(1, 6)
NOP, WFI, BACK_8, BACK_12 = 0x00000013, 0x10500073, 0xff9ff06f, 0xff5ff06f
WORK = ("work_a", "work_b", "work_c")


class Hart:
    """What holds with and without a system bus."""

    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(ELF, options=cls.options, fast=True).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.symbols = {name: addr for name, (addr, _) in
                       symbols(ELF, "riscv64-unknown-elf-nm").items()}

    def setUp(self):
        if self.rig.stat()["openocd"] is None:
            self.rig.start_openocd()
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)
        self.tcl("reset run")
        self.before = self.rig.wait(lambda stat: stat["running"])

    def counted(self, name):
        return self.rig.stat()[name] - self.before[name]

    def hit(self, addr):
        self.tcl.wait_halted()
        self.assertEqual(self.tcl.reg("pc"), addr)

    def stopped_by(self, cause):
        """What dcsr tells."""
        self.assertEqual(self.tcl.reg("dcsr") >> 6 & 7, cause)

    def run_code(self, words, **registers):
        """Lets the hart execute words in spare memory, without interrupts."""
        self.tcl.halt()
        self.tcl.write(SPARE, words)
        self.tcl("reg mstatus 0x1800")
        for name, value in {"pc": SPARE, **registers}.items():
            self.tcl("reg %s %#x" % (name, value))

    def runs_firmware(self):
        self.tcl.halt()
        self.tcl("bp %#x 2 hw" % self.symbols["work_b"])
        self.tcl.resume()
        self.hit(self.symbols["work_b"])
        self.tcl("rbp all")
        self.tcl.resume()

    def test_halts_are_counted(self):
        for done in range(1, 5):
            self.tcl.halt()
            stat = self.rig.stat()
            self.assertFalse(stat["running"])
            self.stopped_by(HALT)
            self.assertEqual(self.counted("halts"), done)
            self.assertGreater(self.rig.stat()["halted_ms"], stat["halted_ms"])
            self.tcl.resume()
            self.assertTrue(self.rig.stat()["running"])
        self.assertEqual(self.counted("breakpoint_stops"), 0)

    def test_registers(self):
        self.tcl.halt()
        self.assertEqual(self.tcl.reg("misa"), 0x40101105)
        self.assertEqual(self.tcl.reg("mtvec"), self.symbols["mprof_mtimer_entry"])
        self.assertLess(self.tcl.reg("pc") - RAM, 0x10000)
        values = {"a0": 1, "s11": 0x55aa55aa, "t6": 0xffffffff, "mscratch": 0x80000001}
        for name, value in values.items():
            self.tcl("reg %s %#x" % (name, value))
        for name, value in values.items():
            self.assertEqual(self.tcl.reg(name), value, name)
        self.assertEqual(self.tcl.reg("zero"), 0)

    def test_register_that_is_not_there(self):
        self.tcl.halt()
        self.tcl("riscv dmi_write %#x %#x" % (COMMAND, READ_WORD | SATP))
        self.assertEqual(int(self.tcl("riscv dmi_read %#x" % ABSTRACTCS), 16) >> 8 & 7, 3)
        self.tcl("riscv dmi_write %#x %#x" % (ABSTRACTCS, 7 << 8))
        self.tcl.reg("a0")

    def test_steps(self):
        self.run_code([NOP] * 4 + [0x0000006f])  # j to itself
        for i in range(1, 5):
            self.tcl("step")
            self.assertEqual(self.tcl.reg("pc"), SPARE + 4 * i)
            self.stopped_by(STEP)
        self.tcl("step")
        self.assertEqual(self.tcl.reg("pc"), SPARE + 16)
        self.assertEqual(self.counted("steps"), 5)
        self.assertEqual(self.counted("halts"), 1)

    def test_sleeping_hart(self):
        """Halted in WFI, with no interrupt to come, it can be looked at and stepped."""
        self.run_code([WFI, 0x00150513, BACK_8], a0=0)
        self.tcl("reg mie 0")
        self.tcl.resume()
        self.tcl.halt()
        self.assertIn(self.tcl.reg("pc") - SPARE, (0, 4, 8))
        for _ in range(6):
            self.tcl("step")
        self.assertIn(self.tcl.reg("a0"), (2, 3))
        self.assertEqual(self.tcl.reg("mie"), 0)
        self.assertEqual(self.tcl.read(0x02000000)[0], 0)

    def test_triggers(self):
        addr = self.symbols["work_a"]
        self.tcl.halt()
        self.tcl("bp %#x 2 hw" % addr)
        self.addCleanup(self.tcl, "rbp all")
        for _ in range(3):
            self.tcl.resume()
            self.hit(addr)
            self.stopped_by(TRIGGER)
        self.assertEqual(self.counted("halts"), 1)
        self.assertGreaterEqual(self.counted("breakpoint_stops"), 3)
        self.tcl("rbp %#x" % addr)
        self.tcl("bp %#x 2 hw" % self.symbols["work_c"])
        self.tcl.resume()
        self.hit(self.symbols["work_c"])

    def test_no_more_triggers_than_there_are(self):
        self.tcl.halt()
        self.addCleanup(self.tcl, "rbp all")
        for i in range(4):
            self.tcl("bp %#x 2 hw" % (SPARE + 4 * i))
        with self.assertRaises(TclError):
            self.tcl("bp %#x 2 hw" % (SPARE + 16))

    def test_ebreak_in_memory(self):
        """Of 2 and of 4 bytes, the latter also where it is written by halves."""
        for words, addr, length in (([NOP] * 3 + [BACK_12], SPARE + 4, 4),
                                    ([NOP, 0x00010001, 0x00010001, BACK_12], SPARE + 6, 2),
                                    ([NOP, 0x00130001, 0x00010000, BACK_12], SPARE + 6, 4)):
            with self.subTest(addr=hex(addr), length=length):
                self.run_code(words)
                original = self.tcl.read(SPARE, 4)
                self.tcl("bp %#x %d" % (addr, length))
                self.assertNotEqual(self.tcl.read(SPARE, 4), original)
                for _ in range(3):
                    self.tcl.resume()
                    self.hit(addr)
                    self.stopped_by(EBREAK)
                self.tcl("rbp %#x" % addr)
                self.assertEqual(self.tcl.read(SPARE, 4), original)
                stops = self.rig.stat()["breakpoint_stops"]
                self.tcl.resume()
                self.tcl.halt()
                self.assertEqual(self.rig.stat()["breakpoint_stops"], stops)
                self.assertLess(self.tcl.reg("pc") - SPARE, 16)

    def test_step_onto_an_ebreak(self):
        """It is not executed: the hart stays where it is."""
        self.run_code([NOP] * 4)
        self.tcl.write(SPARE + 4, [0x00100073])
        for _ in range(3):
            self.tcl("step")
            self.assertEqual(self.tcl.reg("pc"), SPARE + 4)
        self.stopped_by(EBREAK)
        self.tcl.write(SPARE + 4, [NOP])
        self.tcl("step")
        self.assertEqual(self.tcl.reg("pc"), SPARE + 8)

    def test_memory_while_halted(self):
        self.tcl.halt()
        for width, values in ((32, [0xc0ffee01, 0, 0xffffffff]), (16, [0x1234, 0xfffe]),
                              (8, [1, 2, 3, 0xff, 5])):
            with self.subTest(width=width):
                self.tcl.write(SPARE, values, width)
                self.assertEqual(self.tcl.read(SPARE, len(values), width), values)
        self.assertEqual(self.counted("faults"), 0)
        with self.assertRaises(TclError):
            self.tcl.read(0x40000000)
        self.assertGreater(self.counted("faults"), 0)
        self.assertEqual(self.tcl.read(SPARE, 1, 16), [0x0201])

    def test_reset(self):
        self.tcl("reset halt")
        self.assertEqual(self.tcl.reg("pc"), RESET_VECTOR)
        self.stopped_by(RESET)
        self.assertEqual(self.counted("resets"), 1)
        self.assertEqual(self.counted("halts"), 1)
        self.tcl("reset run")
        self.assertTrue(self.rig.stat()["running"])
        self.rig.reset()
        self.assertTrue(self.rig.stat()["running"])
        self.assertEqual(self.counted("resets"), 3)
        self.runs_firmware()

    def test_firmware_resets_itself(self):
        self.run_code([0x00b52023, 0x0000006f], a0=TEST_DEVICE, a1=0x7777)  # sw a1, (a0); j .
        self.tcl.write(SPARE + 64, [0xc0ffee01])
        self.tcl.resume()
        self.rig.wait(lambda stat: stat["resets"] > self.before["resets"])
        self.runs_firmware()
        self.tcl.halt()
        self.assertEqual(self.tcl.read(SPARE + 64), [0xc0ffee01])

    def test_load(self):
        self.tcl.halt()
        self.tcl.write(self.symbols["work_a"], [0])
        self.tcl.resume()
        self.rig.load(ELF)
        self.assertTrue(self.rig.stat()["running"])
        self.runs_firmware()

    def test_button_on_a_halted_hart(self):
        """OpenOCD asks for another halt; the firmware has run some way until then."""
        self.tcl.halt()
        self.rig.reset()
        self.rig.wait(lambda stat: stat["halts"] == self.before["halts"] + 2)
        self.tcl.wait_halted()
        self.runs_firmware()

    def test_cable(self):
        """A dead line reads as zeros, and OpenOCD 0.12 takes them for an answer."""
        self.rig.unplug()
        self.addCleanup(self.rig.plug)
        self.assertEqual(self.tcl.read(RAM, 4), [0] * 4)
        self.assertEqual(self.tcl.state(), "running")
        self.assertEqual((self.counted("halts"), self.counted("reads")), (0, 0))
        self.rig.plug()
        self.rig.wait(lambda stat: stat["plugged"])
        self.runs_firmware()

    def test_openocd_starts_again(self):
        self.rig.stop_openocd()
        self.assertTrue(self.rig.stat()["running"])
        self.rig.start_openocd()
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)
        self.runs_firmware()

    @unittest.skipUnless(gdb.PROGRAM, "gdb-multiarch is missing")
    def test_gdb(self):
        with gdb.GdbSession(ELF, self.rig.gdb_port) as session:
            self.assertRegex(session.command("break work_a"), r"^Breakpoint 1 at 0x")
            for _ in range(2):
                self.assertIn("Breakpoint 1, ", session.command("continue"))
            self.assertRegex(session.command("backtrace"), r"(?s)^#0 .*work_a.*#1 .* main \(\)")
            self.assertIn("matched", session.command("compare-sections .text"))
            first = session.command("print $pc")
            session.command("stepi")
            self.assertNotEqual(session.command("print $pc"), first)
            session.command("delete")
            session.send("continue")
            self.rig.wait(lambda stat: stat["running"])
            self.assertIn("received signal SIGINT", session.interrupt())
            session.command("monitor resume")
            session.command("detach")
        self.assertTrue(self.rig.stat()["running"])
        self.assertGreaterEqual(self.counted("breakpoint_stops"), 2)


class WithSystemBus(Hart, unittest.TestCase):
    options = ()

    def test_memory_while_running(self):
        for width, values in ((32, [0xc0ffee01, 0, 0xffffffff]), (16, [0x1234, 0xfffe]),
                              (8, [1, 2, 3, 0xff, 5])):
            self.tcl.write(SPARE, values, width)
            self.assertEqual(self.tcl.read(SPARE, len(values), width), values)
        first, = self.tcl.read(0x0200bff8)  # mtime
        while self.tcl.read(0x0200bff8) == [first]:  # the machine may get no time
            pass
        with self.assertRaises(TclError):
            self.tcl.read(0x40000000)
        self.assertEqual(self.counted("machine_stops"), 0)
        self.assertTrue(self.rig.stat()["running"])

    def test_words_are_never_torn(self):
        """sw x0, (a0); sw a1, (a0); j back"""
        self.run_code([0x00052023, 0x00b52023, BACK_8], a0=SPARE + 256, a1=0xffffffff)
        self.tcl.resume()
        seen = set()

        def both():
            for _ in range(200):
                seen.update(self.tcl("read_memory %#x 32 4 phys" % (SPARE + 256)).split()[:1])
            return len(seen) > 1
        wait_for("two values in the word", both)
        self.assertEqual(seen, {"0x0", "0xffffffff"})

    def test_it_says_so(self):
        self.assertEqual(int(self.tcl("riscv dmi_read %#x" % SBCS), 16) >> 29, 1)

    def test_mprof_reads_while_it_runs(self):
        last = sampled(ELF, 20, "--gdb", ":%d" % self.rig.gdb_port, "--tcl",
                       ":%d" % self.rig.tcl_port)
        self.assertEqual(self.counted("halts"), 0)
        self.assertEqual(self.counted("machine_stops"), 0)
        self.assertTrue(last["link"]["live"])
        self.assertIn(last["rows"][0]["function"], WORK)


class WithoutSystemBus(Hart, unittest.TestCase):
    options = ("--no-system-bus",)

    def test_no_memory_while_running(self):
        for command in ("read_memory %#x 32 1" % RAM, "read_memory %#x 32 1 phys" % RAM,
                        "mdw %#x" % RAM, "write_memory %#x 32 1" % SPARE):
            with self.subTest(command=command), self.assertRaises(TclError):
                self.tcl(command)
        self.assertEqual(self.counted("reads"), 0)
        self.assertEqual(self.counted("machine_stops"), 0)

    def test_gdb_port_answers_zeros(self):
        """What a client has to live with: OpenOCD 0.12 answers a read with zeros, not with an error."""
        client = Gdb(self.rig.gdb_port)
        self.addCleanup(client.close)
        self.assertEqual(client.ask("QStartNoAckMode"), "OK")
        halted = client.read(RAM, 4)
        self.assertNotEqual(halted, bytes(4))
        client.send("c")
        self.rig.wait(lambda stat: stat["running"])
        client.send("m%x,4" % RAM)
        self.assertEqual(self.answer(client), "00000000")
        client.send("M%x,1:00" % SPARE)
        self.assertEqual(self.answer(client), "E0E")
        self.tcl.halt()

    @staticmethod
    def answer(client):
        """The next packet that is no console output."""
        while True:
            packet = client.packet()
            if not re.match("O(?!K)", packet):
                return packet

    def test_it_says_so(self):
        self.assertEqual(int(self.tcl("riscv dmi_read %#x" % SBCS), 16), 0)

    def test_mprof_says_one_line(self):
        result = mprof("top", "--elf", ELF, "--gdb", ":%d" % self.rig.gdb_port, "--tcl",
                       ":%d" % self.rig.tcl_port, "-n", 2, "-d", "0.1", "--format", "json")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("--allow-halt", result.stderr)
        self.assertEqual(self.counted("halts"), 0)
        self.assertTrue(self.rig.stat()["running"])

    def test_mprof_halts_where_it_may(self):
        sampled(ELF, 1, "--gdb", ":%d" % self.rig.gdb_port, "--tcl", ":%d" % self.rig.tcl_port,
                "--allow-halt=1")
        self.assertGreater(self.counted("halts"), 0)
        self.assertTrue(self.rig.stat()["running"])


class TwoHarts(unittest.TestCase):
    def halts(self, smp):
        """How often each of two was halted and runs, by one halt of the second."""
        with Rig(ELF, targets=2, smp=smp, fast=True) as rig, Tcl(rig.tcl_port) as tcl:
            before = rig.stat()["targets"]
            tcl("targets virt.cpu1")
            tcl.halt()
            counts = [after["halts"] - first["halts"]
                      for first, after in zip(before, rig.stat()["targets"])]
            tcl.resume()
            self.assertEqual([stat["running"] for stat in rig.stat()["targets"]], [True, True])
            return counts

    def test_apart(self):
        self.assertEqual(self.halts(False), [0, 1])

    def test_group(self):
        """Unlike Cortex-M's, the targets of a RISC-V group halt together."""
        self.assertEqual(self.halts(True), [1, 1])


if __name__ == "__main__":
    unittest.main()
