# SPDX-License-Identifier: GPL-3.0-or-later
"""A target that counts nothing: snapshot, top, report and stat say why, and no empty file is left."""

import os
import re
import shlex
import signal
import unittest

from case import Case
from process import FIXED, PIE, Made, Process, Recorder
from support import mprof, wait_for

OFF = "timer=off; 'mprof control on timer' switches it on"


class Silence(Case):
    def setUp(self):
        self.path = self.folder / "a.pb.gz"
        self.process = Process(PIE)
        self.process.__enter__()
        self.addCleanup(self.process.__exit__)
        self.link = ("--elf", PIE, "--pid", self.process.pid)
        self.process.sampled(50)

    def well(self, *words):
        done = mprof(*words, *self.link)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def saves_nothing(self, *words, path=None):
        """One line, which is returned without the file's name; nothing is left."""
        done = mprof("snapshot", *self.link, *words)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        before = f"mprof: nothing saved to {path or self.path}: "
        self.assertTrue(done.stderr.startswith(before), done.stderr)
        self.assertEqual([file for file in self.folder.rglob("*") if file.is_file()], [])
        return done.stderr[len(before):].strip()

    def test_timer_off(self):
        self.well("control", "off", "timer")
        text = self.saves_nothing("-o", self.path, "--duration", "0.1")
        self.assertRegex(text, rf"^no samples in \d+\.\d s: {OFF}$")
        self.assertIn(OFF, self.saves_nothing("-o", self.path, "--duration", "0.1", "--runs", "3",
                                              "--settle", "0s"))
        store = self.folder / "store"
        self.assertIn(OFF, self.saves_nothing("--store", store, "--duration", "0.1", path=store))
        # What is advised helps.
        self.well(*shlex.split(text.split("'")[1])[1:])
        self.assertRegex(self.well("snapshot", "-o", self.path, "--hits", "1").stdout,
                         "[1-9]\\d* samples in ")

    def test_others_say_it_too(self):
        self.well("control", "off", "timer")
        for words in (("report",), ("top", "--batch", "-n", "2", "-d", "0.1")):
            text = self.well(*words).stdout
            self.assertIn(f"\nno new samples: {OFF}\n", text)
            self.assertNotIn("is the timer running", text)
        done = self.well("stat", "-n", "3", "-d", "0.1")
        self.assertEqual(done.stderr.count(f"mprof: no samples: {OFF}\n"), 1, done.stderr)

    def test_dump(self):
        """Nothing can be switched in a file: it is no advice."""
        with Process(FIXED) as process:
            process.sampled(50)
            done = mprof("control", "off", "timer", "--elf", FIXED, "--pid", process.pid)
            self.assertEqual(done.returncode, 0, done.stderr)
            dump = self.folder / "s_prof.bin"
            dump.write_bytes(process.dump())
        self.assertNotIn("control", mprof("report", "--elf", FIXED, "--raw", dump).stdout)
        done = mprof("snapshot", "--elf", FIXED, "--raw", dump, "-o", self.path, "--duration", "0.1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("a dump does not change by itself: write it again during --duration", done.stderr)

    def test_empty_dump(self):
        dump = self.folder / "s_prof.bin"
        with Process(FIXED) as process:
            for words in (("off", "timer"), ("reset",)):
                done = mprof("control", *words, "--elf", FIXED, "--pid", process.pid)
                self.assertEqual(done.returncode, 0, done.stderr)
            dump.write_bytes(process.dump())
        done = mprof("snapshot", "--elf", FIXED, "--raw", dump, "-o", self.path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no samples: the dump has no hits (timer=off)\n", done.stderr)

    def test_block_off(self):
        self.well("control", "off", "table")
        self.assertIn("table=off; 'mprof control on table' ",
                      self.saves_nothing("-o", self.path, "--duration", "0.1"))

    def test_stopped_process(self):
        os.kill(self.process.pid, signal.SIGSTOP)
        wait_for("the stop", lambda: self.process.report()["link"]["state"] == "HALTED")
        text = self.saves_nothing("-o", self.path, "--duration", "0.1")
        self.assertRegex(text, "^no samples in .* s: the process is stopped: 'kill -CONT ")
        os.kill(self.process.pid, signal.SIGCONT)
        wait_for("the end of the stop", lambda: self.process.report()["link"]["state"] == "RUNNING")
        self.well("snapshot", "-o", self.path, "--hits", "1")

    def test_asleep(self):
        """The firmware has said that it sleeps; it is not woken, and what comes after its sleep is saved."""
        with Made(PIE, {"work_a": 10}) as made:
            self.link = ("--elf", PIE, "--pid", made.pid)
            made.tell("sleep", "run")
            text = self.saves_nothing("-o", self.path, "--duration", "0.1")
            self.assertRegex(text, r"^no samples in \d+\.\d s: the firmware is asleep \(mprof_sleep_enter\(\)\)$")
            self.assertEqual(made.report()["hits"], 10)
            made.tell("wake")
            self.well("snapshot", "-o", self.path, "--hits", "1")

    def test_given_up(self):
        """Ctrl-C keeps what is there; where nothing is, it says why."""
        self.well("control", "off", "timer")
        with Recorder("snapshot", *self.link, "-o", self.path, "--duration", "1000") as recorder:
            recorder.counts(0)
            recorder.process.send_signal(signal.SIGINT)
            recorder.shows(re.escape(OFF.encode()))
            self.assertEqual(recorder.end()[0], 1)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
