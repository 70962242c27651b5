# SPDX-License-Identifier: GPL-3.0-or-later
"""ELF files that are made to harm: one line, in bounded time and memory, and names where the symbol table is good;
Ctrl-C ends the reading of one at once."""

import os
import pathlib
import signal
import unittest

import elf_hostile
from case import Case, SharedFolder, measured
from support import count, start, state, stop, wait_for
from trace_maker import TraceMaker

# What mprof needs with any file, and what a file may cost (budget/budget.h in cli/symbol), in bytes.
BASE, LEAST, PER_BYTE = 48 << 20, 64 << 20, 16

# A limit for hangs only.
LIMIT_S = 120

# What a gdb that disassembles may use (mi_files.c in gdbmi): bytes of its own, of which some are for each
# processor, and seconds of processor time. Pages of its program and libraries, which have no limit, are less.
GDB_BASE, GDB_PER_PROCESSOR, GDB_PER_BYTE, GDB_PAGES = 256 << 20, 10 << 20, 32, 100 << 20
GDB_S = 60

# What is said of those that gdb cannot read within that.
GREEDY = {"demangling": "MB of memory", "tail_names": "s of processor time"}

# What is said of them; all others are read as if they were honest ones.
DEBUG = "its debug information is too large or malformed"
SYMBOLS = "its symbol table is too large or malformed"
SAID = {
    **dict.fromkeys(("shared_ranges", "inlined_ranges", "inflated_line", "inflated_info", "inflated_str", "inflated_old",
                     "wide_abbreviation", "many_abbreviations", "one_line_program", "base_selections", "tied_names",
                     "many_sequences"), DEBUG),
    "tail_names_apart": SYMBOLS,
    "demangling": SYMBOLS,
    **dict.fromkeys(("segments", "small_segments"), "its segments are too large or malformed"),
    "section_count": "stripped: it has no symbols",
}
NAMELESS = {"tail_names_apart"}
REFUSED = {"section_count"}

# What is said of them by a report that asks for more lines.
BY_LINE = {
    **dict.fromkeys(("one_line_program", "rows_from_nothing", "many_sequences"), DEBUG),
    "one_file_table": None,
}


