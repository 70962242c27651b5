# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof diff of files: which rows changed, how they are printed, and what is refused. How rows are
judged, paired and noted is tested where it is done (unit-diff, unit-match, unit-change)."""

import json
import random
import re
import unittest

from case import on_terminal
from made_diff import NEW, OLD, OTHER_BUILD, SURE, Diff
from pprof_file import write
from support import count, counted, mprof


class Rows(Diff):
    def test_changes(self):
        whole = self.whole(self.old, self.new, *SURE)
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
        self.assertAlmostEqual(fir["new"] / fir["base"] - 1, fir["change"], places=6)
        self.assertEqual((fir["verdict"], crc["verdict"], rows["idle"]["idle"]), ("more", None, True))
        self.assertIsNone(rows["idle"]["p"])
        self.assertLess(fir["p"], 1e-9)
        self.assertEqual((fir["base_time"], fir["new_time"]), (2000, 2600))
        self.assertFalse(crc["significant"])
        self.assertAlmostEqual(crc["delta"], 0, places=6)
        self.assertLess(crc["share_change"], 0)
        self.assertEqual(whole["rows"][0]["function"], "fir_filter")

    def test_moved_to_another_file(self):
        """To another file: said as a guess, in all formats."""
        hits = {("idle", "main.c"): 50000, ("crc32", "crc.c"): 30000}
        old = self.write("o.pb.gz", {**hits, ("fir", "dsp/fir.c"): 20000})
        new = self.write("n.pb.gz", {**hits, ("fir", "src/filters.c"): 20100}, build="bb")
        fir = self.rows(old, new)["fir"]
        self.assertEqual((fir["state"], fir["old_file"], fir["file"], fir["old_name"]),
                         ("moved", "dsp/fir.c", "src/filters.c", None))
        self.assertEqual((fir["base_hits"], fir["new_hits"]), (20000, 20100))
        self.assertIn("fir (was in fir.c)", self.diff(old, new).stdout)
        self.assertEqual([row["old_file"] for row in self.csv(old, new) if row["state"] == "moved"],
                         ["dsp/fir.c"])

    def test_contexts(self):
        """Tasks and exceptions are compared like functions; idle tasks are not judged."""
        def side(name, build, busy, tick):
            contexts = (f"context={busy} 512 task blink", f"context={20000 - busy} 512 task IDLE",
                        f"context={tick} 15 SysTick_Handler (SysTick)", "sampler=table")
            return self.write(name, {"crc32": 20000 + tick}, build=build, conditions=contexts)
        old, new = side("o.pb.gz", "aa" * 20, 4000, 900), side("n.pb.gz", OTHER_BUILD, 6000, 900)
        rows = self.rows(old, new, "--by", "context", "--noise", "0")
        self.assertEqual(set(rows), {"task blink", "task IDLE", "SysTick_Handler (SysTick)"})
        blink, tick = rows["task blink"], rows["SysTick_Handler (SysTick)"]
        self.assertEqual((blink["base_hits"], blink["new_hits"], blink["verdict"]), (4000, 6000, "more"))
        self.assertEqual((tick["verdict"], rows["task IDLE"]["idle"], rows["task IDLE"]["p"]),
                         (None, True, None))
        self.assertIn("does not say what tasks and exceptions had",
                      self.fails(self.old, self.new, "--by", "context"))

    def test_file_without_arcs(self):
        arcs = self.write("arcs.pb.gz", OLD, called=True)
        for words, name in (((self.old, arcs), self.old), ((arcs, self.new), self.new)):
            self.assertIn(f"no arcs in {name}: take snapshots with --sampler arcs", self.fails(*words, "--by", "arc"))

    def test_loaded_elsewhere(self):
        """Lines of one build are the same wherever it was loaded; addresses are not."""
        moved = self.write("moved.pb.gz", OLD, start=0x90000)
        self.fails(self.old, moved, "--by", "address")
        self.assertEqual(self.whole(self.old, moved, "--by", "line")["significant"], 0)

    def test_conditions(self):
        for condition, text in (("decays=yes", "decay in new"), ("plain=yes", "not known for new")):
            file = self.write("c.pb.gz", OLD, conditions=[condition])
            self.assertIn(text, " ".join(self.whole(self.old, file)["notes"]))

    def test_block_sizes(self):
        other = self.write("other.pb.gz", NEW, ours=False)
        newer = self.write("newer.pb.gz", NEW | {"uart": 5010}, build=OTHER_BUILD, time_s=1_700_000_100)
        for base, said in (([other, other], "base: 1 byte,"), ([self.old, other], "base: several,")):
            notes = self.whole("--base", *base, "--new", self.new, newer)["notes"]
            self.assertIn(f"block sizes differ ({said} new: 16 bytes): ", " ".join(notes))

    def test_many_rows_are_all_paired(self):
        many = self.write("many.pb.gz", {(f"function_{i}", f"{i % 700}.c"): 1 + i for i in range(3000)},
                          called=True)
        for words in ((many, many), (many, many, "--by", "arc"), (many, many, "--by", "file")):
            rows = self.whole(*words)["rows"]
            self.assertEqual(len(rows), 700 if "file" in words else 3000)
            self.assertEqual({row["state"] for row in rows}, {"both"})

    def test_ignored_functions(self):
        rows = self.whole(self.old, self.new, "--ignore", "idle,x.c")
        self.assertEqual((rows["base"]["hits"], rows["base"]["ignored"]), (59000, 42000))

    def test_profile_of_another_tool(self):
        """A profile of others: names, no conditions, a period that says the rate."""
        a = self.write("a.pb.gz", OLD, ours=False)
        self.assertEqual(self.whole(a, self.new, *SURE)["significant"], 3)
        self.assertIsNone(self.whole(a, self.new)["base"]["dropped"])


class Runs(Diff):
    """Five runs a side."""

    TIMES = {"idle": 40000, "crc32": 25000, "fir": 15000, "uart": 8000, "main": 7000, "log": 5000}

    def side(self, name, seed, conditions=(), **times):
        rng = random.Random(seed)
        files = []
        for run in range(5):
            hits = {row: int(rng.gauss(time * rng.lognormvariate(0, 0.01), time ** 0.5))
                    for row, time in (self.TIMES | times).items() if row != "idle"}
            hits["idle"] = 100000 - sum(hits.values())
            files.append(self.write(f"{name}{run}.pb.gz", hits, build=name * 20, seconds=100,
                                    conditions=conditions, time_s=1_700_000_000 + 1000 * seed + 100 * run))
        return files

    def compare(self, base, newer, *words, status=0):
        return self.diff("--base", *base, "--new", *newer, *words, status=status)

    def test_faster(self):
        """Idle rises, and is no fault of anybody; the gate passes."""
        base, newer = self.side("aa", 1), self.side("bb", 2, crc32=12500)
        whole = json.loads(self.compare(base, newer, "--format", "json", "--fail-above", "*=+5%").stdout)
        rows = {row["function"]: row for row in whole["rows"]}
        self.assertEqual({name: row["verdict"] for name, row in rows.items() if row["verdict"]},
                         {"crc32": "less"})
        self.assertEqual((whole["per"], whole["runs"], whole["judged"]), ("second", 5, True))
        self.assertAlmostEqual(rows["idle"]["base"], 0.4, delta=0.01)
        self.assertAlmostEqual(rows["idle"]["change"], 0.31, delta=0.02)
        self.assertAlmostEqual(rows["crc32"]["change"], -0.5, delta=0.02)
        text = self.compare(base, newer).stdout
        self.assertRegex(text, r"\nless +25\.\d\d +12\.\d\d +-\d\d\.\d % .* crc32 ")
        self.assertIn("changes are per second, since the core idles at times", text)

    def test_gate(self):
        base, newer = self.side("aa", 1), self.side("bb", 2, fir=18000)
        said = self.compare(base, newer, "--fail-above", "fir=+5%", status=3).stderr
        self.assertRegex(said, r"^mprof: gate: fir changed by \+\d\d\.\d % .*: above fir=\+5%\n$")
        self.compare(base, newer, "--fail-above", "fir=+30%", "--strict")
        said = self.compare(base, newer, "--fail-above", "fir=+20%").stderr
        self.assertRegex(said, r"^mprof: gate: open: fir changed by .*, limit fir=\+20%: more runs decide\n$")
        said = self.compare(base, newer, "--fail-above", "fir=+20%", "--strict", status=1).stderr
        self.assertRegex(said, r"\nmprof: gate: --strict: 1 row is open\n$")
        said = self.compare(base, newer, "--fail-above", "idle=+1%").stderr
        self.assertEqual(said, "mprof: gate: idle=+1%: idle is shown and never judged\n")
        said = self.compare(base[:1], newer[:1], "--fail-above", "+5%", status=1).stderr
        self.assertIn("nothing can be judged with one run a side", said)

    def test_all_rows_together(self):
        """More work, or many changes: only iterations could tell."""
        busy = {name: time * 1.1 for name, time in self.TIMES.items() if name != "idle"}
        text = self.compare(self.side("aa", 1), self.side("bb", 2, **busy)).stdout
        self.assertIn("! all rows together: +10 %: more work, or many changes; --per iteration tells,",
                      text.replace("\n  ", " "))

    def test_iterations(self):
        """A tenth more work in each run: no function takes more of it, and that is what is judged."""
        busy = {name: time * 1.1 for name, time in self.TIMES.items() if name != "idle"}
        base = self.side("aa", 1, ["iterations=10000"])
        newer = self.side("bb", 2, ["iterations=11000"], **busy)
        whole = json.loads(self.compare(base, newer, "--format", "json").stdout)
        rows = {row["function"]: row for row in whole["rows"]}
        self.assertEqual((whole["per"], whole["significant"], whole["together"]), ("iteration", 0, 0))
        self.assertAlmostEqual(rows["crc32"]["base"], 25 / 10000, delta=5e-5)  # 25 of 100 s
        self.assertAlmostEqual(rows["crc32"]["change"], 0, delta=0.03)
        text = self.compare(base, newer).stdout
        self.assertIn("changes are per iteration of the main loop", text)
        self.assertRegex(text, r" BASE US +NEW US ")
        self.assertRegex(text, r"\n +2[45]\d\d\.\d\d +2[45]\d\d\.\d\d .* crc32 ")
        self.assertIn("--per iteration: a snapshot has no count of mprof_iteration()",
                      self.fails(base[0], self.side("cc", 3)[0], "--per", "iteration"))

    def test_late_rows(self):
        """On a slow link, rows are read after the header with the iterations: more hits than events."""
        base = self.side("aa", 1, ["iterations=10000", "events=100000"])
        late = self.side("bb", 2, ["iterations=8000", "events=80000"])
        whole = json.loads(self.compare(base, late, "--format", "json").stdout)
        rows = {row["function"]: row for row in whole["rows"]}
        self.assertEqual((whole["per"], whole["significant"]), ("iteration", 0))
        self.assertAlmostEqual(rows["crc32"]["change"], 0, delta=0.03)

    def test_unequal(self):
        base, newer = self.side("aa", 1), self.side("bb", 2, fir=18000)
        whole = json.loads(self.compare(base, newer[:3], "--format", "json").stdout)
        self.assertEqual((whole["runs"], whole["base"]["files"], whole["base"]["spare"]),
                         (3, base[2:], 2))
        self.assertIn("base has 5 runs and new 3: its 3 newest are compared", " ".join(whole["notes"]))
        turned = json.loads(self.compare(base[::-1], newer[:3], "--format", "json").stdout)
        self.assertEqual(turned["rows"], whole["rows"])


class Any(Diff):
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

    def test_what_holds_of_every_diff(self):
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
                    random.choice(("median", "median", "second", "function:f1")),
                    *random.choice(((), ("--noise", "0"), ("--noise", "3%"))))
            done = mprof("diff", *words, *more, "--format", "json")
            if done.returncode == 1:
                self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), (number, done.stderr))
                continue
            self.assertEqual((done.returncode, done.stderr), (0, ""), number)
            self.check(json.loads(done.stdout, parse_constant=self.fail))
            checked += 1
        self.assertGreater(checked, count(8, 300))
        counted(f"{pairs} diffs by chance, {checked} with numbers")


class Formats(Diff):
    def test_table(self):
        text = self.diff(self.old, self.new, *SURE).stdout
        self.assertTrue(text.startswith(f"mprof diff   {self.old} (fw.elf, build aaaaaaa)  ->  "
                                        f"{self.new} (fw.elf, build bbbbbbb)\n"), text)
        self.assertIn("\n3 of 8 functions changed: 2 more, 1 less\n", text)
        self.assertIn("\nno evidence of a change (7 functions)\n",
                      self.diff(self.old, self.old, *SURE).stdout)
        self.assertIn("\n8 functions, none marked: nothing can be judged\n",
                      self.diff(self.old, self.new).stdout)
        lines = self.diff(self.old, self.new, "--limit", "2", "-s", "base_hits", "-f",
                          "function,base_hits").stdout.splitlines()
        self.assertEqual([line.split() for line in lines[-4:]],
                         [["FUNCTION", "BASE", "HITS"], ["idle", "40000"], ["crc32", "30000"],
                          ["6", "more", "rows"]])

    def test_csv_notes(self):
        """What the other formats say with the numbers is on stderr."""
        half = self.write("half.pb.gz", {name: hits * (1 + (name in ("crc32", "uart")))
                                         for name, hits in OLD.items()})
        said = self.diff(self.old, half, *SURE, "--format", "csv").stderr.splitlines()
        self.assertEqual(said, ["mprof: " + note for note in self.whole(self.old, half, *SURE)["notes"]])
        self.assertRegex(said[0], "^mprof: cannot tell which rows changed: those with .*; --per iteration tells")
        self.assertRegex(said[-1], "^mprof: one run a side: marks are as good as the 0 % that --noise gives")
        for name in ("table", "json", "markdown"):
            self.assertEqual(self.diff(self.old, half, "--format", name).stderr, "")

    def test_large_numbers(self):
        """No number is cut, however long, and what stands below each other does."""
        old = self.write("o.pb.gz", OLD | {"small": 1, "tiny": 3})
        new = self.write("n.pb.gz", OLD | {"small": 20000000, "tiny": 9000})
        for width in (0, 80):
            lines = on_terminal(width, "diff", old, new, NO_COLOR="1").splitlines()
            rows = lines[[line.split()[:2] == ["BASE", "%"] for line in lines].index(True):]
            text = "\n".join(rows)
            self.assertNotRegex(text, "[~\u2026]")
            self.assertRegex(text, r"\+\d{7,} % \[\+\d{7,}, \+\d{7,}\]")
            ends = {re.search(r"\]|\u00b1 [\d.]+", line).end() for line in rows[1:]
                    if " %" in line and width}
            self.assertEqual(ends, {rows[0].index("]") + 1} if width else set())

    def test_long_lines_are_wrapped(self):
        """At blanks, never in the middle of a word."""
        files = [self.write(name, OLD) for name in ("a-name-of-some-length.pb.gz", "another-one.pb.gz")]
        whole = self.diff(*files).stdout.split("\n\n")[0]
        lines = on_terminal(60, "diff", *files, NO_COLOR="1").replace("\r", "").split("\n\n")[0]
        self.assertEqual(lines.replace("\n  ", " ").split(), whole.replace("\n  ", " ").split())
        for line in lines.splitlines():
            self.assertTrue(len(line) <= 60 or " " not in line.strip(), line)

    def test_colours(self):
        words = ("diff", self.old, self.new, *SURE)
        text = on_terminal(0, *words)
        self.assertRegex(text, "\x1b\\[31mmore[^\n]*fir_filter")
        self.assertRegex(text, "\x1b\\[32mless[^\n]*going")
        self.assertNotRegex(text, "\x1b\\[3[12]m[^\n]*crc32")
        self.assertNotIn("\x1b[2J", text)
        self.assertNotIn("PP", on_terminal(80, *words))
        for line in on_terminal(80, *words, NO_COLOR="1").splitlines()[-9:]:
            self.assertLessEqual(len(line), 80)
        for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal(0, *words, **more))


class Numbered(Diff):
    """@N, in a folder where not all is well."""

    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.store.mkdir()
        for number in range(3):
            write(self.store / f"{number}.pb.gz", OLD | {"uart": 5000 * (1 + (number == 2))},
                  time_s=1_700_000_000 + 100 * number)

    def test_file_that_cannot_be_read(self):
        """A gate does not compare others than those that are meant."""
        words = ("@1", "@0", "--store", self.store, "--fail-above", "+5%", *SURE)
        self.diff(*words, status=3)
        newest = self.store / "2.pb.gz"
        newest.write_bytes(newest.read_bytes()[:90])
        (self.store / "3.pb.gz").write_bytes(b"")
        said = self.fails(*words)
        self.assertRegex(said, rf"^mprof: {newest}: .*remove it, or name files$")
        for verb in (("report", "@0"), ("export", "--format", "folded", "@0"), ("diff", "@aaaa", self.old)):
            done = mprof(*verb, "--store", self.store)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", said))
        newest.unlink()
        (self.store / "3.pb.gz").unlink()
        self.diff(*words)


class Usage(Diff):
    def test_operands(self):
        for words, what in (((), "missing arguments: OLD NEW"), ((self.old,), "missing argument: NEW"),
                            (("--base", self.old), "missing option: --new"),
                            (("--new", self.old, self.old), "missing option: --base")):
            self.lacking(mprof("diff", *words), what)
        for words, what in (((self.old, self.new, self.new), "more than two files"),
                            ((self.old, "--base", self.new), "each file after --base or --new")):
            self.assertIn(what, self.fails(*words, status=2))

    def test_options(self):
        for words, what in ((("--fail-above", "2pp"), "a limit like +2pp"),
                            (("--fail-above", "+2"), "is not a limit"),
                            (("--fail-above", "-100%"), "more than 100 %"),
                            (("--fail-above", "f=-150%"), "more than 100 %"),
                            (("--fail-above", "-100pp"), "more than 100 %"),
                            (("--fail-above", "+1000001%"), "above the largest limit, 1000000 %"),
                            (("--fdr", "0"), "a fraction above 0"), (("--fdr", "nan"), "a fraction above 0"),
                            (("--noise", "-1"), "like 2% or 0.02"), (("--noise", "200%"), "like 2%"),
                            (("--per", "function:"), "one of iteration"),
                            (("--by", "x"), "one of function"), (("-f", "share"), "unknown column 'share'"),
                            (("-s", "p,q"), "unknown column 'q'"), (("-s", "p,ratio"), "is not one column"),
                            (("--junit", "x"), "--junit needs --fail-above or --budgets"),
                            (("--gdb", ":3333"), "--gdb is an option of 'mprof top'"), (("--type", "x"), "--type 'x': not in")):
            self.assertIn(what, self.fails(self.old, self.new, *words, status=2))


if __name__ == "__main__":
    unittest.main()
