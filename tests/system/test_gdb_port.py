# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenOCD by its gdb port alone: one halt by connecting, and one round trip a poll."""

import unittest

from rig import Rig
from support import FIRMWARE, json_lines, mprof, sampled, symbols
from wire import Wire, link_tool

ELF = FIRMWARE / "cortex-m3.elf"
POLLS = 5


class GdbPort(unittest.TestCase):
    def test_round_trips(self):
        address, size = symbols(ELF)["s_prof"]
        with Rig(ELF) as rig, Wire(rig.gdb_port) as wire:
            # Before, mprof would look more often.
            sampled(ELF, 1, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            before = rig.stat()["halts"]
            done = mprof("top", "--elf", ELF, "--gdb", f":{wire.port}", "--tcl", "none", "-d",
                         "0.05", "-n", POLLS, "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = json_lines(done.stdout)
            self.assertTrue(lines[-1]["link"]["live"])
            first, *polls = [data for data in wire.reads() if b"$m%x," % address in data]
            # What is in use is not known before the first one.
            self.assertIn(b",%x#" % size, first)
            self.assertEqual([data.count(b"$") for data in (first, *polls)], [1] * POLLS)
            # A poll is longer when the one before has found a new row.
            lengths = [int(data.partition(b",")[2].partition(b"#")[0], 16) for data in polls]
            self.assertEqual(lengths, sorted(lengths))
            self.assertLess(lengths[-1], 400)
            self.assertEqual(rig.stat()["halts"] - before, lines[-1]["link"]["halts"])
            self.assertEqual(lines[-1]["link"]["halts"], 1)

    def test_large_reads(self):
        """More than a packet holds: as by small reads."""
        with Rig(ELF) as rig:
            step, steps = 4096, 5
            done = link_tool(f":{rig.gdb_port}", f"read=0,{step * steps}",
                             *[f"read={i * step:#x},{step}" for i in range(steps)])
            self.assertEqual(done.stderr, "")
            whole, *parts = done.stdout.split()
            self.assertEqual(whole, "".join(parts))
            self.assertGreater(len(set(parts)), 1)


if __name__ == "__main__":
    unittest.main()
