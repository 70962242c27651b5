# SPDX-License-Identifier: GPL-3.0-or-later
"""--qmp on a real QEMU: right numbers, one look at memory a poll, and a machine that notices nothing."""

import json
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from case import Case
from rig import QmpRig
from support import (BUILD, FIRMWARE, HANG_S, Gdb, count, counted, environment, free_port, json_lines,
                     mprof, qemu_runs, sampled, side_by_side, start, stop, wait_for)

ELF = FIRMWARE / "cortex-m3.elf"
RACE = BUILD / "tests" / "system" / "qmp-race"


class Qemu:
    """QEMU on raw code at an address, with QMP on a port."""

    def __init__(self, machine, code, *more):
        self.folder = tempfile.TemporaryDirectory()
        image = pathlib.Path(self.folder.name, "code.bin")
        image.write_bytes(code)
        self.port = free_port()
        self.process = subprocess.Popen(
            [f"qemu-system-{machine}", "-display", "none", "-monitor", "none", "-serial", "null",
             "-qmp", f"tcp:127.0.0.1:{self.port},server=on,wait=off",
             *(word.replace("IMAGE", str(image)) for word in more)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def __enter__(self):
        try:
            wait_for("QMP", self.listens)
        except BaseException:
            self.__exit__()
            raise
        return self

    def listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False

    def __exit__(self, *_):
        stop(self.process)
        self.folder.cleanup()


def firmware():
    """QEMU on the example firmware, in this test's own hands."""
    return Qemu("arm", b"", "-machine", "mps2-an385", "-kernel", str(ELF))


class Numbers(unittest.TestCase):
    def test_without_a_halt(self):
        """The numbers themselves test_same_as_the_gdb_port looks at."""
        with QmpRig(ELF) as rig:
            sampled(ELF, 100, "--qmp", rig.qmp)
            before = rig.stat()
            lines = json_lines(mprof("top", "--elf", ELF, "--qmp", rig.qmp, "-n", "20",
                                     "-d", "0.01", "--format", "json").stdout)
            after = rig.stat()
        self.assertEqual(after["machine_stops"], before["machine_stops"])
        self.assertEqual(after["halts"], 0)
        self.assertEqual(len(lines), 20)
        link = lines[-1]["link"]
        self.assertEqual((link["kind"], link["target"], link["state"]),
                         ("qmp", "cortex-m3", "RUNNING"))
        self.assertRegex(link["server"], r"^QEMU \d+\.\d+\.\d+$")
        self.assertEqual((link["live"], link["halts"], link["halted_share"]), (True, 0, 0))
        self.assertLessEqual({"work_a", "work_b", "work_c"},
                             {row["function"] for row in lines[-1]["rows"]})

    def test_tcp(self):
        with firmware() as qemu:
            sampled(ELF, 1, "--qmp", f":{qemu.port}")
            result = mprof("report", "--elf", ELF, "--qmp", f"127.0.0.1:{qemu.port}", "-v")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^mprof report   cortex-m3\.elf [0-9a-f]{7} \(= flash\)   "
                                        r"cortex-m3 arm ")
        self.assertIn("'xp'", result.stderr)

    def test_same_as_the_gdb_port(self):
        """A halted machine has one answer, whichever way it is read."""
        with QmpRig(ELF) as rig:
            sampled(ELF, 100, "--qmp", rig.qmp)
            gdb = Gdb(rig.gdb_port)
            self.assertTrue(gdb.attach())
            gdb.close()
            by_qmp, by_gdb = (json.loads(mprof("report", "--elf", ELF, *link, "--format", "json").stdout)
                              for link in (("--qmp", rig.qmp), ("--gdb", f":{rig.gdb_port}")))
        self.assertEqual(by_qmp["rows"], by_gdb["rows"])
        self.assertEqual(by_qmp["hits"], by_gdb["hits"])


class Guest(unittest.TestCase):
    def test_paused_stays_paused(self):
        with QmpRig(ELF) as rig:
            sampled(ELF, 100, "--qmp", rig.qmp)
            gdb = Gdb(rig.gdb_port)
            self.assertTrue(gdb.attach())
            gdb.close()
            lines = json_lines(mprof("top", "--elf", ELF, "--qmp", rig.qmp, "-n", "2", "-d", "0.1",
                                     "--format", "json").stdout)
            self.assertEqual([line["link"]["state"] for line in lines], ["HALTED"] * 2)
            self.assertEqual(lines[0]["hits"], lines[1]["hits"])
            self.assertFalse(qemu_runs(rig.gdb_port))

    def test_state_is_seen_as_it_changes(self):
        """Somebody pauses the machine, and lets it go on, under a running top."""
        with QmpRig(ELF) as rig:
            sampled(ELF, 100, "--qmp", rig.qmp)
            process = start("top", "--elf", ELF, "--qmp", rig.qmp, "-n", "1000000", "-d", "0.02",
                            "--format", "json")
            try:
                def state():
                    return json.loads(process.stdout.readline())["link"]["state"]
                self.assertEqual(state(), "RUNNING")
                gdb = Gdb(rig.gdb_port)
                self.assertTrue(gdb.attach())
                wait_for("the halt", lambda: state() == "HALTED")
                gdb.detach()
                wait_for("the resume", lambda: state() == "RUNNING")
            finally:
                stop(process)

    def test_ends_at_random_moments(self):
        chance = random.Random(13)
        with QmpRig(ELF) as rig:
            sampled(ELF, 100, "--qmp", rig.qmp)
            before = rig.stat()["machine_stops"]
            rounds = count(8, 200)
            for i in range(rounds):
                number = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)[i % 4]
                process = start("top", "--elf", ELF, "--qmp", rig.qmp, "-n", "1000000", "-d", "0.01",
                                "--format", "json")
                try:
                    process.stdout.readline()
                    time.sleep(chance.uniform(0, 0.1))
                    process.send_signal(number)
                    process.communicate(timeout=HANG_S)
                finally:
                    stop(process)
                self.assertEqual(process.returncode, -number)
            stat = rig.stat()
        self.assertTrue(stat["running"])
        self.assertEqual(stat["machine_stops"], before)
        counted(f"{rounds} ends by 4 signals of a run over QMP, 0 halts")


