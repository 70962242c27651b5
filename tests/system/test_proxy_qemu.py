# SPDX-License-Identifier: GPL-3.0-or-later
"""--serve on servers that hear nothing while the core runs, and on those that are not known."""

import os
import re
import signal
import threading
import time
import unittest

from proxy import ELF, Proxy, Top, UserGdb
from rig import Rig
from stream import between
from support import (HANG_S, FakeServer, count, counted, farewell, free_port, listens, mprof, sampled,
                     wait_for)
from wire import Wire


class OnQemu(Proxy):
    """A server that hears nothing while the core runs: read by halts that gdb does not see."""

    def setUp(self):
        self.rig = Rig(ELF, qemu_gdb=True).start()
        self.addCleanup(self.rig.stop)

    def test_same_text(self):
        self.compare_sessions(self.rig)

    def test_reads_while_gdb_continues(self):
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb.type("continue")
            gdb.until("Continuing.")
            halts = top.refreshes[-1]["link"]["halts"]
            for _ in range(3):
                top.rises()
            self.assertGreater(top.refreshes[-1]["link"]["halts"], halts)
            self.assertFalse(top.refreshes[-1]["link"]["live"])
            self.assertIn("SIGINT", gdb.interrupt())
            self.assertFalse(self.rig.stat()["running"])
            gdb("detach")
            self.rig.wait(lambda stat: stat["running"])
            top.rises()

    def test_breakpoints_meet_halts(self):
        """Stops of gdb among as many halts as there can be: each is gdb's own, and stays."""
        with Top(self.rig.gdb_port, 0.01) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb("break work_b")
            stops, interrupts = count(30, 300), count(4, 40)
            for _ in range(stops):
                self.assertIn("Breakpoint 1, work_b", gdb("continue"))
            gdb("delete")
            for _ in range(interrupts):
                gdb.type("continue")
                gdb.until("Continuing.")
                self.rig.wait(lambda stat: stat["running"])  # gdb has not sent it yet when it says so
                top.rises()
                self.assertIn("SIGINT", gdb.interrupt())
            gdb("detach")
        self.rig.wait(lambda stat: stat["running"])
        counted(f"{stops} breakpoints and {interrupts} interrupts among halts of ours, none lost")

    def test_killed_at_any_moment(self):
        """mprof holds the core for some of the time; killed then, the core runs on for gdb."""
        rounds = count(3, 50)
        for i in range(rounds):
            with Top(self.rig.gdb_port, 0.01) as top, UserGdb() as gdb:
                gdb(f"target remote :{top.port}")
                gdb.type("continue")
                gdb.until("Continuing.")
                top.rises()
                time.sleep(0.003 * i)
                top.end(signal.SIGKILL)
                self.rig.wait(lambda stat: stat["running"])
                self.assertIn("SIGINT", gdb.interrupt())
                gdb("tbreak work_b")
                self.assertIn("work_b", gdb("continue"))
                gdb("detach")
            wait_for("the proxy's end", lambda port=top.port: not listens(port))
            self.rig.wait(lambda stat: stat["running"])
        counted(f"{rounds} kills while a gdb continues through the proxy, the core ran each time")

    def test_killed_without_gdb(self):
        rounds = count(3, 50)
        for i in range(rounds):
            with Top(self.rig.gdb_port, 0.01) as top:
                top.rises()
                time.sleep(0.003 * i)
                top.end(signal.SIGKILL)
            wait_for("the proxy's end", lambda port=top.port: not listens(port))
            self.rig.wait(lambda stat: stat["running"])
        counted(f"{rounds} kills of a proxy without a gdb, the core ran each time")

    def stop_in_a_halt(self, top, halting):
        """SIGSTOP when mprof has asked for a halt: the core runs meanwhile, and mprof goes on after it."""
        halting.clear()
        self.assertTrue(halting.wait(HANG_S))
        self.rig.wait(lambda stat: stat["running"] and stat["machine_stops"] > self.stops)
        os.kill(top.process.pid, signal.SIGCONT)
        top.rises()

    def test_stopped_in_a_halt(self):
        rounds = count(1, 100)
        halting = threading.Event()
        halting.set()

        def stop(is_ours, data):
            if is_ours and b"\x03" in data and not halting.is_set():
                self.stops = self.rig.stat()["machine_stops"]
                os.kill(top.process.pid, signal.SIGSTOP)
                halting.set()
            return data

        with Wire(self.rig.gdb_port, stop) as wire, Top(wire.port, 0.01) as top:
            for _ in range(rounds):
                self.stop_in_a_halt(top, halting)
            with UserGdb() as gdb:
                gdb(f"target remote :{top.port}")
                gdb.type("continue")
                gdb.until("Continuing.")
                for _ in range(rounds):
                    self.stop_in_a_halt(top, halting)
                self.assertIn("SIGINT", gdb.interrupt())
                gdb("detach")
            self.rig.wait(lambda stat: stat["running"])
        counted(f"{2 * rounds} times SIGSTOP in a halt, half of them beside a gdb, the core ran each time, "
                "and mprof went on after SIGCONT")

    def test_gdb_vanishes(self):
        """The core is left as gdb left it, and mprof goes on."""
        with Top(self.rig.gdb_port) as top:
            for running in (True, False):
                with UserGdb() as gdb:
                    gdb(f"target remote :{top.port}")
                    top.sees("HALTED")
                    if running:
                        gdb.type("continue")
                        top.sees("RUNNING")
                self.rig.wait(lambda stat, runs=running: stat["running"] == runs)
                count = len(top.refreshes)
                wait_for("refreshes", lambda n=count: len(top.refreshes) > n + 3)
            self.assertEqual(top.refreshes[-1]["link"]["state"], "HALTED")

    def test_loopback_only(self):
        with Top(self.rig.gdb_port) as top:
            with open("/proc/net/tcp", encoding="ascii") as file:
                addresses = [line.split()[1] for line in file if f":{top.port:04X} 000" in line]
            self.assertEqual(addresses, [f"0100007F:{top.port:04X}"])


