# SPDX-License-Identifier: GPL-3.0-or-later
"""A process whose calls are traced: the calls of each function are those that the program has counted, whatever it
does meanwhile and however it ends."""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from support import BUILD, FIRMWARE, HANG_S, MPROF, environment, json_lines, mprof, start, stop, symbols
from terminal import Pty

EXITS, FENTRY, PG, WORDS = (BUILD / "tests" / "system" / f"traced-{name}"
                            for name in ("exits", "fentry", "pg", "words"))


def calls(lines, kind="entry", **where):
    """{function: number} of these events."""
    return dict(collections.Counter(
        line["function"] for line in lines
        if line["kind"] == kind and all(line[key] == value for key, value in where.items())))


def calls_of_text(text):
    """The called functions of these lines."""
    return set(re.findall(r"-> (\w+)", text))


class Traced(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.counts, self.out, self.file = (self.folder / name for name in ("counts", "out", "s_prof"))

    def counted(self):
        """What the program itself has counted."""
        pairs = (line.split() for line in self.counts.read_text(encoding="utf-8").splitlines())
        return {name: int(number) for name, number in pairs if number != "0"}

    def run_traced(self, elf, *words, status=0):
        """mprof run --trace; the events."""
        done = mprof("run", "--trace", "--format", "json", "-o", self.out, "--", elf, words[0], self.counts, *words[1:])
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        self.output = done.stdout
        return json_lines(self.out.read_text(encoding="utf-8"))

    def of_file(self, elf, path):
        done = mprof("trace", "--elf", elf, "--raw", path, "--format", "json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json_lines(done.stdout)

    def program(self, elf, *words, **more):
        """The program alone, with a file."""
        return subprocess.run([elf, *map(str, words)], env=environment() | {"MPROF_FILE": str(self.file)}, text=True,
                              capture_output=True, timeout=HANG_S, check=False, **more)

    def check_times(self, lines):
        """One order, of one clock."""
        ticks = [line["ticks"] for line in lines]
        self.assertEqual(ticks, sorted(ticks))
        self.assertTrue(all(line["time"] >= 0 for line in lines))


class Calls(Traced):
    def test_as_counted(self):
        """In one thread: recursion, mutual recursion, pointers, longjmp, tail calls, a library's callbacks."""
        for elf in EXITS, FENTRY, PG:
            for name in ("recursion", "pointers", "longjmp") if elf != PG else ("recursion",):
                with self.subTest(elf=elf.name, name=name):
                    lines = self.run_traced(elf, name)
                    self.assertEqual(calls(lines), self.counted())
                    self.check_times(lines)
                    exits = calls(lines, "exit")
                    self.assertEqual(exits, {} if elf != EXITS else exits)
                    if elf == EXITS and name != "longjmp":
                        self.assertEqual(exits, self.counted())

    def test_signals(self):
        """A handler after each instruction of the hooks, and one on a stack of its own. The ring is read when all is
        over: read meanwhile, a hook that does not go on before its ring is half full loses its event."""
        for elf in EXITS, FENTRY, PG:
            with self.subTest(elf=elf.name):
                self.program(elf, "signals", self.counts)
                lines = self.of_file(elf, self.file)
                counted = self.counted()
                self.assertEqual(calls(lines), counted)
                self.assertGreater(counted["on_signal"], 100)

    def test_threads(self):
        """Each has a ring of its own."""
        for elf in EXITS, FENTRY:
            with self.subTest(elf=elf.name):
                lines = self.run_traced(elf, "threads")
                self.assertEqual(calls(lines), self.counted())
                self.check_times(lines)
                of_each = [calls(lines, core=core) for core in range(16)]
                self.assertEqual(of_each[0], {"main": 1})
                self.assertEqual(sorted((each for each in of_each if "worker" in each), key=lambda each: each["second"]),
                                 [{"worker": 1, "second": 100 * i, "third": 100 * i} for i in range(1, 9)])

    def test_limits(self):
        """--depth, --below and --min of each thread's stack, while it is read and of a file."""
        self.program(EXITS, "threads", self.counts)
        counted, path = self.counted(), self.folder / "run.trace"
        raw = "--elf", EXITS, "--raw", self.file
        self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
        shares = [name for name in counted if name not in ("main", "worker")]

        def of(*options):
            both = [mprof("trace", *words, *options, "--format", "json") for words in (raw, (path,))]
            report = mprof("report", path, *options, "--format", "json")
            self.assertEqual([(done.returncode, done.stderr) for done in (*both, report)], [(0, "")] * 3)
            self.assertEqual(*(done.stdout for done in both))
            lines = json_lines(both[1].stdout)
            self.check_times(lines)
            self.assertEqual({row["function"]: row["calls"] for row in json_lines(report.stdout)[0]["rows"]},
                             calls(lines))
            self.assertEqual(calls(lines), calls(lines, "exit"))
            return lines

        self.assertEqual(calls(of("--depth", "1")), {"main": 1, "worker": 8})
        self.assertEqual(calls(of("--depth", "2")), {"main": 1, "worker": 8, "second": counted["second"]})
        # Of many events that are let through at once, no more than were asked for are printed.
        for words in raw, (path,):
            done = mprof("trace", *words, "--min", "0.001us", "-n", "3", "--format", "json")
            self.assertEqual([line["kind"] for line in json_lines(done.stdout)], ["entry"] * 3, done.stderr)
        self.assertEqual(calls(of("--below", "sec*")), {name: counted[name] for name in shares})
        self.assertEqual(calls(of("--below", "worker", "--depth", "1")), {"worker": 8})
        everything, durations, open_ = of(), [], {}
        self.assertEqual(calls(everything), counted)
        for line in everything:
            stack = open_.setdefault(line["core"], [])
            if line["kind"] == "entry":
                stack.append(line["ticks"])
            else:
                durations.append((line["ticks"] - stack.pop(), line["function"]))
        least, last = sorted(durations)[len(durations) // 2][0] + 0.5, everything[-1]
        self.assertEqual(calls(of("--min", f"{least * last['time'] / last['ticks'] * 1e6:.6f}us")),
                         dict(collections.Counter(name for ticks, name in durations if ticks > least)))
        rows = json_lines(mprof("report", path, "--by", "context", "--format", "json").stdout)[0]["rows"]
        self.assertEqual({(row["function"], row["context"]): row["calls"] for row in rows},
                         {(name, f"thread {core}"): number for core in range(16)
                          for name, number in calls(everything, core=core).items()})
        report = mprof("report", path, "--filter", "third", "--not", "s*", "--format", "json")
        self.assertEqual([row["function"] for row in json_lines(report.stdout)[0]["rows"]], ["third"])

    @staticmethod
    def between(lines, start, stop):
        """What is from start to stop, which are functions of a line and how long its call took (None: an entry, or
        not known)."""
        wanted, on, open_ = [], start is None, {}
        for line in lines:
            stack, took = open_.setdefault(line["core"], []), None
            if line["kind"] == "entry":
                stack.append(line["ticks"])
            else:
                took = line["ticks"] - stack.pop()
            on |= start is not None and start(line, took)
            wanted += [line] if on else []
            on &= stop is None or not stop(line, took)
            if start is None and not on:
                break
        return wanted

    def test_start_and_stop(self):
        """At entries, exits and long calls of each thread, while it is read and of a file."""
        self.program(EXITS, "threads", self.counts)
        path = self.folder / "run.trace"
        raw = "--elf", EXITS, "--raw", self.file
        self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
        everything = json_lines(mprof("trace", path, "--format", "json").stdout)
        open_, took = {}, set()
        for line in everything:
            stack = open_.setdefault(line["core"], [])
            if line["kind"] == "entry":
                stack.append(line["ticks"])
            else:
                ticks = line["ticks"] - stack.pop()
                took |= {ticks} if line["function"] == "second" else set()
        least = sorted(took)[len(took) // 2] + 0.5
        longer = f"sec*>{least * everything[-1]['time'] / everything[-1]['ticks'] * 1e6:.6f}us"

        def entry(name):
            return lambda line, took: line["function"] == name and line["kind"] == "entry"

        def exit_(name):
            return lambda line, took: line["function"] == name and line["kind"] == "exit"

        def long(line, took):
            return line["function"] == "second" and took is not None and took > least

        for start, stop in ((("worker%return", exit_("worker")), None), (None, (longer, long)),
                            (("third", entry("third")), ("third%return", exit_("third"))),
                            ((longer, long), ("third%return", exit_("third"))),
                            ((f"main,{longer}", lambda *of: entry("main")(*of) or long(*of)), ("main", entry("main")))):
            options = [word for name, side in (("--start-at", start), ("--stop-at", stop)) if side
                       for word in (name, side[0])]
            wanted = self.between(everything, start and start[1], stop and stop[1])
            self.assertTrue(0 < len(wanted) < len(everything))
            for words in raw, (path,):
                done = mprof("trace", *words, *options, "--format", "json")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(json_lines(done.stdout), wanted, options)
        # Of what is then left out.
        done = mprof("trace", *raw, "--filter", "third", "--start-at", "worker%return", "--format", "json")
        self.assertEqual(set(calls(json_lines(done.stdout))), {"third"}, done.stderr)
        done = mprof("trace", path, "--start-at", "nosuch", "--format", "json")
        self.assertEqual((done.stdout, done.stderr), ("", "mprof: --start-at: no such event was seen\n"))
        done = mprof("trace", path, "--stop-at", "nosuch", "--format", "json")
        self.assertEqual(done.stderr, "mprof: --stop-at: no such event was seen\n")
        self.assertEqual(json_lines(done.stdout), everything)

    def test_start_that_needs_exits(self):
        self.program(FENTRY, "threads", self.counts)
        raw, path = ("--elf", FENTRY, "--raw", self.file), self.folder / "run.trace"
        self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
        for words in raw, (path,):
            for option in ("--start-at", "main%return"), ("--stop-at", "th*%return,second>1us"):
                done = mprof("trace", *words, *option, "-o", self.out)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr, f"mprof: {option[0]} needs exits of functions, and the trace has only "
                                              "entries, as -pg gives them: build the firmware with -finstrument-functions, "
                                              "or with patched entries and MPROF_TRACE_RETURNS\n")
        for value, text in ("main%exit", "give FUNCTION%return"), ("main>2parsecs", "needs a time"), \
                           ("a,>2us", "is empty"), ("a>us", "is no function"), ("a%", "is no function"), ("a>20", "with a unit"), \
                           ("a%return>2us", "give FUNCTION%return"), ("a,,b", "is empty"):
            done = mprof("trace", *raw, "--stop-at", value)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertIn(text, done.stderr)

    @staticmethod
    def chains(lines):
        """The names in each chain."""
        return [[one and one["function"] for one in line["stack"]] for line in lines if "stack" in line]

    def test_stack(self):
        """--stack by exits is the stack that the events tell, by entries only the callers that they tell."""
        found = []
        for elf in EXITS, FENTRY:
            self.program(elf, "threads", self.counts)
            raw, path = ("--elf", elf, "--raw", self.file), self.folder / f"{elf.name}.trace"
            self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
            both = [mprof("trace", *words, "--stack", "*", "--format", "json") for words in (raw, (path,))]
            self.assertEqual([(done.returncode, done.stderr) for done in both], [(0, "")] * 2)
            self.assertEqual(*(done.stdout for done in both))
            lines, open_, wanted = json_lines(both[0].stdout), {}, []
            self.assertEqual(calls(lines), self.counted())
            for line in lines:
                stack = open_.setdefault(line["core"], [] if line["core"] == 0 else [None, None])
                while stack and elf != EXITS and line["caller"] not in (None, stack[-1]):
                    stack.pop()
                if line["kind"] == "exit":
                    stack.pop()
                    continue
                stack.append(line["function"])
                wanted.append(list(stack))
            self.assertEqual(self.chains(lines), wanted)
            found.append(collections.Counter(map(tuple, wanted)))
        self.assertEqual(*found)
        done = mprof("trace", path, "--stack", "third", "-n", "40")
        self.assertRegex(done.stdout, r"(?m)^ +\d+\.\d+  \.\.\. -> 0x\w+ -> worker -> second -> third  \(thread")
        self.assertRegex(done.stdout, r"(?m)^ +\d+\.\d+  worker -> second  \(thread")
        done = mprof("trace", path, "--stack", "thrid")
        self.assertEqual(done.stderr, "mprof: --stack: no call of such a function was seen\n")

    def test_stack_and_longjmp(self):
        """What a chain says of the last caller is what the event says."""
        for elf in EXITS, FENTRY:
            for name in "longjmp", "recursion", "pointers":
                self.program(elf, name, self.counts)
                done = mprof("trace", "--elf", elf, "--raw", self.file, "--stack", "*", "--format", "json")
                lines = [line for line in json_lines(done.stdout) if line["kind"] == "entry"]
                for line, chain in zip(lines, self.chains(lines)):
                    self.assertEqual(chain[-1], line["function"])
                    self.assertIn(chain[-2:-1], ([line["caller"]], [] if chain == ["main"] else None))
                self.assertEqual(len(self.chains(lines)), len(lines))

    def test_limits_that_need_exits(self):
        self.program(FENTRY, "threads", self.counts)
        raw, path = ("--elf", FENTRY, "--raw", self.file), self.folder / "run.trace"
        self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
        for words in ("trace", *raw), ("trace", path), ("report", path):
            for option in ("--depth", "1"), ("--below", "main"), ("--min", "1us"):
                done = mprof(*words, *option)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr, f"mprof: {option[0]} needs exits of functions, and the trace has only "
                                              "entries, as -pg gives them: build the firmware with -finstrument-functions, "
                                              "or with patched entries and MPROF_TRACE_RETURNS\n")
        self.assertEqual(mprof("report", *raw, "--depth", "1").returncode, 2)

    def test_more_threads_than_rings(self):
        done = mprof("run", "--trace", "--format", "json", "-o", self.out, "--", EXITS, "many", self.counts)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^mprof: 6 threads are shown as thread 15: they share a ring, .*\n$")
        lines = json_lines(self.out.read_text(encoding="utf-8"))
        self.assertEqual(calls(lines), self.counted())
        of_each = [calls(lines, core=core).get("worker", 0) for core in range(16)]
        self.assertEqual(of_each, [0] + [1] * 14 + [6])

    def test_one_order(self):
        """Threads that take turns are in the order of their turns, also in a file that is read later."""
        ours = self.run_traced(FENTRY, "turns")
        self.program(FENTRY, "turns", self.counts)
        for lines in ours, self.of_file(FENTRY, self.file):
            self.check_times(lines)
            turns = [line["core"] for line in lines if line["function"] == "token"]
            self.assertEqual(len(turns), 200)
            self.assertEqual(turns, turns[:8] * 25)
            self.assertEqual(sorted(turns[:8]), list(range(1, 9)))

    def test_switch(self):
        """The program's own switch, and its own list of the last calls."""
        done = self.program(FENTRY, "switch", self.counts)
        lines = self.of_file(FENTRY, self.file)
        counted = self.counted()
        self.assertEqual(counted.pop("hidden_from_trace"), 1)
        self.assertEqual(calls(lines), counted)
        table = symbols(FENTRY, "nm")
        last = [int(callee, 16) for callee in re.findall(
            r"(?m)^\d+\.\d{3}  0x[0-9a-f]+ -> 0x([0-9a-f]+)  \(thread 0\)$", done.stderr)]
        names = [name for addr in last for name, (begin, size) in table.items() if begin <= addr < begin + size]
        self.assertEqual(names, ["third", "third", "parent_only"])

    def test_switched_off(self):
        """A trace that the program has switched off says so."""
        process = subprocess.Popen([FENTRY, "off", self.counts], stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        # On a busy machine no thread may call anything for some time.
        for seconds in ("0.2", "5", "50"):
            done = mprof("control", "reset", "--elf", FENTRY, "--pid", process.pid, "--timeout", seconds)
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^mprof: reset: [23] of 3 threads called nothing within \d+ ms: takes effect "
                                      r"there at the next call\n$")
        done = mprof("trace", "--elf", FENTRY, "--pid", process.pid, "-n", "5")
        self.assertEqual((done.returncode, calls_of_text(done.stdout)), (0, {"worker", "second", "third"}))
        done = mprof("control", "status", "--elf", FENTRY, "--pid", process.pid)
        self.assertEqual(re.findall(r"thread \d+ of \d+", done.stdout), [f"thread {i} of 16" for i in range(3)])
        process = subprocess.Popen([FENTRY, "quiet", self.counts], stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        done = mprof("control", "reset", "--elf", FENTRY, "--pid", process.pid)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # It is said at the second look, a second after the first.
        for seconds in ("1.1", "5", "50"):
            done = mprof("trace", "--elf", FENTRY, "--pid", process.pid, "--duration", seconds)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            if done.stderr:
                break
        self.assertIn("no events: the firmware called mprof_trace_disable(); mprof_trace_enable() resumes it",
                      done.stderr)


class Links(Traced):
    def test_example(self):
        elf = FIRMWARE / "trace-x86-64.elf"
        done = mprof("run", "--trace", "--", elf, "2")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        lines = [re.fullmatch(r" +\d+\.\d{6}  (\w+) -> (\w+)(\(.*\))  \(thread 0\)", line) for line in
                 done.stderr.splitlines()]
        self.assertRegex("{2}{3}".format(*(lines[0][i] for i in range(4))), r"^main\(2, 0x[0-9a-f]+\)$")
        self.assertEqual([line.groups() for line in lines[1:]],
                         [("main", "f1", "(1)"), ("f1", "f2", "(1, 2)"), ("f2", "f3", "(1, 2, 3)")] * 2)

    @unittest.skipUnless(shutil.which("gdbserver"), "gdbserver is missing")
    def test_gdbserver(self):
        program = subprocess.Popen([PG, "wait", self.counts], stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, program)
        self.assertEqual(program.stdout.readline(), "ready\n")
        server = subprocess.Popen(["gdbserver", "--once", ":0", "--attach", str(program.pid)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True)
        self.addCleanup(stop, server)
        line = ""
        while "Listening on port" not in line:
            line = server.stderr.readline()
            self.assertTrue(line, "gdbserver did not start")
        done = mprof("trace", "--elf", PG, "--gdb", f":{line.split()[-1]}", "-n", "100", "--format", "json",
                     "--allow-halt")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = json_lines(done.stdout)
        self.assertEqual(len(lines), 100)
        self.assertEqual([line["function"] for line in lines], ["main"] + ["deep"] * 99)
        self.check_times(lines)


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


class Ends(Traced):
    def test_exit_status(self):
        for how, status in ("kill", 128 + signal.SIGKILL), ("crash", 128 + signal.SIGSEGV), ("7", 7):
            with self.subTest(how):
                lines = self.run_traced(EXITS, "recursion", how, status=status)
                self.assertEqual(calls(lines), self.counted())

    def test_fork(self):
        done = self.program(EXITS, "fork", self.counts)
        self.assertEqual(calls(self.of_file(EXITS, self.file)), self.counted())
        child = self.of_file(EXITS, f"{self.file}.{int(done.stdout)}")
        self.assertEqual(calls(child), {"child_only": 7})
        self.assertEqual(calls(child, "exit"), {"child_only": 7})
        lines = self.run_traced(EXITS, "fork")
        self.assertEqual(calls(lines), self.counted())

    def test_fork_without_file(self):
        """The child has nothing of what the threads of the parent have called."""
        process = subprocess.Popen([EXITS, "child", self.counts], stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        child = process.stdout.readline().strip()
        done = mprof("trace", "--elf", EXITS, "--pid", child, "-n", "14", "--format", "json")
        lines = json_lines(done.stdout)
        self.assertEqual(calls(lines), {"child_only": 7})
        self.assertEqual(calls(lines, "exit"), {"child_only": 7})

    def test_file_of_program(self):
        """Chosen by a call of mprof_file()."""
        done = subprocess.run([FENTRY, "file", self.counts, self.file], timeout=HANG_S, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(calls(self.of_file(FENTRY, self.file)), {"parent_only": 1, "second": 1, "third": 1})
        [child] = set(self.folder.glob("s_prof.*"))
        self.assertEqual(calls(self.of_file(FENTRY, child)), {"child_only": 1})

    def test_other_build(self):
        """The file says where the program was; of another build, nothing is shown."""
        self.program(FENTRY, "recursion", self.counts)
        for elf in EXITS, PG:
            done = mprof("trace", "--elf", elf, "--raw", self.file)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"{elf}: not the running program", done.stderr)
        data = bytearray(self.file.read_bytes())
        data[-16] ^= 0x20
        self.file.write_bytes(data)
        done = mprof("trace", "--elf", FENTRY, "--raw", self.file)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{self.file} is of another build than {FENTRY}", done.stderr)

    def test_exec(self):
        """The former program's calls stay in its file."""
        self.program(FENTRY, "exec", self.counts, "recursion")
        self.assertEqual(calls(self.of_file(FENTRY, self.file)), {"main": 1, "parent_only": 1})
        [other] = set(self.folder.glob("s_prof.*"))
        self.assertEqual(calls(self.of_file(FENTRY, other)), self.counted())

    def test_ranking(self):
        """On standard error, or in a file; both have the calls of the program."""
        done = mprof("run", "--format", "json", "--", PG, "recursion", self.counts)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        [report] = json_lines(done.stderr)
        self.assertEqual({row["function"]: row["hits"] for row in report["rows"]}, self.counted())
        path = self.folder / "run.pb.gz"
        done = mprof("run", "-o", path, "--", PG, "recursion", self.counts, "kill")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        report = json_lines(mprof("report", path, "--format", "json").stdout)[0]
        self.assertEqual({row["function"]: row["hits"] for row in report["rows"]}, self.counted())

    def test_live(self):
        """A process that runs, by its number and by its file; a signal that mprof gets is the program's."""
        process = start("run", "--trace", "--format", "json", "-o", self.out, "--", EXITS, "wait", self.counts)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        [pid] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        done = mprof("trace", "--elf", EXITS, "--pid", pid, "-n", "200", "--format", "json")
        by_pid = json_lines(done.stdout)
        self.assertEqual(len(by_pid), 200)
        self.check_times(by_pid)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        lines = json_lines(self.out.read_text(encoding="utf-8"))
        self.assertEqual(calls(lines)["deep"], 101)
        names = [line["function"] for line in lines]
        self.assertEqual([line["function"] for line in by_pid], names[:200])

    def test_screen(self):
        """The screen while the program runs; then what the program has written, and its ranking. Ctrl-C is the
        program's after q."""
        with Pty("xterm-256color", [str(MPROF), "run", "--live", "--", str(PG), "wait", str(self.counts)]) as screen:
            screen.shows(b"deep")
            screen.type(b"q")
            screen.shows(b"\033[?1049l")
            begin = len(screen.bytes)
            self.assertNotIn(b"ready", screen.bytes)
            screen.wait("its own signals", lambda: self.ignores(screen.pid, signal.SIGINT))
            screen.type(b"\x03")
            screen.shows(b"traced.c", begin)
            screen.wait("its end", screen.ended)
            self.assertIn(b"ready", screen.bytes[begin:])
            self.assertEqual(os.waitstatus_to_exitcode(screen.status), 128 + signal.SIGINT)

    @staticmethod
    def has_signal(pid, of, number):
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        return int(re.search(of + r":\s+([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1

    def ignores(self, pid, number):
        return self.has_signal(pid, "SigIgn", number)

    def test_inherited_signals(self):
        """What nohup and a shell's & have set stays so in both processes."""
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        process = start("run", "--", EXITS, "wait", self.counts, preexec_fn=ignore)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        [pid] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        for number, ignored in (signal.SIGHUP, 1), (signal.SIGINT, 1), (signal.SIGTERM, 0), (signal.SIGQUIT, 0):
            self.assertEqual(self.ignores(pid, number), ignored, number)
        self.assertTrue(self.ignores(process.pid, signal.SIGHUP))
        self.assertTrue(self.has_signal(pid, "SigBlk", signal.SIGUSR1))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_pid_in_name(self):
        """MPROF_FILE of a program that starts mprof run, in which %p is the PID."""
        done = subprocess.run([MPROF, "run", "--trace", "--format", "json", "-o", self.out, "--", EXITS, "recursion",
                               self.counts], env=environment() | {"MPROF_FILE": f"{self.file}.%p"}, text=True,
                              capture_output=True, timeout=HANG_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(calls(json_lines(self.out.read_text(encoding="utf-8"))), self.counted())
        [path] = self.folder.glob("s_prof*")
        self.assertRegex(path.name, r"^s_prof\.\d+$")

    def kept(self, *options):
        """The functions that the target itself has recorded, from main() on."""
        done = subprocess.run([MPROF, "run", "--trace", *options, "-o", self.out, "--", EXITS, "recursion", self.counts],
                              env=environment() | {"MPROF_FILE": str(self.file)}, text=True, capture_output=True,
                              timeout=HANG_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(calls(self.of_file(EXITS, self.file)))

    def test_run_limits(self):
        """The options of mprof trace, of a program that is started."""
        def run(*options, output=True):
            done = mprof("run", "--trace", *options, *(["-o", self.out] if output else []), "--", EXITS, "threads",
                         self.counts)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json_lines(self.out.read_text(encoding="utf-8")) if "json" in options else done

        json_ = "--format", "json"
        self.assertEqual(calls(run("--depth", "1", *json_)), {"main": 1, "worker": 8})
        counted = self.counted()
        self.assertEqual(calls(run("--below", "second", "--not", "third", *json_)),
                         {name: counted[name] for name in counted if name not in ("main", "worker", "third")})
        self.assertEqual(calls(run("--filter", "thi*", *json_)), {"third": counted["third"]})
        self.assertEqual(self.kept("--filter", "thi*"), {"third"})
        kept = self.kept("--not", "worker")
        self.assertTrue({"main", "third"} <= kept and "worker" not in kept, kept)
        self.assertEqual([line["kind"] for line in run("--min", "0.001us", "-n", "3", *json_)], ["entry"] * 3)
        lines = run("--start-at", "worker%return", *json_)
        self.assertEqual((lines[0]["kind"], lines[0]["function"]), ("exit", "worker"))
        lines = run("--stop-at", "second%return", "--duration", "1h", *json_)
        self.assertEqual((lines[-1]["kind"], lines[-1]["function"]), ("exit", "second"))
        self.assertEqual(calls(lines, "exit").get("second"), 1)
        self.out.unlink()
        done = run("--record", "--filter", "second")
        self.assertRegex(done.stderr, rf"^{self.out}: {2 * counted['second']} events in \d+\.\d s\n$")
        self.assertEqual(done.stdout, "")
        lines = json_lines(mprof("trace", self.out, *json_).stdout)
        self.assertEqual((calls(lines), len(lines)), ({"second": counted["second"]}, 2 * counted["second"]))

    def test_refused(self):
        for words, status, text in (
                (["-R", "true"], 2, "--results needs --trace"),
                (["--trace", "-A", "--min", "1ms", "true"], 2, "--arguments has no use with --depth, --below, --min"),
                (["--trace", "--between", "a,b", "true"], 2, "--between is an option of 'mprof trace'"),
                (["--trace", "--record", "true"], 2, "missing output: give -o FILE"),
                (["--trace", "--record", "-o", "x", "--format", "json", "true"], 2, "--format has no use with --record"),
                (["--trace", "--start-at", "a", "--stop-at", "b", "--depth", "1", "true"], 2, "give one of the two"),
                (["--trace", "--wait", "1s", "true"], 2, "--wait is an option of 'mprof top'"),
                (["--depth", "1", "true"], 2, "--depth needs --trace"),
                (["--record", "-o", "x", "true"], 2, "--record needs --trace"),
                (["--live", "-n", "1", "true"], 2, "--events has no use with --live"),
                (["nosuch-program"], 127, "nosuch-program: no such program"),
                ([self.folder], 126, "not a program that may be executed"),
                (["--trace", "--live", "true"], 2, "give --trace or --live, not both"),
                (["--trace", "true"], 1, "true recorded nothing: build it with the stub and MPROF_THREADS"),
                (["--", "false"], 1, "false recorded nothing"),
                (["--live", "true"], 2, "--live needs a terminal"),
                (["--trace", "--ignore", "a", "true"], 2, "--ignore has no use with --trace"),
                (["--trace", "-s", "hits", "true"], 2, "--sort has no use with --trace"),
                (["--live", "--by", "line", "true"], 2, "--by has no use with --live"),
                (["--live", "--elf", "a", "--elf", "b", "true"], 2, "a second --elf has no use with --live"),
                ([], 2, "missing argument: PROGRAM")):
            with self.subTest(words):
                done = mprof("run", *words)
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn(text, done.stderr)

    def test_no_file(self):
        """The program runs on without one, and says why."""
        self.file = self.folder / "no" / "folder"
        done = self.program(EXITS, "recursion", self.counts)
        self.assertEqual((done.returncode, done.stderr),
                         (0, f"mprof: cannot write {self.file}: No such file or directory\n"))
        self.assertEqual(self.counted()["deep"], 101)


if __name__ == "__main__":
    unittest.main()
