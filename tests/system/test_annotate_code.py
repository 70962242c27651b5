# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof annotate of code that the test has compiled: parts, names, sources, and how it is printed."""

import os
import shutil
import subprocess
import time
import unittest

import formats
from annotations import Annotations, hits_of
from case import Case
from support import MPROF
from terminal import Terminal


class OfOtherPrograms(Annotations):
    """Programs that the test compiles; the profile is a text that says where hits are."""

    def compile(self, text, *flags):
        source = self.put("a.c", text)
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
        return self.put("gmon.out", formats.gmon(formats.histogram(low, high, buckets)))

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
        self.put("b.c", "extern volatile int v;\n" + other % "+" +
                                         "int b(int n) { return update(n); }\n")
        elf = self.compile("volatile int v;\nint b(int);\n" + other % "*" +
                           "int main(int n, char **a) { (void)a; return update(n) + b(n); }\n",
                           "b.c", "-fno-ipa-icf", "-fno-ipa-ra")
        addresses = [int(line.split()[0], 16) for line in subprocess.run(
            ["nm", str(elf)], text=True, capture_output=True).stdout.splitlines() if " update" in line]
        self.assertEqual(len(addresses), 2)
        path = self.gmon(elf, {addr: 5 for addr in addresses})
        self.assertRegex(self.bad("update", path, "--elf", elf),
                         r"'update' is ambiguous: update \(.\.c:\d\), update \(.\.c:\d\); write FILE:NAME")
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
        self.assertRegex(annotation["notes"][0], r"no source: cannot read .*a\.c; .*--source")
        self.assertEqual(hits_of(annotation), (9, 9))
        self.assertIsNone(annotation["lines"][0]["source"])
        self.assertNotIn("v++", self.good("f", path, "--elf", elf))
        found = ("--elf", elf, "--source", self.folder, "--source", where)
        self.assertIn("v++", self.good("f", path, *found))
        later = time.time() + 100
        os.utime(where / "a.c", (later, later))
        self.assertRegex(self.annotation("f", path, *found)["notes"][0],
                         r"a\.c is newer than the ELF file")

    def test_no_lines(self):
        elf = self.compile("volatile int v;\n__attribute__((noinline)) void f(void) { v++; }\n"
                           "int main(void) { f(); }\n", "-g0")
        path = self.gmon(elf, {self.symbols(elf)["f"]: 9})
        annotation = self.annotation("f", path, "--elf", elf)
        self.assertEqual(hits_of(annotation), (9, 9))
        self.assertIn("-g", annotation["notes"][0])

    def test_hostile_source(self):
        """Nothing that a terminal obeys, and no line beyond its width. (Names: unit-annotate.)"""
        text = ("volatile int v;\n__attribute__((noinline)) void f(void) {\n"
                "    v++; /* \x1b]0;evil\x07\x1b[31m \u202e */\n    v++; // " + "\u6f22" * 5000 + "\n"
                "}\nint main(void) { f(); }\n").encode()
        elf = self.compile(text.replace(b"evil", b"evil\xff\xc2\x9b"))
        path = self.gmon(elf, {self.symbols(elf)["f"]: 9})
        text = self.good("f", path, "--elf", elf)
        self.assertIn("?]0;evil???", text)
        self.assertNotRegex(text.replace("\n", ""), r"[\x00-\x1f\x7f\x80-\x9f\u202a-\u202e]")
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 160)

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
400 of 400 samples, 100.0 % [99.0, 100.0] counting only
block size: 2 bytes

hottest lines
  75.0    300  [70.5, 79.0]  golden.s:9   mla r2, r3, r1, r2
  13.8     55  [10.7, 17.5]  golden.s:10  subs r1, r1, #1
  10.0     40  [7.4, 13.3]   golden.s:8   ldr r3, [r0], #4
   1.2      5  [0.5, 2.9]    golden.s:11  bne loop

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
class GoldenScreens(Case):
    """Assembler, whose instructions no compiler chooses, and hits that the test makes up."""

    def setUp(self):
        self.put("golden.s", GOLDEN_SOURCE)
        for command in ("as -g -mcpu=cortex-m3 golden.s -o golden.o",
                        "ld -Ttext=0x8000 -e filter golden.o -o golden.elf"):
            subprocess.run(f"arm-none-eabi-{command}".split(), check=True, cwd=self.folder)
        buckets = [0] * 32
        buckets[1], buckets[3], buckets[5], buckets[6] = 40, 300, 55, 5
        self.put("gmon.out", formats.gmon(formats.histogram(0x8000, 0x8040, buckets, size=4)))

    def check(self, columns, rows, golden, *options):
        with Terminal(columns, rows) as terminal:
            terminal.command(f"cd {self.folder}; clear; {MPROF} annotate filter gmon.out "
                             f"--elf golden.elf {' '.join(options)}; echo END")
            terminal.shows(r"^END\n\$")
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
