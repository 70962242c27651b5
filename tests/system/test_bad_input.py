# SPDX-License-Identifier: GPL-3.0-or-later
"""What bad input gets: one line on stderr that says what to do, exit 1 or 2, nothing left halted."""

import itertools
import os
import signal
import subprocess
import tempfile
import unittest
import unittest.mock

from rig import Rig
from stream import between
from support import (BUILD, FIRMWARE, HANG_S, PATIENCE, FakeServer, Gdb, free_port, mprof, patient,
                     qemu_runs, sampled, side_by_side, start, stop, symbols, wait_for)

patient()
ELF = FIRMWARE / "cortex-m3.elf"


class OneLine(unittest.TestCase):
    def refused(self, result, status, *words):
        """One line on stderr with the words in it, nothing on stdout, that exit status."""
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].isprintable(), lines[0])
        for word in words:
            self.assertIn(word, lines[0])


class Options(OneLine):
    def test_wrong_use(self):
        cases = [
            ([], "no command"),
            (["nonsense"], "no command 'nonsense'"),
            (["top"], "no firmware"),
            (["top", "--elf", ELF], "no debug server"),
            (["top", "--nonsense"], "no option --nonsense"),
            (["top", "-x"], "no option -x"),
            (["top", "-bz"], "no option -z"),
            (["top", "--elf", ELF, "--elf", ELF, "--gdb", ":1"], "it was named already"),
            (["top", "--elf", ELF, "--gdb", ":1", "--sampler", "swo"], "'swo' is not one of"),
            (["top", "--elf"], "--elf needs a value"),
            (["top", "--elf", ELF, "--gdb", ":1", "--format", "xml"], "'xml' is not one of"),
            (["top", "--elf", ELF, "--gdb", ":1", "-d", "soon"], "'soon' is not a number"),
            (["top", "--elf", ELF, "--gdb", ":1", "-d", "nan"], "'nan' is not a number"),
            (["top", "--elf", ELF, "--gdb", ":1", "-n", "0"], "'0' is not a number of refreshes"),
            (["top", "--elf", ELF, "--gdb", ":1", "-f", "share,size"], "no field 'size'"),
            (["top", "--elf", ELF, "--gdb", ":1", "-s", "size"], "no field 'size'"),
            (["top", "--elf", ELF, "--gdb", ":1", "--by", "thread"], "'thread' is not one of"),
            (["top", "--elf", ELF, "--gdb", ":1", "--allow-halt=2"], "'2' is not a part"),
            (["top", "--elf", ELF, "--gdb", ":1", "--timeout", "0"], "'0' is not a number of seconds"),
            (["top", "--elf", ELF, "--gdb", ":1", "extra"], "extra"),
            (["top", "--elf", ELF, "--gdb", "no port at all"], "no port at all"),
            (["top", "--elf", ELF, "--gdb", "/usr"], "/usr: this is a folder"),
            (["top", "--elf", ELF, "--gdb", "unix:/usr"], "/usr: this is a folder"),
            (["top", "--elf", ELF, "--qmp", str(ELF)], "this is a file"),
            (["top", "--elf", ELF, "--gdb", ""], "empty"),
            (["top", "--elf", "", "--gdb", ":1"], "empty"),
            (["report", "--elf", ELF, "--raw", ""], "empty"),
        ]
        for args, word in cases:
            with self.subTest(args=args):
                self.refused(mprof(*args), 2, word)

    def test_help_names_every_option_once(self):
        text = mprof("top", "--help").stdout
        for option in ("--elf", "--gdb", "--tcl", "--fields", "--sort", "--iterations", "--delay"):
            self.assertEqual(text.count(f" {option}"), 2 if option in ("--elf", "--gdb") else 1, option)
        self.assertEqual(mprof("--version").stdout.split()[0], "mprof")


class ElfFiles(OneLine):
    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            text = folder + "/text.elf"
            with open(text, "w", encoding="utf-8") as file:
                file.write("not an ELF\n")
            short = folder + "/short.elf"
            with open(short, "wb") as file:
                file.write(ELF.read_bytes()[:300])
            none = folder + "/none.elf"
            subprocess.run(["arm-none-eabi-objcopy", "--strip-symbol=s_prof", ELF, none], check=True)
            for path, word in ((folder + "/missing.elf", "missing.elf"), (text, "text.elf"),
                               (short, "short.elf"), (folder, folder), ("/dev/null", "/dev/null"),
                               (none, "link the stub")):
                with self.subTest(path=path):
                    self.refused(mprof("top", "--elf", path, "--gdb", ":1"), 1, word)


