# SPDX-License-Identifier: GPL-3.0-or-later
"""A gdb port given as --tcl: it is used as what it is, and the core runs on, or stays halted, as before."""

import select
import socket
import unittest

from case import Case
from rig import Rig, Tcl
from support import (FIRMWARE, count, counted, end_socket, farewell, sampled, start, stop, symbols, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"


class Swapped(Case):
    def look(self, *link):
        """The header of one refresh, in one line: it says how the target was read."""
        return " ".join(self.good("top", "--elf", ELF, *link, "-n", "1", "--batch").split())

    def openocd(self, rig):
        gdb, tcl = f":{rig.gdb_port}", f":{rig.tcl_port}"
        with_gdb = ("--gdb", tcl, "--tcl", gdb)
        return (("--tcl", gdb), "gdb-remote", "is a gdb port, not a Tcl port: used as with --gdb;"), \
            (with_gdb, "openocd-tcl", f"swapped: using --gdb {gdb} --tcl {tcl};")

    def test_openocd_runs_on(self):
        rounds = count(3, 20)
        with Rig(ELF) as rig:
            sampled(ELF, 1, "--tcl", f":{rig.tcl_port}")
            for link, kind, words in rounds * self.openocd(rig):
                header = self.look(*link)
                for said in ("RUNNING", kind, words):
                    self.assertIn(said, header)
                farewell(rig.gdb_port)
                self.assertTrue(rig.stat()["running"])
        counted(f"{rounds} times each way round, the core ran on")

    def test_openocd_at_a_breakpoint(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            sampled(ELF, 1, "--tcl", f":{rig.tcl_port}")
            tcl(f"bp {symbols(ELF)['work_b'][0] & ~1} 2 hw")
            tcl.wait_halted()
            for link, kind, _ in self.openocd(rig):
                header = self.look(*link)
                self.assertIn("HALTED", header)
                self.assertIn(kind, header)
                farewell(rig.gdb_port)
                self.assertFalse(rig.stat()["running"])

    def test_qemu_runs_on(self):
        rounds = count(3, 20)
        with Rig(ELF, qemu_gdb=True) as rig:
            sampled(ELF, 1, "--gdb", f":{rig.gdb_port}")
            for _ in range(rounds):
                header = self.look("--tcl", f":{rig.gdb_port}")
                self.assertIn("RUNNING", header)
                self.assertIn("used as with --gdb", header)
                rig.wait(lambda stat: stat["running"])
        counted(f"{rounds} times, the machine ran on")

    def test_server_sees_late_that_we_left(self):
        """It takes one gdb at a time: the next connection comes only when it has closed the first one. It takes
        longer for that than mprof waits for most servers."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            process = start("top", "--elf", ELF, "--tcl", f":{server.getsockname()[1]}", "-n", "1", "--batch")
            try:
                first, _ = server.accept()
                first.recv(1)
                first.sendall(b"+")
                wait_for("its end", lambda: not first.recv(4096))
                self.assertEqual(select.select([server], [], [], 0.6)[0], [])
                first.close()
                end_socket(server.accept()[0])
            finally:
                stop(process)


if __name__ == "__main__":
    unittest.main()
