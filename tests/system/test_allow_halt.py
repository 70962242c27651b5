# SPDX-License-Identifier: GPL-3.0-or-later
"""Servers that read memory only while the core is halted: only where it is allowed, for so long as is
allowed, and shown. The server is QEMU in disguise: a proxy hides what tells that it is a simulator,
and keeps count of the halts.

Nothing here depends on how fast anything is: what happens in between is no longer than the whole."""

import time
import unittest

from rig import Rig
from support import FIRMWARE, json_lines, mprof, qemu_runs, sampled, start, stop
from wire import Wire

ELF = FIRMWARE / "cortex-m3.elf"
SIMULATOR = b"$ENABLE=1,NOIRQ=2,NOTIMER=4#"
DELAY_S = 0.0005
ROUNDING_MS = 0.01


class Disguise(Wire):
    """The meter: a halt begins with a stop reply, and ends with a request to go on. Each way takes
    longer, as with a probe: without a limit the core would be halted for most of the time."""

    def __init__(self, port):
        self.halts = 0
        self.halted_s = 0.0
        self.since = None
        super().__init__(port, self._meter)

    def _meter(self, is_ours, data):
        time.sleep(DELAY_S)
        now = time.monotonic()
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


class AllowHalt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.qemu = Rig(ELF, qemu_gdb=True).start()
        cls.addClassCleanup(cls.qemu.stop)
        sampled(ELF, 1, "--gdb", f":{cls.qemu.gdb_port}")

    def arguments(self, wire, *more):
        return "top", "--elf", ELF, "--gdb", f":{wire.port}", "--format", "json", "-d", "0.01", *more

    def test_not_allowed(self):
        with Disguise(self.qemu.gdb_port) as wire:
            done = mprof(*self.arguments(wire))
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn("reads memory only while the core is halted; --allow-halt lets mprof "
                          "halt it for some milliseconds at every refresh", done.stderr)
            self.assertIsNone(wire.since)
        self.assertTrue(qemu_runs(self.qemu.gdb_port))

    def check_duty(self, option, duty):
        before = self.qemu.stat()
        with Disguise(self.qemu.gdb_port) as wire:
            done = mprof(*self.arguments(wire, option, "-n", "8"))
            self.assertEqual(done.returncode, 0, done.stderr)
            links = [line["link"] for line in json_lines(done.stdout)]
            after = self.qemu.stat()
            self.assertIsNone(wire.since)
        self.check_pauses(links, duty)
        last = links[-1]
        self.assertFalse(last["live"])
        self.assertGreater(last["halts"], 8)
        self.assertEqual(last["halts"], wire.halts)
        self.assertEqual(last["halts"], after["halts"] - before["halts"])
        # What mprof counts begins before the server hears of it, and ends when it was told to resume.
        # (QEMU acknowledges that, and may get no time to do it.)
        self.assertLessEqual(wire.halted_s * 1e3, last["halted_ms"] + ROUNDING_MS)
        self.assertTrue(qemu_runs(self.qemu.gdb_port))

    def check_pauses(self, links, duty):
        """Before a halt for numbers, those up to then took no more than their part of the time."""
        for earlier, later in zip(links, links[1:]):
            age_ms = later["halted_ms"] / later["halted_share"]
            halt_ms = later["halted_ms"] - earlier["halted_ms"]
            self.assertGreater(halt_ms, 0)
            self.assertLessEqual(earlier["halted_ms"], duty * (age_ms - halt_ms) * 1.001)

    def test_part_of_the_time(self):
        self.check_duty("--allow-halt=0.3", 0.3)

    def test_part_in_percent(self):
        self.check_duty("--allow-halt=40%", 0.4)

    def test_long_pause_is_said(self):
        """Without a screen nothing else tells why nothing is printed."""
        with Disguise(self.qemu.gdb_port) as wire:
            process = start(*self.arguments(wire, "--allow-halt=0.0001"))
            try:
                self.assertRegex(process.stderr.readline(), r"^mprof: the next refresh is in \d+ s: "
                                 r"each halts the target, and --allow-halt=0\.0001 allows 0\.01%")
                process.terminate()
                self.assertEqual(process.stdout.read(), "")
            finally:
                stop(process)
        self.assertTrue(qemu_runs(self.qemu.gdb_port))

    def test_link_is_left_to_others(self):
        """Polls take at most a quarter of the time, or as --link-share says, however short --delay is."""
        for share, option in ((0.25, ()), (0.5, ("--link-share=50%",))):
            with Wire(self.qemu.gdb_port, self.slowly) as wire:
                begin = time.monotonic()
                done = mprof(*self.arguments(wire, "-n", "6", *option))
                passed_ms = (time.monotonic() - begin) * 1e3
            links = [line["link"] for line in json_lines(done.stdout)]
            polls = [link["poll_ms"] for link in links]
            pauses = [min(pair) * (1 / share - 1) for pair in zip(polls, polls[1:-1])]
            self.assertGreaterEqual(passed_ms, sum(polls) + sum(pauses))
            self.assertGreaterEqual(links[-1]["slow_period_ms"], min(polls) / share)

    @staticmethod
    def slowly(is_ours, data):
        time.sleep(0 if is_ours else 0.01)
        return data

    def test_simulator_needs_no_leave(self):
        with Wire(self.qemu.gdb_port) as wire:
            done = mprof(*self.arguments(wire))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater(json_lines(done.stdout)[-1]["link"]["halts"], 3)


if __name__ == "__main__":
    unittest.main()