class Servers(OneLine):
    def test_nobody_listens(self):
        port = free_port()
        self.refused(mprof("top", "--elf", ELF, "--gdb", f":{port}"), 1, f"{port}", "refused")
        self.refused(mprof("top", "--elf", ELF, "--tcl", f":{port}"), 1, f"{port}", "refused")

    def test_time_limit(self):
        """Of --timeout, else of the environment, for one answer."""
        with FakeServer(lambda s: s.recv(1 << 20)) as server:
            link = ("top", "--elf", ELF, "--gdb", f":{server.port}")
            self.refused(mprof(*link, "--timeout", "0.3"), 1, "nothing answered", "within 0.3 s")
            with unittest.mock.patch.dict(PATIENCE, MPROF_TIMEOUT="0.2"):
                self.refused(mprof(*link), 1, "nothing answered", "within 0.2 s")
                self.refused(mprof(*link, "--timeout", "0.1"), 1, "within 0.1 s")
            with unittest.mock.patch.dict(PATIENCE, MPROF_TIMEOUT="long"):
                self.refused(mprof(*link), 2, "MPROF_TIMEOUT: 'long' is not a number of seconds")

    def test_useless_servers(self):
        def silent(s):
            while s.recv(4096):
                pass

        def garbage(s):
            while s.recv(4096):
                s.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20)

        def half_packet(s):
            s.recv(4096)
            s.sendall(b"+$PacketSize=40")
            silent(s)

        def half_then_close(s):
            s.recv(4096)
            s.sendall(b"+$PacketSi")

        def at_once_closed(s):
            s.close()

        def wrong_checksums(s):
            while s.recv(4096):
                s.sendall(b"+$OK#00")

        def escapes(s):
            while s.recv(4096):
                s.sendall(b"\x1b]0;evil\x07\n\x1b[31mtext\x1a$E.\x1b[31m#00")

        def check(case):
            serve, option = case
            with FakeServer(serve) as server:
                self.refused(mprof("top", "--elf", ELF, option, f":{server.port}", "--timeout",
                                   "0.5"), 1, str(server.port))

        side_by_side(check, itertools.product(
            (escapes, silent, garbage, half_packet, half_then_close, at_once_closed,
             wrong_checksums), ("--gdb", "--tcl")))

    def test_reads_that_are_refused(self):
        """Nothing is printed that was not read: no empty ranking, no zeros."""
        with Rig(ELF) as rig:
            def misspell(client):
                between(client, rig.tcl_port,
                        lambda data: data.replace(b"read_memory", b"reed_memory"))

            with FakeServer(misspell) as proxy:
                result = mprof("top", "--elf", ELF, "--tcl", f":{proxy.port}", "-n", "1", "-d",
                               "0.1", "--format", "json")
                self.refused(result, 1, str(proxy.port))


class Targets(OneLine):
    """Against a real QEMU; each test looks at the end whether the machine runs as before."""

    def test_other_firmware(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            result = mprof("top", "--elf", FIRMWARE / "cortex-m3-many.elf", "--gdb",
                           f":{qemu.gdb_port}")
            self.refused(result, 1, "is not the firmware in the target", "0x")
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def test_other_machine(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            result = mprof("top", "--elf", BUILD / "tests/unit/test-torn", "--gdb",
                           f":{qemu.gdb_port}")
            self.refused(result, 1, "cannot run on this target", "arm", "i386")
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def changed_header(self, offset, data, *words):
        """A byte or more of the header of s_prof is another one than the stub wrote."""
        with Rig(ELF, qemu_gdb=True) as qemu:
            table = symbols(ELF)["s_prof"][0]
            wait_for("mprof_init()", lambda: self.magic(qemu.gdb_port, table) == b"mprf")
            gdb = Gdb(qemu.gdb_port)
            gdb.attach()
            gdb.write(table + offset, data)
            gdb.detach()
            result = mprof("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}")
            self.refused(result, 1, "s_prof", *words)
            self.assertTrue(qemu_runs(qemu.gdb_port))

    def test_layout_from_the_future(self):
        self.changed_header(4, b"\x09", "version 9.1")

    def test_damaged_size(self):
        """A size that the ELF does not know must not make each poll read, and halt, for seconds."""
        self.changed_header(12, (2 << 20).to_bytes(4, "little"), "2097152 bytes")

    @staticmethod
    def magic(port, table):
        gdb = Gdb(port)
        gdb.attach()
        data = gdb.read(table, 4)
        gdb.detach()
        return data

    def test_not_initialised_yet(self):
        """Waits, saying so once; goes on when the stub starts; Ctrl-C ends the wait."""
        with Rig(ELF, qemu_gdb=True, qemu_args=["-S"]) as qemu:
            args = ("top", "--elf", ELF, "--gdb", f":{qemu.gdb_port}", "-n", "1")
            process = start(*args)
            try:
                line = process.stderr.readline()
                self.assertIn("waiting for mprof_init()", line)
                self.assertIn("halted", line)
                process.send_signal(2)
                process.wait(HANG_S)
                self.assertEqual(process.stdout.read(), "")
            finally:
                stop(process)
            self.assertFalse(qemu_runs(qemu.gdb_port))

    def lost(self, link, port, end):
        """A run that is under way; end() takes the server away."""
        process = start("top", "--elf", ELF, *link, "-n", "1000000", "-d", "0.05", "--wait", "0",
                        "--format", "json")
        try:
            for _ in range(3):
                self.assertIn("rows", process.stdout.readline())
            end()
            process.wait(HANG_S)
            error = process.stderr.read()
            self.assertEqual(process.returncode, 1)
            self.assertEqual(len(error.splitlines()), 1, error)
            self.assertIn(str(port), error)
        finally:
            stop(process)

    def test_qemu_lost(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            link = ("--gdb", f":{qemu.gdb_port}")
            sampled(ELF, 1, *link)
            self.lost(link, qemu.gdb_port, qemu.stop)

    def test_openocd_lost(self):
        with Rig(ELF) as rig:
            link = ("--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            sampled(ELF, 1, *link)
            self.lost(link, rig.tcl_port, lambda: os.kill(rig.info["openocd_pid"], signal.SIGKILL))


if __name__ == "__main__":
    unittest.main()
