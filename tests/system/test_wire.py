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

from rig import Rig, RigError, Tcl
from support import FIRMWARE, HANG_S, Gdb, count, environment

LINKS = sys.argv[1]
ELF = FIRMWARE / "cortex-m3-many.elf"
BASE = 0  # of the code, in the target
SEEDS = count(4, 40)

# Every fault that any wire can have; and those of packets of gdb's kind.
HARMLESS = ("none", "delay", "split", "merge")
DAMAGE = ("flip", "drop", "double", "silent", "close")
REPAIRED = ("nak", "console")
PACKETS = REPAIRED + ("stop",)

OK = 0


def code_of(folder):
    """The bytes of the ELF's code, as a file."""
    path = os.path.join(folder, "code.bin")
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", str(ELF), path],
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

    def check_link(self, kind, server, faults, runs, restore, may_stay=("stop",)):
        """runs(): whether the core runs now. restore(): lets it run. may_stay: faults after which it
        may stand still without a word."""
        tally = {}
        wrong = []
        for fault in faults:
            for outcome in self.outcomes(kind, server, fault):
                problem = self.judge(outcome, fault)
                told = "HALTED" in outcome["text"]
                if not runs():
                    if not told and fault not in may_stay:
                        problem = problem or "left halted without a word"
                    restore()
                if problem:
                    wrong.append((problem, outcome))
                counts = tally.setdefault(fault, [0, 0, 0])
                counts[0] += 1
                counts[1] += outcome["code"] != OK
                counts[2] += told
        print(f"{kind}: cases, errors, warnings that it may be halted: {tally}", flush=True)
        self.assertFalse(wrong, "\n".join(map(str, wrong)))
        return tally

    def test_qemu(self):
        with Rig(ELF, qemu_gdb=True) as rig:
            self.check_link("gdb", f"127.0.0.1:{rig.gdb_port}", HARMLESS + DAMAGE + PACKETS,
                            lambda: comes_to_run(rig), lambda: resume_qemu(rig),
                            # A second last byte of "c" halts it again, as any byte does, and looks
                            # like a pause by its user.
                            may_stay=("stop", "double"))

    def test_openocd(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            for kind, port, faults in (("tcl", rig.tcl_port, HARMLESS + DAMAGE),
                                       ("gdb", rig.gdb_port, HARMLESS + DAMAGE + PACKETS)):
                tally = self.check_link(kind, f"127.0.0.1:{port}", faults,
                                        lambda: comes_to_run(rig), tcl.resume)
                self.assertGreater(tally["silent"][1], 0)
            # An empty answer of the server is what tells that it still serves.
            self.assertEqual(tcl("expr 1"), "1")


def comes_to_run(rig):
    """The rig hears of it a moment later."""
    try:
        return rig.wait(lambda stat: stat["running"], 0.5)
    except RigError:
        return False


def resume_qemu(rig):
    gdb = Gdb(rig.gdb_port)
    gdb.send("D")
    while gdb.packet() not in ("OK", None):
        pass
    gdb.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
