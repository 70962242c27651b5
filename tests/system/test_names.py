# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in every format: nothing hidden in them, no formula for a spreadsheet."""

import csv
import html
import io
import json
import shutil
import struct
import subprocess
import unittest

import arm
import formats
import prof
from case import SharedFolder
from support import mprof, symbols

HIDDEN = ["zero\u200bwidth", "\u202eturned\u202c", "join\u200ded", "soft\u00adhyphen", "mark\ufeff", "\u061carab",
          "\u2066iso\u2069", "tag\U000e0041\U000e007f", "word\u2060joined"]
FORMULAS = ["=cmd|'/c calc'!A1", "+1+cmd", "-[Pump run:]", "@SUM(1)", "=HYPERLINK(\"http://x\",\"y\")"]
NAMES = HIDDEN + FORMULAS
UNSEEN = {c for name in HIDDEN for c in name if not c.isprintable()}


def shown(name):
    return "".join(f"<U+{ord(c):04X}>" if c in UNSEEN else c for c in name)


class Files(SharedFolder):
    def text(self, *args):
        done = mprof(*args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def rows(self, *args):
        return self.json(*args)["rows"]


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

    def test_hidden_in_junit(self):
        path = self.path / "junit.xml"
        limits = [word for name in HIDDEN for word in ("--fail-above", f"{name}=+0.001pp")]
        done = mprof("diff", self.other, self.snapshot, "--noise", "0", *limits, "--junit", path)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(UNSEEN & set(done.stderr), set())
        self.check(path.read_text(), html.escape)

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
        path = self.put("root.pb.gz", formats.pprof(
            [("samples", "count")], [("leaf", "", 0), ("-1", "", 0)], [(16, [(0, 1)]), (32, [(1, 1)])],
            [([0, 1], [5])]))
        row, = csv.DictReader(io.StringIO(self.text("export", path, "--format", "csv")))
        self.assertEqual(row["stack"], "'-1;leaf")


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
        found = self.rows("report", "--elf", elf, "--symbol", "hits", "--raw", raw, "--block-size", "1")
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
        cls.elf = arm.build(cls.path / "scopes.cpp", SCOPES, *arm.PLACED)
        raw = arm.dump(cls.path / "hits.bin", [(place[0], 10) for name, place in symbols(cls.elf).items()
                                               if name.startswith("_ZN3app")], 16)
        cls.link = ("--elf", cls.elf, "--symbol", "hits", "--raw", raw, "--block-size", "2")
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
        self.assertRegex(done.stderr, r"'get' is ambiguous: app::Store::get \(scopes\.cpp:\d+\), app::Queue::get \(scopes")
        done = mprof("annotate", "ge", *self.link, "--disassembler", "false")
        self.assertRegex(done.stderr, "no function named 'ge'; similar: app::")

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


ISRS = """
volatile int sink;
struct { unsigned magic; char rest[4092]; } s_prof = {1};
__attribute__((noinline)) void leaf(void) { sink += 1; }
__attribute__((noinline)) void UART_IRQHandler(void) { leaf(); sink += 2; }
__attribute__((noinline)) void SysTick_Handler(void) { sink += 3; }
void top(void) { leaf(); UART_IRQHandler(); SysTick_Handler(); sink += 4; }
"""
RETURN = "[exception return]"


def arcs(rows):
    """The bytes of an s_prof with a block of arcs: (callee, caller, hits) (docs/layout.md)."""
    hits = sum(row[2] for row in rows)
    header = struct.pack("<IBBBBHHI", prof.MAGIC, 1, 1, 4, 1, prof.HEADER, 0, 4096)
    header += struct.pack("<8I16xI", 1, hits, len(rows), 0, 0, 0, 0, 0, prof.ENABLE_ALL)
    block = struct.pack("<BBBBHHII", 4, 2, 0, 0, 16, 0, 64, prof.HEADER + prof.BLOCK)
    body = b"".join(struct.pack("<4I", *row, stamp) for stamp, row in enumerate(rows, 1))
    body += struct.pack("<4I", 1, 0, 0, 0) * (64 - len(rows))
    return (header.ljust(prof.HEADER, b"\0") + block + body).ljust(4096, b"\0")


class Interrupts(Files):
    """What a handler returns to is no address: it has a name, in every output."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.elf, cls.raw = arm.build(cls.path / "isr.c", ISRS, *arm.PLACED), cls.path / "arcs.bin"
        place = {name: at[0] & ~1 for name, at in symbols(cls.elf).items()}
        # To a thread and to a handler, with and without bit 0; with a saved FPU; from the other side.
        cls.raw.write_bytes(arcs([
            (place["UART_IRQHandler"], 0xfffffff9, 100), (place["UART_IRQHandler"], 0xfffffff0, 20),
            (place["UART_IRQHandler"], 0xffffffe9, 3), (place["SysTick_Handler"], 0xfffffffd, 50),
            (place["SysTick_Handler"], 0xffffffbc, 5), (place["leaf"], place["UART_IRQHandler"] + 7, 70),
            (place["leaf"], 0xffffff01, 7)]))
        cls.link = ("--elf", cls.elf, "--raw", cls.raw)
        cls.snapshot = cls.path / "arcs.pb.gz"
        done = mprof("snapshot", *cls.link, "-o", cls.snapshot)
        assert done.returncode == 0, done.stderr

    right = {(RETURN, "UART_IRQHandler"): 123, (RETURN, "SysTick_Handler"): 55, ("UART_IRQHandler", "leaf"): 70,
             (None, "leaf"): 7}

    def test_reports(self):
        for source in (self.link, (self.snapshot,)):
            rows = self.rows("report", *source, "--by", "arc")
            self.assertEqual({(row["caller"], row["function"]): row["hits"] for row in rows}, self.right)
            for form in ("table", "csv", "markdown"):
                text = self.text("report", *source, "--by", "arc", "--format", form).replace("\\", "")
                self.assertEqual(text.count(RETURN), 2, text)
                self.assertNotIn("0xffffffe", text)
                self.assertNotIn("0xfffffff", text)

    def test_other_machines(self):
        """On RISC-V it is an address like others."""
        data = bytearray(self.elf.read_bytes())
        data[18:20] = struct.pack("<H", 243)
        elf = self.put("riscv.elf", bytes(data))
        self.assertNotIn(RETURN, self.text("report", "--elf", elf, "--raw", self.raw, "--by", "arc"))

    def export(self, name):
        return self.text("export", self.snapshot, "--format", name)

    def test_exports(self):
        self.assertEqual(formats.folded(self.export("folded")),
                         {(caller or "0xfffffeff", function): hits for (caller, function), hits in self.right.items()})
        for name in ("callgrind", "speedscope", "json", "html", "csv"):
            text = self.export(name)
            self.assertIn(RETURN, text)
            self.assertNotRegex(text, '[" ;>]0xffffff[ef]')
        names = [frame["name"] for frame in json.loads(self.export("speedscope"))["shared"]["frames"]]
        self.assertEqual(names.count(RETURN), 1)

    def test_gmon(self):
        """There are no names in it, and it gets them again."""
        path = self.path / "gmon.out"
        self.text("export", self.snapshot, "--format", "gmon", "-o", path)
        arcs = formats.Gmon(path.read_bytes(), 4).arcs
        self.assertEqual(sum(calls for (caller, _), calls in arcs.items() if caller >= 0xffffff80), 178)
        rows = self.rows("report", path, "--elf", self.elf, "--by", "arc", "--type", "calls")
        self.assertEqual({(row["caller"], row["function"]): row["hits"] for row in rows}, self.right)

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_callgrind_annotate(self):
        path = self.path / "callgrind.out"
        self.text("export", self.snapshot, "--format", "callgrind", "-o", path)
        done = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", path],
                              capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"\n *178 .*\?\?\?:\[exception return\]")

    @unittest.skipUnless(shutil.which("go"), "go is missing")
    def test_go_tool_pprof(self):
        done = subprocess.run(["go", "tool", "pprof", "-top", "-cum", "-symbolize=none", "-nodefraction=0",
                               self.snapshot], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"\n.* 178 .*%  \[exception return\]")


INLINED = """
struct item { void *addr; unsigned hits; };
struct item hits[256] = {{0, 1}};
volatile unsigned sink;
#define IN static inline __attribute__((always_inline))
#define BODY(n) { sink ^= n * x; return sink; }
namespace ns {
enum class Color : unsigned { red, green };
typedef struct { int x; } Anon;
template <class T> struct Box { static inline __attribute__((always_inline)) unsigned take(unsigned x) BODY(3) };
IN unsigned take_byte(unsigned x) BODY(5)
template <class T, unsigned N> IN unsigned get(unsigned x) BODY(7)
template <class... T> IN unsigned pack(unsigned x) BODY(9)
template <bool B, char C, int I, Color P> IN unsigned values(unsigned x) BODY(11)
IN unsigned over(unsigned long x) BODY(13)
IN unsigned over(const char *, void (*)(int, ...), unsigned short x) BODY(15)
inline namespace v1 { IN unsigned versioned(unsigned x) BODY(17) }
namespace {
unsigned hidden(unsigned x) __attribute__((always_inline));
inline unsigned hidden(unsigned x) BODY(19)
struct Pump {
    unsigned v;
    inline __attribute__((always_inline)) unsigned run(unsigned x) const BODY(21)
    template <class T> inline __attribute__((always_inline)) bool operator<(T x) const { return sink < x; }
};
}
}
typedef unsigned call(unsigned);
#define EACH(USE) USE(ns::take_byte) USE((ns::get<unsigned long, 3>)) USE((ns::get<const volatile short *, 4>)) \\
    USE((ns::pack<long long, const char *, int &, ns::Box<ns::Box<unsigned char>>>)) USE(ns::pack<>) \\
    USE((ns::pack<char[3], ns::Anon, void (*)(unsigned long)>)) USE((ns::values<true, 'c', -3, ns::Color::green>)) \\
    USE(ns::v1::versioned) USE(ns::hidden) USE(ns::Box<ns::Pump>::take)
extern "C" {
IN unsigned plain(unsigned x) BODY(23)
const char text[] = "x";
__attribute__((noinline)) void top(unsigned x)
{
#define CALL(f) sink = f(x);
    EACH(CALL)
    sink = ns::over(x);
    sink = ns::over(text, 0, x);
    sink = plain(x);
    ns::Pump pump;
    sink = pump.run(x);
    sink = pump < x;
}
void keep(void)
{
#define COPY(f) sink = (unsigned)(call *)f;
    EACH(COPY)
    sink = (unsigned)(unsigned (*)(unsigned long))ns::over;
    sink = (unsigned)(unsigned (*)(const char *, void (*)(int, ...), unsigned short))ns::over;
    sink = (unsigned)plain;
}
}
"""
INLINED_NAMES = {
    "ns::take_byte", "ns::get<unsigned long, 3u>", "ns::get<short const volatile*, 4u>", "ns::pack<>",
    "ns::pack<long long, char const*, int&, ns::Box<ns::Box<unsigned char> > >",
    "ns::pack<char [3], ns::Anon, void (*)(unsigned long)>", "ns::values<true, (char)99, -3, (ns::Color)1>",
    "ns::v1::versioned", "ns::(anonymous namespace)::hidden", "ns::Box<ns::(anonymous namespace)::Pump>::take",
    "ns::over(unsigned long)", "ns::over(char const*, void (*)(int, ...), unsigned short)", "plain",
}


class Inlined(Files):
    def link(self, *flags):
        """The program, and a hit for each instruction of top() and each function."""
        elf = arm.build(self.path / "in.cpp", INLINED, "-std=c++17", "-fno-exceptions", *arm.PLACED, *flags)
        places = symbols(elf)
        start, size = places["top"]
        addrs = [*range(start & ~1, start + size, 2), *(at & ~1 for at, _ in places.values() if at < 0x20000000)]
        raw = arm.dump(self.path / "hits.bin", [(addr, 1) for addr in addrs], 256)
        return "--elf", elf, "--symbol", "hits", "--raw", raw, "--block-size", "2"

    def check(self, link):
        rows = self.rows("report", *link, "--by", "inline")
        names = {row["function"].split(" (inlined)")[0] for row in rows if "(inlined)" in row["function"]}
        self.assertLessEqual(INLINED_NAMES, names)
        self.assertIn("ns::(anonymous namespace)::Pump::run", names)
        self.assertIn("ns::(anonymous namespace)::Pump::operator< <unsigned int>", names)
        copies = {row["function"] for row in self.rows("report", *link, "--by", "function")}
        self.assertLessEqual(INLINED_NAMES, copies)

    def test_as_the_copy(self):
        """An inlined function is called as its copy, which has a symbol."""
        for version in "4", "5":
            self.check(self.link(f"-gdwarf-{version}"))


if __name__ == "__main__":
    unittest.main()
