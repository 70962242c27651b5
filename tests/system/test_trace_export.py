# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export of trace files: what the programs make of it that the formats are for. Numbers are those of mprof
report."""

import collections
import json
import os
import random
import re
import shutil
import subprocess
import unittest

import formats
from case import Case
from support import (FIRMWARE, HANG_S, count, counted, environment, free_port, listens, mprof, stop,
                     wait_for)
from trace_maker import FULL, TraceMaker

NS = 10**9
FOLDERS = {"uftrace", "ctf"}
FILES = {"chrome", "firefox", "folded", "callgrind", "pprof", "speedscope"}


def calls_of(maker, chance, names, now, depth=0, **where):
    """Calls of random functions within each other, all of which return. Returns the time after them."""
    name = chance.choice(names)
    caller = 0x9001 + 2 * chance.randrange(3)
    maker.enter(name, now, caller=caller, **where)
    now += chance.randrange(1, 2000)
    while depth < 5 and chance.random() < 0.6:
        now = calls_of(maker, chance, names, now, depth + 1, **where) + chance.randrange(1, 500)
        if chance.random() < 0.2 and not where.get("exception"):
            now = calls_of(maker, chance, ["isr", "isr_part"], now, 4, exception=15, core=where.get("core", 0)) + 7
    maker.leave(name, now, caller=caller, **where)
    return now + chance.randrange(1, 300)


def whole():
    """Nothing is lost: two cores, tasks, an exception, recursion, names that need care. A tick is 1 ns."""
    maker, chance = TraceMaker().run(cores=2), random.Random(5)
    maker.clock(NS).clock(NS, core=1)
    maker.exception(15, "SysTick_Handler")
    names = ["parse", 'quote"d\\;<a>', (0xa000, "", "", 0), "caf\u00e9::run(int)", "loop"]
    now = other = 0
    for _ in range(40):
        now = calls_of(maker, chance, names, now, task=chance.choice((0x100, 0x200)))
        maker.mark(7, now, now, task=0x100)
        other = calls_of(maker, chance, names[:3], other, core=1)
    return maker.end()


def broken():
    """Calls that are jumped over, exits without an entry, losses, a restart, times that go back, an open call, and
    two recordings."""
    maker, chance = TraceMaker().run(cores=1), random.Random(6)
    for _ in range(2):
        maker.clock(NS // 10)
        maker.exception(15, "SysTick_Handler")
        now = 0
        for step in range(60):
            name = f"f{chance.randrange(6)}"
            exception = 15 if chance.random() < 0.2 else 0
            now += chance.randrange(-5, 200)
            (maker.enter if chance.random() < 0.6 else maker.leave)(name, now, exception=exception)
            if step % 20 == 10:
                maker.lost(step, reason=FULL)
            if step == 35:
                maker.restart()
                now = 0
        maker.mark(1, 5, now)
        maker.run(cores=1)
    return maker.end()


def anything(seed):
    """Events in no order, of all kinds, with times from anywhere."""
    chance = random.Random(seed)
    maker = TraceMaker()
    for _ in range(chance.randrange(1, 4)):
        maker.run(cores=3, threads=chance.random() < 0.3)
        now = 0
        for _ in range(400):
            core = chance.randrange(3)
            where = {"core": core, "exception": chance.choice((0, 0, 0, 15, 16)),
                     "task": chance.choice((None, None, 1, 2)), "caller": chance.choice((0x9001, 0x9003))}
            now += chance.choice((0, 1, 50, 50, 1000, -100, 1 << 40 if chance.random() < 0.01 else 7))
            what = chance.random()
            if what < 0.9:
                (maker.enter if what < 0.5 else maker.leave)(f"f{chance.randrange(5)}", now, **where)
            elif what < 0.94:
                maker.mark(chance.randrange(3), 1, now, **{key: where[key] for key in ("core", "exception", "task")})
            elif what < 0.96:
                maker.lost(3, core=core, reason=chance.randrange(1, 4))
            elif what < 0.98:
                maker.restart(core)
            else:
                maker.clock(chance.choice((0, 1, 1000, 4 * 10**9)), core=core, timed=chance.random() < 0.9)
    return maker.end()


def run(*words):
    """What a program prints, that must be content."""
    done = subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=HANG_S, env=environment(),
                          check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


class Exports(Case):
    def export(self, name, path, *options, said=None):
        out = self.folder / f"out.{name}"
        done = mprof("export", "--format", name, path, "-o", out, *options)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        if said is not None:
            self.assertEqual(done.stderr, said)
        return out

    def report(self, path, *options):
        """{name or address: row}; times in nanoseconds."""
        rows = {}
        for row in self.json("report", path, *options)["rows"]:
            for key in ("total", "self"):
                row[key] = None if row[key] is None else round(row[key] * NS)
            rows[row["function"] or hex(int(row["address"], 16))] = row
        return rows

    @staticmethod
    def known(rows, key):
        return {name: row[key] for name, row in rows.items() if row[key]}

    # Each returns what the file has of each function, and checks all that must be so in any file.

    def chrome(self, path):
        stacks, calls, totals, others = collections.defaultdict(list), collections.Counter(), collections.Counter(), []
        last, threads, counters = {}, {}, 0
        for event in json.loads(path.read_text(encoding="utf-8"), parse_float=lambda text: int(text.replace(".", "")))[
                "traceEvents"]:
            track = event["tid"]
            if event["ph"] == "M":
                if event["name"] == "thread_name":
                    threads[track] = event["args"]["name"]
                continue
            self.assertLessEqual(last.get(track, 0) if track else 0, event["ts"])
            last[track] = event["ts"]
            if event["ph"] == "B":
                stacks[track].append(event)
                calls[event["name"]] += 1
            elif event["ph"] == "E":
                begin = stacks[track].pop()
                if "args" not in event and not any(one["name"] == begin["name"] for one in stacks[track]):
                    totals[begin["name"]] += event["ts"] - begin["ts"]
            elif event["ph"] == "C":
                self.assertEqual((event["name"], event["args"]), (others[-1]["name"], others[-1]["args"]))
                counters += 1
            else:
                self.assertEqual(event["ph"], "i")
                others.append(event)
        self.assertEqual(counters, sum(event["name"].startswith("mark ") for event in others))
        self.assertFalse(any(stacks.values()))
        return threads, dict(calls), dict(totals), others

    def firefox(self, path):
        """{function: self time}, and the markers of each thread."""
        profile = json.loads(path.read_text(encoding="utf-8"), parse_float=lambda text: int(text.replace(".", "")))
        self.assertEqual(profile["meta"]["preprocessedProfileVersion"], 48)
        own, markers = collections.Counter(), {}
        for thread in profile["threads"]:
            tables = {name: table for name, table in thread.items() if isinstance(table, dict)}
            self.assertEqual(set(tables), {"samples", "markers", "stackTable", "frameTable", "funcTable",
                                           "resourceTable", "nativeSymbols"})
            for name, table in tables.items():
                for column, cells in table.items():
                    if isinstance(cells, list):
                        self.assertEqual(len(cells), table["length"], (name, column))
            stacks, frames, functions = (thread[name] for name in ("stackTable", "frameTable", "funcTable"))
            for i, prefix in enumerate(stacks["prefix"]):
                self.assertTrue(prefix is None or 0 <= prefix < i)
            strings = thread["stringArray"]
            names = [strings[functions["name"][frames["func"][frame]]] for frame in stacks["frame"]]
            self.assertEqual(thread["samples"]["weightType"], "tracing-ms")
            self.assertEqual(thread["samples"]["time"], sorted(thread["samples"]["time"]))
            self.assertEqual((thread["samples"]["stack"].pop(), thread["samples"]["weight"].pop()), (None, 0))
            for stack, weight in zip(thread["samples"]["stack"], thread["samples"]["weight"]):
                self.assertGreater(weight, 0)
                own[names[stack]] += weight
            markers[thread["name"]] = [(strings[name], data["type"])
                                       for name, data in zip(thread["markers"]["name"], thread["markers"]["data"])]
        return dict(own), markers

    @staticmethod
    def pprof(path):
        """{function: calls}, {function: self time}, contexts."""
        text = run("go", "tool", "pprof", "-raw", path)
        locations = dict(re.findall(r"(?m)^ +(\d+): 0x\w+ M=1 (.*?) \S*:\d+ s=\d+\(\)$", text))
        calls, own = collections.Counter(), collections.Counter()
        for one in re.finditer(r"(?m)^ +(\d+) +(\d+): (\d+)", text):
            calls[locations[one[3]]] += int(one[1])
            own[locations[one[3]]] += int(one[2])
        return dict(calls), {name: ns for name, ns in own.items() if ns}, set(re.findall(r"context:\[(.*?)\]", text))

    @staticmethod
    def uftrace(path):
        """{function: (calls, total in ns)}."""
        text = run("uftrace", "report", "-d", path, "--no-pager", "-f", "total,call")
        scale = {"ns": 1, "us": 1000, "ms": 10**6, " s": NS}
        found = re.findall(r"(?m)^ +(\d+)\.(\d\d\d) (us|ms| s|ns) +(\d+)  (.*)$", text)
        return {name: (int(calls), int(whole + part) * scale[unit] // 1000) for whole, part, unit, calls, name in found}

    @staticmethod
    def ctf(path):
        """(name of the event, {member: value}) of each."""
        text = run("babeltrace2", path)
        events = []
        for line in text.splitlines():
            name = re.match(r"\[[\d:.]+\] \(\+[\d?.]+\) (\w+): ", line)[1]
            members = dict(re.findall(r'(\w+) = (?:\( )?("(?:[^"]*)"|-?\w+)', line.replace("\\?", "?")))
            events.append((name, {key: value.strip('"') for key, value in members.items()}))
        return events


@unittest.skipUnless(all(map(shutil.which, ("go", "uftrace", "babeltrace2"))), "go, uftrace or babeltrace2 is missing")
class Numbers(Exports):
    """Of a trace of which nothing is lost, each program finds what mprof report finds."""

    @classmethod
    def setUpClass(cls):
        cls.data = whole()

    def setUp(self):
        self.path = self.put("whole.trace", self.data)
        self.rows = self.report(self.path)
        self.calls = self.known(self.rows, "calls")

    def replaced(self, of, letters):
        """Names as a format writes them that has no such letters."""
        return {"".join("?" if c in letters else c for c in name): value for name, value in of.items()}

    def test_folded(self):
        found, roots = collections.Counter(), set()
        for stack, ns in formats.folded(self.export("folded", self.path, said="").read_text(encoding="utf-8")).items():
            found[stack[-1]] += ns
            roots.add(stack[0])
        self.assertEqual(found, self.replaced(self.known(self.rows, "self"), ";"))
        self.assertEqual(roots, {"task 0x100, core 0", "task 0x200, core 0", "core 1", "SysTick_Handler, core 0",
                                 "SysTick_Handler, core 1"})

    def test_chrome(self):
        threads, calls, totals, others = self.chrome(self.export("chrome", self.path))
        self.assertEqual(sorted(threads.values()), ["SysTick_Handler, core 0", "SysTick_Handler, core 1", "core 1",
                                                    "task 0x100, core 0", "task 0x200, core 0"])
        self.assertEqual(calls, self.calls)
        self.assertEqual(totals, self.known(self.rows, "total"))
        self.assertEqual([one["name"] for one in others], ["recording"] + ["mark 7"] * 40)

    def test_speedscope(self):
        file = formats.check_speedscope(self.export("speedscope", self.path).read_text(encoding="utf-8"))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        calls = collections.Counter(names[event["frame"]] for profile in file["profiles"]
                                    for event in profile["events"] if event["type"] == "O")
        self.assertEqual(calls, self.calls)
        self.assertEqual(len(file["profiles"]), 5)

    def test_firefox(self):
        own, markers = self.firefox(self.export("firefox", self.path))
        self.assertEqual(own, self.known(self.rows, "self"))
        self.assertEqual(markers["task 0x100, core 0"], [("mark 7", "Mark")] * 40)

    def test_callgrind(self):
        path = self.export("callgrind", self.path)
        events, totals, rows = formats.annotate(path)
        own = self.known(self.rows, "self")
        self.assertEqual((events, totals), (["ns"], [sum(own.values())]))
        found = {name: counts[0] for (_, name), counts in rows.items() if counts[0]}
        self.assertEqual(found, {name.split(":")[-1]: ns for name, ns in own.items()})

    def test_pprof(self):
        calls, own, contexts = self.pprof(self.export("pprof", self.path))
        self.assertEqual((calls, own), (self.calls, self.known(self.rows, "self")))
        self.assertEqual(len(contexts), 5)
        rows = self.json("report", self.folder / "out.pprof", "--type", "self")["rows"]
        self.assertEqual(sum(row["hits"] for row in rows), sum(own.values()))

    def test_uftrace(self):
        found = self.uftrace(self.export("uftrace", self.path))
        self.assertEqual({name: calls for name, (calls, _) in found.items()}, self.calls)
        totals = self.known(self.rows, "total")
        for name, (_, total) in found.items():
            self.assertAlmostEqual(total, totals[name], delta=max(1, totals[name] * 1e-3), msg=name)

    def test_ctf(self):
        out = self.export("ctf", self.path)
        self.assertIn("offset_s = 1700000000;\n", (out / "metadata").read_text(encoding="utf-8"))
        events = self.ctf(out)
        calls, totals = collections.Counter(), collections.Counter()
        for name, members in events:
            if name == "entry":
                calls[members["function"]] += 1
            elif name == "exit":
                self.assertEqual(members["end"], "returned")
                totals[members["function"]] += int(members["duration_ns"])
        self.assertEqual(calls, self.replaced(self.calls, '"\\'))
        self.assertEqual(sum(totals.values()), sum(round(row["avg"] * row["timed"] * NS) for row in self.rows.values()))
        self.assertEqual(len([name for name, _ in events if name == "mark"]), 40)

    def test_filters(self):
        """They apply as to mprof report."""
        for options in (["--filter", "parse,loop"], ["--not", "isr*"], ["--depth", "2"], ["--below", "loop"],
                        ["--min", "5us"]):
            rows = self.report(self.path, *options)
            self.assertNotEqual(self.known(rows, "calls"), self.calls)
            _, calls, totals, _ = self.chrome(self.export("chrome", self.path, *options))
            self.assertEqual((calls, totals), (self.known(rows, "calls"), self.known(rows, "total")), options)
        _, calls, _, _ = self.chrome(self.export("chrome", self.path, "--start-at", "loop", "--stop-at", "loop%return"))
        self.assertLess(sum(calls.values()), sum(self.calls.values()))
        self.assertGreater(calls["loop"], 0)


@unittest.skipUnless(all(map(shutil.which, ("uftrace", "babeltrace2"))), "uftrace or babeltrace2 is missing")
class Broken(Exports):
    """Whatever is lost, calls nest, and each that begins ends."""

    def setUp(self):
        self.path = self.put("broken.trace", broken())

    def test_balance(self):
        rows = self.report(self.path)
        calls = self.known(rows, "calls")
        _, found, _, others = self.chrome(self.export("chrome", self.path))
        self.assertEqual(found, calls)
        names = collections.Counter(one["name"] for one in others)
        self.assertEqual(names, {"lost events": 6, "restart": 2, "recording": 3, "mark 1": 2})
        lost = [one["args"]["events"] for one in others if one["name"] == "lost events"]
        self.assertEqual(lost, 2 * [10, 30, 50])
        formats.check_speedscope(self.export("speedscope", self.path).read_text(encoding="utf-8"))
        own, markers = self.firefox(self.export("firefox", self.path))
        self.assertEqual(sum(kind == "Lost" for one in markers.values() for _, kind in one), 6)
        self.assertTrue(set(own) <= set(calls))
        found = self.uftrace(self.export("uftrace", self.path))
        self.assertEqual({name: count for name, (count, _) in found.items()}, calls)
        events = self.ctf(self.export("ctf", self.path))
        self.assertEqual(collections.Counter(name for name, _ in events)["lost"], 6)
        ends = collections.Counter(members["end"] for name, members in events if name == "exit")
        self.assertEqual(sum(ends.values()), sum(calls.values()))
        self.assertEqual(set(ends), {"returned", "jumped_over", "lost", "open"})

    def test_anything(self):
        """Random events in any order."""
        for seed in range(rounds := count(2, 200)):
            path = self.put("random.trace", anything(seed))
            calls = self.known(self.report(path), "calls")
            self.assertEqual(self.chrome(self.export("chrome", path))[1], calls, seed)
            formats.check_speedscope(self.export("speedscope", path).read_text(encoding="utf-8"))
            self.firefox(self.export("firefox", path))
            self.uftrace(self.export("uftrace", path))
            entries = collections.Counter(one["function"] for name, one in self.ctf(self.export("ctf", path))
                                          if name == "entry")
            self.assertEqual(entries, calls, seed)
            for name in ("folded", "callgrind", "pprof"):
                self.export(name, path)
        counted(f"{rounds} random traces in 8 formats")

    def test_cores(self):
        """What belongs to a core is in the stream of its last track, whose times do not go back."""
        maker = TraceMaker().run(cores=2).clock(NS).clock(NS, core=1)
        maker.enter("f", 100, core=1).lost(1, core=1).enter("f", 10).lost(2)
        events = self.ctf(self.export("ctf", self.put("cores.trace", maker.end())))
        self.assertEqual([one["events"] for name, one in events if name == "lost"], ["2", "1"])

    def test_said(self):
        """What the result does not show."""
        exits = self.json("report", self.path)["unmatched_exits"]
        done = mprof("export", "--format", "folded", self.path)
        self.assertRegex(done.stderr, rf"\Amprof: {self.path}: left out: \d+ exits without an entry\n\Z")
        self.assertGreater(exits, 0)
        plain = TraceMaker().run().clock(0).enter("f", 3).leave("f", 9)
        path = self.put("ticks.trace", plain.end())
        done = mprof("export", "--format", "folded", path)
        self.assertEqual((done.returncode, done.stdout), (0, "thread;f 6\n"))
        self.assertEqual(done.stderr, f"mprof: {path}: the rate of the clock is not known: a tick is written as 1 ns\n")
        path = self.put("untimed.trace", TraceMaker().run().enter("f", 0).leave("f", 0).end())
        self.assertIn("--format folded needs times, and the trace has none", self.export_error("folded", path))
        self.export("chrome", path, said=f"mprof: {path} has no times: events are written 1 ns apart\n")
        cut = self.put("cut.trace", self.path.read_bytes()[:-20])
        done = mprof("export", "--format", "chrome", cut)
        self.assertEqual(done.returncode, 0)
        self.assertIn("is cut short", done.stderr)
        plain = TraceMaker().run().clock(0).enter("f", 3)
        for i in range(60000):
            plain.enter("f", 4)
        cut = self.put("entries.trace", plain.leave("f", 9).end()[:-20])
        done = mprof("export", "--format", "folded", cut)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"(?s)has only entries.*is cut short")
        path = self.put("one.trace", TraceMaker().run().clock(NS).enter("f", 3).leave("f", 9).end())
        for name, said in ("f", ""), ("nosuch", "mprof: --filter: no call of such a function was seen\n"):
            for verb in ("export", "--format", "folded"), ("report",), ("trace",):
                done = mprof(*verb, path, "--filter", name)
                self.assertEqual((done.returncode, done.stderr), (0, said), verb)

    def export_error(self, name, path, status=1):
        return self.bad("export", "--format", name, path, "-o", self.folder / "none", status=status)

    def test_deep(self):
        """uftrace has room for 1024 calls within each other; the others show all."""
        maker = TraceMaker().run().clock(NS)
        for i in range(1500):
            maker.enter("deep", i)
        for i in range(1500):
            maker.leave("deep", 2000 + i)
        path = self.put("deep.trace", maker.end())
        self.export("uftrace", path,
                    said=f"mprof: {path}: left out: 476 calls too deep for --format uftrace\n")
        self.assertEqual(self.uftrace(self.folder / "out.uftrace")["deep"][0], 1024)
        self.assertEqual(self.chrome(self.export("chrome", path))[1], {"deep": 1500})

    def test_program_names(self):
        """Of a file that says what it likes: nothing is written outside of the folder, and calls have names."""
        for i, elf in enumerate(("../out", "/tmp/out", "a/b", "a b\nc", "..", "", "x" * 300)):
            folder = self.folder / f"of-{i}" / "inner"
            folder.mkdir(parents=True)
            path = self.put("program.trace", TraceMaker().run(elf=elf).clock(NS).enter("f", 1).leave("f", 9).end())
            done = mprof("export", "--format", "uftrace", path, "-o", folder / "out.uftrace")
            self.assertEqual((done.returncode, done.stderr), (0, ""), elf)
            self.assertEqual(os.listdir(folder), ["out.uftrace"], elf)
            self.assertEqual(os.listdir(folder.parent), ["inner"], elf)
            self.assertEqual(self.uftrace(folder / "out.uftrace"), {"f": (1, 8)}, elf)
            self.export("callgrind", path)

    def test_folders(self):
        """One of ours is replaced; of any other, and of one with more files, nothing is touched."""
        out = self.export("ctf", self.path)
        before = sorted(out.iterdir())
        self.export("uftrace", self.path)
        shutil.rmtree(self.folder / "out.uftrace")
        mprof("export", "--format", "uftrace", self.path, "-o", out)
        self.assertTrue((out / "info").exists() and not (out / "metadata").exists())
        mprof("export", "--format", "ctf", self.path, "-o", out)
        self.assertEqual(sorted(out.iterdir()), before)
        (out / "notes").write_text("mine")
        for path in (out, self.put("file", "text")):
            self.assertEqual(self.bad("export", "--format", "ctf", self.path, "-o", path),
                             f"mprof: {path} exists and was not written by 'mprof export': give -o another name\n")
        self.assertEqual(sorted(out.iterdir()), sorted([*before, out / "notes"]))
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(mprof("export", "--format", "ctf", self.path, "-o", f"{empty}/").returncode, 0)
        self.assertEqual(sorted(one.name for one in empty.iterdir()), sorted(one.name for one in before))
        self.assertEqual([one for one in os.listdir(self.folder) if "." in one and one.split(".")[-1] not in
                          {"trace", "uftrace", "ctf"}], [])

    def test_refusals(self):
        for words, said, status in (
                (["--format", "gmon", self.path],
                 f"--format gmon is for snapshots, and {self.path} is a trace file", 2),
                (["--format", "ctf", self.path], "--format ctf writes a folder: name it with -o FOLDER", 2),
                (["--format", "chrome", self.path, self.path], "give one trace file", 2),
                (["--format", "chrome", "--elf", "x.elf", self.path], "--elf has no use for a trace file", 2),
                (["--format", "chrome", self.put("text", "text")], "this is not a trace", 1)):
            self.assertIn(said, self.bad("export", *words, status=status))
        marks = self.put("marks.trace", TraceMaker().run().mark(1, 2, 3).end())
        self.assertIn("--format uftrace needs calls, and the trace has none", self.export_error("uftrace", marks))
        self.assertEqual(self.chrome(self.export("chrome", marks))[3][-1]["name"], "mark 1")


@unittest.skipUnless(all(map(shutil.which, ("uftrace", "babeltrace2"))), "uftrace or babeltrace2 is missing")
class Sleeps(Exports):
    """A core sleeps twice, once it is known how long; and tasks have names."""

    def setUp(self):
        maker = TraceMaker().run().clock(NS)
        maker.task(5, "idle")
        maker.enter("loop", 0, task=5)
        maker.sleep(32768, 2**32 - 4096, 10, task=5)
        maker.wake(32768, 4096, 20, task=5)
        maker.sleep(0, 0, 30, task=5)
        maker.wake(0, 0, 40, task=5)
        self.path = self.put("sleeps.trace", maker.leave("loop", 50, task=5).end())

    def test_events(self):
        names = ["asleep", "awake"] * 2
        threads, _, totals, others = self.chrome(self.export("chrome", self.path))
        self.assertEqual((list(threads.values()), totals), (["task idle"], {"loop": 50}))
        self.assertEqual([(one["name"], one["args"].get("slept ns")) for one in others[1:]],
                         list(zip(names, [None, 250000000, None, None])))
        self.assertEqual(self.firefox(self.export("firefox", self.path))[1], {"task idle": [(name, "Sleep") for name in names]})
        events = [one for one in self.ctf(self.export("ctf", self.path)) if one[0] in names]
        self.assertEqual([(name, members.get("slept_ns")) for name, members in events],
                         list(zip(names, [None, "250000000", None, "-1"])))
        self.export("uftrace", self.path)
        dump = run("uftrace", "dump", "-d", self.folder / "out.uftrace", "--no-pager")
        self.assertEqual(re.findall(r"mprof:(\w+)", dump), names)
        self.assertEqual(self.export("folded", self.path).read_text(encoding="utf-8"), "task idle;loop 50\n")

    def test_no_marks(self):
        """They are none of the firmware's own."""
        self.assertIn("no mark:32768 was seen", self.bad("trace", self.path, "--between", "mark:32768,mark:32768", status=1))
        self.assertIn("loop() {\n", mprof("trace", self.path, "--graph").stdout)
        self.assertIn("|    /* awake after 0.250000 s */\n", mprof("trace", self.path, "--graph").stdout)


