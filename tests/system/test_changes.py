# SPDX-License-Identifier: GPL-3.0-or-later
"""Change under our hands: a server that dies and comes back, a target that is reset, flashed or halted,
an ELF file that is replaced. mprof says what it sees, waits and goes on by itself. All tests use one core
and one OpenOCD, one after the other."""

import json
import os
import pathlib
import re
import shutil
import signal
import unittest

from case import Case
from changes_bench import (ELF, HEARTBEAT, MANY, TABLE, WORK, Bench, OpenOcd, has_many, has_work, load,
                           names, timed, with_moved_table)
from rig import Tcl
from stream import Stream
from support import MPROF, count
from terminal import Terminal

BENCH = Bench()


def setUpModule():
    BENCH.__enter__()
    unittest.addModuleCleanup(BENCH.__exit__)


def overwrite(tcl, elf):
    """Another firmware without a reset, of which the old table would tell."""
    BENCH.elf = elf
    tcl.halt_outside_interrupts()
    load(tcl, elf)
    tcl("resume")


def replace(target, source):
    """As a linker does it: another file in the place of the old one."""
    fresh = target.with_suffix(".new")
    shutil.copyfile(source, fresh)
    os.replace(fresh, target)


class Changes(Case):
    firmware = ELF

    def setUp(self):
        self.rig, self.openocd = BENCH.rig, BENCH.openocd
        BENCH.ready(self.firmware)

    def copy(self, source):
        return pathlib.Path(shutil.copyfile(source, self.folder / "fw.elf"))


class Server(Changes):
    def test_openocd_restarted(self):
        """Nothing is printed while it is away; the counts go on; the time between is no interval."""
        with Stream(ELF, *self.openocd.link) as stream:
            for _ in range(2):
                before = stream.until("rates", lambda o: o["hits"] > 300 and timed(o))
                self.openocd.kill()
                stream.says(rf"lost localhost:{self.openocd.tcl_port}: waiting for it to come back \(")
                while not stream.objects.empty():
                    before = json.loads(stream.objects.get())
                self.openocd.start()
                stream.says(rf"localhost:{self.openocd.tcl_port} is back")
                after = stream.until("an object", lambda o: True)
                self.assertGreater(after["hits"], before["hits"])
                self.assertTrue(all(row["rate"] is None for row in after["rows"]), after)
                self.assertEqual((after["identity"], after["restarts"]), ("= flash", 0))
                self.assertEqual(after["link"]["kind"], "openocd-tcl")
                self.assertLessEqual(WORK, names(after))
            stream.until("rates", timed)
            self.assertEqual(stream.rest(), [])
            self.assertEqual(BENCH.halted(), 0)

    def test_server_hangs(self):
        """A server that is busy for long is lost too, and comes back when it answers again."""
        with Stream(ELF, *self.openocd.link, "--timeout", "10") as stream:
            before = stream.until("samples", has_work)
            self.openocd.process.send_signal(signal.SIGSTOP)
            stream.says("lost .*did not answer within")
            self.openocd.process.send_signal(signal.SIGCONT)
            stream.says("is back")
            stream.drop()
            after = stream.until("more", lambda o: timed(o) and o["hits"] > before["hits"])
            self.assertEqual((after["identity"], after["restarts"]), ("= flash", 0))
            self.assertEqual(BENCH.halted(), 0)

    def test_halted_by_somebody_stays_halted(self):
        with Stream(ELF, *self.openocd.link) as stream:
            stream.until("samples", has_work)
            with Tcl(self.openocd.tcl_port) as tcl:
                tcl.halt()
            stream.until("the halt", lambda o: o["link"]["state"] == "HALTED")
            self.openocd.kill()
            stream.says("lost")
            self.openocd.start()
            stream.says("is back")
            stream.drop()
            stream.until("the halt", lambda o: o["link"]["state"] == "HALTED")
            self.assertEqual((self.rig.stat()["running"], BENCH.halted()), (False, 1))

    def test_flashed_while_lost(self):
        """Another firmware is in the target when the server is back: not one old name is shown for it."""
        with Stream(ELF, *self.openocd.link) as stream:
            stream.until("samples", has_work)
            self.openocd.kill()
            stream.says("lost")
            stream.drop()
            with OpenOcd(self.rig.info["jtag"]) as other, Tcl(other.tcl_port) as tcl:
                BENCH.put(tcl, MANY)
            self.openocd.start()
            stream.says("is back")
            one = stream.until("an object", lambda o: True)
            self.assertEqual((names(one), one["identity"]), ({None}, "differs"))

    def test_wait_ends(self):
        with Stream(ELF, *self.openocd.link, "--wait", "5") as stream:
            stream.until("samples", has_work)
            self.openocd.kill()
            self.assertEqual(stream.end(), 1)
            stream.says(f"lost localhost:{self.openocd.tcl_port}")
            stream.says(rf"localhost:{self.openocd.tcl_port}: .*; it did not come back within \d+ s")
            self.assertEqual(stream.rest(), [])

    def test_signal_while_lost(self):
        with Stream(ELF, *self.openocd.link) as stream:
            stream.until("samples", has_work)
            self.openocd.kill()
            stream.says("lost")
            stream.process.send_signal(signal.SIGTERM)
            self.assertEqual(stream.end(), -signal.SIGTERM)

    def test_reads_refused_for_a_while(self):
        """The cable is pulled: OpenOCD answers errors. Nothing is printed, nothing is invented."""
        with Stream(ELF, *self.openocd.tcl_link) as stream:
            before = stream.until("rates", lambda o: has_work(o) and timed(o))
            self.rig.unplug()
            stream.says("the target cannot be read.*: waiting")
            stream.drop()
            self.rig.plug()
            after = stream.until("an object", lambda o: True)
            self.assertGreater(after["hits"], before["hits"])
            self.assertTrue(all(row["rate"] is None for row in after["rows"]))
            self.assertEqual((after["identity"], after["restarts"]), ("= flash", 0))
            stream.until("rates", timed)


