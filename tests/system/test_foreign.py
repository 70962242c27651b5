# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware that nobody has prepared for mprof, in the style of vendors' projects, on a real OpenOCD: its ranking
without a stub, or why there is none."""

import pathlib
import unittest

import foreign
from case import Case
from rig import Rig
from support import mprof, wait_for

WARNED = "mprof: samples halt the core: a watchdog that runs on meanwhile may reset it\n"
# QEMU may get no processor for as long as a short halt is waited for.
FAILED = "mprof: a short halt for a sample failed: OpenOCD's own, longer halts take the next 32\n"
ALIAS = ("--alias", f"{foreign.APP:#x}=0+64K")


class Foreign(Case):
    def snapshot(self, rig, *elfs, more=(), seconds=1):
        """The arguments of one, by halts."""
        named = [word for elf in elfs for word in ("--elf", elf)]
        return ("snapshot", *named, "--gdb", f":{rig.gdb_port}", "--sampler", "halt", "--allow-halt=50%",
                "--duration", seconds, "-o", self.folder / "one.pb.gz", *more)

    def functions(self, rig, *elfs, more=(), seconds=1):
        """Those that some samples were in; a machine that is busy may have no time for any."""
        done, path = mprof(*self.snapshot(rig, *elfs, more=more, seconds=seconds)), self.folder / "one.pb.gz"
        said = done.stderr.replace(FAILED, "")
        if done.returncode == 1:
            self.assertRegex(said, WARNED + ".*: no samples in .* s: none was taken in this time; take longer\n$")
            return set()
        self.assertEqual((done.returncode, said), (0, WARNED))
        rows = self.rows(path)
        path.unlink()
        return set(rows)

    def sampled(self, rig, elf):
        """Those of the first snapshot with samples."""
        found = set()
        while not found:
            found = self.functions(rig, elf)
        return found

    def finds(self, rig, *elfs, more=()):
        """All that use the time are found, sooner or later, and nothing else is."""
        found = set()
        while not found >= set(foreign.FUNCTIONS):
            found |= self.functions(rig, *elfs, more=more)
            self.assertLessEqual(found, {*foreign.FUNCTIONS, "main"})

    def refuses(self, rig, elf, text, more=()):
        self.assertRegex(self.bad(*self.snapshot(rig, elf, more=more)), text)

    def test_stripped(self):
        """What is in the board has neither symbols nor a build-id; the names are in another file."""
        elf = foreign.build(self.folder / "fw.elf")
        stripped = foreign.strip(elf, self.folder / "stripped.elf")
        with Rig(stripped) as rig:
            self.finds(rig, elf)
            self.finds(rig, foreign.debug_file(elf, self.folder / "fw.debug"))
            self.refuses(rig, stripped, "stripped: it has no symbols; give the ELF file from before strip")

    def test_bootloader(self):
        boot = foreign.build(self.folder / "boot.elf", "boot.c")
        app = foreign.build(self.folder / "app.elf", start=foreign.APP)
        with Rig(foreign.flash(self.folder / "flash.elf", {0: boot, foreign.APP: app})) as rig:
            self.finds(rig, boot, app)
            self.finds(rig, app)
            # Of the application's code nothing is known: no name is taken for it.
            self.assertEqual(self.sampled(rig, boot), {None})
            # The application as it would be without a bootloader.
            self.refuses(rig, foreign.build(self.folder / "other.elf"), "is not the firmware in the target")

    def test_moved(self):
        """A loader puts position independent code elsewhere."""
        boot = foreign.build(self.folder / "boot.elf", "boot.c", moved=foreign.APP)
        app = foreign.build(self.folder / "app.elf", moved=foreign.APP)
        flash = foreign.flash(self.folder / "flash.elf", {0: boot, foreign.APP: app})
        with Rig(flash, options=["--pcsr"]) as rig:
            self.refuses(rig, app, "is not the firmware in the target: at 0x00000004 the target has")
            done = mprof("doctor", "--elf", app, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            self.assertIn("the core runs this ELF's code at 0x00010", done.stdout)
            self.assertEqual(done.stdout.count(f"do: add --alias {foreign.APP:#x}=0x0+4K\n"), 2, done.stdout)
            self.finds(rig, app, more=ALIAS)

    def test_code_in_ram(self):
        elf = foreign.build(self.folder / "fw.elf", fast=foreign.IN_RAM)
        with Rig(elf) as rig:
            self.finds(rig, elf)


TOMU = pathlib.Path("/usr/lib/firmware-tomu/toboot.elf")
STRIPPED = sorted([*pathlib.Path("/usr/lib/u-boot").glob("qemu*/uboot.elf"),
                   *pathlib.Path("/usr/lib").glob("*/opensbi/generic/fw_*.elf")])


class OfDistribution(Case):
    """Images of Debian's packages, as they are: no build-id, code in RAM, of another compiler."""

    @unittest.skipUnless(TOMU.exists(), "the package firmware-tomu is missing")
    def test_tomu(self):
        """It waits for a clock that the machine does not have, in code that its own startup code calls."""
        with Rig(TOMU, options=["--pcsr"]) as rig:
            link = ("--elf", TOMU, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            done = mprof("doctor", *link)
            self.assertRegex(done.stdout, "^mprof top works: it takes samples by DWT_PCSR while the core runs")
            wait_for("that code", lambda: set(self.rows(*link)) == {"__early_init"})
            self.assertEqual(rig.stat()["halts"], 0)
            taken = self.rows(*link, "--allow-halt=50%", "--stacks", "--by", "total", said=WARNED)
            self.assertEqual({name: row["share"] for name, row in taken.items()},
                             {"Reset_Handler": 1, "__early_init": 1})

    @unittest.skipUnless(STRIPPED, "the packages opensbi and u-boot-qemu are missing")
    def test_stripped(self):
        for elf in STRIPPED:
            self.assertEqual(self.bad("top", "--elf", elf, "--gdb", ":1"),
                             f"mprof: {elf}: stripped: it has no symbols; give the ELF file from before strip with "
                             "--elf\n")


if __name__ == "__main__":
    unittest.main()