class OneLine(Case):

    def test_second_client(self):
        with firmware() as qemu, socket.create_connection(("127.0.0.1", qemu.port)) as first:
            self.assertIn(b"QMP", first.recv(4096))
            self.refused(mprof("top", "--elf", ELF, "--qmp", f":{qemu.port}", "-n", "1",
                               "--timeout", "0.5"),
                         f"localhost:{qemu.port}", "disconnect other clients")

    def test_gdb_port_by_mistake(self):
        with QmpRig(ELF) as rig:
            self.refused(mprof("top", "--elf", ELF, "--qmp", f":{rig.gdb_port}", "-n", "1"), "--gdb")
            rig.wait(lambda stat: stat["running"])
            self.assertTrue(qemu_runs(rig.gdb_port))

    def test_no_such_cpu(self):
        with firmware() as qemu:
            self.refused(mprof("report", "--elf", ELF, "--qmp", f":{qemu.port}", "--target", "1"),
                         "no CPU 1")

    def test_other_core(self):
        """QEMU runs something else: the ELF is not for that core."""
        with Qemu("riscv32", RISCV, *RISCV_ARGUMENTS) as qemu:
            self.refused(mprof("report", "--elf", ELF, "--qmp", f":{qemu.port}"), "arm", "riscv")

    def end_under_top(self, number):
        with firmware() as qemu:
            sampled(ELF, 10, "--qmp", f":{qemu.port}")
            process = start("top", "--elf", ELF, "--qmp", f":{qemu.port}", "-n", "1000000", "-d",
                            "0.02", "--format", "json", "--wait", "0")
            try:
                process.stdout.readline()
                qemu.process.send_signal(number)
                _, text = process.communicate(timeout=HANG_S)
            finally:
                stop(process)
        self.assertEqual(process.returncode, 1, text)
        self.assertEqual(len(text.splitlines()), 1, text)
        return text

    def test_end_of_qemu(self):
        by_term, by_kill = side_by_side(self.end_under_top, (signal.SIGTERM, signal.SIGKILL))
        # What QEMU says of its end is lost if a question of ours meets the closed connection.
        self.assertRegex(by_term, r"QEMU has ended \(host-signal\)|closed the connection|was lost")
        self.assertRegex(by_kill, r"closed the connection|was lost")


# Stores 0 and ~0 at an address for ever.
ADDRESS = {"arm": 0x20001ffc, "riscv32": 0x80001ffc}
ARM = struct.pack("<2I8HI", 0x20000400, 9, 0x4a03, 0x2000, 0x43c1, 0x6010, 0x6011, 0xe7fc, 0xbf00,
                  0xbf00, ADDRESS["arm"])
ARM_ARGUMENTS = ("-machine", "mps2-an385", "-kernel", "IMAGE")
RISCV = struct.pack("<7I", 0x800022b7, 0xffc28293, 0x00000313, 0xfff00393, 0x0062a023, 0x0072a023,
                    0xff9ff06f)
RISCV_ARGUMENTS = ("-machine", "virt", "-bios", "none", "-device",
                   "loader,file=IMAGE,addr=0x80000000,force-raw=on")


class Race(unittest.TestCase):
    """Aligned words are never torn, by physical ('xp') and by virtual addresses ('x')."""

    def race(self, machine, code, arguments):
        rounds = count(1000, 50000)
        with Qemu(machine, code, *arguments) as qemu:
            result = subprocess.run([RACE, f":{qemu.port}", hex(ADDRESS[machine]), str(rounds)],
                                    capture_output=True, text=True,
                                    timeout=HANG_S + rounds / 100, env=environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(re.match(r"\d+ zeros, \d+ ones$", result.stdout), result.stdout)
        counted(f"{rounds} reads of a word that {machine} writes, none torn")

    def test_cortex_m(self):
        self.race("arm", ARM, ARM_ARGUMENTS)

    def test_riscv(self):
        self.race("riscv32", RISCV, RISCV_ARGUMENTS)


if __name__ == "__main__":
    unittest.main()
