# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof trace: each event that the firmware makes is printed, or counted where it is missing.

usage: test_trace.py TRACE_LIVE_ELF BLOCKS_ELF
"""

import re
import signal
import sys
import unittest

from rig import Rig
from support import HANG_S, json_lines, mprof, start, stop

ELF, BLOCKS = sys.argv[1:]
FAST = ["--link-share", "1"]
NAMES = ("first", "second", "third", "fourth")


def calls(name, caller, seed):
    """The events of a function of tests/core/firmware/trace_calls.c."""
    inner = calls(NAMES[seed & 3], name, seed >> 2) if seed else []
    return [("entry", caller, name), *inner, ("exit", caller, name)]


PATTERN = [event for seed in range(16) for event in calls("first", "main", seed)]


def place(events):
    """Where in the pattern these events can begin."""
    return [at for at in range(len(PATTERN))
            if all(PATTERN[(at + i) % len(PATTERN)] == one for i, one in enumerate(events))]


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

    def follows(self, lines):
        """After what is lost the pattern goes on as many events later. Returns how many were lost."""
        begin = next(i for i, one in enumerate(lines) if one["kind"] == "lost" or i == len(lines) - 1)
        first = [(one["kind"], one["caller"], one["function"]) for one in lines[:begin]]
        possible, lost = place(first), 0
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
            possible = [start for start in possible if PATTERN[(start + at) % len(PATTERN)] == event]
            self.assertTrue(possible, one)
            at += 1
        return lost

    def test_every_event(self):
        done = mprof("trace", *self.link, *FAST, "-n", "300", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = json_lines(done.stdout)
        calls_ = [one for one in lines if one["kind"] != "lost"]
        self.assertEqual(len(calls_), 300)
        self.assertEqual({(one["time"], one["ticks"], one["context"], one["core"])
                          for one in calls_}, {(None, None, "thread", 0)})
        lost = self.follows(lines)
        self.assertIn("the events have no times", done.stderr)
        self.assertEqual(f"{lost} of {lost + 300} events were lost" in done.stderr, lost != 0)
        self.assertEqual(self.rig.stat()["halts"], 0)
        print(f"counted: 300 traced events, {lost} lost")

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
        done = mprof("trace", *self.qemu(ELF), "-n", "300", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.follows(json_lines(done.stdout))

    def test_no_trace(self):
        done = mprof("trace", *self.qemu(BLOCKS))
        self.assertEqual(done.returncode, 1)
        self.assertIn("the firmware has no trace; build it with MPROF_TRACE_CNT", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
