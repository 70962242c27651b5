# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof snapshot and mprof report FILE, of a process; and what go tool pprof makes of the files."""

import contextlib
import re
import shutil
import signal
import subprocess
import unittest

from case import ONE_BOOT, Case, no_room
from process import FIXED, PIE, Made, Recorder, Steady
from support import BUILD, HANG_S, environment, mprof, over_a_time, symbols

GO = shutil.which("go")


def pprof(folder, *arguments):
    """Output of go tool pprof, which must not reach for the network."""
    env = dict(environment(), HOME=str(folder), PPROF_TMPDIR=str(folder), GOFLAGS="-mod=mod",
               GOPROXY="off", HTTP_PROXY="http://127.0.0.1:1", HTTPS_PROXY="http://127.0.0.1:1")
    done = subprocess.run([GO, "tool", "pprof", *map(str, arguments)], env=env, text=True,
                          capture_output=True, timeout=HANG_S, stdin=subprocess.DEVNULL, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def flat(text):
    """function -> flat, of pprof's -top; without what is only known by its file, like libraries, and
    without its word for a function that was inlined."""
    rows = re.findall(r"^ *(\d+)\w* +[\d.]+% +[\d.]+% +\d+\w* +[\d.]+% +(\S.*?)"
                      r"(?: \((?:partial-)?inline\))?$", text, re.M)
    return {name: int(hits) for hits, name in rows if not name.startswith("[")}


class WithFiles(Case):
    @property
    def path(self):
        return self.folder / "a.pb.gz"

    def run_process(self, process):
        process.__enter__()
        self.addCleanup(process.__exit__)
        return process

    def report(self, *files, options=()):
        return self.json("report", *files, *options)


class OfAProcess(WithFiles):
    """Its hits are made, and no block has two functions in it, where a test does not say so."""

    HITS = {"work_a": 500, "work_b": 300, "work_c": 189, "main": 11}

    def setUp(self):
        self.process = self.run_process(Made(FIXED, self.HITS))
        self.link = ("--elf", FIXED, "--pid", self.process.pid)

    def named(self, path):
        """function -> hits."""
        return {row["function"]: row["hits"] for row in self.report(path)["rows"]}

    def test_same_rows_as_live(self):
        self.good("snapshot", *self.link, "-o", self.path)
        for by in ("function", "line", "file", "address", "arc"):
            live = self.json("report", *self.link, "--by", by)
            kept = self.report(self.path, options=["--by", by])
            for key in ("rows", "hits", "unit", "sampler", "unattributed", "identity", "late"):
                self.assertEqual(live[key], kept[key], (by, key))
            self.assertEqual(kept["link"]["kind"], "process")
        self.assertEqual(self.named(self.path), self.HITS)
        live = self.good("report", *self.link, "--ignore", "work_a")
        kept = self.good("report", self.path, "--ignore", "work_a")
        self.assertEqual(live[live.index(" SHARE"):], kept[kept.index(" SHARE"):])

    @unittest.skipUnless(GO, "go is missing")
    def test_go_tool_pprof(self):
        self.good("snapshot", *self.link, "-o", self.path)
        top = pprof(self.folder, "-top", "-nodefraction=0", "-noinlines",
                    "-sample_index=samples", self.path)
        self.assertEqual(flat(top), self.HITS)
        self.assertIn(f"File: {FIXED.name}", top)
        self.assertRegex(top, r"Build ID: [0-9a-f]{40}")
        raw = pprof(self.folder, "-raw", self.path)
        self.assertIn("samples/count", raw)
        self.assertRegex(raw, r"work_a .*process\.c:\d+")
        lines = pprof(self.folder, "-top", "-nodefraction=0", "-noinlines", "-lines", self.path)
        self.assertRegex(lines, r"work_a .*process\.c:\d+")
        # pprof writes what it read, without the locations that no sample has.
        other = self.folder / "other.pb.gz"
        pprof(self.folder, "-proto", "-output", other, self.path)
        self.assertEqual(self.named(other), self.HITS)

    @unittest.skipUnless(GO, "go is missing")
    def test_blocks_for_go_tool_pprof(self):
        """Block by block the same, also where functions share one, which pprof gives to one of them."""
        size = symbols(FIXED, "nm")["work_c"][1]
        self.process.feed({("work_c", 16 * i): 7 + i for i in range(size // 16 + 3)})
        self.good("snapshot", *self.link, "-o", self.path)
        blocks = {row["address"]: row["hits"]
                  for row in self.report(self.path, options=["--by", "address"])["rows"]}
        raw = pprof(self.folder, "-raw", self.path)
        samples = re.findall(r"^ +(\d+)[ \d]*: (\d+)", raw[raw.index("Samples:"):raw.index("Locations")],
                             re.M)
        places = dict(re.findall(r"^ +(\d+): (0x[0-9a-f]+) M=", raw, re.M))
        self.assertEqual({places[location]: int(hits) for hits, location in samples}, blocks)
        self.assertGreater(len(blocks), len(self.HITS) + 2)

    @unittest.skipUnless(GO, "go is missing")
    def test_go_tool_pprof_diff_base(self):
        new = self.folder / "b.pb.gz"
        self.good("snapshot", *self.link, "-o", self.path)
        more = {"work_a": 20, "work_c": 4, "main": 9}
        self.process.feed(more)
        self.good("snapshot", *self.link, "-o", new)
        top = pprof(self.folder, "-top", "-nodefraction=0", "-noinlines",
                    "-sample_index=samples", "-diff_base", self.path, new)
        self.assertEqual({name: hits for name, hits in flat(top).items() if hits}, more)

    def test_over_a_time(self):
        process = self.run_process(Steady(FIXED))
        begin = process.report()["hits"]
        done = over_a_time(mprof, "snapshot", "--elf", FIXED, "--pid", process.pid, "-o", self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        end = process.report()["hits"]
        report = self.report(self.path)
        self.assertLessEqual(report["hits"], end - begin)
        self.assertIn(f"{report['hits']} samples in ", done.stdout)
        self.assertGreaterEqual(report["time"], 0.5)
        for row in report["rows"]:
            self.assertAlmostEqual(row["rate"] * report["time"], row["hits"], delta=0.01)

    def test_since_it_began(self):
        """Only what came since, until there is enough of it."""
        new = self.folder / "b.pb.gz"
        with Recorder("snapshot", *self.link, "-o", self.path, "--hits", "300") as one, \
                Recorder("snapshot", *self.link, "-o", new, "--precision", "0.12") as other:
            for recorder in (one, other):
                recorder.counts(0)
            self.process.feed({"work_a": 20})  # from 84 to 100 % of its time
            for recorder in (one, other):
                recorder.counts(20)
            self.process.feed({"work_a": 80, "work_c": 200})  # from 28 to 39 %
            for recorder in (one, other):
                self.assertEqual(recorder.end()[0], 0)
        self.assertEqual(self.named(self.path), {"work_a": 100, "work_c": 200})
        # It may have looked while they came, and have had enough earlier.
        rows = self.report(new)["rows"]
        hits = {row["function"]: row["hits"] for row in rows}
        self.assertLessEqual(set(hits), {"work_a", "work_c"})
        self.assertLessEqual(hits["work_a"], 100)
        self.assertLessEqual(hits.get("work_c", 0), 200)
        self.assertLessEqual(max(row["high"] - row["low"] for row in rows), 0.12)
        self.assertGreater(sum(hits.values()), 20)

    def test_time_ends_it(self):
        self.process.run()
        done = over_a_time(mprof, "record", *self.link, "-o", self.path, "--hits", "100000000")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLess(self.report(self.path)["hits"], 100000000)

    def page(self, path):
        """What the intervals of an HTML page cover; and whether they are wide."""
        text = self.good("export", path, "--format", "html")
        first = re.search(r'</td><td class="n" data-v="([0-9.]+)">', text)
        return re.search(r"95 % interval \((.*)\)</caption>", text)[1], float(first[1]) > 0.25

    def test_wander(self):
        """Polls tell how much shares wander, and the file keeps that; one poll tells nothing."""
        with Recorder("snapshot", *self.link, "-o", self.path, "--hits", "1000") as recorder:
            recorder.counts(0)
            for poll in range(10):  # each hit of the first half is of one function
                self.process.feed({"work_a" if poll < 5 else "work_b": 100})
                if poll < 9:
                    recorder.counts(100 * (poll + 1))
            self.assertEqual(recorder.end()[0], 0)
        report = self.report(self.path)
        self.assertEqual(report["intervals"], "counting and polls")
        for row in report["rows"]:
            self.assertEqual(row["hits"], 500)
            self.assertGreater(row["high"] - row["low"], 0.5)
        self.assertNotIn("counting only", self.good("report", self.path))
        self.assertEqual(self.page(self.path), ("counting and polls", True))
        # With one run a side, a change is as unsure.
        whole = self.json("diff", self.path, self.path)
        change = whole["rows"][0]
        self.assertNotIn("counting only", " ".join(whole["notes"]))
        self.assertGreater(change["ratio_high"] / change["ratio_low"], 4)
        one = self.folder / "b.pb.gz"
        self.good("snapshot", *self.link, "-o", one)
        report = self.report(one)
        self.assertEqual(report["intervals"], "counting only")
        for row in report["rows"]:
            self.assertLess(row["high"] - row["low"], 0.07)
        self.assertIn("+/- counting only", self.good("report", one))
        self.assertIn("intervals cover counting only", " ".join(self.json("diff", one, one)["notes"]))
        self.assertIn("intervals of counting only", self.good("report", one, "--format", "markdown"))
        self.assertEqual(self.page(one), ("counting only", False))

    def test_runs(self):
        """Three runs in one file: a report adds them up, a diff tells them apart."""
        self.process.run()
        out = self.good("snapshot", *self.link, "-o", self.path, "--hits", "100", "--runs", "3",
                        "--settle", "0s", said=ONE_BOOT)
        self.assertRegex(out, rf"^{self.path}: 3 runs of \d+\.\d s\n$")
        self.assertEqual(list(self.folder.iterdir()), [self.path])
        whole = self.report(self.path)
        self.assertGreaterEqual(whole["hits"], 300)
        self.assertEqual(whole["rows"][0]["function"], "work_a")
        diff = self.json("diff", self.path, self.path)
        self.assertEqual((diff["runs"], diff["base"]["snapshots"], diff["base"]["files"]),
                         (3, 3, [str(self.path)]))
        self.assertEqual(diff["base"]["hits"], whole["hits"])
        self.assertIn("the runs of both sides are of one boot", " ".join(diff["notes"]))
        folded = self.good("export", "--format", "folded", self.path).splitlines()
        self.assertEqual(len(folded), len({line.rsplit(" ", 1)[0] for line in folded}))
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in folded), whole["hits"])

    def test_reset(self):
        """What came before, a thousand seconds' worth, is forgotten."""
        self.process.feed({"work_b": 1000000})
        self.process.run()
        self.good("snapshot", *self.link, "-o", self.path, "--reset")
        self.assertLess(self.report(self.path)["hits"], 1000000)

    def test_interrupt_keeps_what_is_there(self):
        ways = ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM))
        paths = [self.folder / f"{number}.pb.gz" for number, _ in ways]
        with contextlib.ExitStack() as stack:
            recorders = [stack.enter_context(Recorder("snapshot", *self.link, "-o", path, "--duration", "1000"))
                         for path in paths]
            for recorder in recorders:
                recorder.counts(0)
            self.process.feed({"work_a": 90, "work_b": 10})
            for recorder, path, (number, status) in zip(recorders, paths, ways):
                recorder.counts(100)
                recorder.process.send_signal(number)
                got, out = recorder.end()
                self.assertEqual(got, status, recorder.text)
                self.assertIn(": 100 samples in", out)
                self.assertEqual(self.named(path), {"work_a": 90, "work_b": 10})
                self.assertRegex(recorder.text, rb"\r\[#* *\] \d+\.\d s  100 hits  \+/- [\d.]+%")
                self.assertTrue(recorder.text.endswith(b"\r\x1b[K"), recorder.text[-60:])

    def test_interrupt_before_anything_is_kept(self):
        """Only whole runs are; where none is, it has not done what it was asked for."""
        self.process.feed({"work_a": 100})
        self.process.run()
        with Recorder("snapshot", *self.link, "-o", self.path, "--duration", "1000", "--runs", "2",
                      "--settle", "0s") as recorder:
            recorder.shows(rb" s  \d+ hits\b")
            recorder.process.send_signal(signal.SIGINT)
            self.assertEqual(recorder.end()[0], -signal.SIGINT, recorder.text)
        self.assertFalse(self.path.exists())

    def test_full_disk_leaves_the_old_file(self):
        self.good("snapshot", *self.link, "-o", self.path)
        before = self.path.read_bytes()
        text = self.bad("snapshot", *self.link, "-o", self.path, preexec_fn=no_room)
        self.assertIn(str(self.path), text)
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual(list(self.folder.iterdir()), [self.path])
        self.assertIn("No space left", self.bad("snapshot", *self.link, "-o", "/dev/full"))

    def test_runs_at_other_addresses(self):
        """A program that is loaded anywhere is the same program."""
        files = []
        for number in range(2):
            process = self.run_process(Made(PIE, {"work_a": 100 + number, "work_b": 60, "work_c": 40}))
            files.append(self.folder / f"{number}.pb.gz")
            self.good("snapshot", "--elf", PIE, "--pid", process.pid, "-o", files[-1])
        self.assertEqual([(row["function"], row["hits"]) for row in self.report(*files)["rows"]],
                         [("work_a", 201), ("work_b", 120), ("work_c", 80)])
        self.assertEqual(self.report(*files), self.report(*reversed(files)))

    def test_usage(self):
        self.lacking(mprof("snapshot", *self.link), "-o FILE")
        self.assertIn("--runs needs", self.bad("snapshot", *self.link, "-o", self.path,
                                                 "--runs", "2", status=2))
        self.assertIn("an option of 'mprof snapshot'", self.bad("report", *self.link, "--duration", "1", status=2))
        self.assertIn("either a target or files",
                      self.bad("report", *self.link, self.path, status=2))
        self.assertIn("No such file", self.bad("report", self.path))


@unittest.skipUnless(GO, "go is missing")
class OfGo(WithFiles):
    """Profiles that Go itself wrote: 30 samples of the time that it used, of which hardly one is not
    of the loop."""

    PROGRAM = """package main
import ("os"; "runtime/pprof"; "syscall")
//go:noinline
func inner(n int) int { s := 0; for i := 0; i < n; i++ { s += i * i % 7 }; return s }
//go:noinline
func outer(n int) int { return inner(n) + 1 }
func used() int64 { var u syscall.Rusage; syscall.Getrusage(0, &u); return int64(u.Utime.Sec) * 1000000 + int64(u.Utime.Usec) }
var keep [][]byte
func main() {
    f, _ := os.Create(os.Args[1]); pprof.StartCPUProfile(f)
    for used() < 300000 { outer(100000) }
    pprof.StopCPUProfile(); f.Close()
    for i := 0; i < 100; i++ { keep = append(keep, make([]byte, 1<<20)) }
    h, _ := os.Create(os.Args[2]); pprof.WriteHeapProfile(h); h.Close()
}
"""

    def test_cpu_and_heap(self):
        source = self.folder / "main.go"
        source.write_text(self.PROGRAM)
        env = dict(environment(), HOME=str(self.folder), GOCACHE=str(BUILD / "go-cache"),
                   GOPROXY="off", GO111MODULE="off")
        program = self.folder / "main"
        subprocess.run([GO, "build", "-p", "1", "-o", program, source], env=env, check=True,
                       timeout=HANG_S)
        cpu, heap = self.folder / "cpu.pb.gz", self.folder / "heap.pb.gz"
        subprocess.run([program, cpu, heap], check=True, timeout=HANG_S)
        rows = {row["function"]: row for row in self.report(cpu)["rows"]}
        top = flat(pprof(self.folder, "-top", "-sample_index=samples", "-nodefraction=0", cpu))
        self.assertEqual({name: row["hits"] for name, row in rows.items()},
                         {name: hits for name, hits in top.items() if hits})
        self.assertTrue(rows["main.inner"]["file"].endswith("main.go"))
        arcs = self.report(cpu, options=["--by", "arc"])["rows"]
        self.assertIn(("main.inner", "main.outer"),
                      [(arc["function"], arc["caller"]) for arc in arcs])
        report = self.report(heap)
        self.assertEqual(report["unit"], "inuse_space/bytes")
        report = self.report(heap, options=["--type", "alloc_objects"])
        self.assertEqual(report["unit"], "alloc_objects")
        self.bad("report", heap, "--type", "nothing", status=2)
        again = self.folder / "again.pb.gz"
        subprocess.run([program, again, heap], check=True, timeout=HANG_S)
        self.assertEqual(self.report(cpu, again)["hits"],
                         sum(row["hits"] for row in rows.values()) + self.report(again)["hits"])
        self.bad("report", cpu, heap)


if __name__ == "__main__":
    unittest.main()
