# SPDX-License-Identifier: GPL-3.0-or-later
"""The gate of mprof diff: thresholds, budgets, and the JUnit file that says what broke."""

import gzip
import random
import subprocess
import unittest
import xml.etree.ElementTree

from made_diff import NEW, OLD, OTHER_BUILD, SURE, Diff
from pprof_file import profile
from support import HANG_S, MPROF, count, counted, environment, mprof


class Gate(Diff):
    def gate(self, *words, status, old=None, new=None, unique=True, sure=SURE):
        path = self.folder / "junit.xml"
        done = self.diff(old or self.old, new or self.new, "--junit", path, *sure, *words, status=status,
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
        cases, said = self.gate("--fail-above", "+5pp", "--fail-above", "fir_*=+20%",
                                "--fail-above", "crc*=+5%", status=3)
        self.assertEqual(cases, {"fir_filter: +5pp": "failure", "+5pp": "passed",
                                 "fir_filter: fir_*=+20%": "failure", "crc*=+5%": "passed"})
        self.assertRegex(said[0], r"^mprof: gate: fir_filter changed by \+5\.94 pp "
                                  r"(\[\+5\.\d\d, \+6\.\d\d\]|\+/- 0\.\d\d): above \+5pp; if runs of one "
                                  "build differ by 0 %, as --noise says$")
        self.assertEqual(len(said), 2)
        cases, said = self.gate("--fail-above", "+6.5pp", "--fail-above", "fir_*=+40%", status=0)
        self.assertEqual((set(cases.values()), said), ({"passed"}, []))
        cases, _ = self.gate("--fail-above", "-0.5pp", status=3)
        self.assertEqual([name for name, kind in cases.items() if kind != "passed"], ["going: -0.5pp"])

    def test_new_function(self):
        cases, said = self.gate("--fail-above", "evil*=+5%", status=3)
        self.assertEqual(cases, {"evil?[2J|<x>,\"y&: evil*=+5%": "failure"})
        self.assertIn("evil?[2J|<x>,\"y& is new: 0.84 % of new's hits: above evil*=+5%", said[0])

    def test_budgets(self):
        budgets = self.put("budgets", "# what may be\n\nfir_* 12%\ncrc32\t0.3 # enough\n"
                                       "idle 37.4%\r\nnobody 1%\n   evil* 0.01")
        cases, said = self.gate("--budgets", budgets, status=3)
        self.assertEqual(cases, {"fir_filter: 12%": "failure", "crc32: 30%": "passed",
                                 "idle: 37.4%": "passed", "nobody": "skipped",
                                 "evil?[2J|<x>,\"y&: 1%": "passed"})
        self.assertRegex(said[0], rf"fir_filter takes 24\.32 % (\[.*\]|\+/- 0\.\d\d): above 12 % \({budgets}:3\); "
                         "if runs of one build differ by 0 %, as --noise says$")
        self.assertRegex(said[1], "^mprof: gate: open: idle takes ")
        self.assertEqual(said[2], "mprof: gate: nobody: no row has this name")
        text = (self.folder / "junit.xml").read_text()
        self.assertRegex(text, r"idle takes 37\.42 % (\[37\.0\d, 37\.[78]\d\]|\+/- 0\.[34]\d): more runs decide, limit 37\.4 %")
        self.gate("--budgets", self.put("b", "fir_filter 24.2%\n"), status=0)
        self.gate("--budgets", self.put("b", "fir_filter 24%\n"), status=3)
        _, said = self.gate("--budgets", self.put("b", "fir_filter 12%\n"), "--noise", "2%", status=3)
        self.assertRegex(said[0], r"above 12 % \([^()]*:1\); if runs of one build differ by 2 %, as --noise says$")
        self.gate("--budgets", self.put("b", "fir_filter 24.2%\n"), "--strict", status=1)

    def test_cannot_judge(self):
        """A gate that cannot close is not passed."""
        a, b = (self.write(f"{n}.pb.gz", hits, unit="calls", rate=0)
                for n, hits in (("a", OLD), ("b", NEW)))
        cases, said = self.gate("--fail-above", "+1%", old=a, new=b, status=1, sure=())
        self.assertEqual(cases, {"+1%": "error"})
        self.assertIn("nothing can be judged with one run a side", said[0])
        self.gate("--fail-above", "+1%", status=1, sure=())
        alone = self.write("alone.pb.gz", {None: 1000})
        _, said = self.gate("--fail-above", "+1%", old=alone, new=alone, status=1)
        self.assertIn("nothing can be judged", said[0])
        self.gate("--fail-above", "+1%", "--noise", "1%", old=a, new=b, status=3)
        self.gate("--budgets", self.put("b", "fir_* 12%"), old=a, new=b, status=1, sure=())
        self.gate("--budgets", self.put("b", "fir_* 12%"), old=a, new=b, status=3)
        locked = self.write("l.pb.gz", NEW, conditions=["tick-locked=yes"])
        cases, said = self.gate("--budgets", self.put("b", "fir_* 12%"), new=locked, status=1)
        self.assertEqual((cases, len(said)), ({"fir_*": "error"}, 1))

    def test_contested(self):
        """Where it is not sure which rows did not change, that none tripped says nothing."""
        hits = {f"f{i}": 10000 for i in range(10)}
        old = self.write("o.pb.gz", hits)
        new = self.write("n.pb.gz", {name: hits[name] + 2000 * (i < 6) for i, name in
                                     enumerate(hits)}, build=OTHER_BUILD, seconds=11.2)
        self.assertTrue(self.whole(old, new, *SURE)["contested"])
        cases, said = self.gate("--fail-above", "+5%", old=old, new=new, status=1)
        self.assertEqual(cases, {"+5%": "error"})
        self.assertEqual(said, ["mprof: gate: nothing can be judged: see the warnings of the diff"])
        cases, said = self.gate("--fail-above", "+1%", "--per", "second", old=old, new=new, status=3)
        self.assertEqual({name for name, kind in cases.items() if kind == "failure"},
                         {f"f{i}: +1%" for i in range(6)})
        self.gate("--fail-above", "+5%", "--per", "function:f9", old=old, new=new, status=3)
        self.gate("--budgets", self.put("b", "f0 50%"), old=old, new=new, status=0)

    def test_two_programs(self):
        common = {"same": 1000} | {f"s{i}": 900 + i for i in range(20)}
        old = self.write("o.pb.gz", common | {f"a{i}": 10000 * (i + 1) for i in range(3)})
        new = self.write("n.pb.gz", common | {f"b{i}": 40000 * (i + 1) for i in range(3)},
                         build=OTHER_BUILD)
        self.assertIn("these may be two different programs: ", " ".join(self.whole(old, new)["notes"]))

    def test_open(self):
        """Neither above the limit for certain nor below it: said, and no reason to fail."""
        hits = {f"f{i:02}": 30000 for i in range(40)}
        random.seed(3)
        old = self.write("o.pb.gz", hits)
        new = self.write("n.pb.gz", {name: int(n * (1 + random.choice((-1, 1)) * 0.01)) for name, n
                                     in hits.items()})
        cases, said = self.gate("--fail-above", "+5%", old=old, new=new, status=0)
        self.assertEqual((cases, said), ({"+5%": "passed"}, []))
        cases, said = self.gate("--fail-above", "+2%", old=old, new=new, status=0)
        self.assertEqual(set(cases.values()), {"passed"})
        self.assertRegex(said[0], r"^mprof: gate: open: f\d\d changed by .*, limit \+2%: more runs decide$")
        self.assertRegex(said[5], r"^mprof: gate: open: \d+ more rows; --junit lists them all$")
        self.assertEqual(len(said), 6)
        cases, said = self.gate("--fail-above", "+2%", "--strict", old=old, new=new, status=1)
        self.assertEqual(set(cases.values()), {"passed", "error"})
        self.assertRegex(said[-1], r"^mprof: gate: --strict: \d+ rows are open$")

    def test_renamed(self):
        """A new name leaves no gate behind."""
        hits = {"crc32": 30000, "idle": 40000, "uart": 15000}
        old = self.write("o.pb.gz", hits | {"alpha": 10000})
        new = self.write("n.pb.gz", hits | {"alpha_v2": 12000}, build=OTHER_BUILD)
        self.assertEqual(self.rows(old, new)["alpha_v2"]["old_name"], "alpha")
        for name in ("alpha", "alpha_v2", "alph?"):
            cases, said = self.gate("--fail-above", f"{name}=+5%", "--budgets",
                                    self.put("b", f"{name} 5%\n"), old=old, new=new, status=3)
            self.assertEqual(cases, {f"alpha_v2: {name}=+5%": "failure", "alpha_v2: 5%": "failure"})
            self.assertIn("alpha_v2 (was alpha) changed by +", said[0])
            self.assertIn("alpha_v2 (was alpha) takes ", said[1])

    def test_same_names(self):
        """Functions of one name in two files are told apart."""
        hits = {"crc32": 300000, "idle": 400000, "uart": 150000, "dma": 150000}
        old = self.write("o.pb.gz", hits | {("f", "a.c"): 10000, ("f", "b.c"): 20000})
        new = self.write("n.pb.gz", hits | {("f", "a.c"): 12000, ("f", "b.c"): 24000})
        cases, said = self.gate("--fail-above", "f=+5%", "--budgets", self.put("b", "f 50%\nuart 50%"),
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
                                        self.put("b", f"{glob} 1%"), old=old, new=new, status=3)
                self.assertEqual(cases, {f"{name}: {glob}=+5%": "failure", f"{name}: 1%": "failure"})
                self.assertTrue(said[0].startswith(f"mprof: gate: {name} changed by +50.0 % ["), said)

    def test_budgets_of_editors(self):
        """A byte order mark, and all ends of lines."""
        for text in ("\ufefffir_filter 12%\ncrc32 30%\n", "fir_filter 12%\rcrc32 30%\r",
                     "#\rfir_filter 12%\r\ncrc32 30%", "\ufeff\r\n\nfir_filter 12% # \r\rcrc32 30%\n\r"):
            budgets = self.put("b", text)
            cases, said = self.gate("--budgets", budgets, status=3)
            self.assertEqual(cases, {"fir_filter: 12%": "failure", "crc32: 30%": "passed"}, repr(text))
            line = text[:text.index("fir")].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
            self.assertIn(f"({budgets}:{line})", said[0])
        for text in ("", "\n", "# nothing\r\n  # at all", "\ufeff", "\ufeff # x"):
            said = self.fails(self.old, self.new, "--budgets", self.put("b", text), status=2)
            self.assertIn("no budgets", said)

    def test_bad_budgets(self):
        for line, text, what in ((2, "a 1%\nb", "b is not a share"), (1, "a 12", "12 is not a share"),
                                 (1, "12%", "the function is missing"), (1, "a -1%", "-1% is"),
                                 (1, "a 1e-1", "1e-1 is"), (1, "a 0x1", "0x1 is"), (1, "a 1.2.3%", ""),
                                 (3, "\n#\na %", "% is"), (1, "a\0b 1%", "not text"),
                                 (1, "x" * 1024 + " 1%", "longer"), (1, "a nan", "nan is")):
            path = self.put("bad", text)
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
            path = self.put("random", text)
            done = mprof("diff", self.old, self.new, "--budgets", path, "--junit",
                         self.folder / "j.xml", *SURE, errors="replace")
            self.assertIn(done.returncode, (0, 2, 3), (text, done.stderr))
            if done.returncode != 2:
                xml.etree.ElementTree.parse(self.folder / "j.xml")
        counted(f"{files} budget files by chance")

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
        path = self.put("names.pb", raw)
        self.gate("--budgets", self.put("b", "* 0\n"), "--fail-above", "+1%", old=path, new=path,
                  status=3, unique=False)
        for name in ("table", "csv", "markdown", "json"):  # all UTF-8
            self.assertGreater(len(self.diff(path, path, "--format", name).stdout), 900)

    def test_junit_whole_or_not(self):
        """What broke a threshold says more than what could not be written."""
        for limit, status in (("+1%", 3), ("+500pp", 1)):
            words = (self.old, self.new, *SURE, "--fail-above", limit, "--junit")
            said = self.diff(*words, self.folder / "no" / "j.xml", status=status).stderr
            self.assertIn("No such file", said)
            self.assertIn("No space", self.diff(*words, "/dev/full", status=status).stderr)
            said = self.gate("--fail-above", limit, "-o", "/dev/full", status=status)[1]
            self.assertIn("No space", said[0])

    def test_junit_of_a_failure(self):
        """None of an earlier run stays: it would say that all is well."""
        path = self.folder / "j.xml"
        cut = self.cut()
        bad = self.put("bad", "a 12")
        for status, words in ((1, (self.old, self.folder / "none")), (1, (self.old, cut)),
                              (2, (self.old, self.new, self.old)), (2, (self.old, self.new, "--budgets", bad)),
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
        gate = ("--fail-above", "+500pp", *SURE)
        path = self.folder / "x"
        (self.folder / "sub").mkdir()
        for again in range(2):
            for other in (path, self.folder / "sub" / ".." / "x"):
                said = self.fails(self.old, self.new, *gate, "-o", path, "--junit", other, status=2)
                self.assertIn("the same file", said)
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


if __name__ == "__main__":
    unittest.main()
