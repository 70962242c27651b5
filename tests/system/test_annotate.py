# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof annotate of a process and of its snapshots: sums, hot lines, names, and all that may be missing."""

import json
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

from annotations import Annotations, hits_of, notes_of, possible
from pprof_file import retimed
from process import FIXED, OTHER, PIE, Made, loop
from support import HANG_S, MPROF, SOAK, count, environment, mprof

SOURCE = pathlib.Path(__file__).with_name("process.c")
HOT = "left = left - 1;"
# A sanitizer's own instructions are hotter than the program's.
PLAIN = b"__asan_" not in PIE.read_bytes()


# Where no instructions are asked for: gdb's start is most of the time that a test takes.
NO_GDB = ("--disassembler", "false")
SNAPSHOTS = {}


def hot(elf):
    """A program with hits in its loops, and nowhere else."""
    return Made(elf, {loop(elf, name): hits
                      for name, hits in (("work_a", 250), ("work_b", 150), ("work_c", 100))})


def setUpModule():
    """One snapshot of each program, which no test changes."""
    kept = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(kept.cleanup)
    for elf in (PIE, FIXED):
        SNAPSHOTS[elf] = pathlib.Path(kept.name) / f"{elf.name}.pb.gz"
        with hot(elf) as process:
            done = mprof("snapshot", "--elf", elf, "--pid", process.pid, "-o", SNAPSHOTS[elf])
            assert done.returncode == 0, done.stderr


class WithSnapshot(Annotations):
    path = SNAPSHOTS


class OfFiles(WithSnapshot):
    def test_sums(self):
        """Instructions, lines and the ranking say the same, wherever the program was loaded."""
        for elf in (PIE, FIXED):
            rows = self.reported(self.path[elf])
            for name in ("work_a", "work_b", "work_c")[:3 if elf == PIE else count(1, 3)]:
                annotation = self.annotation(name, self.path[elf])
                hits = rows[name]["hits"]
                self.assertEqual((annotation["hits"], *hits_of(annotation)), (hits,) * 3)
                for key in ("address", "share", "low", "high", "file", "line"):
                    self.assertEqual(annotation[key], rows[name][key], key)
                self.assertEqual(notes_of(annotation), [])
                self.assertEqual(annotation["resolution"], 16)

    def test_numbered(self):
        """@N in the folder of --store, as report takes it."""
        shutil.copy(self.path[PIE], self.folder / "run.pb.gz")
        numbered = self.annotation("work_a", "@0", "--store", self.folder, *NO_GDB)
        self.assertEqual(numbered, self.annotation("work_a", self.path[PIE], *NO_GDB))
        self.bad("work_a", "@1", "--store", self.folder)
        self.bad("work_a", "@0", status=2)

    @unittest.skipUnless(PLAIN, "the program has a sanitizer in it")
    def test_hot_line(self):
        annotation = self.annotation("work_a", self.path[PIE])
        lines, hottest = possible(annotation)
        self.assertLessEqual({HOT, "while (left > 0)"}, hottest)
        self.assertEqual(SOURCE.read_text().splitlines()[lines[HOT]["line"] - 1].strip(), HOT)
        for source in (HOT, "while (left > 0)"):
            line = lines[source]
            self.assertEqual((line["shared"], line["hits"], line["share"]), (True, 0, 0))
            self.assertEqual((line["low"], line["high"]), (0, 1))
            for step in line["instructions"]:
                self.assertEqual(step["inlined"][0]["function"], "work")
        # The jump back is inside the loop, to an instruction.
        steps = {step["address"]: step for line in annotation["lines"]
                 for step in line["instructions"]}
        back = [step for step in steps.values() if step["target"] in steps
                and int(step["target"], 16) < int(step["address"], 16)]
        self.assertEqual(len(back), 1)
        self.assertIn("<work_a+", back[0]["text"])

    def test_ascii(self):
        env = dict(environment(), LC_ALL="C")
        done = subprocess.run([MPROF, "annotate", "work_a", self.path[PIE]], env=env, text=True,
                              capture_output=True, timeout=HANG_S)
        self.assertTrue(done.stdout.isascii())
        self.assertRegex(done.stdout, r"\+> +[0-9a-f]+  mov ")

    def test_several_files(self):
        once = self.annotation("work_a", self.path[FIXED])["hits"]
        runs = [retimed(self.path[FIXED], self.folder / f"run-{i}", 1000 + 10 * i, 5) for i in range(2)]
        twice = self.annotation("work_a", *runs)
        self.assertEqual((twice["hits"], *hits_of(twice)), (2 * once,) * 3)

    def test_names(self):
        path = self.path[PIE]
        address = self.annotation("work_b", path, *NO_GDB)["address"]
        for name in ("work_b", "process.c:work_b", "tests/system/process.c:work_b", "w*_b",
                     address, hex(int(address, 16) + 5)):
            self.assertEqual(self.annotation(name, path, *NO_GDB)["function"], "work_b", name)
        text = self.bad("work", path)
        self.assertRegex(text, r"no function named 'work'; similar: work_a \(process\.c:\d+\), ")
        text = self.bad("work_?", path)
        self.assertRegex(text, r"'work_\?' is ambiguous: work_a \(process\.c:\d+\), work_b \(")
        self.assertIn("no function named 'nosuch'", self.bad("nosuch", path))
        self.assertIn("no function named", self.bad("other.c:work_a", path))
        self.assertLess(len(self.bad("*", path)), 1100)
        self.assertNotIn("\x1b", self.bad("\x1b[31m", path))

    def test_no_hits(self):
        annotation = self.annotation("main", self.path[PIE])
        self.assertEqual(annotation["hits"], 0)
        self.assertIn("no hits in this function", annotation["notes"])
        self.assertGreater(len(annotation["lines"]), 3)

    def test_usage(self):
        path = self.path[PIE]
        self.lacking(mprof("annotate"), "FUNC")
        self.assertIn("--format", self.bad("work_a", path, "--format", "csv", status=2))
        self.assertIn("--min", self.bad("work_a", path, "--min", "x", status=2))
        self.assertIn("either a target or files", self.bad("work_a", path, "--pid", 1, status=2))
        self.lacking(mprof("annotate", "work_a"), "missing ELF file")
        self.assertIn("nosuch.pb.gz", self.bad("work_a", self.folder / "nosuch.pb.gz"))
        self.assertIn("--type 'x': not in", self.bad("work_a", path, "--type", "x", status=2))


