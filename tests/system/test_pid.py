# SPDX-License-Identifier: GPL-3.0-or-later
"""--pid on a program of this host that carries the stub: at fixed addresses, and wherever it was loaded."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from chance import plausible
from case import Case
from process import FIXED, OTHER, PIE, SHARES, Made, Process, Steady, loop
from support import HANG_S, MPROF, environment, json_lines, mprof, state, wait_for


class Numbers(unittest.TestCase):
    """Of a program that is really sampled, by a timer of the wall's time."""

    def refreshes(self, elf, process):
        """Three of them, or nothing when the program had no time to run before the last."""
        result = mprof("top", "--elf", elf, "--pid", process.pid, "--batch", "-n", "3", "-d", "0.1",
                       "--format", "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = json_lines(result.stdout)
        self.assertEqual(len(lines), 3)
        return lines if lines[-1]["rows"][0]["rate"] else None

    def shares(self, elf):
        with Process(elf) as process:
            process.sampled(2000)
            lines = wait_for("hits between refreshes", lambda: self.refreshes(elf, process))
            self.assertIsNone(process.process.poll())
            table = mprof("top", "--elf", elf, "--pid", process.pid, "--batch", "-n", "1").stdout
        link = lines[-1]["link"]
        self.assertEqual((link["kind"], link["address"], link["state"], link["halts"]),
                         ("process", f"PID {process.pid}", "RUNNING", 0))
        self.assertEqual(link["target"], elf.name[:15])
        # Two samples are many turns apart, of which each is chosen by chance (process.c).
        hits = {row["function"]: row["hits"] for row in lines[-1]["rows"]}
        total = sum(hits[name] for name, _ in SHARES)
        self.assertGreaterEqual(total, 1800)
        for name, share in SHARES:
            self.assertTrue(plausible(hits[name], total, share), hits)
        self.assertEqual({row["file"].rpartition("/")[2] for row in lines[-1]["rows"][:3]}, {"process.c"})
        self.assertGreater(lines[-1]["rows"][0]["rate"], 0)
        self.assertRegex(table, rf"^mprof top   {elf.name} [0-9a-f]{{7}} \(= program\) ")
        return lines[-1]["rows"][0]

    def test_fixed_addresses(self):
        self.assertLess(int(self.shares(FIXED)["address"], 16), 1 << 32)

    def test_position_independent(self):
        self.assertGreater(int(self.shares(PIE)["address"], 16), 1 << 32)

    def test_stopped_by_somebody(self):
        with Steady(PIE) as process:
            process.process.send_signal(signal.SIGSTOP)
            wait_for("the stop", lambda: state(process.pid) == "T")
            first, second = process.report(), process.report()
            self.assertEqual(first["link"]["state"], "HALTED")
            self.assertEqual(first["rows"], second["rows"])
            self.assertEqual(state(process.pid), "T")
            process.process.send_signal(signal.SIGCONT)
            wait_for("the program goes on", lambda: process.report()["hits"] > second["hits"])

    def test_report(self):
        """One profile, and nothing in it that takes two."""
        with Made(PIE, {loop(PIE, "work_a"): 300}) as process:
            report = process.report()
            self.assertEqual({row["rate"] for row in report["rows"]}, {None})
            link = ("report", "--elf", PIE, "--pid", process.pid)
            heading = mprof(*link).stdout.splitlines()[5].split()
            self.assertEqual(heading[:2], ["SHARE", "+/-"])
            self.assertNotIn("NOW", heading)
            result = mprof(*link, "-f", "function,recent,rate", "--limit", "1")
            self.assertRegex(result.stdout, r"(?m)^work_a +- +-$")
            result = mprof(*link, "--by", "line", "-s", "hits", "-f", "location,hits")
            self.assertRegex(result.stdout, r"(?m)^process\.c:\d+ +\d+$")
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder, "out")
                self.assertEqual(mprof(*link, "-o", out).stdout, "")
                self.assertIn("work_a", out.read_text(encoding="utf-8"))
            self.assertEqual(mprof(*link, "-o", "/dev/full").returncode, 1)
            for option in (("-n", "1"), ("-d", "1"), ("--batch",)):
                result = mprof(*link, *option)
                self.assertEqual(result.returncode, 2)
                self.assertIn("is an option of 'mprof top'", result.stderr)
            self.assertNotIn("--delay", mprof("report", "--help").stdout)

    def test_lost(self):
        """100 blocks in 64 rows: one line says what to build, and no line without losses."""
        advice = (r"(?m)^(mprof: )?\d\d\.\d % lost: the table is full\. MPROF_CNT (128|256|512|1024) "
                  r"\(\+[\d.]+ kB\)$")  # no histogram: the program moves
        with Made(OTHER, {("work_a", 16 * i): 10 for i in range(64)}) as process:
            link = ("--elf", OTHER, "--pid", process.pid)
            self.assertNotIn("% lost", mprof("report", *link).stdout)
            process.feed({("work_a", 16 * i): 10 for i in range(64, 100)})
            report = mprof("report", *link).stdout
            self.assertEqual(len(re.findall(advice, report)), 1, report)
            self.assertEqual(len(re.findall("lost", report)), 2, report)  # and how many
            with tempfile.TemporaryDirectory() as folder:
                saved = mprof("snapshot", *link, "-o", f"{folder}/a.pb.gz")
                of_file = mprof("report", f"{folder}/a.pb.gz").stdout
            self.assertEqual((saved.returncode, len(re.findall(advice, saved.stderr))), (0, 1), saved)
            self.assertRegex(of_file, r"(?m)^\d\d\.\d % lost: the table is too small\. Build with a "
                                      r"larger MPROF_CNT$")


class OneLine(Case):

    def test_not_this_elf(self):
        with Made(PIE) as process:
            self.refused(mprof("report", "--elf", OTHER, "--pid", process.pid), str(OTHER))
            self.refused(mprof("report", "--elf", FIXED, "--pid", process.pid), str(FIXED),
                         "not the running program")
        with Made(FIXED) as process:
            self.refused(mprof("report", "--elf", PIE, "--pid", process.pid), str(PIE))

    def test_not_permitted(self):
        """Another user's process, or (without being root) that of root."""
        if os.getuid() != 0:
            self.refused(mprof("report", "--elf", PIE, "--pid", 1), "PID 1", "no permission to read", "sudo")
            return
        with Made(PIE) as process, tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copies = [shutil.copy(path, folder) for path in (MPROF, PIE)]
            result = subprocess.run([copies[0], "report", "--elf", copies[1], "--pid",
                                     str(process.pid)], capture_output=True, text=True, timeout=HANG_S,
                                    user=65534, group=65534, extra_groups=(), env=environment(),
                                    stdin=subprocess.DEVNULL, cwd="/")
        self.refused(result, f"PID {process.pid}", "no permission to read", "sudo")


if __name__ == "__main__":
    unittest.main()