class Hostile(SharedFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.elf = cls.path / "a.elf"
        cls.dump = cls.path / "s_prof.bin"
        cls.dump.write_bytes(elf_hostile.dump())

    def check(self, kind, by):
        said = SAID.get(kind) if by == "inline" else BY_LINE[kind]
        done, peak = measured("report", "--elf", self.elf, "--raw", self.dump, "--by", by, cpu_s=LIMIT_S)
        out, err = done.stdout, done.stderr
        self.assertEqual(done.returncode, 1 if kind in REFUSED else 0, err)
        self.assertLessEqual(peak, BASE + LEAST + PER_BYTE * self.elf.stat().st_size)
        if said:
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(f"{self.elf}: {said}", err)
        else:
            self.assertEqual(err, "")
        if kind not in REFUSED and by == "inline":
            names = {f"good_{i}" for i in range(elf_hostile.FUNCTIONS)}
            found = names & set(out.split())
            self.assertEqual(found, set() if kind in NAMELESS else names, out)
        return out.splitlines()[2:], err  # the first two have times in them

    def test_kinds(self):
        for kind in elf_hostile.KINDS:
            with self.subTest(kind):
                self.elf.write_bytes(elf_hostile.make(kind))
                self.check(kind, "inline")
                if kind in BY_LINE:
                    self.check(kind, "line")

    def test_same_outcome(self):
        """Steps are counted, not seconds."""
        for kind in ("one_line_program", "inlined_ranges"):
            self.elf.write_bytes(elf_hostile.make(kind))
            first = self.check(kind, "inline")
            self.assertEqual(self.check(kind, "inline"), first)

    def gdb_memory(self):
        return GDB_BASE + GDB_PER_PROCESSOR * os.cpu_count() + GDB_PER_BYTE * self.elf.stat().st_size

    def annotate(self, *more):
        return measured("annotate", hex(elf_hostile.TEXT), "--elf", self.elf, "--raw", self.dump, *more, cpu_s=LIMIT_S)

    def test_kinds_by_gdb(self):
        """The larger one of mprof and its gdb."""
        for kind in count(("small_segments",), tuple(elf_hostile.KINDS)):
            with self.subTest(kind):
                self.elf.write_bytes(elf_hostile.make(kind))
                done, peak = self.annotate()
                self.assertEqual(done.returncode, 1 if kind in REFUSED | NAMELESS else 0, done.stderr)
                self.assertLessEqual(peak, self.gdb_memory() + GDB_PAGES)
                if kind in GREEDY:
                    self.assertRegex(done.stdout, f"no instructions: gdb-multiarch needs more than [0-9]+ {GREEDY[kind]}")
                elif done.returncode == 0:
                    self.assertIn("INSTRUCTION", done.stdout)

    def script(self, text):
        path = self.path / "fake"
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def test_gdb_out_of_memory(self):
        """It says so and ends, or refuses a command."""
        self.elf.write_bytes(elf_hostile.make("notes"))
        for answer in ('&"utils.c:717: internal-error: virtual memory exhausted: can\'t allocate 524168 bytes."',
                       '1^error,msg="a.elf: memory exhausted"'):
            fake = self.script(f"echo '(gdb) '\nread command\ncat <<'END'\n{answer}\nEND\nexit 1\n")
            done, _ = self.annotate("--disassembler", fake)
            self.assertIn(f"no instructions: fake needs more than {self.gdb_memory() // 10**6} MB of memory for this "
                          "file: it is too large or malformed\n", done.stdout)

    def test_limits_of_gdb(self):
        limits = self.path / "limits"
        fake = self.script(f"echo $(ulimit -S -d) $(ulimit -S -t) $(ulimit -c) >{limits}\nkill -XCPU $$\n")
        for more in (0, 32 << 20):
            self.elf.write_bytes(elf_hostile.make("notes"))
            with self.elf.open("r+b") as file:
                file.truncate(self.elf.stat().st_size + more)
            done, _ = self.annotate("--disassembler", fake)
            seconds = GDB_S + (self.elf.stat().st_size >> 20)
            self.assertIn("no instructions: fake needs more than "
                          f"{seconds} s of processor time for this file: it is too large or malformed", done.stdout)
            self.assertEqual(limits.read_text().split(), [str(self.gdb_memory() >> 10), str(seconds), "0"])


def entered():
    """A trace in which the ten functions were entered."""
    made = TraceMaker().run(build="")
    for i in range(elf_hostile.FUNCTIONS):
        made.enter((elf_hostile.TEXT + i * elf_hostile.STEP, f"good_{i}", "", 0), i)
    return made.end()


class Interrupt(Case):
    def setUp(self):
        self.elf = self.folder / "a.elf"
        self.dump = self.put("s_prof.bin", elf_hostile.dump())
        self.gmon = self.put("gmon.out", elf_hostile.gmon())

    def endless_inlines(self):
        elf_hostile.make_endless(self.elf, elf_hostile.base_selections, 200000)

    def endless_lines(self):
        elf_hostile.make_endless(self.elf, elf_hostile.one_line_program, 2000000)

    def begun(self, process):
        """Whether it reads debug information: the copy of that is a file without a name."""
        self.assertIsNone(process.poll())
        return "(deleted)" in pathlib.Path(f"/proc/{process.pid}/maps").read_text()

    def computes(self, process):
        """Whether it looks up lines: all before that is a small part of a second of processor time."""
        self.assertIsNone(process.poll())
        spent = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11]
        return int(spent) >= os.sysconf("SC_CLK_TCK")

    def interrupt(self, *command, begun=None, status=-signal.SIGINT, shown="", said=""):
        process = start(*command, "--elf", self.elf)
        try:
            wait_for("reading debug information", lambda: (begun or self.begun)(process), LIMIT_S)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT_S)
        finally:
            stop(process)
        self.assertEqual((process.returncode, out, err), (status, shown, said))

    def test_report(self):
        self.endless_inlines()
        self.interrupt("report", "--raw", self.dump, "--by", "inline")
        self.interrupt("report", self.gmon, "--by", "inline")

    def test_top(self):
        self.endless_inlines()
        self.interrupt("top", "--raw", self.dump, "--by", "inline", "-n", "1", "--format", "json")

    def test_lines(self):
        self.endless_lines()
        self.interrupt("report", "--raw", self.dump, "--by", "line")
        self.interrupt("annotate", "good_0", "--raw", self.dump)
        self.interrupt("annotate", "good_0", self.gmon)
        self.interrupt("diff", self.gmon, self.gmon)
        self.interrupt("export", self.gmon, "--format", "callgrind")
        self.interrupt("coverage", self.put("a.trace", entered()))

    def test_snapshot(self):
        """It has the samples all the same."""
        self.endless_lines()
        path = self.folder / "a.pb.gz"
        said = "mprof: interrupted while source lines were looked up: some may be missing\n"
        self.interrupt("snapshot", "--raw", self.dump, "-o", path, begun=self.computes, status=0,
                       shown=f"{path}: 5050 samples\n", said=said)
        hits = self.json("report", path)["rows"]
        self.assertEqual(sum(row["hits"] for row in hits), 5050)
        self.assertEqual({row["function"] for row in hits}, {f"good_{i}" for i in range(elf_hostile.FUNCTIONS)})

    def silent_gdb(self, *command):
        """mprof, and the process that it waits for: a disassembler that says nothing, and reads nothing."""
        begun = self.folder / "begun"
        begun.unlink(missing_ok=True)
        script = self.put("silent", f"#!/bin/sh\necho $$ >{begun}.new; mv {begun}.new {begun}\nexec sleep 300\n")
        script.chmod(0o755)
        process = start("annotate", "good_0", *command, "--elf", self.elf, "--disassembler", script)
        wait_for("the disassembler", begun.exists, LIMIT_S)
        return process, int(begun.read_text())

    def gone(self, gdb):
        wait_for("the end of the disassembler", lambda: state(gdb) in ("", "Z"), LIMIT_S)

    def test_waiting_for_gdb(self):
        self.elf.write_bytes(elf_hostile.make("notes"))
        for source in (("--raw", self.dump), (self.gmon,)):
            for number in (signal.SIGINT, signal.SIGTERM):
                process, gdb = self.silent_gdb(*source)
                try:
                    process.send_signal(number)
                    out, err = process.communicate(timeout=LIMIT_S)
                finally:
                    stop(process)
                self.assertEqual((process.returncode, out, err), (-number, "", ""))
                self.gone(gdb)

    def test_killed_while_gdb_reads(self):
        self.elf.write_bytes(elf_hostile.make("notes"))
        process, gdb = self.silent_gdb("--raw", self.dump)
        stop(process)
        self.gone(gdb)


if __name__ == "__main__":
    unittest.main()
