# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof trace --graph, --between and --worst: nested calls and times are those that the events tell."""

import collections
import pathlib
import re
import statistics
import subprocess
import tempfile
import unittest

from support import BUILD, HANG_S, MPROF, environment, json_lines, mprof
from terminal import Pty

EXITS, FENTRY = (BUILD / "tests" / "system" / f"traced-{name}" for name in ("exits", "fentry"))
LINE = re.compile(r" *(?P<time>[\d.]+)?  (?P<context>thread \d+) +(?:[-+!#*@$ ] +(?P<duration>[\d.]+ [um]?s))? \|  "
                  r"(?P<levels> *)(?:(?P<call>\w+)\(\)(?P<more> \{|;)|\}  /\* (?P<end>\w+)(?P<jumped>: no exit was seen)?"
                  r" \*/)(?P<no_exit>  /\* no exit was seen \*/)?")


SCALES = {"s": 1, "ms": 1e-3, "us": 1e-6}


def seconds_of(text):
    """(a duration, half of its last digit); None: there is none."""
    if text is None:
        return None
    number, unit = text.split()
    return float(number) * SCALES[unit], 0.0006 * SCALES[unit]


def graph_of(events):
    """{core: [[function, level, seconds or None]]} by the events of each core."""
    calls, stacks = collections.defaultdict(list), collections.defaultdict(list)
    for e in events:
        stack = stacks[e["core"]]
        if e["kind"] == "entry":
            stack.append([e["function"], len(stack), None, e["time"], e["caller_address"]])
            calls[e["core"]].append(stack[-1])
            continue
        while stack and (stack[-1][0], stack[-1][4]) != (e["function"], e["caller_address"]):
            stack.pop()
        entry = stack.pop()
        entry[2] = e["time"] - entry[3]
    return {core: [call[:3] for call in each] for core, each in calls.items()}


def graph_read(text):
    """The same of a graph."""
    calls, stacks = collections.defaultdict(list), collections.defaultdict(list)
    for line in text.splitlines():
        match = LINE.fullmatch(line)
        assert match, line
        core, level = int(match["context"].split()[1]), len(match["levels"]) // 2
        if match["call"]:
            calls[core].append([match["call"], level, seconds_of(match["duration"])])
            if match["more"] == " {":
                stacks[core].append(calls[core][-1])
        else:
            entry = stacks[core].pop()
            assert entry[:2] == [match["end"], level], line
            entry[2] = seconds_of(match["duration"])
    return dict(calls)


