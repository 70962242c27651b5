# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof top --mi 'gdb ...': through a real gdb that it starts."""

import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

from case import Case
from mi import ELF, FUNCTIONS, command, processes
from rig import QmpRig, Rig, Tcl
from support import (HANG_S, count, counted, farewell, free_port, json_lines, mprof,
                     sampled, side_by_side, start, state, stop, symbols, wait_for)

SOURCES = pathlib.Path(__file__).resolve().parents[2]
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


class Started(Case):
    def top(self, port, *more, extra=(), rounds=3):
        farewell(port)
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
        self.assertLessEqual(FUNCTIONS, {row["function"] for row in last["rows"]})
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
            self.assertLessEqual(FUNCTIONS, {row["function"] for row in last["rows"]})
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
            self.refused(self.top(port), "--allow-halt", "set non-stop on")
            self.assertEqual(tcl.state(), "running")
            # With a breakpoint of that gdb's, which is not left behind.
            result = self.top(port, "--allow-halt=1", extra=["-ex 'break main'"])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            last = json_lines(result.stdout)[-1]
            self.assertLessEqual(FUNCTIONS, {row["function"] for row in last["rows"]})
            self.assertIn("OpenOCD", last["link"]["server"])
            self.assertEqual((tcl.state(), tcl("bp")), ("running", ""))
            self.assertGreaterEqual(board.stat()["halts"], last["link"]["halts"])
            # A halt by the command looks as one by gdb's coming; a breakpoint's does not.
            tcl("bp 0x%x 2 hw" % self.work_b)
            tcl.wait_halted()
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
            ("no-such-gdb -q fw.elf", ("no-such-gdb ended (status 127)", "not found; install it or correct its name")),
            ("false", ("false ended (status 1)",)),
            ("echo hello;", ("echo ended",)),
            ("gdb-multiarch -nx -q", ("add -ex 'target remote :3333'",)),
            (command(port), (f":{port}",)),
            ("gdb-multiarch -nx -q --no-such-option", ("ended (status 1)", "option")),
        )
        side_by_side(lambda case: self.refused(
            mprof("top", "--elf", ELF, "--mi", case[0], "--timeout", "1"), *case[1]), cases)
        self.refused(mprof("top", "--elf", ELF, "--mi", " "), "gdb-multiarch", status=2)
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


if __name__ == "__main__":
    unittest.main()
