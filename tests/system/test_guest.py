# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of the guest: however mprof ends, the target is left as it was found."""

import os
import random
import signal
import time
import unittest

from rig import Rig
from stream import between
from support import (FIRMWARE, HANG_S, FakeServer, Gdb, count, counted, qemu_runs, sampled,
                     start, state, stop, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


# One way through a slow link.
DELAY_S = count(0.001, 0.003)


def slow_proxy(port):
    """Passes bytes on to a port, DELAY_S late each way."""
    def late(data):
        time.sleep(DELAY_S)
        return data
    return lambda client: between(client, port, late, late)


class Guest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.qemu = Rig(ELF, qemu_gdb=True).start()
        cls.addClassCleanup(cls.qemu.stop)
        sampled(ELF, 1, "--gdb", f":{cls.qemu.gdb_port}")

    def top(self, port=None, **more):
        """mprof that polls as fast as it goes, so that a signal often comes while the core is held."""
        return start("top", "--elf", ELF, "--gdb", f":{port or self.qemu.gdb_port}", "-d", "0.01",
                     "-n", "1000000", "--format", "json", **more)

    def end_at_random_moments(self, runs, rounds, over=None):
        chance = random.Random(7)
        for i in range(rounds):
            number = SIGNALS[i % len(SIGNALS)]
            process = self.top(over)
            try:
                self.assertIn("rows", process.stdout.readline())
                time.sleep(chance.uniform(0, 0.1))
                process.send_signal(number)
                process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            self.assertEqual(process.returncode, -number)
            self.qemu.is_left(runs, f"round {i}, {signal.Signals(number).name}")
        counted(f"{rounds} ends by {len(SIGNALS)} signals{' on a slow link' if over else ''}, the core "
                f"{'ran' if runs else 'stood still'} each time")

    def test_running_runs_again(self):
        self.end_at_random_moments(True, count(12, 200))

    def test_slow_link_runs_again(self):
        """Where the core is held for most of the time, and a poll takes longer than the delay."""
        with FakeServer(slow_proxy(self.qemu.gdb_port)) as proxy:
            self.end_at_random_moments(True, count(6, 100), proxy.port)

    def test_halted_stays_halted(self):
        gdb = Gdb(self.qemu.gdb_port)
        self.assertTrue(gdb.attach())
        gdb.close()
        try:
            self.end_at_random_moments(False, count(8, 200))
        finally:
            gdb = Gdb(self.qemu.gdb_port)
            self.assertFalse(gdb.attach())
            gdb.detach()

    def test_suspended_in_the_middle(self):
        """Ctrl-Z at any moment, half of them while it connects, on a link so slow that the core is held for long:
        it runs meanwhile."""
        chance = random.Random(11)
        rounds = count(8, 100)
        with FakeServer(slow_proxy(self.qemu.gdb_port)) as proxy:
            for i in range(rounds):
                # A group of its own: the kernel stops no process of a group without a shell.
                process = self.top(proxy.port, preexec_fn=os.setpgrp)
                begin = time.monotonic()
                try:
                    if i % 2 == 0:
                        self.assertIn("rows", process.stdout.readline())
                        opening = time.monotonic() - begin
                    time.sleep(chance.uniform(0, opening if i % 2 else 0.1))
                    process.send_signal(signal.SIGTSTP)
                    wait_for("the stop", lambda p=process: state(p.pid) == "T")
                    self.qemu.is_left(True, f"round {i}")
                    process.send_signal(signal.SIGCONT)
                    process.send_signal(signal.SIGTERM)
                    process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                self.qemu.is_left(True, f"round {i}")
        counted(f"{rounds} suspensions on a slow link, the core ran each time, meanwhile and after")

    def test_reader_that_leaves(self):
        """`mprof top | head -1`: the pipe breaks, the target runs."""
        process = self.top()
        try:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(HANG_S), -signal.SIGPIPE)
        finally:
            process.kill()
            process.wait()
            process.stderr.close()
        self.assertTrue(qemu_runs(self.qemu.gdb_port))


if __name__ == "__main__":
    unittest.main()
