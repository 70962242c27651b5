# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of the guest: however mprof ends, the target is left as it was found."""

import random
import signal
import time
import unittest

from rig import Rig
from support import FIRMWARE, Gdb, count, json_lines, mprof, qemu_runs, start, stop

ELF = FIRMWARE / "cortex-m3.elf"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Guest(unittest.TestCase):
    def end_at_random_moments(self, port, runs, rounds):
        """Polls as fast as it goes, so that a signal often comes while the core is held."""
        chance = random.Random(7)
        link = ("top", "--elf", ELF, "--gdb", f":{port}", "-d", "0.01", "-n", "100000", "--format",
                "json")
        for i in range(rounds):
            number = SIGNALS[i % len(SIGNALS)]
            process = start(*link)
            try:
                process.stdout.readline()
                time.sleep(chance.uniform(0, 0.1))
                process.send_signal(number)
                process.communicate(timeout=20)
            finally:
                stop(process)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(qemu_runs(port), runs, f"round {i}, {signal.Signals(number).name}")

    def test_running_runs_again(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            self.end_at_random_moments(qemu.gdb_port, True, count(20, 200))

    def test_halted_stays_halted(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            link = ("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}", "--format", "json")
            self.assertGreater(json_lines(mprof(*link).stdout)[-1]["hits"], 0)
            gdb = Gdb(qemu.gdb_port)
            self.assertTrue(gdb.attach())
            gdb.close()
            self.end_at_random_moments(qemu.gdb_port, False, count(10, 200))

    def test_reader_that_leaves(self):
        """`mprof top | head -1`: the pipe breaks, the target runs."""
        with Rig(ELF, qemu_gdb=True) as qemu:
            process = start("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}", "-d", "0.01", "-n",
                            "100000", "--format", "json")
            try:
                process.stdout.readline()
                process.stdout.close()
                self.assertEqual(process.wait(20), 1)
            finally:
                process.kill()
                process.wait()
                process.stderr.close()
            self.assertTrue(qemu_runs(qemu.gdb_port))


if __name__ == "__main__":
    unittest.main()
