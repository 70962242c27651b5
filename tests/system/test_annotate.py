# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof annotate of a process and of files: sums, hot lines, jumps, and all that may be missing."""

import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import time
import unittest

from pprof_file import retimed
from process import FIXED, OTHER, PIE, Made, loop
from support import HANG_S, MPROF, SOAK, count, environment, mprof
from terminal import Terminal

SOURCE = pathlib.Path(__file__).with_name("process.c")
HOT = "left = left - 1;"
# A sanitizer's own instructions are hotter than the program's.
PLAIN = b"__asan_" not in PIE.read_bytes()


def hits_of(annotation):
    """Of its lines, and of their instructions."""
    lines = annotation["lines"]
    return (sum(line["hits"] for line in lines),
            sum(step["hits"] for line in lines for step in line["instructions"]))


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


class WithSnapshot(unittest.TestCase):
    path = SNAPSHOTS

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def good(self, *args, **more):
        done = mprof("annotate", *args, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def bad(self, *args, status=1):
        done = mprof("annotate", *args)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def annotation(self, *args):
        return json.loads(self.good(*args, "--format", "json"))

    def reported(self, *files):
        rows = json.loads(mprof("report", *files, "--format", "json").stdout)["rows"]
        return {row["function"]: row for row in rows}


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
                self.assertEqual(annotation["notes"], [])
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
        lines = sorted(annotation["lines"], key=lambda line: -line["hits"])
        self.assertEqual(lines[0]["source"].strip(), HOT)
        self.assertEqual(SOURCE.read_text().splitlines()[lines[0]["line"] - 1].strip(), HOT)
        self.assertEqual(lines[1]["source"].strip(), "while (left > 0)")
        for line in lines[:2]:
            self.assertTrue(line["shared"])
            for step in line["instructions"]:
                self.assertEqual(step["inlined"][0]["function"], "work")
        # The jump back is inside the loop, to an instruction.
        steps = {step["address"]: step for line in lines for step in line["instructions"]}
        back = [step for step in steps.values() if step["target"] in steps
                and int(step["target"], 16) < int(step["address"], 16)]
        self.assertEqual(len(back), 1)
        self.assertIn("<work_a+", back[0]["text"])

    def test_instructions_are_objdumps(self):
        table = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(FIXED)], text=True,
                               capture_output=True, check=True).stdout
        wanted = re.search(r"<work_a>:\n((?: .*\n)+)", table).group(1)
        wanted = re.findall(r"^ +([0-9a-f]+):\t(\S+)", wanted, re.M)
        annotation = self.annotation("work_a", self.path[FIXED])
        steps = sorted((int(step["address"], 16), step["text"].split()[0])
                       for line in annotation["lines"] for step in line["instructions"])
        self.assertEqual(steps, [(int(addr, 16), text) for addr, text in wanted][:len(steps)])
        self.assertGreater(len(steps), 10)

    @unittest.skipUnless(PLAIN, "the program has a sanitizer in it")
    def test_table(self):
        text = self.good("work_a", self.path[PIE])
        self.assertRegex(text, r"\Amprof annotate   work_a   process\.c:\d+   process-pie\n")
        self.assertRegex(text, r"\n\d+ of \d+ samples, [\d.]+% \([\d.]+ to [\d.]+\)\n"
                               r"resolution: 16 bytes: ~ ")
        self.assertRegex(text, r"hottest lines\n +[\d.]+ +~\d+ \([\d.]+ to [\d.]+\) +"
                               r"process\.c:\d+ +left = left - 1;\n")
        self.assertRegex(text, r"\n +inlined work at process\.c:\d+ <- work_a at process\.c:\d+\n")
        self.assertRegex(text, r"\n +[\d.]+ +~\d+ │?┌> +[0-9a-f]+  mov ")
        self.assertRegex(text, r"\n[^\n]*└─ +[0-9a-f]+  jne +0x[0-9a-f]+ <work_a\+")
        self.assertNotIn("\x1b", text)
        shares = [float(share) for share in
                  re.findall(r"^ +([\d.]+) +~?\d+ \S* *[0-9a-f]{12}  ", text, re.M)]
        self.assertAlmostEqual(sum(shares), 100, delta=0.1 * len(shares))

    def test_ascii(self):
        env = dict(environment(), LC_ALL="C")
        done = subprocess.run([MPROF, "annotate", "work_a", self.path[PIE]], env=env, text=True,
                              capture_output=True, timeout=HANG_S)
        self.assertTrue(done.stdout.isascii())
        self.assertRegex(done.stdout, r"\+> +[0-9a-f]+  mov ")

    def test_cold_ones_are_left_out(self):
        text = self.good("work_a", self.path[PIE], "--min", "1%")
        self.assertRegex(text, r"\.\.\. \d+ instructions")
        self.assertNotRegex(text, r"  ret\b")
        self.assertIn(HOT, text)

    def test_output(self):
        out = self.folder / "a.txt"
        self.assertEqual(self.good("work_a", self.path[PIE], "-o", out, *NO_GDB), "")
        self.assertIn(HOT, out.read_text())
        self.assertIn("/dev/full", self.bad("work_a", self.path[PIE], "-o", "/dev/full") + "/dev/full")
        self.assertIn("No such file", self.bad("work_a", self.path[PIE], "-o", "/nowhere/a"))

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
        self.assertRegex(text, r"no function is called 'work'; there is: work_a \(process\.c:\d+\), ")
        text = self.bad("work_?", path)
        self.assertRegex(text, r"'work_\?' may be: work_a \(process\.c:\d+\), work_b \(")
        self.assertIn("no function is called 'nosuch'", self.bad("nosuch", path))
        self.assertIn("no function is called", self.bad("other.c:work_a", path))
        self.assertLess(len(self.bad("*", path)), 1100)
        self.assertNotIn("\x1b", self.bad("\x1b[31m", path))

    def test_no_hits(self):
        annotation = self.annotation("main", self.path[PIE])
        self.assertEqual(annotation["hits"], 0)
        self.assertIn("no hits in this function", annotation["notes"])
        self.assertGreater(len(annotation["lines"]), 3)

    def test_usage(self):
        path = self.path[PIE]
        self.assertIn("FUNC", self.bad(status=2))
        self.assertIn("--format", self.bad("work_a", path, "--format", "csv", status=2))
        self.assertIn("--min", self.bad("work_a", path, "--min", "x", status=2))
        self.assertIn("either a target or files", self.bad("work_a", path, "--pid", 1, status=2))
        self.assertIn("no firmware", self.bad("work_a", status=2))
        self.assertIn("nosuch.pb.gz", self.bad("work_a", self.folder / "nosuch.pb.gz"))
        self.assertIn("nothing is called", self.bad("work_a", path, "--type", "x", status=2))


