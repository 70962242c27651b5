# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of the first articles, without a magic: read by their types, on a core and on this host."""

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from blocks_rig import ICOUNT
from case import Case
from chance import plausible
from process import SHARES, Process
from rig import Rig
from support import (BUILD, HANG_S, Gdb, count, json_lines, mprof, start, stop, symbols,
                     wait_for)

ELF = BUILD / "tests" / "core" / "firmware" / "articles.elf"
PIE, FIXED = (BUILD / "tests" / "system" / f"articles-{name}" for name in ("pie", "no-pie"))


@contextlib.contextmanager
def core(*arguments):
    """A plain QEMU with a gdb port, and QMP on a unix socket (rig.qmp)."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/qmp"
        with Rig(ELF, qemu_gdb=True, icount=ICOUNT,
                 qemu_args=("-qmp", f"unix:{path},server=on,wait=off", *arguments)) as rig:
            rig.qmp = path
            yield rig


class OneLine(Case):

    def check_shares(self, report):
        rows = {row["function"]: row for row in report["rows"]}
        for name, share in SHARES:
            self.assertTrue(plausible(rows[name]["hits"], report["hits"], share), (rows[name], report["hits"]))
            self.assertIsNotNone(rows[name]["rate"])


def has_hits(*link, hits):
    """The report when there are so many; before the first one the table cannot be told from RAM."""
    def enough():
        result = mprof("report", *link, "--format", "json")
        if result.returncode != 0 and "no hits yet" in result.stderr:
            return None
        assert result.returncode == 0, result.stderr
        report = json.loads(result.stdout)
        return report if report["hits"] >= hits else None
    return wait_for("hits", enough)


class OnACore(OneLine):
    def test_both_tables(self):
        with core() as rig:
            link = ("--elf", ELF, "--qmp", rig.qmp)
            has_hits(*link, hits=2000)
            samples = json_lines(mprof("top", *link, "-n", "3", "-d", "0.05", "--format",
                                       "json").stdout)
            calls = json_lines(mprof("top", *link, "--symbol", "call_prof", "-n", "2", "-d", "0.02",
                                     "--format", "json").stdout)
            halting = ("--elf", ELF, "--gdb", f":{rig.gdb_port}")
            by_halts = mprof("report", *halting, "--format", "json")
            first = self.calls(*halting)
            later = wait_for("100 more rounds", lambda: (now := self.calls(*halting)) and
                             now["work_a"] >= first["work_a"] + 100 and now)
            text = mprof("report", *link).stdout
        last = samples[-1]
        self.check_shares(last)
        # Decay may be seen in so many refreshes, or not.
        self.assertIn(last["unit"], ("samples", "counts"))
        self.assertEqual(last["unattributed"], {"ignored": 0, "dropped": None, "sleeping": None})
        self.assertEqual({line["restarts"] for line in samples}, {0})
        self.assertNotIn("dropped", text)
        by_halts = json.loads(by_halts.stdout)
        self.assertGreaterEqual(by_halts["hits"], last["hits"])
        self.assertGreater(by_halts["link"]["halts"], 0)

        last = calls[-1]
        # Counts of whole rounds have a common divisor, which may as well be what a call adds.
        self.assertIn(last["unit"], ("calls", "counts"))
        rounds = later["work_a"] - first["work_a"]
        for name, times in (("work_b", 2), ("work_c", 4)):
            # A round may be going on.
            self.assertLessEqual(abs(later[name] - first[name] - times * rounds), times)
        for row in last["rows"]:
            self.assertEqual(row["low"], row["high"])
            self.assertEqual(int(row["address"], 16) % 2, 0)
            self.assertIsNotNone(row["rate"])

    @staticmethod
    def calls(*link):
        done = mprof("report", *link, "--symbol", "call_prof", "--format", "json")
        return {row["function"]: row["hits"] for row in json.loads(done.stdout)["rows"]}

    def test_rows_that_move_and_a_reset(self):
        """Read as fast as it goes, no refresh lacks the hits of a row that is on its way up."""
        with core() as rig:
            link = ("--elf", ELF, "--qmp", rig.qmp, "--format", "json")
            has_hits(*link[:-2], hits=100)
            for symbol in ("s_prof", "call_prof"):
                lines = json_lines(mprof("top", *link, "--symbol", symbol, "-n", count("50", "2000"),
                                         "-d", "0.01").stdout)
                self.assertEqual(len(lines), int(count("50", "2000")))
                hits = [line["hits"] for line in lines]
                # Decay takes one hit in 64.
                self.assertEqual([pair for pair in zip(hits, hits[1:]) if pair[1] < pair[0] - 1], [])
                self.assertEqual({line["restarts"] for line in lines}, {0})
            has_hits(*link[:-2], hits=1000)
            gdb = Gdb(rig.gdb_port)
            gdb.attach()
            top = start("top", *link, "-n", "100000", "-d", "0.02")
            try:
                before = json.loads(top.stdout.readline())["hits"]
                # It stands after a few hits of the new run, until these were seen.
                place = f"1,{symbols(ELF)['articles_tick'][0] & ~1:x},2"
                self.assertEqual(gdb.ask("Z" + place), "OK")
                gdb.send("c")
                rig.reset()
                self.assertTrue(gdb.packet().startswith("T05"))
                for _ in range(5):
                    gdb.ask("s")
                    self.assertTrue(gdb.ask("c").startswith("T05"))
                after = self.first_after_restart(top)
                self.assertEqual(gdb.ask("z" + place), "OK")
                gdb.detach()
                top.terminate()
                self.assertIn("has restarted", top.communicate(timeout=HANG_S)[1])
            finally:
                stop(top)
            self.assertGreaterEqual(before, 1000)
            self.assertIn(after["hits"], range(1, 6))

    @staticmethod
    def first_after_restart(top):
        for line in top.stdout:
            shown = json.loads(line)
            if shown["restarts"] == 1:
                return shown
        raise AssertionError("top has ended")

    def test_nothing_counted_yet(self):
        with core("-S") as rig:
            self.refused(mprof("report", "--elf", ELF, "--qmp", rig.qmp), "waiting for hits", "s_prof",
                         "no hits yet")

    def test_types_that_do_not_fit(self):
        with tempfile.TemporaryDirectory() as folder, core() as rig:
            plain = pathlib.Path(folder, "plain.elf")
            subprocess.run(["arm-none-eabi-objcopy", "--strip-debug", ELF, plain], check=True)
            link = ("--qmp", rig.qmp)
            has_hits("--elf", ELF, *link, hits=1)
            for symbol in ("s_prof", "call_prof"):
                self.refused(mprof("report", "--elf", plain, *link, "--symbol", symbol), symbol,
                             "build the firmware with -g")
            self.refused(mprof("report", "--elf", ELF, *link, "--symbol", "data_start"),
                         "'data_start' is not a table of hits", "base_addr", "hit_cnt")
            self.refused(mprof("report", "--elf", ELF, *link, "--symbol", "nobody"), "no symbol 'nobody'")
            for grain in ("0", "3", "131072", "x"):
                self.refused(mprof("report", "--elf", ELF, *link, "--block-size", grain),
                             f"'{grain}' is not a power of two", status=2)


class OnThisHost(OneLine):
    def test_64_bits_anywhere(self):
        with Process(PIE) as process:
            has_hits("--elf", PIE, "--pid", process.pid, hits=300)
            for options in ((), ("--symbol", "prof_pointer"), ("--block-size", "16")):
                result = mprof("top", "--elf", PIE, "--pid", process.pid, "-n", "3", "-d", "0.02",
                               "--format", "json", *options)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                last = json_lines(result.stdout)[-1]
                self.check_shares(last)
                self.assertGreater(int(last["rows"][0]["address"], 16), 1 << 32)
            self.assertEqual(symbols(PIE, "nm")["s_prof"][1], 8 + 30 * 16)

    def test_dump(self):
        with Process(FIXED) as process:
            report = has_hits("--elf", FIXED, "--pid", process.pid, hits=500)
            data = process.dump()
        self.assertGreaterEqual(int.from_bytes(data[:4], "little"), report["hits"])
        rows = [data[at:at + 16] for at in range(8, len(data), 16)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "dump")
            def of(*parts):
                path.write_bytes(b"".join(parts))
                return mprof("report", "--elf", FIXED, "--raw", path, "--format", "json")
            taken = json.loads(of(data).stdout)
            self.assertEqual(taken["hits"],
                             sum(int.from_bytes(row[8:12], "little") for row in rows))
            # The order of rows and what else they hold mean nothing; an address is one row.
            moved = [row[:12] + b"\xee" * 4 for row in reversed(rows)]
            self.assertEqual(json.loads(of(data[:8], *moved).stdout)["rows"], taken["rows"])
            self.assertEqual(json.loads(of(b"\xff" * 8, *rows[:-1], rows[0]).stdout)["rows"],
                             json.loads(of(b"\xff" * 8, *rows[:-1], bytes(16)).stdout)["rows"])
            self.refused(of(bytes(len(data))), "no hits yet")
            strange = b"\x00\x11\x22\x33\x44\x55\x66\x77" + rows[0][8:]
            self.refused(of(data[:8], *[strange[:i % 7] + bytes([i]) + strange[i % 7 + 1:]
                                        for i in range(30)]), "addresses without code", "0x")
            self.refused(of(data[:-16]), f"has {len(data) - 16} bytes")


class Unsure(OneLine):
    """Tables that do not say what they lost, and counts in a unit of their own."""

    def report(self, rows, *options):
        code = symbols(FIXED, "nm")["_start"][0]
        data = bytes(8) + b"".join((code + 16 * i).to_bytes(8, "little") + hits.to_bytes(4, "little") +
                                   bytes(4) for i, hits in enumerate(rows))
        path = pathlib.Path(self.folder, "dump")
        path.write_bytes(data.ljust(8 + 30 * 16, b"\0"))
        source = ("--elf", FIXED, "--raw", path)
        if options:
            self.assertEqual(mprof("snapshot", *source, *options).returncode, 0)
            source = options[-1:]
        return (mprof("report", *source).stdout,
                json.loads(mprof("report", *source, "--format", "json").stdout))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_full(self):
        for options in ((), ("-o", f"{self.folder}/full.pb.gz")):
            text, report = self.report([1000 - i for i in range(30)], *options)
            self.assertIn("shares may be far off, no intervals: the table is full", text)
            self.assertEqual({(row["low"], row["high"]) for row in report["rows"]}, {(None, None)})
            # One reading does not tell whether hits fade, and so how much a hit adds.
            self.assertIn(f"{sum(range(971, 1001))} counts", text)
            self.assertEqual(report["unit"], "counts")

    def test_not_full(self):
        text, report = self.report([1000 - i for i in range(29)])
        self.assertNotIn("intervals", text)
        self.assertEqual(report["unit"], "samples")
        self.assertNotIn(None, {row["low"] for row in report["rows"]})

    def test_hits_that_add_16(self):
        _, by_16 = self.report([16 * (1000 - i) for i in range(29)])
        _, by_1 = self.report([1000 - i for i in range(29)])
        self.assertEqual((by_16["unit"], by_16["rows"]), (by_1["unit"], by_1["rows"]))
        # Of a few rows it may be chance.
        text, few = self.report([16 * (1000 - i) for i in range(9)])
        self.assertIn("no intervals: the table adds an unknown number for each hit", text)
        self.assertEqual((few["unit"], few["hits"]), ("counts", sum(16 * (1000 - i) for i in range(9))))


class Dumps(OneLine):
    """A dump of a made-up table, of every byte order and width; the ELF files of the unit tests."""

    def dump(self, name, order, width):
        elf = BUILD / "tests" / "unit" / "tables" / name
        if not elf.exists():
            self.skipTest(f"{name} was not built")
        start = symbols(elf, "nm")["_start"]
        rows = [(start[0] + 4 * i, 100 * i + 1) for i in range(4)]
        data = bytes(8) + b"".join(addr.to_bytes(width, order) + hits.to_bytes(4, order) + b"\xee" * 4
                                   for addr, hits in rows)
        size = symbols(elf, "nm")["snake_prof"][1]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "dump")
            path.write_bytes(data.ljust(size, b"\0"))
            result = mprof("report", "--elf", elf, "--raw", path, "--symbol", "snake_prof", "--format",
                           "json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        report = json.loads(result.stdout)
        self.assertEqual([(row["function"], int(row["address"], 16), row["hits"])
                          for row in report["rows"]],
                         [("_start", start[0] & ~1, sum(hits for _, hits in rows))])

    def test_host(self):
        self.dump("tables.elf", sys.byteorder, 8)

    def test_arm(self):
        self.dump("tables_arm.elf", "little", 4)

    def test_arm_big_endian(self):
        self.dump("tables_be8.elf", "big", 4)

    def test_riscv_64(self):
        self.dump("tables_rv64.elf", "little", 8)


if __name__ == "__main__":
    unittest.main()
