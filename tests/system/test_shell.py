# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof shell without hardware: scripts, statuses, bad input, defaults. The target is a process."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

from case import closed_pipe
from process import PIE, Made, Recorder, Steady
from support import HANG_S, MPROF, count, counted, environment, json_lines, mprof, start, stop

BAD = (
    (b"nonsense\n", "line 1: unknown command 'nonsense'"),
    (b"\n# a comment\n  report 'x\n", "line 3: missing closing '"),
    (b'report "x', 'line 1: missing closing "'),
    (b"report \\\n", "line 1: \\ at the end of the line: a command cannot continue"),
    (b"set\0\n", "line 1: a zero byte"),
    (b"\x7fELF\x02\x01\x01\0\0\0", "line 1: a zero byte"),
    (b"set by", "line 1: set: by needs a value"),
    (b"set by nonsense", "line 1: set: 'nonsense' is not one of"),
    (b"set by ''", "line 1: set: by has an empty value"),
    (b"set force yes", "line 1: set: force takes no value"),
    (b"set output x", "line 1: set: no shared option 'output'"),
    (b"set nonsense 1", "line 1: set: no shared option 'nonsense'"),
    (b"unset nonsense", "line 1: unset: 'nonsense' is not set"),
    (b"unset", "line 1: usage: unset OPTION"),
    (b"quit 1", "line 1: usage: quit"),
    (b"help nonsense", "line 1: unknown command 'nonsense'"),
    (b"help help help", "line 1: usage: help"),
    (b"help reprot", "line 1: unknown command 'reprot'; did you mean 'report'?"),
    (b"reprot x", "line 1: unknown command 'reprot'; did you mean 'report'?"),
    (b"mprof conect", "line 1: unknown command 'conect'; did you mean 'connect'?"),
    (b"shell", "line 1: shell: already in the shell"),
    (b"mprof shell -c set", "line 1: shell: already in the shell"),
    (b"connect", "line 1: missing ELF file"),
    (b"connect x", "line 1: unexpected argument 'x'"),
    (b"disconnect", "line 1: disconnect: not connected"),
    (b"report --nonsense", "line 1: unknown option '--nonsense'"),
    (b"report --limit", "line 1: --limit needs a value"),
    (b"''", "line 1: unknown command ''"),
    (b"a" * (1 << 20) + b"\n", "line 1: longer than 65536 bytes"),
    (b"report " + b"a" * 60000, "line 1: "),
    (b"\xff\xfe\x1b[2J\n", "line 1: unknown command"),
)


def script(data, *args):
    """Runs the shell on bytes from a pipe."""
    return subprocess.run([str(MPROF), "shell", *map(str, args)], input=data, capture_output=True,
                          timeout=HANG_S, env=environment())


def quietly(function, *args):
    """Calls it; the program that it writes to may have ended."""
    with contextlib.suppress(BrokenPipeError):
        function(*args)


def without_age(text):
    return re.sub(r"\d+ (s|min|h) old", "old", text)


class Scripts(unittest.TestCase):
    def run_text(self, text, *args):
        return mprof("shell", *args, "-c", text)

    def test_statuses(self):
        for text, args, status, out, err in (
                ("", (), 2, "", 1),
                (" ; # nothing", (), 0, "", 0),
                ("set limit 3; set", (), 0, "set limit 3\n", 0),
                ("nonsense; set", (), 2, "", 1),
                ("report nowhere.pb.gz; set", ("--limit", 3), 1, "", 1),
                ("nonsense; set", ("--limit", 3, "-k"), 2, "set limit 3\n", 1),
                ("report nowhere.pb.gz; nonsense; set", ("-k", "--limit", 3), 1, "set limit 3\n", 2),
                ("quit; nonsense", (), 0, "", 0),
                ("nonsense; quit; nonsense", ("-k",), 2, "", 1),
                ("set limit 3; 'set' ; \"un\"set li'm'it; set", (), 0, "set limit 3\n", 0)):
            with self.subTest(text):
                result = self.run_text(text, *args)
                self.assertEqual((result.returncode, result.stdout), (status, out), result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), err, result.stderr)

    def test_lines(self):
        """Of stdin, and of -c with several; each failure names its line."""
        text = "set limit 3\n\nnonsense 1\nset\nnonsense 2"
        for result in (script(text.encode()), script(text.replace("\n", "\r\n").encode())):
            self.assertEqual((result.returncode, result.stdout), (2, b""))
            self.assertRegex(result.stderr, rb"\Amprof: line 3: unknown command 'nonsense'[^\n]*\n\Z")
        for result in (script(text.encode(), "-k"), self.run_text(text, "-k")):
            self.assertEqual(result.returncode, 2)
            self.assertIn("line 3", str(result.stderr))
            self.assertIn("line 5", str(result.stderr))
            self.assertIn("set limit 3", str(result.stdout))

    def test_bad_input(self):
        for data, words in BAD:
            with self.subTest(data[:40]):
                result = script(data)
                text = result.stderr.decode()
                self.assertIn(result.returncode, (1, 2))
                self.assertEqual(result.stdout, b"")
                self.assertTrue(text.startswith("mprof: " + words), text[:300])
                self.assertEqual(text.count("\n"), 1, text[:300])
                self.assertNotIn("\x1b", text)

    def test_endless_line(self):
        with open("/dev/zero", "rb") as zeros:
            result = subprocess.run([str(MPROF), "shell"], stdin=zeros, capture_output=True,
                                    timeout=HANG_S, env=environment())
        self.assertEqual(result.returncode, 2)

    def test_help(self):
        listed = self.run_text("help").stdout
        verbs = re.findall(r"(?m)^  (\w+) ", mprof("--help").stdout)
        self.assertIn("report", verbs)
        for verb in set(verbs) - {"shell"}:
            self.assertRegex(listed, rf"(?m)^  {verb} ")
            self.assertEqual(self.run_text(f"help {verb}").stdout, mprof(verb, "--help").stdout)
        for own in ("set", "quit", "disconnect"):
            self.assertIn(f"usage: {own}", self.run_text(f"help {own}").stdout)
        self.assertIn("--gdb", self.run_text("help connect").stdout)


class Defaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = str(pathlib.Path(cls.folder.name, "a b.pb.gz"))
        with Steady(PIE) as process:
            result = mprof("snapshot", "--elf", PIE, "--pid", process.pid, "-o", cls.file)
        assert result.returncode == 0, result.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def same(self, text, *commands, options=()):
        """What the shell prints is what the program prints for one after the other."""
        result = mprof("shell", *options, "-c", text)
        alone = [mprof(*c) for c in commands]
        self.assertEqual({one.returncode for one in alone}, {0})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(without_age(result.stdout),
                         without_age("".join(one.stdout for one in alone)))
        self.assertEqual(result.stderr, "".join(one.stderr for one in alone))

    def test_second_as_good_as_first(self):
        f = self.file
        self.same(f"report '{f}'; report '{f}' --limit 1; report -- '{f}'; report --limit=1 \"{f}\"",
                  ("report", f), ("report", f, "--limit", 1), ("report", f),
                  ("report", f, "--limit", 1))
        self.same(f"export '{f}' --format folded; export --format folded '{f}'; diff '{f}' '{f}'; "
                  f"diff --base '{f}' --new '{f}'; log --store {self.folder.name}; mprof log --store "
                  f"{self.folder.name} work_a",
                  ("export", "--format", "folded", f), ("export", "--format", "folded", f),
                  ("diff", f, f), ("diff", f, f), ("log", "--store", self.folder.name),
                  ("log", "--store", self.folder.name, "work_a"))

    def test_options_of_the_shell(self):
        f = self.file
        by_line = ("report", f, "--by", "line", "--limit", 2, "-f", "function,hits")
        self.same(f"report '{f}'", by_line,
                  options=("--by", "line", "--limit", 2, "-f", "function,hits"))
        self.same(f"set by line; set --limit 2; set fields function,hits; report '{f}'", by_line)
        # The line itself says more; a link that nobody needs is not in the way of files.
        self.same(f"report '{f}' --by function", ("report", f, "--by", "function", "--limit", 2),
                  options=("--by", "line", "--limit", 2, "--gdb", ":1", "--elf", PIE))
        self.same(f"set by line; unset by; report '{f}'", ("report", f))
        # Two options of one name: each verb has what it takes.
        self.same(f"set format csv; set fields function; report '{f}'; diff '{f}' '{f}'",
                  ("report", f, "--format", "csv", "-f", "function"),
                  ("diff", f, f, "--format", "csv", "-f", "function"))
        self.same(f"set ignore work_a work_b; report '{f}'",
                  ("report", f, "--ignore", "work_a", "--ignore", "work_b"))

    def test_shown_as_they_are_set(self):
        told = mprof("shell", "--ignore", "a b", "--ignore", "c'd", "--gdb", ":1", "--tcl", ":2",
                     "--allow-halt", "--force", "-c", "set").stdout
        self.assertEqual(told, "set ignore 'a b'\nset ignore 'c'\\''d'\nset gdb :1\nset tcl :2\n"
                               "set allow-halt\nset force\n")
        again = mprof("shell", "-c", "set gdb :1; set tcl :2; set; set pid 5; set").stdout
        self.assertEqual(again, "set gdb :1\nset tcl :2\nset pid 5\n")

    def test_output(self):
        with open("/dev/full", "wb") as full:
            result = subprocess.run([str(MPROF), "shell", "-c", "set limit 3; set; set"],
                                    stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE,
                                    text=True, timeout=HANG_S, env=environment())
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        result = closed_pipe("shell", "-k", "-c", f"report '{self.file}'; x; y")
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))


