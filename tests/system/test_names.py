# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in every format: nothing hidden in them, no formula for a spreadsheet."""

import csv
import io
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

import formats
from support import mprof, symbols

HIDDEN = ["zero\u200bwidth", "\u202eturned\u202c", "join\u200ded", "soft\u00adhyphen", "mark\ufeff", "\u061carab",
          "\u2066iso\u2069", "tag\U000e0041\U000e007f", "word\u2060joined"]
FORMULAS = ["=cmd|'/c calc'!A1", "+1+cmd", "-[Pump run:]", "@SUM(1)", "=HYPERLINK(\"http://x\",\"y\")"]
NAMES = HIDDEN + FORMULAS
UNSEEN = {c for name in HIDDEN for c in name if not c.isprintable()}


def shown(name):
    return "".join(f"<U+{ord(c):04X}>" if c in UNSEEN else c for c in name)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)

    def write(self, name, data):
        path = self.path / name
        path.write_bytes(data)
        return path

    def text(self, *args):
        done = mprof(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rows(self, *args):
        return json.loads(self.text(*args, "--format", "json"))["rows"]


class Safe(Files):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        functions = [(name, f"/src/{name}.c" if i % 2 else name, 1 + i) for i, name in enumerate(NAMES)]
        locations = [(0x1000 + 16 * i, [(i, 1 + i)]) for i in range(len(NAMES))]
        for file, step in (("a.pb.gz", 10), ("b.pb.gz", 90)):
            samples = [([i], [1000 + step * i]) for i in range(len(NAMES))]
            (cls.path / file).write_bytes(formats.pprof([("samples", "count")], functions, locations, samples))
        cls.snapshot, cls.other = cls.path / "a.pb.gz", cls.path / "b.pb.gz"
        cls.store = cls.path / "store"
        cls.store.mkdir()
        shutil.copy(cls.snapshot, cls.store)

    def check(self, text, escape=lambda name: name):
        self.assertEqual(UNSEEN & set(text), set())
        for name in HIDDEN:
            self.assertIn(escape(shown(name)), text)

    def outputs(self, form):
        yield self.text("report", self.snapshot, "--by", "function", "--limit", "99", "--format", form)
        yield self.text("diff", self.snapshot, self.other, "--limit", "99", "--format", form)
        yield self.text("log", "*", "--store", self.store, "--format", form)

    def test_hidden_in_reports(self):
        for text in self.outputs("table"):
            self.check(text)
        for text in self.outputs("csv"):
            self.check(text)
        for text in self.outputs("markdown"):
            self.check(text, lambda name: name.replace("<", "\\<"))

    def test_hidden_in_json(self):
        """Who reads the parsed text is not deceived either."""
        for text in self.outputs("json"):
            self.assertNotRegex(text, r"\\u20|\\ufeff|\\udb")
            self.check(text)
            json.loads(text)

    def test_hidden_in_exports(self):
        for name in ("folded", "callgrind", "csv"):
            self.check(self.text("export", self.snapshot, "--format", name))
        for name in ("speedscope", "json"):
            text = self.text("export", self.snapshot, "--format", name)
            self.check(json.dumps(json.loads(text), ensure_ascii=False))
        self.check(self.text("export", self.snapshot, "--format", "html"),
                   lambda name: name.replace("<", "&#60;").replace(">", "&#62;"))

    def test_formulas(self):
        texts = [*self.outputs("csv"), self.text("export", self.snapshot, "--format", "csv")]
        for text in texts:
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            for name in FORMULAS:
                self.assertIn("'" + name, cells)
                self.assertNotIn("," + name, text)
            for cell in cells:
                if cell[:1] in "=+-@" and cell:
                    float(cell)
        self.assertTrue(any(cell.startswith("-") for row in csv.reader(io.StringIO(texts[1])) for cell in row))

    def test_formula_at_the_root(self):
        """A stack is one cell, and begins with a name."""
        path = self.write("root.pb.gz", formats.pprof(
            [("samples", "count")], [("leaf", "", 0), ("-1", "", 0)], [(16, [(0, 1)]), (32, [(1, 1)])],
            [([0, 1], [5])]))
        row, = csv.DictReader(io.StringIO(self.text("export", path, "--format", "csv")))
        self.assertEqual(row["stack"], "'-1;leaf")

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_callgrind_annotate(self):
        path = self.path / "callgrind.out"
        self.text("export", self.snapshot, "--format", "callgrind", "-o", path)
        self.check(subprocess.run(["callgrind_annotate", path], capture_output=True, text=True, check=True).stdout)


VERSIONS = """
struct item { void *addr; unsigned hits; } hits[8] = {{0, 1}};
int n;
__attribute__((noinline)) void power(void) { n += 1; }
__attribute__((noinline)) void old_power(void) { n += 2; }
__attribute__((noinline)) void Pump_run(void) { n += 3; }
__asm__(".symver power, powf@@GLIBC_2.27\\n.symver old_power, powf@GLIBC_2.2.5\\n"
        ".symver Pump_run, _ZN4Pump3runEv@@PUMP_1.0");
"""
VERSION_MAP = """
GLIBC_2.2.5 { global: powf; };
GLIBC_2.27 { global: powf; hits; local: *; } GLIBC_2.2.5;
PUMP_1.0 { global: _ZN4Pump3runEv; };
"""


class Versions(Files):
    def test_without_versions(self):
        """What a linker writes behind a name is not a part of it."""
        (self.path / "versions.c").write_text(VERSIONS)
        (self.path / "versions.map").write_text(VERSION_MAP)
        elf, raw = self.path / "versions.so", self.path / "hits.bin"
        subprocess.run(["cc", "-O1", "-g", "-shared", "-fPIC", "-nostdlib", self.path / "versions.c", "-o", elf,
                        f"-Wl,--version-script={self.path}/versions.map"], check=True, capture_output=True)
        places = {name: place[0] for name, place in symbols(elf, "nm").items()}
        wanted = {"powf@@GLIBC_2.27": "powf", "powf@GLIBC_2.2.5": "powf", "_ZN4Pump3runEv@@PUMP_1.0": "Pump::run"}
        rows = [(places[name], 10) for name in wanted]
        raw.write_bytes(b"".join(struct.pack("<QI4x", *row) for row in rows) + bytes(16 * (8 - len(rows))))
        found = self.rows("report", "--elf", elf, "--symbol", "hits", "--raw", raw, "--grain", "1")
        self.assertEqual(sorted(row["function"] for row in found), sorted(wanted.values()))


SCOPES = """
struct item { void *addr; unsigned hits; };
struct item hits[16] = {{0, 1}};
volatile int sink;
#define KEPT __attribute__((noinline, used))
namespace app {
struct Store { KEPT void put(int x) { sink += x; } KEPT void get(int x) { sink -= x; } };
struct Queue { KEPT void get(int x) { sink ^= x; } };
}
extern "C" void top(void) { app::Store s; app::Queue q; s.put(1); s.get(2); q.get(3); }
"""


class Unqualified(Files):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.path / "scopes.cpp").write_text(SCOPES)
        cls.elf, raw = cls.path / "scopes.elf", cls.path / "hits.bin"
        subprocess.run(["arm-none-eabi-g++", "-mcpu=cortex-m3", "-mthumb", "-O1", "-g", "-nostdlib", "-w",
                        "-Ttext=0x8000", "-Tdata=0x20000000", "-Wl,-e,top", cls.path / "scopes.cpp", "-o", cls.elf],
                       check=True, capture_output=True)
        rows = [(place[0], 10) for name, place in symbols(cls.elf).items() if name.startswith("_ZN3app")]
        raw.write_bytes(b"".join(struct.pack("<II", *row) for row in rows) + bytes(8 * (16 - len(rows))))
        cls.link = ("--elf", cls.elf, "--symbol", "hits", "--raw", raw, "--grain", "2")
        cls.store = cls.path / "store"
        cls.store.mkdir()
        done = mprof("snapshot", *cls.link, "-o", cls.store / "a.pb.gz")
        assert done.returncode == 0, done.stderr

    def test_annotate(self):
        for source in (self.link, (self.store / "a.pb.gz",)):
            for name in ("put", "Store::put", "app::Store::put", "Queue::get", "scopes.cpp:put"):
                done = mprof("annotate", name, *source, "--disassembler", "false", "--format", "json")
                self.assertEqual(done.returncode, 0, done.stderr)
                function = json.loads(done.stdout)["function"]
                self.assertEqual(function, "app::Queue::get" if "get" in name else "app::Store::put")

    def test_several(self):
        done = mprof("annotate", "get", *self.link, "--disassembler", "false")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"'get' may be: app::Store::get \(scopes\.cpp:\d+\), app::Queue::get \(scopes")
        done = mprof("annotate", "ge", *self.link, "--disassembler", "false")
        self.assertRegex(done.stderr, "no function is called 'ge'; there is: app::")

    def test_ignore(self):
        for name, left in (("put", {"app::Store::get", "app::Queue::get"}), ("get", {"app::Store::put"}),
                           ("Queue::get", {"app::Store::put", "app::Store::get"}), ("et", None)):
            rows = self.rows("report", *self.link, "--ignore", name)
            self.assertEqual({row["function"] for row in rows},
                             left or {"app::Store::put", "app::Store::get", "app::Queue::get"})

    def test_log(self):
        for name, wanted in (("put", {"app::Store::put"}), ("get", {"app::Store::get", "app::Queue::get"})):
            trends = json.loads(self.text("log", name, "--store", self.store, "--format", "json"))["trends"]
            self.assertEqual({trend["function"] for trend in trends}, wanted)


if __name__ == "__main__":
    unittest.main()
