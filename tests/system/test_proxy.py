# SPDX-License-Identifier: GPL-3.0-or-later
"""--serve on a real OpenOCD: a user's gdb debugs through mprof, sees nothing of it, and loses nothing
when it ends."""

import signal
import socket
import unittest

from proxy import ELF, Proxy, Top, UserGdb
from rig import Rig
from support import HANG_S, FakeServer, count, counted, listens, mprof, sampled, wait_for



class OnOpenOCD(Proxy):
    """A real OpenOCD without its Tcl port: one gdb client, memory can be read while the core runs."""

    def setUp(self):
        # Steps that mask interrupts: one that lets those run that are due has half a second for them,
        # and if that is over, OpenOCD says that the core stopped (T00) while it runs. This can be set
        # while the core is halted only, and is passed over in silence otherwise.
        self.rig = Rig(ELF, options=["--tcl-port", "disabled"],
                       openocd_args=("-c", f"init; halt {1000 * HANG_S}; cortex_m maskisr steponly; "
                                     "resume"), fast=True).start()
        self.addCleanup(self.rig.stop)
        sampled(ELF, 1, "--gdb", f":{self.rig.gdb_port}", "--tcl", "none")

    def counted(self, before, *names):
        stat = self.rig.stat()
        return [stat[name] - before[name] for name in names]

    def test_same_text(self):
        self.compare_sessions(self.rig)

    def test_no_halt_but_gdbs(self):
        """While gdb continues, hits rise and nothing halts; Ctrl-C is one halt, and so is coming."""
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            top.rises()
            before = self.rig.stat()
            gdb(f"target remote :{top.port}")
            self.assertEqual(self.counted(before, "halts"), [1])
            gdb.type("continue")
            gdb.until("Continuing.")
            for _ in range(3):
                top.rises()
            self.assertEqual(self.counted(before, "halts", "breakpoint_stops"), [1, 0])
            self.assertIn("SIGINT", gdb.interrupt())
            self.assertEqual(self.counted(before, "halts", "breakpoint_stops"), [2, 0])
            self.assertEqual(top.refreshes[-1]["link"]["kind"], "gdb-proxy")
            self.assertTrue(top.refreshes[-1]["link"]["live"])
            # mprof itself halted the core when it came, and never again.
            self.assertLessEqual(top.refreshes[-1]["link"]["halts"], 1)
            top.sees("HALTED")
            gdb("detach")

    def test_breakpoints_are_kept(self):
        """Many stops at 10 polls a second: none is lost, none is invented."""
        stops = 0
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb("break work_b")
            before = self.rig.stat()
            refreshes = len(top.refreshes)
            while stops < count(10, 100) or len(top.refreshes) < refreshes + 5:
                self.assertIn("Breakpoint 1, work_b", gdb("continue"))
                stops += 1
            self.assertEqual(self.counted(before, "halts"), [0])
        counted(f"{stops} breakpoints through the proxy, none lost, 0 halts")

    def test_steps_run_nothing_else(self):
        """The core is stepped, and does not run into a breakpoint of OpenOCD's own for it."""
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            before = self.rig.stat()
            gdb("stepi 3")
            self.assertEqual(self.counted(before, "steps", "breakpoint_stops"), [3, 0])
            gdb("detach")

    def test_killed_in_the_middle(self):
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb("break work_c")
            gdb("continue")
            gdb("delete")
            gdb.type("continue")
            gdb.until("Continuing.")
            self.rig.wait(lambda stat: stat["running"])  # gdb has not sent it yet when it says so
            top.rises()
            top.end(signal.SIGKILL)
            self.assertIn("SIGINT", gdb.interrupt())
            gdb("tbreak work_b")
            self.assertIn("Temporary breakpoint 2, work_b", gdb("continue"))
            self.assertIn("0x", gdb("info registers pc"))
            gdb.leave()
        wait_for("the proxy's end", lambda: not listens(top.port))

    def test_leaves_before_gdb(self):
        """mprof says that the gdb goes on, and another mprof finds the port taken until it leaves."""
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            top.rises()  # else mprof may say, too, that it waits for the firmware's mprof_init()
            gdb(f"target remote :{top.port}")
            said = top.end()
            self.assertEqual(len(said.splitlines()), 1, said)
            self.assertIn(f"localhost:{top.port} stays connected", said)
            self.assertIn("work", gdb("info line work_b"))
            self.assertIn("0x", gdb("x/xw 0x20000000"))
            again = mprof("top", "--elf", ELF, "--gdb", f":{self.rig.gdb_port}", "--serve",
                          f":{top.port}")
            self.assertEqual(again.returncode, 1)
            self.assertEqual(len(again.stderr.splitlines()), 1)
            self.assertIn("the port is in use", again.stderr)
            gdb.leave()
        wait_for("the proxy's end", lambda: not listens(top.port))

    def test_comes_again(self):
        """gdb detaches and attaches again, vanishes, and another comes."""
        with Top(self.rig.gdb_port) as top:
            with UserGdb() as gdb:
                for _ in range(2):
                    gdb(f"target remote :{top.port}")
                    gdb("tbreak work_b")
                    self.assertIn("work_b", gdb("continue"))
                    self.assertIn("detached", gdb("detach"))
                gdb(f"target remote :{top.port}")
                gdb("hbreak work_c")
                gdb.type("continue")
                gdb.until("Continuing.")
                gdb.process.kill()
                gdb.process.wait()
            # It vanished while the core stood at its breakpoint, or before; the next finds none.
            with UserGdb() as gdb:
                gdb(f"target remote :{top.port}")
                gdb.type("continue")
                gdb.until("Continuing.")
                for _ in range(2):
                    top.rises()
                self.assertIn("SIGINT", gdb.interrupt())
                gdb("detach")
            self.assertIsNone(top.process.poll())


class Opening(unittest.TestCase):
    def test_port_is_taken(self):
        """Said before the server is touched."""
        touched = []
        with FakeServer(touched.append) as server, socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            result = mprof("top", "--elf", ELF, "--gdb", f":{server.port}", "--serve", f":{port}")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn(f"localhost:{port}: cannot listen: the port is in use", result.stderr)
        self.assertEqual(touched, [])

    def test_wrong_use(self):
        for args, word in ((("--serve", "/tmp/socket"), "HOST:PORT"),
                           (("--serve", ":1", "--tcl", ":6666"), "--tcl"),
                           (("--serve", "nothing"), "not an address")):
            result = mprof("top", "--elf", ELF, "--gdb", ":1", *args)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(word, result.stderr)


if __name__ == "__main__":
    unittest.main()
