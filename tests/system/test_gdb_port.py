# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenOCD by its gdb port alone: one halt by connecting, and polls of the rows in use."""

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
            # What is in use is not known before the first one, which the first poll follows. On a slow
            # link each may be the first of several pieces.
            lengths = [int(data.partition(b"$m%x," % address)[2].partition(b"#")[0], 16)
                       for data in (first, *polls)]
            self.assertEqual(len(polls), POLLS)
            self.assertLessEqual(lengths[0], 512)
            self.assertLess(max(lengths[1:]), min(400, size))
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
