# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof shell at debug servers: one connection for all commands, and a target that is as it was found."""

import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from rig import Rig, Tcl
from stream import between
from support import (FIRMWARE, HANG_S, FakeServer, Gdb, count, json_lines, mprof,
                     qemu_runs, sampled, start, stop, symbols, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"


def proxy(port):
    """Passes bytes on to a port; its sockets are the connections that were made."""
    return FakeServer(lambda client: between(client, port))


def reports(text):
    return json_lines("\n".join(re.findall(r"(?m)^\{.*", text)))


class Shell:
    """A shell that reads its commands from a pipe."""

    def __init__(self, *args):
        self.process = start("shell", "--format", "json", *args, stdin=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)

    def write(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def wait(self, words):
        """The line of output that begins with these."""
        while not (line := self.process.stdout.readline()).startswith(words):
            assert line, self.process.communicate()
        return line

    def report(self):
        """Of a command that is quite over: the next one has begun."""
        self.write("report\nhelp quit")
        line = self.wait("{")
        self.wait("usage: quit")
        return json_lines(line)[0]

    def end(self):
        """Its last words: status, stdout, stderr."""
        out, err = self.process.communicate(timeout=HANG_S)
        return self.process.returncode, out, err


class OpenOcd(unittest.TestCase):
    def test_one_connection(self):
        """As many connections for seven commands as for one, and nothing is halted."""
        with Rig(ELF) as rig, proxy(rig.tcl_port) as tcl, tempfile.TemporaryDirectory() as folder:
            link = ("--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", f":{tcl.port}")
            wait_for("samples", lambda: reports(mprof("report", *link, "--format", "json").stdout))
            before = len(tcl.sockets)
            self.assertEqual(mprof("report", *link).returncode, 0)
            alone = len(tcl.sockets) - before
            before = len(tcl.sockets)
            out = pathlib.Path(folder, "x.pb.gz")
            result = mprof("shell", *link, "--format", "json", "-c",
                           f"report; top -n 2 -d 0.1; snapshot -o {out}; control; report {out}; "
                           "annotate work_a; control reset; connect; report --by line; snapshot "
                           f"--hits 5 -o {out}")
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertEqual(len(tcl.sockets) - before, alone)
            self.assertGreater(alone, 0)
            self.assertEqual(rig.stat()["halts"], 0)
            # Another address takes the place of the connection.
            before = len(tcl.sockets)
            result = mprof("shell", *link, "--format", "json", "-c",
                           f"report; report --gdb :{rig.gdb_port} --tcl :{rig.tcl_port}; report; "
                           "disconnect; report")
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertEqual([r["link"]["address"].rpartition(":")[2] for r in
                              reports(result.stdout)],
                             [str(p) for p in (tcl.port, rig.tcl_port, tcl.port, tcl.port)])
            self.assertEqual(len(tcl.sockets) - before, 3 * alone)

    @staticmethod
    def wait_for_events(rig, number):
        with Tcl(rig.tcl_port) as tcl:
            heartbeat = symbols(ELF)["s_prof"][0] + 20
            wait_for(f"{number} events", lambda: tcl.read(heartbeat)[0] > number)

    def test_server_lost_between_commands(self):
        with Rig(ELF) as rig:
            self.wait_for_events(rig, 1)
            link = ("--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            with Shell("-k", *link) as shell:
                first = shell.report()
                rig.stop_openocd()
                rig.start_openocd()
                self.wait_for_events(rig, first["hits"] + 1)
                second = shell.report()
                self.assertGreater(second["hits"], first["hits"])
                rig.stop_openocd()
                shell.write("report\nhelp quit")
                shell.wait("usage: quit")
                rig.start_openocd()
                self.wait_for_events(rig, second["hits"] + 1)
                self.assertGreater(shell.report()["hits"], second["hits"])
                status, _, err = shell.end()
            self.assertEqual((status, len(err.splitlines())), (1, 1), err)
            self.assertIn("line 5: ", err)
            self.assertEqual(rig.stat()["halts"], 0)

    def test_halted_stays_halted(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            self.wait_for_events(rig, 1)
            tcl.halt()
            link = ("--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            with Shell(*link) as shell:
                one, two = shell.report(), shell.report()
                self.assertEqual((one["link"]["state"], two["link"]["state"]), ("HALTED", "HALTED"))
                self.assertEqual(one["rows"], two["rows"])
                self.assertEqual(tcl.state(), "halted")
                # Somebody else lets it run between two commands.
                tcl.resume()
                self.assertEqual(shell.report()["link"]["state"], "RUNNING")
                self.assertEqual(shell.end()[0], 0)
            self.assertEqual(tcl.state(), "running")


class GdbPort(unittest.TestCase):
    """Where each look halts the core, and the server takes one client."""

    def test_one_connection(self):
        with Rig(ELF, qemu_gdb=True) as qemu, proxy(qemu.gdb_port) as gdb:
            link = ("--elf", ELF, "--gdb", f":{gdb.port}", "--tcl", "none")
            wait_for("mprof_init()", lambda: mprof("report", *link).returncode == 0)
            before = len(gdb.sockets)
            self.assertEqual(mprof("report", *link).returncode, 0)
            alone = len(gdb.sockets) - before
            before = len(gdb.sockets)
            with Shell(*link) as shell:
                hits = [shell.report()["hits"] for _ in range(4)]
                self.assertEqual(len(gdb.sockets) - before, alone)
                wait_for("hits between two commands", lambda: shell.report()["hits"] > hits[-1])
                self.assertEqual(shell.end()[0], 0)
            self.assertEqual(hits, sorted(hits))
            self.assertEqual(len(gdb.sockets) - before, alone)
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def end_somehow(self, port, runs, number, during):
        link = ("--elf", ELF, "--gdb", f":{port}", "--tcl", "none")
        with Shell(*link) as shell:
            shell.report()
            if during:
                shell.write("top -n 100000 -d 0.01")
                shell.process.stdout.readline()
            if number:
                shell.process.send_signal(number)
                shell.process.wait(timeout=HANG_S)
                self.assertEqual(shell.process.returncode, -number)
            else:
                self.assertEqual(shell.end()[0], 0)
        wait_for(f"runs: {runs}, {number}, {during}", lambda: qemu_runs(port) == runs)

    def test_every_way_out(self):
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGSEGV)
        with Rig(ELF, qemu_gdb=True) as qemu:
            sampled(ELF, 1, "--gdb", f":{qemu.gdb_port}")
            for _ in range(count(1, 20)):
                for number in numbers:
                    for during in (False, True):
                        self.end_somehow(qemu.gdb_port, True, number, during)
            self.end_somehow(qemu.gdb_port, True, None, False)
            gdb = Gdb(qemu.gdb_port)
            gdb.attach()
            gdb.close()  # and leaves it halted
            for number in (None, *numbers):
                self.end_somehow(qemu.gdb_port, False, number, False)
        print(f"counted: {len(numbers) * (2 * count(1, 20) + 1)} ends by a signal")


if __name__ == "__main__":
    unittest.main()
