# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds and runs firmware/calls: a program whose functions know how often they were called."""

import glob
import os
import re
import subprocess

import patched
from machine import BOARDS, HANG_S, die_with_parent

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
STUB = os.path.join(ROOT, "target-stub")
EXAMPLES = os.path.join(ROOT, "examples")
PROGRAM = os.path.join(HERE, "firmware", "calls")

SOAK = os.environ.get("MPROF_SOAK") == "1"

# Of the stub's sources those that a program with hooks is linked to.
HOOKED = ("init", "clear", "gate", "call", "cost", "returns", "cyg_profile", "mcount", "patched",
          "returned")

LEVELS = ("-O0", "-O1", "-O2", "-Os", "-O3")

# -icount: the time of interrupts is that of instructions.
QEMU = ["-display", "none", "-monitor", "none", "-serial", "none", "-icount", "shift=10",
        "-semihosting-config", "enable=on,target=native"]
# Tables that have room for everything, where they are used; a microbit has 16 KB.
TABLES = dict.fromkeys(
    ("cortex-m3", "cortex-m4f", "cortex-m7", "cortex-m33", "rv32", "rv64", "x86-64"),
    ("-DMPROF_CNT=0", "-DMPROF_CALL_CNT=1024", "-DMPROF_ARC_CNT=1024"))
TABLES["cortex-m0"] = ("-DMPROF_CNT=0", "-DMPROF_CALL_CNT=256")
# A trace of entries and exits; few returns, so that some find no room.
RETURNS = ("-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=64")
TABLES[False] = ("-DMPROF_CNT=0", "-DMPROF_CALL_CNT=64")

# The compiler's options, and the function that it calls on Arm, RISC-V and x86-64.
FEEDERS = {
    "pg": (["-pg"], {"arm": "__gnu_mcount_nc", "riscv": "_mcount", "host": "mcount"}),
    "fentry": (["-pg", "-mfentry"], {"host": "__fentry__"}),
    "cyg": (["-finstrument-functions", "-DCOUNTS_INLINED"],
            dict.fromkeys(("arm", "riscv", "host"), "__cyg_profile_func_enter")),
    "patched": ([], dict.fromkeys(("arm", "riscv", "host"), patched.HOOK)),
}


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, preexec_fn=die_with_parent, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


class Toolchain:
    """The compiler of a core, and what its board asks of it."""

    def __init__(self, core):
        self.core = core
        with open(os.path.join(EXAMPLES, "board", core, "board.cmake")) as file:
            words = dict(re.findall(r"set\((\w+) ([^)]*)\)", file.read()))
        self.machine = words.get("board_machine").split()
        self.family = {"cortex-m": "arm", "riscv": "riscv"}.get(words["board_family"], "host")
        self.prefix = {"arm": "arm-none-eabi-", "riscv": "riscv64-unknown-elf-", "host": ""}[
            self.family]
        self.port = {"arm": "cortex-m", "riscv": "riscv", "host": "host"}[self.family]

    def tool(self, name):
        return self.prefix + name

    def options(self, level):
        machine = [re.sub("imac$", "imac_zicsr", word) for word in self.machine]
        return [*machine, level, "-std=gnu11", "-ffunction-sections", "-fdata-sections",
                "-ffp-contract=off", "-Wall", "-Wextra", "-Wno-unused-parameter",
                "-Wno-unused-function", "-Wshadow", "-Werror",
                *([] if self.family == "host" else ["-ffreestanding"]),
                "-I" + STUB + "/include",
                "-I" + STUB + "/src", "-I" + PROGRAM]

    def compile(self, folder, options, sources):
        """Objects in folder, named after their sources."""
        os.makedirs(folder, exist_ok=True)
        run([self.tool("gcc"), *options, "-c", *map(os.path.abspath, sources)], cwd=folder)
        return [os.path.join(folder, os.path.splitext(os.path.basename(source))[0] + ".o")
                for source in sources]

    def link(self, elf, objects, options):
        command = [self.tool("gcc"), *self.machine, *options]
        if self.family != "host":
            start = os.path.join(EXAMPLES, "start")
            command += ["-nostdlib", "-L" + start,
                        "-T" + os.path.join(EXAMPLES, "board", self.core, "memory.ld")]
        command += ["-Wl,--gc-sections", "-o", elf, *objects]
        run(command + ([] if self.family == "host" else ["-lgcc"]))

    def archive(self, path, objects):
        run([self.tool("ar"), "rcs", path, *objects])


def sources(*names):
    return [os.path.join(PROGRAM, name + ".c") for name in names]


def hook_sources(chain):
    port = os.path.join(STUB, "port", chain.port)
    return [name for name in (port + "/mcount.c", port + "/patched.c", STUB + "/src/cyg_profile.c")
            if os.path.exists(name)]


def stub_objects(chain, folder, options, also=(), every=SOAK):
    """The stub, as a project would compile it that copies the files: every one of them, or those that
    hooks need and also these; if one is missing, the linker says so."""
    port = os.path.join(STUB, "port", chain.port)
    options = [*options, "-std=gnu99", "-I" + port]
    source, of_port = ([path for path in sorted(glob.glob(place + "/*.c"))
                        if every or os.path.basename(path)[:-2] in (*HOOKED, *also)]
                       for place in (STUB + "/src", port))
    return chain.compile(folder + "/src", options, source) + chain.compile(folder + "/port", options, of_port)


