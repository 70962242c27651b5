# SPDX-License-Identifier: GPL-3.0-or-later
"""A ring of calls that a program or firmware keeps itself, next to a counter: read by its types."""

import json
import pathlib
import signal
import subprocess
import tempfile
import unittest

from blocks_rig import ICOUNT
from case import Case
from rig import Rig
from support import BUILD, HANG_S, json_lines, mprof, start, stop, symbols

COUNTED, INDEX, POINTER, PLAIN = (BUILD / "tests" / "system" / f"ring-{name}"
                                  for name in ("counted", "index", "pointer", "plain"))
COUNTS = {COUNTED: 50, INDEX: 200, POINTER: 50, PLAIN: 51}  # records
FIRMWARE = BUILD / "tests" / "core" / "firmware" / "articles.elf"
JSON = ("--format", "json")


def made(begin, end):
    """(function, caller, arguments) of the calls of these numbers."""
    return [("second", "first", [at // 2 * 2]) if at % 2 else ("first", "main", [at // 2, None])
            for at in range(begin, end)]


def shown(lines, arguments=True):
    """The same of lines; addresses of strings are not known."""
    return [(line["function"], line["caller"],
             line["arguments"][:1] + [None] * (len(line["arguments"]) - 1) if arguments else None) for line in lines]


class Rings(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, elf, *rounds):
        process = subprocess.Popen([elf], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        for count in rounds:
            self.rounds(process, count)
        return process

    def rounds(self, process, count):
        process.stdin.write(f"{count}\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "done\n")

    def dump(self, elf, process, *names):
        """A file with these variables."""
        path, table = self.folder / "dump", symbols(elf, "nm")
        with open(f"/proc/{process.pid}/mem", "rb", buffering=0) as memory:
            data = b""
            for name in names:
                memory.seek(table[name][0])
                data += memory.read(table[name][1])
        path.write_bytes(data)
        return path

    def events(self, *words):
        done = mprof("trace", *words, *JSON)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json_lines(done.stdout), done.stderr

    def test_what_is_there(self):
        """In its order: not full yet, and after it has begun again."""
        for elf, symbol in (COUNTED, "tbuf"), (INDEX, "tbuf"), (POINTER, "tbuf,tcur"), (PLAIN, "calls_ring"):
            with self.subTest(elf.name):
                process = self.program(elf, 10)
                by_pid = ("--elf", elf, "--pid", process.pid, "--symbol", symbol)
                lines, said = self.events(*by_pid, "-n", "20")
                known = elf != PLAIN
                made_ = made(0, 20) if known else [(*one[:2], None) for one in made(0, 20)]
                self.assertEqual(shown(lines, known), made_)
                self.assertEqual([line["ticks"] for line in lines], list(range(20)) if known else [None] * 20)
                self.assertEqual({line["context"] for line in lines}, {None})
                self.assertEqual("have no times" in said, not known)
                self.assertEqual(said.count(f"the counter of {symbol} is taken to be {'tcur' if known else 'calls_head'};"),
                                 "," not in symbol)
                count = COUNTS[elf]
                self.rounds(process, count)
                made_ = made(count + 21, 2 * count + 20)
                # While it runs, the oldest record may be being written.
                lines, said = self.events(*by_pid, "-n", count - 1)
                self.assertEqual(shown(lines, known), made_ if known else [(*one[:2], None) for one in made_])
                self.assertEqual("begins at 0 again" in said, elf in (INDEX, POINTER), said)

    def test_dump(self):
        """All of it, with the newest record."""
        for elf in COUNTED, INDEX:
            count = COUNTS[elf]
            process = self.program(elf, 10, count)
            raw = "--elf", elf, "--symbol", "tbuf", "--raw", self.dump(elf, process, "tbuf", "tcur")
            lines, _ = self.events(*raw)
            self.assertEqual(shown(lines), made(count + 20, 2 * count + 20))
            done = mprof("trace", *raw, "--filter", "second", "--stop-at", "first", "-n", "9")
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 0), done.stderr)
            path = self.folder / f"{elf.name}.trace"
            self.assertEqual(mprof("trace", *raw, "--record", "-o", path).returncode, 0)
            self.assertEqual(self.events(path)[0], lines)
            self.assertRegex(mprof("trace", *raw).stdout.splitlines()[0], rf' main -> first\({count // 2 + 10}, "round"\)$')
            self.refused(mprof("report", *raw), "a ring of calls, which counts nothing: use 'mprof trace'")
            data = raw[-1].read_bytes()
            self.refused(mprof("trace", *raw[:-1], self.dump(elf, process, "tbuf")), "dump all of it, the ring and then")
            raw[-1].write_bytes((b"\x01\x02\x03\x04" * len(data))[:len(data)])
            self.assertRegex(self.refused(mprof("trace", *raw), "functions without code in the ELF"),
                             "^mprof: tbuf at 0x[0-9a-f]* cannot be used: ")

    def test_live(self):
        """New events as they come. All that are missing are counted, if the counter is of all calls."""
        for elf in COUNTED, POINTER, INDEX:
            process = self.program(elf, 5)
            trace = start("trace", "--elf", elf, "--pid", process.pid, "--symbol", "tbuf", *JSON)
            self.addCleanup(stop, trace)
            lines = [json.loads(trace.stdout.readline()) for _ in range(10)]
            for count in 3, 2080, 1:
                self.rounds(process, count)
            while not (lines[-1]["kind"] == "entry" and lines[-1]["ticks"] == 2 * 2089 - 1):
                lines.append(json.loads(trace.stdout.readline()))
                self.assertIn(lines[-1]["kind"], ("entry", "lost"))
            trace.send_signal(signal.SIGINT)
            trace.communicate(timeout=HANG_S)
            ticks, missing = -1, 0
            for line in lines:
                if line["kind"] == "lost":
                    missing += line["count"]
                    continue
                gone = line["ticks"] - ticks - 1
                self.assertTrue(gone == missing if elf == COUNTED else gone >= missing, (line, missing))
                self.assertEqual(shown([line]), made(line["ticks"], line["ticks"] + 1))
                ticks, missing = line["ticks"], 0

    def test_counter_of_16_bits(self):
        """It begins at 0 again, which is no restart, and in another record than the one after the last."""
        process = self.program(PLAIN, 30)
        trace = start("trace", "--elf", PLAIN, "--pid", process.pid, "--symbol", "calls_ring", *JSON)
        self.addCleanup(stop, trace)
        number, after = 60 - COUNTS[PLAIN] + 1, [30 * 2]
        for count in 15000, 15000, 2730, 1, 3, 8, 1:
            while number < after[-1]:
                line = json.loads(trace.stdout.readline())
                if line["kind"] == "entry":
                    self.assertEqual(line["function"], ("first", "second")[number % 2])
                self.assertIn(line["kind"], ("entry", "lost"))
                number += line.get("count", 1)
            self.assertEqual(number, after[-1])
            self.rounds(process, count)
            after.append(after[-1] + 2 * count)

    def test_refused(self):
        process = self.program(COUNTED, 10)
        plain = self.folder / "plain"
        subprocess.run(["objcopy", "--strip-debug", COUNTED, plain], check=True)
        for elf, symbol, texts in (
                (plain, "tbuf", ("tbuf",)),
                (COUNTED, "tbuf,nosuch", ("no counter 'nosuch' of the ring 'tbuf'", "--symbol tbuf,NAME")),
                (COUNTED, "tbuf,tbuf", ("bytes: not a counter",)),
                (COUNTED, "tcur", ("'tcur' is not a table of hits", "nor a ring of calls", "callee", "caller")),
                (COUNTED, "nobody,tcur", ("no symbol 'nobody'",))):
            with self.subTest(symbol):
                self.refused(mprof("trace", "--elf", elf, "--pid", process.pid, "--symbol", symbol, "--wait", "0"),
                             *texts)


    def test_what_no_ring_has(self):
        """Exits, times in seconds; and what a target sends is the stub's trace."""
        path = self.put("any", bytes(50 * 40 + 4))
        seconds = "needs times in seconds, and nothing tells the rate of the clock of tbuf"
        for words, text in (
                (("--raw", path, "--depth", "1"), "--depth needs exits of functions"),
                (("--raw", path, "--below", "first"), "--below needs exits of functions"),
                (("--raw", path, "--min", "1us"), f"--min {seconds}"),
                (("--raw", path, "--start-at", "first%return"), "--start-at needs exits of functions"),
                (("--raw", path, "--stop-at", "first>1us"), f"--stop-at {seconds}"),
                (("--records", path), "tbuf is a ring of calls of the firmware's own: leave out --symbol")):
            with self.subTest(words):
                self.refused(mprof("trace", "--elf", COUNTED, "--symbol", "tbuf,tcur", *words), text)


class Firmware(Case):
    PATTERN = [name for one in ("a", "b", "b", "c", "c", "c", "c") for name in (f"work_{one}", "work")]

    def check(self, *link):
        done = mprof("trace", "--elf", FIRMWARE, *link, "--symbol", "tbuf", "-n", "600", *JSON)
        self.assertEqual(done.returncode, 0, done.stderr)
        calls, missing, ticks = [], 0, None
        for line in json_lines(done.stdout):
            if line["kind"] == "lost":
                missing += line["count"]
                continue
            gone = line["ticks"] - ticks - 1 if calls else missing
            self.assertEqual((gone, line["caller"], line["context"]), (missing, "main", None))
            ticks, missing = line["ticks"], 0
            calls.append((ticks, line["function"]))
        self.assertEqual(len(calls), 600)
        size = len(self.PATTERN)
        self.assertTrue(any(calls == [(at, self.PATTERN[(phase + at) % size]) for at, _ in calls]
                            for phase in range(size)), calls)

    def test_firmware(self):
        """On a core that runs on while it is read, and on one that is halted for it."""
        with tempfile.TemporaryDirectory() as folder:
            with Rig(FIRMWARE, qemu_gdb=True, icount=ICOUNT, fast=True,
                     qemu_args=("-qmp", f"unix:{folder}/qmp,server=on,wait=off")) as rig:
                self.check("--qmp", f"{folder}/qmp")
                self.check("--gdb", f":{rig.gdb_port}")


if __name__ == "__main__":
    unittest.main()
