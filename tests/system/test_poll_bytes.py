# SPDX-License-Identifier: GPL-3.0-or-later
"""A poll over OpenOCD reads the rows in use, and no more of the table. Prints the bytes, and the time
beside that of reading the whole table in the same run.

usage: test_poll_bytes.py FOLDER, with fill-256 and fill-2048.elf
"""

import json
import re
import statistics
import sys
import threading
import time
import unittest

from rig import Rig, Tcl
from support import HANG_S, MPROF, count, counted, mprof, symbols, wait_for
from terminal import Terminal
from wire import Wire

FOLDER, = sys.argv[1:]
MAGIC = 0x6672706d
HEAD, ROW = 144, 12
# What the first poll reads before it knows how many rows are in use.
FIRST = 512
# Rows behind those in use, which may be new.
MORE = 4
FREE = 136  # where s_prof says how many rows are left
POLLS = count(2, 40)


class PollBytes(unittest.TestCase):
    def begin(self, items):
        self.elf = f"{FOLDER}/fill-{items}.elf"
        found = symbols(self.elf)
        self.prof, self.size = found["s_prof"]
        self.rows_wanted = found["fill_rows"][0]
        self.rig = Rig(self.elf).start()
        self.addCleanup(self.rig.stop)
        self.tcl = Tcl(self.rig.tcl_port)
        self.addCleanup(self.tcl.close)
        wait_for("mprof_init()", lambda: self.tcl.read(self.prof)[0] == MAGIC)

    def fill(self, items, rows):
        self.tcl.write(self.rows_wanted, [rows])
        wait_for(f"{rows} rows", lambda: self.tcl.read(self.prof + FREE)[0] == items - rows)

    def read(self, wire):
        """Bytes of s_prof that were asked for."""
        return self.asked(b"".join(bytes(data) for ours, data in wire.stretches if ours))

    def asked(self, requests):
        return sum(int(width) // 8 * int(number) for addr, width, number
                   in re.findall(r"read_memory 0x([0-9a-f]+) (\d+) (\d+)", requests.decode())
                   if self.prof <= int(addr, 16) < self.prof + self.size)

    def poll(self, polls):
        """Bytes of s_prof that mprof read for so many polls; milliseconds of each."""
        with Wire(self.rig.tcl_port) as wire:
            shown = mprof("top", "-b", "--elf", self.elf, "--gdb", f":{self.rig.gdb_port}", "--tcl",
                          f":{wire.port}", "-d", "0.01", "-n", polls, "--format", "json")
            self.assertEqual(shown.returncode, 0, shown.stderr)
        return self.read(wire), [json.loads(line)["link"]["poll_ms"] for line in shown.stdout.splitlines()]

    def whole_ms(self):
        begin = time.perf_counter()
        self.tcl.read_bytes(self.prof, self.size)
        return (time.perf_counter() - begin) * 1e3

    def check(self, items, rows):
        first, _ = self.poll(2)
        read, times = self.poll(2 + POLLS)
        whole = statistics.median(self.whole_ms() for _ in range(POLLS))
        each = (read - first) / POLLS
        ratio = statistics.median(times[2:]) / whole
        counted(f"{rows} of {items} rows: {each:.0f} of {self.size} bytes a poll, {ratio:.2f} of the "
                "time of the whole table")
        self.assertEqual(each, HEAD + ROW * min(rows + MORE, items), rows)
        self.assertEqual(first, FIRST + 2 * each, rows)

    def test_256_rows(self):
        self.begin(256)
        for rows in (11, 100, 256):
            self.fill(256, rows)
            self.check(256, rows)

    def test_2048_rows(self):
        self.begin(2048)
        self.fill(2048, 11)
        self.check(2048, 11)

    def test_quitting_gives_up_a_read(self):
        """The rows come by several requests; after q no more are sent."""
        self.begin(2048)
        self.fill(2048, 2048)
        reading, left, held = threading.Event(), threading.Event(), []

        def hold(is_ours, data):
            if is_ours and b"read_memory" in data and self.read(wire) >= FIRST:
                held.append(data)
                reading.set()
                left.wait(HANG_S)
            return data

        with Wire(self.rig.tcl_port, hold) as wire, Terminal() as t:
            t.command(f"{MPROF} top --elf {self.elf} --gdb :{self.rig.gdb_port} --tcl :{wire.port}")
            self.assertTrue(reading.wait(HANG_S))
            t.type("q")
            t.shows("^mprof: waiting for the debug server to answer, to leave")
            before = self.read(wire)
            left.set()
            t.shows(r"^\$ *$")
            self.assertEqual(self.read(wire), before + self.asked(b"".join(held)))
            self.assertLess(self.read(wire), self.size) # the faster the server, the more at once


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
