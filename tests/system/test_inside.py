# SPDX-License-Identifier: GPL-3.0-or-later
"""A core halted in the middle of an insertion: mprof shows no row that is half one, half another."""

import struct
import unittest

from rig import Rig
from support import FIRMWARE, Gdb, count, counted, json_lines, mprof, symbols, wait_for

ELF = FIRMWARE / "cortex-m3-many.elf"
ROWS, ROW = 256, 12
FIRST = 112 + 16 + 16  # header, directory and what leads the rows


class Inside(unittest.TestCase):
    def rows(self, gdb):
        """Rows as (addr, hits, links), read apart from the program's decoder. The table is full."""
        data = b""
        while len(data) < ROWS * ROW:
            data += gdb.read(self.table + FIRST + len(data), min(1024, ROWS * ROW - len(data)))
        return list(struct.iter_unpack("<3I", data))

    def shown(self, port):
        result = mprof("top", "--elf", ELF, "--gdb", f":{port}", "-n", "1", "--by", "address",
                       "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json_lines(result.stdout)[0]["rows"]
        return {(int(row["address"], 16), row["hits"]) for row in rows}

    @staticmethod
    def connect(port):
        gdb = Gdb(port)
        gdb.attach()
        gdb.ask("qXfer:features:read:target.xml:0,ffb")  # QEMU knows p only after this
        return gdb

    @staticmethod
    def register(gdb, number):
        return int.from_bytes(bytes.fromhex(gdb.ask(f"p{number:x}")), "little")

    def step_through_miss(self, gdb, port):
        """From the entry of the stub's miss_items() to its end. Each time that a row is being written, its
        address is odd, the core is left halted and mprof looks at it. Returns the new connection, and
        what mprof showed each time."""
        seen = []
        for _ in range(400):
            gdb.ask("s")
            if any(addr & 1 for addr, _, _ in self.rows(gdb)):
                gdb.close()  # QEMU stays halted
                seen.append(self.shown(port))
                gdb = self.connect(port)
            if not self.miss <= self.register(gdb, 15) < self.miss + self.miss_size:
                return gdb, seen
        self.fail("miss_items() did not return")

    def test_every_instruction(self):
        table = symbols(ELF)
        self.table, _ = table["s_prof"]
        miss, = [at for name, at in table.items() if name.startswith("miss_items")]
        self.miss, self.miss_size = miss[0] & ~1, miss[1]
        replaced, looks = 0, 0
        with Rig(ELF, qemu_gdb=True, icount=10, fast=True) as qemu:
            port = qemu.gdb_port

            def full():
                out = mprof("top", "--elf", ELF, "--gdb", f":{port}", "-n", "1", "--format", "json")
                # Before mprof_init() there is nothing to show.
                return out.returncode == 0 and json_lines(out.stdout)[-1]["unattributed"]["dropped"] > 50
            wait_for("a full table", full)
            gdb = self.connect(port)
            self.assertEqual(gdb.ask(f"Z1,{self.miss:x},2"), "OK")
            for _ in range(400):
                gdb.ask("c")
                before = self.rows(gdb)
                gdb, seen = self.step_through_miss(gdb, port)
                known = {row[:2] for row in before + self.rows(gdb)}
                for rows in seen:
                    self.assertLessEqual(rows, known)
                    self.assertEqual(len(rows), ROWS - 1)
                replaced += bool(seen)
                looks += len(seen)
                if replaced == count(2, 20):
                    break
            gdb.ask(f"z1,{self.miss:x},2")
            gdb.detach()
        counted(f"{replaced} rows given to another address, looked at {looks} times in the middle of it")
        self.assertGreater(replaced, 0)
        self.assertGreater(looks, 5 * replaced)


if __name__ == "__main__":
    unittest.main()
