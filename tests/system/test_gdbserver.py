# SPDX-License-Identifier: GPL-3.0-or-later
"""A real gdbserver: a program is read while it runs, and left as it was found."""

import contextlib
import os
import signal
import subprocess
import unittest

from support import (BUILD, HANG_S, environment, json_lines, start, state, stop, symbols,
                     wait_for)
from wire import Wire, end, link_tool, say, start_tool, stats

PROGRAM = BUILD / "tests" / "system" / "gdbserver-program"
SYMBOLS = symbols(PROGRAM, nm="nm")
KNOWN_SIZE = 1 << 18
SAMPLED = {"half": 500000, "quarter": 250000, "rest": 250000}


def known(offset, size):
    return bytes(0 if i % 64 < 32 else (i * 7 + i // 256) & 0xff
                 for i in range(offset, offset + size))


def word(pid, name):
    """A counter of the program, as the kernel sees it."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        file.seek(SYMBOLS[name][0])
        return int.from_bytes(file.read(8), "little")


class Gdbserver:
    """A gdbserver; use it in a with statement. attach: to a program that is started with these words;
    run: it starts the program itself."""

    def __init__(self, *options, attach=None, run=None):
        self.options = list(options)
        self.attach = attach
        self.run = run
        self.program = self.process = None
        self.pid = 0

    def __enter__(self):
        try:
            return self._start()
        except BaseException:
            self.__exit__()
            raise

    def _start(self):
        words = ["gdbserver", *self.options, ":0"]
        if self.attach is not None:
            self.program = subprocess.Popen([str(PROGRAM), *self.attach], stdin=subprocess.PIPE)
            self.pid = self.program.pid
            wait_for("the program", self._has_begun)
            self.before_attach()
            words += ["--attach", str(self.pid)]
        elif self.run is not None:
            words += [str(PROGRAM), *self.run]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, env=environment())
        while "Listening on port" not in (line := self.process.stderr.readline()):
            if not line:
                raise AssertionError("gdbserver did not start")
            if "created; pid = " in line:
                self.pid = int(line.rpartition(" ")[2])
        self.port = int(line.split()[-1])
        self.address = f":{self.port}"
        return self

    def _has_begun(self):
        try:
            return word(self.pid, "s_rounds") or word(self.pid, "s_others")
        except OSError:  # not loaded yet
            return False

    def before_attach(self):
        pass

    def __exit__(self, *_):
        # The program first: gdbserver waits for the end of what it has let go.
        if self.pid and state(self.pid):
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in (self.process, self.program):
            if process:
                end(process)

    def runs(self, name="s_rounds"):
        """Waits until the program is seen to run."""
        before = word(self.pid, name)
        try:
            wait_for(f"{name} to rise", lambda: word(self.pid, name) > before)
        except AssertionError as error:
            raise AssertionError(f"{error}; state '{state(self.pid)}', gdbserver's end "
                                 f"{self.process.poll()}") from None


class Suspended(Gdbserver):
    """The program was stopped by a user before gdbserver came."""

    def before_attach(self):
        os.kill(self.pid, signal.SIGSTOP)
        wait_for("the stop", lambda: state(self.pid) == "T")


class Attached(unittest.TestCase):
    def check_top(self, server, halts):
        """Reads until the program has sampled all that it will."""
        process = start("top", "--elf", PROGRAM, "--gdb", server.address, "--tcl", "none", "-d", "0.02",
                        "-n", "1000000", "--format", "json")
        try:
            def all_sampled():
                text = process.stdout.readline()
                self.assertTrue(text, "mprof ended")
                line = json_lines(text)[0]
                return line if line["hits"] == sum(SAMPLED.values()) else None
            line = wait_for("all samples", all_sampled)
            process.terminate()
            _, errors = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        self.assertEqual(process.returncode, -signal.SIGTERM, errors)
        self.assertEqual({row["function"]: row["hits"] for row in line["rows"]}, SAMPLED)
        link = line["link"]
        self.assertTrue(link["live"])
        self.assertEqual(link["halts"], halts)
        self.assertEqual(link["server"], "gdbserver")
        self.assertEqual(link["state"], "RUNNING")

    def test_read_while_it_runs(self):
        """The first client finds what gdbserver has stopped to attach, the next one a running program."""
        with Gdbserver(attach=[]) as server:
            self.assertEqual(state(server.pid), "t")
            self.check_top(server, halts=1)
            server.runs()
            self.check_top(server, halts=0)
            server.runs()

    def test_once(self):
        with Gdbserver("--once", attach=[]) as server:
            self.check_top(server, halts=1)
            self.assertEqual(server.process.wait(HANG_S), 0)
            server.runs()
            self.assertIn(state(server.pid), "RS")

    def test_killed(self):
        with Gdbserver(attach=[]) as server:
            process = start("top", "--elf", PROGRAM, "--gdb", server.address, "--tcl", "none", "-d",
                            "0.01", "-n", "1000000", "--format", "json")
            try:
                process.stdout.readline()
                process.kill()
                process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            server.runs()
            self.check_top(server, halts=0)

    def test_signals_reach_the_program(self):
        """A server that is not told so stops the program at each SIGALRM."""
        with Gdbserver(attach=["timer"]) as server:
            process = start_tool(server.address, "wait", "state", "wait")
            try:
                server.runs("s_ticks")
                say(process)
                self.assertEqual(process.stdout.readline(), "waited\n")
                self.assertEqual(process.stdout.readline(), "running\n")
                server.runs("s_ticks")
                process.communicate("\n", timeout=HANG_S)
            finally:
                end(process)
            server.runs("s_ticks")

    def test_threads(self):
        with Gdbserver(attach=["threads"]) as server:
            self.check_top(server, halts=1)
            server.runs("s_rounds")
            server.runs("s_others")

    def test_thread_that_ends(self):
        """Memory is read through a thread, the first one, and also when that has ended."""
        address = SYMBOLS["s_others"][0]
        with Gdbserver(attach=["leaderless"]) as server:
            process = start_tool(server.address, f"read={address:#x},8", "wait", "wait",
                                 f"read={address:#x},8", "read=0,4")
            try:
                process.stdout.readline()
                say(process)
                process.stdout.readline()
                server.program.stdin.write(b"\n")
                server.program.stdin.flush()
                wait_for("the thread's end", lambda: state(server.pid) == "Z")
                say(process)
                out, err = process.communicate(timeout=HANG_S)
            finally:
                end(process)
            self.assertEqual(len(out.splitlines()), 2, err)
            self.assertIn("cannot read 4 bytes at 0x0", err)

    def test_halt_and_resume(self):
        with Gdbserver(attach=["threads"]) as server:
            process = start_tool(server.address, "halt", "state", "pc", "wait", "resume", "state",
                                 "wait", "halt", "stats")
            try:
                first = process.stdout.readline()
                self.assertEqual(first, "halted\n", first or process.communicate())
                self.assertGreater(int(process.stdout.readline(), 16), 0)
                before = [word(server.pid, name) for name in ("s_rounds", "s_others")]
                self.assertEqual(state(server.pid), "t")
                self.assertEqual([word(server.pid, n) for n in ("s_rounds", "s_others")], before)
                say(process)
                self.assertEqual(process.stdout.readline(), "waited\n")
                self.assertEqual(process.stdout.readline(), "running\n")
                server.runs("s_rounds")
                server.runs("s_others")
                out, err = process.communicate("\n", timeout=HANG_S)
            finally:
                end(process)
            self.assertEqual(err, "")
            self.assertEqual(stats(out.splitlines()[-1])["halts"], 3)
            server.runs("s_rounds")
            server.runs("s_others")

    def test_known_memory_in_one_round_trip(self):
        address = SYMBOLS["s_known"][0]
        with Gdbserver(attach=[]) as server, Wire(server.port) as wire:
            done = link_tool(f":{wire.port}", f"read={address:#x},65536",
                             f"read={address + 1:#x},{KNOWN_SIZE - 1}")
            self.assertEqual(done.stderr, "")
            first, second = map(bytes.fromhex, done.stdout.split())
            self.assertEqual(first, known(0, 65536))
            self.assertEqual(second, known(1, KNOWN_SIZE - 1))
            # 8 requests at once, of 9 KiB each.
            self.assertEqual(len(wire.reads()), 1 + 4)

    def test_where_it_began(self):
        """The entry of a process tells where it is loaded."""
        entry = SYMBOLS["_start"][0]
        with Gdbserver(attach=[]) as server:
            self.assertEqual(stats(link_tool(server.address, "stats").stdout)["entry"], entry)

    def test_end_of_the_program(self):
        with Gdbserver(attach=[]) as server:
            # When gdbserver says so is its affair.
            answer = ["waited\n", "running\n"]
            # As often as the words have room in a command line.
            process = start_tool(server.address, "wait", *["state", "wait"] * 30000)
            try:
                say(process)
                self.assertEqual([process.stdout.readline() for _ in answer], answer)
                os.kill(server.pid, signal.SIGKILL)

                def ends():
                    with contextlib.suppress(BrokenPipeError):
                        say(process)
                    return [process.stdout.readline() for _ in answer] != answer
                wait_for("the end of the link", ends)
                _, err = process.communicate(timeout=HANG_S)
            finally:
                end(process)
            self.assertEqual(process.returncode, 1)
            self.assertIn("the program has ended", err)
            self.assertEqual(len([line for line in err.splitlines() if "state:" in line]), 1, err)


class Stopped(unittest.TestCase):
    def check_halted(self, server, letter):
        done = link_tool(server.address, "state", "stats")
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines()[0], "halted")
        self.assertEqual(state(server.pid), letter)
        return stats(done.stdout.splitlines()[1])

    def test_before_its_first_instruction(self):
        with Gdbserver(run=[]) as server:
            for _ in range(2):
                found = self.check_halted(server, "t")
                self.assertEqual(found["halts"], 0)
                self.assertIn("halted before", found["why"])
                self.assertEqual(word(server.pid, "s_rounds"), 0)

    def test_resumed_by_us_lives_on(self):
        """gdbserver ends what it has started, with the one connection that it was to serve."""
        for options in ([], ["--once"]):
            with Gdbserver(*options, run=[]) as server:
                done = link_tool(server.address, "resume", "state")
                self.assertEqual((done.stdout, done.stderr), ("running\n", ""))
                server.runs()

    def test_at_a_breakpoint_of_a_gdb_that_left(self):
        with Gdbserver(attach=["threads"]) as server:
            done = subprocess.run(
                ["gdb-multiarch", "-nx", "-batch", "-iex", f"set remotetimeout {HANG_S}", "-ex", f"target remote 127.0.0.1:{server.port}", "-ex",
                 "break quarter", "-ex", "continue", "-ex", "disconnect", str(PROGRAM)],
                stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=HANG_S,
                env=environment())
            self.assertIn("Breakpoint 1, ", done.stdout, done.stderr)
            before = [word(server.pid, name) for name in ("s_rounds", "s_others")]
            self.check_halted(server, "t")
            self.check_halted(server, "t")
            self.assertEqual([word(server.pid, n) for n in ("s_rounds", "s_others")], before)

    def test_suspended_by_a_user(self):
        """gdbserver cannot tell it from what its coming has stopped; the program knows it still."""
        with Suspended(attach=[]) as server:
            before = word(server.pid, "s_rounds")
            process = start_tool(server.address, *["wait", "state"] * 10000)

            def is_halted():
                say(process)
                process.stdout.readline()
                return process.stdout.readline() == "halted\n"
            try:
                wait_for("the stop", is_halted)
            finally:
                end(process)
            self.assertEqual(word(server.pid, "s_rounds"), before)

    def test_no_program(self):
        with Gdbserver("--multi") as server:
            done = link_tool(server.address)
            self.assertEqual(done.returncode, 1)
            self.assertIn("not attached to a core or program: attach it first", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
