# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof doctor on set-ups that are broken in one way each: the first line names it, and the rest of the
page goes on. The rigs are shared: each set-up is put right before the next one."""

import contextlib
import json
import re
import subprocess
import unittest

from case import Case
from process import OTHER, PIE, Steady
from rig import Rig, Tcl
from support import FIRMWARE, Gdb, FakeServer, free_port, has_client, mprof, sampled, side_by_side, start, stop, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
NOT, BUT, WORKS = "mprof top does not work: ", "mprof top works, but: ", "mprof top works: "
LOOKS = "(" + r"\d+(\.\d+)? m?s" + ")"

# Of struct mprof_header (docs/layout.md).
ABI_MAJOR, HEARTBEAT, ENABLE, DIRECTORY = 4, 20, 64, 112
ASLEEP = 0x02000000
SYSTICK = 0xe000e010


def objcopy(*words):
    subprocess.run(["arm-none-eabi-objcopy", *map(str, words)], check=True)


def without_stub(folder):
    path = folder / "fw.elf"
    objcopy("--strip-symbol=s_prof", "--strip-debug", ELF, path)
    return path


def middle_of_main():
    """The second half of an instruction of main() that has two."""
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "--disassemble=main", ELF], text=True,
                          capture_output=True, check=True).stdout
    return int(re.search(r"^ +([0-9a-f]+):\t[0-9a-f]{4} [0-9a-f]{4} ", text, re.M).group(1), 16) + 2


class Doctor(Case):
    def doctor(self, *words, first, status):
        """The page, whose first line is that."""
        done = mprof("doctor", *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        line, empty, *page = done.stdout.splitlines()
        self.assertRegex(line, "^" + first + "$", done.stdout)
        self.assertEqual(empty, "")
        return page

    def broken(self, *words, first):
        """What keeps top from working is told first, and then with what to do."""
        page = self.doctor(*words, first=NOT + first, status=1)
        at = next(i for i, line in enumerate(page) if line.startswith("FAIL"))
        self.assertRegex(page[at][15:], f"^{first}$")
        self.assertRegex(page[at + 1], r"^ {15}do: [a-z'-].*[^.]$")
        return page

    def about(self, page, about):
        """What the page says of it."""
        lines = [line for line in page if line[6:].startswith(about + " ")]
        self.assertEqual(len(lines), 1, page)
        return lines[0]


class Files(Doctor):
    """ELF files, without a server or with one that is not there."""

    def test_wrong_port(self):
        port = free_port()
        page = self.broken("--elf", ELF, "--gdb", f":{port}", first=f"localhost:{port}: connection refused")
        self.assertTrue(self.about(page, "elf").startswith("ok"), page)
        self.assertRegex(self.about(page, "build"),
                         r"^ok .*GNU C11 .*, -O2; frame information: \.debug_frame$")
        page = self.broken("--elf", without_stub(self.folder), "--gdb", f":{port}",
                           first=f"localhost:{port}: connection refused")
        self.assertRegex(self.about(page, "stub"), "^warn .*fw.elf has no stub")

    def test_no_answer(self):
        with FakeServer(lambda connection: wait_for("its end", lambda: not connection.recv(4096))) as server:
            self.broken("--elf", ELF, "--gdb", f":{server.port}", "--tcl", "none", "--timeout", "0.1s",
                        first=rf"localhost:{server.port}: nothing answered a gdb packet within 0\.1 s.*")

    def test_no_file(self):
        """What is known of the server is said all the same."""
        path, port = self.folder / "fw.elf", free_port()
        page = self.broken("--elf", path, "--gdb", f":{port}", first=f"{path}: No such file or directory")
        self.assertRegex(self.about(page, "server"), f"^FAIL .*:{port}: connection refused$")
        page = self.broken("--gdb", f":{port}", first="no ELF file was given")
        self.assertTrue(self.about(page, "server").startswith("FAIL"))

    def test_no_elf_file(self):
        path = self.put("fw.bin", b"\0" * 100)
        self.broken("--elf", path, first=f"{path}: not an ELF file")

    def test_alone(self):
        self.broken("--elf", ELF, first="no debug server was given")
        self.lacking(mprof("doctor"), "missing ELF file")

    def test_build(self):
        """Not optimised, with call hooks."""
        source, path = self.put("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n"), self.folder / "a"
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-O0", "-g", "-pg", "-nostdlib", "-Wl,-emain",
                        "-Wl,--unresolved-symbols=ignore-all", "-o", path, source], check=True)
        page = self.broken("--elf", path, first="no debug server was given")
        self.assertRegex(self.about(page, "build"), r"^warn .*not optimised, .* GNU C\S+ [^;]*, -O0, "
                         r"call hooks \(-pg\) in 1 of 1 units; frame information: \.debug_frame")

    def test_dump(self):
        self.bad("doctor", "--elf", ELF, "--raw", self.put("dump", b""), status=2)

    def test_anonymous(self):
        """Nothing of the names is left, of files, of hosts."""
        secret = self.put("secret-project.elf", ELF.read_bytes())
        words = ("doctor", "--elf", secret, "--gdb", "secret.invalid:3333", "--tcl", "none")
        self.assertIn("secret", mprof(*words).stdout)
        for more in ((), ("--format", "json")):
            done = mprof(*words, "--anonymous", *more)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertNotIn("secret", done.stdout)
            self.assertIn("HOST", done.stdout)
            self.assertIn("FILE", done.stdout)


class Briefly:
    """As a Tcl, but connected only while it is used: the doctor finds nobody there."""

    def __init__(self, port):
        self.port = port

    def __call__(self, command):
        with Tcl(self.port) as tcl:
            return tcl(command)

    def __getattr__(self, name):
        def run(*words):
            with Tcl(self.port) as tcl:
                return getattr(tcl, name)(*words)
        return run


class Target(Doctor):
    """A board with an OpenOCD."""

    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(Rig(ELF, icount=6))
        cls.tcl = Briefly(cls.rig.tcl_port)
        cls.link = ("--gdb", f":{cls.rig.gdb_port}", "--tcl", f":{cls.rig.tcl_port}")
        cls.table = symbols(ELF)["s_prof"][0]
        sampled(ELF, 10, *cls.link)

    def tearDown(self):
        """As it was found: it runs, and was never halted."""
        self.rig.is_left(True)

    def well(self, elf=ELF):
        return self.doctor("--elf", elf, *self.link, status=0,
                           first=WORKS + f"it reads the stub's table in {LOOKS} while the core runs")

    def bad(self, first, elf=ELF):
        """One cause is one failure."""
        page = self.broken("--elf", elf, *self.link, first=first)
        self.assertEqual(sum(line.startswith("FAIL") for line in page), 1, page)
        return page

    def warned(self, first, elf=ELF):
        page = self.doctor("--elf", elf, *self.link, first=BUT + first, status=0)
        self.assertRegex(self.about(page, "top"), "^ok .*it reads the stub's table")
        done = mprof("top", "--batch", "-n", "1", "--elf", elf, *self.link)
        self.assertEqual(done.returncode, 0, done.stderr)
        return page

    @contextlib.contextmanager
    def instead(self, command, body):
        """OpenOCD has another procedure in place of a command of the target's; it can call the old one as OLD."""
        name, old = f"{{mps2.cpu {command}}}", f"old_{command}"
        self.tcl(f"rename {name} {old}; proc {name} args {{{body.replace('OLD', old)}}}; list")
        try:
            yield
        finally:
            self.tcl(f"rename {name} {{}}; rename {old} {name}; list")

    @contextlib.contextmanager
    def written(self, offset, word):
        """A word of s_prof is another one. A reset puts all of it right."""
        self.tcl.write(self.table + offset, [word])
        try:
            yield
        finally:
            self.tcl.write(self.table, [0])
            self.rig.reset()
            sampled(ELF, 10, *self.link)

    def test_well(self):
        halts = self.rig.stat()["halts"]
        with Tcl(self.rig.tcl_port):
            page = self.well()
        for line in page:
            self.assertTrue(line.startswith("ok "), line)
        self.assertIn("Open On-Chip Debugger 0.12.0, Tcl port", self.about(page, "server"))
        self.assertIn("Cortex-M3", self.about(page, "target"))
        self.assertRegex(self.about(page, "stub"), r"ABI 1\.\d+, table\(256\), 1 core, timer: 1000 Hz, jittered$")
        self.assertRegex(self.about(page, "counts"), r" [1-9]\d* samples a second, [1-9]\d* since the start, 0 lost$")
        self.assertRegex(self.about(page, "clients"), r"also connected: \S+ \(process \d+\)$")
        self.assertEqual(self.rig.stat()["halts"], halts)

    def test_beside_gdb(self):
        """A gdb on the gdb port is named, and no fault."""
        gdb = Gdb(self.rig.gdb_port)
        try:
            self.assertEqual(gdb.ask("QStartNoAckMode"), "OK")
            gdb.send("c")
            wait_for("the core runs", lambda: self.tcl.state() == "running")
            self.assertRegex(self.about(self.well(), "clients"), r" \S+ \(process \d+\) at the gdb port$")
            port = self.rig.gdb_port
            self.broken("--elf", ELF, "--gdb", f":{port}", "--tcl", "none",
                        first=rf":{port} does not answer: it serves another client, \S+ \(process \d+\)")
        finally:
            gdb.close()

    def test_json(self):
        done = mprof("doctor", "--elf", ELF, *self.link, "--format", "json", "--anonymous")
        page = json.loads(done.stdout)
        self.assertEqual((done.returncode, page["works"], page["about"]), (0, True, "top"), page)
        self.assertEqual({finding["mark"] for finding in page["findings"]}, {"ok"})
        self.assertNotIn("mps2", done.stdout)
        self.assertNotIn("process", done.stdout)

    def test_port_of_no_target(self):
        words = ("--elf", ELF, "--gdb", f":{free_port()}", "--tcl", f":{self.rig.tcl_port}")
        self.broken(*words, first=r"localhost:\d+: this OpenOCD has no target on gdb port \d+ \(mps2.cpu: \d+\)")
        done = mprof("doctor", *words, "--anonymous")
        self.assertIn("has no target on gdb port", done.stdout)
        self.assertNotIn("mps2", done.stdout)

    def test_stripped(self):
        path = self.folder / "fw.elf"
        objcopy("--strip-all", ELF, path)
        self.bad("fw.elf is stripped: it has no symbols", path)

    def test_no_debug_information(self):
        path = self.folder / "fw.elf"
        objcopy("--strip-debug", ELF, path)
        self.warned("fw.elf has no debug information.*", path)

    def test_no_stub(self):
        path = without_stub(self.folder)
        why = "fw.elf has no stub: .*; and the running core tells no program counters: "
        self.bad(why + "it has no DWT_PCSR", path)
        asleep = ("if {[lindex $args 0] == 0xe000edf0} {return 0x01070001};"
                  "if {[lindex $args 0] == 0xe000101c} {return 0xffffffff}; OLD {*}$args")
        with self.instead("read_memory", asleep):
            self.bad(why + r"it sleeps \(WFI or WFE\)", path)

    def test_wrong_architecture(self):
        self.bad("rv32.elf is for another processor: the ELF is for riscv, the target is arm",
                 FIRMWARE / "rv32.elf")

    def test_wrong_elf(self):
        self.bad("motor.elf is not the firmware in the target: at 0x.*", FIRMWARE / "motor.elf")

    def test_big_endian(self):
        """Registers of the core are little-endian all the same: it is known which core it is."""
        source, path = self.put("a.c", "int main(void) { return 1; }\n"), self.folder / "fw.elf"
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mbig-endian", "-nostdlib", "-Wl,-emain",
                        "-o", path, source], check=True)
        page = self.broken("--elf", path, *self.link, first="(fw.elf|the target's memory) .*")
        self.assertIn("arm, Cortex-M3 r0p1, running", self.about(page, "target"))

    def test_stale_elf(self):
        """Of all bytes only the build-id is another one."""
        text = subprocess.run(["readelf", "-n", ELF], text=True, capture_output=True, check=True).stdout
        build_id = bytes.fromhex(re.search("Build ID: ([0-9a-f]+)", text).group(1))
        data = ELF.read_bytes()
        self.assertEqual(data.count(build_id), 1)
        path = self.put("fw.elf", data.replace(build_id, bytes(reversed(build_id))))
        page = self.bad("fw.elf is not the firmware in the target: at 0x.*", path)
        self.assertTrue(self.about(page, "stub").startswith("ok"))

    def test_halted(self):
        self.tcl.halt()
        try:
            page = self.bad("the core is halted, so nothing is counted .*")
            self.assertTrue(self.about(page, "flash").startswith("ok"))
            self.assertEqual(self.tcl.state(), "halted")
        finally:
            self.tcl.resume()

    def test_in_reset(self):
        with self.instead("curstate", "return reset"):
            self.bad("mps2.cpu is held in reset")

    def test_no_power(self):
        with self.instead("curstate", "return unknown"), self.instead("read_memory", "error {no answer}"):
            self.bad("OpenOCD does not reach mps2.cpu: its state is unknown")

    def test_read_protected(self):
        """Flash is, RAM is not: names may be those of another build."""
        body = "if {[lindex $args 0] < 0x00400000} {error protected}; OLD {*}$args"
        with self.instead("read_memory", body):
            self.warned("code cannot be read, as if it were read-protected.*")

    def test_all_is_protected(self):
        with self.instead("read_memory", "error protected"):
            self.bad("the target's memory cannot be read.*")

    def test_slow_probe(self):
        self.tcl("rename {adapter speed} old_speed; proc {adapter speed} {} {return {adapter speed: 100 kHz}}; list")
        try:
            with self.instead("read_memory", "after 30; OLD {*}$args"):
                page = self.doctor("--elf", ELF, *self.link, "--link-share", "0.02", status=0, first=BUT +
                                   "reading is slow: a refresh takes .*; OpenOCD's adapter speed is 100 kHz")
            self.assertIn("'adapter speed'", "".join(page))
        finally:
            self.tcl("rename {adapter speed} {}; rename old_speed {adapter speed}; list")

    def test_switched_off(self):
        def control(word):
            self.good("control", word, "timer", "--elf", ELF, *self.link)
        control("off")
        try:
            self.bad("the stub is switched off: timer=off")
        finally:
            control("on")

    def test_timer_not_started(self):
        before = self.tcl.read(SYSTICK)
        self.tcl.write(SYSTICK, [0])
        try:
            self.bad(r"nothing was counted in \d\.\d s: the timer that takes samples has stopped.*")
            # The first to ask is told that the core sleeps, the second that it has locked up.
            self.tcl("set ::status {0x01070001 0x01090001}; list")
            with self.instead("read_memory", "if {[lindex $args 0] == 0xe000edf0} {set now [lindex $::status 0];"
                              "set ::status [lrange $::status 1 end]; return $now}; OLD {*}$args"):
                lines = side_by_side(lambda _: mprof("doctor", "--elf", ELF, *self.link).stdout.partition("\n")[0],
                                     range(2))
            why = NOT + r"nothing was counted in \d\.\d s: it "
            self.assertRegex(" ".join(sorted(lines, key=lambda line: "sleeps" in line)), rf"^{why}has locked up: .* {why}sleeps \(WFI or WFE\)$")
        finally:
            self.tcl.write(SYSTICK, before)

    def test_firmware_asleep(self):
        """It says so itself, and its timer stands still."""
        before = self.tcl.read(SYSTICK)
        self.tcl.write(SYSTICK, [0])
        with self.written(ENABLE, 0xffffffab & ~ASLEEP):
            self.bad(r"nothing was counted in \d\.\d s: the firmware is asleep \(mprof_sleep_enter\(\)\)")
            self.tcl.write(SYSTICK, before)

    def test_not_started(self):
        with self.written(0, 0):
            self.bad(r"s_prof is not initialised: the firmware has not called mprof_init\(\)")

    def test_damaged(self):
        with self.written(DIRECTORY + 12, 0xfff8):
            self.bad("s_prof cannot be used: it is damaged: .*")

    def test_other_abi(self):
        word, = self.tcl.read(self.table + ABI_MAJOR)
        with self.written(ABI_MAJOR, (word & ~0xff) + 9):
            self.bad(r"s_prof cannot be used: .*9\..*")

    def test_lost(self):
        kind, count, at = self.tcl.read(self.table + DIRECTORY + 4, 3)
        entry = kind & 0xffff
        with self.written(HEARTBEAT, 1500000):
            self.tcl.write(self.table + at - 4, [1])
            self.tcl.write(self.table + at + (count + 1) * entry, [1000000])
            self.warned(r"10\d{5} of 1[5-9]\d{5} events were lost: the table is full")

    def test_no_stub_but_program_counters(self):
        """Then top takes samples itself, and does so."""
        path = without_stub(self.folder)
        place = symbols(ELF)["work_a"][0]
        with self.instead("read_memory", f"if {{[lindex $args 0] == 0xe000101c}} {{return {place:#x}}}; OLD {{*}}$args"):
            page = self.doctor("--elf", path, *self.link, "--cross-check", status=0,
                               first=BUT + "fw.elf has no debug information .*")
            self.assertIn("no stub whose samples could be compared", self.about(page, "cross"))
            self.assertRegex(self.about(page, "top"), r"^ok .*takes samples by DWT_PCSR while the core runs, some \d+ ")
            self.assertIn("fw.elf has no stub", self.about(page, "stub"))
            done = mprof("top", "--batch", "-n", "2", "-d", "0.2", "--elf", path, *self.link)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("work_a", done.stdout)

    def test_program_counter_register(self):
        """It is looked for, and TRCENA is put back."""
        place = symbols(ELF)["work_a"][0]
        self.tcl("set ::demcr 0x401; list")
        body = ("if {[lindex $args 0] == 0xe000edfc} {return [format 0x%x $::demcr]};"
                f"if {{[lindex $args 0] == 0xe000101c}} {{return [format 0x%x [expr {{$::demcr >> 24 ? {place} : 0}}]]}};"
                "OLD {*}$args")
        with self.instead("read_memory", body):
            self.tcl("rename {mps2.cpu write_memory} old_write;"
                     "proc {mps2.cpu write_memory} args {if {[lrange $args 0 1] != {0xe000edfc 32}} {error $args};"
                     "set ::demcr [lindex $args 2]; list}; list")
            try:
                page = self.well()
            finally:
                self.tcl("rename {mps2.cpu write_memory} {}; rename old_write {mps2.cpu write_memory}; list")
        self.assertRegex(self.about(page, "pcsr"), r"gives program counters, (\d+) of \1 of them in this ELF's code; up to [\d.]+ a second are of use$")
        self.assertEqual(int(self.tcl("set ::demcr"), 0), 0x401)


    def crossed(self, weights, status=0):
        """The page with --cross-check, where DWT_PCSR gives these functions so often, of each 100 reads, in an order
        that mixes them: no chance is in it, only in the stub's samples."""
        table = symbols(ELF)
        places = [table.get(name, (name, 0))[0] for name, weight in weights.items() for _ in range(weight)]
        self.assertEqual(len(places), 100)
        body = (f"set places {{{' '.join(map(str, places))}}};"
                "if {[lindex $args 0] == 0xe000101c} {return [format 0x%x [lindex $places [expr {[incr ::turn 37] % 100}]]]};"
                "OLD {*}$args")
        with self.instead("read_memory", body):
            done = mprof("doctor", "--cross-check", "--elf", ELF, *self.link, "--link-share", "1")
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        return done.stdout.splitlines()

    def test_cross_check(self):
        """The two agree; or one sees a function that the other does not."""
        page = self.crossed({"work_a": 50, "work_b": 30, "work_c": 20})
        self.assertRegex(self.about(page, "cross"), r"^ok .*agree, by [1-9]\d+ and [1-9]\d+ samples$")
        self.assertIn("the hits are in this ELF's code, where", self.about(page, "places"))
        self.assertRegex(self.about(page, "clock"), r"\d+ samples came in \d+\.\d s")
        self.assertIn("random", self.about(page, "step"))
        page = self.crossed({"work_a": 20, "work_b": 30, "work_c": 10, middle_of_main(): 40})
        self.assertRegex(page[0], "^" + BUT + "the stub and DWT_PCSR see different programs: main has "
                         r"\d\.\d % of the stub's samples, [345]\d\.\d % of DWT_PCSR's$")
        self.assertRegex(self.about(page, "places"),
                         r"^warn .* [345]\d\.\d % of the program counters are amid an instruction$")