class OfWhatIsMissing(WithSnapshot):
    def test_another_build(self):
        path = self.path[PIE]
        text = self.bad("work_a", path, "--elf", OTHER)
        self.assertIn("is not what", text)
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
        notes = json.loads(self.with_path(self.folder, "--format", "json").stdout)["notes"]
        self.assertEqual(len(notes), 1)
        # A plain gdb will do.
        (self.folder / "gdb").symlink_to(shutil.which("gdb-multiarch"))
        self.assertIn("jne", self.with_path(self.folder).stdout)

    def test_wrong_gdb(self):
        """What is no gdb, says nothing, ends, or speaks nonsense; no call takes for ever."""
        (self.folder / "mute").write_text("#!/bin/sh\nexec sleep 1000\n")
        (self.folder / "ends").write_text("#!/bin/sh\necho cannot start >&2\nexit 3\n")
        (self.folder / "nonsense").write_text(
            "#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
            "echo \"$n^done,asm_insns=[{address=\\\"0x1\\\"}]\"; done\n")
        (self.folder / "refuses").write_text(
            "#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
            "printf '%s^error,msg=\"no \\033[31m way\"\\n' $n; done\n")
        for path in self.folder.iterdir():
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        if SOAK:  # for so long a start may take
            annotation = self.annotation("work_a", self.path[PIE], "--disassembler",
                                         str(self.folder / "mute"))
            self.assertIn("no prompt of gdb within 30 s", annotation["notes"][0])
        for name, why in (("/nowhere/gdb", "nowhere|not found"), (self.folder / "ends", "cannot start"),
                          (self.folder / "nonsense", "no instruction that makes sense"),
                          (self.folder / "refuses", "no .*way"), ("echo", "echo")):
            annotation = self.annotation("work_a", self.path[PIE], "--disassembler", str(name))
            self.assertRegex(annotation["notes"][0], why)
            self.assertNotIn("\x1b", annotation["notes"][0])
            self.assertEqual(hits_of(annotation)[1], 0)
            self.assertEqual(hits_of(annotation)[0], annotation["hits"])


