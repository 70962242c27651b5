# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of a process whose calls are traced: by their types, strings, structures."""

import re
import subprocess
import unittest

from support import HANG_S, json_lines, mprof, start, stop
from traced import WORDS, Traced


class Words(Traced):
    CONSTANT = ["paint(GREEN, READ|WRITE, true, 'x')", r"paint(3, READ|0x8, false, '\n')",
                "point(ADDR <fixed+2>, ADDR <first>)"]

    @staticmethod
    def arguments(text):
        """What is called, without addresses."""
        return [re.sub("0x[0-9a-f]{9,}", "ADDR", line.split(" -> ", 1)[1].removesuffix("  (thread 0)"))
                for line in text.splitlines()][1:]

    def start_words(self):
        process = subprocess.Popen([WORDS, "words", self.counts], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def test_each_reading(self):
        """What -A shows is of the reading that its event is in."""
        process = self.start_words()
        trace = start("trace", "--elf", WORDS, "--pid", process.pid, "-A", "--link-share", "1")
        self.addCleanup(stop, trace)
        for i in range(25):
            if i != 0:
                process.stdin.write(f"line {i}\n")
                process.stdin.flush()
            wanted = f'<changing> "line {i}")' if i else '<changing> "after")'
            while wanted not in (line := trace.stdout.readline()):
                self.assertTrue(line and "<changing>" not in line, line)

    def test_arguments(self):
        """By their types; strings of the target as they are now, if they are asked for."""
        string = r'say("a \"constant\" string of 37 charac"..., '
        process = self.start_words()
        target = ["--elf", WORDS, "--pid", process.pid, "-n", "7"]
        done = mprof("trace", *target)
        plain = self.CONSTANT + [string + "ADDR <changing>)", 'say("", ADDR <fixed>)', 'say("?", 0x10)']
        self.assertEqual((done.returncode, self.arguments(done.stdout)), (0, plain), done.stderr)
        done = mprof("trace", *target, "-A")
        self.assertEqual(self.arguments(done.stdout), self.CONSTANT + [
            string + 'ADDR <changing> "after")', 'say("", ADDR <fixed> "fixed")', 'say("?", 0x10 (gone))'])
        path = self.folder / "words.trace"
        self.assertEqual(mprof("trace", *target, "--record", "-o", path).returncode, 0)
        self.assertEqual(self.arguments(mprof("trace", path).stdout), plain)
        [paint] = [line for line in json_lines(mprof("trace", path, "--format", "json").stdout)
                   if line.get("arguments") == [5, 3, 1, 120]]
        self.assertEqual(paint["argument_texts"], ["GREEN", "READ|WRITE", "true", "'x'"])

    def test_run_arguments(self):
        """Of a program that mprof has started, they are read as of one that runs already."""
        process = start("run", "--trace", "-A", "--", WORDS, "words", self.counts, stdin=subprocess.PIPE)
        self.addCleanup(stop, process)
        lines = iter(process.stderr.readline, "")
        shown = [next(lines) for _ in range(10)]
        self.assertRegex(shown[4], r'say\(.*, 0x[0-9a-f]+ <changing> "(before|after)"\)')
        self.assertRegex(shown[8], r"use\(.*, 0x10 \(gone\), 2\)")
        for i in range(5):
            process.stdin.write(f"line {i}\n")
            process.stdin.flush()
            self.assertIn(f'<changing> "line {i}")', next(lines))
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 0)
        done = mprof("run", "--trace", "-R", "--", WORDS, "structures", self.counts)
        self.assertEqual((done.returncode, done.stderr), (
            1, "mprof: --results: the trace has no results of functions: build the stub with MPROF_TRACE_RESULTS and "
               "MPROF_TRACE_RETURNS\n"))

    STRUCTURES = ["move({x=1, y=-2}, 'x')",
                  "fill(3, {corner={x=-1, y=100000}, rgb={255, 0, 7}, filled=true, color=GREEN, level=-3, rest=9})",
                  'send({text="hello", {code=321, letter=\'A\'}}, {x=5, y=6})',
                  "add({value=?, count=-7}, 2)",
                  "print({x=1, y=2}, ?, {x=6, y=7}, 8)"]

    def test_structures(self):
        """By value, in registers; also of a trace file."""
        self.program(WORDS, "structures", self.counts)
        raw, path = ("--elf", WORDS, "--raw", self.file), self.folder / "structures.trace"
        self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
        for words in raw, (path,):
            self.assertEqual(self.arguments(mprof("trace", *words).stdout), self.STRUCTURES)
        lines = json_lines(mprof("trace", path, "--format", "json").stdout)[1:]
        self.assertEqual([line["arguments"] for line in lines], [
            [{"x": 1, "y": -2}, 120],
            [3, {"corner": {"x": -1, "y": 100000}, "rgb": [255, 0, 7], "filled": 1, "color": 5, "level": -3,
                 "rest": 9}],
            [{"text": lines[2]["arguments"][0]["text"], "": {"code": 321, "letter": 65}}, {"x": 5, "y": 6}],
            [{"value": None, "count": -7}, 2],
            [{"x": 1, "y": 2}, None, {"x": 6, "y": 7}, 8]])
        self.assertEqual([line["argument_texts"] for line in lines[:2]], [
            ["{x=1, y=-2}", "'x'"], [None, self.STRUCTURES[1].removeprefix("fill(3, ").removesuffix(")")]])

    def test_pointers_to_structures(self):
        """Constant ones; others as they are now, if that is asked for."""
        process = self.start_words()
        target = ["--elf", WORDS, "--pid", process.pid, "-n", "10"]
        first = ("use(ADDR <constant> {corner={x=1, y=2}, rgb={3, 4, 5}, filled=true, color=GREEN, level=-1, rest=2}, ")
        plain = [first + "'a', ADDR <moving>, 1)", first + "'b', 0x10, 2)", "follow(ADDR <route>, ADDR <route>)"]
        self.assertEqual(self.arguments(mprof("trace", *target).stdout)[-3:], plain)
        done = mprof("trace", *target, "-A")
        self.assertEqual(self.arguments(done.stdout)[-3:], [
            first + "'a', ADDR <moving> now {x=1, y=3}, 1)", first + "'b', 0x10 (gone), 2)",
            "follow(ADDR <route> now {x=5, y=6}, ADDR <route> now {from={x=5, y=6}, length=7})"])
        path = self.folder / "pointers.trace"
        self.assertEqual(mprof("trace", *target, "--record", "-o", path).returncode, 0)
        self.assertEqual(self.arguments(mprof("trace", path).stdout)[-3:], plain)
        line = json_lines(mprof("trace", path, "--format", "json").stdout)[-3]
        self.assertEqual([type(one) for one in line["arguments"]], [int] * 4)
        self.assertEqual(re.sub("^0x[0-9a-f]*", "ADDR", line["argument_texts"][0]),
                         first.removeprefix("use(").removesuffix(", "))

    def test_refused(self):
        both = ["--start-at", "say", "--stop-at", "paint"]
        for words, text in (["-A", "--record", "-o", "x"], "--arguments has no use with --record"), \
                           (["-A", "--depth", "1"], "--arguments has no use with --depth"), \
                           (["--stack", "say", "--record", "-o", "x"], "--stack has no use with --record"), \
                           ([*both, "--stack", "say"], "--depth, --below, --min, --stack and --graph would show"), \
                           ([*both, "--min", "1ms"], "would show wrong callers and times: give one of"), \
                           ([*both, "--record", "-o", "x"], "without which the recording would show wrong"):
            done = mprof("trace", "--elf", WORDS, "--pid", "1", *words)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
