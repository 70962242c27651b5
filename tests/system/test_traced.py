# SPDX-License-Identifier: GPL-3.0-or-later
"""A process whose calls are traced: the calls of each function are those that the program has counted, whatever it
does meanwhile."""

import collections
import re
import shutil
import subprocess
import unittest

from support import FIRMWARE, json_lines, mprof, start, stop, symbols
from traced import EXITS, FENTRY, PG, Traced, calls, calls_of_text


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


if __name__ == "__main__":
    unittest.main()
