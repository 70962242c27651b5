# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples that come with the firmware's own tick are shown as what they are.

usage: test_locked.py TICK_LOCKED_ELF
"""

import json
import sys
import unittest

from rig import Rig
from support import mprof, sampled

ELF, = sys.argv[1:]


class Locked(unittest.TestCase):
    def test_no_interval_and_a_warning(self):
        with Rig(ELF, qemu_gdb=True, icount=4) as qemu:
            link = ["--gdb", f":{qemu.gdb_port}"]
            sampled(ELF, 200, *link)
            shown = json.loads(mprof("report", "--elf", ELF, *link, "--format", "json").stdout)
            text = mprof("report", "--elf", ELF, *link).stdout
        self.assertIs(shown["tick_locked"], True)
        top = shown["rows"][0]
        # It takes 30 % of the time, and ends before each tick.
        self.assertLess(sum(r["share"] for r in shown["rows"] if r["function"] == "task"), 0.05)
        self.assertEqual((top["low"], top["high"]), (None, None))
        self.assertIn("LOCKED TO THE FIRMWARE'S TICK: shares are misleading", text)
        self.assertRegex(text, r"(?m)^ *\d+\.\d +- +\|#+ ")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
