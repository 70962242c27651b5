# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof diff of files: what it says, in which format, and whether its gate opens."""

import csv
import fcntl
import gzip
import io
import json
import os
import pathlib
import pty
import random
import resource
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest
import xml.etree.ElementTree

from pprof_file import profile, write
from support import HANG_S, MPROF, count, environment, mprof

OLD = {"fir_filter": 20000, "crc32": 30000, "idle": 40000, "uart": 5000, "old_name": 3000,
       ("copy", "a/x.c"): 2000, "going": 1000}
NEW = {"fir_filter": 26000, "crc32": 30000, "idle": 40000, "uart": 5000, "new_name": 3000,
       ("copy.isra.0", "b/x.c"): 2000, ("evil\x1b[2J|<x>,\"y&", "src/new.c"): 900}
GO = shutil.which("go")
OTHER_BUILD = "bb" * 20


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.old = self.write("old.pb.gz", OLD)
        self.new = self.write("new.pb.gz", NEW, build=OTHER_BUILD)

    def write(self, name, hits, **about):
        return write(self.folder / name, hits, **about)

    def text(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def diff(self, *words, status=0, **more):
        done = mprof("diff", *words, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def json(self, *words):
        text = self.diff(*words, "--format", "json").stdout
        self.assertEqual(text.count("\n"), 1)
        return json.loads(text, parse_constant=self.fail)

    def rows(self, *words, key="function"):
        return {row[key]: row for row in self.json(*words)["rows"]}

    def fails(self, *words, status=1):
        """With one line on stderr, which is returned, and nothing else."""
        done = self.diff(*words, status=status)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr


class Rows(Files):
    def test_changes(self):
        whole = self.json(self.old, self.new)
        rows = {row["function"]: row for row in whole["rows"]}
        fir, crc = rows["fir_filter"], rows["crc32"]
        self.assertEqual((whole["base"]["hits"], whole["new"]["hits"]), (101000, 106900))
        self.assertEqual((whole["by"], whole["per"], whole["control"]), ("function", "median", "any"))
        self.assertEqual((whole["base"]["snapshots"], whole["base"]["build_id"]), (1, "aa" * 20))
        self.assertTrue(fir["significant"])
        self.assertAlmostEqual(fir["ratio"], 1.3, places=3)
        self.assertLess(fir["ratio_low"], 1.3)
        self.assertGreater(fir["ratio_high"], 1.3)
        self.assertAlmostEqual(fir["delta"], 6000 / 101000, places=3)
        self.assertLess(fir["p"], 1e-9)
        self.assertEqual((fir["base_time"], fir["new_time"]), (2000, 2600))
        self.assertFalse(crc["significant"])
        self.assertAlmostEqual(crc["delta"], 0, places=6)
        self.assertLess(crc["share_change"], 0)
        self.assertEqual(whole["rows"][0]["function"], "fir_filter")

    def test_moved(self):
        """To another file: said as a guess, in all formats."""
        hits = {("idle", "main.c"): 50000, ("crc32", "crc.c"): 30000}
        old = self.write("o.pb.gz", {**hits, ("fir", "dsp/fir.c"): 20000})
        new = self.write("n.pb.gz", {**hits, ("fir", "src/filters.c"): 20100}, build="bb")
        fir = self.rows(old, new)["fir"]
        self.assertEqual((fir["state"], fir["old_file"], fir["file"], fir["old_name"]),
                         ("moved", "dsp/fir.c", "src/filters.c", None))
        self.assertEqual((fir["base_hits"], fir["new_hits"]), (20000, 20100))
        self.assertIn("moved  fir (was in fir.c)", self.diff(old, new).stdout)
        table = csv.DictReader(io.StringIO(self.diff(old, new, "--format", "csv").stdout))
        self.assertEqual([row["old_file"] for row in table if row["state"] == "moved"],
                         ["dsp/fir.c"])

    def test_matched(self):
        rows = self.rows(self.old, self.new)
        self.assertEqual((rows["new_name"]["state"], rows["new_name"]["old_name"]),
                         ("renamed", "old_name"))
        self.assertEqual((rows["copy"]["state"], rows["copy"]["base_hits"], rows["copy"]["new_hits"]),
                         ("both", 2000, 2000))
        evil = rows["evil\x1b[2J|<x>,\"y&"]
        self.assertEqual((evil["state"], evil["ratio"], evil["significant"]), ("new", None, True))
        self.assertEqual((rows["going"]["state"], rows["going"]["ratio"]), ("gone", 0))
        self.assertAlmostEqual(rows["going"]["delta"], -1000 / 101000, places=4)

    def test_with_itself(self):
        for by in ("function", "file", "line", "address", "arc"):
            file = self.write("arcs.pb.gz", OLD, called=True) if by == "arc" else self.old
            whole = self.json(file, file, "--by", by)
            self.assertEqual(whole["significant"], 0)
            self.assertEqual(len(whole["rows"]), 2 if by == "file" else 7)
            for row in whole["rows"]:
                self.assertEqual([row[key] for key in ("delta", "share_change", "ratio", "p",
                                                       "adjusted", "significant", "state")],
                                 [0, 0, 1, 1, 1, False, "both"])
        self.assertIn("nothing changed beyond noise (7 functions)",
                      self.diff(self.old, self.old).stdout)

    def test_no_arcs(self):
        arcs = self.write("arcs.pb.gz", OLD, called=True)
        for words, name in (((self.old, arcs), self.old), ((arcs, self.new), self.new)):
            self.assertIn(f"no arcs in {name}; ", self.fails(*words, "--by", "arc"))

    def test_many(self):
        many = self.write("many.pb.gz", {(f"function_{i}", f"{i % 700}.c"): 1 + i for i in range(3000)},
                          called=True)
        for words in ((many, many), (many, many, "--by", "arc"), (many, many, "--by", "file")):
            rows = self.json(*words)["rows"]
            self.assertEqual(len(rows), 700 if "file" in words else 3000)
            self.assertEqual({row["state"] for row in rows}, {"both"})

    def test_several(self):
        """Noise between runs is measured; with it, what two single runs differ by is none."""
        random.seed(5)
        base, newer = ([self.write(f"{side}{i}.pb.gz",
                                   {name: int(hits * random.gauss(1, 0.05))
                                    for name, hits in OLD.items()}, build=build)
                        for i in range(4)] for side, build in (("a", "aa"), ("b", "bb")))
        one = self.json(base[0], newer[0])
        self.assertGreater(one["significant"], 0)
        self.assertTrue(any("one snapshot a side" in note for note in one["notes"]))
        several = self.json("--base", *base, "--new", *newer)
        self.assertEqual(several["significant"], 0)
        self.assertGreater(several["noise"], 0.02)
        self.assertEqual(several["base"]["files"], base)
        self.assertFalse(any("one snapshot a side" in note for note in several["notes"]))
        self.assertEqual(several["rows"], self.json("--new", *newer, "--base", *base)["rows"])
        self.assertEqual(self.json(base[0], newer[0], "--noise", "10%")["significant"], 0)

    def test_per(self):
        slow = self.write("slow.pb.gz", {name: 2 * hits for name, hits in OLD.items()}, seconds=20)
        same = self.write("same.pb.gz", OLD | {"idle": 20000}, seconds=20)
        self.assertEqual(self.json(self.old, slow, "--per", "second")["significant"], 0)
        rows = self.rows(self.old, same, "--per", "second")
        self.assertAlmostEqual(rows["crc32"]["ratio"], 0.5)
        rows = self.rows(self.old, same, "--per", "function:idle")
        self.assertEqual((rows["idle"]["ratio"], rows["idle"]["p"]), (1, None))
        self.assertAlmostEqual(rows["crc32"]["ratio"], 2)
        unknown = self.write("unknown.pb.gz", OLD, seconds=0)
        self.assertIn("--per second", self.fails(self.old, unknown, "--per", "second"))
        self.assertIn("no function of that name",
                      self.fails(self.old, self.new, "--per", "function:x"))

    def test_other_builds(self):
        for by in ("line", "address"):
            self.assertIn("old.pb.gz (build aaaaaaa), new is", self.fails(self.old, self.new, "--by", by))
        self.assertEqual(self.rows(self.old, self.new, "--by", "file", key="file")["b/x.c"]["base_hits"], 2000)
        moved = self.write("moved.pb.gz", OLD, start=0x90000)
        self.fails(self.old, moved, "--by", "address")
        self.assertEqual(self.json(self.old, moved, "--by", "line")["significant"], 0)

    def test_without_names(self):
        """What has no name is compared by its place in one build, and as one row in two."""
        nameless = {"f": 5000, "g": 5000, None: 700}
        old = self.write("old2.pb.gz", nameless)
        self.assertEqual(len(self.json(old, self.write("n.pb.gz", nameless))["rows"]), 3)
        rows = self.rows(old, self.write("n.pb.gz", nameless, build=OTHER_BUILD))
        self.assertEqual((rows[None]["base_hits"], rows[None]["address"]), (700, None))

    def test_conditions(self):
        def notes(**about):
            return " ".join(self.json(self.old, self.write("c.pb.gz", OLD, **about))["notes"])
        self.assertIn("at different rates: base at 1000 Hz, new at 500 Hz", notes(rate=500))
        self.assertIn("LOCKED TO THE FIRMWARE'S TICK (new)", notes(conditions=["tick-locked=yes"]))
        self.assertIn("dropped: 0.0 % of base, 9.0 % of new", notes(conditions=["dropped=10000"]))
        self.assertIn("decay in new", notes(conditions=["decays=yes"]))
        self.assertIn("not known of new", notes(conditions=["plain=yes"]))
        half = {name: hits * (1 + (name in ("idle", "uart"))) for name, hits in OLD.items()}
        whole = self.json(self.old, self.write("half.pb.gz", half))
        self.assertTrue(whole["contested"])
        self.assertIn("CONTESTED", whole["notes"][0])
        whole = self.json(self.old, self.write("l.pb.gz", NEW, conditions=["tick-locked=yes"]))
        self.assertEqual({(row["p"], row["low"], row["significant"]) for row in whole["rows"]},
                         {(None, None, False)})

    def test_calls(self):
        a, b = (self.write(f"{n}.pb.gz", hits, unit="calls", rate=0)
                for n, hits in (("a", OLD), ("b", NEW)))
        whole = self.json(a, b)
        self.assertEqual((whole["judged"], whole["significant"], whole["unit"]), (False, 0, "calls"))
        self.assertIsNone(whole["rows"][0]["p"])
        self.assertGreater(self.json(a, b, "--noise", "2%")["significant"], 0)
        self.assertIn("they cannot be compared", self.fails(self.old, b))

    def test_ignored(self):
        rows = self.json(self.old, self.new, "--ignore", "idle,x.c")
        self.assertEqual((rows["base"]["hits"], rows["base"]["ignored"]), (59000, 42000))

    def test_foreign(self):
        """A profile of others: names, no conditions, a period that says the rate."""
        a = self.write("a.pb.gz", OLD, ours=False)
        self.assertEqual(self.json(a, self.new)["significant"], 3)
        self.assertIsNone(self.json(a, self.new)["base"]["dropped"])


class Any(Files):
    def check(self, whole):
        """What holds of every diff."""
        for side in ("base", "new"):
            self.assertEqual(sum(row[f"{side}_hits"] for row in whole["rows"]), whole[side]["hits"])
            self.assertAlmostEqual(sum(row[f"{side}_share"] for row in whole["rows"]), 1)
        self.assertEqual(whole["row_count"], len(whole["rows"]))
        self.assertEqual(whole["significant"], sum(row["significant"] for row in whole["rows"]))
        for row in whole["rows"]:
            self.assertEqual(row["state"] == "new", row["base_hits"] == 0)
            self.assertEqual(row["state"] == "gone", row["new_hits"] == 0)
            if row["low"] is not None:
                self.assertLessEqual(row["low"], row["delta"] + 1e-9)
                self.assertGreaterEqual(row["high"], row["delta"] - 1e-9)
            if row["p"] is None:
                self.assertFalse(row["significant"])
            else:
                self.assertTrue(0 <= row["p"] <= 1)
                self.assertEqual(row["significant"], row["adjusted"] <= whole["fdr"])

    def test_random(self):
        random.seed(3)
        checked = 0
        names = [f"f{i}{end}" for i in range(12) for end in ("", ".cold", ".isra.0")] + [None]
        for number in range(pairs := count(25, 1000)):
            most = random.choice((2, 50, 10000, 1 << 40))
            unit = random.choice(("samples", "samples", "calls"))
            build = random.choice(("aa", "bb"))
            files = [self.write(f"{i}.pb.gz",
                                {name and (name, random.choice(("a.c", "b/a.c", None))):
                                 random.randrange(most) for name in random.sample(names, 20)},
                                build=build if i else "aa", unit=unit, seconds=random.choice((0, 1e-9, 10)),
                                rate=random.choice((0, 1, 1000)), ours=random.random() < 0.8,
                                conditions=[f"dropped={random.randrange(most)}"])
                     for i in range(4)]
            words = random.choice((files[:2], ("--base", *files[:2], "--new", *files[2:])))
            more = ("--by", random.choice(("function", "file", "arc", "line")), "--per",
                    random.choice(("median", "median", "second", "function:f1")))
            done = mprof("diff", *words, *more, "--format", "json")
            if done.returncode == 1:
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), (number, done.stderr))
                continue
            self.assertEqual((done.returncode, done.stderr), (0, ""), number)
            self.check(json.loads(done.stdout, parse_constant=self.fail))
            checked += 1
        self.assertGreater(checked, count(8, 300))
        print(f"counted: {pairs} diffs by chance, {checked} with numbers")


