# SPDX-License-Identifier: GPL-3.0-or-later
"""What bad input gets: one line on stderr that says what to do, exit 1 or 2, nothing left halted."""

import itertools
import subprocess
import unittest
import unittest.mock

from case import Case
from rig import Rig
from stream import between
from support import (BUILD, FIRMWARE, PATIENCE, FakeServer, Gdb, free_port, mprof,
                     qemu_runs, sampled, side_by_side, symbols)

ELF = FIRMWARE / "cortex-m3.elf"


class Options(Case):
    def test_wrong_use(self):
        cases = [
            (["nonsense"], "unknown command 'nonsense'"),
            (["top", "--nonsense"], "unknown option '--nonsense'"),
            (["top", "-x"], "unknown option '-x'"),
            (["top", "-bz"], "unknown option '-z'"),
            (["top", "--elf", ELF, "--elf", ELF, "--gdb", ":1"], f"--elf {ELF} was given twice"),
            (["top", "--elf", ELF, "--gdb", ":1", "--sampler", "swo"], "'swo' is not one of"),
            (["top", "--elf"], "--elf needs a value"),
            (["top", "--elf", ELF, "--gdb", ":1", "--format", "xml"], "'xml' is not one of"),
            (["top", "--elf", ELF, "--gdb", ":1", "-d", "soon"], "'soon' is not a time from 0.01s to 24h"),
            (["top", "--elf", ELF, "--gdb", ":1", "-d", "nan"], "'nan' is not a time"),
            (["top", "--elf", ELF, "--gdb", ":1", "-n", "0"], "'0' is not a number of refreshes"),
            (["top", "--elf", ELF, "--gdb", ":1", "-f", "share,size"], "unknown column 'size'"),
            (["top", "--elf", ELF, "--gdb", ":1", "-s", "size"], "unknown column 'size'"),
            (["top", "--elf", ELF, "--gdb", ":1", "--by", "thread"], "'thread' is not one of"),
            (["top", "--elf", ELF, "--gdb", ":1", "--allow-halt=2"], "'2' is not a fraction"),
            (["top", "--elf", ELF, "--gdb", ":1", "--timeout", "0"], "'0' is not a time from 0.01s to 1h"),
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
                self.refused(mprof(*args), word, status=2)

    def test_version(self):
        self.assertEqual(mprof("--version").stdout.split()[0], "mprof")


class ElfFiles(Case):
    def test_what_is_no_firmware(self):
        none = self.folder / "none.elf"
        subprocess.run(["arm-none-eabi-objcopy", "--strip-symbol=s_prof", ELF, none], check=True)
        for path, word in ((self.folder / "missing.elf", "missing.elf"),
                           (self.put("text.elf", "not an ELF\n"), "text.elf"),
                           (self.put("short.elf", ELF.read_bytes()[:300]), "short.elf"),
                           (self.folder, str(self.folder)), ("/dev/null", "/dev/null"),
                           (none, "link the stub")):
            with self.subTest(path=path):  # of none, top would take samples
                self.refused(mprof("control" if path == none else "top", "--elf", path, "--gdb", ":1"), word)


class Servers(Case):
    def test_nobody_listens(self):
        port = free_port()
        self.refused(mprof("top", "--elf", ELF, "--gdb", f":{port}"), f"{port}", "refused")
        self.refused(mprof("top", "--elf", ELF, "--tcl", f":{port}"), f"{port}", "refused")

    def test_time_limit(self):
        """Of --timeout, else of the environment, for one answer."""
        with FakeServer(lambda s: s.recv(1 << 20)) as server:
            link = ("top", "--elf", ELF, "--gdb", f":{server.port}")
            self.refused(mprof(*link, "--timeout", "0.3"), "nothing answered", "within 0.3 s")
            with unittest.mock.patch.dict(PATIENCE, MPROF_TIMEOUT="0.2"):
                self.refused(mprof(*link), "nothing answered", "within 0.2 s")
                self.refused(mprof(*link, "--timeout", "0.1"), "within 0.1 s")
            with unittest.mock.patch.dict(PATIENCE, MPROF_TIMEOUT="long"):
                self.refused(mprof(*link), "MPROF_TIMEOUT: 'long' is not a time", status=2)

    def test_server_that_is_none(self):
        """It says nothing, or what a terminal would obey. (Others: unit-link-faults and
        unit-link-tcl-open.)"""
        def silent(s):
            while s.recv(4096):
                pass

        def escapes(s):
            while s.recv(4096):
                s.sendall(b"\x1b]0;evil\x07\n\x1b[31mtext\x1a$E.\x1b[31m#00")

        def check(case):
            serve, option = case
            with FakeServer(serve) as server:
                self.refused(mprof("top", "--elf", ELF, option, f":{server.port}", "--timeout",
                                   "0.5"), str(server.port))

        side_by_side(check, itertools.product((escapes, silent), ("--gdb", "--tcl")))

    def test_reads_that_are_refused(self):
        """Nothing is printed that was not read: no empty ranking, no zeros."""
        with Rig(ELF) as rig:
            def misspell(client):
                between(client, rig.tcl_port,
                        lambda data: data.replace(b"read_memory", b"reed_memory"))

            with FakeServer(misspell) as proxy:
                result = mprof("top", "--elf", ELF, "--tcl", f":{proxy.port}", "-n", "1", "-d",
                               "0.1", "--format", "json")
                self.refused(result, str(proxy.port))


class Targets(Case):
    """Against a real QEMU; each test looks at the end whether the machine runs as before."""

    @classmethod
    def setUpClass(cls):
        cls.qemu = Rig(ELF, qemu_gdb=True).start()
        cls.addClassCleanup(cls.qemu.stop)
        cls.link = ("--gdb", f":{cls.qemu.gdb_port}")
        sampled(ELF, 1, *cls.link)

    def tearDown(self):
        self.assertTrue(qemu_runs(self.qemu.gdb_port))

    def test_other_firmware(self):
        result = mprof("top", "--elf", FIRMWARE / "cortex-m3-many.elf", *self.link)
        self.refused(result, "is not the firmware in the target", "0x")

    def test_other_machine(self):
        result = mprof("top", "--elf", BUILD / "tests/unit/test-torn", *self.link)
        self.refused(result, "is for another processor", "arm", "i386")

    def put(self, addr, data):
        """What was there before."""
        gdb = Gdb(self.qemu.gdb_port)
        gdb.attach()
        before = gdb.read(addr, len(data))
        gdb.write(addr, data)
        gdb.detach()
        return before

    def changed_header(self, offset, data, word):
        """A byte or more of the header of s_prof is another one than the stub wrote."""
        addr = symbols(ELF)["s_prof"][0] + offset
        self.addCleanup(self.put, addr, self.put(addr, data))
        self.refused(mprof("top", "--elf", ELF, *self.link), "s_prof", word)

    def test_layout_from_the_future(self):
        self.changed_header(4, b"\x09", "version 9.")

    def test_damaged_size(self):
        """A size that the ELF does not know must not make each poll read, and halt, for seconds."""
        self.changed_header(12, (2 << 20).to_bytes(4, "little"), "2097152 bytes")


if __name__ == "__main__":
    unittest.main()
