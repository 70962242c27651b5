# SPDX-License-Identifier: GPL-3.0-or-later
"""The command mprof inside a real gdb (examples/gdb/mprof.gdb), over QEMU and over a real OpenOCD."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, MPROF, Gdb, environment, mprof, sampled, stop

ELF = FIRMWARE / "cortex-m3.elf"
SCRIPT = pathlib.Path(__file__).parents[2] / "examples" / "gdb" / "mprof.gdb"


def gdb(*commands, elf=ELF, program=MPROF):
    """What gdb prints when it has read the script and is given these commands, and its errors."""
    words = ["gdb-multiarch", "-q", "-nx", "-batch", "-iex", f"set remotetimeout {HANG_S}", "-ex",
             f"source {SCRIPT}"]
    for command in commands:
        words += ["-ex", command]
    process = subprocess.Popen([*words, str(elf)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, text=True,
                               env=dict(environment(), MPROF=str(program)))
    try:
        output = process.communicate(timeout=HANG_S)
    finally:
        stop(process)
    assert not os.path.exists(f"/tmp/mprof-{process.pid}"), "the dump is left behind"
    return output


def report_of(text):
    """The one JSON object among what gdb says."""
    return json.loads(next(line for line in text.splitlines() if line.startswith("{")))


class Script(unittest.TestCase):
    def same(self, port, *link):
        """The command's rows are those of mprof on the same halted target."""
        own = json.loads(mprof("report", "--elf", ELF, *link, "--format", "json").stdout)
        text, errors = gdb(f"target extended-remote :{port}", "mprof --format json",
                           "mprof --by line --limit 3", "disconnect")
        self.assertNotIn("rror", errors)
        seen = report_of(text)
        self.assertGreater(seen["hits"], 0)
        self.assertEqual(seen["rows"], own["rows"])
        self.assertEqual(seen["hits"], own["hits"])
        self.assertRegex(text, r"(?m)^mprof report   cortex-m3\.elf ")
        self.assertRegex(text, r"(?m)^ SHARE .* FILE:LINE +FUNCTION$")

    def test_on_qemu(self):
        with Rig(ELF, qemu_gdb=True) as qemu:
            link = ("--gdb", f":{qemu.gdb_port}")
            sampled(ELF, 50, *link)
            client = Gdb(qemu.gdb_port)
            self.assertTrue(client.attach())
            client.close()
            self.same(qemu.gdb_port, *link)

    def test_on_openocd(self):
        with Rig(ELF) as rig, Tcl(rig.tcl_port) as tcl:
            link = ("--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            sampled(ELF, 50, *link)
            tcl.halt()
            self.same(rig.gdb_port, *link)

    def test_without_the_stub(self):
        with tempfile.TemporaryDirectory() as folder:
            none = folder + "/none.elf"
            subprocess.run(["arm-none-eabi-objcopy", "--strip-symbol=s_prof", "-g", ELF, none],
                           check=True)
            text, errors = gdb("mprof", elf=none)
        self.assertIn("mprof: there is no s_prof in the program", text)
        self.assertEqual(errors, "")

    def test_before_the_stub_runs(self):
        with Rig(ELF, qemu_gdb=True, qemu_args=("-S",)) as qemu:
            text, errors = gdb(f"target remote :{qemu.gdb_port}", "mprof")
            self.assertIn("mprof: s_prof is not initialised", text, errors)

    def test_odd_names(self):
        """Folders with a space in them, an ELF without debug information, options with a comma."""
        with Rig(ELF, qemu_gdb=True) as qemu, tempfile.TemporaryDirectory() as folder:
            odd = pathlib.Path(folder, "a folder's")
            odd.mkdir()
            elf = odd / "f w.elf"
            subprocess.run(["arm-none-eabi-objcopy", "-g", ELF, elf], check=True)
            program = shutil.copy(MPROF, odd)
            sampled(ELF, 1, "--gdb", f":{qemu.gdb_port}")
            text, errors = gdb(f"target remote :{qemu.gdb_port}", "mprof -f function,hits -s hits",
                               "mprof --nonsense", "print $_shell_exitcode", elf=elf, program=program)
            self.assertRegex(text, r"(?m)^mprof report   f w\.elf ", errors)
            self.assertRegex(text, r"(?m)^FUNCTION +HITS$")
            self.assertIn("unknown option '--nonsense'", errors)
            self.assertRegex(text, r"(?m)^\$1 = 2$")

    def test_help(self):
        text, errors = gdb("help mprof")
        self.assertIn("Show where the halted program has spent its time", text)
        self.assertIn("mprof report", text)
        self.assertEqual(errors, "")

    def test_folder_of_another_user(self):
        """A name that is taken by somebody else is not used: the command says so and does nothing."""
        if os.getuid() != 0:
            self.skipTest("takes two users")
        take = "shell mkdir /tmp/mprof-$PPID && chown 65534 /tmp/mprof-$PPID"
        with Rig(ELF, qemu_gdb=True) as qemu:
            sampled(ELF, 1, "--gdb", f":{qemu.gdb_port}")
            text, errors = gdb(f"target remote :{qemu.gdb_port}", take, "mprof",
                               "shell ls -A /tmp/mprof-$PPID; rmdir /tmp/mprof-$PPID")
        self.assertIn("File exists", errors)
        self.assertNotIn("mprof report", text)


if __name__ == "__main__":
    unittest.main()