class OtherServers(Doctor):
    def test_process(self):
        """At addresses that the loader chose. Another program's ELF file fits no process of this one."""
        with Steady(PIE) as process:
            page = self.doctor("--elf", PIE, "--pid", process.pid, status=0, first=WORKS +
                               f"it reads the stub's table in {LOOKS} while the core runs")
            self.assertIn(f"PID {process.pid}", self.about(page, "server"))
            self.broken("--elf", OTHER, "--pid", process.pid, first="process-other is not the firmware .*")

    def test_in_step(self):
        """Of a timer with a fixed period, what it never sees is seen at another rate. Its own is put back,
        also if mprof is killed."""
        with Rig(FIRMWARE / "tick-fixed.elf", icount=6) as rig:
            link = ("--elf", FIRMWARE / "tick-fixed.elf", "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            with Tcl(rig.tcl_port) as tcl:
                sampled(link[1], 10, *link[2:])
                before = tcl.read(SYSTICK + 4)
                # First: later the timer is no longer ahead of the tick as the firmware has started it,
                # and may come where a task sometimes has ended and sometimes not.
                page = self.doctor(*link, "--cross-check", status=0, first=BUT + "fixed timer period: .*")
                self.assertEqual(tcl.read(SYSTICK + 4), before)
                process = start("doctor", *link, "--cross-check")
                try:
                    wait_for("another rate", lambda: tcl.read(SYSTICK + 4) != before)
                    process.kill()
                    process.communicate()
                    wait_for("its own rate", lambda: tcl.read(SYSTICK + 4) == before)
                finally:
                    stop(process)
            self.assertRegex(self.about(page, "step"), r"^warn .*in step with the firmware: (task has 0|idle has 100)"
                             r"\.0 % at the timer's rate, (2\d|3\d|6\d|7\d)\.\d % at 1382 Hz$")

    def test_two_clients(self):
        """QEMU serves one client, and lets others wait."""
        with Rig(ELF, qemu_gdb=True) as rig:
            link = ("--elf", ELF, "--gdb", f":{rig.gdb_port}", "--tcl", "none")
            sampled(ELF, 1, *link[2:])
            page = self.doctor(*link, status=0, first=WORKS +
                               f"it reads the stub's table in {LOOKS}, and stops the simulator for it")
            self.assertIn("nobody else is connected", self.about(page, "clients"))
            page = self.doctor("--elf", without_stub(self.folder), *link[2:], status=0, first=BUT +
                               "fw.elf has no debug information .*")
            self.assertIn("it takes samples by short halts", self.about(page, "top"))
            done = mprof("shell", *link, "-c", "report --limit 1; doctor; report --limit 1")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn("\n" + WORKS, done.stdout)
            wait_for("its farewell", lambda: not has_client(rig.gdb_port))
            gdb = Gdb(rig.gdb_port)
            try:
                gdb.attach()
                self.broken(*link, "--timeout", "0.3s",
                            first=rf":{rig.gdb_port} does not answer: it serves another client, \S+ \(process \d+\)")
            finally:
                gdb.detach()

    def test_no_system_bus(self):
        """A RISC-V that is read only while it is halted."""
        with Rig(FIRMWARE / "rv32.elf", icount=6, options=("--no-system-bus",)) as rig:
            link = ("--elf", FIRMWARE / "rv32.elf", "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
            halts = rig.stat()["halts"]
            self.broken(*link, first=r"localhost:\d+: this server reads memory only while the core is halted")
            self.assertEqual(rig.stat()["halts"], halts)
            page = self.doctor(*link, "--allow-halt", status=0, first=BUT + "each read halts the core .*")
            self.assertRegex(self.about(page, "halts"), "^ok .*have halted the core")
            rig.is_left(True)


if __name__ == "__main__":
    unittest.main()
