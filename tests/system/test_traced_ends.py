# SPDX-License-Identifier: GPL-3.0-or-later
"""However a traced process begins and ends: mprof run, files of the stub, fork() and execve(), signals."""

import os
import pathlib
import re
import signal
import subprocess
import unittest

from support import HANG_S, MPROF, environment, json_lines, mprof, start, stop
from terminal import Pty
from traced import EXITS, FENTRY, PG, Traced, calls


class Ends(Traced):
    def test_exit_status(self):
        for how, status in ("kill", 128 + signal.SIGKILL), ("crash", 128 + signal.SIGSEGV), ("7", 7):
            with self.subTest(how):
                lines = self.run_traced(EXITS, "recursion", how, status=status)
                self.assertEqual(calls(lines), self.counted())

    def test_fork(self):
        done = self.program(EXITS, "fork", self.counts)
        self.assertEqual(calls(self.of_file(EXITS, self.file)), self.counted())
        child = self.of_file(EXITS, f"{self.file}.{int(done.stdout)}")
        self.assertEqual(calls(child), {"child_only": 7})
        self.assertEqual(calls(child, "exit"), {"child_only": 7})
        lines = self.run_traced(EXITS, "fork")
        self.assertEqual(calls(lines), self.counted())

    def test_fork_without_file(self):
        """The child has nothing of what the threads of the parent have called."""
        process = subprocess.Popen([EXITS, "child", self.counts], stdout=subprocess.PIPE, text=True)
        self.addCleanup(stop, process)
        child = process.stdout.readline().strip()
        done = mprof("trace", "--elf", EXITS, "--pid", child, "-n", "14", "--format", "json")
        lines = json_lines(done.stdout)
        self.assertEqual(calls(lines), {"child_only": 7})
        self.assertEqual(calls(lines, "exit"), {"child_only": 7})

    def test_file_of_program(self):
        """Chosen by a call of mprof_file()."""
        done = subprocess.run([FENTRY, "file", self.counts, self.file], timeout=HANG_S, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(calls(self.of_file(FENTRY, self.file)), {"parent_only": 1, "second": 1, "third": 1})
        [child] = set(self.folder.glob("s_prof.*"))
        self.assertEqual(calls(self.of_file(FENTRY, child)), {"child_only": 1})

    def test_other_build(self):
        """The file says where the program was; of another build, nothing is shown."""
        self.program(FENTRY, "recursion", self.counts)
        for elf in EXITS, PG:
            done = mprof("trace", "--elf", elf, "--raw", self.file)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"{elf}: not the running program", done.stderr)
        data = bytearray(self.file.read_bytes())
        data[-16] ^= 0x20
        self.file.write_bytes(data)
        done = mprof("trace", "--elf", FENTRY, "--raw", self.file)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(f"{self.file} is of another build than {FENTRY}", done.stderr)

    def test_exec(self):
        """The former program's calls stay in its file."""
        self.program(FENTRY, "exec", self.counts, "recursion")
        self.assertEqual(calls(self.of_file(FENTRY, self.file)), {"main": 1, "parent_only": 1})
        [other] = set(self.folder.glob("s_prof.*"))
        self.assertEqual(calls(self.of_file(FENTRY, other)), self.counted())

    def test_ranking(self):
        """On standard error, or in a file; both have the calls of the program."""
        done = mprof("run", "--format", "json", "--", PG, "recursion", self.counts)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        [report] = json_lines(done.stderr)
        self.assertEqual({row["function"]: row["hits"] for row in report["rows"]}, self.counted())
        path = self.folder / "run.pb.gz"
        done = mprof("run", "-o", path, "--", PG, "recursion", self.counts, "kill")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        report = json_lines(mprof("report", path, "--format", "json").stdout)[0]
        self.assertEqual({row["function"]: row["hits"] for row in report["rows"]}, self.counted())

    def test_live(self):
        """A process that runs, by its number and by its file; a signal that mprof gets is the program's."""
        process = start("run", "--trace", "--format", "json", "-o", self.out, "--", EXITS, "wait", self.counts)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        [pid] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        done = mprof("trace", "--elf", EXITS, "--pid", pid, "-n", "200", "--format", "json")
        by_pid = json_lines(done.stdout)
        self.assertEqual(len(by_pid), 200)
        self.check_times(by_pid)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        lines = json_lines(self.out.read_text(encoding="utf-8"))
        self.assertEqual(calls(lines)["deep"], 101)
        names = [line["function"] for line in lines]
        self.assertEqual([line["function"] for line in by_pid], names[:200])

    def test_screen(self):
        """The screen while the program runs; then what the program has written, and its ranking. Ctrl-C is the
        program's after q."""
        with Pty("xterm-256color", [str(MPROF), "run", "--live", "--", str(PG), "wait", str(self.counts)]) as screen:
            screen.shows(b"deep")
            screen.type(b"q")
            screen.shows(b"\033[?1049l")
            begin = len(screen.bytes)
            self.assertNotIn(b"ready", screen.bytes)
            screen.wait("its own signals", lambda: self.ignores(screen.pid, signal.SIGINT))
            screen.type(b"\x03")
            screen.shows(b"traced.c", begin)
            screen.wait("its end", screen.ended)
            self.assertIn(b"ready", screen.bytes[begin:])
            self.assertEqual(os.waitstatus_to_exitcode(screen.status), 128 + signal.SIGINT)

    @staticmethod
    def has_signal(pid, of, number):
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        return int(re.search(of + r":\s+([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1

    def ignores(self, pid, number):
        return self.has_signal(pid, "SigIgn", number)

    def test_inherited_signals(self):
        """What nohup and a shell's & have set stays so in both processes."""
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        process = start("run", "--", EXITS, "wait", self.counts, preexec_fn=ignore)
        self.addCleanup(stop, process)
        self.assertEqual(process.stdout.readline(), "ready\n")
        [pid] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="utf-8").split()
        for number, ignored in (signal.SIGHUP, 1), (signal.SIGINT, 1), (signal.SIGTERM, 0), (signal.SIGQUIT, 0):
            self.assertEqual(self.ignores(pid, number), ignored, number)
        self.assertTrue(self.ignores(process.pid, signal.SIGHUP))
        self.assertTrue(self.has_signal(pid, "SigBlk", signal.SIGUSR1))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=HANG_S)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_pid_in_name(self):
        """MPROF_FILE of a program that starts mprof run, in which %p is the PID."""
        done = subprocess.run([MPROF, "run", "--trace", "--format", "json", "-o", self.out, "--", EXITS, "recursion",
                               self.counts], env=environment() | {"MPROF_FILE": f"{self.file}.%p"}, text=True,
                              capture_output=True, timeout=HANG_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(calls(json_lines(self.out.read_text(encoding="utf-8"))), self.counted())
        [path] = self.folder.glob("s_prof*")
        self.assertRegex(path.name, r"^s_prof\.\d+$")

    def kept(self, *options):
        """The functions that the target itself has recorded, from main() on."""
        done = subprocess.run([MPROF, "run", "--trace", *options, "-o", self.out, "--", EXITS, "recursion", self.counts],
                              env=environment() | {"MPROF_FILE": str(self.file)}, text=True, capture_output=True,
                              timeout=HANG_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(calls(self.of_file(EXITS, self.file)))

    def test_run_limits(self):
        """The options of mprof trace, of a program that is started."""
        def run(*options, output=True):
            done = mprof("run", "--trace", *options, *(["-o", self.out] if output else []), "--", EXITS, "threads",
                         self.counts)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json_lines(self.out.read_text(encoding="utf-8")) if "json" in options else done

        json_ = "--format", "json"
        self.assertEqual(calls(run("--depth", "1", *json_)), {"main": 1, "worker": 8})
        counted = self.counted()
        self.assertEqual(calls(run("--below", "second", "--not", "third", *json_)),
                         {name: counted[name] for name in counted if name not in ("main", "worker", "third")})
        self.assertEqual(calls(run("--filter", "thi*", *json_)), {"third": counted["third"]})
        self.assertEqual(self.kept("--filter", "thi*"), {"third"})
        kept = self.kept("--not", "worker")
        self.assertTrue({"main", "third"} <= kept and "worker" not in kept, kept)
        self.assertEqual([line["kind"] for line in run("--min", "0.001us", "-n", "3", *json_)], ["entry"] * 3)
        lines = run("--start-at", "worker%return", *json_)
        self.assertEqual((lines[0]["kind"], lines[0]["function"]), ("exit", "worker"))
        lines = run("--stop-at", "second%return", "--duration", "1h", *json_)
        self.assertEqual((lines[-1]["kind"], lines[-1]["function"]), ("exit", "second"))
        self.assertEqual(calls(lines, "exit").get("second"), 1)
        self.out.unlink()
        done = run("--record", "--filter", "second")
        self.assertRegex(done.stderr, rf"^{self.out}: {2 * counted['second']} events in \d+\.\d s\n$")
        self.assertEqual(done.stdout, "")
        lines = json_lines(mprof("trace", self.out, *json_).stdout)
        self.assertEqual((calls(lines), len(lines)), ({"second": counted["second"]}, 2 * counted["second"]))

    def test_refused(self):
        for words, status, text in (
                (["-R", "true"], 2, "--results needs --trace"),
                (["--trace", "-A", "--min", "1ms", "true"], 2, "--arguments has no use with --depth, --below, --min"),
                (["--trace", "--between", "a,b", "true"], 2, "--between is an option of 'mprof trace'"),
                (["--trace", "--record", "true"], 2, "missing output: give -o FILE"),
                (["--trace", "--record", "-o", "x", "--format", "json", "true"], 2, "--format has no use with --record"),
                (["--trace", "--start-at", "a", "--stop-at", "b", "--depth", "1", "true"], 2, "give one of the two"),
                (["--trace", "--wait", "1s", "true"], 2, "--wait is an option of 'mprof top'"),
                (["--depth", "1", "true"], 2, "--depth needs --trace"),
                (["--record", "-o", "x", "true"], 2, "--record needs --trace"),
                (["--live", "-n", "1", "true"], 2, "--events has no use with --live"),
                (["nosuch-program"], 127, "nosuch-program: no such program"),
                ([self.folder], 126, "not a program that may be executed"),
                (["--trace", "--live", "true"], 2, "give --trace or --live, not both"),
                (["--trace", "true"], 1, "true recorded nothing: build it with the stub and MPROF_THREADS"),
                (["--", "false"], 1, "false recorded nothing"),
                (["--live", "true"], 2, "--live needs a terminal"),
                (["--trace", "--ignore", "a", "true"], 2, "--ignore has no use with --trace"),
                (["--trace", "-s", "hits", "true"], 2, "--sort has no use with --trace"),
                (["--live", "--by", "line", "true"], 2, "--by has no use with --live"),
                (["--live", "--elf", "a", "--elf", "b", "true"], 2, "a second --elf has no use with --live"),
                ([], 2, "missing argument: PROGRAM")):
            with self.subTest(words):
                done = mprof("run", *words)
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn(text, done.stderr)

    def test_no_file(self):
        """The program runs on without one, and says why."""
        self.file = self.folder / "no" / "folder"
        done = self.program(EXITS, "recursion", self.counts)
        self.assertEqual((done.returncode, done.stderr),
                         (0, f"mprof: cannot write {self.file}: No such file or directory\n"))
        self.assertEqual(self.counted()["deep"], 101)


if __name__ == "__main__":
    unittest.main()
