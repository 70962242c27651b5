# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of snapshots: mprof snapshot --store, mprof log, @N, and the trend of a function."""

import csv
import datetime
import fcntl
import io
import json
import os
import pathlib
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import unittest

from builds import nameless, segments_hash
from process import FIXED, OTHER, Made, Recorder
from support import HANG_S, MPROF, count, environment, mprof, start, stop
from written import write

START = 1790000000
NAME = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{7}|nobuild)(-\d+)?\.pb\.gz")


class WithStore(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "store"

    def run_in(self, env, *args):
        return subprocess.run([str(MPROF), *map(str, args)], stdin=subprocess.DEVNULL, timeout=HANG_S,
                              capture_output=True, text=True, env=dict(environment(), **env),
                              cwd=self.folder)

    def good(self, *args, noise="", **env):
        done = self.run_in(env, *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, noise or r"\A\Z")
        return done.stdout

    def bad(self, *args, status=1, **env):
        done = self.run_in(env, *args)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def log(self, *args, **more):
        return json.loads(self.good("log", "--store", self.store, "--format", "json", *args, **more))

    def report(self, *args, **more):
        return json.loads(self.good("report", "--format", "json", *args, **more))

    def files(self):
        return sorted(path.name for path in self.store.iterdir())

    def write(self, name, hits, number=0, **more):
        self.store.mkdir(exist_ok=True)
        return write(self.store / name, hits, time_s=START + number * 3600, **more)


class OfAProcess(WithStore):
    """What mprof snapshot puts into the folder."""

    @classmethod
    def setUpClass(cls):
        with Made(FIXED, {"work_a": 150, "work_b": 90, "work_c": 60}) as process:
            cls.bytes = process.dump()
        notes = subprocess.run(["readelf", "-n", str(FIXED)], text=True, capture_output=True,
                               check=True).stdout
        cls.build = re.search(r"Build ID: (\w+)", notes)[1]

    def setUp(self):
        super().setUp()
        self.path = self.folder / "s_prof.bin"
        self.path.write_bytes(self.bytes)
        self.dump = ("--elf", FIXED, "--raw", self.path)

    def run_process(self):
        """It, and the options that name it."""
        process = Made(FIXED, {"work_a": 3, "work_b": 1})
        process.__enter__()
        self.addCleanup(process.__exit__)
        return process, ("--elf", FIXED, "--pid", process.pid)

    def snapshot(self, *more):
        """Its path, as mprof says it."""
        said = self.good("snapshot", *self.dump, "--store", self.store, *more)
        return pathlib.Path(said[:said.index(": ")])

    def test_name(self):
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        path = self.snapshot()
        after = datetime.datetime.now(datetime.timezone.utc)
        self.assertEqual(self.files(), [path.name])
        stamp, build, again = NAME.fullmatch(path.name).groups()
        self.assertEqual((build, again), (self.build[:7], None))
        time = datetime.datetime.strptime(stamp + "+0000", "%Y%m%dT%H%M%SZ%z")
        self.assertTrue(before <= time <= after, (before, time, after))
        entry, = self.log(TZ="Asia/Kolkata")["snapshots"]
        self.assertEqual(datetime.datetime.fromisoformat(entry["time"]), time)
        self.assertTrue(entry["time"].endswith("+05:30"), entry["time"])
        live = self.report(*self.dump)
        self.assertEqual({key: entry[key] for key in ("number", "file", "build", "elf", "sampler",
                                                      "unit", "hits", "duration", "runs")},
                         {"number": 0, "file": path.name, "build": self.build, "elf": FIXED.name,
                          "sampler": "table", "unit": "samples", "hits": live["hits"],
                          "duration": None, "runs": 1})
        self.assertEqual((entry["function"], entry["share"]),
                         (live["rows"][0]["function"], live["rows"][0]["share"]))

    def test_never_overwrites(self):
        """Whatever it would be called in the next minutes is taken, the second name too."""
        self.store.mkdir()
        now = datetime.datetime.now(datetime.timezone.utc)
        for second in range(HANG_S + 2):
            stamp = (now + datetime.timedelta(seconds=second)).strftime("%Y%m%dT%H%M%SZ")
            for again in ("", "-2"):
                (self.store / f"{stamp}-{self.build[:7]}{again}.pb.gz").write_bytes(b"mine")
        taken = set(self.files())
        path = self.snapshot()
        self.assertEqual(set(self.files()) - taken, {path.name})
        self.assertEqual(NAME.fullmatch(path.name)[3], "-3")
        for name in taken:
            self.assertEqual((self.store / name).read_bytes(), b"mine")

    def test_several_at_once(self):
        writers = [start("snapshot", *self.dump, "--store", self.store) for _ in range(6)]
        try:
            said = {writer.communicate(timeout=HANG_S)[0] for writer in writers}
        finally:
            for writer in writers:
                stop(writer)
        self.assertEqual({writer.returncode for writer in writers}, {0})
        self.assertEqual(len(said), 6, said)
        self.assertEqual(len(self.files()), 6)
        self.assertEqual(len(self.log()["snapshots"]), 6)

    def test_no_build_id(self):
        """The hash of what is loaded, of which strip changes nothing, is the name of the build."""
        elf, stripped = self.folder / "nameless.elf", self.folder / "stripped.elf"
        nameless(FIXED, elf, "objcopy")
        subprocess.run(["strip", "--strip-debug", "-o", str(stripped), str(elf)], check=True)
        build = segments_hash(elf)
        for path in (elf, stripped):
            said = self.good("snapshot", "--elf", path, "--raw", self.path, "--store", self.store)
            self.assertRegex(said, rf"-{build[:11]}(-2)?\.pb\.gz: ")
            self.assertIn(f" {path.name} {build[:11]} ",
                          self.good("report", "--elf", path, "--raw", self.path))
        self.snapshot()
        self.assertEqual([entry["build"] for entry in self.log()["snapshots"]],
                         [self.build, build, build])
        self.assertIn(f" {build[:11]} ", self.good("log", "--store", self.store))
        for word in (build[:9], build[4:9]):  # of the two, the later one holds the other
            text = self.good("report", f"@{word}", "--store", self.store, noise="only the former is added")
            self.assertRegex(text, rf"\Amprof report   stripped\.elf {build[:11]} ")

    def test_no_build(self):
        """An older snapshot, of an ELF without a build-id, says of none."""
        self.write("old.pb.gz", {"f": 10})
        self.assertIsNone(self.log()["snapshots"][0]["build"])
        self.assertIn("not known", self.good("log", "--store", self.store))

    def test_repeat(self):
        process, live = self.run_process()
        process.run()
        self.good("snapshot", *live, "--hits", "50", "--repeat", "3", MPROF_STORE="store")
        self.assertEqual(len(self.files()), 3)
        entries = self.log()["snapshots"]
        self.assertEqual([entry["number"] for entry in entries], [0, 1, 2])
        times = [entry["time"] for entry in entries]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertTrue(all(entry["duration"] > 0 for entry in entries))
        point, = self.log("work_a")["trends"][0]["points"]
        self.assertEqual((point["snapshots"], point["runs"]), (3, 3))
        self.assertEqual(point["total"], sum(entry["hits"] for entry in entries))

    def test_interrupt(self):
        """Ctrl-C in the second of three: the first, and what is there of the second, are kept."""
        process, live = self.run_process()
        with Recorder("snapshot", *live, "--store", self.store, "--hits", "25", "--repeat",
                      "3") as recorder:
            recorder.counts(0)
            process.feed({"work_a": 26})
            recorder.counts(26)
            recorder.counts(0)
            process.feed({"work_a": 4})
            recorder.counts(4)
            recorder.process.send_signal(signal.SIGINT)
            status, out = recorder.end()
        self.assertEqual((status, len(out.splitlines())), (0, 2), recorder.text)
        self.assertEqual([entry["hits"] for entry in self.log()["snapshots"]], [4, 26])

    def test_full_disk(self):
        self.store.mkdir()

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
        done = mprof("snapshot", *self.dump, "--store", self.store, preexec_fn=no_room)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"\Amprof: {self.store}/\S+ could not be written: .*\n\Z")
        self.assertEqual(self.files(), [])

    def test_where(self):
        # Refused before anybody is asked: there is no such process.
        nobody = ("--elf", FIXED, "--pid", "999999999")
        text = self.bad("snapshot", *nobody, "--store", "a/b")
        self.assertIn("a/b: the folder cannot be made", text)
        self.assertIn("s_prof.bin: ", self.bad("snapshot", *nobody, "--store", "s_prof.bin"))
        self.assertIn("either -o or --store",
                      self.bad("snapshot", *self.dump, "--store", "a", "-o", "b", status=2))
        self.assertIn("--store", self.bad("snapshot", *self.dump, status=2))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["s_prof.bin"])
        # -o goes before the environment.
        self.good("snapshot", *self.dump, "-o", "b.pb.gz", MPROF_STORE="a")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["b.pb.gz", "s_prof.bin"])


