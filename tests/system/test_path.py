# SPDX-License-Identifier: GPL-3.0-or-later
"""The path that docs/tour.md shows, walked: what a person must see on each screen, without numbers that
another run would not have."""

import pathlib
import tempfile
import unittest

from blocks_rig import HEARTBEAT
from record_path import CHANGE, LINE, ROW, SLOW, Path, found
from rig import Rig, Tcl
from support import MPROF, symbols
from terminal import Terminal



class Tour(unittest.TestCase):
    def test_path(self):
        with tempfile.TemporaryDirectory() as folder, Rig(SLOW, icount=3) as rig, \
                Terminal(80, 24) as terminal:
            path = Path(terminal, rig, folder, 5000, "-d 0.2")
            self.hot_function(path.start())
            self.hot_line(path.enter())
            self.assertEqual(rig.stat()["halts"], 0)
            self.nothing_yet(self.compared_standing_still(path, rig))
            self.assertIn("using names of the ELF loaded before", " ".join(path.build().split()))
            self.difference(path.reflash())
            terminal.type("q")
            terminal.wait("its end", lambda: terminal.ask("alternate_on") == "0")

    def hot_function(self, screen):
        """The first row, by far; what an interrupt does and what waits stand below, apart."""
        self.assertRegex(screen, r"^mprof top   motor\.elf [0-9a-f]{7} \(= flash\)   mps2\.cpu arm   RUNNING\n")
        rows = found(ROW, screen)
        self.assertEqual((rows[0]["function"], rows[0]["place"]), ("crc32_update", "crc.c:34"), screen)
        self.assertGreater(float(rows[0]["share"]), 2 * float(rows[1]["share"]))
        self.assertRegex(screen, r"(?s)crc32_update .*── interrupts .*External_Handler .*── idle .*\bidle "
                                 r".*main\.c:\d+\n")

    def hot_line(self, screen):
        """Of the source lines, the bit by bit loop; the cursor's place is on the screen."""
        self.assertRegex(screen, r"^crc32_update  [\d.]+ % (\u00b1|\[)")
        lines = [(float(line["most"] or line["share"]), line["place"], line["source"])
                 for line in found(LINE, screen)]
        most = max(lines)[0]
        # It shares a block with the loop's end.
        source, = [source for share, place, source in lines if (share, place) == (most, "crc.c:27")]
        self.assertRegex(source, r"^crc = crc & 1 \?")
        self.assertGreater(most, 40)

    @staticmethod
    def compared_standing_still(path, rig):
        """The core is halted while its table is read: on a busy machine a row that is read a second
        behind another one has more than its share."""
        prof = symbols(SLOW)["s_prof"][0]
        path.back()
        with Tcl(rig.tcl_port) as tcl:
            tcl.halt_outside_interrupts()
            base, = tcl.read(prof + HEARTBEAT)
            path.until("the base", lambda screen: "HALTED" in screen and path.taken(screen) == base)
            path.take_base()
            tcl.resume()
            path.compared(path.counted)
            tcl.halt_outside_interrupts()
            now, = tcl.read(prof + HEARTBEAT)
            screen = path.compared(lambda screen: path.taken(screen) == now - base)
            tcl.resume()
            return screen

    def nothing_yet(self, screen):
        """One firmware against itself: no change is 6.3 standard deviations from nothing, of which
        the interval that is shown has two to each side: once in a billion runs a row is, by chance."""
        self.assertRegex(screen, r", per iteration, since\s\d\d:\d\d:\d\d")
        rows = {row["function"]: row for row in found(CHANGE, screen)}
        self.assertIn("crc32_update", rows)
        for row in rows.values():
            half = (float(row["high"]) - float(row["low"])) / 2
            self.assertLess(abs(float(row["change"])), 3.2 * half, screen)

    def difference(self, screen):
        """The function that was changed is marked, with an interval that is far from nothing."""
        self.assertRegex(screen, r"^mprof top   motor\.elf [0-9a-f]{7} \(= flash\) ")
        self.assertRegex(screen, r"\d of \d+ functions changed: \d more, \d less, per iteration")
        row = {row["function"]: row for row in found(CHANGE, screen)}["crc32_update"]
        self.assertEqual(row["mark"], "less", screen)
        self.assertLess(float(row["low"]), float(row["change"]))
        self.assertLess(float(row["high"]), -50)
        self.assertLess(float(row["new"]), float(row["base"]) / 2)

    def test_base_of_the_store(self):
        """What w has written into the folder of --store is a base by its number there."""
        with tempfile.TemporaryDirectory() as folder, Rig(SLOW, icount=3) as rig, \
                Terminal(80, 24) as terminal:
            terminal.command(f"cd {folder}; {MPROF} top --elf {SLOW} --gdb :{rig.gdb_port} "
                             f"--tcl :{rig.tcl_port} --sampler table --store perf -d 0.2")
            terminal.shows("crc32_update")
            terminal.type("w")
            terminal.wait("the file", lambda: list(pathlib.Path(folder, "perf").glob("*.pb.gz")))
            file, = pathlib.Path(folder, "perf").glob("*.pb.gz")
            terminal.type(":")
            terminal.type("-l", "baseline @0")
            terminal.type("Enter")
            terminal.shows(rf"compared with {file.name}")
            terminal.type("q")
            terminal.wait("its end", lambda: terminal.ask("alternate_on") == "0")


unittest.main()
