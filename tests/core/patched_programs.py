# SPDX-License-Identifier: GPL-3.0-or-later
"""Generates programs whose functions have nops at their start, builds and runs them."""

import glob
import os
import random
import struct

import calls
from calls import EXAMPLES, QEMU, Toolchain, run
from machine import BOARDS, HANG_S
from patched import COUNT, HOOK

HERE = os.path.dirname(os.path.abspath(__file__))
# Parts of the stub that have nothing to do with calls.
UNUSED = {"isr", "file", "mtimer", "other_side", "port_check", "print", "selfcheck", "spare_timer",
          "systick", "systick_time", "table", "timer", "trace_dump", "trace_send"}
HANDLERS = 8  # functions that interrupts call


def body(rng, index, handlers):
    """The statements of a function, which calls functions of lower numbers."""
    lines = [f"called[{index}]++;", f"x = x * {rng.randrange(3, 99999, 2)}u + {rng.randrange(9999)}u;"]
    for _ in range(rng.randrange(4)):
        lines.append(rng.choice([
            f"if (x & {1 << rng.randrange(8)}u) x ^= x >> {rng.randrange(1, 15)};",
            f"for (uint32_t i = 0; i < {rng.randrange(1, 5)}u; i++) x += words[(x + i) % 16];",
            f"words[x % 16] += {rng.randrange(99)}u;" if not handlers else "x++;",
            f"x = (uint32_t)((uint64_t)x * {rng.randrange(9, 999)}u >> 7);"]))
    if index and not handlers and rng.random() < 0.7:
        callee = f"f{rng.randrange(index)}"
        lines.append(rng.choice([f"return {callee}(x >> 1);", f"x += {callee}(x);",
                                 f"if (x & 1u) x -= {callee}(~x);"]))
    return " ".join(lines) + " return x;"


def generate(folder, seed, count, rounds):
    """functions.h and functions.c: `uint32_t fN(uint32_t)`. A static function is called by those
    above it and by the table only."""
    rng = random.Random(seed)
    thread = count - HANDLERS
    with open(os.path.join(folder, "functions.h"), "w") as file:
        file.write(f"#include <stdint.h>\n#define FUNCTIONS {count}\n#define OF_THREAD {thread}\n"
                   f"#define ROUNDS {rounds}u\nextern uint32_t (*const functions[FUNCTIONS])"
                   "(uint32_t);\nextern uint32_t called[FUNCTIONS];\nvoid forget(void);\n")
    with open(os.path.join(folder, "functions.c"), "w") as file:
        file.write('#include "functions.h"\nstatic uint32_t words[16];\n')
        for index in range(count):
            where = rng.choice(["static ", ""])
            declared = f"{where}__attribute__((noinline, noclone)) uint32_t f{index}(uint32_t x)"
            file.write(f"{declared};\n{declared}\n{{ {body(rng, index, index >= thread)} }}\n")
        file.write("void forget(void)\n{\n    for (int i = 0; i < 16; i++)\n"
                   "        ((volatile uint32_t *)words)[i] = 0;\n}\n")
        names = ", ".join(f"f{index}" for index in range(count))
        file.write(f"uint32_t (*const functions[FUNCTIONS])(uint32_t) = {{{names}}};\n")
    return thread


def compile_with(chain, compiler, folder, options, sources):
    if compiler == "gcc":
        return chain.compile(folder, options, sources)
    options = [word for word in options if word != "-ffp-contract=off"]
    options.append("-Dnoclone=noinline")  # which clang does not know
    run([compiler, *options, "-c", *map(os.path.abspath, sources)], cwd=folder)
    return [os.path.join(folder, os.path.basename(source)[:-1] + "o") for source in sources]


def build(core, folder, level, count, *, rounds=2, seed=1, lto=False, compiler="gcc",
          main="main", options=()):
    """The ELF file of a generated program, all of whose objects have nops, those of the stub too."""
    chain = Toolchain(core)
    generate(folder, seed, count, rounds)
    items = 1 << (2 * count - 1).bit_length()
    nops = f"-fpatchable-function-entry={COUNT[chain.family]}"
    plain = [*chain.options(level), "-g", "-DMPROF_CNT=0", nops,
             *(options or [f"-DMPROF_CALL_CNT={items}"]),
             "-I" + folder, "-I" + os.path.join(HERE, "firmware"),
             "-I" + os.path.join(EXAMPLES, "board", core)]
    plain += ["-fno-pie"] * (chain.family == "host")  # a dump says nothing of where it was loaded
    late = ["-flto"] if lto else []
    # Without optimisation, an interrupt's way back takes as long as it is to the next one, and the
    # stub's exclusive accesses longer, so that none would ever succeed.
    small = ["-Os" if word == level else word for word in plain]
    objects = compile_with(chain, compiler, folder, plain + late,
                           [os.path.join(folder, "functions.c")])
    objects += compile_with(chain, compiler, folder, small,
                            [os.path.join(HERE, "firmware", "instrument", main + ".c")])
    objects += calls.start_code(chain, folder, plain)
    integers = ["-mgeneral-regs-only"] * (chain.family == "host")
    port = os.path.join(calls.STUB, "port", chain.port)
    parts = [path for path in sorted(glob.glob(calls.STUB + "/src/*.c") + glob.glob(port + "/*.c"))
             if os.path.basename(path)[:-2] not in UNUSED]
    stub = chain.compile(folder + "/stub", [*small, *integers, "-fno-lto", "-I" + port], parts)
    archive = os.path.join(folder, "libstub.a")
    chain.archive(archive, stub)
    elf = os.path.join(folder, "plain.elf")
    chain.link(elf, [*objects, archive],
               ["-Wl,-u,mprof_patched_entry", *["-no-pie"] * (chain.family == "host"),
                *(["-flto", level] if lto else [])])
    return elf


def hook_range(chain, elf):
    """(start, end) of the first instruction of the hook."""
    start = next(int(line.split()[0], 16) for line in run([chain.tool("nm"), elf]).splitlines()
                 if line.endswith(" " + HOOK))
    start -= chain.family == "arm" and start % 2
    return start, start + (1 if chain.family == "host" else 2)


def execute(core, elf, folder):
    """(what it printed, how often it called each function); the file "prof" is in the folder."""
    command = [*BOARDS[core], *QEMU, "-kernel", elf] if core in BOARDS else [elf]
    printed = run(command, cwd=folder, timeout=HANG_S).split()
    with open(os.path.join(folder, "called"), "rb") as file:
        called = [number for number, in struct.iter_unpack("<I", file.read())]
    return printed, {f"f{index}": number for index, number in enumerate(called)}