def start_code(chain, folder, options):
    """The board's, instrumented where it is in C."""
    start = os.path.join(EXAMPLES, "start")
    if chain.family == "arm":
        return chain.compile(folder, options, [os.path.join(start, "cortex-m.c")])
    if chain.family == "riscv":
        keep = [word for word in options if word.startswith("-m")]
        return chain.compile(folder, keep, [os.path.join(start, "riscv.S")])
    return []


def noting():
    """The functions of the program that note their calls, and one that runs early."""
    with open(os.path.join(PROGRAM, "calls.h")) as file:
        return {"early", *re.findall(r"\bF\((\w+)\)", file.read())} - {"inlined"}


def instrument(chain, feeder):
    """The compiler's options for hooks."""
    if feeder == "patched":
        return [f"-fpatchable-function-entry={patched.COUNT[chain.family]}"]
    return FEEDERS[feeder][0]


class Build:
    """How the program is made. feeder None: without hooks. stub: with the stub to count, not with
    the test's own sink. fill: what s_prof is full of before it is set up; warm: but for its word
    that says all is on, as an earlier run leaves it. hooks and sink: other sources of the hooks,
    and options of the sink. returns: the stub traces, and has
    room for as many hooked returns. rounds: how often the program runs among interrupts, with hooks in each
    state that they have; single_steps: on x86-64 all of it does so once."""

    def __init__(self, core, feeder, level, *, lto=False, stub=False, fill=0xff, warm=False,
                 hooks=None, sink=(), rounds=0, single_steps=False, returns=0):
        self.chain = Toolchain(core)
        self.late = ["-flto"] if lto else []
        self.instrument = instrument(self.chain, feeder) if feeder else []
        names = FEEDERS[feeder][1] if feeder else {}
        self.patches = feeder == "patched"
        self.pg_returns = feeder == "pg" and returns != 0
        self.instrument = self.instrument + ["-fno-omit-frame-pointer"] * self.pg_returns
        self.hook = names.get(self.chain.family)
        self.stub, self.hooks, self.sink, self.level = stub or returns, hooks, sink, level
        tables = (*RETURNS, f"-DMPROF_TRACE_RETURNS={returns}") if returns else TABLES[stub and core]
        self.plain = self.chain.options(level) + [*tables, f"-DFILL={fill}"]
        self.plain += ["-DMPROF_PG_RETURNS=1"] * self.pg_returns
        self.plain += ["-DWARM"] * warm + [f"-DROUNDS={rounds}", f"-DSINGLE_STEPS={int(single_steps)}"]
        self.options = self.plain + self.instrument + ["-DPATCHED"] * self.patches
        if feeder:
            self.options.append(f'-DHOOK="{self.hook}"')
            self.plain.append(f'-DHOOK="{self.hook}"')

    def counting(self, folder):
        """The sink, or the stub, with the hooks in an archive."""
        chain = self.chain
        integers = ["-mgeneral-regs-only"] * (chain.family == "host")
        objects = chain.compile(folder, self.plain, sources("landed"))
        objects += chain.compile(folder, self.options + self.late, sources("registers"))
        archive = os.path.join(folder, "libhooks.a")
        early = [*self.options, *self.late, *integers, "-fno-lto"]
        if self.stub:
            objects += chain.compile(folder, self.plain, sources("stub_sink"))
            chain.archive(archive, stub_objects(chain, folder + "/stub", early))
        else:
            objects += chain.compile(folder, [*self.plain, "-O2", *integers, *self.sink],
                                     sources("sink"))
            chain.archive(archive, chain.compile(folder, early,
                                                 self.hooks or hook_sources(chain)))
        return [*objects, archive]

    def link_options(self):
        options = ["-Wl,-u," + self.hook] if self.patches else []
        if not self.late:
            return options
        options += [self.level, *self.late, *self.instrument]
        if self.hook and self.chain.family == "host": # else the C library's are taken
            options += ["-Wl,-u," + names["host"] for _, names in FEEDERS.values()]
        return options

    def make(self, folder):
        """The ELF."""
        chain = self.chain
        elf = os.path.join(folder, "calls.elf")
        objects = chain.compile(folder, self.plain, sources("machine", "console"))
        objects += chain.compile(folder, self.options + self.late, sources("program", "main"))
        objects += start_code(chain, folder, self.options + self.late)
        if self.hook:
            objects += self.counting(folder)
        else:
            objects += chain.compile(folder, self.options, sources("no_sink"))
        chain.link(elf, objects, self.link_options())
        if self.patches:
            assert "fib" in patched.patch(elf, chain.family, noting())
        return elf


def output(core, elf):
    """What it printed, as lists of words."""
    command = [*BOARDS[core], *QEMU, "-kernel", elf] if core in BOARDS else [elf]
    return [line.split() for line in run(command, timeout=HANG_S).splitlines()]


def functions(core, elf):
    """[(start, end, name)], names without what the compiler appended."""
    found = []
    for line in run([Toolchain(core).tool("nm"), "-S", elf]).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwW":
            start = int(fields[0], 16) & ~1 if core.startswith("cortex") else int(fields[0], 16)
            found.append((start, start + int(fields[1], 16), fields[3].split(".")[0]))
    return sorted(found)


def hook_name(core, feeder):
    return FEEDERS[feeder][1][Toolchain(core).family]


def disassembly(core, elf, name):
    return run([Toolchain(core).tool("objdump"), "-d", "--no-show-raw-insn",
                "--disassemble=" + name, elf])


def instructions(core, elf, name):
    """{offset: mnemonic} of a function."""
    found = [(int(addr, 16), word) for addr, word in
             re.findall(r"^\s*([0-9a-f]+):\s+(\S+)", disassembly(core, elf, name), re.M)]
    return {addr - found[0][0]: word for addr, word in found}
