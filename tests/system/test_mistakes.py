# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong set-ups and typing mistakes: each gets one line on stderr that says what to type next."""

import gzip
import os
import signal
import subprocess
import unittest
import unittest.mock

from case import Case
from pprof_file import profile
from process import FIXED, OTHER, Made
from prof import of_functions
from support import FIRMWARE, PATIENCE, FakeServer, free_port, mprof, side_by_side, state, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
USAGE = 0  # in place of a status: the usage and an example follow
NOBODY = 1 << 22  # no process has this number: it is the limit of the kernel's


class Mistakes(Case):
    def check(self, mistakes):
        """mistakes: (what is typed, what it says to type next, status). In any order."""
        def one(mistake):
            words, following, status = mistake
            if status == USAGE:
                self.lacking(mprof(*words), following)
            else:
                self.refused(mprof(*words), following, status=status)
        side_by_side(one, mistakes)

    def snapshot(self, name, hits, **about):
        return self.put(name, profile(hits, **about))

    def test_servers(self):
        port = free_port()
        link = ("report", "--elf", ELF)
        self.check([
            ((*link, "--gdb", f":{port}"), "give its address with --gdb", 1),
            ((*link, "--tcl", f":{port}"), "give its address with --gdb, --tcl", 1),
            ((*link, "--qmp", f":{port}"), "or --qmp", 1),
            ((*link, "--gdb", "localhost:99999"), "HOST:PORT", 2),
            ((*link, "--gdb", "no port at all"), "HOST:PORT", 2),
            ((*link, "--gdb", self.folder), "use the path of a socket or of a serial line", 2),
            ((*link, "--gdb", "/dev/ttyNONE"), "'ls /dev/tty*'", 1),
            ((*link, "--gdb", ":1", "--target", "a.cpu", "--tcl", "none"), "needs OpenOCD's Tcl port", 1),
            ((*link, "--mi", "/nowhere/gdb"), "/nowhere/gdb", 1),
            ((*link, "--mi", "gdb-multiarch -q"), "add -ex 'target remote :3333'", 1),
            ((*link, "--pid", NOBODY), "'pgrep NAME'", 1),
        ])

    def test_servers_of_another_kind(self):
        def silent(connection):
            while connection.recv(4096):
                pass

        def gdb_server(connection):
            while connection.recv(4096):
                connection.sendall(b"+$#00")

        def telnet(connection):
            """As OpenOCD's: it says who it is, and repeats what it hears."""
            connection.sendall(b"\xff\xfb\x03\xff\xfb\x01\xff\xfd\x03\xff\xfe\x01Open On-Chip Debugger\r\n\r> ")
            while heard := connection.recv(4096):
                connection.sendall(heard)

        def tcl(connection):
            """OpenOCD's: it waits for the end of a command, and answers."""
            heard = b""
            while b"\x1a" not in heard:
                heard += connection.recv(4096)
            connection.sendall(b"invalid command name\x1a")

        link = ("report", "--elf", ELF, "--timeout", "0.5")
        with FakeServer(silent) as nothing, FakeServer(gdb_server) as gdb, FakeServer(telnet) as shell, \
                FakeServer(tcl) as script:
            self.check([
                ((*link, "--gdb", f":{script.port}", "--tcl", "none"), "OpenOCD's Tcl port, not a gdb port: give it "
                 "with --tcl\n", 1),
                ((*link, "--gdb", f":{shell.port}", "--tcl", "none"), "a telnet port, not a gdb port, which OpenOCD has at "
                 "3333 by default; give a gdb port with --gdb\n", 1),
                (("top", ELF, "--gdb", f":{gdb.port}"), f"give it as --elf {ELF}", 2),
                ((*link, "--gdb", f":{nothing.port}", "--tcl", "none"), "give a gdb port with --gdb", 1),
                ((*link, "--tcl", f":{nothing.port}"), "give a gdb port with --gdb", 1),
                ((*link, "--qmp", f":{nothing.port}"), "start QEMU with -qmp", 1),
                # It is used as a gdb port. Nothing is silent before that, unless the machine is busy.
                (("report", "--elf", ELF, "--timeout", "10", "--tcl", f":{gdb.port}"), 'no answer to "?"', 1),
            ])

    def test_elf_files(self):
        stripped, none = self.folder / "stripped.elf", self.folder / "none.elf"
        subprocess.run(["arm-none-eabi-objcopy", "--strip-all", ELF, stripped], check=True)
        subprocess.run(["arm-none-eabi-objcopy", "--strip-symbol=s_prof", ELF, none], check=True)
        source = self.put("unlinked.c", "int a;\n")
        unlinked = source.with_suffix(".o")
        subprocess.run(["arm-none-eabi-gcc", "-c", source, "-o", unlinked], check=True)
        link = ("--gdb", ":1")
        self.check([
            (("report", "--elf", self.folder / "missing.elf", *link), "missing.elf: No such file or directory; "
             "check the path", 1),
            (("report", "--elf", self.folder / "striped.elf", *link), "stripped.elf'?", 1),
            (("report", "--elf", self.folder, *link), "give a file in it", 1),
            (("report", "--elf", stripped, *link), "stripped: it has no symbols; give the ELF file "
             "from before strip with --elf", 1),
            (("control", "--elf", none, *link), "mprof_init()", 1),
            (("report", "--elf", unlinked, *link), "give the linked ELF file", 1),
            (("report", "--elf", source, *link), "not an ELF file; give the linker's output", 1),
            (("report", "--elf", ELF, "--symbol", "s_porf", *link), "--symbol", 1),
        ])

    def test_processes(self):
        with Made(FIXED) as process:
            link = ("--pid", process.pid)
            self.check([
                (("report", "--elf", ELF, *link), "give the program with --elf", 1),
                (("report", "--elf", OTHER, *link), "--elf", 1),
                (("annotate", "work", "--elf", FIXED, *link), "similar: work_a", 1),
                (("control", "--elf", FIXED, *link, "nonsense"), "'mprof control --help'", 2),
                (("control", "--elf", FIXED, *link, "on"), "missing argument: timer, hooks", 2),
                (("control", "--elf", FIXED, *link, "reset", "now"), "unexpected argument 'now'", 2),
                (("control", "--elf", FIXED, *link, "ignore", "work_a"), "MPROF_IGNORE_CNT 4", 1),
                (("report", "--elf", FIXED, *link, "--sampler", "stream"), "MPROF_STREAM_CNT", 1),
                (("snapshot", "--elf", FIXED, *link), "-o FILE", USAGE),
                (("snapshot", "--elf", FIXED, *link, "-o", "a", "--runs", "2"), "--duration", 2),
            ])
            os.kill(process.pid, signal.SIGSTOP)
            wait_for("the stop", lambda: state(process.pid) == "T")
            self.check([(("snapshot", "--elf", FIXED, *link, "-o", self.folder / "a", "--duration", "0.1"),
                         f"'kill -CONT {process.pid}'", 1)])

    def test_dumps(self):
        good = of_functions(ELF, {"main": 10})
        link = ("top", "--elf", ELF, "-n", "1", "--wait", "0", "--raw")
        self.check([
            ((*link, self.folder / "missing.bin"), "missing.bin: No such file or directory; check the path", 1),
            ((*link, self.put("empty.bin", b"")), "dump the table into it again", 1),
            ((*link, self.put("short.bin", good[:100])), "dump all of it", 1),
            ((*link, self.folder), "not a dump of the table; give a file in it", 1),
            ((*link, self.put("zero.bin", bytes(len(good)))), "mprof_init()", 1),
            (("stat", "--elf", ELF, "--raw", self.put("good.bin", good)), "'mprof report --raw FILE'", 2),
        ])

    def test_snapshots(self):
        good = self.snapshot("good.pb.gz", {"f": 10, "g": 20})
        other = self.snapshot("other.pb.gz", {"f": 10, "g": 20}, build="bb" * 20)
        changed = self.snapshot("changed.pb.gz", {"f": 11, "g": 20}, build="bb" * 20)
        calls = self.snapshot("calls.pb.gz", {"f": 10, "g": 20}, unit="calls")
        unnamed = self.snapshot("none.pb.gz", {None: 10}, ours=False)
        self.check([
            (("report", self.folder / "godo.pb.gz"), f"did you mean '{good}'?", 1),
            (("report", self.put("empty.pb.gz", b"")), "empty; record it again", 1),
            (("report", self.put("text.pb.gz", "no profile\n")), "give a file of 'mprof snapshot'", 1),
            (("report", self.put("cut.pb.gz", good.read_bytes()[:-20])), "cut short; copy or record it again", 1),
            (("report", self.put("bad.pb.gz", gzip.compress(b"\xff" * 40))), "not a pprof profile", 1),
            (("report", good, "--type", "cycles"), "its first type is 'samples'", 2),
            (("report", good, "--context", "IRQ7"), "--context needs a target: snapshots do not record", 2),
            (("report", good, changed), "mprof diff", 1),
            (("diff", good), "missing argument", USAGE),
            (("diff", good, other, other), "--base FILE... --new FILE...", 2),
            (("diff", good, calls), "--type", 1),
            (("diff", good, other, "--by", "line"), "--by function", 1),
            (("diff", good, other, "--by", "arc"), "--sampler arcs", 1),
            (("diff", good, other, "--junit", self.folder / "j.xml"), "--fail-above or --budgets", 2),
            (("diff", good, other, "--budgets", self.put("b", "f\n")), "'fir_* 12%'", 2),
            (("export", good, "-o", self.folder / "x"), "--format NAME", USAGE),
            (("export", "--format", "csv"), "missing argument: FILE", USAGE),
            (("export", "--format", "gmon", unnamed, "-o", self.folder / "x"), "--elf", 1),
            (("annotate", "ff", good), "no function named 'ff'; 'mprof report' lists the functions", 1),
            (("annotate", "f", good, "--format", "csv"), "'csv' is not one of table, json; see", 2),
            (("diff", good, other, "--per", "function:ff"), "'mprof diff' without --per lists them", 1),
            ((good,), "a file comes after the command", 2),
            (("log", "--store", self.folder / "none"), "'mprof snapshot --store", 1),
            (("report", "@0", "--store", self.folder.joinpath("empty")), "'mprof snapshot --store", 1),
        ])

    def test_functions(self):
        store = self.folder / "store"
        store.mkdir()
        path = store / "a.pb.gz"
        path.write_bytes(profile({"fir_filter": 10, "crc": 5}))
        self.check([
            (("annotate", "fir_filtr", path), "did you mean 'fir_filter'?", 1),
            (("log", "fir_filtr", "--store", store), "did you mean 'fir_filter'?", 1),
            (("annotate", "crv", path), "did you mean 'crc'?", 1),
        ])
        done = mprof("annotate", "nothing_like_it", path)
        self.assertNotIn("did you mean", done.stderr)

    def test_ignored_functions(self):
        """A mistyped name is a warning: the report is printed all the same."""
        dump = self.put("good.bin", of_functions(ELF, {"main": 10, "work_a": 5}))
        for typed, hint in (("wrok_a", "; did you mean 'work_a'?"), ("work_a", None),
                            ("nothing_like_it", None), ("wrok_*", None)):
            with self.subTest(typed):
                done = mprof("report", "--elf", ELF, "--raw", dump, "--ignore", typed)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, f"mprof: --ignore: no function named '{typed}'{hint}\n" if hint else "")
                self.assertIn("main", done.stdout)

    def test_folders_and_outputs(self):
        good = self.snapshot("good.pb.gz", {"f": 10})
        store = self.folder / "store"
        store.mkdir()
        (store / "a.pb.gz").write_bytes(good.read_bytes())
        self.check([
            (("log",), "give --store DIR or set MPROF_STORE", USAGE),
            (("log", "--store", self.folder / "nowhere"), "nowhere", 1),
            (("report", "@0"), "--store or MPROF_STORE", 2),
            (("report", "@3", "--store", store), "@0", 1),
            (("report", "@last", "--store", store), "./@last", 1),
            (("log", "--store", store, "f", "g"), "quote a pattern", 2),
            (("export", "--format", "csv", good, "-o", "/nowhere/x"), "/nowhere/x", 1),
            (("diff", good, good, "-o", self.folder), str(self.folder), 1),
        ])

    def test_time_limit_of_the_environment(self):
        with unittest.mock.patch.dict(PATIENCE, MPROF_TIMEOUT="long"):
            self.check([(("report", "--elf", ELF, "--gdb", ":1"), "MPROF_TIMEOUT", 2)])


if __name__ == "__main__":
    unittest.main()
