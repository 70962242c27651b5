# SPDX-License-Identifier: GPL-3.0-or-later
"""A core that replaces rows all the time is read over a link: no row that is accepted is torn.

usage: test_torn.py TORN_READER CHURN_ELF
"""

import json
import subprocess
import sys
import unittest

from rig import Rig, Tcl
from support import HANG_S, count, counted, environment, symbols, wait_for

READER, ELF = sys.argv[1:]
TABLE = symbols(ELF)["s_prof"][0]
SLOW = symbols(ELF)["churn_slow"][0]
MAGIC = 0x6672706d


def read(kind, address, reads, until):
    """At least so many reads, until a row was held back for that reason."""
    run = subprocess.run([READER, kind, str(address), hex(TABLE), str(reads), until], text=True,
                         capture_output=True, timeout=HANG_S, env=environment())
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    print(f"{kind}, {reads} reads: {result}", flush=True)
    return result


def slow_down(rig):
    """One event in four milliseconds from now on."""
    with Tcl(rig.tcl_port) as tcl:
        # Its start clears what stands in RAM.
        wait_for("the firmware's start", lambda: tcl.read(TABLE)[0] == MAGIC)
        tcl.write(SLOW, [1])


class Torn(unittest.TestCase):
    def check(self, result, how):
        self.assertEqual(result["wrong"], 0)
        self.assertGreater(result["fresh"], 0)
        counted(f"{result['rows']} rows read {how}, {result['rows'] - result['fresh']} held back, "
                "0 wrong ones taken")

    def test_halted_anywhere(self):
        """Each instruction is a block of its own to QEMU, so that a halt comes at any of them."""
        with Rig(ELF, qemu_gdb=True, qemu_args=["-singlestep"]) as rig:
            result = read("gdb", f":{rig.gdb_port}", count(500, 100000), "inside")
        self.check(result, "by halts")
        self.assertEqual(result["torn"], 0, "a core that stands still tears nothing")
        # Of a table at most one row is being written.
        self.assertGreaterEqual(result["fresh"], 0.95 * result["rows"])

    def test_while_it_runs(self):
        """One event in four milliseconds: a read over JTAG takes as long as several of them."""
        with Rig(ELF) as rig:
            slow_down(rig)
            result = read("tcl", f":{rig.tcl_port}", count(40, 2000), "torn")
            self.assertEqual(rig.stat()["halts"], 0)
        self.check(result, "while the core runs slowly")

    def test_as_fast_as_it_can(self):
        """Rows change many times under each read: what is accepted all the same is right."""
        with Rig(ELF) as rig:
            # All that happened up to the last read is replayed, which takes as long as it took here.
            slow_down(rig)
            with Tcl(rig.tcl_port) as tcl:
                tcl.write(SLOW, [0])
            result = read("tcl", f":{rig.tcl_port}", count(3, 500), "torn_lies")
        self.assertEqual(result["wrong"], 0)
        counted(f"{result['rows']} rows read while the core runs fast, {result['torn_lies']} false ones "
                "held back, 0 wrong ones taken")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