class Graph(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.threads, cls.jumps, cls.entries = (cls.record(*of) for of in (
            (EXITS, "threads"), (EXITS, "longjmp"), (FENTRY, "threads")))

    @classmethod
    def record(cls, elf, action):
        path = cls.folder / f"{elf.name}-{action}.trace"
        done = mprof("run", "--trace", "--record", "-o", path, "--", elf, action, cls.folder / "counts")
        assert done.returncode == 0, done.stderr
        return path

    def printed(self, *words, status=0, stderr=""):
        done = mprof("trace", *words)
        self.assertEqual((done.returncode, done.stderr), (status, stderr))
        return done.stdout

    def events(self, path, *options):
        return json_lines(self.printed(path, "--format", "json", *options))

    def same(self, graph, events):
        """The same calls, as long as the graph's digits tell."""
        expected = graph_of(events)
        self.assertEqual(*({core: [call[:2] for call in each] for core, each in of.items()} for of in (graph, expected)))
        for core, each in graph.items():
            for call, wanted in zip(each, expected[core]):
                self.assertEqual(call[2] is None, wanted[2] is None, call)
                if call[2]:
                    self.assertAlmostEqual(call[2][0], wanted[2], delta=call[2][1] + 2e-9, msg=call[0])

    def test_nested(self):
        for path in self.threads, self.jumps:
            for options in (), ("--depth", "2"), ("--filter", "first,second,catcher"), ("--below", "second"):
                self.same(graph_read(self.printed(path, "--graph", *options)), self.events(path, *options))

    def test_limits(self):
        text = self.printed(self.jumps, "--graph", "-n", "3")
        self.assertEqual([line.split("|  ")[1] for line in text.splitlines()],
                         ["main() {", "  catcher() {", "    thrower() {"])
        text = self.printed(self.threads, "--graph", "--start-at", "worker%return", "--filter", "worker")
        self.assertRegex(text.splitlines()[0], r"\|  \}  /\* worker \*/$")
        output = self.folder / "graph.txt"
        self.assertEqual(self.printed(self.threads, "--graph", "-o", output), "")
        self.assertEqual(output.read_text(encoding="utf-8"), self.printed(self.threads, "--graph"))
        self.same(graph_read(self.printed(self.threads, "--graph", "--min", "1us")),
                  self.events(self.threads, "--min", "1us"))

    def test_json(self):
        """Events have their depth, and exits their duration."""
        events = self.events(self.threads, "--graph")
        self.assertEqual([{key: value for key, value in e.items() if key not in ("depth", "duration", "duration_ticks")}
                          for e in events], self.events(self.threads))
        open_ = collections.defaultdict(list)
        for e in events:
            if e["kind"] == "entry":
                open_[e["core"]].append(e["ticks"])
                self.assertEqual(e["depth"], len(open_[e["core"]]) - 1)
                self.assertNotIn("duration", e)
            else:
                self.assertEqual(e["duration_ticks"], e["ticks"] - open_[e["core"]].pop())
                self.assertEqual(e["depth"], len(open_[e["core"]]))
                self.assertAlmostEqual(e["duration"] * e["ticks"], e["duration_ticks"] * e["time"], delta=1e-6 * e["ticks"])

    def test_run(self):
        """While a program runs."""
        done = mprof("run", "--trace", "--graph", "-o", self.folder / "run.txt", "--", EXITS, "longjmp", self.folder / "counts")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.folder / "run.txt").read_text(encoding="utf-8")
        names = [[call[:2] for call in each] for each in graph_read(text).values()]
        self.assertEqual(names, [[call[:2] for call in each]
                                 for each in graph_of(self.events(self.jumps)).values()])

    def test_report(self):
        """Median and 99 % are those of the events, and rows can be sorted by them."""
        rows = json_lines(mprof("report", self.threads, "--format", "json", "--sort", "p99").stdout)[0]["rows"]
        self.assertEqual([row["p99"] for row in rows], sorted((row["p99"] for row in rows), reverse=True))
        took = collections.defaultdict(list)
        for e in self.events(self.threads, "--graph"):
            if e["kind"] == "exit":
                took[e["function"]].append(e["duration"])
        for row in rows:
            ordered = sorted(took[row["function"]])
            self.assertAlmostEqual(row["median"], ordered[(len(ordered) + 1) // 2 - 1], delta=2e-9)
            self.assertAlmostEqual(row["p99"], ordered[-(-len(ordered) * 99 // 100) - 1], delta=2e-9)

    def pairs(self, begins, ends):
        """The times from an event to the next other one, of all threads, and the events of the first of the longest."""
        times, begun, most, longest = [], None, -1, []
        for i, e in enumerate(events := self.events(self.threads, "--graph")):
            if ends(e) and begun is not None:
                times.append(e["time"] - events[begun]["time"])
                if (ticks := e["ticks"] - events[begun]["ticks"]) > most:
                    most, longest = ticks, events[begun:i + 1]
                begun = None
            if begins(e) and begun is None:
                begun = i
        return times, longest

    def test_between(self):
        def event(name, kind):
            return lambda e: (e["function"], e["kind"]) == (name, kind)

        for typed, begins, ends in (("first,third%return", event("first", "entry"), event("third", "exit")),
                                    ("second,second", event("second", "entry"), event("second", "entry")),
                                    ("worker,second", event("worker", "entry"), event("second", "entry"))):
            times, longest = self.pairs(begins, ends)
            if not times:
                continue
            found = self.events(self.threads, "--between", typed, "-n", "100000")[0]
            self.assertEqual((found["from"], found["to"], found["count"]), (*typed.split(","), len(times)))
            self.assertEqual(sum(row["count"] for row in found["histogram"]), len(times))
            for key, value in (("min", min(times)), ("max", max(times)), ("median", statistics.median_low(times)),
                               ("avg", statistics.mean(times))):
                self.assertAlmostEqual(found[key], value, delta=3e-9, msg=key)
            self.assertEqual([(e["kind"], e["function"], e["ticks"]) for e in found["worst"]["events"]],
                             [(e["kind"], e["function"], e["ticks"]) for e in longest])

    def test_worst(self):
        events = self.events(self.threads, "--graph")
        took = [(e["duration_ticks"], e) for e in events if e["kind"] == "exit" and e["function"] == "worker"]
        ticks, last = max(took, key=lambda one: one[0])
        inside = [(e["kind"], e["function"], e["ticks"]) for e in events
                  if e["core"] == last["core"] and last["ticks"] - ticks <= e["ticks"] <= last["ticks"]]
        found = self.events(self.threads, "--worst", "work*", "-n", "100000")[0]
        self.assertEqual((found["from"], found["to"], found["count"], found["worst"]["more"]), ("work*", None, len(took), 0))
        self.assertEqual([(e["kind"], e["function"], e["ticks"]) for e in found["worst"]["events"]], inside)
        self.assertAlmostEqual(found["worst"]["duration"], last["duration"], delta=2e-9)
        text = self.printed(self.threads, "--worst", "worker", "-n", "10")
        self.assertIn(f"{len(took)} calls of worker\n", text)
        shown, error = seconds_of(re.search("the longest: (.*?), ", text)[1])
        self.assertAlmostEqual(shown, last["duration"], delta=error)
        self.assertEqual(text.splitlines()[-1], f"... {len(inside) - 10} more events; -n {len(inside)} shows all")
        self.assertRegex(text, r"\|  worker\(\) \{\n.*\|    second\(\) \{\n.*\|      third\(\);\n")

    def test_of_target(self):
        """Without a trace file they are those of the file, while they grow on a terminal, and at the end."""
        stub = self.folder / "s_prof"
        done = subprocess.run([EXITS, "threads", self.folder / "counts"], env=environment() | {"MPROF_FILE": str(stub)},
                              stdin=subprocess.DEVNULL, timeout=HANG_S, check=False)
        self.assertEqual(done.returncode, 0)
        target, path = ("--elf", EXITS, "--raw", stub), self.folder / "target.trace"
        self.printed(*target, "--record", "-o", path)
        for options in ("--between", "second,third%return"), ("--worst", "work*"), ("--worst", "third"):
            text = self.printed(path, *options).replace(str(path), str(stub))
            self.assertEqual(self.printed(*target, *options), re.sub("; -n .* shows all", "", text))
            [of_file] = self.events(path, *options)
            [of_target] = json_lines(self.printed(*target, *options, "--format", "json"))
            self.assertEqual(of_target, of_file | {"file": None})
        # What is measured is recorded, whatever is left out.
        [found] = json_lines(self.printed(*target, "--between", "third,third%return", "--filter", "main", "--not",
                                          "third", "--format", "json"))
        self.assertEqual({e["function"] for e in found["worst"]["events"]}, {"third"})
        # One thread may interrupt another between the two: then these are fewer than calls.
        [measured] = self.events(path, "--between", "third,third%return")
        self.assertEqual(found["count"], measured["count"])
        with Pty("xterm-256color", [str(MPROF), "trace", *map(str, target), "--worst", "third"]) as screen:
            screen.wait("its end", screen.ended)
            grown, whole = re.split(rb"\r\x1b\[\d+A\x1b\[J", screen.bytes)
        lines = whole.decode().replace("\r", "").splitlines()
        self.assertEqual(lines[:-len(found["worst"]["events"])], text.splitlines()[:len(lines) - len(found["worst"]["events"])])
        self.assertEqual(grown.decode().replace("\r", "").splitlines()[:5], lines[:5])
        said = self.printed(*target, "--worst", "nosuch", status=1, stderr=f"mprof: {EXITS} has no function named 'nosuch'\n")
        self.assertEqual(said, "")
        self.printed(*target, "--between", "main,mark:3", status=1,
                     stderr=f"mprof: --between: no mark:3 was seen in {stub}\n")

    def test_refused(self):
        no_exits = "needs exits of functions, and the trace has only entries, as -pg gives them: build the firmware " \
                   "with -finstrument-functions, or with patched entries and MPROF_TRACE_RETURNS\n"
        for options in ("--graph",), ("--worst", "main"), ("--between", "main,main%return"):
            self.assertEqual(self.printed(self.entries, *options, status=1, stderr=f"mprof: {options[0]} {no_exits}"), "")
        self.printed(self.threads, "--between", "nosuch,main", status=1,
                     stderr=f"mprof: --between: no nosuch was seen in {self.threads}\n")
        self.printed(self.threads, "--between", "worker%return,mark:3", status=1,
                     stderr=f"mprof: --between: no mark:3 was seen in {self.threads}\n")
        self.printed(self.threads, "--worst", "nosuch", status=1,
                     stderr=f"mprof: --worst: no nosuch was seen in {self.threads}\n")
        for text, *options in (("--depth has no use with --worst", "--worst", "main", "--depth", "2"),
                               ("give --between or --worst, not both", "--worst", "main", "--between", "a,b"),
                               ("--graph has no use with --stack", "--graph", "--stack", "main"),
                               ("is not two events", "--between", "main"), ("is not two events", "--between", "a,b,c"),
                               ("has a duration", "--between", "a,b>2us"),
                               ("'mark:x' has no number: give mark:N", "--between", "mark:x,main"),
                               ("and --graph would show wrong callers", "--graph", "--start-at", "main", "--stop-at", "main")):
            done = mprof("trace", self.threads, *options)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertIn(text, done.stderr)
        for text, *options in (("give --between or --worst, not both", "--worst", "main", "--between", "a,b"),
                               ("--graph has no use with --worst", "--worst", "main", "--graph"),
                               ("--start-at has no use with --between", "--between", "a,b", "--start-at", "a"),
                               ("--record: 'mprof trace FILE --worst' measures", "--worst", "a", "--record", "-o", "x"),
                               ("--graph has no use with --record", "--graph", "--record", "-o", "x")):
            done = mprof("trace", "--elf", EXITS, "--raw", self.folder / "none", *options)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
