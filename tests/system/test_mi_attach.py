# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof top --mi-attach: through the real gdb in which a user is debugging."""

import contextlib
import os
import pathlib
import random
import signal
import tempfile
import time
import unittest

from case import Case
from mi import ELF, FUNCTIONS, UserGdb, session
from rig import QmpRig, Rig, RigError, Tcl
from support import HANG_S, MPROF, count, counted, mprof, sampled, start, stop, wait_for
from terminal import Terminal



class Attached(Case):
    """mprof top --mi-attach, and a user in his gdb."""

    @classmethod
    def setUpClass(cls):
        cls.qemu = QmpRig(ELF).start()
        cls.addClassCleanup(cls.qemu.stop)
        sampled(ELF, 100, "--qmp", cls.qemu.qmp)

    @staticmethod
    def interrupt(gdb, joined, rig):
        """What the user types while we hold the target is lost: so we stand still while he does, and
        he types only where the core runs."""
        seen = []

        def stopped():
            joined.until(lambda _: True)  # a poll has just ended: nothing is held for a while
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
        with session(self.qemu.gdb_port, "--allow-halt=1", setup=setup) as (gdb, joined):
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
            self.assertLessEqual(FUNCTIONS, {row["function"] for row in last["rows"]})
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
        with session(self.qemu.gdb_port, "--allow-halt=1") as (gdb, joined):
            gdb.type("continue", "Continuing")
            joined.until_state("RUNNING")
            joined.leave(signal.SIGTERM)
            self.qemu.is_left(True)
            gdb.interrupts()
            gdb.answers()

    def test_not_stopped_unasked(self):
        with session(self.qemu.gdb_port) as (gdb, joined):
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
            sampled(ELF, 1, "--gdb", f":{board.gdb_port}", "--tcl", f":{board.tcl_port}")
            # Most of the time nothing is held, however slow the machine is.
            with session(board.gdb_port, "--allow-halt=1", delay="2") as (gdb, joined):
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
            with session(self.qemu.gdb_port, *options, delay="0.01") as (gdb, joined):
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
        with session(self.qemu.gdb_port, "--allow-halt") as (gdb, joined):
            joined.until(lambda _: True)
            gdb.type("set confirm off")
            gdb.type("quit")
            status, text = joined.ended()
            self.assertEqual(status, 1)
            # It may be seen without a target before it is seen to be gone.
            self.assertRegex(text, r"\A(mprof: the target cannot be read: waiting \(/dev/pts/\d+: "
                                   r"gdb lost its target \(it disconnected\)\)\n)?"
                                   r"mprof: /dev/pts/\d+: gdb has closed it\n\Z")

    def test_link(self):
        with tempfile.TemporaryDirectory() as folder:
            link = f"{folder}/mprof"
            os.symlink("/dev/pts/999999", link)  # as a killed mprof leaves it
            with session(self.qemu.gdb_port, "--allow-halt", link=link) as (gdb, joined):
                self.assertTrue(os.readlink(link).startswith("/dev/pts/"))
                joined.until(lambda _: True)
                joined.leave()
                self.assertFalse(os.path.lexists(link))
                gdb.answers()
            for make in (lambda: pathlib.Path(link).write_text("mine"),
                         lambda: os.symlink(ELF, link), lambda: os.symlink("/dev/null", link)):
                make()
                before = os.lstat(link).st_ino
                self.refused(mprof("top", "--elf", ELF, f"--mi-attach={link}"),
                                     "exists already: give a path that does not exist yet", status=2)
                self.assertEqual(os.lstat(link).st_ino, before)
                os.unlink(link)
            self.refused(mprof("top", "--elf", ELF, f"--mi-attach={folder}/no/such"),
                                 "No such file", status=2)

    def test_what_to_type_is_forgotten(self):
        """Once it was typed, it is not on the screen."""
        with tempfile.TemporaryDirectory() as folder, Terminal(100, 30) as screen, \
             UserGdb("-ex", f"target remote :{self.qemu.gdb_port}") as gdb:
            line = f"new-ui mi3 {folder}/mprof"
            screen.command(f"{MPROF} top --elf {ELF} --mi-attach={folder}/mprof --allow-halt=1")
            screen.shows(line)
            gdb.type(line, r"New UI allocated\s+\(gdb\) ")
            screen.shows("HALTED[^$]* work_[abc]")
            self.assertNotIn("new-ui", screen.screen())
            screen.type("q")
            screen.shows(r"\$ *$")

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
