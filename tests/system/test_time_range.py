# SPDX-License-Identifier: GPL-3.0-or-later
"""Which part of the time is shown: what ran between two halts, to the hit, on a real QEMU."""

import contextlib
import json
import os
import random
import select
import signal
import tempfile
import unittest

from process import PIE, Steady
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, Gdb, count, mprof, sampled, start, state, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
PLACE = "work_c"


@contextlib.contextmanager
def two_qmp():
    """A QEMU whose time goes by its instructions, with a gdb port and two QMP sockets (rig.qmp)."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/qmp{i}" for i in range(2)]
        arguments = [word for path in paths
                     for word in ("-qmp", f"unix:{path},server=on,wait=off")]
        with Rig(ELF, qemu_gdb=True, icount=4, qemu_args=arguments) as rig:
            rig.qmp = paths
            yield rig


class Top:
    """A running mprof top that prints JSON; its lines as they come."""

    def __init__(self, elf, *arguments):
        self.process = start("top", "--elf", elf, "-n", "100000", "--format", "json", "--by", "address",
                             *arguments)
        self.pipe = self.process.stdout.fileno()
        os.set_blocking(self.pipe, False)
        self.text = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

    def read(self):
        """Takes all that is there; False: nothing was."""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.pipe, 1 << 20)
            if not data:
                raise AssertionError("top ended: " + self.process.stderr.read())
            self.text += data
            return True
        return False

    def line(self):
        while b"\n" not in self.text:
            if not select.select([self.pipe], [], [], HANG_S)[0]:
                raise AssertionError("top prints nothing")
            self.read()
        line, _, self.text = self.text.partition(b"\n")
        return json.loads(line)

    def next(self):
        """A line of a poll that began after this call: not that of the poll which is under way."""
        while self.read():
            pass
        for _ in range(self.text.count(b"\n") + bool(self.text.rpartition(b"\n")[2])):
            self.line()
        self.line()
        return self.line()


def hits(line):
    """By block: where two functions share one, a function's hits are rounded. Without those that have
    none."""
    found = {row["address"]: row["hits"] for row in line["rows"] if row["hits"]}
    assert sum(found.values()) == line["hits"], line
    return found


def less(new, old):
    left = {name: number - old.get(name, 0) for name, number in new.items()}
    return {name: number for name, number in left.items() if number}


class Debugger:
    """The second client: lets the target go and halts it."""

    def __init__(self, port):
        self.gdb = Gdb(port)
        assert self.gdb.attach()
        self.place = f"0,{symbols(ELF)[PLACE][0] & ~1:x},2"

    def halts(self):
        assert self.gdb.packet().startswith("T")

    def interrupted(self, meanwhile=lambda: None):
        self.gdb.send("c")
        meanwhile()
        self.gdb.socket.sendall(b"\x03")
        self.halts()

    def to_breakpoint(self):
        """A breakpoint at the place where it stands would stop it at once."""
        assert self.gdb.ask("s").startswith("T05")
        assert self.gdb.ask("Z" + self.place) == "OK"
        self.gdb.send("c")
        self.halts()
        assert self.gdb.ask("z" + self.place) == "OK"


def known(elf, *link):
    """All hits since the reset, of a halted target."""
    return hits(json.loads(mprof("report", "--elf", elf, *link, "--by", "address", "--format",
                                 "json").stdout))


def more_than(before, number, elf, *link):
    """Waits until there are so many hits more than before, of a target that runs."""
    wait_for("hits", lambda: sum(known(elf, *link).values()) >= sum(before.values()) + number)


class BetweenHalts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.rig = stack.enter_context(two_qmp())
        sampled(ELF, 300, "--qmp", cls.rig.qmp[0])

    def known(self, rig):
        return known(ELF, "--qmp", rig.qmp[1])

    @contextlib.contextmanager
    def halted(self, *options):
        """A target that top has seen running, and then halted. It runs on afterwards."""
        with Top(ELF, "--qmp", self.rig.qmp[0], "-d", "0.03", *options) as top:
            self.assertEqual(top.line()["link"]["state"], "RUNNING")
            debugger = Debugger(self.rig.gdb_port)
            try:
                top.next()
                yield self.rig, top, debugger
            finally:
                debugger.gdb.detach()

    def check(self, rig, top, before):
        """Top has what ran since then. The hits of all since the reset, and since then."""
        now = self.known(rig)
        line = top.next()
        self.assertEqual(line["link"]["state"], "HALTED")
        expected = less(now, before)
        if expected:
            self.assertEqual(hits(line), expected)
        self.assertEqual(hits(top.next()), hits(line))
        return now, sum(expected.values())

    def test_exactly_what_ran(self):
        """From halt to halt, whether a poll saw it run in between or not, to the hit."""
        chance = random.Random(6)
        with self.halted("-r") as (rig, top, debugger):
            before, ran, long = self.known(rig), 0, 0
            for _ in range(rounds := count(6, 60)):
                # Not at all, for the time of some samples, or until top has seen them, too.
                number, seen = chance.choice(((0, False), (1, False), (30, False), (30, True)))

                def meanwhile():
                    if number:
                        more_than(before, number, ELF, "--qmp", rig.qmp[1])
                    if seen:
                        top.next()
                debugger.interrupted(meanwhile)
                before, more = self.check(rig, top, before)
                self.assertGreaterEqual(more, number)
                ran, long = ran + more, long + seen
        self.assertGreater(ran, 2)
        print(f"counted: {rounds} halts of QEMU, {ran} hits between them, {long} with a poll")

    def test_between_breakpoints(self):
        """The place is passed once a round of 200000 instructions, each 16 ns of QEMU's time: 3.2
        samples at least, as taking them takes time, too, and QEMU may let more pass. The order in a
        round is chance, so that the first and the last round are cut."""
        rounds = count(8, 100)
        with self.halted("-r") as (rig, top, debugger):
            debugger.to_breakpoint()
            before, total = self.known(rig), 0
            top.next()
            for _ in range(rounds):
                debugger.to_breakpoint()
                before, more = self.check(rig, top, before)
                total += more
        print(f"counted: {rounds} ways from breakpoint to breakpoint, {total} hits between them")
        # Its jittered periods are from 0.5 to 1.5 ms: so few in that time come once in a billion runs.
        self.assertGreaterEqual(total, 3.2 * (rounds - 2) - 3 * rounds ** 0.5)

    def test_only_if_asked(self):
        with self.halted() as (rig, top, debugger):
            debugger.interrupted()
            self.assertEqual(hits(top.next()), self.known(rig))

    def test_restart(self):
        """The target begins anew after a resume: all since then is shown, and that is said."""
        with self.halted("-r") as (rig, top, debugger):
            debugger.interrupted()
            top.next()
            debugger.gdb.send("c")
            top.next()
            rig.reset()
            line = wait_for("the restart", lambda: (lambda l: l["restarts"] and l)(top.line()))
            debugger.gdb.socket.sendall(b"\x03")
            debugger.halts()
            self.assertEqual(hits(top.next()), self.known(rig))
        self.assertIn("the mark at the resume is gone", top.errors)
        self.assertEqual(line["restarts"], 1)


class OtherLinks(unittest.TestCase):
    """Somebody else halts it and lets it go, and top has what ran in between, to the hit."""

    def follow(self, elf, link, halt, resume):
        chance = random.Random(7)
        sampled(elf, 100, *link)
        with Top(elf, *link, "-d", "0.03", "-r") as top:
            self.assertEqual(top.line()["link"]["state"], "RUNNING")
            halt()
            top.next()
            before = known(elf, *link)
            for _ in range(rounds := count(4, 40)):
                resume()
                more_than(before, chance.choice((0, 30)), elf, *link)
                halt()
                line, now = top.next(), known(elf, *link)
                self.assertEqual(line["link"]["state"], "HALTED")
                if less(now, before):
                    self.assertEqual(hits(line), less(now, before))
                before = now
            resume()
        print(f"counted: {rounds} halts of {elf.name}")

    def test_openocd(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            self.follow(ELF, ("--tcl", f":{rig.tcl_port}"), lambda: tcl("halt"),
                        lambda: tcl("resume"))

    @unittest.skipUnless(PIE.exists(), "the program of --pid is not built")
    def test_process(self):
        with Steady(PIE) as process:
            def halt():
                os.kill(process.pid, signal.SIGSTOP)
                wait_for("the stop", lambda: state(process.pid) == "T")
            self.follow(PIE, ("--pid", process.pid), halt,
                        lambda: os.kill(process.pid, signal.SIGCONT))


if __name__ == "__main__":
    unittest.main()
