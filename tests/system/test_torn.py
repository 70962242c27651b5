# SPDX-License-Identifier: GPL-3.0-or-later
"""A core that replaces rows all the time is read over a link: no row that is accepted is torn.

usage: test_torn.py TORN_READER CHURN_ELF
"""

import json
import subprocess
import sys
import tempfile
import unittest

from rig import Rig, Tcl
from support import HANG_S, count, environment, symbols, wait_for

READER, ELF = sys.argv[1:]
TABLE = symbols(ELF)["s_prof"][0]
SLOW = symbols(ELF)["churn_slow"][0]
MAGIC = 0x6672706d


def read(kind, address, reads):
    run = subprocess.run([READER, kind, str(address), hex(TABLE), str(reads)], text=True,
                         capture_output=True, timeout=HANG_S, env=environment())
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    print(f"{kind}, {reads} reads: {result}", flush=True)
    return result


class Torn(unittest.TestCase):
    def check(self, result):
        self.assertEqual(result["wrong"], 0)
        self.assertGreaterEqual(result["fresh"], 0.95 * result["rows"])
        self.assertGreater(result["generations"], 256, "rows must be replaced, not only filled")

    def test_halted_anywhere(self):
        """Each instruction is a block of its own to QEMU, so that a halt comes at any of them."""
        with Rig(ELF, qemu_gdb=True, qemu_args=["-singlestep"]) as rig:
            result = read("gdb", f":{rig.gdb_port}", count(2000, 100000))
        self.check(result)
        self.assertGreater(result["inside"], 0, "no halt came inside of an insertion")
        self.assertEqual(result["torn"], 0, "a core that stands still tears nothing")

    def test_while_it_runs(self):
        """One event in four milliseconds: a read over JTAG takes as long as several of them."""
        with Rig(ELF) as rig:
            with Tcl(rig.tcl_port) as tcl:
                # Its start clears what stands in RAM.
                wait_for("the firmware's start", lambda: tcl.read(TABLE)[0] == MAGIC)
                tcl.write(SLOW, [1])
            result = read("tcl", f":{rig.tcl_port}", count(100, 2000))
            self.assertEqual(rig.stat()["halts"], 0)
        self.check(result)
        self.assertGreater(result["torn"], 0)

    def test_as_fast_as_it_can(self):
        """Rows change many times under each read: what is accepted all the same is right."""
        with Rig(ELF) as rig:
            result = read("tcl", f":{rig.tcl_port}", count(20, 500))
        self.assertEqual(result["wrong"], 0)
        self.assertGreater(result["torn_lies"], 0, "nothing was there to be held back")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