class OfWhatIsMissing(WithSnapshot):
    def test_another_build(self):
        path = self.path[PIE]
        text = self.bad("work_a", path, "--elf", OTHER)
        self.assertIn("is not the build of", text)
        self.assertIn("build-id", text)
        forced = self.annotation("work_a", path, "--elf", OTHER, "--force")
        self.assertIn("NOT THE SAME BUILD", forced["notes"][0])
        self.assertIn("nosuch", self.bad("work_a", path, "--elf", self.folder / "nosuch"))

    def test_no_elf(self):
        """The ELF is gone, or another one stands there: lines with hits, and why there is no more."""
        copy = self.folder / "program"
        shutil.copy(FIXED, copy)
        path = self.folder / "a.pb.gz"
        with hot(copy) as process:
            mprof("snapshot", "--elf", copy, "--pid", process.pid, "-o", path)
        hits = 250
        whole = self.annotation("work_a", path)
        self.assertEqual(hits_of(whole), (hits, hits))
        for replace in (lambda: shutil.copy(OTHER, copy), copy.unlink,
                        lambda: copy.write_text("no ELF")):
            replace()
            bare = self.annotation("work_a", path)
            self.assertEqual(hits_of(bare), (hits, 0))
            self.assertEqual(bare["hits"], hits)
            self.assertRegex(bare["notes"][0], r"no instructions: .*--elf")
            text = self.good("work_a", path)
            self.assertIn(HOT, text)
            self.assertIn("SOURCE", text)
        self.assertEqual(hits_of(self.annotation("work_a", path, "--elf", FIXED)), (hits, hits))

    def with_path(self, folder, *args):
        env = dict(environment(), PATH=str(folder))
        return subprocess.run([MPROF, "annotate", "work_a", self.path[PIE], *args], env=env,
                              text=True, capture_output=True, timeout=HANG_S)

    def test_no_gdb(self):
        done = self.with_path(self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(re.findall("install gdb-multiarch", done.stdout)), 1)
        self.assertIn(HOT, done.stdout)
        annotation = json.loads(self.with_path(self.folder, "--format", "json").stdout)
        self.assertEqual(len(notes_of(annotation)), 1)
        # A plain gdb will do.
        (self.folder / "gdb").symlink_to(shutil.which("gdb-multiarch"))
        self.assertIn("jne", self.with_path(self.folder).stdout)

    def test_wrong_gdb(self):
        """What is no gdb, says nothing, ends, or speaks nonsense; no call takes for ever."""
        (self.folder / "mute").write_text(f"#!/bin/sh\nexec sleep {2 * HANG_S}\n")
        (self.folder / "ends").write_text("#!/bin/sh\necho cannot start >&2\nexit 3\n")
        (self.folder / "nonsense").write_text(
            "#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
            "echo \"$n^done,asm_insns=[{address=\\\"0x1\\\"}]\"; done\n")
        (self.folder / "refuses").write_text(
            "#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
            "printf '%s^error,msg=\"no \\033[31m way\"\\n' $n; done\n")
        for path in self.folder.iterdir():
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        if SOAK:  # for so long a start may take, however short --timeout is
            annotation = self.annotation("work_a", self.path[PIE], "--disassembler",
                                         str(self.folder / "mute"), "--timeout", "1")
            self.assertIn("gdb showed no prompt within 30 s", annotation["notes"][0])
        for name, why in (("/nowhere/gdb", "nowhere|not found"), (self.folder / "ends", "cannot start"),
                          (self.folder / "nonsense", "no valid instruction"),
                          (self.folder / "refuses", "no .*way"), ("echo", "echo")):
            annotation = self.annotation("work_a", self.path[PIE], "--disassembler", str(name))
            self.assertRegex(annotation["notes"][0], why)
            self.assertNotIn("\x1b", annotation["notes"][0])
            self.assertEqual(hits_of(annotation)[1], 0)
            self.assertEqual(hits_of(annotation)[0], annotation["hits"])


class OfAProcess(WithSnapshot):
    def test_live(self):
        for elf in count((PIE,), (PIE, FIXED)):
            with hot(elf) as process:
                link = ("--elf", elf, "--pid", process.pid)
                annotation = self.annotation("work_a", *link)
                lines, steps = hits_of(annotation)
                self.assertEqual((annotation["hits"], lines, steps), (250,) * 3)
                self.assertTrue(HOT in possible(annotation)[1] or not PLAIN, annotation["lines"])
                row = process.report()["rows"][0]
                self.assertEqual(annotation["address"], row["address"])


if __name__ == "__main__":
    unittest.main()
