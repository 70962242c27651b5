# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof through a real gdb: one that it starts, and the one in which the user is debugging."""

import contextlib
import fcntl
import os
import pathlib
import pty
import queue
import random
import re
import signal
import subprocess
import tempfile
import termios
import threading
import time
import unittest

from rig import QmpRig, Rig, RigError, Tcl
from support import (FIRMWARE, HANG_S, MPROF, count, counted, environment, free_port,
                     json_lines, mprof, patient, sampled, side_by_side, start, stop, symbols,
                     wait_for)

patient()
ELF = FIRMWARE / "cortex-m3.elf"
SOURCES = pathlib.Path(__file__).resolve().parents[2]
FUNCTIONS = {"work_a", "work_b", "work_c"}
ROUNDS = 250
NATIVE = r"""
#include <stdint.h>
#include <unistd.h>
#include <mprof/mprof.h>
#define APART __attribute__((aligned(64))) /* no block of addresses holds both */
APART void hot(void) { __asm__ volatile(""); }
APART void cold(void) { __asm__ volatile(""); }
APART int main(void)
{
    mprof_init();
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 3; i++)
            mprof_sample((uintptr_t)hot);
        mprof_sample((uintptr_t)cold);
        usleep(1000);
    }
    for (;;)
        usleep(1000);
}
""".replace("ROUNDS", str(ROUNDS))


def command(port, *more, gdb="gdb-multiarch"):
    """What a user gives to --mi."""
    # QEMU loses a packet that comes while its machine runs: gdb sends it again after this time.
    return " ".join([f"{gdb} -nx -q {ELF} -iex 'set remotetimeout 10' "
                     f"-ex 'target remote :{port}'", *more])


def processes(mark):
    """The processes that have mark in their arguments: pid -> arguments."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            arguments = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if mark in arguments and not arguments.startswith(str(MPROF)):
                found[int(path.parent.name)] = arguments
    return found


def state(pid):
    """The letter that the kernel gives a process: R, S, T (stopped), t (traced), ..."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


class Case(unittest.TestCase):
    def assert_one_line(self, result, *parts, status=1):
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def assert_functions(self, line):
        """Which numbers these are, test_qemu_that_is_halted compares with another link's."""
        self.assertLessEqual(FUNCTIONS, {row["function"] for row in line["rows"]})


