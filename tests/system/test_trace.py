# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof trace: each event that the firmware makes is printed, or counted where it is missing.

usage: test_trace.py TRACE_LIVE_ELF BLOCKS_ELF
"""

import collections
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from blocks_rig import BlocksRig
from rig import Rig
from support import (FIRMWARE, HANG_S, MPROF, count, counted, free_port, json_lines, listens, mprof, start,
                     stop, wait_for)
from terminal import Terminal

ELF, BLOCKS = sys.argv[1:]
FAST = ["--link-share", "1"]
EVENTS = count(300, 100000)
FILTERS = count(2, 200)
NAMES = ("first", "second", "third", "fourth")


def calls(name, caller, seed):
    """The events of a function of tests/core/firmware/trace_calls.c."""
    inner = calls(NAMES[seed & 3], name, seed >> 2) if seed else []
    return [("entry", caller, name), *inner, ("exit", caller, name)]


PATTERN = [event for seed in range(16) for event in calls("first", "main", seed)]


def place(events, pattern):
    """Where in the pattern these events can begin."""
    return [at for at in range(len(pattern))
            if all(pattern[(at + i) % len(pattern)] == one for i, one in enumerate(events))]


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(ELF).start()
        cls.addClassCleanup(cls.rig.stop)
        cls.link = ["--elf", ELF, "--gdb", f":{cls.rig.gdb_port}", "--tcl", f":{cls.rig.tcl_port}"]

    def qemu(self, elf):
        """Each read halts it."""
        rig = Rig(elf, qemu_gdb=True).start()
        self.addCleanup(rig.stop)
        return ["--elf", elf, "--gdb", f":{rig.gdb_port}"]

    def follows(self, lines, names=NAMES):
        """After what is lost the pattern of these functions goes on as many events later. Returns how many were
        lost."""
        pattern = [event for event in PATTERN if event[2] in names]
        begin = next(i for i, one in enumerate(lines) if one["kind"] == "lost" or i == len(lines) - 1)
        first = [(one["kind"], one["caller"], one["function"]) for one in lines[:begin]]
        possible, lost = place(first, pattern), 0
        self.assertTrue(possible, first)
        at = begin
        for one in lines[begin:]:
            if one["kind"] == "lost":
                # A core that got no processor in the middle of an event leaves it unfinished.
                self.assertIn(one["reason"], ("overwritten", "unfinished"))
                lost += one["count"]
                at += one["count"]
                continue
            event = one["kind"], one["caller"], one["function"]
            possible = [start for start in possible if pattern[(start + at) % len(pattern)] == event]
            self.assertTrue(possible, one)
            at += 1
        return lost

    def test_every_event(self):
        done = mprof("trace", *self.link, *FAST, "-n", str(EVENTS), "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = json_lines(done.stdout)
        calls_ = [one for one in lines if one["kind"] != "lost"]
        self.assertEqual(len(calls_), EVENTS)
        self.assertEqual({(one["time"], one["ticks"], one["context"], one["core"])
                          for one in calls_}, {(None, None, "thread", 0)})
        lost = self.follows(lines)
        self.assertIn("the events have no times", done.stderr)
        self.assertEqual(f"{lost} of {lost + EVENTS} events were lost" in done.stderr, lost != 0)
        self.assertEqual(self.rig.stat()["halts"], 0)
        counted(f"{EVENTS} traced events, {lost} lost")

    def record(self, path, *options):
        done = mprof("trace", *self.link, *FAST, "--record", "-o", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_recorded(self):
        """A recording has what a tail prints, and its report the calls that are in it."""
        # Else the ring may still have what another test's filter let through.
        self.assertEqual(mprof("control", "reset", *self.link).returncode, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.trace")
            done = self.record(path, "-n", "100")
            self.assertRegex(done.stdout, r"\A\S+: 100 events in \d+\.\d s\n\Z")
            size = os.path.getsize(path)
            printed = mprof("trace", path, "--format", "json")
            self.assertEqual(printed.returncode, 0, printed.stderr)
            self.assertEqual("events were lost" in done.stderr, "events were lost" in printed.stderr)
            lines = json_lines(printed.stdout)
            lost = self.follows(lines)
            events = [one for one in lines if one["kind"] != "lost"]
            self.assertEqual(len(events), 100)
            report = mprof("report", path, "--format", "json")
            self.assertEqual(report.returncode, 0, report.stderr)
            report = json.loads(report.stdout)
            entries = collections.Counter(one["function"] for one in events
                                          if one["kind"] == "entry")
            self.assertEqual({row["function"]: row["calls"] for row in report["rows"]}, entries)
            self.assertEqual((report["calls"] + report["exits"], report["lost"], report["unit"]),
                             (100, lost, None))
            print(f"counted: {size / 100:.1f} bytes a recorded event, with names, {lost} lost")
            self.append(path, lines)

    def append(self, path, lines):
        """Another recording comes after the first one; both are printed as text and counted."""
        self.record(path, "-n", "10")
        text = mprof("trace", path).stdout.splitlines()
        self.assertEqual(sum(" another recording: " in one for one in text), 1)
        self.assertIn(" another recording: ", text[len(lines)])
        report = mprof("report", path, "-s", "function", "-f", "function,calls", "--limit", "2")
        self.assertRegex(report.stdout, r"(?s)\A\S+: \d+ calls, \d+ exits, .*: the events have no times\n"
                                        r"\nFUNCTION  CALLS\nfirst .*\n(second|third|fourth) ")
        done = mprof("trace", "--elf", BLOCKS, *self.link[2:], "--force", "--record", "-o", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{path} has a trace of another build of trace-live.elf", done.stderr)

    def test_recorded_until_ctrl_c(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.trace")
            process = start("trace", *self.link, "--record", "-o", path)
            self.addCleanup(stop, process)
            size = 0
            while size == 0:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
                # It begins anew when it knows the target's cores: for a moment there is no file.
                with contextlib.suppress(FileNotFoundError):
                    size = os.path.getsize(path)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=HANG_S)
            self.assertEqual(process.returncode, 0)
            self.assertIn(" events in ", out)
            done = mprof("trace", path)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("not ended", done.stderr)
            self.assertRegex(done.stdout, " -> | <- |lost: ")
            report = json.loads(mprof("report", path, "--format", "json").stdout)
            self.assertEqual([row["function"] for row in report["rows"] if not row["file"]], [])

    def test_no_trace_file(self):
        for wrong in (["trace", __file__], ["trace", __file__, "--record", "-o", "x"],
                      ["trace", *self.link, "--record"],
                      ["trace", *self.link, "--record", "-o", __file__],
                      ["report", __file__, "-s", "total"]):
            done = mprof(*wrong)
            self.assertIn(done.returncode, (1, 2))
            self.assertEqual(len([one for one in done.stderr.splitlines() if "mprof: " in one]), 1)

    def test_text_and_switches(self):
        link = self.link
        done = mprof("trace", *link, "-n", "3")
        self.assertRegex(done.stdout, r"\A(( +-  \w+ (->|<-) \w+| +lost: \d+ events? (overwritten before "
                                      r"they were read|interrupted while they were recorded))\n){3,}\Z")
        process = start("trace", *link)
        self.addCleanup(stop, process)
        self.assertRegex(process.stdout.readline(), " -> | <- |lost: ")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(mprof("control", "off", "trace", *link).returncode, 0)
        done = mprof("trace", *link, "--duration", "0.1")
        self.assertIn("no new events: trace=off; 'mprof control on trace' switches it on", done.stderr)
        self.assertLessEqual(len(re.findall(" -> | <- ", done.stdout)), 256)
        done = mprof("top", *link, "-n", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("it has only a trace, which counts nothing: use 'mprof trace'", done.stderr)
        self.assertEqual(mprof("control", "on", "trace", *link).returncode, 0)

    def test_halted_for_each_read(self):
        done = mprof("trace", *self.qemu(ELF), "--allow-halt=1", "-n", str(EVENTS), "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lost = self.follows(json_lines(done.stdout))
        counted(f"{EVENTS} traced events over halts, {lost} lost")

    def functions(self, *words, events=20):
        """The functions of so many events, and what was said."""
        done = mprof("trace", *self.link, *FAST, *words, "-n", str(events), "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return {one["function"] for one in json_lines(done.stdout) if "function" in one}, done.stderr

    def status(self):
        return mprof("control", *self.link).stdout

    def test_filter(self):
        """The stub records what is asked for, until mprof leaves."""
        self.assertEqual(self.functions("--filter", "sec*,fourth")[0], {"second", "fourth"})
        self.assertNotIn("traces", self.status())
        self.assertEqual(self.functions("--filter", "trace_calls.c", "--not", "first,third")[0],
                         {"second", "fourth"})
        self.assertEqual(self.functions("--not", "first,third,fourth")[0], {"second"})
        process = start("trace", *self.link, "--filter", "third")
        self.addCleanup(stop, process)
        self.assertRegex(process.stdout.readline(), " third$|lost: ")
        self.assertRegex(self.status(), r"(?m)^traces   0x[0-9a-f]+-0x[0-9a-f]+ third$")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        self.assertNotIn("traces", self.status())

    def test_filter_changes(self):
        """At any moment: all that comes after one is of its functions, and each of their events is there or
        counted."""
        chance, lost, events = random.Random(18), 0, 0
        self.addCleanup(mprof, "control", "filter", "none", *self.link)
        for _ in range(FILTERS):
            names = chance.sample(NAMES, chance.randrange(1, len(NAMES)))
            for words in ("filter", ",".join(names)), ("reset",):
                done = mprof("control", *words, *self.link)
                self.assertEqual(done.returncode, 0, done.stderr)
            done = mprof("trace", *self.link, *FAST, "-n", "60", "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = json_lines(done.stdout)
            lost += self.follows(lines, names)
            events += sum(one["kind"] != "lost" for one in lines)
        self.assertEqual(events, 60 * FILTERS)
        counted(f"{FILTERS} changes of the filter, {events} events of it, {lost} lost")

    def test_filter_of_another(self):
        """A filter that stays, and is another mprof's."""
        self.assertEqual(mprof("control", "filter", "third", *self.link).returncode, 0)
        self.assertEqual(mprof("control", "reset", *self.link).returncode, 0)
        functions, said = self.functions()
        self.assertEqual(functions, {"third"})
        self.assertIn("the stub records only some functions; 'mprof control filter none'", said)
        with tempfile.NamedTemporaryFile("r") as file:
            process = start("trace", *self.link, "--filter", "second", "-o", file.name)
            self.addCleanup(stop, process)
            wait_for("an event", lambda: " second" in file.read())
            self.assertEqual(mprof("control", "filter", "none", *self.link).returncode, 0)
            line = process.stderr.readline()
            while "another mprof has changed" not in line:
                self.assertTrue(line)
                line = process.stderr.readline()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=HANG_S)
            file.seek(0)
            self.assertNotRegex(file.read(), r"(->|<-) (first|third|fourth)")
        self.assertEqual(self.functions(events=3 * len(PATTERN))[0], set(NAMES))

    def test_more_functions_than_room(self):
        """It is said, and what is between them is left out."""
        ranges = ",".join(f"{0x10000 + 64 * i}+2" for i in range(9))
        functions, said = self.functions("--filter", "second", "--filter", ranges)
        self.assertEqual(functions, {"second"})
        self.assertIn("these functions are 10 ranges of code, and the stub has room for 8", said)
        done = mprof("control", "filter", ranges, *self.link)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("these functions are 9 ranges of code, and the stub has room for 8", done.stderr)

    def test_wrong_filters(self):
        for words, said in ((("--filter", "sceond"), "has no function named 'sceond'; did you mean 'second'?"),
                            (("--filter", "no.c"), "has no function and no file named 'no.c'"),
                            (("--filter", "second", "--not", "second"), "leave no function to trace"),
                            (("--filter", "0x10-0x5"), "is not a range of addresses")):
            done = mprof("trace", *self.link, *words)
            self.assertIn(said, done.stderr)
            self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("traces", self.status())

    def test_tracers(self):
        self.assertEqual(mprof("control", "tracer", "none", *self.link).returncode, 0)
        self.assertIn("hooks=off", self.status())
        self.assertEqual(mprof("control", "tracer", "trace", *self.link).returncode, 0)
        self.assertRegex(self.status(), "hooks=on .*trace=on")
        self.assertEqual(self.functions(events=3 * len(PATTERN))[0], set(NAMES))
        for word, said in (("sink", "this firmware's stub has no 'sink'"), ("all", "no tracer 'all'"),
                           (None, "missing argument: none, calls, arcs, trace or sink")):
            done = mprof("control", "tracer", *([word] if word else []), *self.link)
            self.assertIn(said, done.stderr)
            self.assertNotEqual(done.returncode, 0)

    def test_examples(self):
        """Each round of examples/trace: a mark, and three calls with their arguments where -pg tells them."""
        for name, machine, arguments in (
                ("cortex-m4f", ["qemu-system-arm", "-M", "mps2-an386"], [[1], [1, 2], [1, 2, 3]]),
                ("rv64", ["qemu-system-riscv64", "-M", "virt", "-bios", "none"], [None] * 3)):
            elf, port = FIRMWARE / f"trace-{name}.elf", free_port()
            if not elf.exists() or not shutil.which(machine[0]):
                self.skipTest(f"{elf.name} or {machine[0]} is missing")
            qemu = subprocess.Popen([*machine, "-display", "none", "-monitor", "none", "-serial", "none",
                                     "-gdb", f"tcp:127.0.0.1:{port}", "-kernel", elf],
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            self.addCleanup(stop, qemu)
            wait_for(f"QEMU at {port}", lambda port=port: listens(port))
            link = ["--elf", elf, "--gdb", f":{port}"]
            # QEMU may run so fast that the ring overflows between two readings of it.
            done = mprof("trace", *link, "-n", "400", "--format", "json")
            self.assertEqual(done.returncode, 0, done.stderr)
            unbroken = [[]]
            for one in json_lines(done.stdout):
                if one["kind"] == "lost":
                    unbroken.append([])
                else:
                    unbroken[-1].append(one)
            events = max(unbroken, key=len)
            at = next(i for i, one in enumerate(events) if one["kind"] == "mark")
            self.assertGreaterEqual(len(events), at + 32)
            for mark, *calls_ in zip(*(events[at + i:at + 32:4] for i in range(4))):
                self.assertEqual((mark["id"], mark["value"]), (1, events[at]["value"]))
                self.assertEqual([(one["caller"], one["function"], one.get("arguments")) for one in calls_],
                                 list(zip(("main", "f1", "f2"), ("f1", "f2", "f3"), arguments)))
                at += 4
            done = mprof("trace", *link, "-n", "40", "--filter", "f*", "--not", "f2")
            self.assertEqual(set(re.findall(r"-> (\w+)", done.stdout)), {"f1", "f3"})
            self.assertIn("mark 1: ", done.stdout)
            # Else the ring may still have what the filter let through.
            done = mprof("control", "reset", *link)
            self.assertEqual(done.returncode, 0, done.stderr)
            words = ["(1)", "(1, 2)", "(1, 2, 3)"] if arguments[0] else [""] * 3
            done = mprof("trace", *link, "-n", "400", "--stack", "f3")
            self.assertIn("  main -> f1{} -> f2{} -> f3{}\n".format(*words), done.stdout)
            self.assertIn(f"  f1 -> f2{words[1]}\n", done.stdout)
            # A reading may begin, or go on after a loss, right before f3: "... -> f2 -> f3".
            self.assertNotRegex(done.stdout, r"(?m)^ +-  f2 -> f3")
            if name == "rv64":
                done = mprof("report", *link, "--format", "json")
                hits = {row["function"]: row["hits"] for row in json_lines(done.stdout)[0]["rows"]}
                self.assertEqual(set(hits), {"f1", "f2", "f3"})
                self.assertLessEqual(max(hits.values()) - min(hits.values()), 1)
                self.assertGreaterEqual(min(hits.values()), 100)

    def test_key(self):
        """T in top prints the calls of the row's function, and top goes on after it."""
        with BlocksRig(BLOCKS) as rig, Terminal(100, 30) as t:
            rig.begin()
            t.command(f"clear; {MPROF} top --elf {BLOCKS} --gdb :{rig.gdb_port} --tcl :{rig.tcl_port} "
                      "-d 0.1; echo status $?")
            t.shows(r"^> .* work_a ")
            t.type("T")
            # In the history, since calls may have scrolled it away.
            t.wait("the command",
                   lambda: re.search("(?m)^mprof> trace --filter work_a$", t.screen("-S", "-")))
            t.wait("calls", lambda: t.screen().count("  from_one -> work_a\n") >= 10)
            self.assertNotIn("work_b", t.screen())
            t.type("C-c")
            t.shows("^-- Enter: return to the live screen --")
            t.type("Enter")
            t.shows(r"^> .* work_a ")
            t.type("3", "T")
            t.shows("^this row is not a function: only functions can be traced")
            t.type("q")
            t.shows("^status 0$")
            # All functions are recorded again.
            done = mprof("trace", "-n", "30", *FAST, "--elf", BLOCKS, "--gdb", f":{rig.gdb_port}", "--tcl",
                         f":{rig.tcl_port}")
            self.assertEqual(set(re.findall(r"-> (\w+)", done.stdout)), {"work_a", "work_b", "work_c"})
            self.assertEqual(rig.stat()["halts"], 0)

    def test_no_trace(self):
        done = mprof("trace", *self.qemu(FIRMWARE / "cortex-m3.elf"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the firmware has no trace; build it with MPROF_TRACE_CNT", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
