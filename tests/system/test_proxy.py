# SPDX-License-Identifier: GPL-3.0-or-later
"""--serve: a user's gdb debugs through mprof, sees nothing of it, and loses nothing when it ends."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import threading
import time
import unittest

from rig import Rig
from support import (FIRMWARE, HANG_S, FakeServer, count, counted, environment, free_port, mprof,
                     patient, sampled, start, stop, wait_for)

patient()
ELF = FIRMWARE / "cortex-m3.elf"
PROMPT = "(gdb) "
SETTINGS = ("pagination off", "confirm off", "width 0", "height 0", "style enabled off",
            f"remotetimeout {HANG_S}")


class UserGdb:
    """A gdb-multiarch at its prompt, like a person's."""

    def __init__(self):
        self.text = ""
        settings = [word for setting in SETTINGS for word in ("-iex", f"set {setting}")]
        self.process = subprocess.Popen(
            ["gdb-multiarch", "-nx", "-q", *settings, str(ELF)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
        self.until(PROMPT)

    def until(self, end):
        """What it prints until it has printed end."""
        deadline = time.monotonic() + HANG_S
        while end not in self.text:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise AssertionError(f"gdb does not print {end!r}; it printed {self.text!r}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise AssertionError(f"gdb ended: {self.text}")
            self.text += data.decode(errors="replace")
        said, _, self.text = self.text.partition(end)
        return said

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def __call__(self, line):
        """Types a line and returns what gdb says to it."""
        self.type(line)
        return self.until(PROMPT)

    def interrupt(self):
        """Ctrl-C, and what gdb says then."""
        self.process.send_signal(signal.SIGINT)
        return self.until(PROMPT)

    def leave(self):
        self.type("quit")
        self.process.communicate(timeout=HANG_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


class Top:
    """A running mprof top that serves a gdb; its refreshes are kept."""

    def __init__(self, gdb_port, delay=0.1, more=()):
        self.port = free_port()
        self.refreshes = []
        self.process = start("top", "--elf", ELF, "--gdb", f":{gdb_port}", "--serve",
                             f":{self.port}", "-d", str(delay), "-n", "1000000", "--format",
                             "json", *more, start_new_session=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        wait_for("the first refresh", lambda: self.refreshes or self.process.poll() is not None)
        if not self.refreshes:
            raise AssertionError(f"mprof ended: {self.process.stderr.read()}")

    def _read(self):
        for line in self.process.stdout:
            self.refreshes.append(json.loads(line))

    @property
    def hits(self):
        return self.refreshes[-1]["hits"]

    def rises(self):
        """Waits for refreshes in which the hits go up."""
        before = self.hits
        wait_for("new hits", lambda: self.hits > before)

    def sees(self, state):
        wait_for(state, lambda: self.refreshes[-1]["link"]["state"] == state)

    def end(self, number=signal.SIGTERM):
        """Ends it, with its whole process group, and returns what it said on stderr."""
        os.killpg(self.process.pid, number)
        error = self.process.stderr.read()
        self.process.wait(HANG_S)
        return error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(HANG_S)
        self.process.stdout.close()
        self.process.stderr.close()


def listens(port):
    """Whether somebody listens there, without a connection."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        return any(f":{port:04X} 00000000:0000 0A" in line for line in file)


SESSION = (
    "break work_b", "continue", "x/4i $pc", "backtrace", "finish", "next", "next", "print $pc", "print s_prof",
    "x/4xw 0x0", "info registers", "stepi", "step", "delete", "tbreak work_c",
    "continue", "info breakpoints", "watch *(int *)0x20000000", "delete", "monitor help-nothing",
    "set variable *(unsigned *)0x20300000 = 0x1234", "print/x *(unsigned *)0x20300000", "load", "tbreak main", "continue", "info line")

# What differs from one run to the next: which function calls which, by chance; numbers of places.
CHANCE = (
    (re.compile(r"random=\d+"), "random=N"), (re.compile(r"state=\d+"), "state=N"),
    (re.compile(r"^(r\d+|lr|xpsr|sp|pc|primask|basepri|faultmask|control|msp|psp|fpscr) .*$", re.M),
     r"\1 N"),
    (re.compile(r"Transfer rate: .*"), "Transfer rate: N"),
    (re.compile(r"keep_alive\(\) was not invoked .*\n"), ""),  # OpenOCD, when this machine is busy
    (re.compile(r"Start address.*$", re.M), "Start address N"),
)
# Where chance leads, only the form of the answer is compared.
BY_CHANCE = ("backtrace", "finish", "next", "print $pc", "stepi", "step", "print s_prof", "info line")


def shape(command, text):
    """An answer without what chance decides."""
    for pattern, replacement in CHANCE:
        text = pattern.sub(replacement, text)
    if command in BY_CHANCE:
        return bool(text.strip())
    return text


class Proxy(unittest.TestCase):
    def session(self, port, while_running):
        """A session of every kind of command; its text, answer by answer."""
        with UserGdb() as gdb:
            gdb(f"target remote :{port}")
            said = [(line, shape(line, gdb(line))) for line in SESSION]
            for _ in range(3):
                gdb.type("continue")
                said.append(("continue", gdb.until("Continuing.\n")))
                while_running()
                text = shape("Ctrl-C", gdb.interrupt())
                said.append(("Ctrl-C", text.partition("SIGINT, Interrupt.\n")[0]))
            said.append(("detach", gdb("detach")))
            gdb.leave()
        return said

    def compare_sessions(self, rig):
        self.maxDiff = None
        alone = self.session(rig.gdb_port, lambda: rig.wait(lambda stat: stat["running"]))
        with Top(rig.gdb_port) as top:
            beside = self.session(top.port, top.rises)
            top.end()
        self.assertEqual(alone, beside)
        self.assertIn("Breakpoint 1, work_b ()", str(beside))
        self.assertIn("Program received signal ", str(beside))
        wait_for("the proxy's end", lambda: not listens(top.port))


class OnOpenOCD(Proxy):
    """A real OpenOCD without its Tcl port: one gdb client, memory can be read while the core runs."""

    def setUp(self):
        # Steps without OpenOCD's limit of half a second for interrupts that are due.
        self.rig = Rig(ELF, options=["--tcl-port", "disabled"],
                       openocd_args=("-c", "init; cortex_m maskisr steponly")).start()
        self.addCleanup(self.rig.stop)

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

    def test_killed_in_the_middle(self):
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            gdb("break work_c")
            gdb("continue")
            gdb("delete")
            gdb.type("continue")
            gdb.until("Continuing.")
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
            self.assertIn("the port is taken", again.stderr)
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

    def test_second_gdb_is_refused(self):
        with Top(self.rig.gdb_port) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            with socket.create_connection(("127.0.0.1", top.port), timeout=HANG_S) as second:
                self.assertEqual(second.recv(100), b"")
            self.assertIn("0x", gdb("x/xw 0x20000000"))
            gdb("detach")

    def test_server_is_lost(self):
        with Top(self.rig.gdb_port, more=["--wait", "0"]) as top, UserGdb() as gdb:
            gdb(f"target remote :{top.port}")
            os.kill(self.rig.info["openocd_pid"], signal.SIGKILL)
            error = top.process.stderr.read()
            self.assertEqual(top.process.wait(HANG_S), 1)
            self.assertEqual(len(error.splitlines()), 1, error)
            self.assertIn(str(self.rig.gdb_port), error)
            self.assertIn("Remote connection closed", gdb("x/xw 0x20000000"))
        wait_for("the proxy's end", lambda: not listens(top.port))


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


def disguised(port):
    """Passes a gdb connection on to a server, without what says which server it is; the core seems to
    have been halted at a breakpoint, as it seems at probe-rs."""
    answers = ((b"$qqemu.", b"$#00"), (b"$qRcmd,", b"$#00"), (b"$?#", b"$T05#b9"))

    def back(server, client):
        try:
            while data := server.recv(65536):
                client.sendall(data)
            client.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def answer(packet):
        return next((text for begin, text in answers if packet.startswith(begin)), None)

    def serve(client):
        with socket.create_connection(("127.0.0.1", port)) as server:
            for side in (client, server):
                side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            thread = threading.Thread(target=back, args=(server, client), daemon=True)
            thread.start()
            pending = b""
            while data := client.recv(65536):
                pending += data
                while match := re.match(rb"(\$[^#]*#..|[^$])", pending, re.S):
                    pending = pending[match.end():]
                    text = answer(match[0])
                    if text is None:
                        server.sendall(match[0])
                    else:
                        client.sendall(b"+" + text)
            server.shutdown(socket.SHUT_WR)
            thread.join(HANG_S)
    return serve


def settle(port):
    """Waits until the firmware has started its table."""
    sampled(ELF, 1, "--gdb", f":{port}")


class Unknown(unittest.TestCase):
    """Servers that are not known."""

    def test_answers_while_running(self):
        """This is found out, when mprof comes or when gdb lets the core run."""
        with Rig(ELF, options=["--tcl-port", "disabled"]) as rig, \
                FakeServer(disguised(rig.gdb_port)) as server, Top(server.port) as top, \
                UserGdb() as gdb:
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


class Opening(unittest.TestCase):
    def test_port_is_taken(self):
        """Said before the server is touched."""
        touched = []
        with FakeServer(touched.append) as server, socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            result = mprof("top", "--elf", ELF, "--gdb", f":{server.port}", "--serve", f":{port}")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn(f"localhost:{port}: cannot listen there: the port is taken", result.stderr)
        self.assertEqual(touched, [])

    def test_wrong_use(self):
        for args, word in ((("--serve", "/tmp/socket"), "HOST:PORT"),
                           (("--serve", ":1", "--tcl", ":6666"), "--tcl"),
                           (("--serve", "nothing"), "not an address")):
            result = mprof("top", "--elf", ELF, "--gdb", ":1", *args)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(word, result.stderr)

    def test_nobody_there(self):
        result = mprof("top", "--elf", ELF, "--gdb", f":{free_port()}", "--serve",
                       f":{free_port()}")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("connection refused", result.stderr)

    def test_loopback_only(self):
        with Rig(ELF, qemu_gdb=True) as rig, Top(rig.gdb_port) as top:
            with open("/proc/net/tcp", encoding="ascii") as file:
                addresses = [line.split()[1] for line in file if f":{top.port:04X} 000" in line]
            self.assertEqual(addresses, [f"0100007F:{top.port:04X}"])


if __name__ == "__main__":
    unittest.main()
