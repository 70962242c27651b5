# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof diff of firmware in QEMU: nothing changed, and one function is slower.

Time goes by instructions (-icount), so that the load of this machine changes nothing but the moment at which a
snapshot ends; each run has a seed of its own for the order of the work and for the timer's jitter.
"""

import hashlib
import json
import math
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest

from chance import as_rarely
from support import FIRMWARE, HANG_S, count, mprof, start, stop, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
MANY = FIRMWARE / "cortex-m3-many.elf"
MOTOR = FIRMWARE / "motor.elf"  # it idles, and counts its iterations
SEED = (2463534242).to_bytes(4, "little")
NOTE = struct.pack("<3I", 4, 20, 3) + b"GNU\0"  # before a build-id
HITS = count(25000, 180000)
RUNS = 1  # several are judged by 2,000 rotations, which are never so sure
SLOWER = count(1.3, 1.1)
# A chance of one in a billion, where a test must not fail by chance: 6.2 standard deviations. The
# slower function is at least 15 of these away.
SURE = ("--fdr", "0.000000001", "--noise", "0")
MARGIN = 6.2 * SLOWER * math.sqrt(2 / (0.3 * RUNS * HITS))
# A gate stops nothing that did not change in 95 % of diffs: with so many points more, in all but one of a billion.
POINTS = 100 * 6.2 * math.sqrt(2 * 0.25 / (RUNS * HITS))
# At most this part of diffs of equal firmware has any mark, and is stopped by a gate.
ERROR = 0.05
PAIRS = 20


def movw(code):
    """The number in a Thumb movw, and its register; None: it is none."""
    first, second = struct.unpack("<HH", code)
    if first & 0xfbf0 != 0xf240 or second & 0x8000:
        return None
    number = (first & 15) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 255
    return number, second >> 8 & 15


def movw_code(number, register):
    return struct.pack("<HH", 0xf240 | (number >> 12) | (number >> 11 & 1) << 10,
                       (number >> 8 & 7) << 12 | register << 8 | number & 255)


def slower(image, name, factor):
    """The bytes of the ELF with more turns in one function: its code is loaded at address 0."""
    address, size = symbols(ELF)[name]
    offset, = struct.unpack_from("<I", image, struct.unpack_from("<I", image, 28)[0] + 4)
    for at in range(offset + (address & ~1), offset + (address & ~1) + size, 2):
        found = movw(image[at:at + 4])
        if found and found[0] >= 1000:
            return image[:at] + movw_code(int(found[0] * factor), found[1]) + image[at + 4:]
    raise AssertionError(f"{name} does not load its number of turns by movw")


class OnQemu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.random = random.Random(11)
        self.number = 0

    def build(self, image):
        """An ELF with a seed of its own; its build-id is of all but the seed."""
        self.number += 1
        self.assertGreater(image.count(SEED), 0)
        elf = self.folder / f"{self.number}.elf"
        note = image.index(NOTE) + len(NOTE)
        image = image[:note] + hashlib.sha1(image).digest() + image[note + 20:]
        elf.write_bytes(image.replace(SEED, self.random.randrange(1, 1 << 32).to_bytes(4, "little")))
        return elf

    def boot(self, elf, shift=9):
        """Starts the firmware: (port, QEMU). An instruction takes 2^shift ns."""
        self.number += 1
        port = f"{self.folder}/{self.number}.qmp"
        qemu = subprocess.Popen(
            ["qemu-system-arm", "-M", "mps2-an385", "-kernel", str(elf), "-display", "none", "-monitor",
             "none", "-serial", "none", "-icount", f"shift={shift}", "-qmp", f"unix:{port},server=on,wait=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(stop, qemu)
        wait_for("QEMU", lambda: pathlib.Path(port).exists())
        wait_for("mprof_init()", lambda: mprof("report", "--elf", elf, "--qmp", port).returncode == 0)
        return port, qemu

    def begin(self, image):
        """Starts the firmware and a snapshot of it: (path, mprof, QEMU)."""
        elf = self.build(image)
        port, qemu = self.boot(elf)
        path = f"{elf}.pb.gz"
        return path, start("snapshot", "--elf", elf, "--qmp", port, "-o", path, "--hits", HITS), qemu

    def snapshot(self, image):
        path, process, qemu = self.begin(image)
        try:
            _, err = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
            stop(qemu)
        self.assertEqual(process.returncode, 0, err)
        return path

    def diff(self, *words, status=0):
        whole, said, ended = self.gated(*words)
        self.assertEqual(ended, status, said)
        return whole, said

    def gated(self, *words):
        """(what it found, what it said, its status): 3 if a gate stops it."""
        done = mprof("diff", *words, "--format", "json")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return json.loads(done.stdout), done.stderr, done.returncode

    def test_same_and_slower(self):
        image = ELF.read_bytes()
        slow = slower(image, "work_b", SLOWER)
        base, same = ([self.snapshot(image) for _ in range(RUNS)] for _ in range(2))
        newer = [self.snapshot(slow) for _ in range(RUNS)]

        whole, _ = self.diff("--base", *base, "--new", *same, *SURE, "--fail-above", f"+{POINTS:.2f}pp")
        self.assertEqual(whole["significant"], 0, whole["rows"])
        self.assertGreaterEqual(whole["base"]["hits"], RUNS * HITS)
        self.assertEqual(whole["base"]["rate"], 1000)

        whole, said = self.diff("--base", *base, "--new", *newer, *SURE, "--fail-above", "work_*=+5%",
                                status=3)
        rows = {row["function"]: row for row in whole["rows"]}
        self.assertEqual([name for name, row in rows.items() if row["significant"]], ["work_b"])
        slow = rows["work_b"]
        self.assertAlmostEqual(slow["ratio"], SLOWER, delta=MARGIN)
        self.assertAlmostEqual(slow["delta"], 0.3 * (SLOWER - 1), delta=0.4 * MARGIN)
        print(f"counted: {3 * RUNS * HITS} samples")
        self.assertEqual(slow["state"], "both")
        self.assertEqual(whole["rows"][0]["function"], "work_b")
        self.assertLess(rows["work_a"]["share_change"], 0)
        self.assertRegex(said, r"^mprof: gate: work_b changed by \+\d+\.\d % .*: above work_\*=\+5%; if .*\n"
                               r"(mprof: gate: open: .*\n)*$")

    def take(self, elf, port, *more):
        self.number += 1
        path = f"{self.folder}/{self.number}.pb.gz"
        done = mprof("snapshot", "--elf", elf, "--qmp", port, "-o", path, "--hits", "4000", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def rare(self, what, number, total):
        """Events of diffs, each of runs of its own. Fails by chance once in a billion runs."""
        self.assertTrue(as_rarely(number, total, ERROR), f"{number} of {total} diffs {what}")

    @unittest.skipUnless(count(0, 1), "make soak")
    def test_faster_and_idle(self):
        """A function of firmware that idles takes half as many turns: idle rises, and no gate stops
        that. Its main loop waits, too."""
        image = MOTOR.read_bytes()
        turns = image.index(bytes.fromhex("0822 11f801cf 83ea0c03"))  # movs r2, #8; ldrb; eor
        marked, stopped = ({"second": 0, "iteration": 0} for _ in range(2))
        for _ in range(PAIRS):
            sides = []
            for code in (image, image[:turns] + b"\4" + image[turns + 1:]):
                elf = self.build(code)
                port, qemu = self.boot(elf, shift=3)
                sides.append(self.take(elf, port, "--sampler", "table", "--runs", "3", "--settle", "0s"))
                stop(qemu)
            for per in marked:
                whole, _, status = self.gated(*sides, "--per", per, "--idle", "main", "--fail-above", "*=+5%")
                rows = {row["function"]: row for row in whole["rows"]}
                self.faster(rows)
                marked[per] += any(row["verdict"] for name, row in rows.items() if name != "crc32_update")
                stopped[per] += status != 0
        for per in marked:
            self.rare(f"per {per} mark another function", marked[per], PAIRS)
            self.rare(f"per {per} are stopped by a gate", stopped[per], PAIRS)
        print(f"counted: {2 * PAIRS} diffs with less work and more idle, {sum(marked.values())} with another mark, "
              f"{sum(stopped.values())} stopped by a gate")

    def faster(self, rows):
        """The change is -45 %, give or take 6.2 standard deviations of its hits."""
        crc, idle = rows["crc32_update"], rows["idle"]
        self.assertEqual(crc["verdict"], "less")
        off = 6.2 * 0.55 * math.sqrt(1 / crc["base_hits"] + 1 / crc["new_hits"])
        self.assertAlmostEqual(crc["change"], -0.45, delta=off + 0.02)
        self.assertGreater(idle["change"], 0.3)

    @unittest.skipUnless(count(0, 1), "make soak")
    def test_ran_on_and_fresh(self):
        """One firmware with more functions than its table has rows: what a board that ran on has in
        it is no change against fresh boots."""
        image = MANY.read_bytes()
        marked = stopped = 0
        ran_on = self.build(image)
        old = self.boot(ran_on)[0]
        for _ in range(100):
            base, newer = self.take(ran_on, old, "--runs", "3", "--settle", "0s"), []
            for _ in range(3):
                elf = self.build(image)
                port, qemu = self.boot(elf)
                newer.append(self.take(elf, port))
                stop(qemu)
                elf.unlink()
            whole, _, status = self.gated("--base", base, "--new", *newer, "--fail-above", "*=+5%")
            self.assertGreater(whole["base"]["dropped"], 0)
            marked += whole["significant"] > 0
            stopped += status != 0
        self.rare("of equal firmware have a mark", marked, 100)
        self.rare("of equal firmware are stopped by a gate", stopped, 100)
        print(f"counted: 100 diffs of boards that ran on, {marked} marked, {stopped} stopped by a gate")


if __name__ == "__main__":
    unittest.main()
