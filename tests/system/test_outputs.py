# SPDX-License-Identifier: GPL-3.0-or-later
"""Where verbs write: a file, which is written whole or not at all, a pipe, a device, standard output."""

import os
import pathlib
import signal
import subprocess
import unittest

from case import Case, closed_pipe, no_room
from exports import TEXT_FORMATS
from pprof_file import write
from support import HANG_S, MPROF, environment, mprof


class Outputs(Case):
    def setUp(self):
        self.path = write(self.folder / "a.pb.gz", {f"function_{i}": 1 + i for i in range(2000)})
        self.store = self.folder / "store"
        self.store.mkdir()
        for i in range(3):
            write(self.store / f"{i}.pb.gz", {"function": 100 + i}, time_s=1_700_000_000 + i)

    def verbs(self):
        """What each verb and each format writes by a way of its own."""
        yield "report", self.path
        yield from (("report", self.path, "--format", form) for form in ("csv", "json", "markdown"))
        yield from (("export", self.path, "--format", form) for form in TEXT_FORMATS)
        yield "log", "--store", self.store
        yield "log", "--store", self.store, "func*"
        yield "annotate", "function_1", self.path, "--disassembler", "false"
        yield "diff", self.path, self.path, "--format", "json"

    def test_file_is_written_whole_or_not_at_all(self):
        """A disk that is full leaves what stood there, and nothing beside it."""
        out = self.put("out", "before")
        out.chmod(0o640)
        files = sorted(os.listdir(self.folder))
        for words in self.verbs():
            with self.subTest(words=words):
                done = mprof(*words, "-o", out, preexec_fn=no_room)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, rf"\Amprof: cannot write {out}: File too large.*\n\Z")
                self.assertEqual(out.read_text(), "before")
                self.assertEqual(sorted(os.listdir(self.folder)), files)
                self.assertEqual(self.good(*words, "-o", out), "")
                self.assertGreater(out.stat().st_size, 100)
                self.assertEqual(out.stat().st_mode & 0o777, 0o640)
                out.write_text("before")

    def test_limit_of_which_a_signal_tells(self):
        """Where nobody has SIGXFSZ ignored for us: said, and what was begun is removed."""
        out = self.put("out", "before")
        files = sorted(os.listdir(self.folder))
        for words in self.verbs():
            with self.subTest(words=words):
                def limit():
                    no_room(0)
                    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
                self.bad(*words, "-o", out, preexec_fn=limit)
                self.assertEqual(out.read_text(), "before")
                self.assertEqual(sorted(os.listdir(self.folder)), files)

    def test_what_cannot_be_written(self):
        for words in self.verbs():
            with self.subTest(words=words):
                self.assertIn("No space left", self.bad(*words, "-o", "/dev/full"))
                path = self.folder / "nope" / "out"
                self.assertIn(f"mprof: cannot write {path}: No such file or directory",
                              self.bad(*words, "-o", path))
                with open("/dev/full", "w") as full:
                    done = subprocess.run([str(MPROF), *map(str, words)], stdin=subprocess.DEVNULL,
                                          stdout=full, stderr=subprocess.PIPE, text=True,
                                          timeout=HANG_S, env=environment())
                self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
                self.assertIn("No space left", done.stderr)

    def test_nobody_reads(self):
        """A reader that leaves early, like head: all verbs end as other tools do, and say nothing."""
        for words in self.verbs():
            with self.subTest(words=words):
                done = closed_pipe(*words)
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def test_dash_is_standard_output(self):
        """The bytes there are those of a file."""
        for words in self.verbs():
            done = subprocess.run([str(MPROF), *map(str, words), "-o", "-"], capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=HANG_S, env=environment())
            alone = subprocess.run([str(MPROF), *map(str, words)], capture_output=True,
                                   stdin=subprocess.DEVNULL, timeout=HANG_S, env=environment())
            self.assertEqual((done.returncode, done.stderr, done.stdout),
                             (0, alone.stderr, alone.stdout))
            self.good(*words, "-o", self.folder / "out")
            self.assertEqual((self.folder / "out").read_bytes(), alone.stdout)
        words = ("diff", self.path, self.path, "--noise", "0", "--fail-above", "+500pp",
                 "--junit", "-")
        self.assertIn("both", self.bad(*words, status=2))
        self.assertIn("<testsuites", self.good(*words, "-o", self.folder / "out"))
        done = subprocess.run([str(MPROF), "snapshot", "-o", "-", "--elf", "x", "--gdb", ":1"], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG_S,
                              env=environment() | {"MPROF_STORE": str(self.store)})
        self.refused(done, "-o -", status=2)

    def test_snapshot_is_refused_before_its_time_is_taken(self):
        """Nothing is connected to, so that what comes first is what is said."""
        target = ("snapshot", "--elf", self.folder / "no.elf", "--gdb", ":1", "--duration", "30")
        files = sorted(os.listdir(self.folder))
        for out, why in ((self.folder / "nope" / "z.pb.gz", "No such file or directory"),
                         (self.folder, "Is a directory"), ("x" * 300, "File name too long")):
            for more in ((), ("--runs", "2")):
                if out != self.folder or not more:
                    self.assertRegex(self.bad(*target, "-o", out, *more),
                                     f"cannot write .*{pathlib.Path(out).name.split('.')[0]}.*: {why}")
        self.assertNotIn("cannot write", self.bad(*target, "-o", self.folder / "z"))
        self.assertEqual(sorted(os.listdir(self.folder)), files)

    def test_what_failed_for_another_reason_leaves_the_file(self):
        out = self.put("out", "before")
        self.bad("export", "--format", "gmon", self.put("bad", "no profile"), "-o", out)
        self.assertEqual(out.read_text(), "before")


if __name__ == "__main__":
    unittest.main()
