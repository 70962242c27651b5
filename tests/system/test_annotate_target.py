# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof annotate of firmware: Thumb code with data in it, and RISC-V; every kind of block.

usage: test_annotate_target.py BLOCKS_ELF
"""

import pathlib
import re
import subprocess
import sys
import unittest

import formats
from annotations import hits_of, notes_of
from blocks_rig import ICOUNT, BlocksRig
from builds import nameless, segments_hash
from case import Case
from rig import Rig
from support import FIRMWARE, count, counted, mprof, sampled

ELF, = sys.argv[1:]
NAMES = ("work_a", "work_b", "work_c")


def gmon(path, addr, size):
    """A gmon.out with one hit at addr, of buckets of 2 bytes and addresses of so many."""
    low = addr & ~15
    buckets = [0] * 8
    buckets[(addr - low) // 2] = 1
    path.write_bytes(formats.gmon(formats.histogram(low, low + 16, buckets, size=size)))


class OfFirmware(Case):
    @property
    def path(self):
        return self.folder / "a.pb.gz"

    def annotation(self, *args):
        return self.json("annotate", *args)

    def start(self, elf):
        rig = Rig(elf, icount=ICOUNT).start()
        self.addCleanup(rig.stop)
        return rig, ("--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")

    def check_sums(self, elf, names=NAMES):
        rows = self.rows(self.path)
        for name in names:
            if name not in rows:
                continue
            annotation = self.annotation(name, self.path, "--elf", elf)
            self.assertEqual((annotation["hits"], *hits_of(annotation)), (rows[name]["hits"],) * 3)
            # A block that only has data of this one has instructions of another: nothing is sure.
            self.assertTrue(all(step["low"] < 0.001 for line in annotation["lines"]
                                for step in line["instructions"] if step["data"]))

    def test_every_block(self):
        rig = BlocksRig(ELF).start()
        self.addCleanup(rig.stop)
        rig.begin(1000)
        rig.end()
        rig.tcl.halt()
        for sampler in ("table", "histogram", "stream"):
            self.good("snapshot", *rig.link, "--sampler", sampler, "-o", self.path)
            self.check_sums(ELF, NAMES if sampler == "table" else count(NAMES[:1], NAMES))

    def test_every_machine(self):
        """As objdump shows it, which knows the mapping symbols too."""
        data, machines = 0, 0
        for elf in count((ELF, *(FIRMWARE / f"{name}.elf" for name in ("cortex-m0", "rv64"))),
                         (ELF, *sorted(FIRMWARE.glob("cortex-m*.elf")), *FIRMWARE.glob("rv*.elf"))):
            if not pathlib.Path(elf).exists():
                continue
            data += self.check_machine(elf)
            machines += 1
        self.assertGreater(data, 2)
        counted(f"code of {machines} firmwares, as objdump shows it")

    def check_machine(self, elf):
        tool = "riscv64-unknown-elf-objdump" if "/rv" in str(elf) else "arm-none-eabi-objdump"
        table = subprocess.run([tool, "-d", "--no-show-raw-insn", elf], text=True,
                               capture_output=True, check=True).stdout
        data = 0
        for name in count(("mprof_init",), ("mprof_init", "work_a", "main", "mprof_clear")):
            found = re.search(rf"([0-9a-f]+) <{name}>:\n((?: *[0-9a-f]+:\t.*\n)+)", table)
            if not found and name != "mprof_init":
                continue
            gmon(self.path, int(found.group(1), 16) + 2, 8 if "rv64" in str(elf) else 4)
            wanted = [(int(addr, 16), text) for addr, text in
                      re.findall(r"^ *([0-9a-f]+):\t(\S+)", found.group(2), re.M)]
            annotation = self.annotation(name, self.path, "--elf", elf)
            self.assertEqual(notes_of(annotation), [])
            self.assertEqual((annotation["hits"], *hits_of(annotation)), (1,) * 3)
            steps = sorted((int(step["address"], 16), step["text"].split()[0])
                           for line in annotation["lines"] for step in line["instructions"])
            if "/rv" in str(elf):  # the two have other names for the same instruction
                steps, wanted = ([(addr, "") for addr, _ in rows] for rows in (steps, wanted))
            self.assertEqual(steps, wanted[:len(steps)])
            self.assertGreaterEqual(len(steps), len(wanted) - 2)
            data += sum(step["data"] for line in annotation["lines"] for step in line["instructions"])
        return data

    def test_no_build_id(self):
        """What such an ELF is for is told by what it loads; if the snapshot says of no build, by where
        its functions are."""
        elf = self.path.with_name("nameless.elf")
        nameless(FIRMWARE / "cortex-m3.elf", elf)
        rig, link = self.start(elf)
        sampled(elf, 300, *link[2:])
        self.good("snapshot", *link, "-o", self.path)
        self.assertIn(segments_hash(elf), self.good("export", "--format", "json", self.path))
        whole = self.annotation("work_a", self.path)
        self.assertEqual((notes_of(whole), hits_of(whole)), ([], (whole["hits"],) * 2))
        self.check_sums(elf, count(NAMES[:1], NAMES))
        for other in ("cortex-m4f", "rv32"):
            done = mprof("annotate", "work_a", self.path, "--elf", FIRMWARE / f"{other}.elf")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("its code or data differ", done.stderr)
        live = self.annotation("work_a", *link)
        self.assertEqual((live["hits"], live["hits"]), hits_of(live))
        self.assertEqual(rig.stat()["halts"], 0)

    @unittest.skipUnless((FIRMWARE / "rv32.elf").exists(), "the RISC-V compiler is missing")
    def test_riscv(self):
        elf = FIRMWARE / "rv32.elf"
        rig, link = self.start(elf)
        sampled(elf, 300, *link[2:])
        self.good("snapshot", *link, "-o", self.path)
        self.check_sums(elf, count(NAMES[:1], NAMES))
        text = self.good("annotate", "work_a", self.path, "--elf", elf)
        self.assertRegex(text, r"┌> +[0-9a-f]{8}  nop\n")
        self.assertRegex(text, r"└─ +[0-9a-f]{8}  bnez +a5,0x[0-9a-f]+ <work_a\+\d+>\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