class OfOtherPrograms(WithSnapshot):
    """Programs that the test compiles; the profile is a text that says where hits are."""

    def compile(self, text, *flags, name="a.c"):
        source = self.folder / name
        source.write_bytes(text if isinstance(text, bytes) else text.encode())
        elf = self.folder / "a.elf"
        subprocess.run(["cc", "-g", "-O2", "-no-pie", "-fno-pie", "-Wl,--build-id", *flags, "-o", str(elf),
                        str(source)], check=True, cwd=self.folder, capture_output=True)
        return elf

    def gmon(self, elf, hits):
        """A gmon.out with 2-byte buckets: {address: hits}."""
        low, high = min(hits) & ~15, (max(hits) | 15) + 1
        count = (high - low) // 2
        buckets = [0] * count
        for addr, number in hits.items():
            buckets[(addr - low) // 2] += number
        data = b"gmon" + (1).to_bytes(4, "little") + bytes(12) + b"\0"
        data += low.to_bytes(8, "little") + high.to_bytes(8, "little")
        data += count.to_bytes(4, "little") + (100).to_bytes(4, "little")
        data += b"seconds".ljust(15, b"\0") + b"s"
        data += b"".join(number.to_bytes(2, "little") for number in buckets)
        path = self.folder / "gmon.out"
        path.write_bytes(data)
        return path

    def symbols(self, elf):
        lines = subprocess.run(["nm", str(elf)], text=True, capture_output=True, check=True,
                               errors="replace").stdout
        return {line.split(" ", 2)[2]: int(line.split()[0], 16) for line in lines.splitlines()
                if line[:1] != " "}

    def test_hot_and_cold_parts(self):
        elf = self.compile(
            "#include <stdlib.h>\n"
            "volatile int v;\n"
            "__attribute__((cold, noinline)) void bad(int n) { v = n; abort(); }\n"
            "__attribute__((noinline)) int work(int n) {\n"
            "    int sum = 0;\n"
            "    for (int i = 0; i < n; i++) {\n"
            "        if (__builtin_expect(v == i, 0)) { v = 3; bad(i); }\n"
            "        sum += v * i;\n"
            "    }\n"
            "    return sum;\n"
            "}\n"
            "int main(int argc, char **argv) { (void)argv; return work(argc); }\n",
            "-freorder-blocks-and-partition")
        table = self.symbols(elf)
        self.assertIn("work.cold", table)
        path = self.gmon(elf, {table["work"] + 4: 30, table["work.cold"]: 3})
        annotation = self.annotation("work", path, "--elf", elf)
        self.assertEqual([(part["function"], part["hits"]) for part in annotation["parts"]],
                         [("work", 30), ("work.cold", 3)])
        self.assertEqual((annotation["hits"], *hits_of(annotation)), (33,) * 3)
        text = self.good("work", path, "--elf", elf)
        self.assertRegex(text, r"\nwork at 0x[0-9a-f]+, 30 samples\n[^@]*"
                               r"\n\nwork\.cold at 0x[0-9a-f]+, 3 samples\n")
        self.assertEqual(self.annotation("work.cold", path, "--elf", elf)["hits"], 3)

    def test_two_of_one_name(self):
        other = "__attribute__((noinline)) static int update(int n) { return v%s n; }\n"
        (self.folder / "b.c").write_text("extern volatile int v;\n" + other % "+" +
                                         "int b(int n) { return update(n); }\n")
        elf = self.compile("volatile int v;\nint b(int);\n" + other % "*" +
                           "int main(int n, char **a) { (void)a; return update(n) + b(n); }\n",
                           "b.c", "-fno-ipa-icf", "-fno-ipa-ra")
        addresses = [int(line.split()[0], 16) for line in subprocess.run(
            ["nm", str(elf)], text=True, capture_output=True).stdout.splitlines() if " update" in line]
        self.assertEqual(len(addresses), 2)
        path = self.gmon(elf, {addr: 5 for addr in addresses})
        self.assertRegex(self.bad("update", path, "--elf", elf),
                         r"'update' may be: update \(.\.c:\d\), update \(.\.c:\d\); write FILE:NAME")
        for name in ("a.c", "b.c"):
            annotation = self.annotation(f"{name}:update", path, "--elf", elf)
            self.assertTrue(annotation["file"].endswith(name))
            self.assertEqual((annotation["hits"], *hits_of(annotation)), (5,) * 3)

    def test_source_elsewhere(self):
        elf = self.compile("volatile int v;\n"
                           "__attribute__((noinline)) void f(void) {\n"
                           "    v++;\n"
                           "}\nint main(void) { f(); }\n")
        path = self.gmon(elf, {self.symbols(elf)["f"]: 9})
        where = self.folder / "moved" / "src"
        where.mkdir(parents=True)
        (self.folder / "a.c").rename(where / "a.c")
        annotation = self.annotation("f", path, "--elf", elf)
        self.assertRegex(annotation["notes"][0], r"no source: .*a\.c is not there.*--source")
        self.assertEqual(hits_of(annotation), (9, 9))
        self.assertIsNone(annotation["lines"][0]["source"])
        self.assertNotIn("v++", self.good("f", path, "--elf", elf))
        found = ("--elf", elf, "--source", self.folder, "--source", where)
        self.assertIn("v++", self.good("f", path, *found))
        later = time.time() + 100
        os.utime(where / "a.c", (later, later))
        self.assertRegex(self.annotation("f", path, *found)["notes"][0],
                         r"a\.c was changed after the ELF file was built")

    def test_no_lines(self):
        elf = self.compile("volatile int v;\n__attribute__((noinline)) void f(void) { v++; }\n"
                           "int main(void) { f(); }\n", "-g0")
        path = self.gmon(elf, {self.symbols(elf)["f"]: 9})
        annotation = self.annotation("f", path, "--elf", elf)
        self.assertEqual(hits_of(annotation), (9, 9))
        self.assertIn("-g", annotation["notes"][0])

    def check_clean(self, text, width):
        self.assertNotRegex(text.replace("\n", ""), r"[\x00-\x1f\x7f\x80-\x9f\u202a-\u202e]")
        self.assertLessEqual(max(len(line) for line in text.splitlines()), width)

    def test_hostile_names_and_source(self):
        """Names of 10,000 characters, everywhere in the code; a source that is written for harm."""
        long, longer = "n" * 10000, "w" * 10000
        calls = count(50, 400)
        text = "".join(f"    callee(); v += {i};\n" for i in range(calls))
        text = ("volatile int v;\n"
                f"__attribute__((noinline)) void callee(void) __asm__(\"{long}\");\n"
                "__attribute__((noinline)) void callee(void) { v++; }\n"
                f"__attribute__((noinline)) void work(void) __asm__(\"{longer}\");\n"
                "__attribute__((noinline)) void work(void) {\n"
                "    v++; /* \x1b]0;evil\x07\x1b[31m \u202e */\n" + text +
                "    v++; // " + "\u6f22" * 5000 + "\n"
                "}\nint main(void) { work(); }\n").encode()
        elf = self.compile(text.replace(b"evil", b"evil\xff\xc2\x9b"))
        path = self.gmon(elf, {self.symbols(elf)[longer]: 9})
        annotation = self.annotation("w*", path, "--elf", elf)
        self.assertEqual(annotation["notes"], [])
        self.assertEqual(hits_of(annotation), (9, 9))
        steps = [step for line in annotation["lines"] for step in line["instructions"]]
        self.assertEqual(len([step for step in steps if step["text"].startswith("call")]), calls)
        self.assertIn("?]0;evil???", annotation["lines"][0]["source"] + annotation["lines"][1]["source"])
        self.check_clean(self.good("w*", path, "--elf", elf), 160)
        self.check_clean(self.good("n*", path, "--elf", elf), 160)
        self.check_clean(self.bad("n*", path, "--elf", elf, "--type", "samples", "-o", "/nowhere/x"), 1100)

    def test_hostile_paths(self):
        elf = self.compile("volatile int v;\n__attribute__((noinline)) void f(void) { v++; }\n"
                           "int main(void) { f(); }\n")
        path = self.gmon(elf, {self.symbols(elf)["f"]: 9})
        for name in ('a "b" \\ c', "$(touch pwned) ; `x`", "'", "\x1b[31m", "a\nb"):
            copy = self.folder / name
            shutil.copy(elf, copy)
            annotation = self.annotation("f", path, "--elf", copy)
            clean = not any(ord(c) < 32 for c in name)
            self.assertEqual(hits_of(annotation), (9, 9 if clean else 0), name)
            self.assertEqual(len(annotation["notes"]), 0 if clean else 1)
            if not clean:
                self.good("f", path, "--elf", copy)
        self.assertFalse((self.folder / "pwned").exists())


class OfAProcess(WithSnapshot):
    def test_live(self):
        for elf in count((PIE,), (PIE, FIXED)):
            with hot(elf) as process:
                link = ("--elf", elf, "--pid", process.pid)
                annotation = self.annotation("work_a", *link)
                lines, steps = hits_of(annotation)
                self.assertEqual((annotation["hits"], lines, steps), (250,) * 3)
                hottest = max(annotation["lines"], key=lambda line: line["hits"])
                self.assertTrue(hottest["source"].strip() == HOT or not PLAIN, hottest)
                row = process.report()["rows"][0]
                self.assertEqual(annotation["address"], row["address"])


@unittest.skipUnless(shutil.which("tmux") and PLAIN, "tmux is missing, or a sanitizer is there")
class OnATerminal(WithSnapshot):
    def check(self, columns, rows, **variables):
        command = f"clear; {MPROF} annotate work_a {self.path[PIE]}; echo END"
        with Terminal(columns, rows, **variables) as terminal:
            terminal.command(command)
            terminal.shows("^END")
            return terminal.screen(), terminal.screen("-e")

    def test_sizes_and_colours(self):
        for columns, rows in ((80, 50), (200, 50)):
            plain, coloured = self.check(columns, rows)
            self.assertIn(HOT, plain)
            self.assertRegex(plain, r"└─ +[0-9a-f]+  jne ")
            # No line was broken by the edge: each row begins with a column of numbers.
            body = plain[plain.index("SHARE%"):plain.index("END")].splitlines()[1:]
            for line in body:
                self.assertRegex(line, r"^(?: +[\d.]+ +~?\d+ | {14})", line)
            self.assertRegex(coloured, r"\x1b\[(?:1;)?31m")
        plain, coloured = self.check(80, 50, NO_COLOR="1")
        self.assertNotIn("\x1b[", coloured)


GOLDEN_SOURCE = """\
    .syntax unified
    .thumb
    .global filter
    .type filter, %function
filter:
    movs r2, #0
loop:                       @ one sample a turn
    ldr r3, [r0], #4
    mla r2, r3, r1, r2
    subs r1, r1, #1
    bne loop
    cmp r2, #0
    bge done
    rsbs r2, r2, #0         @ never negative
done:
    mov r0, r2
    bx lr
    .size filter, . - filter
"""

GOLDEN = """\
mprof annotate   filter   golden.s:6   golden.elf
400 of 400 samples, 100.0% (99.0 to 100.0)
resolution: 2 bytes

hottest lines
  75.0    300 (70.5 to 79.0)  golden.s:9   mla r2, r3, r1, r2
  13.8     55 (10.7 to 17.5)  golden.s:10  subs r1, r1, #1
  10.0     40 (7.4 to 13.3)  golden.s:8   ldr r3, [r0], #4
   1.2      5 (0.5 to 2.9)  golden.s:11  bne loop

SHARE%   HITS     ADDRESS  INSTRUCTION
"""

GOLDEN_NARROW = GOLDEN + """\
                 ... 1 instruction
  10.0     40    golden.s:8       ldr r3, [r0], #4
  10.0     40 ┌>     8002  ldr.w   r3, [r0], #4
  75.0    300 │  golden.s:9       mla r2, r3, r1, r2
  75.0    300 │      8006  mla     r2, r3, r1, r2
  13.8     55 │  golden.s:10      subs r1, r1, #1
  13.8     55 │      800a  subs    r1, #1
   1.2      5 │  golden.s:11      bne loop
   1.2      5 └─     800c  bne.n   0x8002 <filter+2>
                 ... 5 instructions
END
"""

GOLDEN_WIDE = GOLDEN + """\
                 golden.s:6       movs r2, #0
                     8000  movs    r2, #0
  10.0     40    golden.s:8       ldr r3, [r0], #4
  10.0     40 ┌>     8002  ldr.w   r3, [r0], #4
  75.0    300 │  golden.s:9       mla r2, r3, r1, r2
  75.0    300 │      8006  mla     r2, r3, r1, r2
  13.8     55 │  golden.s:10      subs r1, r1, #1
  13.8     55 │      800a  subs    r1, #1
   1.2      5 │  golden.s:11      bne loop
   1.2      5 └─     800c  bne.n   0x8002 <filter+2>
                 golden.s:12      cmp r2, #0
                     800e  cmp     r2, #0
                 golden.s:13      bge done
              ┌─     8010  bge.n   0x8014 <filter+20>
              │  golden.s:14      rsbs r2, r2, #0         @ never negative
              │      8012  negs    r2, r2
              │  golden.s:16      mov r0, r2
              └>     8014  mov     r0, r2
                 golden.s:17      bx lr
                     8016  bx      lr
END
"""


@unittest.skipUnless(shutil.which("tmux") and shutil.which("arm-none-eabi-ld"),
                     "tmux or the Arm assembler is missing")
class GoldenScreens(unittest.TestCase):
    """Assembler, whose instructions no compiler chooses, and hits that the test makes up."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "golden.s").write_text(GOLDEN_SOURCE)
        for command in ("as -g -mcpu=cortex-m3 golden.s -o golden.o",
                        "ld -Ttext=0x8000 -e filter golden.o -o golden.elf"):
            subprocess.run(f"arm-none-eabi-{command}".split(), check=True, cwd=self.folder)
        buckets = [0] * 32
        buckets[1], buckets[3], buckets[5], buckets[6] = 40, 300, 55, 5
        words = (0x8000, 0x8040, len(buckets), 100)
        (self.folder / "gmon.out").write_bytes(
            b"gmon" + (1).to_bytes(4, "little") + bytes(12) + b"\0" +
            b"".join(word.to_bytes(4, "little") for word in words) +
            b"seconds".ljust(15, b"\0") + b"s" +
            b"".join(number.to_bytes(2, "little") for number in buckets))

    def check(self, columns, rows, golden, *options):
        with Terminal(columns, rows) as terminal:
            terminal.command(f"cd {self.folder}; clear; {MPROF} annotate filter gmon.out "
                             f"--elf golden.elf {' '.join(options)}; echo END")
            terminal.shows("^END")
            screen = terminal.screen().split("$")[0]
            self.assertEqual(screen, golden)
            return terminal.screen("-e")

    def test_narrow(self):
        coloured = self.check(80, 24, GOLDEN_NARROW, "--min", "1%")
        self.assertIn("\x1b[1m\x1b[31m  75.0    300 ", coloured)

    def test_wide(self):
        self.check(200, 50, GOLDEN_WIDE)


if __name__ == "__main__":
    unittest.main()
