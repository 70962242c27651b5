# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof is killed or stopped while it reads through a gdb: the target is as it was found all the same."""

import contextlib
import pathlib
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from mi import ELF, command, processes, session
from rig import QmpRig, Rig, Tcl
from support import (HANG_S, count, counted, drain, farewell, goes_on, sampled, start, state, stop,
                     wait_for)

SIGNALS = (signal.SIGKILL, signal.SIGSEGV)


def setUpModule():
    """SIGSEGV leaves no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def guardians(mark):
    """The process ids of the guardians of an mprof that has mark in its arguments."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if (mark.encode() in path.read_bytes()
                    and path.with_name("comm").read_text().strip() == "mprof-guardian"):
                found.append(int(path.parent.name))
    return found


class Killed(unittest.TestCase):
    """mprof top --mi 'gdb ...'."""

    def setUp(self):
        self.seed = random.SystemRandom().randrange(1 << 32)
        self.chance = random.Random(self.seed)

    def top(self, port, *more):
        farewell(port)
        return start("top", "--elf", ELF, "--mi", command(port), "--allow-halt=1", "-d", "0.01",
                     "-n", "1000000", "--format", "json", *more, start_new_session=True)

    def boot(self, port):
        """Until the firmware has set up its table; how long gdb takes to start here."""
        begin = time.monotonic()
        process = self.top(port)
        try:
            self.assertIn('"rows"', process.stdout.readline())
            taken = time.monotonic() - begin
            process.terminate()
            process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        return taken

    def kill_at_random_moments(self, port, rounds, judge):
        """Half of the moments are while gdb starts and connects, half while its target is read."""
        opening = self.boot(port)
        for i in range(rounds):
            number = SIGNALS[i // 2 % 2]
            process = self.top(port)
            try:
                if i % 2:
                    process.stdout.readline()
                delay = self.chance.uniform(0, 0.1 if i % 2 else opening)
                time.sleep(delay)
                process.send_signal(number)
                _, errors = process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            text = (f"round {i}: {signal.Signals(number).name} after {delay:.4f} s, "
                    f"seed {self.seed}: {errors}")
            self.assertEqual((process.returncode, errors), (-number, ""), text)
            wait_for(f"gdb and the guardian go: {text}",
                     lambda: not processes(f"remote :{port}") and
                     not guardians(f"remote :{port}"))
            judge(text)
        counted(f"{self.id()}: {rounds} kills by {len(SIGNALS)} signals, the core was as before each time")

    def test_qemu_runs_again(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            self.kill_at_random_moments(
                qemu.gdb_port, count(4, 40),
                lambda text: qemu.is_left(True, text))

    def test_qemu_stays_halted(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            self.boot(qemu.gdb_port)
            subprocess.run(["gdb-multiarch", "-nx", "-q", "-batch", "-iex", f"set remotetimeout {HANG_S}",
                            "-ex", f"target remote :{qemu.gdb_port}", "-ex", "disconnect"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=HANG_S)
            stops = qemu.stat()["machine_stops"]

            def judge(text):
                stat = qemu.stat()
                self.assertEqual((stat["running"], stat["machine_stops"]), (False, stops), text)
            self.kill_at_random_moments(qemu.gdb_port, count(4, 40), judge)

    def test_qemu_stopped(self):
        """If the gdb that mprof has started holds the core then, mprof starts another one after SIGCONT."""
        rounds = count(2, 80)
        ended = 0
        with QmpRig(ELF) as qemu:
            self.boot(qemu.gdb_port)
            for i in range(rounds):
                process = self.top(qemu.gdb_port)
                text = f"round {i}, seed {self.seed}"
                try:
                    process.stdout.readline()
                    time.sleep(self.chance.uniform(0, 0.1))
                    process.send_signal(signal.SIGSTOP)
                    wait_for("the stop", lambda p=process: state(p.pid) == "T")
                    qemu.is_left(True, text)
                    drain(process)
                    process.send_signal(signal.SIGCONT)
                    went_on = goes_on(process)
                    process.terminate()
                    _, errors = process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                self.assertEqual((process.returncode, went_on), (-signal.SIGTERM, True), f"{text}: {errors}")
                qemu.is_left(True, text)
                ended += "this process was stopped (by SIGSTOP or a debugger) during a halt" in errors
        counted(f"{self.id()}: {rounds} times SIGSTOP, {ended} of them in a halt that the guardian ended; the core "
                "ran each time, and mprof went on after SIGCONT")

    def test_openocd_runs_again(self):
        with Rig(ELF) as board, Tcl(board.tcl_port) as tcl:
            self.kill_at_random_moments(
                board.gdb_port, count(4, 40),
                # OpenOCD's own word for it comes with its next look.
                lambda text: wait_for(text, lambda: tcl.state() == "running"))


class KilledBesideGdb(unittest.TestCase):
    """mprof top --mi-attach, in the gdb of a user who lives on."""

    def check(self, running, rounds):
        seed = random.SystemRandom().randrange(1 << 32)
        chance = random.Random(seed)
        with QmpRig(ELF) as qemu, tempfile.TemporaryDirectory() as folder:
            sampled(ELF, 1, "--qmp", qemu.qmp)
            for i in range(rounds):
                link = f"{folder}/mprof{i}"
                with session(qemu.gdb_port, "--allow-halt=1", link=link,
                                  delay="0.01") as (gdb, joined):
                    self.kill_beside(gdb, joined, SIGNALS[i % 2], chance.uniform(0, 0.1), running)
                    wait_for("the guardian goes", lambda mark=link: not guardians(mark))
                    qemu.is_left(running, f"round {i}, seed {seed}")
                    if running:
                        gdb.interrupts()
                    gdb.answers()
        counted(f"{self.id()}: {rounds} kills beside the user's gdb, which answered each time, and the "
                "core was as before")

    @staticmethod
    def kill_beside(gdb, joined, number, delay, running):
        if running:
            gdb.type("continue", "Continuing")
        joined.until_state("RUNNING" if running else "HALTED")
        time.sleep(delay)
        joined.process.send_signal(number)
        joined.ended()

    def test_runs_again(self):
        self.check(True, count(4, 40))

    def test_stays_halted(self):
        self.check(False, count(2, 20))


if __name__ == "__main__":
    unittest.main()
