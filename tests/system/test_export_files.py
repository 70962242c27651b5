# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof export of files that are large or odd, without a target."""

import collections
import fcntl
import json
import os
import random
import re
import shutil
import signal
import struct
import termios
import unittest

import formats
from exports import Exports
from pprof_file import Texts, message, write
from process import PIE, Made
from support import HANG_S, start, state, stop, wait_for


def waiting(reader):
    """Bytes that a pipe holds."""
    return struct.unpack("i", fcntl.ioctl(reader, termios.FIONREAD, b"1234"))[0]


class OfLargeFiles(Exports):
    def deep(self, samples, depth):
        """Each calls the other: stacks of so many frames."""
        text = Texts()
        sample = message((1, (b"\1\2" * depth)[:depth]), (2, [5]))
        fields = [(1, message((1, text("samples")), (2, text("count"))))] + [(2, sample)] * samples
        for number in (1, 2):
            fields += [(4, message((1, number), (3, 0x1000 * number), (4, message((1, number), (2, 3))))),
                       (5, message((1, number), (2, text(f"f{number}")), (4, text("a.c"))))]
        return self.put("deep.pb", message(*fields, *text.fields(6)))

    def test_deep_stacks(self):
        depth = 300_000
        path = self.deep(1, depth)
        stacks = formats.folded(self.text("folded", path))
        self.assertEqual([(len(stack), hits) for stack, hits in stacks.items()], [(depth, 5)])
        file = formats.check_speedscope(self.text("speedscope", path))
        self.assertEqual([len(stack) for stack in file["profiles"][0]["samples"]], [depth])

    def graph(self, path):
        """The graph's nodes, each as the path of its names, with what is in it."""
        text = self.text("html", path)
        data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.S)[1])
        paths, totals = [], [0] * len(data["nodes"])
        for parent, name, *_ in data["nodes"]:
            paths.append((paths[parent] if parent >= 0 else ()) + ((data["names"][name][0],) if name >= 0 else ()))
        for i in reversed(range(len(totals))):
            parent, _, *hits = data["nodes"][i]
            totals[i] += sum(hits)
            if parent >= 0:
                totals[parent] += totals[i]
        return dict(zip(paths, totals)) if len(set(paths)) == len(paths) else self.fail("twice")

    def test_page_keeps_the_widest(self):
        """Of many stacks that are all small; and of one that is deep."""
        count = 40
        number = random.Random(1).randrange
        stacks = [([number(count) for _ in range(4)], [1 + i % 3]) for i in range(12_000)]
        path = self.put("many.pb.gz", formats.pprof(
            [("samples", "count")], [(f"f{i}", "a.c", 1) for i in range(count)],
            [(16 * i + 16, [(i, 1)]) for i in range(count)], stacks))
        whole = collections.Counter()
        for stack, (hits,) in stacks:
            for n in range(5):
                whole[tuple(f"f{i}" for i in reversed(stack[4 - n:]))] += hits
        self.assertGreater(len(whole), 20_000)
        graph = self.graph(path)
        self.assertEqual(len(graph), 20_000)
        self.assertEqual(graph, {key: whole[key] for key in graph})
        self.assertGreaterEqual(min(graph.values()), max(whole[key] for key in whole if key not in graph))
        data = self.text("html", self.deep(1, 30_000))
        nodes = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', data, re.S)[1])["nodes"]
        self.assertEqual((len(nodes), sum(sum(node[2:]) for node in nodes)), (20_000, 5))

    def test_page_of_nothing(self):
        empty = self.put("empty.pb.gz", formats.pprof([("samples", "count")], [], [], []))
        self.assertIn("Nothing was counted", self.text("html", empty))
        self.assertNotIn("Nothing was counted", self.text("html", self.deep(1, 3)))

    def test_page_says_what_intervals_cover(self):
        """And nothing if there are none."""
        for conditions, covered in (((), " (counting only)"), (("tick-locked=yes",), "")):
            path = self.put("page.pb.gz", b"")
            write(path, {"f": [300], "g": [700]}, conditions=conditions)
            self.assertIn(f"its 95 % interval{covered}</caption>", self.text("html", path))

    def test_a_signal_ends_it(self):
        """Also while nobody reads what it writes; it says nothing, and dies of the signal."""
        path = self.deep(30, 20_000)
        for end in (signal.SIGTERM, signal.SIGINT):
            out = self.folder / f"fifo-{end}"
            os.mkfifo(out)
            process = start("export", "--format", "json", path, "-o", out)
            try:
                reader = os.open(out, os.O_RDONLY)
                full = fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ) * 0.9
                wait_for("a full pipe", lambda: waiting(reader) >= full and state(process.pid) == "S")
                process.send_signal(end)
                _, err = process.communicate(timeout=HANG_S)
                os.close(reader)
            finally:
                stop(process)
            self.assertEqual((process.returncode, err), (-end, ""))

    def test_a_signal_leaves_no_file(self):
        path = self.deep(1500, 20_000)  # seconds of work
        out = self.put("out", b"as before")
        before = set(self.folder.iterdir())
        # It gives way to us, so that it is seen at work.
        process = start("export", "--format", "json", path, "-o", out, preexec_fn=lambda: os.nice(19))
        try:
            wait_for("a file in the making", lambda: set(self.folder.iterdir()) - before)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=HANG_S)
        finally:
            stop(process)
        self.assertEqual((process.returncode, err), (-signal.SIGTERM, ""))
        self.assertEqual(set(self.folder.iterdir()), before)
        self.assertEqual(out.read_bytes(), b"as before")


