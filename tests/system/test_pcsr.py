# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware without a stub: samples by DWT_PCSR, through a real OpenOCD."""

import collections
import json
import unittest

from case import Case
from pcsr import DEMCR, TRCENA, TRUE, build
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, mprof, sampled, start, stop, symbols, wait_for


# As many as cli/sampler/taken/pcsr.c reads to find out whether it answers.
PROBE_READS = 16


class Pcsr(Case):
    def looks(self, rig, elf, *words, error=""):
        done = mprof("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}", "--link-share",
                     "1", "--format", "json", "-n", "2", "-d", "0.4", *words)
        self.assertEqual((done.returncode, done.stderr[:len(error) or None]), (0, error))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def is_right(self, rig, elf, before, look, extra=PROBE_READS):
        """Each function has the samples that the core was in it, but for at most extra that were read for something
        else: to find out whether DWT_PCSR answers. before: what was read earlier. Where the core was is the machine's
        affair: a busy one gives it little time between two."""
        read, table = collections.Counter(rig.pcs()), symbols(elf)
        read.subtract(before)
        rows = {row["function"]: row["hits"] for row in look["rows"]}
        left = sum(read.values()) - sum(rows.values())
        self.assertIn(left, range(1, extra + 1), (read, rows))
        self.assertLessEqual(set(rows), {*TRUE, "main"})
        for name in TRUE:
            addr, size = table[name]
            there = sum(count for pc, count in read.items() if pc & ~1 in range(addr, addr + size))
            self.assertIn(there - rows.get(name, 0), range(left + 1), (name, read, rows))

    def test_samples(self):
        elf = build(self.folder)
        with Rig(elf, options=["--pcsr"]) as rig, Tcl(rig.tcl_port) as tcl:
            demcr = tcl.read(DEMCR)[0] & ~TRCENA
            tcl.write(DEMCR, [demcr])
            wait_for("the program", lambda: {row["function"] for row in self.looks(rig, elf)[-1]["rows"]} & set(TRUE))
            before = rig.pcs()
            look = self.looks(rig, elf)[-1]
            self.is_right(rig, elf, before, look)
            self.assertEqual(tcl.read(DEMCR), [demcr])
            self.assertEqual((look["sampler"], look["link"]["halts"]), ("pcsr", 0))
            self.assertEqual(look["sampler_reason"], "no stub in bare.elf; DWT_PCSR answers")
            self.assertGreater(look["batches"], 1)
            self.assertGreaterEqual(look["variance_factor"], 1)
            self.keeps_factor(rig, elf)
            self.is_put_back(rig, elf, tcl, demcr)
            tcl.write(DEMCR, [demcr | TRCENA])
            before = rig.pcs()
            burst = self.looks(rig, elf, "--sampler", "pcsr", "--burst")[-1]
            self.assertEqual(burst["sampler_reason"], "as given by --sampler")
            self.assertGreaterEqual(burst["hits"], 1024)
            # OpenOCD reads some more each time.
            self.is_right(rig, elf, before, burst, PROBE_READS + 2 * burst["batches"])
            self.assertEqual(tcl.read(DEMCR), [demcr | TRCENA])
            word_by_word = self.looks(rig, elf, "--tcl", "none")[-1]
            self.assertEqual(word_by_word["sampler"], "pcsr")
            self.assertGreater(word_by_word["hits"], 0)
            self.assertEqual(rig.stat()["halts"], self.halts_of_gdb_port(rig))
            tcl.halt()
            halted = self.looks(rig, elf)[-1]
            self.assertEqual((halted["hits"], halted["link"]["state"]), (0, "HALTED"))
            self.assertFalse(rig.stat()["running"])

    def keeps_factor(self, rig, elf):
        """Intervals of a file are as wide as those of the target."""
        path = self.folder / "a.pb.gz"
        done = mprof("snapshot", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}", "--duration",
                     "0.3", "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = json.loads(mprof("report", path, "--format", "json").stdout)
        self.assertGreater(file["batches"], 0)
        self.assertGreater(file["variance_factor"], 1)
        text = mprof("report", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}").stdout
        self.assertIn("\nsampler pcsr: no stub in bare.elf; DWT_PCSR answers\n", text)

    def is_put_back(self, rig, elf, tcl, demcr):
        """Also when a signal ends it."""
        top = start("top", "--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}", "--format", "json",
                    "-n", "1000000", "-d", "0.1")
        try:
            top.stdout.readline()
            self.assertEqual(tcl.read(DEMCR), [demcr | TRCENA])
            top.terminate()
            top.wait(timeout=HANG_S)
        finally:
            stop(top)
        self.assertEqual(tcl.read(DEMCR), [demcr])

    @staticmethod
    def halts_of_gdb_port(rig):
        """Connecting to it halts the core; nothing else here does."""
        return min(rig.stat()["halts"], 1)

    def test_no_pcsr(self):
        elf = build(self.folder)
        with Rig(elf) as rig:
            done = mprof("report", "--elf", elf, "--tcl", f":{rig.tcl_port}")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"^mprof: .*bare\.elf has no stub \(s_prof\), and the core has no DWT_PCSR "
                                          r"\(it reads 0x00000000\): --allow-halt samples by short halts; or link the "
                                          r"stub \(target-stub/\)\n$")
            self.assertEqual(rig.stat()["halts"], 0)
            for words, reason in (([], "--allow-halt is given; no stub in bare.elf, the core has no DWT_PCSR "),
                                  (["--stacks"], "--stacks is given, and only halts have stacks")):
                look = self.looks(rig, elf, "--allow-halt=50%", *words, error="mprof: samples halt the core")[-1]
                self.assertEqual(look["sampler"], "halt")
                self.assertIn(reason, look["sampler_reason"])
                self.assertTrue(rig.stat()["running"])
            self.assertEqual(mprof("report", "--elf", elf, "--tcl", f":{rig.tcl_port}", "--stacks").returncode, 1)
            done = mprof("control", "--elf", elf, "--tcl", f":{rig.tcl_port}")
            self.assertIn("link the stub", done.stderr)

    def test_stub(self):
        """Where there is a stub, it is read."""
        elf = FIRMWARE / "cortex-m3.elf"
        with Rig(elf, options=["--pcsr"]) as rig:
            sampled(elf, 1, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            look = self.looks(rig, elf)[-1]
            self.assertEqual((look["sampler"], look["sampler_reason"]), ("table", "s_prof is in cortex-m3.elf"))
            self.assertIsNone(look["batches"])


if __name__ == "__main__":
    unittest.main()
