# SPDX-License-Identifier: GPL-3.0-or-later
"""The live screen does not wait for the link: a server is held up until the test lets it answer, and
meanwhile keys are executed, the screen is drawn, and the terminal is given back."""

import os
import re
import signal
import termios
import threading
import unittest

from rig import Rig
from support import BUILD, MPROF, PATIENCE
from terminal import Pty
from wire import Wire

ELF = BUILD / "firmware" / "cortex-m3.elf"


class HeldWire(Wire):
    """A proxy whose server's answers do not arrive while it is held."""

    def __init__(self, port):
        self.free, self.asked = threading.Event(), threading.Event()
        self.free.set()
        super().__init__(port, self._held)

    def _held(self, is_ours, data):
        if not self.free.is_set():
            self.asked.set()
            if not is_ours:
                self.free.wait()
        return data

    def hold(self, screen):
        """Returns when something is on its way that does not arrive."""
        self.asked.clear()
        self.free.clear()
        screen.wait("a request", self.asked.is_set)


class Waiting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.update(PATIENCE)
        cls.rig = Rig(ELF).start()
        cls.addClassCleanup(cls.rig.stop)

    def begin(self, delay="0.1"):
        wire = self.enterContext(HeldWire(self.rig.tcl_port))
        self.addCleanup(wire.free.set)
        screen = self.enterContext(Pty("xterm-256color", [
            str(MPROF), "top", "--elf", str(ELF), "--gdb", f":{self.rig.gdb_port}", "--tcl",
            f":{wire.port}", "-d", delay], columns=100, rows=30))
        screen.wait("rows", lambda: re.search(rb"[1-9]\d* samples", screen.bytes))
        return wire, screen

    def press(self, screen, keys, text):
        begin = len(screen.bytes)
        screen.type(keys)
        screen.shows(text, begin)

    def test_keys(self):
        wire, screen = self.begin()
        wire.hold(screen)
        self.press(screen, b"?", b"commands to type after")
        self.press(screen, b"\x1b", b"FUNCTION")
        self.press(screen, b"s", b"SORT BY")
        self.press(screen, b"\x1b", b"annotate")
        self.press(screen, b"5", b"thread")
        self.press(screen, b"1", b"work_a")
        self.press(screen, b":sor", b":sor")
        self.press(screen, b"\x1b", b"annotate")
        begin = len(screen.bytes)
        screen.resize(90, 20)
        screen.shows(b"FUNCTION", begin)
        self.press(screen, b"p", b"paused")
        screen.type(b"p")
        # What needs the link is promised, and done when that is free.
        self.press(screen, b"Z", b"(y/n)")
        screen.rests()
        self.press(screen, b"y", b"waiting for the debug server")
        begin = len(screen.bytes)
        self.press(screen, b"?", b"commands to type after")
        screen.type(b"?")
        self.assertNotIn(b"were cleared", screen.bytes[begin:])
        wire.free.set()
        screen.shows(b"all counters in the target were cleared", begin)
        self.leave(screen)

    def test_function(self):
        wire, screen = self.begin()
        wire.hold(screen)
        self.press(screen, b"\r", b"work_a")
        self.press(screen, b"\t", b"reading callers")
        self.press(screen, b"\x1b", b"FUNCTION")
        wire.free.set()
        self.leave(screen)

    def test_command(self):
        """What prints has the terminal only when it can go on."""
        wire, screen = self.begin()
        wire.hold(screen)
        self.press(screen, b":control\r", b"waiting for the debug server")
        begin = len(screen.bytes)
        self.press(screen, b"?", b"commands to type after")
        wire.free.set()
        screen.shows(b"return to the live screen", begin)
        self.press(screen, b"\r", b"commands to type after")
        screen.type(b"q")
        self.leave(screen)

    def leave(self, screen):
        screen.type(b"q")
        screen.wait("end", screen.ended)
        self.assertEqual(screen.status, 0)
        self.rig.is_left(running=True)

    def is_given_back(self, screen):
        return not screen.modes() & {1049, 1000, 1006} and \
            termios.tcgetattr(screen.slave) == screen.before

    def quit(self, how, status, halt=False):
        wire, screen = self.begin()
        if halt:
            self.press(screen, b"S", b"(y/n)")
            screen.rests()  # what is typed before the question is seen is no answer
            self.press(screen, b"y", b"the target is halted")
            self.rig.is_left(running=False)
        wire.hold(screen)
        begin = len(screen.bytes)
        how(screen)
        screen.wait("the terminal", lambda: self.is_given_back(screen))
        self.assertFalse(screen.ended())
        screen.shows(b"waiting for the debug server to answer", begin)
        how(screen)  # once more does not hurt
        self.assertFalse(screen.ended())
        wire.free.set()
        screen.wait("end", screen.ended)
        self.assertEqual(screen.status, status)
        self.rig.is_left(running=True)

    def test_quit(self):
        self.quit(lambda screen: screen.type(b"q"), 0)

    def test_quit_at_once(self):
        """What was asked for and not done is said."""
        wire, screen = self.begin()
        wire.hold(screen)
        self.press(screen, b"Z", b"(y/n)")
        screen.rests()
        self.press(screen, b"y", b"waiting for the debug server")
        begin = len(screen.bytes)
        screen.type(b"Xq")
        screen.wait("the terminal", lambda: self.is_given_back(screen))
        wire.free.set()
        screen.wait("end", screen.ended)
        self.assertIn(b"mprof was quit before the debug server answered: 2 commands were not carried out",
                      screen.bytes[begin:])
        self.assertEqual(screen.status, 0)
        self.rig.is_left(running=True)

    def test_quit_halted(self):
        self.quit(lambda screen: screen.type(b"q"), 0, halt=True)

    def test_interrupt(self):
        self.quit(lambda screen: os.kill(screen.pid, signal.SIGINT), 0)

    def test_terminate(self):
        self.quit(lambda screen: os.kill(screen.pid, signal.SIGTERM), signal.SIGTERM, halt=True)


if __name__ == "__main__":
    unittest.main()
