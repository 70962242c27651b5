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
from support import FIRMWARE, HANG_S, json_lines, mprof, qemu_runs, start, stop

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
        self.thread.join(10)
        os.close(self.master)
        os.close(self.slave)
        self.master = None

    def __exit__(self, *_):
        self.unplug()
        os.close(self.stop_read)
        os.close(self.stop_write)


class Serial(unittest.TestCase):
    def top(self, address, *more):
        return "top", "--elf", ELF, "--gdb", address, "--format", "json", *more

    def test_numbers_and_settings(self):
        """The line is raw while it is used: Ctrl-C is a byte, and not a byte of a table is changed. It
        keeps its speed, and gets its settings back."""
        with Rig(ELF, qemu_gdb=True) as qemu:
            with Line(qemu.gdb_port) as line:
                settings = line.settings()
                settings[LFLAG] |= termios.ICANON | termios.ECHO | termios.ISIG
                settings[IFLAG] |= termios.ICRNL | termios.IXON
                settings[ISPEED] = settings[OSPEED] = termios.B57600
                termios.tcsetattr(line.slave, termios.TCSANOW, settings)
                before = line.settings()
                process = start(*self.top(line.path, "-d", "0.05", "-n", "20"))
                try:
                    first = process.stdout.readline()
                    during = line.settings()
                    out = first + process.stdout.read()
                    self.assertEqual(process.wait(HANG_S), 0)
                finally:
                    stop(process)
                self.assertEqual(during[LFLAG] & (termios.ICANON | termios.ECHO | termios.ISIG), 0)
                self.assertEqual(during[IFLAG] & (termios.ICRNL | termios.IXON), 0)
                self.assertEqual(during[OFLAG] & termios.OPOST, 0)
                self.assertEqual(during[OSPEED], termios.B57600)
                self.assertEqual(line.settings(), before)
                lines = json_lines(out)
                self.assertGreater(lines[-1]["hits"], lines[0]["hits"])
                self.assertEqual(lines[-1]["link"]["server"], "QEMU")
                self.assertEqual(lines[-1]["link"]["address"], line.path)
                self.assertEqual(len(lines), 20)
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def test_speed(self):
        with Rig(ELF, qemu_gdb=True) as qemu, Line(qemu.gdb_port) as line:
            before = line.settings()
            process = start(*self.top(line.path + "@921600", "-d", "0.05", "-n", "1000"))
            try:
                process.stdout.readline()
                self.assertEqual(line.settings()[OSPEED], termios.B921600)
            finally:
                process.terminate()
                process.communicate(timeout=HANG_S)
            self.assertEqual(line.settings(), before)
            done = mprof(*self.top(line.path + "@12345"))
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr,
                             f"mprof: {line.path}: serial lines have no speed of 12345\n")

    def test_for_us_alone(self):
        with Rig(ELF, qemu_gdb=True) as qemu, Line(qemu.gdb_port) as line:
            process = start(*self.top(line.path, "-d", "0.05", "-n", "1000"))
            try:
                process.stdout.readline()
                done = mprof(*self.top(line.path))
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr,
                                 f"mprof: {line.path}: another program uses this serial line\n")
                process.stdout.readline()
                self.assertIsNone(process.poll())
            finally:
                process.terminate()
                process.communicate(timeout=HANG_S)
            # It is free again.
            self.assertEqual(mprof(*self.top(line.path, "-n", "1")).returncode, 0)

    def test_unplugged(self):
        with Rig(ELF, qemu_gdb=True) as qemu, Line(qemu.gdb_port) as line:
            process = start(*self.top(line.path, "-d", "0.05", "-n", "1000", "--wait", "0"))
            try:
                process.stdout.readline()
                line.unplug()
                _, err = process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            self.assertEqual(process.returncode, 1)
            # It may have waited for the firmware's start before.
            said = [text for text in err.splitlines() if "waiting for" not in text]
            self.assertEqual(len(said), 1, err)
            self.assertIn(f"{line.path}: the serial line is gone: was it unplugged?", said[0])

    def test_not_there(self):
        for path, text in (("/dev/ttyACM99", "no such serial line: is it plugged in?"),
                           ("/dev/null", "this is no serial line")):
            done = mprof(*self.top(path))
            self.assertEqual((done.returncode, done.stderr), (1, f"mprof: {path}: {text}\n"))


if __name__ == "__main__":
    unittest.main()