class Target(Changes):
    def test_resets(self):
        """By OpenOCD, by a debugger's write to AIRCR, by the core's own: a new baseline, said once."""
        def by_itself():
            tcl.halt()
            # ldr r0, [pc, #4]; ldr r1, [pc, #8]; str r1, [r0]; b .
            tcl.write(0x20001000, [0x49024801, 0xe7fe6001, 0xe000ed0c, 0x05fa0004])
            tcl("reg pc 0x20001000")
            tcl.resume()

        with Tcl(self.openocd.tcl_port) as tcl, Stream(ELF, *self.openocd.link) as stream:
            for number, reset in enumerate((lambda: tcl("reset run"), by_itself,
                                            lambda: tcl("mww 0xe000ed0c 0x05fa0004")), 1):
                stream.until("rates", timed)
                reset()
                stream.hears("the target has restarted")
                after = stream.until("a restart", lambda o, n=number: o["restarts"] == n)
                self.assertTrue(all(row["rate"] is None for row in after["rows"]))
                stream.until("rates", timed)
                tcl.halt_outside_interrupts()
                beat, = tcl.read(TABLE + HEARTBEAT)
                after = stream.until("the halt", lambda o, b=beat: o["link"]["state"] == "HALTED" and
                                     o["hits"] + o["unattributed"]["dropped"] == b)
                self.assertEqual((after["restarts"], after["identity"]), (number, "= flash"))
                tcl.resume()
            self.assertNotIn("restarted", "".join(stream.rest()))

    def test_halt_is_no_interval(self):
        with Tcl(self.openocd.tcl_port) as tcl, Stream(ELF, *self.openocd.link) as stream:
            stream.until("rates", lambda o: has_work(o) and timed(o))
            tcl.halt()
            halted = stream.until("the halt", lambda o: o["link"]["state"] == "HALTED")
            for _ in range(3):
                self.assertFalse(any(row["rate"] is not None for row in halted["rows"]))
                halted = stream.until("more", lambda o: True)
            tcl.resume()
            running = stream.until("the run", lambda o: o["link"]["state"] == "RUNNING")
            self.assertTrue(all(row["rate"] is None for row in running["rows"]))
            later = stream.until("rates", timed)
            self.assertEqual(later["restarts"], 0)
            self.assertEqual(BENCH.halted(), 1)

    def test_blank_for_a_while(self):
        """Between a reset and mprof_init() there is no table: mprof waits, and counts anew."""
        with Tcl(self.openocd.tcl_port) as tcl, Stream(ELF, *self.openocd.tcl_link) as stream:
            stream.until("samples", has_work)
            tcl.write(TABLE, [0])
            stream.hears(r"waiting for mprof_init\(\): the firmware has not called it yet, so s_prof at 0x21000000 is not initialised")
            tcl("reset run")
            stream.hears("the target has restarted")
            after = stream.until("a restart", lambda o: o["restarts"])
            self.assertEqual((after["restarts"], after["identity"]), (1, "= flash"))

    def test_other_firmware(self):
        """Flashed first, the ELF file follows: no names between; a half-written file is passed over."""
        elf = self.copy(ELF)
        with Tcl(self.openocd.tcl_port) as tcl, Stream(elf, *self.openocd.tcl_link) as stream:
            stream.until("samples", has_work)
            BENCH.flash(tcl, MANY)
            stream.until("the difference", lambda o: o["identity"] == "differs")
            self.assertFalse(any(o["restarts"] and names(o) != {None} for o in stream.seen))
            # A server that is slow at writing flash may have been lost meanwhile.
            stream.hears("the target does not run fw.elf: at 0x")
            new = stream.until("new rows", lambda o: o["hits"] > 200)
            self.assertEqual((names(new), new["restarts"], new["identity"]), ({None}, 1, "differs"))
            self.assertTrue(all(int(row["address"], 16) % 16 == 0 for row in new["rows"]))

            data = MANY.read_bytes()
            elf.write_bytes(data[:len(data) // 2])
            for _ in range(8):
                one = stream.until("an object", lambda o: True)
                self.assertEqual((names(one), one["identity"]), ({None}, "differs"))
            elf.write_bytes(data)
            after = stream.until("names", has_many)
            self.assertEqual((after["identity"], after["restarts"]), ("= flash", 1))
            self.assertTrue(all(names(o) == {None} for o in stream.seen))
            stream.hears("the target has restarted")
            stream.hears("the target runs fw.elf now")
            stream.hears("was loaded again")

    def test_other_elf_first(self):
        """Built first, flashed later: the names are right all the time."""
        elf = self.copy(ELF)
        with Tcl(self.openocd.tcl_port) as tcl, Stream(elf, *self.openocd.tcl_link) as stream:
            stream.until("samples", has_work)
            replace(elf, MANY)
            for _ in range(10):
                one = stream.until("an object", lambda o: True)
                self.assertLessEqual(WORK, names(one))
                self.assertEqual((one["identity"], one["restarts"]), ("= flash", 0))
            BENCH.flash(tcl, MANY)
            after = stream.until("names", has_many)
            self.assertEqual((after["identity"], after["restarts"]), ("= flash", 1))
            self.assertFalse(any(WORK & names(o) and o["restarts"] for o in stream.seen))

    def test_touched(self):
        """The same bytes again: no new baseline."""
        elf = self.copy(ELF)
        with Stream(elf, *self.openocd.tcl_link) as stream:
            stream.until("samples", has_work)
            replace(elf, ELF)
            stream.hears("was loaded again")
            stream.drop()
            for _ in range(5):
                one = stream.until("an object", lambda o: True)
                self.assertEqual((one["identity"], one["restarts"]), ("= flash", 0))
                self.assertLessEqual(WORK, names(one))

    def test_table_moves(self):
        """The table of the new build is elsewhere; the old one stays in RAM, with a good magic."""
        elf, moved = self.copy(ELF), with_moved_table(self.folder)
        with Tcl(self.openocd.tcl_port) as tcl, Stream(elf, *self.openocd.tcl_link) as stream:
            stream.until("samples", has_work)
            overwrite(tcl, moved)
            still = stream.until("the difference", lambda o: o["identity"] == "differs")
            self.assertEqual((names(still), still["restarts"]), ({None}, 0))
            replace(elf, moved)
            after = stream.until("names", lambda o: o["identity"] == "= flash" and has_work(o))
            self.assertEqual(after["restarts"], 1)
            more = stream.until("more", lambda o: timed(o) and o["hits"] > after["hits"])
            self.assertEqual(more["restarts"], 1)
            self.assertLessEqual(more["hits"], tcl.read(0x21008000 + HEARTBEAT)[0])


class Forced(Changes):
    firmware = MANY

    def test_forced(self):
        with Stream(ELF, *self.openocd.tcl_link, "--force") as stream:
            one = stream.until("samples", lambda o: o["hits"] > 200)
            self.assertEqual(one["identity"], "differs, forced")
            self.assertNotEqual(names(one), {None})


class Screen(Changes):
    def begin(self, terminal, elf, *link):
        terminal.command(f"{MPROF} top --elf {elf} {' '.join(link)} -d 0.2; echo status $?")
        terminal.shows("^mprof top ")
        terminal.shows("FUNCTION")

    def colour(self, terminal, words):
        """The colour in which the line with these words is shown: 31 is red, of 256 160."""
        for line in terminal.screen("-e").split("\n"):
            if words in re.sub(r"\x1b\[[0-9;]*m", "", line):
                found = re.findall(r"\x1b\[(?:\d+;)*?(3[0-7]|38;5;\d+)m", line)
                return [c.replace("38;5;160", "31") for c in found]
        return None

    def test_server_lost(self):
        for columns, rows in ((80, 24), (200, 50))[:count(1, 2)]:
            with self.subTest(columns=columns), Terminal(columns, rows) as t:
                self.begin(t, ELF, *self.openocd.link)
                t.shows("RUNNING$")
                t.shows("work_a")
                self.openocd.kill()
                t.shows(rf"^lost localhost:{self.openocd.tcl_port} for \d+ s: waiting for it to come back")
                t.shows("LOST$")
                self.assertRegex(t.screen(), r"(?m)^[> ]*\d+\.\d .*work_a")
                self.assertEqual(self.colour(t, "waiting for it to come back"), ["31"])
                self.openocd.start()
                t.shows("RUNNING$")
                self.openocd.kill()
                t.shows("^lost")
                t.type("q")
                t.shows("^status 0$")
                self.openocd.start()

    def test_server_comes_later(self):
        """Who starts mprof first need not start it again; without a screen it is an error, for scripts."""
        self.openocd.kill()
        self.addCleanup(lambda: self.openocd.process.poll() is None or self.openocd.start())
        waiting = (rf"^waiting for a debug server( for \d+ s)?: localhost:{self.openocd.tcl_port}: "
                   "connection refused; start")
        with Terminal(100, 24) as t:
            self.begin(t, ELF, *self.openocd.tcl_link)
            t.shows(waiting)
            self.assertRegex(t.screen(), r"\(not compared\) *\n")
            t.type("Z")
            t.shows("there is no debug server yet")
            t.type("q")
            t.shows("^status 0$")
            t.command("clear")
            self.begin(t, ELF, *self.openocd.tcl_link)
            t.shows(waiting)
            self.openocd.start()
            t.shows(r"\(= flash\) .*RUNNING$")
            t.shows("work_a")
            t.type("q")
            t.shows("^status 0$")

    def test_other_firmware_and_back(self):
        """Red, addresses only; and names again as soon as the flash matches. Without colour too."""
        for columns, rows, colours, no_color in ((80, 24, ["31"], ""), (200, 50, [], "1")):
            with self.subTest(columns=columns), Tcl(self.openocd.tcl_port) as tcl, \
                    Terminal(columns, rows, NO_COLOR=no_color) as t:
                BENCH.put(tcl, MANY)
                self.begin(t, ELF, *self.openocd.tcl_link)
                t.shows(r"^the target does not run cortex-m3\.elf: at 0x")
                t.shows(r"waiting for the ELF or the flash to match\s*$")
                t.shows(r"cortex-m3\.elf [0-9a-f]{7} \(differs\)")
                t.shows(r"^ +\d+\.\d .* 0x0000[0-9a-f]{4} ")
                self.assertNotRegex(t.screen(), "work_|SysTick|main")
                self.assertEqual(self.colour(t, "the target does not run"), colours)
                BENCH.flash(tcl, ELF)
                t.shows(r"\(= flash\)")
                t.shows("work_a")
                self.assertNotIn("the target does not run", t.screen())
                t.type("q")
                t.shows("^status 0$")

    def test_elf_rebuilt(self):
        elf = self.copy(ELF)
        with Terminal(80, 24) as t:
            self.begin(t, elf, *self.openocd.tcl_link)
            t.shows("work_a")
            replace(elf, MANY)
            t.shows("fw.elf has changed on disk and is not the running build")
            self.assertIn("work_a", t.screen())
            t.type("q")
            t.shows("^status 0$")


if __name__ == "__main__":
    unittest.main()
