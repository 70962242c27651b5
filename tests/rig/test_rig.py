# SPDX-License-Identifier: GPL-3.0-or-later
"""The rig judges the others, so it is judged here: OpenOCD and gdb on it, and what it counts."""

import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from rig import Rig, RigError, Tcl, TclError
from support import FIRMWARE, HANG_S, Gdb, free_port, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
DATA = 0x20000000
PSRAM = 0x21000000
SPARE = 0x200000  # from the start of either RAM: nothing of the firmware's
BRANCH_TO_SELF = 0xe7fe


def load_segments(path):
    """(address, bytes) of what an ELF32 file loads."""
    data = path.read_bytes()
    offset, = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    for i in range(count):
        kind, start, _, addr, length = struct.unpack_from("<5I", data, offset + i * size)
        if kind == 1 and length:
            yield addr, data[start:start + length]


class OnOpenOCD(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(ELF, fast=True).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.symbols = {name: addr & ~1 for name, (addr, _) in symbols(ELF).items()}

    def setUp(self):
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)
        self.tcl("reset run")
        self.before = self.rig.wait(lambda stat: stat["running"])

    def counted(self, name):
        """What came to a counter in this test."""
        return self.rig.stat()[name] - self.before[name]

    def test_reading_does_not_halt(self):
        with Tcl(self.rig.tcl_port) as other:
            for _ in range(200):
                other.read(PSRAM, 8)
                other.read(DATA, 8)
        stat = self.rig.stat()
        self.assertTrue(stat["running"])
        self.assertEqual(self.counted("halts"), 0)
        self.assertEqual(self.counted("machine_stops"), 0)
        self.assertGreaterEqual(self.counted("reads"), 200 * 16)

    def test_slow_probe(self):
        """A word is a scan of 35 bits; OpenOCD adds at most 6, in two queues, for a read."""
        self.tcl("poll off")
        self.addCleanup(self.tcl, "poll on")
        self.addCleanup(self.rig.command, "probe 0")
        for spec, least, most in (("50", 146, 152), ("50:64", 10, 13), ("0:64", 10, 13)):
            self.rig.command(f"probe {spec}")
            before = self.rig.stat()
            begin = time.monotonic()
            self.tcl.read(PSRAM, 146)
            took_ms = (time.monotonic() - begin) * 1e3
            after = self.rig.stat()
            packets = after["packets"] - before["packets"]
            probe_ms = after["probe_ms"] - before["probe_ms"]
            self.assertTrue(least <= packets <= most, (spec, packets))
            # Both numbers are rounded to 1 us.
            self.assertAlmostEqual(probe_ms, packets * int(spec.split(":")[0]) / 1e3, delta=0.0011)
            self.assertGreaterEqual(took_ms, probe_ms)

    def test_slow_line(self):
        self.addCleanup(self.rig.command, "probe 0")
        self.rig.command("probe 0:0:100000")
        before = self.rig.stat()["probe_ms"]
        self.tcl.read(PSRAM, 100)
        self.assertGreaterEqual(self.rig.stat()["probe_ms"] - before, 100 * 35 / 8 / 100)

    def test_malformed_probe(self):
        for spec in ("", "x", "1:", "1:2:3:4", "1:64x", "2000000"):
            with self.assertRaises(RigError, msg=spec):
                self.rig.command(f"probe {spec}")

    def test_halts_are_counted(self):
        for done in range(1, 6):
            self.tcl.halt()
            stat = self.rig.stat()
            self.assertFalse(stat["running"])
            self.assertEqual(stat["halts"] - self.before["halts"], done)
            self.assertGreater(self.rig.stat()["halted_ms"], stat["halted_ms"])
            self.tcl.halt()  # of a halted core: not another one
            self.tcl.resume()
            ended = self.rig.stat()
            self.assertTrue(ended["running"])
            self.assertEqual(self.rig.stat()["halted_ms"], ended["halted_ms"])
        self.assertEqual(self.counted("halts"), 5)
        self.assertEqual(self.counted("breakpoint_stops"), 0)

    def test_registers(self):
        self.tcl.halt()
        self.assertEqual(self.tcl.reg("sp"), self.tcl.reg("msp"))
        self.assertLessEqual(self.tcl.reg("sp"), DATA + 0x400000)
        self.assertLess(self.tcl.reg("pc"), 0x10000)
        old = {name: self.tcl.reg(name) for name in
               ("r0", "r1", "r5", "r12", "lr", "pc", "sp", "xPSR")}
        # What the core was at might be one that changes them, like a return from an interrupt.
        self.tcl.write(DATA + SPARE, [0xbf00, BRANCH_TO_SELF], 16)
        new = {"r0": 1, "r5": 0x55aa55aa, "r12": 0x80000000, "psp": DATA + 0x1000, "primask": 1,
               "basepri": 0x40, "pc": DATA + SPARE}
        for name, value in new.items():
            self.tcl("reg %s %#x" % (name, value))
        self.step_only()
        self.tcl("step")
        for name in ("r0", "r5", "r12", "psp", "primask", "basepri"):
            self.assertEqual(self.tcl.reg(name), new[name], name)
        self.assertEqual(self.tcl.reg("sp"), old["sp"])
        self.assertEqual(self.tcl.reg("pc"), DATA + SPARE + 2)

    def test_reading_special_registers_changes_nothing(self):
        self.tcl.halt()
        names = ["r%d" % i for i in range(13)] + ["sp", "lr", "pc", "xPSR", "msp", "psp"]
        first = {name: self.tcl.reg(name) for name in names}
        self.assertEqual({name: self.tcl.reg(name) for name in names}, first)

    def step_only(self):
        """No interrupt is taken at a step. Else OpenOCD lets pending ones run before it, and lets the
        core go on if that takes 0.5 s. The core must be halted."""
        self.tcl("cortex_m maskisr steponly")

    def test_steps(self):
        self.tcl.halt()
        self.step_only()
        self.tcl("step")  # the first one behind a Ctrl-C sometimes executes nothing in QEMU 7.2
        self.tcl.write(DATA + SPARE, [0xbf00] * 4 + [BRANCH_TO_SELF], 16)
        self.tcl("reg pc %#x" % (DATA + SPARE))
        for i in range(1, 5):
            self.tcl("step")
            self.assertEqual(self.tcl.reg("pc"), DATA + SPARE + 2 * i)
        self.tcl("step")
        self.assertEqual(self.tcl.reg("pc"), DATA + SPARE + 8)
        self.assertEqual(self.counted("steps"), 6)
        self.assertEqual(self.counted("halts"), 1)

    def halt_in_thread(self):
        """Halts where no interrupt is served."""
        self.tcl.halt()
        self.tcl("bp %#x 2 hw" % self.symbols["work_a"])
        self.tcl.resume()
        self.tcl.wait_halted()
        self.tcl("rbp all")

    def hit(self, addr):
        self.tcl.wait_halted()
        self.assertEqual(self.tcl.reg("pc"), addr)

    def test_hardware_breakpoint(self):
        addr = self.symbols["work_a"]
        self.tcl.halt()
        self.tcl("bp %#x 2 hw" % addr)
        self.addCleanup(self.tcl, "rbp all")
        for _ in range(3):
            self.tcl.resume()
            self.hit(addr)
        self.assertEqual(self.counted("halts"), 1)
        self.assertGreaterEqual(self.counted("breakpoint_stops"), 3)
        self.assertGreater(self.counted("breakpoint_ms"), 0)
        self.tcl("rbp %#x" % addr)
        self.tcl.resume()
        stops = self.rig.stat()["breakpoint_stops"]
        self.passes_without_stop(addr)
        self.assertEqual(self.rig.stat()["breakpoint_stops"], stops)

    def passes_without_stop(self, addr):
        """Waits until the core is in the function at addr without having been stopped by it."""
        def inside():
            self.tcl.halt()
            within = any(addr <= self.tcl.reg(name) < addr + 32 for name in ("lr", "pc"))
            self.tcl.resume()
            return within
        wait_for("the core in the function", inside)

    def test_breakpoint_while_running(self):
        addr = self.symbols["work_c"]
        self.tcl("bp %#x 2 hw" % addr)
        self.addCleanup(self.tcl, "rbp all")
        self.hit(addr)
        self.assertEqual(self.counted("halts"), 0)
        self.assertGreaterEqual(self.counted("pauses"), 1)

    def test_bkpt_in_memory(self):
        addr = self.symbols["work_b"]
        original = self.tcl.read(addr, 1, 16)
        self.tcl.halt()
        self.tcl("bp %#x 2" % addr)
        self.addCleanup(self.tcl, "rbp all")
        self.tcl.resume()
        self.hit(addr)
        self.assertEqual(self.tcl.read(addr, 1, 16)[0] & 0xff00, 0xbe00)
        self.assertEqual(self.tcl.read(addr & ~3, 1)[0] >> 8 * (addr & 2) & 0xff00, 0xbe00)
        self.tcl.resume()
        self.hit(addr)
        self.tcl("rbp %#x" % addr)
        self.assertEqual(self.tcl.read(addr, 1, 16), original)

    def test_memory_while_running(self):
        for base in (DATA + SPARE, PSRAM + SPARE):
            for width, values in ((32, [0xc0ffee01, 0, 0xffffffff]), (16, [0x1234, 0xfffe]),
                                  (8, [1, 2, 3, 0xff, 5])):
                with self.subTest(base=hex(base), width=width):
                    self.tcl.write(base, values, width)
                    self.assertEqual(self.tcl.read(base, len(values), width), values)
        self.tcl.write(DATA + SPARE, [0x44332211])
        self.tcl.write(DATA + SPARE + 1, [0xaa], 8)
        self.assertEqual(self.tcl.read(DATA + SPARE), [0x4433aa11])
        self.assertEqual(self.counted("machine_stops"), 0)

    def test_long_reads(self):
        """Over the places where the access port's address wraps."""
        words = [i * 0x10001 for i in range(1200)]
        for base in (DATA + SPARE + 0xff8, PSRAM + SPARE + 0xff8):
            self.tcl.write(base, words)
            self.assertEqual(self.tcl.read(base, len(words)), words)

    def test_code_is_the_elf(self):
        for addr, data in load_segments(ELF):
            data = data[:len(data) & ~3]
            if addr < DATA:
                self.assertEqual(self.tcl.read_bytes(addr, len(data)), data)

    def test_written_code_is_executed(self):
        """Although QEMU had translated what stood there, in either RAM and while the core runs."""
        for base in (DATA + SPARE, PSRAM + SPARE):
            self.tcl.halt()
            self.tcl.write(base, [0x3001, 0xe7fd], 16)  # adds r0, #1; b back
            self.tcl("reg pc %#x" % base)
            self.tcl.resume()
            self.tcl.write(base, [BRANCH_TO_SELF], 16)

            def stuck():
                self.tcl.halt()
                pc, r0 = self.tcl.reg("pc"), self.tcl.reg("r0")
                self.tcl.resume()
                self.tcl.halt()
                same = r0 == self.tcl.reg("r0")
                self.tcl.resume()
                return pc == base and same
            wait_for("the new code in effect", stuck)

    def test_words_are_never_torn(self):
        for base in (DATA + SPARE, PSRAM + SPARE):
            self.tcl.halt()
            self.tcl.write(base + 4, [0])
            self.tcl.write(DATA + SPARE + 0x100, [0x6010, 0x6011, 0xe7fc], 16)
            for name, value in (("r0", 0), ("r1", 0xffffffff), ("r2", base + 4), ("primask", 1),
                                ("pc", DATA + SPARE + 0x100)):
                self.tcl("reg %s %#x" % (name, value))
            self.tcl.resume()
            seen = set()

            def both():
                for _ in range(400):
                    seen.update(self.tcl.read(base + 4))
                return len(seen) > 1
            wait_for("two values in the word", both)
            self.assertEqual(seen, {0, 0xffffffff}, hex(base))

    def test_sleeping_core(self):
        """Halted in WFI, with interrupts off, it can be looked at and stepped."""
        self.halt_in_thread()
        self.tcl.write(DATA + SPARE, [0xbf30, 0x3001, 0xe7fc], 16)  # wfi; adds r0, #1; b back
        for name, value in (("primask", 1), ("r0", 0), ("pc", DATA + SPARE)):
            self.tcl("reg %s %#x" % (name, value))
        self.tcl.write(0xe000e010, [0])  # SysTick off,
        self.tcl.write(0xe000ed04, [1 << 25])  # and no longer pending
        self.tcl.resume()
        self.tcl.halt()
        pc = self.tcl.reg("pc")
        self.assertIn(pc - DATA - SPARE, (0, 2, 4))
        self.step_only()
        for _ in range(4):
            self.tcl("step")
        self.assertLess(self.tcl.reg("r0"), 4)
        self.assertEqual(self.tcl.reg("primask"), 1)

    def test_peripherals(self):
        self.assertEqual(self.tcl.read(0xe000ed00), [0x410fc231])
        self.assertEqual(self.tcl.read(0xe00ff000), [0xfff0f003])
        # The reload value of a timer that the firmware leaves alone.
        self.tcl.write(0x40000008, [0x12345])
        self.assertEqual(self.tcl.read(0x40000008), [0x12345])

    def test_bus_fault(self):
        with self.assertRaises(TclError):
            self.tcl.read(0x30000000)
        self.assertEqual(self.counted("faults"), 1)
        self.assertEqual(self.tcl.read(0xe000ed00), [0x410fc231])

    def test_reset(self):
        self.tcl("reset halt")
        self.assertEqual(self.tcl.reg("pc"), self.symbols["Reset_Handler"])
        self.assertEqual(self.counted("resets"), 1)
        self.assertEqual(self.counted("halts"), 1)
        self.tcl("reset run")
        self.assertTrue(self.rig.stat()["running"])
        self.assertEqual(self.counted("resets"), 2)
        self.tcl.write(0xe000ed0c, [0x05fa0004])
        self.assertEqual(self.counted("resets"), 3)

    @unittest.skipUnless(shutil.which("gdb-multiarch"), "gdb-multiarch is missing")
    def test_gdb(self):
        commands = ["set confirm off", f"set remotetimeout {HANG_S}",
                    "target remote 127.0.0.1:%d" % self.rig.gdb_port, "break work_a", "continue",
                    "backtrace", "continue", "info breakpoints", "compare-sections .text", "delete",
                    "stepi", "monitor resume", "detach"]
        arguments = ["gdb-multiarch", "-nx", "-batch", str(ELF)]
        for command in commands:
            arguments += ["-ex", command]
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=HANG_S)
        self.assertIn("already hit 2 times", result.stdout, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^#\d+ .*\bmain \(\)")
        self.assertIn("matched", result.stdout)
        self.assertIn("detached", result.stdout)
        self.assertGreaterEqual(self.counted("breakpoint_stops"), 2)


class LifeAndDeath(unittest.TestCase):
    def pids_end(self, rig):
        for name in ("qemu_pid", "openocd_pid"):
            wait_for(name, lambda: not alive(rig.info[name]))

    def test_ends_by_signal(self):
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            with self.subTest(signal=name), Rig(ELF, fast=True) as rig:
                folder = os.path.dirname(rig.info["control"])
                self.assertTrue(os.path.isdir(folder))
                rig.process.send_signal(getattr(signal, name))
                self.assertEqual(rig.process.wait(HANG_S), 0)
                self.pids_end(rig)
                self.assertFalse(os.path.exists(folder))

    def test_ends_by_quit(self):
        with Rig(ELF, fast=True) as rig:
            self.assertEqual(rig.control("quit"), {"quit": True})
            self.assertEqual(rig.process.wait(HANG_S), 0)
            self.pids_end(rig)

    def test_children_die_with_it(self):
        with Rig(ELF, fast=True) as rig:
            rig.process.kill()
            rig.process.wait(HANG_S)
            self.pids_end(rig)
            shutil.rmtree(os.path.dirname(rig.info["control"]))

    def test_dies_with_its_children(self):
        for name in ("qemu_pid", "openocd_pid"):
            with self.subTest(child=name), Rig(ELF, fast=True) as rig:
                os.kill(rig.info[name], signal.SIGKILL)
                self.assertEqual(rig.process.wait(HANG_S), 1)
                self.assertIn("ended by signal 9", rig.process.stderr.read())
                self.pids_end(rig)

    def test_port_taken(self):
        """Whoever has the port is not even connected to."""
        for options in ((), ("--qemu-gdb",)):
            with socket.create_server(("127.0.0.1", 0)) as taken:
                port = taken.getsockname()[1]
                with Rig(ELF, options=("--gdb-port", port, *options), fast=True) as rig:
                    self.assertNotEqual(rig.gdb_port, port)
                taken.setblocking(False)
                with self.assertRaises(BlockingIOError):
                    taken.accept()

    def test_port_free(self):
        port = free_port()
        with Rig(ELF, options=("--gdb-port", port), fast=True) as rig:
            self.assertEqual(rig.gdb_port, port)

    def test_no_such_firmware(self):
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaises(RigError) as caught:
                Rig(file.name + "x", fast=True).start()
            self.assertIn(file.name, str(caught.exception))
            self.assertEqual(len(str(caught.exception).splitlines()), 1)

    def test_openocd_refuses(self):
        with self.assertRaises(RigError) as caught:
            Rig(ELF, openocd_args=("-c", "no_such_command"), fast=True).start()
        self.assertIn("openocd ended with status 1", str(caught.exception))

    def test_instruction_clock(self):
        with Rig(ELF, icount=10) as rig, Tcl(rig.tcl_port) as tcl:
            tcl.halt()
            tcl.resume()
            self.assertEqual(rig.stat()["halts"], 1)

    def test_plain_qemu(self):
        with Rig(ELF, qemu_gdb=True, fast=True) as rig:
            self.assertIsNone(rig.tcl_port)
            self.assertEqual(rig.stat()["halts"], 0)
            self.assertTrue(rig.stat()["running"])
            gdb = Gdb(rig.gdb_port)
            self.addCleanup(gdb.close)
            stat = rig.wait(lambda stat: not stat["running"])
            self.assertEqual(stat["halts"], 1)
            self.assertTrue(gdb.packet().startswith("T02"))
            self.assertEqual(gdb.ask("D"), "OK")
            stat = rig.wait(lambda stat: stat["running"])
            self.assertEqual(stat["halts"], 1)
            self.assertGreater(stat["halted_ms"], 0)


def alive(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    unittest.main()
