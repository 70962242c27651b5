# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof coverage: a process of two threads, calls of a target and of files, sums of files, the gate, and bad input."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from support import BUILD, environment, mprof

PROCESS = BUILD / "tests" / "system" / "coverage-process"
CALLS = BUILD / "tests" / "system" / "traced-exits"


class Coverage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, name, program, *words):
        """The file that its stub has kept."""
        path = self.folder / name
        subprocess.run([program, *words], env=environment() | {"MPROF_FILE": str(path)}, check=True)
        return path

    def coverage(self, *words, status=0):
        done = mprof("coverage", *words)
        self.assertEqual(done.returncode, status, (done.stdout, done.stderr))
        return done.stdout if status in (0, 3) else done.stderr

    def report(self, *words):
        return json.loads(self.coverage(*words, "--format", "json"))

    def refused(self, words, text, status=1):
        said = self.coverage(*words, status=status)
        self.assertIn(text, said)
        self.assertEqual(said.count("\n"), 1, said)

    def rows(self, report):
        return {row["function"]: row for row in report["rows"]}

    def info(self, name, *words):
        dump = self.run_program(name, PROCESS, *words)
        path = dump.with_suffix(".info")
        self.coverage("--elf", PROCESS, "--raw", dump, "--format", "lcov", "-o", path)
        return dump, path

    def test_threads_and_sums(self):
        dump, first = self.info("first")
        rows = self.rows(self.report("--elf", PROCESS, "--raw", dump))
        self.assertEqual([rows[name]["count"] for name in ("main", "one", "two", "in_thread", "never")],
                         [1, 10, 0, 0, 0])
        _, second = self.info("second", "thread")
        both = self.rows(self.report(first, second))
        self.assertEqual((both["one"]["blocks"], self.report(first)["blocks"]), (None, None))
        self.assertEqual([both[name]["count"] for name in ("main", "one", "two", "in_thread", "never")],
                         [2, 20, 30, 1, 0])
        # The line of an inlined function, in two functions of which one was reached.
        inlined = both["inlined"]
        self.assertLessEqual(inlined["lines_reached"], inlined["lines"])

        table = self.coverage(first, second, "--not-seen")
        self.assertRegex(table, r"\bnever +coverage\.c:\d+")
        self.assertNotRegex(table, r"\bone\b")
        self.assertRegex(self.coverage(first, "--format", "csv"), r"(?m)^never,\S+coverage\.c,\d+,0,")
        self.assertIn("| never |", self.coverage(first, "--format", "markdown"))

    def test_gate(self):
        _, path = self.info("first")
        got = self.report(path)
        share = 100 * got["lines_reached"] / got["lines"]
        self.coverage(path, "--fail-under", f"{share - 1:.1f}%")
        done = mprof("coverage", path, "--fail-under", f"{share + 1:.1f}%")
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"gate: {got['lines_reached']} of {got['lines']} lines reached", done.stderr)

    def test_calls(self):
        """Of a target, a snapshot and a trace: the functions that were called, and those that were not."""
        dump = self.run_program("calls", CALLS, "recursion", self.folder / "counts")
        seen = self.report("--elf", CALLS, "--raw", dump)
        self.assertEqual((seen["counts"], seen["lost"], seen["lines"]), ("seen", 0, 0))
        counts = {name: row["count"] for name, row in self.rows(seen).items()}
        self.assertTrue(counts["main"] and not all(counts.values()), counts)
        told = {name: int(n) for name, n in
                (line.split() for line in (self.folder / "counts").read_text(encoding="utf-8").splitlines())}
        for name, number in told.items():
            self.assertEqual(counts.get(name, 0), number, name)
        # The stub has no hooks, and is not listed.
        self.assertNotIn("mprof_init", counts)
        table = self.coverage("--elf", CALLS, "--raw", dump)
        self.assertRegex(table, r"not seen: no call was recorded, and none was lost")

        snapshot, trace = self.folder / "calls.pb.gz", self.folder / "calls.trace"
        self.assertEqual(mprof("snapshot", "--elf", CALLS, "--raw", dump, "--sampler", "calls", "-o",
                               snapshot).returncode, 0)
        self.assertEqual(mprof("trace", "--elf", CALLS, "--raw", dump, "--record", "-o", trace).returncode, 0)
        again = self.report(snapshot, "--elf", CALLS)
        self.assertEqual({name: row["count"] for name, row in self.rows(again).items()}, counts)
        traced = self.rows(self.report(trace, "--elf", CALLS))
        self.assertEqual({name for name, row in traced.items() if row["count"] and name in counts},
                         {name for name, count in counts.items() if count})
        # A tracefile does not say how many calls were lost.
        info = self.folder / "calls.info"
        self.coverage(snapshot, "--elf", CALLS, "--format", "lcov", "-o", info)
        self.assertIsNone(self.report(info)["lost"])
        self.assertRegex(self.coverage(info), "not seen: no call was recorded; tracefiles do not say")
        self.assertIn("tracefiles do not say", mprof("coverage", info, "--format", "csv").stderr)
        whole = trace.read_bytes()
        trace.write_bytes(whole[:len(whole) * 2 // 3])
        done = mprof("coverage", trace, "--elf", CALLS)
        self.assertIn("is cut short", done.stderr)
        trace.write_bytes(whole)
        self.refused([snapshot], "missing ELF file", status=2)
        self.refused([snapshot, "--elf", PROCESS], "another build")
        self.refused([trace, "--elf", PROCESS], "another build")

    def test_bad_input(self):
        _, path = self.info("first")
        bad = self.folder / "bad.info"
        bad.write_text("TN:\nSF:a.c\nDA:3,x\nend_of_record\n", encoding="utf-8")
        self.refused([bad], "bad.info:3: not a line of an lcov tracefile")
        bad.write_text("TN:\nDA:3,1\n", encoding="utf-8")
        self.refused([bad], "bad.info:2: not a line")
        whole = path.read_text(encoding="utf-8")
        bad.write_text(whole[:whole.index("DA:") + 20].rsplit("\n", 1)[0] + "\n", encoding="utf-8")
        self.refused([bad], "or the file is cut short there")
        bad.write_text(whole.replace("DA:", "\0DA:", 1), encoding="utf-8")
        self.refused([bad], "it has bytes of 0")
        self.refused([path, self.folder / "none.info"], "none.info")
        self.refused(["--elf", CALLS, self.folder / "none.trace"], "none.trace")
        self.refused([path, "--fail-under", "0"], "fail-under", status=2)
        self.refused([path, "--format", "xml"], "lcov", status=2)
        samples = self.run_program("calls", CALLS, "recursion", self.folder / "counts")
        self.refused([samples, path, "--elf", CALLS], "calls")
        # Another program's tracefile: counts are sums, commas end nothing, functions have a last line.
        bad.write_text("SF:/x/a.cc\nFN:3,9,f\nFNDA:4,f\nFNF:1\nBRDA:4,0,0,1\nDA:4,4,abc\nDA:5,0\nend_of_record\n",
                       encoding="utf-8")
        got = self.report(bad, bad)
        self.assertEqual((got["counts"], got["lines"], got["lines_reached"]), ("times", 2, 1))
        self.assertEqual([(row["function"], row["count"], row["not_reached"]) for row in got["rows"]],
                         [("f", 8, "5")])
        # lcov 2.2 numbers functions.
        bad.write_text("SF:/x/a.cc\nFNL:0,3,9\nFNA:0,4,f\nFNL:1,12,14\nFNA:1,0,g\nDA:4,4\nend_of_record\n",
                       encoding="utf-8")
        got = self.report(bad, bad)
        self.assertEqual({(row["function"], row["line"], row["count"]) for row in got["rows"]},
                         {("f", 3, 8), ("g", 12, 0)})
        bad.write_text("SF:/x/a.cc\nFNL:0\nend_of_record\n", encoding="utf-8")
        self.refused([bad], "bad.info:2: not a line")


if __name__ == "__main__":
    unittest.main()
