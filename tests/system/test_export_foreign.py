# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export of profiles that no mprof made: names that must not break a format, several types, no
addresses, bins of every size."""

import csv
import io
import json
import os
import pty
import shutil
import unittest

import formats
from exports import ARM_GPROF, TEXT_FORMATS, Exports
from support import FIRMWARE, HANG_S, mprof, start, stop, symbols

ELF = FIRMWARE / "cortex-m3.elf"


HOSTILE = ["</script><b>bold", "a;b\nc d", "<img src=x onerror=alert(1)>", "\"quoted\" 'name' \\n",
           "\x1b[31mred\x1b[0m\x9b2J", "x" * 10000, b"no \xff\xfe UTF-8 \xc3", "fn=(1) x", "]]>--><!--",
           "\u202eright to left", "&lt;&amp;", "=1+1", "naïve über"]


class OfOthers(Exports):
    """Profiles that no mprof made, and what must not break a format."""

    def hostile(self):
        """Each name calls the one before it."""
        functions = [(name, name if i % 2 else "/src/a b.c", i) for i, name in enumerate(HOSTILE)]
        locations = [(0x1000 + 16 * i, [(i, i + 1)]) for i in range(len(HOSTILE))]
        samples = [([*range(i, len(HOSTILE))], [i + 1]) for i in range(len(HOSTILE))]
        return self.put("hostile.pb.gz", formats.pprof([("samples", "count")], functions, locations,
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
        path = self.put("callgrind.out", self.export("callgrind", self.hostile()))
        _, totals, rows = formats.annotate(path)
        self.assertEqual(totals, [sum(range(1, len(HOSTILE) + 1))])
        self.assertEqual(sum(counts[0] for counts in rows.values()), totals[0])
        _, _, inclusive = formats.annotate(path, "--inclusive=yes")
        self.assertEqual(max(counts[0] for counts in inclusive.values()), totals[0])

    def test_hostile_names_in_a_page(self):
        path = self.hostile()
        text = self.text("html", path)
        page = formats.Page(text)
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
        deepest = page.column("Total")
        self.assertEqual({row[names_at]: row[deepest] for row in page.rows[1:]
                          for names_at in [page.column("Function")]}["naïve über"], "100.0")

    def test_several_types_and_no_addresses(self):
        types = [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_space", "bytes")]
        path = self.put("heap.pb.gz", formats.pprof(
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
        self.assertIn("gmon.out needs addresses", self.bad("export", "--format", "gmon", path))

    def test_what_cannot_be(self):
        one = [("f", "f.c", 1)], [(0x1000, [(0, 1)])]
        path = self.put("a.pb.gz", formats.pprof([("samples", "count")], *one, [([0], [-5])]))
        for name in TEXT_FORMATS:
            self.assertIn("negative", self.bad("export", "--format", name, path, "-o", self.folder / "x"))
        path = self.put("b.pb.gz", formats.pprof([("samples", "count")], *one, [([0], [5])]))
        self.assertIn("not known", self.bad("export", "--format", "gmon", path))
        path = self.put("c.pb.gz", formats.pprof([("samples", "count")], *one,
                                                   [([0], [2**62]), ([0], [2**62])]))
        self.assertIn("too large", self.bad("export", "--format", "folded", path))
        # A stack of nothing is a hit of something that is not known.
        path = self.put("d.pb.gz", formats.pprof([("samples", "count")], *one, [([], [5]), ([0], [2])]))
        self.assertEqual(formats.folded(self.text("folded", path)), {("[not known]",): 5, ("f",): 2})
        for name in TEXT_FORMATS:
            self.export(name, path)
        # Nothing at all is a file, too.
        path = self.put("e.pb.gz", formats.pprof([("samples", "count")], *one, []))
        for name in TEXT_FORMATS:
            self.export(name, path)
        self.assertEqual(self.export("folded", path), b"")

    def ours(self, name, hits, *, rate=1000, build_id="", kind="samples"):
        """A snapshot of ELF with these hits, {address: hits}, in blocks of 2 bytes."""
        comments = ["mprof snapshot 1", "mprof grain=2", "mprof address-size=4", "mprof runs=1"]
        if rate:
            comments.append(f"mprof rate={rate}")
        return self.put(name, formats.pprof(
            [(kind, "count")], [("f", "f.c", 1)], [(address, [(0, 1)]) for address in hits],
            [([i], [count]) for i, count in enumerate(hits.values())], comments, build_id))

    @unittest.skipUnless(shutil.which(ARM_GPROF), "binutils-arm-none-eabi is missing")
    def test_more_than_a_bin_holds(self):
        """Bins have 16 bits: gprof adds records of the same range up."""
        table = symbols(ELF)
        (a, size), (b, _) = table["work_a"], table["work_b"]
        hits = {a + 2: 1000000, a + 4: 65535, a + 6: 65536, b + 2: 7, a + size - 2: 131070}
        path = self.put("gmon.out", self.export("gmon", self.ours("big.pb.gz", hits, rate=0)))
        data = formats.Gmon(path.read_bytes(), 4)
        self.assertEqual(data.hits(), hits)
        self.assertEqual({h[2:4] for h in data.histograms}, {(1, "samples")})
        flat, _, _ = formats.gprof(ARM_GPROF, ELF, path)
        self.assertEqual(flat, {"work_a": sum(hits.values()) - 7, "work_b": 7})
        self.assertEqual(self.export("gmon", path), path.read_bytes())

    def test_byte_order_is_kept(self):
        little = self.export("gmon", self.ours("a.pb.gz", {0x1000: 70000, 0x1004: 3}))
        big = b"gmon" + bytes([0, 0, 0, 1]) + bytes(12)
        data = formats.Gmon(little, 4)
        data.order = ">"
        path = self.put("big.out", data.with_rate(1000))
        self.assertEqual(path.read_bytes()[:20], big)
        self.assertEqual(self.export("gmon", path), path.read_bytes())

    def test_wide_buckets_stay_as_they_are(self):
        """As OpenOCD writes them: of what has no names, nothing is divided."""
        data = formats.Gmon(self.export("gmon", self.ours("a.pb.gz", {0x1000: 1})), 4)
        data.histograms = [(0x1000, 0x1000 + 5 * 24, 100, "seconds", (5, 0, 7, 1, 0))]
        path = self.put("wide.out", data.with_rate(100))
        again = formats.Gmon(self.export("gmon", path), 4)
        self.assertEqual(again.hits(), data.hits())
        # 100 bytes in 7 buckets.
        data.histograms = [(0x1000, 0x1064, 100, "seconds", (5, 3, 7, 1, 0, 2, 9))]
        path = self.put("uneven.out", data.with_rate(100))
        uneven = self.put("again.out", self.export("gmon", path))
        self.assertEqual(sum(formats.Gmon(uneven.read_bytes(), 4).hits().values()), 27)

    def test_other_builds_do_not_mix(self):
        samples = self.ours("a.pb.gz", {0x1000: 5}, build_id="aa" * 20)
        calls = self.ours("b.pb.gz", {0x1000: 5}, build_id="bb" * 20, kind="calls")
        self.assertIn("different builds", self.bad("export", "--format", "gmon", samples, calls))
        self.export("gmon", samples, self.ours("c.pb.gz", {0x1000: 5}, kind="calls", build_id="aa" * 20))

    def test_usage(self):
        path = self.hostile()
        self.lacking(mprof("export", path), "--format NAME")
        self.lacking(mprof("export", "--format", "csv"), "FILE")
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
        self.assertIn("write it to a file with -o FILE", err)


if __name__ == "__main__":
    unittest.main()
