# SPDX-License-Identifier: GPL-3.0-or-later
"""Which part of the time is shown: what ran between two halts, to the hit, on a real QEMU."""

import contextlib
import json
import os
import pathlib
import queue
import random
import signal
import tempfile
import threading
import time
import unittest

from process import PIE, Process
from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, Gdb, count, mprof, sampled, start, symbols, wait_for

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
        self.process = start("top", "--elf", elf, "-n", "100000", "--format", "json", *arguments)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

    def line(self):
        line = self.lines.get(timeout=HANG_S)
        if line is None:
            raise AssertionError("top ended: " + self.process.stderr.read())
        return line

    def next(self):
        """A line of a poll that began after this call."""
        while not self.lines.empty():
            self.line()
        self.line()
        return self.line()


def hits(line):
    """By function, without those that have none."""
    found = {row["function"]: row["hits"] for row in line["rows"] if row["hits"]}
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

    def interrupted(self, seconds):
        self.gdb.send("c")
        time.sleep(seconds)
        self.gdb.socket.sendall(b"\x03")
        assert self.gdb.packet(20).startswith("T")

    def to_breakpoint(self):
        """A breakpoint at the place where it stands would stop it at once."""
        assert self.gdb.ask("s").startswith("T05")
        assert self.gdb.ask("Z" + self.place) == "OK"
        self.gdb.send("c")
        assert self.gdb.packet(20).startswith("T05")
        assert self.gdb.ask("z" + self.place) == "OK"


def known(elf, *link):
    """All hits since the reset, of a halted target."""
    return hits(json.loads(mprof("report", "--elf", elf, *link, "--format", "json").stdout))


class BetweenHalts(unittest.TestCase):
    def known(self, rig):
        return known(ELF, "--qmp", rig.qmp[1])

    @contextlib.contextmanager
    def halted(self, *options):
        """A target that top has seen running, and then halted."""
        with two_qmp() as rig:
            sampled(ELF, 300, "--qmp", rig.qmp[0])
            with Top(ELF, "--qmp", rig.qmp[0], "-d", "0.03", *options) as top:
                self.assertEqual(top.line()["link"]["state"], "RUNNING")
                debugger = Debugger(rig.gdb_port)
                try:
                    top.next()
                    yield rig, top, debugger
                finally:
                    debugger.gdb.close()

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
            before, ran = self.known(rig), 0
            for _ in range(count(6, 60)):
                debugger.interrupted(chance.choice((0, 0, 0.01, 0.05, 0.2)))
                before, more = self.check(rig, top, before)
                ran += more > 0
        self.assertGreater(ran, 2)

    def test_between_breakpoints(self):
        """The place is passed once a round of 200000 instructions, each 16 ns of QEMU's time: 3.2
        samples, and what taking them takes. The order in a round is chance, so that the first and
        the last round are cut."""
        rounds = count(12, 100)
        with self.halted("-r") as (rig, top, debugger):
            debugger.to_breakpoint()
            before, total = self.known(rig), 0
            top.next()
            for _ in range(rounds):
                debugger.to_breakpoint()
                before, more = self.check(rig, top, before)
                total += more
        self.assertAlmostEqual(total, 3.3 * rounds, delta=6 + rounds / 20)

    def test_only_if_asked(self):
        with self.halted() as (rig, top, debugger):
            debugger.interrupted(0.1)
            self.assertEqual(hits(top.next()), self.known(rig))

    def test_restart(self):
        """The target begins anew after a resume: all since then is shown, and that is said."""
        with self.halted("-r") as (rig, top, debugger):
            debugger.interrupted(0.1)
            top.next()
            debugger.gdb.send("c")
            top.next()
            rig.reset()
            line = wait_for("the restart", lambda: (lambda l: l["restarts"] and l)(top.line()))
            debugger.gdb.socket.sendall(b"\x03")
            self.assertTrue(debugger.gdb.packet(20).startswith("T"))
            self.assertEqual(hits(top.next()), self.known(rig))
        self.assertIn("the mark at the resume fell", top.errors)
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
            for _ in range(count(4, 40)):
                resume()
                time.sleep(chance.choice((0.02, 0.2)))
                halt()
                line, now = top.next(), known(elf, *link)
                self.assertEqual(line["link"]["state"], "HALTED")
                if less(now, before):
                    self.assertEqual(hits(line), less(now, before))
                before = now
            resume()

    def test_openocd(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            self.follow(ELF, ("--tcl", f":{rig.tcl_port}"), lambda: tcl("halt"),
                        lambda: tcl("resume"))

    @unittest.skipUnless(PIE.exists(), "the program of --pid is not built")
    def test_process(self):
        with Process(PIE) as process:
            def stopped():
                stat = pathlib.Path(f"/proc/{process.pid}/stat").read_text()
                return stat.rpartition(")")[2].split()[0] == "T"

            def halt():
                os.kill(process.pid, signal.SIGSTOP)
                wait_for("the stop", stopped)
            self.follow(PIE, ("--pid", process.pid), halt,
                        lambda: os.kill(process.pid, signal.SIGCONT))


if __name__ == "__main__":
    unittest.main()
