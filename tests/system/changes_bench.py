# SPDX-License-Identifier: GPL-3.0-or-later
"""A core under an OpenOCD that is killed, started again and used to flash: for tests of what mprof does
then; and what they look for in its objects."""

import contextlib
import pathlib
import re
import subprocess

from rig import Rig, Tcl
from support import FIRMWARE, free_port, listens, symbols, wait_for

ELF = FIRMWARE / "cortex-m3.elf"
MANY = FIRMWARE / "cortex-m3-many.elf"
ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = {"work_a", "work_b", "work_c"}
MAGIC = 0x6672706d
TABLE = 0x21000000  # of both
HEARTBEAT = 20  # where it stands in the table


class OpenOcd:
    """An OpenOCD of our own on the rig's JTAG port, so that it can be killed and started again."""

    def __init__(self, jtag):
        self.jtag, self.gdb_port, self.tcl_port = jtag, free_port(), free_port()
        self.process = None

    def start(self):
        commands = ["adapter driver remote_bitbang; remote_bitbang port 0",
                    f"remote_bitbang host {{{self.jtag}}}",
                    "adapter speed 10000; reset_config none",
                    "jtag newtap mps2 cpu -irlen 4 -expected-id 0x4ba00477",
                    "dap create mps2.dap -chain-position mps2.cpu",
                    "target create mps2.cpu cortex_m -dap mps2.dap",
                    f"gdb_port {self.gdb_port}", f"tcl_port {self.tcl_port}",
                    "telnet_port disabled", "init"]
        self.process = subprocess.Popen(
            ["openocd", *(word for c in commands for word in ("-c", c))], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("OpenOCD's ports", lambda: listens(self.tcl_port))
        with Tcl(self.tcl_port) as tcl:
            wait_for("the target", lambda: tcl.raw("mps2.cpu was_examined") == "1")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    @property
    def tcl_link(self):
        return ("--tcl", f":{self.tcl_port}")

    @property
    def link(self):
        return ("--gdb", f":{self.gdb_port}", *self.tcl_link)


class Bench:
    """A core under an OpenOCD, which all tests use one after the other; its time goes by its
    instructions, so that samples come fast."""

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.rig = self.stack.enter_context(Rig(ELF, options=["--no-openocd"]))
        self.openocd = self.stack.enter_context(OpenOcd(self.rig.info["jtag"]))
        self.elf = ELF
        return self

    def __exit__(self, *_):
        self.stack.close()

    def ready(self, elf):
        """As a test finds it: plugged in, the server up, this firmware running and counting."""
        self.rig.plug()
        if self.openocd.process.poll() is not None:
            self.openocd.start()
        with Tcl(self.openocd.tcl_port) as tcl:
            self.put(tcl, elf)
        self.halts = self.rig.stat()["halts"]

    def put(self, tcl, elf):
        """From a reset, with nothing left of a table, so that what counts is this run's."""
        tcl("reset halt")
        tcl.write(TABLE, [0])
        if elf != self.elf:
            self.load(tcl, elf)
        tcl("resume")
        self.counts(tcl)

    def flash(self, tcl, elf):
        """Another firmware as a debugger loads it: reset, halt, write, run."""
        tcl("reset halt")
        self.load(tcl, elf)
        tcl("resume")

    def load(self, tcl, elf):
        self.elf = elf
        load(tcl, elf)

    @staticmethod
    def counts(tcl):
        """Waits until its table counts."""
        wait_for("its table", lambda: tcl.read(TABLE)[0] == MAGIC and tcl.read(TABLE + HEARTBEAT)[0])

    def halted(self):
        """How often since it was ready."""
        return self.rig.stat()["halts"] - self.halts


def load(tcl, elf):
    """Into a halted core, which begins with it when it runs."""
    tcl(f"load_image {elf}")
    stack, entry = tcl.read(0, 2)
    tcl(f"reg msp {stack:#x}")
    tcl(f"reg pc {entry & ~1:#x}")


def with_moved_table(path):
    """The same program, whose linker puts the table elsewhere: its ELF, in this folder."""
    examples = ROOT / "examples"
    script = (examples / "board/cortex-m3/memory.ld").read_text(encoding="utf-8")
    (path / "moved.ld").write_text(script.replace("ORIGIN = 0x21000000", "ORIGIN = 0x21008000"),
                                   encoding="utf-8")
    stub = ROOT / "target-stub"
    sources = [examples / "work/main.c", examples / "start/cortex-m.c",
               *(stub / "src").glob("*.c"), *(stub / "port/cortex-m").glob("*.[cS]")]
    subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-g", "-std=c11",
                    "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-nostdlib",
                    f"-I{examples}/board/cortex-m3", f"-I{examples}/start",
                    f"-I{examples}/work", f"-L{examples}/start", f"-I{stub}/include",
                    f"-I{stub}/src", f"-I{stub}/port/cortex-m", *map(str, sources),
                    f"-T{path}/moved.ld",
                    "-Wl,--gc-sections", "-lgcc", "-o", path / "moved.elf"], check=True)
    assert symbols(path / "moved.elf")["s_prof"][0] == 0x21008000
    return path / "moved.elf"


def names(one):
    return {row["function"] for row in one["rows"]}


def timed(one):
    """Whether the object measures an interval."""
    return bool(one["rows"]) and all(row["rate"] is not None for row in one["rows"])


def has_work(one):
    return WORK <= names(one)


def has_many(one):
    return any(re.fullmatch(r"f\d+", name or "") for name in names(one))