@unittest.skipUnless(shutil.which("callgrind_annotate"), "valgrind is missing")
class OfCallgrind(Exports):
    def annotated(self, data, *options):
        path = self.put("in.pb.gz", data)
        self.export("callgrind", path)
        return formats.annotate(self.folder / "out.callgrind", *options)

    def test_recursion(self):
        """No function has more than all, however it comes back to itself."""
        names = ("main", "a", "b", "c")
        stacks = [("main", "a"), ("main", "a", "b", "a"), ("main", "a", "b", "a", "b", "a", "c"),
                  ("main", "b", "a", "b"), ("main", "a", "a", "a"), ("main", "c", "c"), ("main",)]
        data = formats.pprof([("samples", "count")], [(name, "a.c", 1) for name in names],
                             [(16 * i + 16, [(i, i + 1)]) for i in range(len(names))],
                             [([names.index(name) for name in reversed(stack)], [1 + number])
                              for number, stack in enumerate(stacks)])
        page = formats.Page(self.text("html", self.put("page.pb.gz", data)))
        name, wide = page.column("Function"), page.column("Total")
        self.assertEqual({row[name]: row[wide] for row in page.rows[1:]}["main"], "100.0")
        _, totals, rows = self.annotated(data, "--inclusive=yes")
        _, _, own = self.annotated(data)
        self.assertEqual(totals, [28])
        for name in names:
            self.assertEqual(rows["a.c", name], [sum(1 + number for number, stack in enumerate(stacks)
                                                     if name in stack)])
            self.assertEqual(own.get(("a.c", name), [0]),
                             [sum(1 + number for number, stack in enumerate(stacks) if stack[-1] == name)])

    def test_names_of_events(self):
        types = [(name, "count") for name in ("a-b", "a_b", "A b", *"cdefghi", "last")]
        data = formats.pprof(types, [("f", "a.c", 1)], [(16, [(0, 1)])], [([0], [*range(1, 12)])])
        events, totals, _ = self.annotated(data)
        self.assertEqual((events, totals), (["Last", "A_b", "A_b_2", "A_b_3", "C", "D", "E", "F"],
                                            [11, 1, 2, 3, 4, 5, 6, 7]))
        text = (self.folder / "out.callgrind").read_text()
        for name in "GHI":
            self.assertIn(f"desc: Left out: {name}, there is room for 8", text)


class OfGmon(Exports):
    def gmon(self, *files, size=4):
        return formats.Gmon(self.export("gmon", *files), size)

    def test_end_of_all_addresses(self):
        """What was read comes back, to the last bin."""
        for number, records in enumerate((
                [(0x08000000, 0xffffffff, [5] + [0] * 65532 + [7])],
                [(0xfffffff0, 0xfffffffe, [1, 2, 3, 4, 5, 6, 7])],
                [(0xfffffff0, 0xffffffff, [1, 2, 3, 4, 5, 6, 7, 8])],
                [(0xffffffe0, 0xffffffff, [0, 9])],
                [(0xffffffe0, 0xffffffff, [0, 65535])] * 3,
                [(0xffffffe8, 0xffffffff, [4, 9])])):
            path = self.put(f"{number}.gmon", formats.gmon(*(formats.histogram(*record, size=4)
                                                             for record in records)))
            back = self.folder / "out.gmon"
            self.export("gmon", path)
            of_back, of_path = ({row["address"]: row["hits"] for row in self.json("report", one)["rows"]}
                                for one in (back, path))
            self.assertEqual(of_back, of_path)

    def test_wide_blocks_are_divided(self):
        for hits in (1, 3, 7, 20):
            path = self.put("wide.pb.gz", formats.pprof(
                [("samples", "count")], [("f", "a.c", 3)], [(0x10000, [(0, 3)])], [([0], [hits])],
                ["mprof snapshot 1", "mprof grain=16", "mprof address-size=4", "mprof runs=1"]))
            up_to = [(hits * i + 4) // 8 for i in range(9)]
            self.assertEqual(self.gmon(path).hits(), {
                0x10000 + 2 * i: up_to[i + 1] - up_to[i] for i in range(8) if up_to[i + 1] > up_to[i]})

    def test_addresses_longer_than_the_target_has(self):
        path = self.put("long.pb.gz", formats.pprof(
            [("samples", "count")], [("f", "a.c", 3)], [(0x100000000, [(0, 3)])], [([0], [3])],
            ["mprof snapshot 1", "mprof grain=16", "mprof address-size=4", "mprof runs=1"]))
        self.assertIn("longer than", self.bad("export", "--format", "gmon", path, "-o", self.folder / "x"))

    @unittest.skipUnless(shutil.which("gprof") and PIE.exists(), "gprof is missing")
    def test_loaded_anywhere(self):
        """gprof reads the ELF's addresses, wherever the program was."""
        path = self.folder / "a.pb.gz"
        for file in (path, self.folder / "b.pb.gz"):
            with Made(PIE, {"work_a": 250, "work_b": 150, "work_c": 101}) as process:
                self.good("snapshot", "--elf", PIE, "--pid", process.pid, "-o", file)
        for files in ((path,), (path, self.folder / "b.pb.gz")):
            rows = self.json("report", *files)["rows"]
            data = self.gmon(*files, size=8)
            flat, _, _ = formats.gprof("gprof", PIE, self.put("one.gmon", data.with_rate(1)))
            self.assertEqual(flat, {row["function"]: row["hits"] for row in rows if row["function"]})


if __name__ == "__main__":
    unittest.main()