class Started(Case):
    """mprof top --mi 'gdb ...'."""

    def top(self, port, *more, extra=(), rounds=3):
        return mprof("top", "--elf", ELF, "--mi", command(port, *extra), "-n", rounds, "-d", "0.05",
                     "--format", "json", *more)

    @classmethod
    def setUpClass(cls):
        cls.qemu = QmpRig(ELF).start()
        cls.addClassCleanup(cls.qemu.stop)
        sampled(ELF, 500, "--qmp", cls.qemu.qmp)

    def runs_through(self, function):
        """Waits until a function has been sampled again, which no halt may hinder."""
        def hits():
            report = sampled(ELF, 1, "--qmp", self.qemu.qmp)
            return next(row["hits"] for row in report["rows"] if row["function"] == function)
        before = hits()
        wait_for(f"{function} runs", lambda: hits() > before)

    def test_qemu(self):
        port = self.qemu.gdb_port
        result = self.top(port)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        last = json_lines(result.stdout)[-1]
        self.assert_functions(last)
        self.assertEqual(last["link"]["kind"], "gdb-mi")
        self.assertIn("QEMU", last["link"]["server"])
        self.assertEqual(last["link"]["state"], "RUNNING")
        self.assertFalse(last["link"]["live"])
        self.assertGreaterEqual(last["link"]["halts"], 3)
        self.assertGreater(last["link"]["halted_ms"], 0)
        self.qemu.is_left(True)
        # A breakpoint of that gdb's is not left in a machine that runs on: it would stop there.
        result = self.top(port, extra=["-ex 'hbreak work_c if $pc == 0'"], rounds=1)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.runs_through("work_c")
        self.qemu.is_left(True)
        wait_for("gdb's end", lambda: not processes(f"remote :{port}"))

    def test_qemu_that_is_halted(self):
        """It stays so, and has the same numbers by another link."""
        self.qemu.monitor("stop")
        try:
            before = self.qemu.stat()["machine_stops"]
            last = json_lines(self.top(self.qemu.gdb_port, rounds=2).stdout)[-1]
            self.assertEqual(last["link"]["state"], "HALTED")
            self.assertEqual(last["link"]["halts"], 0)
            self.assert_functions(last)
            other = sampled(ELF, 1, "--qmp", self.qemu.qmp)
            self.assertEqual({row["address"]: row["hits"] for row in last["rows"]},
                             {row["address"]: row["hits"] for row in other["rows"]})
            stat = self.qemu.stat()
            self.assertEqual((stat["running"], stat["machine_stops"]), (False, before))
        finally:
            self.qemu.monitor("cont")

    def test_openocd(self):
        with Rig(ELF) as board, Tcl(board.tcl_port) as tcl:
            port = board.gdb_port
            link = ("--gdb", f":{port}", "--tcl", f":{board.tcl_port}")
            sampled(ELF, 100, *link)
            self.assert_one_line(self.top(port), "--allow-halt", "set non-stop on")
            self.assertEqual(tcl.state(), "running")
            # With a breakpoint of that gdb's, which is not left behind.
            result = self.top(port, "--allow-halt=1", extra=["-ex 'break main'"])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            last = json_lines(result.stdout)[-1]
            self.assert_functions(last)
            self.assertIn("OpenOCD", last["link"]["server"])
            self.assertEqual((tcl.state(), tcl("bp")), ("running", ""))
            self.assertGreaterEqual(board.stat()["halts"], last["link"]["halts"])
            # A halt by the command looks as one by gdb's coming; a breakpoint's does not.
            tcl("bp 0x%x 2 hw" % self.work_b)
            tcl.wait_halted()
            # OpenOCD takes one gdb.
            wait_for("gdb's end", lambda: not processes(f"remote :{port}"))
            result = self.top(port, "--allow-halt=1", rounds=1)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            last = json_lines(result.stdout)[-1]
            self.assertEqual((last["link"]["state"], last["link"]["halts"]), ("HALTED", 0))
            self.assertEqual(tcl.state(), "halted")
            wait_for("gdb's end", lambda: not processes(f"remote :{port}"))

    work_b = symbols(ELF)["work_b"][0] & ~1

    def test_native_live(self):
        """A process on this machine: read while it runs; attached to, it goes on, and else it ends."""
        with tempfile.TemporaryDirectory() as folder:
            source, program = f"{folder}/p.c", f"{folder}/native"
            pathlib.Path(source).write_text(NATIVE)
            stub = SOURCES / "target-stub"
            subprocess.run(["cc", "-g", "-O1", "-no-pie", f"-I{stub}/include", f"-I{stub}/src",
                            f"-I{stub}/port/host", "-o", program, source,
                            *map(str, (stub / "src").glob("*.c"))], check=True)

            def top(gdb):
                process = start("top", "--elf", program, "--mi", gdb, "-n", "1000000", "-d", "0.05",
                                "--format", "json")
                try:
                    def enough():
                        line = json_lines(process.stdout.readline())[0]
                        return line if line["hits"] == 4 * ROUNDS else None
                    line = wait_for("all samples", enough)
                    process.terminate()
                    _, text = process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                said = [line for line in text.splitlines() if "waiting for mprof_init()" not in line]
                self.assertEqual(said, [])
                self.assertTrue(line["link"]["live"])
                self.assertEqual(line["link"]["state"], "RUNNING")
                self.assertEqual({row["function"]: row["hits"] for row in line["rows"]},
                                 {"hot": 3 * ROUNDS, "cold": ROUNDS})
                return line["link"]

            link = top(f"gdb-multiarch -nx -q {program} -ex 'run &'")
            self.assertEqual(link["halts"], 0)
            top(f"gdb-multiarch -nx -q -ex 'run &' --args {program} one 'two three'")
            wait_for("an end of the program", lambda: not processes(program))
            with subprocess.Popen([program]) as process:
                try:
                    link = top(f"gdb-multiarch -nx -q -p {process.pid}")
                    self.assertEqual(link["halts"], 1)
                    self.assertIsNone(process.poll())
                    wait_for("it runs on", lambda: state(process.pid) in "RS")
                finally:
                    process.kill()

    def test_failures_are_one_line(self):
        port = free_port()
        mark = f"remote :{port}"
        cases = (
            ("no-such-gdb -q fw.elf", ("no-such-gdb ended (status 127)", "not found")),
            ("false", ("false ended (status 1)",)),
            ("echo hello;", ("echo ended",)),
            ("gdb-multiarch -nx -q", ("add -ex 'target remote :3333'",)),
            (command(port), (f":{port}",)),
            ("gdb-multiarch -nx -q --no-such-option", ("ended (status 1)", "option")),
        )
        side_by_side(lambda case: self.assert_one_line(
            mprof("top", "--elf", ELF, "--mi", case[0], "--timeout", "1"), *case[1]), cases)
        self.assert_one_line(mprof("top", "--elf", ELF, "--mi", " "), "gdb-multiarch", status=2)
        wait_for("gdb's end", lambda: not processes(mark))

    def test_gdb_dies(self):
        mark = f"remote :{self.qemu.gdb_port}"
        process = start("top", "--elf", ELF, "--mi", command(self.qemu.gdb_port), "-n", "1000000",
                        "-d", "0.01", "--format", "json")
        try:
            self.assertIn("rows", process.stdout.readline())
            for pid in processes(mark):
                os.kill(pid, signal.SIGKILL)
            _, text = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(text.strip().splitlines()), 1, text)
        self.assertIn("was ended by signal 9", text)
        wait_for("gdb's end", lambda: not processes(mark))
        # What that gdb left halted, nobody claims.
        self.qemu.monitor("cont")

    def test_ends_at_random_moments(self):
        """Signals to the whole process group, as a terminal sends them: the gdb does not get them."""
        chance = random.Random(5)
        rounds = count(6, 60)
        for i in range(rounds):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[i % 3]
            process = start("top", "--elf", ELF, "--mi", command(self.qemu.gdb_port), "-n",
                            "1000000", "-d", "0.01", "--format", "json", preexec_fn=os.setpgrp)
            try:
                self.assertIn("rows", process.stdout.readline())
                time.sleep(chance.uniform(0, 0.1))
                os.killpg(process.pid, number)
                _, text = process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            self.assertEqual((process.returncode, text), (-number, ""), f"round {i}")
            self.qemu.is_left(True, f"round {i}")
            wait_for("gdb's end", lambda: not processes(f"remote :{self.qemu.gdb_port}"))
        counted(f"{rounds} ends by 3 signals of mprof with a gdb of its own, the core ran each time")


