# SPDX-License-Identifier: GPL-3.0-or-later
"""Every link over a faulty wire: the right data or an error that names it, never wrong numbers, never a hang, and the
core is left as it was found wherever it could be told to go on.

usage: test_wire.py WIRE_LINKS
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, Gdb, count, counted, environment, farewell, side_by_side, wait_for

LINKS = sys.argv[1]
ELF = FIRMWARE / "cortex-m3-many.elf"
BASE = 0  # of the code, in the target
SEEDS = count(2, 40)
RIGS = 4

# Every fault that any wire can have; and those of packets of gdb's kind.
HARMLESS = ("none", "delay", "split", "merge")
DAMAGE = ("flip", "drop", "double", "silent", "close")
REPAIRED = ("nak", "console")
PACKETS = REPAIRED + ("stop",)

OK = 0


def code_of(folder):
    """What the ELF has in flash, from address 0, as a file."""
    path = os.path.join(folder, "code.bin")
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "-R", ".data", str(ELF), path],
                   check=True)
    return path


class Wire(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.code = code_of(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def outcomes(self, kind, server, fault):
        """One by one, so that the target can be looked at behind each."""
        for seed in range(1, SEEDS + 1):
            run = subprocess.run([LINKS, kind, server, self.code, hex(BASE), fault, str(seed),
                                  str(seed)], text=True, capture_output=True,
                                 timeout=HANG_S, env=environment())
            self.assertEqual(run.returncode, 0, (kind, fault, seed, run.stderr))
            yield json.loads(run.stdout)

    @staticmethod
    def judge(outcome, fault):
        """What is wrong with it, or nothing."""
        if outcome["wrong"]:
            return "wrong numbers"
        if outcome["slowest_s"] > HANG_S:
            return "hung"
        if outcome["code"] != OK and not re.match(r"\S+: \S", outcome["text"]):
            return "an error without a name"
        if fault in HARMLESS + REPAIRED and (outcome["code"], outcome["right"]) != (OK, 6):
            return "failed where nothing was lost"
        return None

    def check_fault(self, kind, rig, fault, restore, tally, may_stay):
        """restore(): lets the core run. may_stay: faults after which it may stand still without a
        word."""
        port = rig.tcl_port if kind == "tcl" else rig.gdb_port
        wrong = []
        for outcome in self.outcomes(kind, f"127.0.0.1:{port}", fault):
            problem = self.judge(outcome, fault)
            told = "HALTED" in outcome["text"]
            # The guardian's connection too: QEMU halts when it sees it, be that after the wire's end.
            farewell(rig.gdb_port)
            if told or fault in may_stay:
                restore()
            # The server may still be on its way to a resume that it was told.
            wait_for(f"the core runs after {outcome}", lambda: rig.stat()["running"])
            farewell(rig.gdb_port)
            if problem:
                wrong.append((problem, outcome))
            counts = tally.setdefault(f"{kind} {fault}", [0, 0, 0])
            counts[0] += 1
            counts[1] += outcome["code"] != OK
            counts[2] += told
        self.assertFalse(wrong, "\n".join(map(str, wrong)))

    def tell(self, tallies):
        """All that was counted, in one table."""
        tally = {name: counts for each in tallies for name, counts in each.items()}
        cases, errors, told = (sum(counts[i] for counts in tally.values()) for i in range(3))
        print(f"cases, errors, warnings that it may be halted: {tally}", flush=True)
        counted(f"{cases} cases of {len(tally)} faults, {errors} errors, {told} warnings that it may be "
                "halted, 0 wrong numbers, 0 cores left halted without a word")
        return tally

    def test_qemu(self):
        def check(faults):
            tally = {}
            with Rig(ELF, qemu_gdb=True) as rig:
                for fault in faults:
                    # A second last byte of "c" halts it again, as any byte does, and looks like a
                    # pause by its user.
                    self.check_fault("gdb", rig, fault, lambda: resume_qemu(rig), tally,
                                     ("stop", "double"))
            return tally
        self.tell(side_by_side(check, shares_of(HARMLESS + DAMAGE + PACKETS)))

    def test_openocd(self):
        def check(cases):
            tally = {}
            with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
                for kind, fault in cases:
                    self.check_fault(kind, rig, fault, lambda: resume_openocd(tcl), tally, ("stop",))
                # An empty answer of the server is what tells that it still serves.
                self.assertEqual(tcl("expr 1"), "1")
            return tally
        tally = self.tell(side_by_side(check, shares_of(
            [("tcl", fault) for fault in HARMLESS + DAMAGE] +
            [("gdb", fault) for fault in HARMLESS + DAMAGE + PACKETS])))
        for kind in ("tcl", "gdb"):
            self.assertGreater(tally[f"{kind} silent"][1], 0)


def shares_of(cases):
    """A part of the cases for each of some rigs that run side by side: most of the time is waited."""
    return [cases[i::RIGS] for i in range(RIGS)]


def resume_openocd(tcl):
    """If it is halted. OpenOCD looks first, also at a client that has come and gone meanwhile."""
    tcl("poll")
    tcl("poll")
    if tcl.state() == "halted":
        tcl.resume()


def resume_qemu(rig):
    """If it is halted. What comes while its machine runs halts it, and is lost."""
    def runs():
        if rig.stat()["running"]:
            return True
        gdb = Gdb(rig.gdb_port)
        gdb.send("D")
        while gdb.packet(1) not in ("OK", None):
            pass
        gdb.close()
        farewell(rig.gdb_port)
        return False
    wait_for("a machine that runs", runs)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