class Formats(Files):
    def test_table(self):
        lines = self.diff(self.old, self.new).stdout.splitlines()
        self.assertEqual(lines[0], f"mprof diff   {self.old} (fw.elf, build aaaaaaa)  ->  "
                                   f"{self.new} (fw.elf, build bbbbbbb)")
        self.assertEqual(lines[1], "base  101000 samples, 1 snapshot, 10 s at 1000 Hz, dropped 0")
        self.assertEqual(lines[3], "3 of 8 functions changed beyond noise")
        text = "\n".join(lines)
        self.assertRegex(text, r"\n\*  19\.80  24\.32  \+5\.94 \[\+5\.4\d, \+6\.4\d\]    "
                               r"\+30\.0 % \[\+27\.\d, \+32\.\d\]           fir_filter +main\.c:10\n")
        self.assertIn("renamed  new_name (was old_name)", text)
        self.assertNotIn("\x1b", text)
        self.assertIn("evil?[2J|<x>", text)
        lines = self.diff(self.old, self.new, "--limit", "2", "-s", "base_hits", "-f",
                          "function,base_hits").stdout.splitlines()
        self.assertEqual([line.split() for line in lines[-4:]],
                         [["FUNCTION", "BASE", "HITS"], ["idle", "40000"], ["crc32", "30000"],
                          ["6", "more", "rows"]])

    def test_csv(self):
        table = list(csv.DictReader(io.StringIO(self.diff(self.old, self.new, "--format", "csv").stdout)))
        rows = self.rows(self.old, self.new)
        self.assertEqual(len(table), 8)
        for cells in table:
            row = rows.get(cells["function"]) or rows["evil\x1b[2J|<x>,\"y&"]
            for name, key in (("base_share",) * 2, ("change", "delta"), ("p",) * 2, ("ratio",) * 2):
                self.assertEqual(float(cells[name]) if cells[name] else None, row[key])
            self.assertEqual(cells["significant"], str(row["significant"]).lower())

    def test_csv_notes(self):
        """What the other formats say with the numbers is on stderr."""
        half = self.write("half.pb.gz", {name: hits * (1 + (name in ("idle", "uart")))
                                         for name, hits in OLD.items()})
        said = self.diff(self.old, half, "--format", "csv").stderr.splitlines()
        self.assertEqual(said, ["mprof: " + note for note in self.json(self.old, half)["notes"]])
        self.assertRegex(said[0], "^mprof: CONTESTED: ")
        self.assertRegex(said[-1], "^mprof: one snapshot a side: ")
        for name in ("table", "json", "markdown"):
            self.assertEqual(self.diff(self.old, half, "--format", name).stderr, "")

    def test_large_numbers(self):
        """No number is cut, however long, and what stands below each other does."""
        old = self.write("o.pb.gz", OLD | {"small": 1, "tiny": 3})
        new = self.write("n.pb.gz", OLD | {"small": 20000000, "tiny": 9000})
        for width in (0, 80):
            lines = self.on_terminal(width, NO_COLOR="1", files=(old, new)).splitlines()
            rows = lines[[line.split()[:1] == ["BASE%"] for line in lines].index(True):]
            text = "\n".join(rows)
            self.assertNotIn("~", text)
            self.assertRegex(text, r"\+\d{7,} % \[\+\d{7,}, \+\d{7,}\]")
            self.assertEqual({line.index("]") for line in rows if " %" in line and width},
                             {rows[0].index("]")} if width else set())

    def test_wrapped(self):
        """At blanks, never in the middle of a word."""
        files = [self.write(name, OLD) for name in ("a-name-of-some-length.pb.gz", "another-one.pb.gz")]
        whole = self.diff(*files).stdout.split("\n\n")[0]
        lines = self.on_terminal(60, NO_COLOR="1", files=files).replace("\r", "").split("\n\n")[0]
        self.assertEqual(lines.replace("\n  ", " ").split(), whole.replace("\n  ", " ").split())
        for line in lines.splitlines():
            self.assertTrue(len(line) <= 60 or " " not in line.strip(), line)

    def test_markdown(self):
        text = self.diff(self.old, self.new, "--format", "markdown").stdout
        self.assertTrue(text.startswith("**mprof diff:** 3 of 8 functions changed beyond noise.\n\n"))
        table = [line for line in text.splitlines() if line.startswith("|")]
        self.assertEqual({line.replace(r"\|", "").count("|") for line in table}, {9})
        self.assertIn("evil?\\[2J\\|\\<x>,\"y&", text)
        many = {f"f{i}": 1000 + i for i in range(50)}
        text = self.diff(self.write("m.pb.gz", many), self.write("n.pb.gz", many | {"f3": 2000}),
                         "--format", "markdown").stdout
        self.assertIn("\n44 more rows.\n", text)

    def test_output(self):
        path = self.folder / "out.json"
        path.write_text("before")
        path.chmod(0o640)
        self.assertEqual(self.diff(self.old, self.new, "--format", "json", "-o", path).stdout, "")
        self.assertEqual(json.loads(path.read_text()), self.json(self.old, self.new))
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.folder)), ["new.pb.gz", "old.pb.gz", "out.json"])
        self.assertIn("No such file", self.fails(self.old, self.new, "-o", self.folder / "no" / "x"))
        self.assertIn("No space", self.fails(self.old, self.new, "-o", "/dev/full"))

    def test_full_disk(self):
        """What stood there stands there still."""
        path = self.folder / "out.csv"
        path.write_text("before")
        words = [str(MPROF), "diff", self.old, self.new, "--format", "csv", "-o", str(path)]
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S,
            env=environment(), restore_signals=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)))
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written: File too large", done.stderr)
        self.assertEqual(path.read_text(), "before")
        self.assertEqual(sorted(os.listdir(self.folder)), ["new.pb.gz", "old.pb.gz", "out.csv"])

    def test_file_size_limit(self):
        """Where nobody has the signal ignored for us: said, and what was begun is removed."""
        path = self.folder / "old.txt"
        for verb in (("diff", self.old, self.new), ("report", self.old),
                     ("export", "--format", "json", self.old)):
            path.write_text("before")
            done = subprocess.run(
                [str(MPROF), *verb, "-o", str(path)], stdin=subprocess.DEVNULL, capture_output=True,
                text=True, timeout=HANG_S, env=environment(), restore_signals=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
            self.assertEqual(done.returncode, 1, verb)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(sorted(os.listdir(self.folder)), ["new.pb.gz", "old.pb.gz", "old.txt"])
            if verb[0] != "report":
                self.assertEqual(path.read_text(), "before")

    @unittest.skipUnless(GO, "golang-go is missing")
    def test_as_pprof(self):
        """go tool pprof subtracts the same hits."""
        text = subprocess.run([GO, "tool", "pprof", "-top", "-diff_base", self.old, self.new], text=True,
                              capture_output=True, check=True, timeout=HANG_S,
                              env=environment() | {"HOME": str(self.folder)}).stdout
        theirs = {line.split()[-1]: int(line.split()[0]) for line in text.splitlines()
                  if line[:10].strip().lstrip("-").isdigit()}
        ours = {name: row["new_hits"] - row["base_hits"] for name, row in
                self.rows(self.old, self.new).items()}
        for name in ("fir_filter", "crc32", "idle", "uart", "going"):
            self.assertEqual(theirs.get(name, 0), ours[name], name)

    def on_terminal(self, columns=0, files=None, **more):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        try:
            with subprocess.Popen([str(MPROF), "diff", *(files or (self.old, self.new))], stdout=theirs,
                                  stdin=subprocess.DEVNULL, env=environment() | more) as process:
                os.close(theirs)
                text = b""
                try:
                    while chunk := os.read(ours, 65536):
                        text += chunk
                except OSError:
                    pass
                self.assertEqual(process.wait(timeout=HANG_S), 0)
        finally:
            os.close(ours)
        return text.decode()

    def test_colours(self):
        text = self.on_terminal()
        self.assertRegex(text, "\x1b\\[31m\\*[^\n]*fir_filter")
        self.assertRegex(text, "\x1b\\[32m\\*[^\n]*going")
        self.assertNotRegex(text, "\x1b\\[3[12]m[^\n]*crc32")
        self.assertNotIn("\x1b[2J", text)
        self.assertNotIn("PP [95 %]", self.on_terminal(80))
        for line in self.on_terminal(80, NO_COLOR="1").splitlines()[-9:]:
            self.assertLessEqual(len(line), 80)
        for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", self.on_terminal(**more))


class Gate(Files):
    def gate(self, *words, status, old=None, new=None, unique=True):
        path = self.folder / "junit.xml"
        done = self.diff(old or self.old, new or self.new, "--junit", path, *words, status=status,
                         errors="backslashreplace")
        root = xml.etree.ElementTree.parse(path).getroot()
        suite, = root
        cases = {}
        for case in suite:
            kinds = [element.tag for element in case if element.tag != "system-out"]
            cases[case.get("name")] = kinds[0] if kinds else "passed"
        for element in (root, suite):
            self.assertEqual([int(element.get(key)) for key in ("tests", "failures", "errors", "skipped")],
                             [len(suite), *(len(suite.findall(f"*/{kind}")) for kind in
                                            ("failure", "error", "skipped"))])
        if unique:
            self.assertEqual(len(cases), len(suite), "cases of one name")
        return cases, done.stderr.splitlines()

    def test_thresholds(self):
        cases, said = self.gate("--fail-above", "+5.5pp", "--fail-above", "fir_*=+20%",
                                "--fail-above", "crc*=+1%", status=3)
        self.assertEqual(cases, {"fir_filter: +5.5pp": "failure", "fir_filter: fir_*=+20%": "failure",
                                 "crc*=+1%": "passed"})
        self.assertRegex(said[0], r"^mprof: gate: fir_filter changed by \+5\.94 pp \[\+5\.\d\d, "
                                  r"\+6\.\d\d\]: above \+5\.5pp$")
        self.assertEqual(len(said), 2)
        cases, said = self.gate("--fail-above", "+6.5pp", "--fail-above", "fir_*=+40%", status=0)
        self.assertEqual((set(cases.values()), said), ({"passed"}, []))
        cases, _ = self.gate("--fail-above", "-0.5pp", status=3)
        self.assertEqual(cases, {"going: -0.5pp": "failure"})

    def test_not_significant(self):
        """A large change of few hits is noise; a share that fell since another grew is no change."""
        few = self.write("few.pb.gz", {"f": 10, "g": 100000})
        more = self.write("more.pb.gz", {"f": 15, "g": 100000})
        self.gate("--fail-above", "+1%", old=few, new=more, status=0)
        self.gate("--fail-above", "crc32=-1%", "--fail-above", "idle=-1%", status=0)

    def test_new_function(self):
        cases, said = self.gate("--fail-above", "evil*=+5%", status=3)
        self.assertEqual(cases, {"evil?[2J|<x>,\"y&: evil*=+5%": "failure"})
        self.assertIn("evil?[2J|<x>,\"y& is new: 0.84 % of new's hits: above evil*=+5%", said[0])

    def test_budgets(self):
        budgets = self.text("budgets", "# what may be\n\nfir_* 12%\ncrc32\t0.3 # enough\n"
                                       "idle 37.4%\r\nnobody 1%\n   evil* 0.01")
        cases, said = self.gate("--budgets", budgets, status=3)
        self.assertEqual(cases, {"fir_filter: 12%": "failure", "crc32: 30%": "passed",
                                 "idle: 37.4%": "passed", "nobody": "skipped",
                                 "evil?[2J|<x>,\"y&: 1%": "passed"})
        self.assertRegex(said[0], rf"fir_filter takes 24\.32 % \[.*\]: above 12 % \({budgets}:3\); "
                         "one snapshot a side: noise between runs is not reckoned with$")
        self.assertEqual(said[1], "mprof: gate: nobody: no row has such a name")
        text = (self.folder / "junit.xml").read_text()
        self.assertRegex(text, r"idle takes 37\.42 % \[37\.0\d, 37\.[78]\d\]: not surely within")
        self.gate("--budgets", self.text("b", "fir_filter 24.2%\n"), status=0)
        self.gate("--budgets", self.text("b", "fir_filter 24%\n"), status=3)
        _, said = self.gate("--budgets", self.text("b", "fir_filter 12%\n"), "--noise", "2%", status=3)
        self.assertRegex(said[0], r"above 12 % \([^()]*:1\)$")

    def test_cannot_judge(self):
        """A gate that cannot close is not passed."""
        a, b = (self.write(f"{n}.pb.gz", hits, unit="calls", rate=0)
                for n, hits in (("a", OLD), ("b", NEW)))
        cases, said = self.gate("--fail-above", "+1%", old=a, new=b, status=1)
        self.assertEqual(cases, {"+1%": "error"})
        self.assertIn("nothing can be judged", said[0])
        alone = self.write("alone.pb.gz", {None: 1000})
        _, said = self.gate("--fail-above", "+1%", old=alone, new=alone, status=1)
        self.assertIn("nothing can be judged", said[0])
        self.gate("--fail-above", "+1%", "--noise", "1%", old=a, new=b, status=3)
        self.gate("--budgets", self.text("b", "fir_* 12%"), old=a, new=b, status=3)
        locked = self.write("l.pb.gz", NEW, conditions=["tick-locked=yes"])
        cases, said = self.gate("--budgets", self.text("b", "fir_* 12%"), new=locked, status=1)
        self.assertEqual((cases, len(said)), ({"fir_*": "error"}, 1))

    def test_contested(self):
        """Where it is not sure which rows did not change, that none tripped says nothing."""
        hits = {f"f{i}": 10000 for i in range(10)}
        old = self.write("o.pb.gz", hits)
        new = self.write("n.pb.gz", {name: hits[name] + 2000 * (i < 6) for i, name in
                                     enumerate(hits)}, build=OTHER_BUILD, seconds=11.2)
        self.assertTrue(self.json(old, new)["contested"])
        for limits, errors in ((("+5%",), 1), (("f0=+5%", "f1=+2pp"), 2)):
            words = [word for limit in limits for word in ("--fail-above", limit)]
            cases, said = self.gate(*words, old=old, new=new, status=1)
            self.assertEqual(list(cases.values()), ["error"] * errors)
            self.assertEqual(len(said), 1)
            self.assertRegex(said[0], "^mprof: gate: thresholds cannot be judged: CONTESTED: .*--per "
                                      "second or --per function:NAME can$")
        cases, said = self.gate("--fail-above", "+5%", "--per", "second", old=old, new=new, status=3)
        self.assertEqual((set(cases), len(said)), ({f"f{i}: +5%" for i in range(6)}, 6))
        self.gate("--fail-above", "+5%", "--per", "function:f9", old=old, new=new, status=3)
        cases, said = self.gate("--fail-above", "-5%", "--fail-above", "f0=+5%", old=old, new=new,
                                status=3)
        self.assertEqual(cases, {f"f{i}: -5%": "failure" for i in range(6, 10)} | {"f0=+5%": "error"})
        self.assertRegex(said[-1], "^mprof: gate: thresholds cannot be judged: CONTESTED: ")
        said = self.gate("--fail-above", "-5%", old=old, new=new, status=3)[1]
        self.assertRegex(said[-1], "^mprof: gate: it is not sure which rows changed: CONTESTED: ")
        self.gate("--budgets", self.text("b", "f0 50%"), old=old, new=new, status=0)

    def test_little_in_common(self):
        common = {"same": 1000} | {f"s{i}": 900 + i for i in range(20)}
        old = self.write("o.pb.gz", common | {f"a{i}": 10000 * (i + 1) for i in range(3)})
        new = self.write("n.pb.gz", common | {f"b{i}": 40000 * (i + 1) for i in range(3)},
                         build=OTHER_BUILD)
        self.assertIn("LITTLE IN COMMON", " ".join(self.json(old, new)["notes"]))
        cases, said = self.gate("--fail-above", "same=+5%", old=old, new=new, status=1)
        self.assertEqual((cases, len(said)), ({"same=+5%": "error"}, 1))
        self.assertIn("LITTLE IN COMMON", said[0])
        self.gate("--fail-above", "same=+5%", "--per", "second", old=old, new=new, status=0)

    def test_uneven(self):
        """Said, but no reason to fail: that rows beyond a threshold trip it is not in doubt."""
        hits = {f"f{i:02}": 30000 for i in range(40)}
        random.seed(3)
        old = self.write("o.pb.gz", hits)
        new = self.write("n.pb.gz", {name: int(n * (1 + random.choice((-1, 1)) * 0.0125)) for name, n
                                     in hits.items()})
        whole = self.json(old, new)
        self.assertEqual((whole["uneven"], whole["contested"]), (True, False))
        cases, said = self.gate("--fail-above", "+5%", old=old, new=new, status=0)
        self.assertEqual((cases, len(said)), ({"+5%": "passed"}, 1))
        self.assertRegex(said[0], "^mprof: gate: uneven: ")
        self.assertIn("none of them beyond; uneven: ", (self.folder / "junit.xml").read_text())

    def test_renamed(self):
        """A new name leaves no gate behind."""
        hits = {"crc32": 30000, "idle": 40000, "uart": 15000}
        old = self.write("o.pb.gz", hits | {"alpha": 10000})
        new = self.write("n.pb.gz", hits | {"alpha_v2": 12000}, build=OTHER_BUILD)
        self.assertEqual(self.rows(old, new)["alpha_v2"]["old_name"], "alpha")
        for name in ("alpha", "alpha_v2", "alph?"):
            cases, said = self.gate("--fail-above", f"{name}=+5%", "--budgets",
                                    self.text("b", f"{name} 5%\n"), old=old, new=new, status=3)
            self.assertEqual(cases, {f"alpha_v2: {name}=+5%": "failure", "alpha_v2: 5%": "failure"})
            self.assertIn("alpha_v2 (was alpha) changed by +", said[0])
            self.assertIn("alpha_v2 (was alpha) takes ", said[1])

    def test_same_names(self):
        """Functions of one name in two files are told apart."""
        hits = {"crc32": 300000, "idle": 400000, "uart": 150000, "dma": 150000}
        old = self.write("o.pb.gz", hits | {("f", "a.c"): 10000, ("f", "b.c"): 20000})
        new = self.write("n.pb.gz", hits | {("f", "a.c"): 12000, ("f", "b.c"): 24000})
        cases, said = self.gate("--fail-above", "f=+5%", "--budgets", self.text("b", "f 50%\nuart 50%"),
                                old=old, new=new, status=3)
        self.assertEqual(cases, {"f (a.c): f=+5%": "failure", "f (b.c): f=+5%": "failure",
                                 "f (a.c): 50%": "passed", "f (b.c): 50%": "passed",
                                 "uart: 50%": "passed"})
        self.assertEqual({line.split(" changed")[0] for line in said},
                         {"mprof: gate: f (a.c)", "mprof: gate: f (b.c)"})

    def test_long_names(self):
        for length in (950, 5000):
            name = "x" * (length - 3) + "end"
            old = self.write("o.pb.gz", OLD | {name: 10000})
            new = self.write("n.pb.gz", OLD | {name: 15000})
            globs = ["x*end", name] if length < 1000 else ["x*end"]
            for glob in globs:
                cases, said = self.gate("--fail-above", f"{glob}=+5%", "--budgets",
                                        self.text("b", f"{glob} 1%"), old=old, new=new, status=3)
                self.assertEqual(cases, {f"{name}: {glob}=+5%": "failure", f"{name}: 1%": "failure"})
                self.assertTrue(said[0].startswith(f"mprof: gate: {name} changed by +50.0 % ["), said)

    def test_budgets_of_editors(self):
        """A byte order mark, and all ends of lines."""
        for text in ("\ufefffir_filter 12%\ncrc32 30%\n", "fir_filter 12%\rcrc32 30%\r",
                     "#\rfir_filter 12%\r\ncrc32 30%", "\ufeff\r\n\nfir_filter 12% # \r\rcrc32 30%\n\r"):
            budgets = self.text("b", text)
            cases, said = self.gate("--budgets", budgets, status=3)
            self.assertEqual(cases, {"fir_filter: 12%": "failure", "crc32: 30%": "passed"}, repr(text))
            line = text[:text.index("fir")].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
            self.assertIn(f"({budgets}:{line})", said[0])
        for text in ("", "\n", "# nothing\r\n  # at all", "\ufeff", "\ufeff # x"):
            said = self.fails(self.old, self.new, "--budgets", self.text("b", text), status=2)
            self.assertIn("no budget in it", said)

    def test_bad_budgets(self):
        for line, text, what in ((2, "a 1%\nb", "b is no share"), (1, "a 12", "12 is no share"),
                                 (1, "12%", "the function is missing"), (1, "a -1%", "-1% is"),
                                 (1, "a 1e-1", "1e-1 is"), (1, "a 0x1", "0x1 is"), (1, "a 1.2.3%", ""),
                                 (3, "\n#\na %", "% is"), (1, "a\0b 1%", "no text"),
                                 (1, "x" * 1024 + " 1%", "longer"), (1, "a nan", "nan is")):
            path = self.text("bad", text)
            said = self.fails(self.old, self.new, "--budgets", path, status=2)
            self.assertTrue(said.startswith(f"mprof: {path}:{line}: "), said)
            self.assertIn(what, said)
        self.assertIn("No such file", self.fails(self.old, self.new, "--budgets", self.folder / "no"))
        self.assertIn("directory", self.fails(self.old, self.new, "--budgets", self.folder))
        self.assertIn("too large", self.fails(self.old, self.new, "--budgets", "/dev/zero"))
        random.seed(7)
        for _ in range(files := count(40, 1000)):
            text = bytes(random.choice(b"fir_*[? \t\n\r#%.0129\0\xff\x1b") for _ in
                         range(random.randrange(60)))
            path = self.text("random", text)
            done = mprof("diff", self.old, self.new, "--budgets", path, "--junit",
                         self.folder / "j.xml", errors="replace")
            self.assertIn(done.returncode, (0, 2, 3), (text, done.stderr))
            if done.returncode != 2:
                xml.etree.ElementTree.parse(self.folder / "j.xml")
        print(f"counted: {files} budget files by chance")

    def test_junit_of_any_name(self):
        """Well-formed, whatever bytes names are made of."""
        random.seed(9)
        names = [bytes(random.randrange(1, 256) for _ in range(random.randrange(1, 30)))
                 for _ in range(count(100, 5000))]
        names += ["\ud800".encode("utf-8", "surrogatepass"), "\ufffe".encode(), b"\xc0\x80", b"]]>",
                  b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\x80"]
        hits = {f"f{i:04}": 1000 for i in range(len(names))} | {"idle": 100}
        raw = gzip.decompress(profile(hits, ours=False))
        for i, name in enumerate(names):
            name = name.ljust(5, b"x")[:5]
            raw = raw.replace(f"f{i:04}".encode(), name)
        path = self.text("names.pb", raw)
        self.gate("--budgets", self.text("b", "* 0\n"), "--fail-above", "+1%", old=path, new=path,
                  status=3, unique=False)
        for name in ("table", "csv", "markdown", "json"):  # all UTF-8
            self.assertGreater(len(self.diff(path, path, "--format", name).stdout), 1000)

    def test_junit_whole_or_not(self):
        """What broke a threshold says more than what could not be written."""
        for limit, status in (("+1%", 3), ("+500pp", 1)):
            words = (self.old, self.new, "--fail-above", limit, "--junit")
            said = self.diff(*words, self.folder / "no" / "j.xml", status=status).stderr
            self.assertIn("No such file", said)
            self.assertIn("No space", self.diff(*words, "/dev/full", status=status).stderr)
            said = self.gate("--fail-above", limit, "-o", "/dev/full", status=status)[1]
            self.assertIn("No space", said[0])

    def test_junit_of_a_failure(self):
        """None of an earlier run stays: it would say that all is well."""
        path = self.folder / "j.xml"
        cut = self.text("cut", pathlib.Path(self.old).read_bytes()[:90])
        bad = self.text("bad", "a 12")
        for status, words in ((1, (self.old, self.folder / "none")), (1, (self.old, cut)),
                              (2, (self.old,)), (2, (self.old, self.new, "--budgets", bad)),
                              (1, (self.old, self.new, "--per", "function:x")),
                              (2, ("@0", "@1"))):
            path.write_text("before")
            said = self.fails(*words, "--fail-above", "+1%", "--junit", path, status=status)
            root = xml.etree.ElementTree.parse(path).getroot()
            for element in (root, root[0]):
                self.assertEqual([element.get(key) for key in ("tests", "failures", "errors", "skipped")],
                                 ["1", "0", "1", "0"])
            self.assertEqual("mprof: " + root[0][0].find("error").get("message") + "\n", said)

    def test_one_file(self):
        """What would overwrite the other is refused, by whatever name."""
        gate = ("--fail-above", "+500pp")
        path = self.folder / "x"
        (self.folder / "sub").mkdir()
        for again in range(2):
            for other in (path, self.folder / "sub" / ".." / "x"):
                said = self.fails(self.old, self.new, *gate, "-o", path, "--junit", other, status=2)
                self.assertIn("one file", said)
            self.assertEqual(path.exists(), bool(again))
            path.write_text("before")
        link = self.folder / "link"
        link.symlink_to(path)
        self.fails(self.old, self.new, *gate, "-o", path, "--junit", link, status=2)
        self.assertEqual(path.read_text(), "before")
        with path.open("w") as file:
            done = subprocess.run([str(MPROF), "diff", self.old, self.new, *gate, "--junit", path],
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE,
                                  timeout=HANG_S, env=environment())
        self.assertEqual(done.returncode, 2)
        self.diff(self.old, self.new, *gate, "-o", "/dev/null", "--junit", "/dev/null")

    def test_stdout(self):
        """- is standard output."""
        text = self.diff(self.old, self.new, "-o", "-").stdout
        self.assertEqual(text, self.diff(self.old, self.new).stdout)
        words = (self.old, self.new, "--fail-above", "+500pp", "--junit", "-")
        self.assertIn("both", self.fails(*words, status=2))
        path = self.folder / "out"
        self.assertIn("<testsuites", self.diff(*words, "-o", path).stdout)
        self.assertEqual(path.read_text(), text)
        for verb in (("report", self.old), ("export", "--format", "folded", self.old)):
            self.assertEqual(mprof(*verb, "-o", "-").stdout, mprof(*verb).stdout)
        done = subprocess.run([str(MPROF), "snapshot", "-o", "-", "--elf", "x", "--gdb", ":1"], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_S,
                              env=environment() | {"MPROF_STORE": str(self.folder)})
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("-o -", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["new.pb.gz", "old.pb.gz", "out"])


class Numbered(Files):
    """@N, in a folder where not all is well."""

    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.store.mkdir()
        for number in range(3):
            write(self.store / f"{number}.pb.gz", OLD | {"uart": 5000 * (1 + (number == 2))},
                  time_s=1_700_000_000 + 100 * number)

    def test_unreadable(self):
        """A gate does not compare others than those that are meant."""
        words = ("@1", "@0", "--store", self.store, "--fail-above", "+5%")
        self.diff(*words, status=3)
        newest = self.store / "2.pb.gz"
        newest.write_bytes(newest.read_bytes()[:90])
        (self.store / "3.pb.gz").write_bytes(b"")
        said = self.fails(*words)
        self.assertRegex(said, rf"^mprof: {newest}: .*remove it from the folder")
        for verb in (("report", "@0"), ("export", "--format", "folded", "@0"), ("diff", "@aaaa", self.old)):
            done = mprof(*verb, "--store", self.store)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", said))
        newest.unlink()
        (self.store / "3.pb.gz").unlink()
        self.diff(*words)


class Usage(Files):
    def test_operands(self):
        for words, what in (((), "two files are needed"), ((self.old,), "two files are needed"),
                            ((self.old, self.new, self.new), "more than two files"),
                            ((self.old, "--base", self.new), "each file stands behind one"),
                            (("--base", self.old), "--new is missing"),
                            (("--new", self.old, self.old), "--base is missing")):
            self.assertIn(what, self.fails(*words, status=2))

    def test_options(self):
        for words, what in ((("--fail-above", "2pp"), "a threshold like +2pp"),
                            (("--fail-above", "+2"), "a threshold"),
                            (("--fail-above", "-100%"), "more than 100 %"),
                            (("--fail-above", "f=-150%"), "more than 100 %"),
                            (("--fail-above", "-100pp"), "more than 100 %"),
                            (("--fail-above", "+1000001%"), "beyond 1000000 %"),
                            (("--fdr", "0"), "a part of 1"), (("--fdr", "nan"), "a part of 1"),
                            (("--noise", "-1"), "like 2% or 0.02"), (("--noise", "200%"), "like 2%"),
                            (("--per", "function:"), "one of median"),
                            (("--by", "x"), "one of function"), (("-f", "share"), "no field 'share'"),
                            (("-s", "p,q"), "no field 'q'"), (("-s", "p,ratio"), "one field"),
                            (("--junit", "x"), "--junit has nothing to say"),
                            (("--gdb", ":3333"), "no option"), (("--type", "x"), "nothing is called 'x'")):
            self.assertIn(what, self.fails(self.old, self.new, *words, status=2))

    def test_bad_files(self):
        self.assertIn("No such file", self.fails(self.old, self.folder / "none"))
        self.assertIn("cut short", self.fails(self.old, self.text("cut", pathlib.Path(self.old).read_bytes()[:90])))
        empty = self.write("empty.pb.gz", {"f": 0})
        self.assertIn("has no hits", self.fails(empty, self.new))
        self.assertIn("no row of", self.fails(self.write("x.pb.gz", {("x", "x.c"): 100}),
                                              self.write("y.pb.gz", {("y", "y.c"): 900}, build="cc")))


if __name__ == "__main__":
    unittest.main()