class UserGdb:
    """A gdb in a terminal, with a user who types; use it in a with statement."""

    def __init__(self, *arguments):
        self.terminal, other = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen(
            ["gdb-multiarch", "-nx", "-q", "-ex", "set pagination off", "-ex",
             "set remotetimeout 10", str(ELF), *arguments],
            stdin=other, stdout=other, stderr=other, preexec_fn=take_terminal,
            env=dict(environment(), TERM="dumb"))
        os.close(other)
        self.shown = ""
        # A terminal that nobody reads holds gdb up.
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with contextlib.suppress(OSError):
            while data := os.read(self.terminal, 65536):
                self.shown += data.decode("utf-8", "replace")

    def shows(self, pattern):
        try:
            return wait_for(pattern, lambda: re.search(pattern, self.shown))
        except AssertionError as error:
            raise AssertionError(f"{error}: gdb shows {self.shown[-500:]!r}") from None

    def type(self, text, pattern=None):
        """Types a line, and waits for what gdb shows then."""
        self.shown = ""
        os.write(self.terminal, text.encode() + b"\n")
        return self.shows(pattern) if pattern else None

    def interrupts(self):
        """A word that comes while gdb is stopping or letting go the target is lost: so again. What it
        says may be to a word before the last one."""
        self.shown = ""

        def stopped():
            os.write(self.terminal, b"interrupt\n")
            with contextlib.suppress(AssertionError):
                return wait_for("SIGINT", lambda: re.search("SIGINT", self.shown), 1)
        wait_for(f"a stop: gdb shows {self.shown[-500:]!r}", stopped)

    def answers(self):
        return self.type("print 6*7", r"\$\d+ = 42")

    def __enter__(self):
        self.shows(r"\(gdb\) $")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()  # its terminal has no other end then, and _read() ends
        os.close(self.terminal)


