# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooked returns survive switches of stacks, also by an interrupt, jumps out of functions, functions that do not
return, exceptions and interrupts; each entry and exit that the program counts is in the trace, or the last ones if the ring
overruns, at every position.

usage: test_returns.py BOARD...
"""

import itertools
import os
import re
import shutil
import sys
import tempfile

import calls
import patched
from support import counted, json_lines, mprof

SOAK = os.environ.get("MPROF_SOAK") == "1"


RING = 16


# Where the unwinder of libgcc finds its tables, in addition to the board's linker script.
TABLES = {
    "arm": "__exidx_start = ADDR(.ARM.exidx); __exidx_end = ADDR(.ARM.exidx) + SIZEOF(.ARM.exidx);",
    "riscv": "SECTIONS { .eh_frame : { eh_frame_start = .; KEEP(*(.eh_frame)) LONG(0) } "
             ".gcc_except_table : { *(.gcc_except_table*) } } INSERT AFTER .text;"}


# The hook of -pg hooks returns, too.
PG = ["-pg", "-fno-omit-frame-pointer", "-DHANDLER_HOOKED"]


def build(folder, board, options, name, others, wanted, link=(), plus=()):
    """wanted: functions with patched entries; None: it is compiled with PG. plus: options of a program
    in C++."""
    chain = calls.Toolchain(board)
    options = [*chain.options(options[0]), *options[1:], f'-DHOOK="{patched.HOOK}"']
    options += ["-DMPROF_PG_RETURNS=1"] * (wanted is None)
    hooked = [*options, *(PG if wanted is None else calls.instrument(chain, "patched"))]
    if plus:
        hooked = [option for option in hooked if option != "-std=gnu11"]
    objects = chain.compile(folder, [*hooked, *plus],
                            [os.path.join(calls.PROGRAM, name + (".cpp" if plus else ".c"))])
    objects += chain.compile(folder, options, calls.sources(*others))
    objects += calls.start_code(chain, folder, options)
    objects.append(os.path.join(folder, "libstub.a"))
    integers = ["-mgeneral-regs-only"] * (chain.family == "host")
    chain.archive(objects[-1], calls.stub_objects(chain, folder + "/stub", [*options, *integers],
                                                     ("control",)))
    elf = os.path.join(folder, name + ".elf")
    chain.link(elf, objects, ["-Wl,-u," + patched.HOOK, *link, *["-no-pie"] * (chain.family == "host")])
    if wanted is not None:
        found = set(patched.patch(elf, chain.family, wanted))
        assert found == wanted, found
    return elf


def cores_of(count):
    """The options of a stub for so many cores, which the program tells apart."""
    if count == 1:
        return []
    return [f"-DMPROF_CORES={count}", "-DMPROF_CORE=this_core", "-include",
            os.path.join(calls.PROGRAM, "this_core.h")]


def check(folder, board, level, returns, cores=1, pg=False):
    # Thumb-1 has no jump after a push of lr.
    tails = ["-DTAIL_CALLS"] * (level == "-O2" and board != "cortex-m0" and not pg)
    wanted = {"deep", "pass_on", "jump", "try", "leave", "task", "below"}
    elf = build(folder, board, [level, *calls.RETURNS, f"-DMPROF_TRACE_RETURNS={returns}",
                                *cores_of(cores), *tails],
                "tasks", ("console", "machine", "landed"), None if pg else wanted)
    line = calls.output(board, elf)[0]
    events, entered, left, jumps, total, interrupted, unhooked = (int(word, 16) for word in line)
    left -= interrupted if pg else 0 # which are masked there: their returns are not hooked
    print(f"{board} {'-pg ' * pg}{level}, {cores} cores, {returns} returns: {entered} entries, "
          f"{left} exits, {jumps} jumps, "
          f"{interrupted} entries in interrupts, {unhooked} without room")
    # One task ends the program, and the other one is left somewhere in deep().
    assert jumps > 20 and interrupted > 100 and total > 100, line
    assert (unhooked == 0) == (returns > 16), line
    # An exit without room is not recorded, if it comes: that of a function that is left does not.
    assert events == entered + left if unhooked == 0 else entered < events < entered + left, line
    return events


def check_preempted(folder, board, pg=False):
    """Threads whose stacks an interrupt switches, wherever they are: in a hook, too."""
    elf = build(folder, board, ["-O2", *calls.RETURNS, "-DMPROF_TRACE_RETURNS=64"], "preempt",
                ("console", "landed"), None if pg else {"deep", "pass_on"})
    events, entered, left, wrong, switches, in_hooks, unhooked = (
        int(word, 16) for word in calls.output(board, elf)[0])
    print(f"{board}{' -pg' * pg}: {entered} entries, {left} exits, {switches} switches by an "
          f"interrupt, {in_hooks} of them at the hook's first instructions")
    assert events == entered + left and wrong == unhooked == 0, (events, entered, left, wrong, unhooked)
    assert switches >= 4000 and in_hooks > 10, (switches, in_hooks)
    return events


def check_overrun(folder, board):
    """The ring has the last events, wherever in it they end: exits without their entries first."""
    elf = build(folder, board, ["-O2", "-g", "-DMPROF_CNT=0", f"-DMPROF_TRACE_CNT={RING}",
                                "-DMPROF_TRACE_RETURNS=16", "-DMPROF_TRACE_RESULTS=1"],
                "overrun", ("console",), {"left", "right"})
    ends, strays = set(), 0
    for line in calls.output(board, elf):
        count, *numbers = (int(word, 16) for word in line)
        raw = os.path.join(folder, "prof")
        with open(raw, "wb") as file:
            file.write(bytes(numbers[count:-1]))
        made = [("exit" if note & 1 else "entry", ("left", "right")[note >> 1])
                for note in numbers[:count]]
        done = mprof("trace", "--raw", raw, "--elf", elf, "--format", "json")
        assert done.returncode == 0, done.stderr
        events = json_lines(done.stdout)
        found = [(event["kind"], event["function"]) for event in events]
        assert found == made[-RING:], (board, count, found)
        # Of a call that has both in the ring, the result is that of its depth.
        results = [event["result"] for event in events if event["kind"] == "exit"]
        assert all(-5 < result < 5 for result in results), results
        graph = mprof("trace", "--raw", raw, "--elf", elf, "--graph").stdout
        opened, closed = (sum(kind == what for kind, _ in found) for what in ("entry", "exit"))
        leaves = sum(one[0] == "entry" and two == ("exit", one[1])
                     for one, two in itertools.pairwise(found))
        assert graph.count(";\n") == leaves, (graph, leaves)
        assert graph.count("{\n") == opened - leaves and graph.count("}") == closed - leaves, graph
        ends.add(count % RING)
        strays += closed > opened
    print(f"{board}: the ring ends at {len(ends)} of {RING} places, {strays} times with lone exits")
    assert len(ends) == RING, ends
    return len(ends)


def check_unwound(folder, board, pg=False, cores=1):
    """The unwinder passes hooked returns, as exceptions of C++ make it do."""
    family = calls.Toolchain(board).family
    tables = os.path.join(folder, "tables.ld")
    with open(tables, "w") as file:
        file.write(TABLES[family])
    wanted = {"fall", "look", *["go_on", "catch_it"] * (family != "arm")}
    # With -g, compilers put unwind information where debuggers alone find it.
    elf = build(folder, board, ["-O2", "-g", "-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=64",
                                "-DMPROF_TRACE_RETURNS=64", *cores_of(cores)],
                "unwound", ("console",), None if pg else wanted, ("-Wl,-T," + tables,),
                ("-fno-rtti", "-fno-threadsafe-statics"))
    events, entered, left, caught, destroyed, deep = (
        int(word, 16) for word in calls.output(board, elf)[0])
    print(f"{board}{' -pg' * pg}, {cores} cores: {entered} entries, {left} exits, {caught} exceptions, "
          f"{destroyed} destructors, {deep} frames")
    assert caught == 40 and events == entered + left, (events, entered, left, caught)
    assert destroyed == sum(turn % 7 for turn in range(40)), destroyed
    assert deep >= 2 * 8, deep # those of look(), each with where it returns to
    return events


def check_process(folder):
    """Exceptions, pthread_exit(), backtrace() and threads of a process, with -mfentry."""
    chain = calls.Toolchain("x86-64")
    options = ["-O2", "-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=64", "-DMPROF_TRACE_RETURNS=64",
               "-DMPROF_THREADS=4", "-I" + calls.STUB + "/include", "-I" + calls.STUB + "/src"]
    stub = [*options, "-mgeneral-regs-only"]
    objects = calls.stub_objects(chain, folder + "/stub", stub, every=True)
    elf = os.path.join(folder, "throws")
    source = os.path.join(calls.PROGRAM, "throws.cpp")
    calls.run(["g++", *options, "-pg", "-mfentry", "-c", source, "-o", elf + ".o"])
    calls.run(["g++", "-o", elf, elf + ".o", *objects, "-pthread"])
    events, entered, left, caught, deep = map(int, calls.run([elf]).split())
    print(f"x86-64 process: {entered} entries, {left} exits, {caught} exceptions, {deep} frames")
    assert caught == 5 * 300 and events == entered + left and entered > left, (events, entered, left)
    assert deep >= 9, deep
    check_core_file(folder, elf)
    return events


def check_core_file(folder, elf):
    """gdb finds all callers in a core file, past hooked returns."""
    core = os.path.join(folder, "core")
    if not shutil.which("gdb-multiarch"):
        print("the core file is left out: gdb-multiarch is missing (make check installs it)")
        return
    gdb = ["gdb-multiarch", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
    calls.run([*gdb, "-ex", "run", "-ex", "generate-core-file " + core, "--args", elf, "crash"])
    text = calls.run([*gdb, "-ex", "backtrace", elf, core])
    frames = re.findall(r"(?m)^#\d+ +(?:0x\w+ in )?(\S+?)[( ]", text)
    frames = frames[1:] # the first one is printed twice
    assert [name.replace("mprof_returned", "??") for name in frames] == 5 * ["look", "??"] + ["main"], text
    print("x86-64 process: gdb passes 5 hooked returns in a core file")


def main():
    events, rings = 0, 0
    if "x86-64" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            events += check_process(folder)
    for board in sys.argv[1:]:
        # With few slots the same code of all ports finds none.
        few = [("-O1", 4, 1)] * (SOAK or board == "cortex-m0")
        # Tasks go on on another core than the one that has called.
        moves = [("-O2", 64, 3)] * (SOAK or board in ("cortex-m0", "rv32"))
        moves += [("-O1", 64, 2), ("-O2", 4, 2)] * SOAK
        for level, returns, cores in [("-O2", 64, 1), *few, *moves]:
            with tempfile.TemporaryDirectory() as folder:
                events += check(folder, board, level, returns, cores)
            if board.startswith("rv"):
                with tempfile.TemporaryDirectory() as folder:
                    events += check(folder, board, level, returns, cores, pg=True)
        if board != "x86-64" and (SOAK or board == "rv32"):
            with tempfile.TemporaryDirectory() as folder:
                events += check_unwound(folder, board)
        if board == "cortex-m3": # with the code for one core, and more
            with tempfile.TemporaryDirectory() as folder:
                events += check_unwound(folder, board, cores=2)
        if board in ("cortex-m3", "rv32") or SOAK and board == "cortex-m0":
            with tempfile.TemporaryDirectory() as folder:
                events += check_preempted(folder, board)
        if board == "rv32" or SOAK and board.startswith("rv"):
            with tempfile.TemporaryDirectory() as folder:
                events += check_unwound(folder, board, pg=True, cores=1 if board == "rv64" else 2)
        if board == "rv32":
            with tempfile.TemporaryDirectory() as folder:
                events += check_preempted(folder, board, pg=True)
        if SOAK or board in ("cortex-m0", "rv32", "x86-64"): # one of each port
            with tempfile.TemporaryDirectory() as folder:
                rings += check_overrun(folder, board)
    counted(f"{events} entries and exits, {rings} rings that overran")


main()
