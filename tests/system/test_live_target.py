# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the live screen that act on the target, on real ones: a process, and a core behind
OpenOCD."""

import contextlib
import json
import re
import subprocess
import time
import unittest

from blocks_rig import HEARTBEAT
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, MPROF, mprof, symbols, wait_for
from terminal import Terminal


ROW = re.compile(r"^[> ] *(\d+) +([\d.]+|-)  (\w+)", re.M)


class Screen:
    """mprof top in a terminal, its rows as numbers."""

    def __init__(self, test, elf, *link, options=""):
        self.test, self.elf, self.link = test, elf, [str(word) for word in link]
        self.t = Terminal(100, 30)
        test.addCleanup(self.t.__exit__)
        self.t.command(f"clear; {MPROF} top --elf {elf} {' '.join(self.link)} {options} -d 0.1 "
                       "--fields hits,rate,function; echo status $?")
        self.t.shows(ROW.pattern)

    def rows(self):
        return {name: int(hits) for hits, _, name in ROW.findall(self.t.screen())}

    def total(self):
        return int(re.search(r"^\w+   (\d+) samples", self.t.screen(), re.M).group(1))

    def rate(self):
        found = re.search(r"samples   (\d+|-)/s", self.t.screen())
        return int(found.group(1)) if found and found.group(1) != "-" else None

    def grows(self, number, by=30):
        start = number()
        self.t.wait("more hits", lambda: number() > start + by)

    def gathers(self):
        """Until there are so many hits that those of a few polls are less, however much a poll brings on
        a busy machine."""
        last = self.total()
        most = 0

        def enough():
            nonlocal last, most
            now = self.total()
            most, last = max(most, now - last), now
            return most and now > 10 * most
        self.t.wait("many hits", enough)
        return last

    def control(self):
        done = mprof("control", "status", "--elf", self.elf, *self.link)
        self.test.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def hits(self):
        """As another client sees them."""
        return json.loads(mprof("report", "--elf", self.elf, *self.link, "--format", "json").stdout)["hits"]

    def select(self, name):
        self.t.type("/")
        self.t.command(name)
        self.t.shows(rf"^> .*{name}")

    def times(self):
        """t, m, M and p."""
        self.grows(self.total)
        before = self.total()
        self.t.type("m")
        self.t.shows(r"since (mark|\d)")
        few = self.total()
        self.t.type("M")
        self.t.shows("since (reset|connect)")
        # None of those before the mark was among the few.
        self.t.wait("all hits", lambda: self.total() >= before + few)
        self.t.type("t")
        self.t.shows("10 s|10s")
        self.t.type("t")
        self.t.wait("all hits", lambda: "10 s" not in self.t.screen() and self.total() > before)
        self.t.type("p")
        self.t.shows("paused; p continues")
        held = self.rows()
        # Others see what it would show.
        self.t.wait("hits", lambda: self.hits() > sum(held.values()) + 100)
        self.test.assertEqual(self.rows(), held)
        self.t.type("p")
        self.grows(self.total)

    def reset(self):
        self.gathers()
        self.t.type("Z")
        self.t.shows(r"\(y/n\) clear all counters")
        self.t.type("n")
        self.t.shows("cancelled")
        self.grows(self.total)
        end = time.monotonic() + HANG_S
        while True:  # on a busy machine they may be as many again before somebody looks
            self.t.type("Z")
            self.t.shows(r"\(y/n\)")
            before = self.total()
            self.t.type("y")
            self.t.shows("all counters in the target were cleared")
            with contextlib.suppress(AssertionError):
                wait_for("fewer hits", lambda: self.total() < before, 10)
                break
            if time.monotonic() > end:
                raise AssertionError(f"the counters were not cleared\n{self.t.screen()}")
            self.t.type("g")  # what is said of a key is over with the next one

    def sources(self):
        self.t.type("f")
        self.t.shows("^ timer +on")
        self.t.type("Enter")
        self.t.shows(r"\(y/n\) switch timer off\?")
        self.t.type("n")
        self.t.shows("cancelled")
        self.test.assertRegex(self.control(), "timer=on")
        self.t.type("f")
        self.t.shows("^ timer +on")
        self.t.type("Enter")
        self.t.shows(r"\(y/n\)")
        self.t.type("y")
        self.t.shows("timer is off")
        self.t.wait("no more hits", lambda: self.rate() == 0)
        self.t.type("g")  # what is said of a key is over with the next one
        self.t.shows("^no new samples: timer=off; 'mprof control on timer' switches it on")
        self.test.assertRegex(self.control(), "timer=off")
        self.t.type("f")
        self.t.shows("^ timer +off")
        self.t.type("Enter")
        self.t.shows(r"\(y/n\) switch timer on\?")
        self.t.type("y")
        self.t.shows("timer is on")
        self.t.wait("hits again", lambda: (self.rate() or 0) > 0)
        self.grows(self.total)

    def obeyed(self, key, done):
        """A server that has no time for what is asked is asked again, as a person would do it."""
        end = time.monotonic() + HANG_S
        while time.monotonic() < end:
            self.t.type(key)
            with contextlib.suppress(AssertionError):
                return wait_for(key, lambda: done(self.control()), 10)
        raise AssertionError(f"{key}: nothing came of it\n{self.t.screen()}")

    def ignore(self, name):
        self.select(name)
        self.obeyed("x", lambda said: re.search(rf"ignores .*{name}", said))
        self.grows(self.total)  # of a poll that had begun before
        self.grows(self.total)
        hits = self.rows()[name]
        self.grows(self.total)
        self.test.assertEqual(self.rows()[name], hits)
        self.obeyed("X", lambda said: "ignores" not in said)
        self.t.wait("hits", lambda: self.rows()[name] > hits)
        self.t.type("Escape")

    def halt(self, halted):
        """halted(): what others say about the target."""
        self.t.type("S")
        self.t.shows(r"halt the target\?")
        self.t.type("n")
        self.t.shows("cancelled")
        self.test.assertFalse(halted())
        self.t.type("S")
        self.t.shows(r"\(y/n\)")
        self.t.type("y")
        self.t.shows("HALTED$")
        wait_for("the halt", halted)
        self.t.type("S")
        self.t.shows(r"continue the target\?")
        self.t.type("y")
        self.t.shows("RUNNING$")
        wait_for("running", lambda: not halted())
        self.grows(self.total)
        self.t.type("S")
        self.t.shows(r"\(y/n\)")
        self.t.type("y")
        self.t.shows("HALTED$")

    def leave(self):
        self.t.type("q")
        self.t.shows("^status 0$")


class Target(unittest.TestCase):
    def test_process(self):
        elf = FIRMWARE / "x86-64"
        process = subprocess.Popen([str(elf)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(lambda: (process.kill(), process.wait()))
        screen = Screen(self, elf, "--pid", process.pid)
        screen.times()
        screen.reset()
        screen.sources()
        screen.t.type("S")
        screen.t.shows(r"\(y/n\)")
        screen.t.type("y")
        screen.t.shows("mprof never halts a process")
        screen.grows(screen.total)
        screen.leave()

    def test_core(self):
        """Also r, with halts that are somebody else's."""
        elf = FIRMWARE / "motor.elf"
        rig = Rig(elf, icount=3).start()
        self.addCleanup(rig.stop)
        screen = Screen(self, elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}",
                        options="--sampler table --link-share 1")  # which loses nothing however slow a poll is
        self.assertEqual(rig.stat()["halts"], 0)
        heartbeat = symbols(elf)["s_prof"][0] + HEARTBEAT
        with Tcl(rig.tcl_port) as tcl:
            screen.gathers()
            screen.t.type("r")
            screen.t.shows("restart at each resume")
            tcl.halt()
            screen.t.shows("HALTED$")
            first = tcl.read(heartbeat)[0]
            tcl.resume()
            screen.t.shows("RUNNING$")
            wait_for("some samples", lambda: tcl.read(heartbeat)[0] > first + 30)
            tcl.halt()
            screen.t.shows("HALTED$")
            since = tcl.read(heartbeat)[0] - first
            # One may have been counted, and not yet have its row, when the core was halted first.
            screen.t.wait("hits since the resume", lambda: 0 < screen.total() <= since + 1)
            tcl.resume()
            screen.t.type("r", "M")
            screen.t.wait("all hits", lambda: screen.total() > first)
        self.assertEqual(rig.stat()["halts"], 2)
        screen.ignore("crc32_update")
        screen.times()
        screen.reset()
        screen.sources()
        screen.halt(lambda: not rig.stat()["running"])
        screen.leave()
        rig.wait(lambda stat: stat["running"])
        self.assertEqual(rig.stat()["halts"], 4)


if __name__ == "__main__":
    unittest.main()