class Lists(WithStore):
    """Of files that were dropped into the folder."""

    def numbers(self, **more):
        return [entry["file"] for entry in self.log(**more)["snapshots"]]

    def test_order(self):
        """By the time inside, then by name; what has no time comes last."""
        for name, number in (("b", 5), ("zz", 1), ("a", 5), ("20990101T000000Z-aaaaaaa.pb.gz", 2),
                             ("c.pb.gz", 5)):
            self.write(name, {"f": 1}, number)
        write(self.store / "timeless", {"f": 1})
        self.assertEqual(self.numbers(), ["a", "b", "c.pb.gz", "20990101T000000Z-aaaaaaa.pb.gz",
                                          "zz", "timeless"])
        self.assertIsNone(self.log()["snapshots"][-1]["time"])

    def test_order_of_one_second(self):
        """The number at the end of a name tells which came later."""
        stem = "20260921T141320Z-1234567"
        wanted = [f"{stem}-{i}.pb.gz" for i in (1000, 11, 10, 9, 3, 2)] + [f"{stem}.pb.gz"]
        for name in [*wanted, "20260921T141320Z-1234566-10.pb.gz"]:
            self.write(name, {"f": 1})
        self.assertEqual(self.numbers(), ["20260921T141320Z-1234566-10.pb.gz", *wanted])

    def test_what_is_no_snapshot(self):
        self.write("good", {"f": 1})
        whole = (self.store / "good").read_bytes()
        (self.store / "README.md").write_text("what these are\n")
        (self.store / "short").write_bytes(whole[:-20])
        (self.store / "empty").write_bytes(b"")
        (self.store / ".gitignore").write_text("*.tmp\n")
        (self.store / "x.pb.gz.a1B2c3").write_bytes(whole[:-20])  # being written
        (self.store / "folder").mkdir()
        os.mkfifo(self.store / "fifo")
        (self.store / "dangling").symlink_to("nowhere")
        done = mprof("log", "--store", self.store, "--format", "json", timeout=HANG_S)
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 3, lines)
        for line, name in zip(lines, ("README.md", "empty", "short")):
            self.assertRegex(line, rf"\Amprof: {self.store}/{name}: .*; left out\Z")
        report = json.loads(done.stdout)
        self.assertEqual((report["count"], report["left_out"]), (1, 3))
        self.assertEqual(report["snapshots"][0]["file"], "good")

    def fill(self):
        """@0 and @1 are of one build, @2 of another, @3 and @4 of one that is not known."""
        for number in range(5):
            self.write(f"{number}", {"fir,x": 70 + number, "crc|": 30}, 4 - number,
                       build=["3f9a21c0", "3f9a21c0", "beefbeef", "", ""][number],
                       duration_s=2.5 if number < 2 else 0)

    def test_table(self):
        self.fill()
        lines = self.good("log", "--store", self.store, TZ="Europe/Berlin").splitlines()
        self.assertEqual(lines[0].split(), ["TIME", "BUILD", "ELF", "TARGET", "SAMPLER", "HITS",
                                            "UNIT", "SECONDS", "SHARE%", "FIRST", "FUNCTION"])
        self.assertRegex(lines[1], r"\A@0  2026-09-21 20:13:20 \+02:00  ┌  3f9a21c +fw.elf  chip.cpu  table +"
                                   r"100  samples +2.5 +70.0  fir,x\Z")
        self.assertIn("  └  3f9a21c", lines[2])
        self.assertRegex(lines[3], r"\A@2  \S+ \S+ \S+ +beefbee ")
        self.assertRegex(lines[4], r"\A@3  \S+ \S+ \S+ +not known ")
        self.assertEqual(len(lines), 6)
        plain = self.good("log", "--store", self.store, LC_ALL="C", TZ="UTC")
        self.assertTrue(plain.isascii())
        self.assertRegex(plain, r"(?m)^@0  2026-09-21 18:13:20 \+00:00  /  3f9a21c")
        self.assertRegex(plain, r"(?m)^@1  2026-09-21 17:13:20 \+00:00  \\  3f9a21c")
        short = self.good("log", "--store", self.store, "--limit", "2").splitlines()
        self.assertEqual(short[1][:2] + short[2][:2], "@0@1")
        self.assertEqual(short[-2:], ["", "3 older ones"])

    def test_when_clocks_go_back(self):
        """An hour comes twice: the offset tells which one it was, and the order is that of time."""
        for number in range(4):
            write(self.store_made() / f"{number}", {"f": 1}, time_s=1792886400 + number * 1800)
        for words in ((), ("f",)):
            lines = self.good("log", "--store", self.store, *words, TZ="Europe/Berlin").splitlines()
            times = [re.search(r"2026-10-\d\d [\d:]{8} [+-]\d\d:\d\d", line) for line in lines]
            self.assertEqual([time[0][11:] for time in times if time],
                             ["02:30:00 +01:00", "02:00:00 +01:00", "02:30:00 +02:00",
                              "02:00:00 +02:00"])

    def store_made(self):
        self.store.mkdir(exist_ok=True)
        return self.store

    def at_terminal(self, columns, *args):
        """The lines that a terminal of so many columns gets."""
        ours, theirs = pty.openpty()
        try:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            with subprocess.Popen([str(MPROF), *map(str, args)], stdout=theirs,
                                  stdin=subprocess.DEVNULL, env=environment()) as process:
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
        return text.decode().splitlines()

    def test_narrow_terminal(self):
        """The least important columns are left out there, and nothing in a pipe."""
        for number in range(3):
            self.write(f"{number}", {"a_function_of_a_rather_long_name": 7000 + number, "b": 3000},
                       number, build=f"{number}abbaabb", duration_s=10)
        wide = self.good("log", "--store", self.store)
        for columns in (60, 80, 100, 120, 200):
            lines = self.at_terminal(columns, "log", "--store", self.store)
            self.assertLessEqual(max(map(len, lines)), columns, lines)
            self.assertIn("a_func", lines[1])
            self.assertRegex(lines[1], r"^@0  2026-\S+ \S+ \S+ +2abbaab ")
            lines = self.at_terminal(columns, "log", "--store", self.store, "a_*")
            table = [line for line in lines if re.match(r"@\d|  +TIME|  +BUILD", line)]
            self.assertEqual(len(table), 4, lines)
            self.assertLessEqual(max(map(len, table)), columns, lines)
        self.assertEqual("\n".join(self.at_terminal(200, "log", "--store", self.store)) + "\n", wide)
        narrow = self.at_terminal(80, "log", "--store", self.store)[0].split()
        self.assertEqual(narrow[:2], ["TIME", "BUILD"])
        self.assertNotIn("TARGET", narrow)
        self.assertIn("SHARE%", narrow)

    def test_formats(self):
        self.fill()
        entries = self.log(TZ="UTC")["snapshots"]
        self.assertEqual(entries[1]["time"], "2026-09-21T17:13:20+00:00")
        self.assertEqual((entries[0]["duration"], entries[2]["duration"]), (2.5, None))
        text = self.good("log", "--store", self.store, "--format", "csv", TZ="UTC")
        for row, entry in zip(csv.DictReader(io.StringIO(text)), entries):
            for key, value in entry.items():
                self.assertEqual(row[key], "" if value is None else f"{value:.9g}"
                                 if isinstance(value, float) else str(value).lower()
                                 if isinstance(value, bool) else str(value), key)
        text = self.good("log", "--store", self.store, "--format", "markdown", "--limit", "1",
                         "-o", "out.md")
        self.assertEqual(text, "")
        lines = (self.folder / "out.md").read_text().splitlines()
        self.assertEqual(len({re.sub(r"\\.", "", line).count("|") for line in lines[:3]}), 1)
        self.assertIn("4 older ones", lines[-1])

    def test_names_are_cleaned(self):
        self.write("x", {"a\x1b[31m|b": 5}, elf="e\tf.elf")
        for format in ("table", "csv", "markdown"):
            for pattern in ([], ["a*"]):
                text = self.good("log", "--store", self.store, "--format", format, *pattern)
                self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f]")
        self.assertIn(r"a?\[31m\|b", self.good("log", "--store", self.store, "--format", "markdown"))

    def test_nothing(self):
        self.assertIn("--store or MPROF_STORE", self.bad("log", status=2))
        self.assertIn("nowhere: ", self.bad("log", "--store", "nowhere"))
        self.assertIn("what is meant by b", self.bad("log", "--store", ".", "a", "b", status=2))
        self.store.mkdir()
        self.assertIn("no snapshots", self.good("log", MPROF_STORE="store"))
        self.assertEqual(self.log()["snapshots"], [])
        self.assertIn("'main'", self.bad("log", "--store", "store", "main"))
        self.write("a", {"f": 1})
        done = self.run_in({}, "log", "--store", self.store, "-o", "/dev/full")
        self.assertEqual((done.returncode, done.stderr),
                         (1, "mprof: /dev/full could not be written: No space left on device\n"))

    def test_full_disk_leaves_the_old_file(self):
        """Of log, and of report, which are written whole or not at all."""
        path = self.write("a", {f"function_{i}": 1 + i for i in range(3000)})
        out = self.folder / "out"

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))

        for words in (("log", "--store", self.store), ("report", path),
                      ("log", "--store", self.store, "function_7*"),
                      *(("report", path, "--format", format) for format in ("csv", "json", "markdown"))):
            out.write_text("what stood there\n")
            done = mprof(*words, "-o", out, preexec_fn=limit)
            self.assertEqual((done.returncode, done.stdout), (1, ""), words)
            self.assertEqual(done.stderr, f"mprof: {out} could not be written: File too large\n")
            self.assertEqual(out.read_text(), "what stood there\n")
            self.assertEqual(sorted(os.listdir(self.folder)), ["out", "store"])
            self.assertEqual(mprof(*words, "-o", out).returncode, 0)
            self.assertTrue("function" in out.read_text(), words)

    @unittest.skipIf(b"__asan_init" in MPROF.read_bytes(), "a sanitizer takes all addresses")
    def test_one_at_a_time(self):
        """Files that would not fit into memory together."""
        self.write("0", {f"function_{number}": number + 1 for number in range(20000)})
        for number in range(1, count(12, 100)):
            shutil.copy(self.store / "0", self.store / f"{number}")

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))
        done = mprof("log", "--store", self.store, preexec_fn=little_memory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), count(12, 100) + 1)


