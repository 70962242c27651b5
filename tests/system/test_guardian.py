# SPDX-License-Identifier: GPL-3.0-or-later
"""The guardian: mprof is killed or stopped in the middle, and the target is as it was found all the same."""

import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

from rig import Monitor, QmpRig, Rig, Tcl
from support import (FIRMWARE, HANG_S, FakeServer, Gdb, count, counted, drain, farewell, goes_on, sampled, start,
                     state, stop, symbols, wait_for)
from test_guest import slow_proxy

ELF = FIRMWARE / "cortex-m3.elf"
HOLD = sys.argv.pop(1)
SIGNALS = (signal.SIGKILL, signal.SIGSEGV, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def guardians(port):
    """The process ids of the guardians of links to a port. They have their program's command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if ((entry / "comm").read_text().strip() == "mprof-guardian"
                    and f":{port}\0" in (entry / "cmdline").read_text()):
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


def top(port, *more):
    """mprof that polls as fast as it goes, in a session of its own, so that its group can be killed."""
    return start("top", "--elf", ELF, "--gdb", f":{port}", "--tcl", "none", "-d", "0.01", "-n",
                 "1000000", "--format", "json", *more, start_new_session=True,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))


def hold(*args):
    """The program that holds a target until it is killed."""
    return subprocess.Popen([HOLD, *map(str, args)], text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def children(process):
    """A holder's only child is its guardian."""
    path = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in path.read_text().split()]