class Joined:
    """An mprof that joins the user's gdb. Its refreshes are read as they come."""

    def __init__(self, *options, link=None, delay="0.05"):
        self.process = start("top", "--elf", ELF, f"--mi-attach={link}" if link else "--mi-attach",
                             "--format", "json", "-n", "100000", "-d", delay, *options)
        self.refreshes = queue.Queue()
        self.told = self.process.stderr.readline()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.refreshes.put(json_lines(line)[0])
        self.refreshes.put(None)

    def until(self, condition):
        """Looks at refreshes that begin after now until condition(refresh) holds."""
        end = time.monotonic() + HANG_S
        while not self.refreshes.empty():
            self.refreshes.get()
        refresh = self.refreshes.get(timeout=HANG_S)
        while refresh is not None and time.monotonic() < end:
            refresh = self.refreshes.get(timeout=HANG_S)
            if refresh is not None and condition(refresh):
                return refresh
        raise AssertionError(f"mprof ended: {self.process.stderr.read()}" if refresh is None else
                             f"did not come: {refresh}")

    def until_state(self, name):
        return self.until(lambda refresh: refresh["link"]["state"] == name)

    def ended(self):
        """Waits for its end; returns its exit status and what it said last."""
        status = self.process.wait(HANG_S)
        self.reader.join(HANG_S)
        return status, self.process.stderr.read()

    def leave(self, number=signal.SIGINT):
        self.process.send_signal(number)
        status, text = self.ended()
        assert (status, text) == (-number, ""), (status, text)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Attached(Case):
    """mprof top --mi-attach, and a user in his gdb."""

    @classmethod
    def setUpClass(cls):
        cls.qemu = QmpRig(ELF).start()
        cls.addClassCleanup(cls.qemu.stop)
        sampled(ELF, 100, "--qmp", cls.qemu.qmp)

    @contextlib.contextmanager
    def session(self, port, *options, setup=(), **more):
        """A gdb that is connected and stopped, and an mprof that has joined it."""
        with UserGdb("-ex", f"target remote :{port}") as gdb:
            for line in setup:
                gdb.type(line, r"\(gdb\) $")
            joined = Joined(*options, **more)
            try:
                self.assertRegex(joined.told, r"new-ui mi3 /\S+\n$")
                gdb.type(joined.told.split("gdb: ")[1].strip(), r"New UI allocated\s+\(gdb\) ")
                yield gdb, joined
            finally:
                joined.stop()

    @staticmethod
    def interrupt(gdb, joined, rig):
        """What the user types while we hold the target is lost: so we stand still while he does, and
        he types only where the core runs."""
        seen = []

        def stopped():
            joined.process.send_signal(signal.SIGSTOP)
            runs = rig.stat()["running"]
            if runs:
                gdb.type("interrupt")
                with contextlib.suppress(RigError):
                    rig.wait(lambda stat: not stat["running"], 10)
            joined.process.send_signal(signal.SIGCONT)
            state = joined.until(lambda _: True)["link"]["state"]
            seen.append((runs, rig.stat()["running"], state))
            return state == "HALTED"
        try:
            wait_for("a stop that is the user's", stopped)
        except AssertionError as error:
            raise AssertionError(f"{error}; ran before, ran behind, state: {seen[-20:]}") from None

    def test_a_users_session(self):
        setup = ["break work_c if 0", "break work_b"]
        with self.session(self.qemu.gdb_port, "--allow-halt=1", setup=setup) as (gdb, joined):
            joined.until_state("HALTED")
            gdb.type("continue", r"Breakpoint 2, work_b")
            halted = joined.until_state("HALTED")
            # The user's stop stays, whatever we read.
            for _ in range(3):
                refresh = joined.until(lambda _: True)
                self.assertEqual(refresh["link"]["state"], "HALTED")
                self.assertEqual(refresh["link"]["halts"], halted["link"]["halts"])
                self.assertEqual(refresh["hits"], halted["hits"])
            self.assertFalse(self.qemu.stat()["running"])
            gdb.type("disable", r"\(gdb\) $")
            gdb.type("continue", "Continuing")
            first = joined.until_state("RUNNING")
            last = joined.until(lambda r: r["hits"] > first["hits"] + 50)
            self.assertGreater(last["link"]["halts"], first["link"]["halts"])
            self.assertGreater(last["link"]["halted_ms"], first["link"]["halted_ms"])
            self.assert_functions(last)
            # It has ended his continue, and what he types is heard.
            self.interrupt(gdb, joined, self.qemu)
            joined.leave()
            self.assertFalse(self.qemu.stat()["running"])
            gdb.answers()
            gdb.type("info breakpoints", r"work_c(?s:.*)work_b(?s:.*)\(gdb\) $")
            gdb.type("enable 2", r"\(gdb\) $")
            gdb.type("continue", r"Breakpoint 2, work_b")

    def test_left_running(self):
        """mprof leaves while the target runs: it runs, and the user stops it."""
        with self.session(self.qemu.gdb_port, "--allow-halt=1") as (gdb, joined):
            gdb.type("continue", "Continuing")
            joined.until_state("RUNNING")
            joined.leave(signal.SIGTERM)
            self.qemu.is_left(True)
            gdb.interrupts()
            gdb.answers()

    def test_not_stopped_unasked(self):
        with self.session(self.qemu.gdb_port) as (gdb, joined):
            self.assertIn("--allow-halt", joined.process.stderr.readline())
            joined.until_state("HALTED")
            stops = self.qemu.stat()["machine_stops"]
            gdb.type("continue", "Continuing")
            status, text = joined.ended()
            self.assertEqual(status, 1)
            self.assertIn("--allow-halt", text)
            stat = self.qemu.stat()
            self.assertEqual((stat["running"], stat["machine_stops"]), (True, stops))
            os.write(gdb.terminal, b"\x03")
            gdb.shows("SIGINT")
            gdb.answers()

    def test_openocd(self):
        with Rig(ELF) as board, Tcl(board.tcl_port) as tcl:
            # Most of the time nothing is held, however slow the machine is.
            with self.session(board.gdb_port, "--allow-halt=1", delay="2") as (gdb, joined):
                gdb.type("continue", "Continuing")
                first = joined.until_state("RUNNING")
                joined.until(lambda r: r["hits"] > first["hits"])
                self.interrupt(gdb, joined, board)
                self.assertEqual(tcl.state(), "halted")
                joined.leave()
                self.assertEqual(tcl.state(), "halted")
                gdb.answers()

    def test_gdb_survives_our_leaving(self):
        chance = random.Random(3)
        rounds = range(count(4, 100))
        for i in rounds:
            options = ("--allow-halt=1",) if i % 2 else ("--allow-halt",)
            with self.session(self.qemu.gdb_port, *options, delay="0.01") as (gdb, joined):
                joined.until(lambda _: True)
                if i % 2:
                    gdb.type("continue", "Continuing")
                time.sleep(chance.uniform(0, 0.1))
                joined.leave((signal.SIGINT, signal.SIGHUP)[i // 2 % 2])
                self.qemu.is_left(bool(i % 2), f"round {i}")
                if i % 2:
                    gdb.interrupts()
                gdb.answers()
        counted(f"{len(rounds)} ends beside the user's gdb, which answered each time, and the core was "
                "as it had been")

    def test_gdb_leaves(self):
        with self.session(self.qemu.gdb_port, "--allow-halt") as (gdb, joined):
            joined.until(lambda _: True)
            gdb.type("set confirm off")
            gdb.type("quit")
            status, text = joined.ended()
            self.assertEqual(status, 1)
            # It may be seen without a target before it is seen to be gone.
            self.assertRegex(text, r"\A(mprof: the target cannot be read: waiting \(/dev/pts/\d+: "
                                   r"gdb has no target any more \(it was left\)\)\n)?"
                                   r"mprof: /dev/pts/\d+: gdb has closed it\n\Z")

    def test_link(self):
        with tempfile.TemporaryDirectory() as folder:
            link = f"{folder}/mprof"
            os.symlink("/dev/pts/999999", link)  # as a killed mprof leaves it
            with self.session(self.qemu.gdb_port, "--allow-halt", link=link) as (gdb, joined):
                self.assertTrue(os.readlink(link).startswith("/dev/pts/"))
                joined.until(lambda _: True)
                joined.leave()
                self.assertFalse(os.path.lexists(link))
                gdb.answers()
            for make in (lambda: pathlib.Path(link).write_text("mine"),
                         lambda: os.symlink(ELF, link), lambda: os.symlink("/dev/null", link)):
                make()
                before = os.lstat(link).st_ino
                self.assert_one_line(mprof("top", "--elf", ELF, f"--mi-attach={link}"),
                                     "is there already", status=2)
                self.assertEqual(os.lstat(link).st_ino, before)
                os.unlink(link)
            self.assert_one_line(mprof("top", "--elf", ELF, f"--mi-attach={folder}/no/such"),
                                 "No such file", status=2)

    def test_waiting_ends_by_a_signal(self):
        with tempfile.TemporaryDirectory() as folder:
            link = f"{folder}/mprof"
            for number in (signal.SIGINT, signal.SIGTERM):
                process = start("top", "--elf", ELF, f"--mi-attach={link}")
                try:
                    self.assertIn(link, process.stderr.readline())
                    process.send_signal(number)
                    process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                self.assertEqual(process.returncode, -number)
                self.assertFalse(os.path.lexists(link))


if __name__ == "__main__":
    unittest.main()