def record(elf, machine, events, path):
    """Records real firmware in QEMU, where each instruction takes 32 ns."""
    port = free_port()
    qemu = subprocess.Popen([*machine, "-display", "none", "-monitor", "none", "-serial", "none",
                             "-icount", "shift=5", "-gdb", f"tcp:127.0.0.1:{port}", "-kernel", elf],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True)
    try:
        wait_for(f"QEMU at {port}", lambda: listens(port))
        done = mprof("trace", "--elf", elf, "--gdb", f":{port}", "-n", events, "--record", "-o", path)
        assert done.returncode == 0, done.stderr
    finally:
        stop(qemu)


MACHINES = {"cortex-m4f": ["qemu-system-arm", "-M", "mps2-an386"],
            "rv32": ["qemu-system-riscv32", "-M", "virt", "-bios", "none"]}


class OfFirmware(Exports):
    """Traces of examples/trace: each round main calls f1, f1 calls f2, f2 calls f3."""

    def recorded(self, name, exits):
        elf = FIRMWARE / f"trace-{'exits-' if exits else ''}{name}.elf"
        if not elf.exists() or not shutil.which(MACHINES[name][0]):
            self.skipTest(f"{elf.name} or {MACHINES[name][0]} is missing")
        path = self.folder / f"{name}.trace"
        record(elf, MACHINES[name], 300, path)
        return path

    def check_exits(self, name):
        path = self.recorded(name, True)
        calls = self.known(self.report(path), "calls")
        self.assertEqual(set(calls), {"f1", "f2", "f3", "work"})
        out = self.export("uftrace", path)
        self.assertEqual({function: count for function, (count, _) in self.uftrace(out).items()}, calls)
        self.assertRegex(run("uftrace", "replay", "-d", out, "--no-pager"),
                         r"(?m)^ +\[ +1\] \| f1\(\) \{\n +\[ +1\] \|   f2\(\) \{\n"
                         r" +\d.* \|     f3\(\);\n +\d.* \|   \} /\* f2 \*/\n +\d.* \| \} /\* f1 \*/$")
        self.assertRegex(run("uftrace", "graph", "-d", out, "--no-pager"),
                         r"\+-\(\d+\) f1\n.*\(\d+\) f2\n.*\(\d+\) f3\n")
        dump = run("uftrace", "dump", "-d", out, "--no-pager")
        self.assertIn("mprof:mark_1", dump)
        depths = set(re.findall(r"\] (f\d)\(\w+\) depth: (\d)", dump))
        self.assertTrue({("f1", "0"), ("f2", "1"), ("f3", "2")} <= depths, depths)
        events = self.ctf(self.export("ctf", path))
        self.assertEqual(collections.Counter(one["function"] for kind, one in events if kind == "entry"), calls)

    def test_cortex_m4f(self):
        self.check_exits("cortex-m4f")

    def test_rv32(self):
        self.check_exits("rv32")

    def test_entries_only(self):
        """-pg on Arm: no call ends, so Chrome has instants, CTF entries, and no other format anything."""
        path = self.recorded("cortex-m4f", False)
        calls = self.known(self.report(path), "calls")
        events = json.loads(self.export("chrome", path).read_text(encoding="utf-8"))["traceEvents"]
        entries = [one for one in events if one["name"] in calls]
        self.assertEqual(collections.Counter(one["name"] for one in entries), calls)
        self.assertEqual({one["ph"] for one in entries}, {"i"})
        self.assertEqual({tuple(one["args"]["arguments"]) for one in entries if one["name"] == "f3"}, {(1, 2, 3)})
        events = self.ctf(self.export("ctf", path))
        self.assertEqual({one["arguments"] for kind, one in events if kind == "entry" and one["function"] == "f2"},
                         {"(1, 2)"})
        self.assertNotIn("exit", {kind for kind, _ in events})
        for name in sorted((FOLDERS | FILES) - {"chrome", "ctf"}):
            said = self.bad("export", "--format", name, path, "-o", self.folder / "none")
            self.assertEqual(said, f"mprof: {path}: --format {name} needs exits of functions, and the trace has only "
                                   "entries: build the firmware with -finstrument-functions, or with patched "
                                   "entries and MPROF_TRACE_RETURNS\n")


if __name__ == "__main__":
    unittest.main()
