# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that read memory only while the core is halted: only where it is allowed, for so long as is
allowed, and shown. The server is QEMU in disguise: a proxy hides what tells that it is a simulator,
and keeps count of the halts."""

import time
import unittest

from rig import Rig
from support import FIRMWARE, HANG_S, json_lines, mprof, qemu_runs
from wire import Wire

ELF = FIRMWARE / "cortex-m3.elf"
SIMULATOR = b"$ENABLE=1,NOIRQ=2,NOTIMER=4#"
DELAY_S = 0.0005


class Disguise(Wire):
    """The meter: a halt begins with a stop reply, and ends with a request to go on. Each way takes
    longer, as with a probe: without a limit the core would be halted for most of the time."""

    def __init__(self, port):
        self.halts = 0
        self.halted_s = 0.0
        self.since = None
        self.begin = self.end = None
        super().__init__(port, self._pass)

    def _pass(self, is_ours, data):
        time.sleep(DELAY_S)
        now = time.monotonic()
        self.begin = self.begin or now
        self.end = now
        if is_ours and (b"$c#" in data or b"$vCont;c#" in data) and self.since:
            self.halted_s += now - self.since
            self.since = None
        if not is_ours and b"$T02" in data and not self.since:
            self.halts += 1
            self.since = now
        at = data.find(SIMULATOR)
        if at >= 0:
            data = data[:at] + b"$#00" + data[at + len(SIMULATOR) + 2:]
        return data

    @property
    def share(self):
        return self.halted_s / (self.end - self.begin)


class AllowHalt(unittest.TestCase):
    def top(self, wire, *more):
        return mprof("top", "--elf", ELF, "--gdb", f":{wire.port}", "--format", "json", *more,
                     timeout=HANG_S)

    def test_not_allowed(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            with Disguise(qemu.gdb_port) as wire:
                done = self.top(wire)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertIn("reads memory only while the core is halted; --allow-halt lets mprof "
                              "halt it for some milliseconds at every refresh", done.stderr)
                self.assertIsNone(wire.since)
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def check_duty(self, option, duty):
        with Rig(ELF, qemu_gdb=True) as qemu:
            before = qemu.wait(lambda stat: stat["running"])
            with Disguise(qemu.gdb_port) as wire:
                done = self.top(wire, option, "-d", "0.01", "-n", "8")
                self.assertEqual(done.returncode, 0, done.stderr)
                link = json_lines(done.stdout)[-1]["link"]
                self.assertFalse(link["live"])
                after = qemu.stat()
                self.assertEqual(link["halts"], wire.halts)
                self.assertEqual(link["halts"], after["halts"] - before["halts"])
                self.assertGreater(link["halts"], 8)
                self.assertLessEqual(wire.share, 1.1 * duty)
                # What mprof counts begins before the server hears of it, and ends after.
                self.assertLess(wire.halted_s * 1e3, 1.1 * link["halted_ms"] + 2)
                self.assertLess(after["halted_ms"] - before["halted_ms"],
                                1.1 * link["halted_ms"] + 2)
                self.assertGreater(link["halted_share"], 0.8 * wire.share)
                self.assertIsNone(wire.since)
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def test_share_of_time(self):
        self.check_duty("--allow-halt=0.1", 0.1)

    def test_share_in_percent(self):
        self.check_duty("--allow-halt=20%", 0.2)

    def test_simulator_needs_no_leave(self):
        with Rig(ELF, qemu_gdb=True) as qemu, Wire(qemu.gdb_port) as wire:
            done = self.top(wire)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(json_lines(done.stdout)[-1]["link"]["halts"], 3)


if __name__ == "__main__":
    unittest.main()
