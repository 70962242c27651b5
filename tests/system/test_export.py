# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export: what the programs make of it that the formats are for.

usage: test_export.py BLOCKS_ELF RV64_ELF
"""

import collections
import csv
import html.parser
import io
import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import formats
import prof
from blocks_rig import BlocksRig
from pprof_file import retimed
from support import HANG_S, environment, mprof, patient, start, stop, symbols

patient()
BLOCKS, RV64 = map(pathlib.Path, sys.argv[1:3])
ARM_GPROF, RISCV_GPROF = "arm-none-eabi-gprof", "riscv64-unknown-elf-gprof"
TEXT_FORMATS = ("callgrind", "folded", "speedscope", "csv", "json", "html")


def shared_blocks(elf):
    """Addresses of blocks of 16 bytes that are parts of several functions, and of nothing else."""
    owners, covered = collections.Counter(), collections.Counter()
    for line in subprocess.check_output(["arm-none-eabi-nm", "-S", elf], text=True).splitlines():
        start, *size, kind, name = line.split()
        if size and kind in "tT" and name != "vectors" and not name.startswith("s_"):
            code = range(int(start, 16), int(start, 16) + int(size[0], 16))
            owners.update({addr & -16 for addr in code})
            covered.update(addr & -16 for addr in code)
    return sorted(block for block, count in owners.items() if count > 1 and covered[block] == 16)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def good(self, *args, **more):
        done = mprof(*args, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def bad(self, *args, status=1, **more):
        done = mprof(*args, **more)
        self.assertEqual(done.returncode, status, done.stdout[:200])
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        return done.stderr

    def export(self, name, *files, options=()):
        """The bytes of that format; the same ones as a file and on standard output."""
        out = self.folder / f"out.{name}"
        self.assertEqual(self.good("export", "--format", name, *files, "-o", out, *options), "")
        done = subprocess.run([os.environ["MPROF_BUILD"] + "/mprof", "export", "--format", name,
                               *map(str, files), *options], capture_output=True, timeout=HANG_S,
                              env=environment(), stdin=subprocess.DEVNULL)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(out.read_bytes(), done.stdout)
        return done.stdout

    def text(self, name, *files, options=()):
        return self.export(name, *files, options=options).decode()

    def rows(self, *files, by="function", options=()):
        return json.loads(self.good("report", *files, "--by", by, "--format", "json",
                                    *options))["rows"]

    def hits(self, *files, options=()):
        found = collections.Counter()
        for row in self.rows(*files, options=options):
            found[row["function"] or row["address"]] += row["hits"]
        return dict(found)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path


class OfFirmware(WithFolder):
    """Snapshots of a Cortex-M3 behind a real OpenOCD."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kept = pathlib.Path(folder.name)
        with BlocksRig(BLOCKS) as rig:
            rig.begin(3000)
            rig.end()
            rig.tcl.halt()
            for sampler in ("table", "histogram", "arcs"):
                done = mprof("snapshot", *rig.link, "--sampler", sampler, "-o", cls.file(sampler))
                assert done.returncode == 0, done.stderr
        items = [(block, 7 * i + 1) for i, block in enumerate(shared_blocks(BLOCKS))]
        dump = cls.kept / "dump"
        dump.write_bytes(prof.table(items, size=symbols(BLOCKS)["s_prof"][1]))
        done = mprof("snapshot", "--elf", BLOCKS, "--raw", dump, "-o", cls.file("shared"))
        assert done.returncode == 0, done.stderr

    @classmethod
    def file(cls, sampler):
        return cls.kept / f"{sampler}.pb.gz"

    def arcs(self):
        return {(row["caller"], row["function"]): row["hits"]
                for row in self.rows(self.file("arcs"), by="arc") if row["caller"]}

    def check_gprof(self, program, elf, size, *files):
        data = formats.Gmon(self.export("gmon", *files), size)
        path = self.write("one.gmon", data.with_rate(1))
        return data, formats.gprof(program, elf, path)

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_gprof(self):
        """Flat profile and call graph, to the last hit: of blocks that several functions share too."""
        for sampler in ("table", "histogram", "shared"):
            data, (flat, calls, arcs) = self.check_gprof(ARM_GPROF, BLOCKS, 4, self.file(sampler),
                                                         self.file("arcs"))
            self.assertEqual({low % 2 for low in data.hits()}, {0})
            self.assertEqual({h[2:4] for h in data.histograms}, {(1000, "seconds")})
            self.assertEqual(flat, self.hits(self.file(sampler)))
            self.assertEqual(arcs, self.arcs())
            counted = collections.Counter()
            for (_, function), hits in self.arcs().items():
                counted[function] += hits
            self.assertEqual(calls, counted)
        self.assertGreater(len(self.rows(self.file("shared"))), 3)

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_gprof_takes_the_file_as_it_is(self):
        path = self.write("gmon.out", self.export("gmon", self.file("histogram"), self.file("arcs")))
        done = subprocess.run([ARM_GPROF, "-b", str(BLOCKS), str(path)], text=True, timeout=HANG_S,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Each sample counts as 0.001 seconds.", done.stdout)
        flat, _, arcs = formats.gprof(ARM_GPROF, BLOCKS, path)
        hits = self.hits(self.file("histogram"))
        for function, seconds in flat.items():
            self.assertAlmostEqual(seconds, hits[function] / 1000, delta=0.0051)
        self.assertEqual(arcs, self.arcs())

    def test_gmon_comes_back(self):
        """What was exported and is imported again is the same."""
        path = self.write("gmon.out", self.export("gmon", self.file("table"), self.file("arcs")))
        self.assertEqual(self.export("gmon", path), path.read_bytes())
        self.assertEqual(self.hits(path, options=("--elf", BLOCKS)), self.hits(self.file("table")))
        named = formats.Gmon(self.export("gmon", path, options=("--elf", BLOCKS)), 4)
        self.assertEqual(named.hits(), formats.Gmon(path.read_bytes(), 4).hits())
        self.assertEqual(sum(named.arcs.values()), sum(self.arcs().values()))
        stacks = formats.folded(self.text("folded", path, options=("--elf", BLOCKS)))
        self.assertEqual(stacks, formats.folded(self.text("folded", self.file("table"))))

    def test_several_files_are_added_up(self):
        table, arcs = self.file("table"), self.file("arcs")
        once = formats.Gmon(self.export("gmon", table, arcs), 4)
        tables, two_arcs = ([retimed(path, self.folder / f"{path.name}-{i}", 1000 + 10 * i, 5)
                             for i in range(2)] for path in (table, arcs))
        twice = formats.Gmon(self.export("gmon", two_arcs[0], *tables, two_arcs[1]), 4)
        self.assertEqual(sum(twice.hits().values()), 2 * sum(once.hits().values()))
        self.assertEqual(twice.arcs, {key: 2 * calls for key, calls in once.arcs.items()})

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_callgrind_annotate(self):
        path = self.write("callgrind.out", self.export("callgrind", self.file("table"), self.file("arcs")))
        events, totals, rows = formats.annotate(path)
        self.assertEqual(events, ["Samples", "ns", "Calls"])
        samples, calls = self.hits(self.file("table")), self.arcs()
        self.assertEqual(totals, [sum(samples.values()), sum(samples.values()) * 10**6,
                                  sum(row["hits"] for row in self.rows(self.file("arcs")))])
        flat, called = collections.Counter(), collections.Counter()
        for (_, function), counts in rows.items():
            flat[function] += counts[0]
            called[function] += counts[2]
        self.assertEqual(+flat, samples)
        lines = self.rows(self.file("table"), by="file")
        files = collections.Counter()
        for (file, _), counts in rows.items():
            files[file] += counts[0]
        self.assertEqual({file: hits for file, hits in files.items() if hits},
                         {row["file"]: row["hits"] for row in lines if row["file"]})
        for (_, function), hits in calls.items():
            self.assertGreaterEqual(called[function], hits)
        # Who calls whom: each arc is a line under its caller.
        text = path.read_text()
        self.assertEqual(sum(int(line.split()[0][6:]) for line in text.splitlines()
                             if line.startswith("calls=")), sum(calls.values()))
        _, _, inclusive = formats.annotate(path, "--inclusive=yes")
        both = {function: counts[2] for (_, function), counts in inclusive.items()}
        for caller in {caller for caller, _ in calls}:
            self.assertEqual(both[caller], sum(hits for (c, _), hits in calls.items() if c == caller))

    def test_same_hits_in_every_format(self):
        hits = self.hits(self.file("table"))
        total = sum(hits.values())
        whole = json.loads(self.text("json", self.file("table")))
        frames, (profile,) = whole["frames"], whole["profiles"]
        self.assertEqual([t["name"] for t in profile["types"]], ["samples", "time"])
        by_owner, stacks = collections.Counter(), collections.Counter()
        for sample in profile["samples"]:
            by_owner[frames[sample["stack"][sample["owner"]]]["function"]] += sample["values"][0]
            stacks[tuple(frames[i]["name"] for i in reversed(sample["stack"]))] += sample["values"][0]
            self.assertEqual(int(sample["address"], 16) % 2, 0)
        self.assertEqual(+by_owner, hits)
        self.assertTrue(any(frame["inlined"] for frame in frames))
        self.assertEqual(formats.folded(self.text("folded", self.file("table"))), +stacks)
        file = formats.check_speedscope(self.text("speedscope", self.file("table")))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        sampled = collections.Counter()
        for stack, weight in zip(file["profiles"][0]["samples"], file["profiles"][0]["weights"]):
            sampled[tuple(names[i] for i in stack)] += weight
        self.assertEqual(sampled, +stacks)
        lines = list(csv.DictReader(io.StringIO(self.text("csv", self.file("table")))))
        from_csv = collections.Counter()
        for line in lines:
            if line["type"] == "samples":
                from_csv[line["function"]] += int(line["value"])
        self.assertEqual(+from_csv, hits)
        page = Page(self.text("html", self.file("table")))
        self.assertEqual(page.hits(), hits)
        self.assertEqual(page.graph_total(), total)
        conditions = profile["conditions"]
        self.assertEqual((conditions["elf"], conditions["sampler"], conditions["grain"],
                          conditions["jittered"]), (BLOCKS.name, "table", 16, True))
        self.assertIn("mps2.cpu", page.words)

    def test_type(self):
        file = formats.check_speedscope(self.text("speedscope", self.file("table"),
                                                  options=("--type", "time")))
        self.assertEqual(file["profiles"][0]["unit"], "nanoseconds")
        self.assertEqual(file["profiles"][0]["endValue"],
                         sum(self.hits(self.file("table")).values()) * 10**6)
        both = formats.check_speedscope(self.text("speedscope", self.file("table"), self.file("arcs")))
        self.assertEqual([p["name"] for p in both["profiles"]], ["samples", "calls"])
        self.assertIn("--type samples or --type calls",
                      self.bad("export", "--format", "folded", self.file("table"), self.file("arcs"),
                               status=2))
        calls = formats.folded(self.text("folded", self.file("table"), self.file("arcs"),
                                         options=("--type", "calls")))
        self.assertEqual({stack[-2:]: hits for stack, hits in calls.items() if len(stack) > 1},
                         self.arcs())
        self.assertIn("nothing is called", self.bad("export", "--format", "csv", self.file("table"),
                                                    "--type", "x", status=2))


@unittest.skipUnless(shutil.which(RISCV_GPROF), "binutils-riscv64-unknown-elf is missing")
class OfRiscV(OfFirmware):
    """Addresses of eight bytes."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.kept = pathlib.Path(folder.name)
        table = symbols(RV64, "nm")
        start, size = table["work_a"]
        items = [((start & -16) + 16 * i, 11 + i) for i in range(size // 16)]
        dump = cls.kept / "dump"
        dump.write_bytes(prof.table(items, size=table["s_prof"][1], wide=True))
        done = mprof("snapshot", "--elf", RV64, "--raw", dump, "-o", cls.file("table"))
        assert done.returncode == 0, done.stderr

    test_gprof_takes_the_file_as_it_is = test_gmon_comes_back = test_several_files_are_added_up = None
    test_callgrind_annotate = test_same_hits_in_every_format = test_type = None

    def test_gprof(self):
        data, (flat, calls, arcs) = self.check_gprof(RISCV_GPROF, RV64, 8, self.file("table"))
        self.assertEqual(flat, self.hits(self.file("table")))
        self.assertEqual((calls, arcs, data.arcs), ({}, {}, {}))


class Page(html.parser.HTMLParser):
    """The page: its table, its data, and what must not be in it."""

    VOID = {"meta", "input", "br"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.rows, self.heads, self.words = [], [], [], ""
        self.scripts, self.attributes, self.tags = [], [], collections.Counter()
        self.feed(text)
        self.close()
        assert not self.open, self.open
        self.data = json.loads(self.scripts[0])

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            if tag == "th":
                self.heads.append(dict(attrs))
        elif tag == "script":
            self.scripts.append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if "script" in self.open:
            self.scripts[-1] += data
        elif "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data
        else:
            self.words += data

    def column(self, title):
        return next(i for i, text in enumerate(self.rows[0]) if text.startswith(title))

    def hits(self):
        """function -> hits, of the table"""
        found = collections.Counter()
        for row in self.rows[1:]:
            found[row[self.column("Function")]] += int(row[2])
        return dict(+found)

    def graph_total(self):
        return sum(node[2] + (node[3] if len(node) > 3 else 0) for node in self.data["nodes"])


HOSTILE = ["</script><b>bold", "a;b\nc d", "<img src=x onerror=alert(1)>", "\"quoted\" 'name' \\n",
           "\x1b[31mred\x1b[0m\x9b2J", "x" * 10000, b"no \xff\xfe UTF-8 \xc3", "fn=(1) x", "]]>--><!--",
           "\u202eright to left", "&lt;&amp;", "=1+1", "naïve über"]


class OfOthers(WithFolder):
    """Profiles that no mprof made, and what must not break a format."""

    def hostile(self):
        """Each name calls the one before it."""
        functions = [(name, name if i % 2 else "/src/a b.c", i) for i, name in enumerate(HOSTILE)]
        locations = [(0x1000 + 16 * i, [(i, i + 1)]) for i in range(len(HOSTILE))]
        samples = [([*range(i, len(HOSTILE))], [i + 1]) for i in range(len(HOSTILE))]
        return self.write("hostile.pb.gz", formats.pprof([("samples", "count")], functions, locations,
                                                         samples))

    def test_hostile_names(self):
        path = self.hostile()
        total = sum(range(1, len(HOSTILE) + 1))
        for name in TEXT_FORMATS:
            text = self.text(name, path)  # is UTF-8
            self.assertNotRegex(text.replace("\n", ""), "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", name)
        stacks = formats.folded(self.text("folded", path))
        self.assertEqual(sum(stacks.values()), total)
        self.assertEqual(sorted(map(len, stacks)), list(range(1, len(HOSTILE) + 1)))
        file = formats.check_speedscope(self.text("speedscope", path))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        for name in HOSTILE:
            if isinstance(name, str):
                self.assertIn(name.replace("\u202e", "<U+202E>"), names)
        self.assertIn("no \ufffd\ufffd UTF-8 \ufffd", names)
        self.assertEqual(file["profiles"][0]["endValue"], total)
        whole = json.loads(self.text("json", path))
        self.assertEqual({frame["function"] for frame in whole["frames"]}, set(names))
        lines = list(csv.DictReader(io.StringIO(self.text("csv", path))))
        self.assertEqual(sum(int(line["value"]) for line in lines), total)
        self.assertEqual(len(lines), len(HOSTILE))
        self.assertTrue(all(None not in line and None not in line.values() for line in lines))

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_hostile_names_in_callgrind(self):
        path = self.write("callgrind.out", self.export("callgrind", self.hostile()))
        _, totals, rows = formats.annotate(path)
        self.assertEqual(totals, [sum(range(1, len(HOSTILE) + 1))])
        self.assertEqual(sum(counts[0] for counts in rows.values()), totals[0])
        _, _, inclusive = formats.annotate(path, "--inclusive=yes")
        self.assertEqual(max(counts[0] for counts in inclusive.values()), totals[0])

    def test_hostile_names_in_a_page(self):
        path = self.hostile()
        text = self.text("html", path)
        page = Page(text)
        self.assertEqual(page.tags["script"], 2)
        self.assertEqual(page.tags["b"] + page.tags["img"], 0)
        self.assertEqual(page.tags["table"], 1)
        self.assertEqual([value for _, name, value in page.attributes if name.startswith("on")], [])
        self.assertEqual([a for a in page.attributes if a[1] in ("src", "href", "action", "data")], [])
        self.assertNotIn("http:", text)
        self.assertNotIn("https:", text)
        self.assertTrue(all(head.get("scope") in ("row", "col") for head in page.heads))
        self.assertEqual(sum("aria-sort" in head for head in page.heads), 1)
        names = [row[page.column("Function")] for row in page.rows[1:]]
        self.assertEqual(len(names), len(HOSTILE))
        for name in ("</script><b>bold", "x" * 10000, "<img src=x onerror=alert(1)>", "&lt;&amp;"):
            self.assertIn(name, names)
            self.assertIn(name, [entry[0] for entry in page.data["names"]])
        self.assertEqual(page.graph_total(), sum(range(1, len(HOSTILE) + 1)))
        self.assertTrue(page.data["callers"])
        deepest = page.column("With callees")
        self.assertEqual({row[names_at]: row[deepest] for row in page.rows[1:]
                          for names_at in [page.column("Function")]}["naïve über"], "100.0")

    @unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
    def test_recursion_counts_a_sample_once(self):
        path = self.write("r.pb.gz", formats.pprof(
            [("samples", "count")], [("again", "r.c", 1), ("main", "r.c", 9)],
            [(0x10, [(0, 2)]), (0x20, [(1, 10)])], [([0, 0, 0, 1], [10]), ([0, 1], [5])]))
        out = self.write("callgrind.out", self.export("callgrind", path))
        _, totals, rows = formats.annotate(out)
        self.assertEqual((totals, rows["r.c", "again"]), ([15], [15]))
        calls = out.read_text().split("calls=")[1:]
        self.assertEqual(sorted(int(call.split()[0]) for call in calls), [10, 15])
        page = Page(self.text("html", path))
        wide = {row[page.column("Function")]: row[page.column("With callees")] for row in page.rows[1:]}
        self.assertEqual(wide, {"again": "100.0", "main": "100.0"})

    def test_several_types_and_no_addresses(self):
        types = [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_space", "bytes")]
        path = self.write("heap.pb.gz", formats.pprof(
            types, [("make", "m.c", 3), ("main", "m.c", 9)], [(0, [(0, 4)]), (0, [(1, 10)])],
            [([0, 1], [3, 300, 0]), ([1], [1, 50, 50])]))
        self.assertEqual(formats.folded(self.text("folded", path)), {("main",): 50})
        self.assertEqual(formats.folded(self.text("folded", path, options=("--type", "alloc_space"))),
                         {("main", "make"): 300, ("main",): 50})
        file = formats.check_speedscope(self.text("speedscope", path))
        self.assertEqual(file["profiles"][0]["unit"], "bytes")
        whole = json.loads(self.text("json", path))
        self.assertEqual(whole["profiles"][0]["ranked"], 2)
        self.assertEqual([s["values"] for s in whole["profiles"][0]["samples"]], [[3, 300, 0], [1, 50, 50]])
        self.assertNotIn("address", whole["profiles"][0]["samples"][0])
        self.assertIn("made of addresses", self.bad("export", "--format", "gmon", path))

    def test_what_cannot_be(self):
        one = [("f", "f.c", 1)], [(0x1000, [(0, 1)])]
        path = self.write("a.pb.gz", formats.pprof([("samples", "count")], *one, [([0], [-5])]))
        for name in TEXT_FORMATS:
            self.assertIn("below 0", self.bad("export", "--format", name, path))
        path = self.write("b.pb.gz", formats.pprof([("samples", "count")], *one, [([0], [5])]))
        self.assertIn("not known", self.bad("export", "--format", "gmon", path))
        path = self.write("c.pb.gz", formats.pprof([("samples", "count")], *one,
                                                   [([0], [2**62]), ([0], [2**62])]))
        self.assertIn("too large", self.bad("export", "--format", "folded", path))
        # A stack of nothing is a hit of something that is not known.
        path = self.write("d.pb.gz", formats.pprof([("samples", "count")], *one, [([], [5]), ([0], [2])]))
        self.assertEqual(formats.folded(self.text("folded", path)), {("[not known]",): 5, ("f",): 2})
        for name in TEXT_FORMATS:
            self.export(name, path)
        # Nothing at all is a file, too.
        path = self.write("e.pb.gz", formats.pprof([("samples", "count")], *one, []))
        for name in TEXT_FORMATS:
            self.export(name, path)
        self.assertEqual(self.export("folded", path), b"")

    def ours(self, name, hits, *, rate=1000, build_id="", kind="samples"):
        """A snapshot of BLOCKS_ELF with these hits, {address: hits}, in blocks of 2 bytes."""
        comments = ["mprof snapshot 1", "mprof grain=2", "mprof address-size=4", "mprof runs=1"]
        if rate:
            comments.append(f"mprof rate={rate}")
        return self.write(name, formats.pprof(
            [(kind, "count")], [("f", "f.c", 1)], [(address, [(0, 1)]) for address in hits],
            [([i], [count]) for i, count in enumerate(hits.values())], comments, build_id))

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_more_than_a_bin_holds(self):
        """Bins have 16 bits: gprof adds records of the same range up."""
        table = symbols(BLOCKS)
        (a, size), (b, _) = table["work_a"], table["work_b"]
        hits = {a + 2: 1000000, a + 4: 65535, a + 6: 65536, b + 2: 7, a + size - 2: 131070}
        path = self.write("gmon.out", self.export("gmon", self.ours("big.pb.gz", hits, rate=0)))
        data = formats.Gmon(path.read_bytes(), 4)
        self.assertEqual(data.hits(), hits)
        self.assertEqual({h[2:4] for h in data.histograms}, {(1, "samples")})
        flat, _, _ = formats.gprof(ARM_GPROF, BLOCKS, path)
        self.assertEqual(flat, {"work_a": sum(hits.values()) - 7, "work_b": 7})
        self.assertEqual(self.export("gmon", path), path.read_bytes())

    def test_byte_order_is_kept(self):
        little = self.export("gmon", self.ours("a.pb.gz", {0x1000: 70000, 0x1004: 3}))
        big = b"gmon" + bytes([0, 0, 0, 1]) + bytes(12)
        data = formats.Gmon(little, 4)
        data.order = ">"
        path = self.write("big.out", data.with_rate(1000))
        self.assertEqual(path.read_bytes()[:20], big)
        self.assertEqual(self.export("gmon", path), path.read_bytes())

    def test_wide_buckets_stay_as_they_are(self):
        """As OpenOCD writes them: of what has no names, nothing is divided."""
        data = formats.Gmon(self.export("gmon", self.ours("a.pb.gz", {0x1000: 1})), 4)
        data.histograms = [(0x1000, 0x1000 + 5 * 24, 100, "seconds", (5, 0, 7, 1, 0))]
        path = self.write("wide.out", data.with_rate(100))
        again = formats.Gmon(self.export("gmon", path), 4)
        self.assertEqual(again.hits(), data.hits())
        # 100 bytes in 7 buckets.
        data.histograms = [(0x1000, 0x1064, 100, "seconds", (5, 3, 7, 1, 0, 2, 9))]
        path = self.write("uneven.out", data.with_rate(100))
        uneven = self.write("again.out", self.export("gmon", path))
        self.assertEqual(sum(formats.Gmon(uneven.read_bytes(), 4).hits().values()), 27)

    def test_other_builds_do_not_mix(self):
        samples = self.ours("a.pb.gz", {0x1000: 5}, build_id="aa" * 20)
        calls = self.ours("b.pb.gz", {0x1000: 5}, build_id="bb" * 20, kind="calls")
        self.assertIn("different builds", self.bad("export", "--format", "gmon", samples, calls))
        self.export("gmon", samples, self.ours("c.pb.gz", {0x1000: 5}, kind="calls", build_id="aa" * 20))

    def test_full_disk(self):
        path = self.hostile()
        for name in TEXT_FORMATS:
            out = self.write("out", b"as before")
            before = sorted(self.folder.iterdir())

            def no_room():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
            text = self.bad("export", "--format", name, path, "-o", out, preexec_fn=no_room)
            self.assertIn(f"{out} could not be written: File too large", text)
            self.assertEqual(out.read_bytes(), b"as before")
            self.assertEqual(sorted(self.folder.iterdir()), before)
            self.assertIn("No space left", self.bad("export", "--format", name, path, "-o", "/dev/full"))
            with open("/dev/full", "w") as full:
                done = subprocess.run([os.environ["MPROF_BUILD"] + "/mprof", "export", "--format", name,
                                       str(path)], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=HANG_S, env=environment())
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("No space left", done.stderr)
        # What failed for another reason leaves it, too.
        self.bad("export", "--format", "gmon", path, "-o", out)
        self.assertEqual(out.read_bytes(), b"as before")

    def test_usage(self):
        path = self.hostile()
        self.assertIn("no format", self.bad("export", path, status=2))
        self.assertIn("no file", self.bad("export", "--format", "csv", status=2))
        self.assertIn("one of callgrind, gmon", self.bad("export", "--format", "table", path, status=2))
        self.assertIn("one of table, json", self.bad("report", "--format", "gmon", path, status=2))
        self.assertIn("No such file", self.bad("export", "--format", "csv", self.folder / "none"))
        self.assertIn("gmon", self.good("export", "--help"))
        terminal, end = pty.openpty()
        process = start("export", "--format", "gmon", path, stdout=end)
        os.close(end)
        try:
            _, err = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
            os.close(terminal)
        self.assertEqual(process.returncode, 2)
        self.assertIn("not for a terminal", err)

    def test_closed_pipe(self):
        """A reader that leaves early, like head, is no reason to say anything."""
        reader, writer = os.pipe()
        os.close(reader)
        try:
            process = start("export", "--format", "json", self.hostile(), stdout=writer)
        finally:
            os.close(writer)
        try:
            _, err = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        self.assertEqual((process.returncode, err), (-signal.SIGPIPE, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
