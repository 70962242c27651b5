# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that count their calls: calls of each function, and by each caller, are the same in a trace, in a table of
arcs, in glibc's gprof and in uftrace."""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import BUILD, HANG_S, counted, environment, json_lines, mprof, symbols

FOLDER = BUILD / "tests" / "system"
PLAIN = ("recursion", "mutual", "pointers", "callbacks", "tails", "frames")
ONE_THREAD = (*PLAIN, "longjmps", "signals", "coroutines", "outside_main")
SEVERAL = ("stepped", "threads")
# uftrace does not know that the stack changes, and does not report calls that longjmp() ends.
NOT_UFTRACE = ("coroutines",)
NOT_UFTRACE_REPORT = ("thrower", "leaves", "on_leave")


def bare(name):
    """Without parameters, which not all tools print."""
    return (name or "-").partition("(")[0]


def callees(arcs):
    """{function: calls} of {(caller, function): calls}."""
    found = collections.Counter()
    for (_, callee), calls in arcs.items():
        found[callee] += calls
    return found


class Arcs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.one_thread = ONE_THREAD + ("exceptions",) * ("exceptions" in symbols(FOLDER / "arcs-pg", "nm"))

    def run_program(self, *words, **env):
        done = subprocess.run(list(map(str, words)), env=environment() | env, cwd=self.folder, text=True,
                              capture_output=True, timeout=HANG_S, check=False)
        self.assertEqual(done.returncode, 0, (words, done.stdout, done.stderr))
        return done.stdout

    def made(self):
        """{(caller, function): calls} that the program has counted."""
        found = collections.Counter()
        for line in (self.folder / "counts").read_text(encoding="utf-8").splitlines():
            caller, callee, calls = line.split("\t")
            found[caller, callee] += int(calls)
        return +found

    def same(self, found, made):
        """Of both, {arc or function: calls}."""
        self.assertEqual({key: (found.get(key, 0), made.get(key, 0)) for key in {**found, **made}
                          if found.get(key, 0) != made.get(key, 0)}, {}, "found, made")

    def mprof(self, *words):
        done = mprof(*words, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def record(self, build, program):
        """Adds the trace of a run to the recordings of the build. Returns what the program has counted."""
        elf, raw = FOLDER / f"arcs-{build}", self.folder / "s_prof"
        self.run_program(elf, program, "counts", MPROF_FILE=str(raw))
        made, link = self.made(), ["--elf", elf, "--raw", raw]
        self.mprof("trace", *link, "--record", "-o", f"{build}.trace")
        if build == "pg":
            self.check_table(json.loads(self.mprof("report", *link, "--by", "arc", "--format", "json")), made)
        raw.unlink()
        return made

    def check_table(self, report, made):
        found = collections.Counter()
        for row in report["rows"]:
            found[bare(row["caller"]), bare(row["function"])] += row["hits"]
        self.same(found, made)
        self.assertEqual(report["unattributed"]["dropped"], 0)

    def recordings(self, build):
        """The lines of each, {kind: {(caller, function): number}}."""
        found = [collections.defaultdict(collections.Counter)]
        for line in json_lines(self.mprof("trace", f"{build}.trace", "--format", "json")):
            if line["kind"] == "recording":
                found.append(collections.defaultdict(collections.Counter))
            else:
                found[-1][line["kind"]][bare(line.get("caller")), bare(line.get("function"))] += 1
        return found

    def traced(self, build):
        """Each program by itself, and all recordings in one report."""
        programs, total = (*self.one_thread, *SEVERAL), collections.Counter()
        made = [self.record(build, program) for program in programs]
        for program, counts, lines in zip(programs, made, self.recordings(build), strict=True):
            with self.subTest(program):
                self.same(lines["entry"], counts)
                self.same(lines["exit"], counts if build == "exits" and program in PLAIN else lines["exit"])
                self.assertLessEqual(set(lines), {"entry", "exit"})
            total += counts
        report = json.loads(self.mprof("report", f"{build}.trace", "--format", "json"))
        self.same({bare(row["function"]): row["calls"] for row in report["rows"]}, callees(total))
        self.assertEqual((report["lost"], report["calls"]), (0, total.total()))
        counted(f"{report['calls']} calls of arcs-{build} as the programs have counted them, by {len(total)} arcs")

    def test_exits(self):
        self.traced("exits")

    def test_fentry(self):
        self.traced("fentry")

    def test_pg(self):
        self.traced("pg")

    def gprof_arcs(self, elf):
        """{(caller, function): calls} of gprof's call graph: each entry has the callers before its own line."""
        found = collections.Counter()
        for entry in self.run_program("gprof", "-b", "-q", elf).split("\n-----")[:-1]:
            callers, _, own = entry.partition("\n[")
            name = re.match(r"\d+\](?: +[\d.]+){3} +(?:\d+(?:\+\d+)? +)?(\S.*?)(?: <cycle \d+>)? \[\d+\]$", own, re.M)[1]
            for calls, caller in re.findall(r"(?m) (\d+)(?:/\d+)? +(\S.*?)(?: <cycle \d+>)? \[\d+\]$", callers):
                found[bare(caller), bare(name)] += int(calls)
        return found

    def test_gprof(self):
        """glibc does not count calls by shared libraries."""
        elf, total = FOLDER / "arcs-gprof", 0
        for program in self.one_thread:
            with self.subTest(program):
                self.run_program(elf, program, "counts")
                made = {arc: calls for arc, calls in self.made().items() if arc[0] != "-"}
                self.same(self.gprof_arcs(elf), made)
                total += sum(made.values())
        counted(f"{total} calls of arcs-gprof as gprof and the programs have counted them")

    @unittest.skipUnless(shutil.which("uftrace"), "no uftrace")
    def test_uftrace(self):
        """It has functions of libraries, too."""
        elf, total = FOLDER / "arcs-uftrace", 0
        for program in self.one_thread:
            if program in NOT_UFTRACE:
                continue
            with self.subTest(program):
                self.run_program("uftrace", "record", "--no-pager", "--no-event", "-d", program, elf, program, "counts")
                text = self.run_program("uftrace", "report", "--no-pager", "-d", program, "-f", "call")
                made = callees(self.made())
                for name in NOT_UFTRACE_REPORT:
                    made.pop(name, None)
                found = {bare(name): int(calls) for calls, name in re.findall(r"(?m)^ +(\d+)  (\S.*)$", text)}
                self.same({name: calls for name, calls in found.items() if name in made}, made)
                total += sum(made.values())
        counted(f"{total} calls of arcs-uftrace as uftrace and the programs have counted them")


if __name__ == "__main__":
    unittest.main()