class Words(WithStore):
    """@N and @BUILD where files are taken."""

    def setUp(self):
        super().setUp()
        self.new = self.write("z", {"f": 3}, 2, build="beef0000")
        self.old = [self.write(name, {"f": 10 * number}, 1, build="3f9a21c0", duration_s=1)
                    for number, name in enumerate("ab", 1)]

    def of(self, *operands, **env):
        return self.report("--store", self.store, *operands, **env)

    def test_words(self):
        self.assertEqual(self.of("@0")["hits"], 3)
        self.assertEqual(self.of("@1")["hits"], 10)
        self.assertEqual(self.of("@2")["hits"], 20)
        self.assertEqual(self.of("@3F9A")["hits"], 30)
        self.assertEqual(self.of("@1", "@2"), self.of("@3f9a"))
        self.assertEqual(self.of("@2", "@1"), self.report(*self.old))
        self.assertEqual(self.report("@0", MPROF_STORE="store")["hits"], 3)
        self.assertEqual(self.of(self.old[0], "@2")["hits"], 30)

    def test_sides(self):
        """A word is as many snapshots of its side as it stands for; --store may stand anywhere."""
        done = self.good("diff", "--format", "json", "@3f9a", "@0", "--store", self.store)
        sides = json.loads(done)
        self.assertEqual([sides[side]["files"] for side in ("base", "new")],
                         [[f"{self.store}/{name}" for name in ("a", "b")], [f"{self.store}/z"]])
        self.assertEqual((sides["base"]["hits"], sides["new"]["hits"]), (30, 3))
        done = self.good("diff", "--format", "json", "--new", "@1", "@2", "--base", "@0",
                         MPROF_STORE="store")
        sides = json.loads(done)
        self.assertEqual((sides["base"]["hits"], sides["new"]["hits"]), (3, 30))
        self.assertEqual(self.good("export", "--format", "folded", "@2", "--store", self.store),
                         "f 20\n")

    def test_a_file_of_that_name(self):
        write(self.folder / "@0", {"f": 77})
        self.assertEqual(self.of("./@0")["hits"], 77)
        self.assertEqual(self.report("./@0")["hits"], 77)
        self.assertEqual(self.of("@0")["hits"], 3)

    def test_errors(self):
        self.write("c", {"f": 1}, build="3f9affff")
        for word, text in (("@4", "@4: there are 4 snapshots"), ("@3f9a", "several builds"),
                           ("@dead", "no snapshot in"), ("@3f9", "at least four digits"),
                           ("@last", "neither a number")):
            self.assertIn(text, self.bad("report", "--store", self.store, "@0", word))
        self.assertIn("@0: no folder of snapshots", self.bad("report", "@0", status=2))
        self.assertIn("different builds", self.bad("report", "--store", self.store, "@0", "@1"))
        self.assertIn("nowhere", self.bad("report", "--store", "nowhere", "@0"))