class Target(unittest.TestCase):
    def test_process(self):
        """No server, no hardware: what all commands share is the process."""
        with Steady(PIE) as process, tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "x.pb.gz")
            result = mprof("shell", "--elf", PIE, "--pid", process.pid, "--format", "json", "-c",
                           f"report; top -n 2 -d 0.05; snapshot -o {out}; control; report {out}; "
                           "connect; disconnect; report")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = json_lines("\n".join(re.findall(r"(?m)^\{.*", result.stdout)))
            self.assertEqual(len(lines), 5)
            hits = [line["hits"] for line in lines if line.get("link")]
            self.assertEqual(hits, sorted(hits))
            self.assertIn("switches timer=on", result.stdout)
            self.assertTrue(out.exists())
            self.assertIsNone(process.process.poll())

    def test_connect(self):
        with Steady(PIE) as one, Steady(PIE) as two:
            text = (f"connect --elf {PIE} --pid {one.pid}; report; connect --pid {two.pid}; report; "
                    f"report --pid {one.pid}; report; set")
            result = mprof("shell", "--format", "json", "-c", text)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            seen = [line["link"]["address"] for line in
                    json_lines("\n".join(re.findall(r"(?m)^\{.*", result.stdout)))]
            self.assertEqual(seen, [f"PID {p.pid}" for p in (one, two, one, two)])
            self.assertTrue(result.stdout.endswith(
                f"set format json\nset elf {PIE}\nset pid {two.pid}\n"), result.stdout[-300:])
            # What does not connect changes nothing.
            result = mprof("shell", "--elf", PIE, "-k", "-c", "connect --pid 999999999; set")
            self.assertEqual((result.returncode, result.stdout), (1, f"set elf {PIE}\n"))

    def test_elf_on_the_disk(self):
        """Another build in its place is seen by the next command."""
        with Steady(PIE) as process, tempfile.TemporaryDirectory() as folder:
            elf = shutil.copy(PIE, folder)
            shell = start("shell", "--elf", elf, "--pid", process.pid, "-k", "--format", "json",
                          stdin=subprocess.PIPE)
            try:
                shell.stdin.write("report\n")
                shell.stdin.flush()
                self.assertIn("work_a", shell.stdout.readline())
                os.remove(elf)
                shutil.copy(MPROF, elf)
                shell.stdin.write("report\n")
                _, err = shell.communicate(timeout=HANG_S)
            finally:
                stop(shell)
            self.assertEqual(shell.returncode, 1)
            self.assertIn(str(elf), err)

    def test_process_that_ended(self):
        with Steady(PIE) as one, Steady(PIE) as two:
            shell = start("shell", "--elf", PIE, "--pid", one.pid, "-k", "--format", "json",
                          stdin=subprocess.PIPE)
            try:
                shell.stdin.write("connect\n")
                shell.stdin.flush()
                shell.stdout.readline()
                one.process.kill()
                one.process.wait()
                shell.stdin.write(f"report\nreport --pid {two.pid}\n")
                out, err = shell.communicate(timeout=HANG_S)
            finally:
                stop(shell)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertRegex(err, r"line 2: PID \d+: no such process")
            self.assertIn("work_a", out)

    def test_signals(self):
        """A script is ended by what ends a command of it, and dies of it as its command would."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            for running in ("top -n 100000 -d 0.05 --format json", None):
                with self.subTest(number=number, running=running), Steady(PIE) as process:
                    shell = start("shell", "--elf", PIE, "--pid", process.pid, "-k",
                                  stdin=subprocess.PIPE)
                    try:
                        shell.stdin.write((running or "connect") + "\n")
                        shell.stdin.flush()
                        shell.stdout.readline()
                        shell.send_signal(number)
                        shell.wait(timeout=HANG_S)
                    finally:
                        stop(shell)
                    self.assertEqual(shell.returncode, -number)

    def test_interrupted_between_commands(self):
        """Wherever in a script Ctrl-C comes, the script ends there."""
        text = "set by line\nset\n" * 3000
        for round_ in range(rounds := count(5, 500)):
            shell = start("shell", stdin=subprocess.PIPE)
            writer = threading.Thread(target=quietly, args=(shell.stdin.write, text))
            try:
                writer.start()
                for _ in range(1 + round_ % 100):
                    shell.stdout.readline()
                shell.send_signal(signal.SIGINT)
                shell.stdout.read()
                writer.join()
                self.assertEqual(shell.wait(timeout=HANG_S), -signal.SIGINT)
            finally:
                shell.kill()
                quietly(shell.communicate)
        counted(f"{rounds} scripts interrupted")

    def test_snapshot_that_is_enough(self):
        """Where Ctrl-C is a way to say that, the script goes on."""
        with Made(PIE, {"work_a": 5}) as process, tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "x.pb.gz")
            with Recorder("shell", "--elf", PIE, "--pid", process.pid, "-c",
                          f"report; snapshot --duration 1000 -o {out}; set") as shell:
                shell.counts(0)
                process.feed({"work_b": 7})
                shell.counts(7)
                shell.process.send_signal(signal.SIGINT)
                status, text = shell.end()
            self.assertEqual(status, 0, shell.text)
            self.assertIn(": 7 samples in", text)
            self.assertIn(f"set pid {process.pid}", text)
            self.assertTrue(out.exists())


if __name__ == "__main__":
    unittest.main()
