# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof diff of two traces: functions, their calls and durations on both sides, what is new and gone, and limits."""

import json
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from pprof_file import profile
from support import BUILD, mprof

MADE = BUILD / "tests" / "system" / "made-trace"
HZ = 1000000
BASE = ["control_step=100x80", "filter=1000x10", "moved@/a/old.c=4x9", "going=3x5"]
NEW = ["control_step=99x80", "control_step=1x140", "filter=3000x10", "moved@/a/other.c=4x9", "coming=2x7"]


class DiffTraces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.base = self.made("base.trace", "b1", HZ, *BASE)
        self.new = self.made("new.trace", "b2", HZ, *NEW)

    def made(self, name, build, hz, *steps):
        path = self.folder / name
        subprocess.run([MADE, path, build, str(hz), *steps], check=True)
        return path

    def diff(self, *words, base=None, new=None, status=0):
        done = mprof("diff", base or self.base, new or self.new, *words)
        self.assertEqual(done.returncode, status, (done.stdout, done.stderr))
        return done

    def rows(self, *words, **sides):
        return {row["function"]: row for row in
                json.loads(self.diff("--format", "json", *words, **sides).stdout)["rows"]}

    def refused(self, *words, text, **sides):
        done = self.diff(*words, status=2, **sides)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_columns(self):
        """The figures are sorted by how much they changed; columns of snapshots are refused."""
        names = [row["function"] for row in json.loads(self.diff("--sort", "max", "--format", "json").stdout)["rows"]]
        self.assertEqual(names[0], "control_step")
        names = [row["function"] for row in json.loads(self.diff("-s", "calls", "--format", "json").stdout)["rows"]]
        self.assertEqual(names[0], "filter")
        got = self.diff("--sort", "function", "--fields", "function,base_max,new_max", "--format", "csv").stdout
        self.assertEqual(got.splitlines()[:3], ["function,base_max,new_max", "coming,,7e-06", "control_step,8e-05,0.00014"])
        for option in "--sort", "--fields":
            self.refused(option, "impact", text=f"{option}: unknown column 'impact': use median, p99, max, avg, self")
            self.refused(option, "nope", text=f"{option}: unknown column 'nope': use median, p99, max, avg, self")
        for words, text in ((("report", self.base, "--sort", "nope"), "unknown column 'nope': use "),
                            (("report", self.base, "--fields", "nope"), "unknown column 'nope': use ")):
            done = mprof(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(text, done.stderr)
            self.assertIn(" p99", done.stderr)
        done = mprof("report", self.base, "--sort", "a,b")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))

    def test_rows(self):
        got = json.loads(self.diff("--format", "json").stdout)
        # From the first event to the last one: every call is followed by as much time.
        lengths = [(2 * (100 * 80 + 10000 + 4 * 9 + 3 * 5) - 5) / HZ, (2 * (99 * 80 + 140 + 30000 + 36 + 14) - 7) / HZ]
        for side, length in zip(("base", "new"), lengths):
            self.assertAlmostEqual(got[side]["seconds"], length)
        self.assertTrue(got["per_second"])
        # What changed most by self time is first.
        changes = [abs(row["new_self"] - row["base_self"]) for row in got["rows"]]
        self.assertEqual(changes, sorted(changes, reverse=True))
        rows = {row["function"]: row for row in got["rows"]}
        self.assertEqual({name: row["verdict"] for name, row in rows.items()},
                         {"control_step": None, "filter": None, "moved": None, "going": "gone", "coming": "new"})
        step = rows["control_step"]
        for key, value in (("base_median", 80e-6), ("new_median", 80e-6), ("base_p99", 80e-6), ("new_p99", 80e-6),
                           ("base_max", 80e-6), ("new_max", 140e-6), ("new_avg", 80.6e-6),
                           ("base_total", 100 * 80e-6 / lengths[0]), ("new_self", 8060e-6 / lengths[1]),
                           ("base_calls", 100 / lengths[0]), ("new_calls", 100 / lengths[1])):
            self.assertAlmostEqual(step[key], value, msg=key, delta=1e-7 * max(1, value))
        self.assertEqual([rows["going"][key] for key in ("new_calls", "new_median", "base_max")], [0, None, 5e-6])

    def test_formats(self):
        lines = self.diff().stdout.splitlines()
        self.assertEqual([line.split(":")[0].split()[0] for line in lines[:2]], ["base", "new"])
        self.assertEqual(lines[2], "two recordings: how far two of one build differ is not known")
        step = next(line for line in lines if "control_step" in line)
        self.assertIn("80.000 us > 140.000 us", step)
        self.assertRegex(self.diff("--format", "markdown").stdout, r"(?m)^\| 5\.000 us > - \|.*\| gone \| going \|")
        csv = self.diff("--format", "csv").stdout.splitlines()
        self.assertEqual(len(csv), 6)
        self.assertTrue(csv[0].startswith("function,file,line,verdict,base_calls,new_calls,"))
        self.assertIn("4 further rows", self.diff("--limit", "1").stdout)

    def test_without_durations(self):
        entries = self.made("entries.trace", "b2", HZ, "filter=3", "wait=1000000", "control_step=5")
        untimed = self.made("untimed.trace", "b2", 0, "filter=3x4")
        text = self.diff(new=entries).stdout
        self.assertIn("no durations: new has only entries", text)
        self.assertNotIn("MEDIAN", text)
        self.assertIn("no durations: new has events without times", self.diff(new=untimed).stdout)
        self.assertIsNone(self.rows(new=entries)["filter"]["new_median"])
        done = self.diff("--fail-above", "filter=1us@max", new=entries, status=1)
        self.assertIn("filter=1us@max cannot be judged: durations are not known on both sides", done.stderr)
        self.diff("--fail-above", "filter=3@calls", new=entries)
        self.diff("--fail-above", "filter=2@calls", new=entries, status=3)
        # A number of calls is of a second, which is not known if one side has no times.
        for sides in ({"base": untimed}, {"new": untimed}):
            done = self.diff("--fail-above", "filter=1@calls", status=1, **sides)
            self.assertIn("filter=1@calls cannot be judged: how long a recording took is not known", done.stderr)
            self.assertIn("calls are not per second", done.stdout)
        self.diff("--fail-above", "filter=+5%@calls", base=untimed, status=3)
        nothing = self.made("nothing.trace", "b2", HZ)
        self.assertIn("no durations: new has no calls", self.diff(new=nothing).stdout)

    def test_limits(self):
        for limit, status in (("control_step=120us@max", 3), ("control_step=0.15ms@max", 0), ("control_*=81us@median", 0),
                              ("control_*=79us@median", 3), ("*=80us@99%", 0), ("filter=+5%@calls", 3),
                              ("filter=+60%@self", 0), ("control_step=+50%@max", 3), ("control_step=1s@total", 0),
                              ("coming=6us@max", 3), ("*ing=8us@max", 0), ("going=0@calls", 0),
                              ("coming=+900%@calls", 3)):
            with self.subTest(limit):
                self.diff("--fail-above", limit, status=status)
        path = self.folder / "junit.xml"
        done = self.diff("--fail-above", "control_step=120us@max", "--fail-above", "filter=1ms@max", "--junit", path,
                         status=3)
        self.assertIn("gate: control_step: 140.000 us, base 80.000 us: above 120us@max", done.stderr)
        cases = {case.get("name"): [element.tag for element in case] for case in
                 xml.etree.ElementTree.parse(path).getroot().iter("testcase")}
        self.assertEqual(sorted(cases), ["control_step: 120us@max", "filter: 1ms@max"])
        self.assertIn("failure", cases["control_step: 120us@max"])
        lossy = self.made("lossy.trace", "b2", HZ, "filter=3x4", "lost=7", "filter=3x4")
        self.assertIn("lost events of", self.diff("--fail-above", "filter=1ms@max", new=lossy).stderr)

    def test_no_such_call(self):
        """A name that is spelled wrongly, or a function that is not called any more, must not pass a gate."""
        for limit, why in (("nobody=1us@max", "neither trace has a function of this name"),
                           ("nobody=9@calls", "neither trace has a function of this name"),
                           ("no_*=+5%@self", "neither trace has a function of this name"),
                           ("going=1us@max", "new has no call of it"), ("going=+5%@median", "new has no call of it"),
                           ("coming=+5%@median", "no call has a duration on both sides")):
            with self.subTest(limit):
                path = self.folder / "junit.xml"
                done = self.diff("--fail-above", limit, "--junit", path, status=1)
                self.assertEqual(done.stderr, f"mprof: gate: {limit} cannot be judged: {why}\n")
                case, = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
                self.assertEqual((case.get("name"), [element.tag for element in case]), (limit, ["error"]))
        # What is proven to be above its limit decides.
        self.diff("--fail-above", "nobody=1us@max", "--fail-above", "control_step=120us@max", status=3)

    def test_mistakes(self):
        snapshot = self.folder / "run.pb.gz"
        snapshot.write_bytes(profile({"f": 100}))
        self.refused(text="run.pb.gz is no trace file", new=snapshot)
        self.refused(text="run.pb.gz is no trace file", base=snapshot)
        self.refused("--fail-above", "f=1us@max", text="limits with '@' are for two traces", base=snapshot, new=snapshot)
        done = self.diff(new=self.folder / "none.trace", status=1)
        self.assertIn("none.trace: No such file", done.stderr)
        self.refused("--fail-above", "f=1us", text="or of traces 'f=120us@max'")
        self.refused("--fail-above", "+5%", text="+5% is for snapshots")
        self.refused("--by", "line", text="--by has no use for traces")
        for limit, text in (("f=1us@most", "unknown word"), ("f=1@max", "no limit"), ("=1us@max", "names no function"),
                            ("f=us@max", "no limit"), ("f=1us@calls", "no limit"), ("f@max", "names no function"),
                            ("f=10%@max", "no limit"), ("f=+1us@max", "no limit")):
            self.refused("--fail-above", limit, text=text)
        done = mprof("diff", "--base", self.base, self.base, "--new", self.new)
        self.assertEqual((done.returncode, "more than two traces" in done.stderr), (2, True), done.stderr)


if __name__ == "__main__":
    unittest.main()
