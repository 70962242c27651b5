# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof top on a terminal: what the screen shows at several sizes, and what is left afterwards."""

import contextlib
import os
import pathlib
import re
import signal
import time
import unittest

from rig import Rig, Tcl
from support import FIRMWARE, MPROF, count, counted, qemu_runs, wait_for
from terminal import Terminal

ELF = FIRMWARE / "cortex-m3.elf"
MANY = FIRMWARE / "cortex-m3-many.elf"


class Screen(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rig = Rig(MANY, fast=True).start()
        cls.addClassCleanup(cls.rig.stop)

    def setUp(self):
        """Its table forgets: where many functions have run for long it is full."""
        self.rig.reset()

    def begin(self, terminal, rig, elf):
        terminal.command("echo before")
        terminal.shows("^before$")
        tcl = f" --tcl :{rig.tcl_port}" if rig.info.get("tcl_port") else ""
        terminal.command(f"{MPROF} top --elf {elf} --gdb :{rig.gdb_port}{tcl} -d 0.2; "
                         "echo status $?")
        terminal.shows("^mprof top ")
        terminal.shows("FUNCTION")

    def left(self, terminal, pattern):
        """The screen is the shell's again, cursor and modes with it."""
        terminal.shows(pattern)
        self.assertRegex(terminal.screen(), r"(?m)^before$")
        self.assertNotRegex(terminal.screen(), r"(?m)^mprof top ")
        self.assertEqual(terminal.ask("alternate_on"), "0")
        self.assertEqual(terminal.ask("cursor_flag"), "1")

    def check_frame(self, screen, columns, rows):
        """A whole frame: header, headings, ranking from the largest down, the row under the cursor,
        footer, nothing beyond."""
        self.assertRegex(screen, r"(?m)^> *\d+\.\d +\d+\.\d .*\u2588+ .*f\d+")
        lines = screen.split("\n")
        self.assertRegex(lines[0], r"^mprof top   cortex-m3-many\.elf [0-9a-f]{7} \(= flash\)   "
                                   r"mps2\.cpu arm   RUNNING$")
        self.assertRegex(lines[1], r"^openocd-tcl localhost:\d+   halts 0   "
                                   r"(poll \d+\.\d ms   )?(every \d+\.\d s: slow link   "
                                   r"(updated \d+\.\d s ago   )?|updated \d+\.\d s ago   )since reset")
        # The source gives way at 80 columns where much was lost by the time that we look.
        self.assertRegex(lines[2], r"^(table   )?\d+ samples   \d+/s of 1000 Hz, jittered   "
                                   r"lost \d+")
        self.assertRegex(lines[3], r"^CPU time   tasks +[\d.]+%   irq +[\d.]+%   idle +[\d.]+%   unknown ")
        # What to do about many lost hits may need a second line.
        head = 5 if lines[5].startswith("SHARE") else 6
        self.assertRegex(lines[head], r"^SHARE\u25bc +\u00b1 +NOW .* 0 +\d+\.\d  .*FUNCTION +FILE:LINE$")
        self.assertTrue(lines[rows - 1].rstrip().endswith("q quit"), lines[rows - 1])
        self.assertRegex(lines[rows - 2], r"^f\d+   \d+ samples   [\d.]+ % (\u00b1 [\d.]+|\[[\d.]+, [\d.]+\])")
        self.assertRegex(lines[rows - 3], r"^ *\d+\.\d  \d+ others$")
        self.assertRegex(lines[head + 1], "^> ")
        shares = [float(line[1:].split()[0]) for line in lines[head + 1:rows - 3]]
        self.assertEqual(len(shares), rows - 4 - head)
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertLessEqual(max(map(len, lines)), columns)
        starts = {m.start() for line in lines[head + 1:rows - 3] for m in [re.search(r"\S+:\d+$", line)]}
        self.assertEqual(starts, {lines[head].index("FILE:LINE")})

    def test_sizes_and_quit(self):
        halts = self.rig.stat()["halts"]
        for columns, rows in ((80, 24), (200, 50)):
            with self.subTest(columns=columns), Terminal(columns, rows) as t:
                self.begin(t, self.rig, MANY)
                t.settles(lambda screen: self.check_frame(screen, columns, rows))
                t.type("q")
                self.left(t, "^status 0$")
        self.assertEqual(self.rig.stat()["halts"], halts)

    def test_ways_out(self):
        """Ctrl-C, signals and a crash on QEMU: terminal given back, the core runs."""
        ways = (("q", "^status 0$"), ("INT", "^status 0$"), ("TERM", "^status 143$"),
                ("SEGV", "^status 139$"), ("HUP", "^status 129$"), ("QUIT", "^status 131$"),
                ("ABRT", "^status 134$"))[:count(4, 7)]
        with Rig(ELF, qemu_gdb=True) as qemu:
            for name, status in ways:
                with self.subTest(signal=name), Terminal(80, 24) as t:
                    self.begin(t, qemu, ELF)
                    t.shows("halts [1-9]")
                    if name == "q":
                        t.type("q")
                    elif name == "INT":
                        t.type("C-c")
                    else:
                        os.kill(t.child(), getattr(signal, f"SIG{name}"))
                    self.left(t, status)
                if name not in ("SEGV", "ABRT"):
                    self.assertTrue(qemu_runs(qemu.gdb_port), name)
        counted(f"{len(ways)} ways out, each gave the terminal back")

    def test_stopped_output(self):
        """After Ctrl-S the screen takes nothing: a second signal does not wait for it."""
        with Rig(ELF, qemu_gdb=True) as qemu, Terminal(80, 24) as t:
            self.begin(t, qemu, ELF)
            process = pathlib.Path(f"/proc/{t.child()}")
            t.type("C-s")
            wait_for("a write that waits", lambda: all(writes(process) for _ in range(10)))

            def killed():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process.name), signal.SIGTERM)
                return not process.exists()
            wait_for("the end", killed)
            t.type("C-q")
            self.left(t, "^status 143$")
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def test_small_at_start(self):
        with Terminal(15, 3) as t:
            t.command(f"clear; {MPROF} top --elf {MANY} --gdb :{self.rig.gdb_port} "
                      f"--tcl :{self.rig.tcl_port} 2>err; echo status $?")
            t.shows("^status 1$")
            t.command("clear; wc -l <err; grep -c 15.*3 err")
            t.shows("^1\n1$")
            self.assertTrue(self.rig.stat()["running"])

    def test_waits_for_the_stub(self):
        with Rig(ELF, qemu_gdb=True, qemu_args=["-S"]) as qemu, Terminal(100, 24) as t:
            self.begin(t, qemu, ELF)
            t.shows("^waiting for mprof_init.*, so s_prof at 0x21000000 is not")
            t.type("q")
            self.left(t, "^status 0$")
            self.assertFalse(qemu_runs(qemu.gdb_port))

    def test_pause_is_said(self):
        """The target is halted by somebody else: the screen says so and the target stays halted."""
        halts = self.rig.stat()["halts"]
        with Terminal(80, 24) as t:
            self.begin(t, self.rig, MANY)
            t.shows("RUNNING$")
            self.addCleanup(rig_tcl, self.rig, "catch resume")
            rig_tcl(self.rig, "halt")
            t.shows("HALTED$")
            t.shows("the target is halted: numbers do not change; continue it in your debugger")
            rig_tcl(self.rig, "resume")
            t.shows("RUNNING$")
            t.type("q")
            self.left(t, "^status 0$")
            self.assertEqual(self.rig.stat()["halts"], halts + 1)


def writes(process):
    """Whether it waits, a moment later, and not for what it reads."""
    time.sleep(0.02)
    return "poll" not in (process / "wchan").read_text() and \
        (process / "stat").read_text().rpartition(")")[2].split()[0] == "S"


def rig_tcl(rig, command):
    with Tcl(rig.tcl_port) as tcl:
        tcl(command)


if __name__ == "__main__":
    unittest.main()
