# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof beside the user's gdb, on one OpenOCD: never a halt, no breakpoint lost, not a line on his console."""

import os
import random
import re
import select
import signal
import subprocess
import time
import unittest

from rig import Rig, Tcl
from support import (FIRMWARE, HANG_S, count, counted, environment, farewell, json_lines, mprof,
                     sampled, start, stop, symbols, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"
REFRESHES = count(5, 80)  # while gdb's "continue" lasts
# The core's clock counts its instructions: so the timer's interrupts come at the same places in each
# session.
ICOUNT = 6
# Where an interrupt stops the core is chance; and an OpenOCD that gets no time on a busy machine says
# so, also when it is alone with gdb.
STOPPED = re.compile(r"\nProgram received signal SIGINT, Interrupt\..*?(?=\(gdb\) )", re.S)
STARVED = re.compile(r"keep_alive\(\) was not invoked in the 1000 ms timelimit\..*\n")
LOGGED = re.compile(r"(accepting 'tcl' connection on tcp/\d+|dropped 'tcl' connection)\n")


def link(rig):
    return ("--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")


def top(rig, *more):
    """An mprof that polls 10 times a second until it is ended."""
    return start("top", *link(rig), "-d", "0.1", "-n", "1000000", "--format", "json", *more)


def left_behind(tcl):
    """What of mprof's is in OpenOCD."""
    return tcl.raw("concat [info procs *mprof*] [info globals *mprof*]")


def read_loudly(rig):
    with Tcl(rig.tcl_port) as tcl:
        tcl.raw("mdw 0x20000000")


class Console:
    """A gdb-multiarch, driven at its prompt; text is all that its user would have seen."""

    PROMPT = "(gdb) "

    def __init__(self):
        self.process = subprocess.Popen(
            ["gdb-multiarch", "-q", "-nx", str(ELF)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
        self.text = ""
        self.seen = 0
        self.wait()
        for setting in ("confirm off", "width 0", "height 0", f"remotetimeout {HANG_S}"):
            self(f"set {setting}")

    def wait(self, text=PROMPT):
        """Waits for the text, which OpenOCD may follow with words of its own, or until the prompt is the last that
        was printed."""
        end = time.monotonic() + HANG_S
        while not (self.text[self.seen:].endswith(text) if text == self.PROMPT else text in self.text[self.seen:]):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"gdb says no {text!r}: {self.text[-1000:]}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise AssertionError(f"gdb ended: {self.text[-1000:]}")
            self.text += data.decode()
        self.seen = len(self.text)

    def __call__(self, command, until=PROMPT):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        self.wait(until)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        self.wait()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def nothing(*_):
    return None


def session(rig, arrive=nothing, meanwhile=nothing, leave=nothing):
    """A person debugs; returns what he saw. Somebody else arrives and leaves while gdb is at its prompt,
    and does something meanwhile, when the core runs."""
    farewell(rig.gdb_port)
    console = Console()
    try:
        console(f"target extended-remote :{rig.gdb_port}")
        assert "error" not in console.text, console.text
        # Before it a core is where chance has it; after it all is the same every time.
        # Without a limit of OpenOCD's on interrupts that are due at a step.
        console("monitor cortex_m maskisr steponly")
        console.text, console.seen = "", 0
        for command in ("monitor reset halt", "break main", "continue", "next"):
            console(command)
        arrive()
        # Steps first: once the timer runs, its interrupts come between them by chance.
        for command in ("step", "backtrace", "next", "stepi", "nexti", "next", "x/4i $pc",
                        "break work_a", "continue", "backtrace 1", "continue", "continue",
                        "info breakpoints", "delete", "tbreak work_c", "continue", "break work_b",
                        "continue", "continue", "print sizeof s_prof", "delete"):
            console(command)
        console("continue", "Continuing.\n")
        rig.wait(lambda stat: stat["running"])
        meanwhile()
        console.interrupt()
        for command in ("monitor reset halt", "hbreak main", "continue", "info registers r13"):
            console(command)
        leave()
        console("detach")
        return STARVED.sub("", STOPPED.sub("\n(stopped)\n", console.text))
    finally:
        console.close()


class BesideGdb(unittest.TestCase):
    maxDiff = None

    def session_with_mprof(self, rig):
        """The text of a session, and what mprof complained of and printed beside it."""
        processes = []
        output = []

        def read(lines):
            output.extend(json_lines("".join(processes[0].stdout.readline() for _ in range(lines))))

        def meanwhile():
            """On a busy machine the core may have no time for a sample between two refreshes."""
            read(REFRESHES)
            wait_for("samples", lambda: read(1) or output[-1]["hits"] > output[0]["hits"])

        def arrive():
            processes.append(top(rig))
            read(1)

        def leave():
            processes[0].send_signal(signal.SIGINT)
            output.extend(json_lines(processes[0].stdout.read()))
            self.assertEqual(processes[0].stderr.read(), "")
        try:
            return session(rig, arrive, meanwhile, leave), output
        finally:
            for process in processes:
                stop(process)

    def comes_and_goes(self, rig, alone):
        """While the core runs OpenOCD itself logs on the console that somebody connects and leaves, and
        nothing else is seen."""
        runs = []

        def come_and_go():
            runs.append(mprof("top", *link(rig), "-d", "0.1", "-n", "5", "--format", "json"))

        text = session(rig, meanwhile=come_and_go)
        self.assertEqual(len(json_lines(runs[-1].stdout)), 5, runs[-1].stderr)
        self.assertEqual(text.count("accepting 'tcl' connection"), 1)
        self.assertEqual(LOGGED.sub("", text), alone)

    def test_console(self):
        """gdb's user sees nothing of us; he does of another client's single word."""
        with Rig(ELF, icount=ICOUNT, fast=True) as rig:
            alone = session(rig)
            self.assertIn("Breakpoint 2, work_a", alone)
            self.assertIn("already hit 3 times", alone)
            self.assertIn("(stopped)", alone)
            rounds = count(1, 4)
            for _ in range(rounds):
                beside, lines = self.session_with_mprof(rig)
                self.assertEqual(beside, alone)
                self.assertGreater(len(lines), REFRESHES)
                self.assertEqual({line["link"]["kind"] for line in lines}, {"openocd-tcl"})
                self.assertEqual(lines[-1]["link"]["halts"], 0)
            self.comes_and_goes(rig, alone)
            loud = session(rig, meanwhile=lambda: read_loudly(rig))
            self.assertNotEqual(LOGGED.sub("", loud), alone)
        counted(f"{rounds} gdb sessions beside {REFRESHES} refreshes, the console the same each time")

    def test_never_halted(self):
        """Through the ladder, in soak for a minute; the rig judges."""
        unused = symbols(ELF)["Default_Handler"][0]
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            # In places that are never executed: a handler, and the vectors.
            tcl(f"bp {unused:#x} 2 hw")
            tcl("bp 0x20 2 hw")
            sampled(ELF, 1, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            before, stat = tcl.raw("bp"), rig.stat()
            self.assertEqual(before.count("0x"), 2 * before.count("\n"))
            # As fast as it goes, so that 10 a second are less.
            run = mprof("top", *link(rig), "-d", count(0.01, 0.1), "-n", count(80, 600), "--format",
                        "json")
            lines, errors = json_lines(run.stdout), run.stderr
            after = rig.stat()
            for name in ("halts", "halted_ms", "breakpoint_stops", "machine_stops", "pauses",
                         "steps", "faults", "resets"):
                self.assertEqual(after[name], stat[name], name)
            self.assertTrue(after["running"])
            self.assertEqual(tcl.raw("bp"), before)
        self.assertEqual((len(lines), errors), (count(80, 600), ""))
        self.assertGreater(lines[-1]["hits"], 0)
        self.assertEqual(lines[-1]["link"]["halts"], 0)
        counted(f"{len(lines)} refreshes on OpenOCD, 0 halts")

    def test_nothing_is_left(self):
        """Two at once; then one that ends, and others that are killed at random moments, when something of theirs is in
        OpenOCD."""
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            level = tcl.raw("debug_level")
            chance = random.Random(17)
            both = [top(rig), top(rig)]
            try:
                for process in both:
                    self.assertTrue(process.stdout.readline())
                self.assertEqual(len(left_behind(tcl).split()), 4)
                both[0].send_signal(signal.SIGINT)
                both[0].communicate(timeout=HANG_S)
                # OpenOCD may not have seen yet that one has left.
                wait_for("one is left", lambda: len(left_behind(tcl).split()) == 2)
                self.assertTrue(both[1].stdout.readline())
            finally:
                for process in both:
                    stop(process)
            rounds = count(10, 60)
            for i in range(rounds):
                wait_for("the end of the last one", lambda: left_behind(tcl).strip() == "")
                process = top(rig, "-d", "0.01")
                try:
                    # What it has in OpenOCD comes first, and then what it prints.
                    wait_for("something to be left", lambda: left_behind(tcl).strip())
                    if i % 2:
                        self.assertIn('"rows"', process.stdout.readline())
                    time.sleep(chance.uniform(0, 0.1))
                finally:
                    stop(process)
            wait_for("the end of what was killed", lambda: left_behind(tcl).strip() == "")
            self.assertEqual(tcl.raw("debug_level"), level)
            stat = rig.stat()
            self.assertEqual((stat["halts"], stat["machine_stops"]), (0, 0))
        counted(f"{rounds} kills beside OpenOCD, nothing was left in it, 0 halts")

    def test_without_sockets(self):
        """An OpenOCD that can't answer apart: it works, and says what a gdb's user will see."""
        with Rig(ELF, openocd_args=("-c", "rename socket {}")) as rig:
            run = mprof("top", *link(rig), "-n", "2", "-d", "0.1", "-v")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("an attached gdb prints each read", run.stderr)


class Targets(unittest.TestCase):
    """Two targets on one debug port: each with a gdb port, and as a group that shares one."""

    def why(self, rig, *options):
        run = mprof("top", "--elf", ELF, "--tcl", f":{rig.tcl_port}", "-n", "1", "-v", "--format",
                    "json", *options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stderr

    def check_names(self, rig):
        self.assertIn("choose another with --target NAME: mps2.cpu1", self.why(rig))
        self.assertIn("choose another with --target NAME: mps2.cpu0", self.why(rig, "--target", "mps2.cpu1"))
        run = mprof("top", "--elf", ELF, "--tcl", f":{rig.tcl_port}", "--target", "c.cpu")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertIn("no target is named c.cpu; there is: mps2.cpu0, mps2.cpu1", run.stderr)

    def test_two(self):
        with Rig(ELF, targets=2) as rig, Tcl(rig.tcl_port) as tcl:
            self.check_names(rig)
            first, other = (tcl(f"{name} cget -gdb-port") for name in ("mps2.cpu0", "mps2.cpu1"))
            self.assertIn("choose another with --target NAME: mps2.cpu1", self.why(rig, "--gdb", f":{first}"))
            self.assertIn("choose another with --target NAME: mps2.cpu0", self.why(rig, "--gdb", f":{other}"))
            self.assertEqual([each["halts"] for each in rig.stat()["targets"]], [0, 0])

    def test_group(self):
        with Rig(ELF, targets=2, smp=True) as rig:
            self.check_names(rig)
            self.assertIn("choose another with --target NAME: mps2.cpu1", self.why(rig, "--gdb", f":{rig.gdb_port}"))
            self.assertEqual([each["halts"] for each in rig.stat()["targets"]], [0, 0])


if __name__ == "__main__":
    unittest.main()