def disguised(port):
    """Passes a gdb connection on to a server, without what says which server it is; the core seems to
    have been halted at a breakpoint, as it seems at probe-rs."""
    answers = ((b"$qqemu.", b"$#00"), (b"$qRcmd,", b"$#00"), (b"$?#", b"$T05#b9"))

    def serve(client):
        pending = b""

        def requests(data):
            nonlocal pending
            pending += data
            passed = b""
            while match := re.match(rb"(\$[^#]*#..|[^$])", pending, re.S):
                pending = pending[match.end():]
                text = next((text for begin, text in answers if match[0].startswith(begin)), None)
                if text is None:
                    passed += match[0]
                else:
                    client.sendall(b"+" + text)
            return passed
        # OpenOCD turns a client away that says nothing for a second.
        between(client, port, requests, first=requests(client.recv(65536)))
    return serve


def settle(port):
    """Waits until the firmware has started its table."""
    sampled(ELF, 1, "--gdb", f":{port}")
    farewell(port)


class Unknown(unittest.TestCase):
    """Servers that are not known."""

    def test_answers_while_running(self):
        """This is found out, when mprof comes or when gdb lets the core run."""
        with Rig(ELF, options=["--tcl-port", "disabled"]) as rig, \
                FakeServer(disguised(rig.gdb_port)) as server:
            settle(rig.gdb_port)
            self.read_while_running(rig, server)

    def read_while_running(self, rig, server):
        with Top(server.port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            before = rig.stat()
            gdb.type("continue")
            gdb.until("Continuing.")
            for _ in range(3):
                top.rises()
            self.assertTrue(top.refreshes[-1]["link"]["live"])
            self.assertEqual(rig.stat()["halts"], before["halts"])
            self.assertIn("SIGINT", gdb.interrupt())
            gdb("detach")
            rig.wait(lambda stat: stat["running"])

    def test_deaf_is_asked_for(self):
        """Without leave to halt mprof says so in one line, and the core runs."""
        with Rig(ELF, qemu_gdb=True) as rig, FakeServer(disguised(rig.gdb_port)) as server:
            settle(rig.gdb_port)
            result = mprof("top", "--elf", ELF, "--gdb", f":{server.port}", "--serve",
                           f":{free_port()}")
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1))
            self.assertIn("--allow-halt", result.stderr)
            rig.wait(lambda stat: stat["running"])

    def test_deaf_with_leave(self):
        with Rig(ELF, qemu_gdb=True) as rig, FakeServer(disguised(rig.gdb_port)) as server:
            settle(rig.gdb_port)
            self.read_with_leave(server)

    def read_with_leave(self, server):
        with Top(server.port, more=["--allow-halt=1"]) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb.type("continue")
            gdb.until("Continuing.")
            for _ in range(3):
                top.rises()
            self.assertFalse(top.refreshes[-1]["link"]["live"])
            self.assertGreater(top.refreshes[-1]["link"]["halts"], 2)
            self.assertIn("SIGINT", gdb.interrupt())
            gdb("tbreak work_b")
            self.assertIn("work_b", gdb("continue"))
            gdb("detach")


if __name__ == "__main__":
    unittest.main()