def pending_signals(pid):
    """Signals that a process has not dealt with yet, or has not finished with: it works then."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    blocked = int(fields["SigBlk"], 16)
    pending = int(fields["SigPnd"], 16) | int(fields["ShdPnd"], 16)
    return pending & ~blocked or fields["State"][0] != "S"


def wait_for_end(pid):
    """Of a process that may stay a zombie, if nobody waits for it: it has no files any more."""
    wait_for("the guardian leaves", lambda: not os.path.exists(f"/proc/{pid}/fd/3"))


def check_stopped(test, rig, *link):
    """The program is stopped while it holds the core, which nobody has asked for."""
    holder = hold(*link, "briefly")
    test.addCleanup(stop, holder)
    test.assertEqual(holder.stdout.readline(), "held\n")
    rig.wait(lambda stat: not stat["running"])
    (guardian,) = children(holder)
    holder.send_signal(signal.SIGSTOP)
    rig.wait(lambda stat: stat["running"])
    test.assertEqual(state(holder.pid), "T")
    holder.send_signal(signal.SIGCONT)
    _, errors = holder.communicate(timeout=HANG_S)
    test.assertEqual(holder.returncode, 1)
    test.assertRegex(errors, r"^hold: localhost:\d+: this process was stopped \(by SIGSTOP or a debugger\) "
                     r"during a halt, so its guardian ended the halt and the connection\n$")
    wait_for_end(guardian)
    rig.is_left(True)


class Killed(unittest.TestCase):
    def setUp(self):
        self.seed = random.SystemRandom().randrange(1 << 32)
        self.chance = random.Random(self.seed)

    def kill(self, process, number):
        """Sometimes with all its group, as a shell or a terminal would."""
        if self.chance.random() < 0.5:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        return process.communicate(timeout=HANG_S)[1]

    def top(self, port):
        return top(port)

    def await_profile(self, process):
        line = process.stdout.readline()
        self.assertIn('"rows"', line, line or process.stderr.read())

    def time_to_open(self, port):
        """Seconds from the start of mprof to its first profile."""
        begin = time.monotonic()
        process = self.top(port)
        try:
            self.await_profile(process)
            taken = time.monotonic() - begin
            process.terminate()
            process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        wait_for("the guardian leaves", lambda: not guardians(port))
        return taken

    def kill_at_random_moments(self, port, rounds, judge):
        """Half of the moments are while it connects, half while it polls."""
        opening = self.time_to_open(port)
        for i in range(rounds):
            number = SIGNALS[i % len(SIGNALS)]
            delay = self.chance.uniform(0, 0.1 if i % 2 else opening)
            process = self.top(port)
            try:
                if i % 2:
                    self.await_profile(process)
                time.sleep(delay)
                errors = self.kill(process, number)
            finally:
                stop(process)
            wait_for("the guardian leaves", lambda: not guardians(port))
            text = f"round {i}: {signal.Signals(number).name} after {delay:.4f} s, seed {self.seed}"
            judge(text)
            self.assertEqual(process.returncode, -number, f"{text}: {errors}")
        counted(f"{self.id()}: {rounds} kills by {len(SIGNALS)} signals, the core was as before each time")

    def stop_at_random_moments(self, port, rounds, judge):
        """SIGSTOP, which no program can handle: the core runs meanwhile, and mprof goes on after it. Half
        of the moments are while it connects. With full counts, some must be in a halt, which the guardian
        then ends."""
        span = self.time_to_open(port)
        ended = i = 0
        while i < rounds or ended < rounds // 20:
            delay = self.chance.uniform(0, span * self.chance.choice((1, 2)))
            process = self.top(port)
            text = f"round {i}: SIGSTOP after {delay:.4f} s, seed {self.seed}"
            try:
                time.sleep(delay)
                (os.killpg if self.chance.random() < 0.5 else os.kill)(process.pid, signal.SIGSTOP)
                wait_for("the stop", lambda p=process: state(p.pid) in "TZ")
                judge(f"stopped in {text}")
                drain(process)
                process.send_signal(signal.SIGCONT)
                went_on = goes_on(process)
                process.terminate()
                errors = process.communicate(timeout=HANG_S)[1]
            finally:
                stop(process)
            wait_for("the guardian leaves", lambda: not guardians(port))
            judge(f"continued and ended in {text}")
            self.assertEqual((process.returncode, went_on), (-signal.SIGTERM, True), f"{text}: {errors}")
            ended += "this process was stopped (by SIGSTOP or a debugger) during a halt" in errors
            i += 1
        counted(f"{self.id()}: {i} times SIGSTOP, {ended} of them in a halt that the guardian ended; the core "
                "ran each time, and mprof went on after SIGCONT")

    def expect_running(self, rig):
        """OpenOCD may hear of the resume when the guardian has gone."""
        return lambda text: wait_for(text, lambda: rig.stat()["running"])


class OnQemu(Killed):
    """Its gdb port halts the machine when somebody connects, and for every read."""

    def setUp(self):
        super().setUp()
        self.qemu = QmpRig(ELF).start()
        self.addCleanup(self.qemu.stop)
        self.port = self.qemu.gdb_port
        self.monitor = Monitor(self.qemu.qmp)
        self.addCleanup(self.monitor.close)

    def boot(self):
        """Until the firmware has set up its table: before, mprof ends by an error of its own."""
        sampled(ELF, 1, "--gdb", f":{self.port}")

    def expect_status(self, expected):
        return lambda text: self.assertEqual(self.monitor.status(), expected, text)

    def test_running_runs_again(self):
        self.boot()
        self.kill_at_random_moments(self.port, count(10, 200), self.expect_running(self.qemu))

    def expect_running_by_qemu(self, text):
        """What mprof sent before it was stopped has reached the machine when QEMU has answered twice."""
        self.monitor.status()
        self.monitor.status()
        self.qemu.is_left(True, text)

    def test_stopped_runs_again(self):
        self.boot()
        self.stop_at_random_moments(self.port, count(2, 200), self.expect_running_by_qemu)

    def test_slow_link_runs_again(self):
        """Where the core is held for most of the time."""
        self.boot()
        with FakeServer(slow_proxy(self.port)) as proxy:
            self.kill_at_random_moments(proxy.port, count(8, 100), self.expect_running(self.qemu))

    def test_halted_stays_halted(self):
        self.boot()
        self.monitor.command("stop")
        self.kill_at_random_moments(self.port, count(8, 100), self.expect_status("paused"))

    def test_slow_link_stays_halted(self):
        self.boot()
        self.monitor.command("stop")
        with FakeServer(slow_proxy(self.port)) as proxy:
            self.kill_at_random_moments(proxy.port, count(6, 100), self.expect_status("paused"))

    def run_to_breakpoint(self):
        """The breakpoint stays, so that the core comes to it at once when it goes on."""
        gdb = Gdb(self.port)
        self.assertTrue(gdb.attach())
        self.assertEqual(gdb.ask(f"Z0,{symbols(ELF)['work_b'][0] & ~1:x},2"), "OK")
        gdb.send("c")
        self.assertTrue(gdb.packet().startswith("T05"))
        gdb.close()
        self.assertEqual(self.monitor.status(), "debug")

    def test_halted_at_a_breakpoint(self):
        """The user's gdb set it, the core came to it, the user left."""
        self.run_to_breakpoint()
        stops = self.qemu.stat()["machine_stops"]
        self.kill_at_random_moments(self.port, count(5, 50), self.expect_status("debug"))
        self.assertEqual(self.qemu.stat()["machine_stops"], stops)

    def test_breakpoint_meanwhile(self):
        """mprof is stopped at any moment; then a breakpoint is hit, and mprof is killed."""
        self.run_to_breakpoint()
        rounds = count(5, 50)
        for i in range(rounds):
            process = top(self.port)
            try:
                process.stdout.readline()
                time.sleep(self.chance.uniform(0, 0.05))
                process.send_signal(signal.SIGSTOP)
                wait_for("the stop", lambda p=process: state(p.pid) == "T")
                self.monitor.command("cont")
                self.qemu.wait(lambda stat: not stat["running"])
                stops = self.qemu.stat()["machine_stops"]
                self.kill(process, signal.SIGKILL)
            finally:
                stop(process)
            wait_for("the guardian leaves", lambda: not guardians(self.port))
            text = f"round {i}, seed {self.seed}"
            self.assertEqual(self.monitor.status(), "debug", text)
            self.assertEqual(self.qemu.stat()["machine_stops"], stops, text)
        counted(f"{self.id()}: {rounds} kills of a stopped mprof, the breakpoint's halt stayed each time")

    def start_holding(self):
        """The holder, and its guardian's process id."""
        holder = hold("gdb", f":{self.port}")
        self.addCleanup(stop, holder)
        self.assertEqual(holder.stdout.readline(), "held\n")
        self.assertEqual(self.monitor.status(), "paused")
        (guardian,) = children(holder)
        return holder, guardian

    def test_stopped_in_a_halt(self):
        check_stopped(self, self.qemu, "gdb", f":{self.port}")

    def test_asked_for_is_not_ended(self):
        """The user halted it by a command: it stays so while mprof is stopped."""
        holder, guardian = self.start_holding()
        holder.send_signal(signal.SIGSTOP)
        wait_for("the stop", lambda: state(holder.pid) == "T")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP,
                       signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1, signal.SIGCONT):
            os.kill(guardian, number)
        wait_for("no signal on its way", lambda: not pending_signals(guardian))
        self.assertEqual(self.monitor.status(), "paused")
        self.assertEqual(children(holder), [guardian])
        holder.send_signal(signal.SIGCONT)
        wait_for("it goes on", lambda: state(holder.pid) == "S")
        self.assertEqual(self.monitor.status(), "paused")
        holder.kill()
        self.qemu.wait(lambda stat: stat["running"])
        wait_for_end(guardian)

    def give_up_opening(self):
        """QEMU is busy for longer than mprof waits, and takes the connection only then."""
        (qemu,) = children(self.qemu.process)
        os.kill(qemu, signal.SIGSTOP)
        try:
            process = top(self.port, "--timeout", "0.5")
            _, errors = process.communicate(timeout=HANG_S)
        finally:
            os.kill(qemu, signal.SIGCONT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("nothing answered a gdb packet within 0.5 s", errors)
        wait_for("the guardian leaves", lambda: not guardians(self.port))

    def test_opening_given_up(self):
        self.give_up_opening()
        self.assertEqual(self.monitor.status(), "running")
        self.assertEqual(self.qemu.stat()["halts"], 1)

    def test_opening_given_up_of_a_halted_one(self):
        self.monitor.command("stop")
        self.give_up_opening()
        self.assertEqual(self.monitor.status(), "paused")

    def test_guardian_killed(self):
        holder, guardian = self.start_holding()
        os.kill(guardian, signal.SIGKILL)
        _, errors = holder.communicate(timeout=HANG_S)
        self.assertEqual((holder.returncode, errors), (0, ""))
        self.assertEqual(self.monitor.status(), "running")

    def test_both_killed_and_held_taken_over(self):
        holder, guardian = self.start_holding()
        os.kill(guardian, signal.SIGKILL)
        stop(holder)
        self.assertEqual(self.monitor.status(), "paused")
        again = hold("gdb", f":{self.port}", "again")
        answer, errors = again.communicate(timeout=HANG_S)
        self.assertEqual((again.returncode, errors), (0, ""))
        self.assertIn("the previous connection left the core halted; resumed", answer)
        self.assertEqual(self.monitor.status(), "running")


class OnOpenocd(Killed):
    """Its gdb port halts the core when somebody connects; its Tcl port only when told to."""

    def setUp(self):
        super().setUp()
        self.rig = Rig(ELF).start()
        self.addCleanup(self.rig.stop)
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)

    def boot(self):
        sampled(ELF, 1, "--gdb", f":{self.rig.gdb_port}", "--tcl", f":{self.rig.tcl_port}")

    def top(self, port):
        """OpenOCD takes one client, and may see a new one before it sees that the last one left."""
        farewell(port)
        return top(port)

    def test_gdb_port_runs_again(self):
        self.boot()
        self.kill_at_random_moments(self.rig.gdb_port, count(8, 200),
                                    self.expect_running(self.rig))

    def expect_running_by_openocd(self, text):
        """As on QEMU."""
        self.tcl.state()
        self.tcl.state()
        self.rig.is_left(True, text)

    def test_gdb_port_stopped(self):
        self.boot()
        self.stop_at_random_moments(self.rig.gdb_port, count(4, 200), self.expect_running_by_openocd)

    def test_gdb_port_at_a_breakpoint(self):
        addr = symbols(ELF)["work_b"][0] & ~1
        self.tcl(f"bp {addr:#x} 2 hw")
        self.tcl.wait_halted()
        self.tcl(f"rbp {addr:#x}")
        self.kill_at_random_moments(self.rig.gdb_port, count(5, 50),
                                    lambda text: self.assertEqual(self.tcl.state(), "halted", text))

    def check_holder(self, *link):
        holder = hold(*link)
        self.addCleanup(stop, holder)
        self.assertEqual(holder.stdout.readline(), "held\n")
        self.rig.wait(lambda stat: not stat["running"])
        (guardian,) = children(holder)
        holder.kill()
        self.rig.wait(lambda stat: stat["running"])
        wait_for_end(guardian)

    def check_held(self, *link):
        """A core that an earlier link left halted runs again; one that nobody claims does not."""
        self.tcl.halt()
        holder = hold(*link, "again")
        _, errors = holder.communicate(timeout=HANG_S)
        self.assertEqual((holder.returncode, errors), (0, ""))
        self.assertEqual(self.tcl.state(), "running")

    def test_stopped_in_a_halt(self):
        check_stopped(self, self.rig, "gdb", f":{self.rig.gdb_port}")
        check_stopped(self, self.rig, "tcl", f":{self.rig.tcl_port}")

    def test_gdb_port(self):
        self.check_holder("gdb", f":{self.rig.gdb_port}")
        self.check_held("gdb", f":{self.rig.gdb_port}")

    def test_tcl_port(self):
        self.check_holder("tcl", f":{self.rig.tcl_port}")
        self.check_held("tcl", f":{self.rig.tcl_port}")


if __name__ == "__main__":
    unittest.main()
