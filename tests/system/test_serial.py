# SPDX-License-Identifier: GPL-3.0-or-later
"""A gdb server behind a serial line: a pseudo terminal whose other end leads to QEMU's gdb port."""

import os
import pty
import select
import socket
import termios
import threading
import unittest

from rig import Rig
from support import (FIRMWARE, HANG_S, json_lines, mprof, sampled, start, stop,
                     wait_for)

ELF = FIRMWARE / "cortex-m3.elf"
IFLAG, OFLAG, CFLAG, LFLAG, ISPEED, OSPEED = range(6)


class Line:
    """A serial line to a tcp port; use it in a with statement. We hold our own end of it open, to see
    its settings."""

    def __init__(self, port):
        self.port = port

    def __enter__(self):
        self.master, self.slave = pty.openpty()
        self.path = os.ttyname(self.slave)
        self.stop_read, self.stop_write = os.pipe()
        self.thread = threading.Thread(target=self._pass_on, daemon=True)
        self.thread.start()
        return self

    def _pass_on(self):
        # A server on a line knows of no connections and says nothing of its own; QEMU greets a new
        # one. So it hears of us with the first bytes.
        try:
            if self.stop_read in select.select([self.master, self.stop_read], [], [])[0]:
                return
            with socket.create_connection(("127.0.0.1", self.port)) as server:
                server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._pump(server)
        except OSError:
            pass

    def _pump(self, server):
        while True:
            ready, _, _ = select.select([self.master, server, self.stop_read], [], [])
            if self.stop_read in ready:
                return
            if self.master in ready:
                server.sendall(os.read(self.master, 4096))
            if server in ready:
                if not (data := server.recv(4096)):
                    return
                os.write(self.master, data)

    def settings(self):
        return termios.tcgetattr(self.slave)

    def unplug(self):
        """What the kernel does with a terminal when its cable is pulled."""
        if self.master is None:
            return
        os.write(self.stop_write, b"x")
        self.thread.join(HANG_S)
        os.close(self.master)
        os.close(self.slave)
        self.master = None

    def __exit__(self, *_):
        self.unplug()
        os.close(self.stop_read)
        os.close(self.stop_write)


class Serial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.qemu = Rig(ELF, qemu_gdb=True).start()
        cls.addClassCleanup(cls.qemu.stop)
        # Of a stub that has not begun mprof has other things to say.
        sampled(ELF, 1, "--gdb", f":{cls.qemu.gdb_port}")

    def line(self):
        line = Line(self.qemu.gdb_port)
        self.addCleanup(line.__exit__)
        return line.__enter__()

    def top(self, address, *more):
        return "top", "--elf", ELF, "--gdb", address, "--format", "json", "-d", "0.05", *more

    def start_top(self, address, *more):
        """One that runs until it is ended, and its first refresh."""
        process = start(*self.top(address, "-n", "1000000", *more))
        self.addCleanup(stop, process)
        return process, process.stdout.readline()

    def test_numbers_and_settings(self):
        """The line is raw while it is used: Ctrl-C is a byte, and not a byte of a table is changed. It
        keeps its speed, and gets its settings back."""
        line = self.line()
        settings = line.settings()
        settings[LFLAG] |= termios.ICANON | termios.ECHO | termios.ISIG
        settings[IFLAG] |= termios.ICRNL | termios.IXON
        settings[ISPEED] = settings[OSPEED] = termios.B57600
        termios.tcsetattr(line.slave, termios.TCSANOW, settings)
        before = line.settings()
        process, first = self.start_top(line.path)
        during = line.settings()
        self.assertEqual(during[LFLAG] & (termios.ICANON | termios.ECHO | termios.ISIG), 0)
        self.assertEqual(during[IFLAG] & (termios.ICRNL | termios.IXON), 0)
        self.assertEqual(during[OFLAG] & termios.OPOST, 0)
        self.assertEqual(during[OSPEED], termios.B57600)
        begin = json_lines(first)[0]
        self.assertEqual(begin["link"]["server"], "QEMU")
        self.assertEqual(begin["link"]["address"], line.path)
        wait_for("new hits", lambda: json_lines(process.stdout.readline())[0]["hits"] >
                 begin["hits"])
        process.terminate()
        process.communicate(timeout=HANG_S)
        self.assertEqual(line.settings(), before)
        self.qemu.is_left(True)

    def test_speed(self):
        line = self.line()
        before = line.settings()
        process, _ = self.start_top(line.path + "@921600")
        self.assertEqual(line.settings()[OSPEED], termios.B921600)
        process.terminate()
        process.communicate(timeout=HANG_S)
        self.assertEqual(line.settings(), before)
        done = mprof(*self.top(line.path + "@12345"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr,
                         f"mprof: {line.path}: serial lines do not support a speed of 12345\n")

    def test_for_us_alone(self):
        line = self.line()
        process, _ = self.start_top(line.path)
        done = mprof(*self.top(line.path))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr,
                         f"mprof: {line.path}: another program uses this serial line\n")
        self.assertIn("rows", process.stdout.readline())
        process.terminate()
        process.communicate(timeout=HANG_S)
        # It is free again.
        self.assertEqual(mprof(*self.top(line.path, "-n", "1")).returncode, 0)

    def test_unplugged(self):
        line = self.line()
        process, first = self.start_top(line.path, "--wait", "0")
        self.assertIn("rows", first)
        line.unplug()
        _, err = process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn(f"{line.path}: the serial line is gone: was it unplugged?", err)

    def test_not_there(self):
        for path, text in (("/dev/ttyACM99", "no such serial line; 'ls /dev/tty*' lists those that are plugged in"),
                           ("/dev/null", "not a serial line")):
            done = mprof(*self.top(path))
            self.assertEqual((done.returncode, done.stderr), (1, f"mprof: {path}: {text}\n"))


if __name__ == "__main__":
    unittest.main()
