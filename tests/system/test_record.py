# SPDX-License-Identifier: GPL-3.0-or-later
"""--record-link and --play-link: what was recorded with real servers prints the same when it is played."""

import json
import os
import random
import shutil
import signal
import socket
import unittest

from case import Case
from mi import command
from rig import QmpRig, Rig
from support import (FIRMWARE, HANG_S, farewell, free_port, mprof, sampled, start, stop, symbols,
                     wait_for)
from test_gdbserver import PROGRAM, Gdbserver

ELF = FIRMWARE / "cortex-m3.elf"
OTHER = FIRMWARE / "cortex-m4f.elf"
TOP = ["top", "--elf", ELF, "-n", 3, "-d", "0.1", "--format", "json"]


def counted_only(value):
    """JSON without how long things took, and what is computed from that."""
    if isinstance(value, dict):
        return {name: counted_only(one) for name, one in value.items() if not isinstance(one, float)}
    return [counted_only(one) for one in value] if isinstance(value, list) else value


def without_times(text):
    """The lines of JSON, without times, and without the path of a socket, which no record has."""
    lines = [counted_only(json.loads(line)) for line in text.splitlines()]
    for line in lines:
        if line["link"]["kind"] == "qmp":
            del line["link"]["address"]
    return lines


class Recorded(Case):
    def record(self, verb, *link):
        """A record of a command, and what the command printed."""
        path, done = self.recorded(verb, *link)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return path, done.stdout

    def recorded(self, verb, *link):
        path = self.folder / f"record-{random.getrandbits(64):x}"
        return path, mprof(*verb, *link, "--record-link", path)

    def check_private(self, path, *link):
        """Nothing of the user's is in a record: not his paths, his host, or the names of his functions."""
        text = path.read_bytes().decode("ascii").lower()
        words = [ELF.name, str(ELF.parent), str(self.folder), os.getcwd(), os.environ["HOME"] + "/"]
        host = socket.gethostname()
        words += [host] if len(host) > 3 else []
        words += [word for word in link if word.startswith("/")]
        words += [name for name in symbols(ELF) if len(name) > 4]
        for word in words:
            self.assertNotIn(word.lower(), text)
            self.assertNotIn(word.encode().hex(), text)

    def check_same(self, path, verb, printed, said=""):
        """Twice, since what depends on how fast mprof is need not fail each time."""
        for _ in range(2):
            lines = without_times(self.good(*verb, "--play-link", path, said=said))
            self.assertEqual(lines, without_times(printed))
        self.assertGreater(lines[-1]["hits"], 0)

    def check_way(self, kind, *link):
        sampled(ELF, 200, *link)
        path, printed = self.record(TOP, *link)
        self.assertEqual(json.loads(printed.splitlines()[0])["link"]["kind"], kind)
        self.check_same(path, TOP, printed)
        self.check_private(path, *link)

    def test_openocd(self):
        """Its Tcl port, found by its gdb port, and its gdb port; a report, too."""
        with Rig(ELF, icount=8) as rig:
            gdb = f":{rig.gdb_port}"
            self.check_way("openocd-tcl", "--gdb", gdb, "--tcl", f":{rig.tcl_port}")
            self.check_way("gdb-remote", "--gdb", gdb, "--tcl", "none")
            verb = ["report", "--elf", ELF, "--format", "json"]
            path, printed = self.record(verb, "--tcl", f":{rig.tcl_port}")
            self.check_same(path, verb, printed)
            self.check_cut(path)
            self.check_other(path)

    def check_cut(self, path):
        """Cut short anywhere, it ends with one line that says so."""
        whole = path.read_bytes()
        cut = self.folder / "cut"
        for share in (0.0, 0.02, 0.1, 0.3, 0.5, 0.8, 0.95):
            cut.write_bytes(whole[:int(len(whole) * share)])
            done = mprof("report", "--elf", ELF, "--play-link", cut)
            self.assertEqual((done.returncode, done.stdout), (1, ""), share)
            self.assertRegex(done.stderr, r"\Amprof: .*cut: .*\n\Z")
        self.assertIn("is cut short at ", done.stderr)

    def check_other(self, path):
        """Another ELF file asks for other bytes."""
        done = mprof("report", "--elf", OTHER, "--play-link", path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Amprof: .*: line \d+ \(\d+\.\d+ s\) has the request '.*', but "
                                      r"'.*' was sent\n\Z")

    @staticmethod
    def until_lines(path, count):
        """The whole lines of a file, which are as many at least."""
        def whole():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            lines = lines[:-1] if lines and not lines[-1].endswith("\n") else lines
            return lines if len(lines) >= count else None
        return wait_for("lines", whole)

    def test_lost_server(self):
        """A server that goes and comes back does so when it is played; one that is not there is not."""
        verb = ["top", "--elf", ELF, "-d", "0.1", "--format", "json"]
        path = self.folder / "lost"
        with Rig(ELF, icount=8) as rig:
            link = ["--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}"]
            sampled(ELF, 200, *link)
            printed = self.folder / "printed"
            with open(printed, "w", encoding="utf-8") as file:
                process = start(*verb, "-n", "1000000", *link, "--record-link", path, stdout=file)
            try:
                self.until_lines(printed, 1)
                rig.stop_openocd()
                wait_for("a connection that is refused", lambda: " failed " in path.read_text())
                rig.start_openocd()
                wait_for("a connection", lambda: path.read_text().count(" open ") > 2)
                lines = len(self.until_lines(printed, 1)) + 3
                self.until_lines(printed, lines + 1)  # what came after the last line of a record is not known
                process.send_signal(signal.SIGKILL)
                _, said = process.communicate(timeout=HANG_S)
            finally:
                stop(process)
            printed = "".join(self.until_lines(printed, lines)[:lines])
            self.check_same(path, [*verb, "-n", str(lines)], printed, said)
            rig.stop_openocd()
            path = self.folder / "refused"
            done = mprof(*TOP, *link, "--record-link", path)
            self.assertEqual(done.returncode, 1)
            again = mprof(*TOP, "--play-link", path)
            self.assertEqual((again.returncode, again.stderr), (1, done.stderr))

    def test_qemu(self):
        with QmpRig(ELF, icount=8) as rig:
            self.check_way("qmp", "--qmp", rig.qmp)
            farewell(rig.gdb_port)
            self.check_way("gdb-remote", "--gdb", f":{rig.gdb_port}", "--tcl", "none")
            if shutil.which("gdb-multiarch"):
                farewell(rig.gdb_port)
                path, printed = self.record(TOP, "--mi", command(rig.gdb_port))
                self.check_private(path)
                self.check_same(path, TOP, printed)

    @unittest.skipUnless(shutil.which("gdbserver"), "gdbserver is missing")
    def test_gdbserver(self):
        with Gdbserver(attach=[]) as server:
            verb = ["top", "--elf", PROGRAM, "-n", 3, "-d", "0.1", "--format", "json"]
            path, printed = self.record(verb, "--gdb", server.address, "--tcl", "none")
            self.check_same(path, verb, printed)

    def test_snapshot(self):
        """A verb that ends by the time."""
        with Rig(ELF, icount=8) as rig:
            link = ["--tcl", f":{rig.tcl_port}"]
            sampled(ELF, 200, *link)
            for duration in ("300ms", "5s", "50s"):  # until the core has had time to be sampled
                verb = ["snapshot", "--elf", ELF, "--duration", duration, "-o", self.folder / "a.pb.gz"]
                path, done = self.recorded(verb, *link)
                if "no samples in" not in done.stderr:
                    break
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.good(*verb, "--play-link", path), done.stdout)

    def test_mistakes(self):
        path = self.put("no-record", "hello\n")
        wrong = [(["--play-link", path], 1, "this is not a record of a link"),
                 (["--play-link", self.folder / "none"], 1, "No such file or directory"),
                 (["--play-link", self.folder], 1, "not a file"),
                 (["--play-link", self.put("new", "mprof-link-record 7\n")], 1, "version 7"),
                 (["--play-link", path, "--record-link", path], 2, "not recorded"),
                 (["--play-link", path, "--gdb", ":1"], 2, "give one of them"),
                 (["--record-link", self.folder / "a", "--pid", os.getpid()], 2, "not a process"),
                 (["--record-link", self.folder / "a", "--gdb", f":{free_port()}", "--serve", ":0"], 2,
                  "cannot be recorded"),
                 (["--record-link", "/nonexistent/a", "--gdb", f":{free_port()}"], 1, "cannot write")]
        for words, status, text in wrong:
            done = mprof("report", "--elf", ELF, *words)
            self.assertEqual((done.returncode, done.stdout), (status, ""), words)
            self.assertRegex(done.stderr, rf"\Amprof: .*{text}.*\n\Z")


if __name__ == "__main__":
    unittest.main()