def draw(seed, weights, total):
    """Hits of a run, as a timer would take them."""
    hits = dict.fromkeys(weights, 0)
    for name in random.Random(seed).choices(list(weights), list(weights.values()), k=total):
        hits[name] += 1
    return hits


class Trends(WithStore):
    MANY = {"fir": 20, "crc": 20, "idle": 15, "uart": 10, "spi": 10, "adc": 10, "main": 8, "log": 7}

    def points(self, pattern, *more, **env):
        trend, = self.log(pattern, *more, **env)["trends"]
        return trend["points"]

    def build(self, number, weights, runs=3, total=20000, **more):
        for run in range(runs):
            self.write(f"b{number}-{run}", draw(number * 10 + run, weights, total),
                       number * 10 + run, build=f"{number:x}abc" * 5, duration_s=20, rate=997, **more)

    def test_where_it_changed(self):
        """In the third of four builds fir takes half as much again; in the last one a copy of it."""
        slower = dict(self.MANY, fir=30)
        self.build(0, self.MANY)
        self.build(1, self.MANY, runs=1)
        self.build(2, slower)
        self.build(3, {"fir.constprop.0" if name == "fir" else name: weight
                       for name, weight in slower.items()})
        points = self.points("fir")
        self.assertEqual([point["runs"] for point in points], [3, 3, 1, 3])
        self.assertEqual([point["number"] for point in points], [0, 3, 6, 7])
        self.assertEqual([point["total"] for point in points], [60000, 60000, 20000, 60000])
        self.assertEqual([point["change"] and point["change"]["significant"] for point in points],
                         [False, True, False, None])
        change = points[1]["change"]
        self.assertTrue(change["ratio_low"] < 1.5 < change["ratio_high"], change)
        self.assertAlmostEqual(change["delta"], 0.1, delta=0.02)
        for point, share in zip(points, (30 / 110, 30 / 110, 0.2, 0.2)):
            self.assertLess(point["low"], point["share"])
            self.assertAlmostEqual(point["share"], share, delta=0.015)
        # Every other function's share fell, and none of them changed.
        others = [trend for trend in self.log("*")["trends"] if trend["function"] != "fir"]
        self.assertEqual(len(others), len(self.MANY) - 1)
        for trend in others:
            self.assertLess(trend["points"][1]["share"], trend["points"][2]["share"])
            for point in trend["points"][:-1]:
                self.assertFalse(point["change"]["significant"], trend["function"])
        table = self.good("log", "--store", self.store, "fir").splitlines()
        self.assertRegex(table[0], "fir   main.c   fw.elf   chip.cpu   samples   ▆▆██")
        marked = [line[:2] for line in table if "* more" in line]
        self.assertEqual(marked, ["@3"])
        bars = [line.count("█") for line in table[2:]]
        self.assertTrue(bars[0] >= 19 and bars[1] >= 19 and 12 <= bars[2] <= 16, bars)
        plain = self.good("log", "--store", self.store, "fir", LC_ALL="C")
        self.assertTrue(plain.isascii())
        self.assertIn("#" * 19, plain)

    def test_limit(self):
        self.test_where_it_changed()
        whole, part = self.points("fir"), self.log("fir", "--limit", "2")["trends"][0]
        self.assertEqual(part["points"], whole[:2])  # the change against the one left out, too
        self.assertEqual(part["older"], 2)

    def test_new_and_gone(self):
        self.build(0, self.MANY)
        self.build(1, dict(self.MANY, cold_start=0, dma_copy=20))
        self.build(2, self.MANY)
        self.build(3, self.MANY)
        points = self.points("dma*")
        self.assertEqual([point["hits"] > 0 for point in points], [False, False, True, False])
        self.assertEqual([point["change"] and point["change"]["state"] for point in points],
                         [None, "gone", "new", None])
        self.assertEqual([point["change"]["significant"] for point in points[1:3]], [True, True])
        self.assertEqual((points[0]["share"], points[0]["low"]), (0, 0))
        self.assertIn("'cold_start'", self.bad("log", "--store", self.store, "cold_start"))

    def test_readings_that_go_on(self):
        """Without a duration: counts that went on hold the reading before; a new start does not."""
        hits = draw(1, self.MANY, 5000)
        self.write("a", hits, 0, build="aaaa1111")
        more = {name: value + 50 for name, value in hits.items()}
        self.write("b", more, 1, build="aaaa1111")
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"], point["hits"]), (2, 1, more["fir"]))
        self.write("c", draw(3, self.MANY, 5000), 2, build="aaaa1111")
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"]), (3, 2))

    def test_a_copy(self):
        """A run of a time that is there twice counts once, as in a diff."""
        hits = draw(1, self.MANY, 5000)
        for name in ("a", "copy"):
            self.write(name, hits, 0, build="aaaa1111", duration_s=3)
        self.write("b", hits, 1, build="aaaa1111", duration_s=3)
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"], point["hits"]), (3, 2, 2 * hits["fir"]))

    def test_runs_and_all_of_them(self):
        """Runs of a time, and what was counted since the reset, which they are a part of."""
        runs = [draw(seed, self.MANY, 3000) for seed in range(3)]
        for number, hits in enumerate(runs):
            self.write(f"{number}", hits, number, build="aaaa1111", duration_s=3)
        self.write("all", {name: sum(hits[name] for hits in runs) for name in self.MANY}, 3,
                   build="aaaa1111")
        self.write("more", {name: 900 for name in self.MANY}, 4, build="aaaa1111", duration_s=3)
        point, = self.points("fir")
        self.assertEqual((point["snapshots"], point["runs"]), (5, 4))
        self.assertEqual(point["total"], 9000 + 900 * len(self.MANY))

    def test_points(self):
        """One program, one build; what is not known is nobody's; what comes back is another."""
        for number, (elf, build) in enumerate((("a.elf", "aaaa"), ("b.elf", "bbbb"),
                                               ("a.elf", "aaaa"), ("a.elf", "cccc"),
                                               ("a.elf", "aaaa"), ("a.elf", ""), ("a.elf", ""))):
            self.write(f"{number}", draw(number, self.MANY, 3000), number, elf=elf, build=build,
                       duration_s=3)
        trends = self.log("fir")["trends"]
        self.assertEqual([trend["elf"] for trend in trends], ["a.elf", "b.elf"])
        self.assertEqual([(point["build"], point["snapshots"], point["number"])
                          for point in trends[0]["points"]],
                         [(None, 1, 0), (None, 1, 1), ("aaaa", 1, 2), ("cccc", 1, 3), ("aaaa", 2, 4)])
        self.assertEqual(len(trends[1]["points"]), 1)

    def test_single_runs(self):
        """The table says that nothing is known of what runs differ by."""
        self.build(0, self.MANY, runs=1)
        self.build(1, dict(self.MANY, fir=40), runs=1)
        table = self.good("log", "--store", self.store, "fir")
        self.assertIn("* more", table)
        self.assertIn("take three of each", table)
        self.assertNotIn("take three", self.good("log", "--store", self.store, "crc"))

    def test_what_is_not_tested(self):
        for number in range(2):
            self.write(f"c{number}", {"fir": 500 + 100 * number, "crc": 300}, number, unit="calls",
                       build=f"aaa{number}", sampler="calls")
            self.write(f"t{number}", draw(number, self.MANY, 3000), number, build=f"aaa{number}",
                       tick_locked="yes", duration_s=3)
        calls, locked = sorted(self.log("fir")["trends"], key=lambda trend: trend["unit"])
        self.assertIsNone(calls["points"][0]["change"]["p"])
        self.assertIsNone(calls["points"][0]["change"]["significant"])
        self.assertIsNone(locked["points"][0]["change"])
        self.assertIsNone(locked["points"][0]["low"])
        table = self.good("log", "--store", self.store, "fir")
        self.assertIn("not tested", table)
        self.assertIn("locked to the tick", table)

    def test_names(self):
        self.write("a", {"op[1]": 5, "opx": 4, ("init", "a.c"): 3, ("init", "b.c"): 2, "f.cold": 1})
        for pattern, names in (("op[1]", {"op[1]"}), ("op?", {"opx"}), ("f", {"f"}),
                               ("f.cold", {"f"}), ("*", {"op[1]", "opx", "init", "f"})):
            found = {trend["function"] for trend in self.log(pattern)["trends"]}
            self.assertEqual(found, names, pattern)
        self.assertEqual([(trend["file"], trend["points"][0]["hits"])
                          for trend in self.log("init")["trends"]], [("a.c", 3), ("b.c", 2)])

    def test_renamed(self):
        """The heading is the newest name, whichever one was asked for; the points say theirs."""
        renamed = {"alpha_new" if name == "fir" else name: weight for name, weight in self.MANY.items()}
        self.build(0, self.MANY)
        self.build(1, self.MANY)
        self.build(2, renamed)
        trend, = self.log("fir")["trends"]
        self.assertEqual(trend["function"], "alpha_new")
        self.assertEqual([point["name"] for point in trend["points"]], ["alpha_new", "fir", "fir"])
        self.assertEqual(self.log("alpha_new")["trends"], [trend])
        for name in ("fir", "alpha_new"):
            lines = self.good("log", "--store", self.store, name).splitlines()
            self.assertTrue(lines[0].startswith("alpha_new "), lines[0])
            self.assertTrue(lines[2].endswith("was fir?"), lines[2])
            self.assertTrue(lines[3].endswith("as fir") and lines[4].endswith("as fir"), lines)
        rows = csv.DictReader(io.StringIO(self.good("log", "--store", self.store, "fir", "--format",
                                                    "csv")))
        self.assertEqual([(row["function"], row["name"]) for row in rows],
                         [("alpha_new", "alpha_new"), ("alpha_new", "fir"), ("alpha_new", "fir")])

    def test_formats(self):
        self.build(0, self.MANY)
        self.build(1, dict(self.MANY, fir=40))
        points = self.points("fir")
        rows = list(csv.DictReader(io.StringIO(self.good("log", "--store", self.store, "fir",
                                                         "--format", "csv"))))
        self.assertEqual([row["number"] for row in rows], ["0", "3"])
        for key in ("share", "low", "high"):
            self.assertEqual([float(row[key]) for row in rows], [point[key] for point in points])
        self.assertEqual((rows[0]["significant"], rows[1]["significant"]), ("true", ""))
        self.assertEqual(float(rows[0]["change"]), points[0]["change"]["delta"])
        text = self.good("log", "--store", self.store, "f[i]r", "--format", "markdown", "--limit",
                         "1")
        self.assertRegex(text, r"\A### fir .*\n\n\| .*\n\| ---: .*\n\| @<!-- -->0 .*\n\n1 older builds\n\Z")


class OtherBuild(WithStore):
    def test_builds_of_a_process(self):
        """Two programs that ran: a row of the trend each, and @BUILD is one of them."""
        for elf in (FIXED, OTHER):
            with Made(elf, {"work_a": 150, "work_b": 90}) as process:
                self.good("snapshot", "--elf", elf, "--pid", process.pid, "--store", self.store)
        builds = [entry["build"] for entry in self.log()["snapshots"]]
        self.assertEqual(len(set(builds)), 2)
        for number, build in enumerate(builds):
            self.assertEqual(self.report("--store", self.store, f"@{build[:8]}"),
                             self.report("--store", self.store, f"@{number}"))


if __name__ == "__main__":
    unittest.main()
