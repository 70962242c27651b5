# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooked returns survive switches of stacks, jumps out of functions, functions that do not return and
interrupts; each entry and exit that the program counts is in the trace.

usage: test_returns.py BOARD...
"""

import os
import sys
import tempfile

import calls
import patched

SOAK = os.environ.get("MPROF_SOAK") == "1"


def build(folder, board, level, returns):
    chain = calls.Toolchain(board)
    options = [*chain.options(level), *calls.RETURNS, f"-DMPROF_TRACE_RETURNS={returns}",
               f'-DHOOK="{patched.HOOK}"']
    objects = chain.compile(folder, [*options, *calls.instrument(chain, "patched")],
                            calls.sources("tasks"))
    objects += chain.compile(folder, options, calls.sources("console", "machine", "landed"))
    objects += calls.start_code(chain, folder, options)
    objects.append(os.path.join(folder, "libstub.a"))
    integers = ["-mgeneral-regs-only"] * (chain.family == "host")
    chain.archive(objects[-1], calls.stub_objects(chain, folder + "/stub", [*options, *integers]))
    elf = os.path.join(folder, "tasks.elf")
    chain.link(elf, objects, ["-Wl,-u," + patched.HOOK])
    wanted = {"deep", "jump", "try", "leave", "task", "below"}
    found = set(patched.patch(elf, chain.family, wanted))
    assert found == wanted, found
    return elf


def check(folder, board, level, returns):
    elf = build(folder, board, level, returns)
    line = calls.output(board, elf)[0]
    events, entered, left, jumps, total, interrupted, unhooked = (int(word, 16) for word in line)
    print(f"{board} {level}, {returns} returns: {entered} entries, {left} exits, {jumps} jumps, "
          f"{interrupted} entries in interrupts, {unhooked} without room")
    # One task ends the program, and the other one is left somewhere in deep().
    assert jumps > 20 and interrupted > 100 and total > 100, line
    assert (unhooked == 0) == (returns > 16), line
    # An exit without room is not recorded, if it comes: that of a function that is left does not.
    assert events == entered + left if unhooked == 0 else entered < events < entered + left, line


def check_process(folder):
    """Exceptions, pthread_exit(), backtrace() and threads of a process, with -mfentry."""
    chain = calls.Toolchain("x86-64")
    options = ["-O2", "-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=64", "-DMPROF_TRACE_RETURNS=64",
               "-DMPROF_THREADS=4", "-I" + calls.STUB + "/include", "-I" + calls.STUB + "/src"]
    stub = [*options, "-mgeneral-regs-only"]
    objects = calls.stub_objects(chain, folder + "/stub", stub)
    elf = os.path.join(folder, "throws")
    source = os.path.join(calls.PROGRAM, "throws.cpp")
    calls.run(["g++", *options, "-pg", "-mfentry", "-c", source, "-o", elf + ".o"])
    calls.run(["g++", "-o", elf, elf + ".o", *objects, "-pthread"])
    events, entered, left, caught, deep = map(int, calls.run([elf]).split())
    print(f"x86-64 process: {entered} entries, {left} exits, {caught} exceptions, {deep} frames")
    assert caught == 5 * 300 and events == entered + left and entered > left, (events, entered, left)
    assert deep >= 9, deep


def main():
    if "x86-64" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            check_process(folder)
    for board in sys.argv[1:]:
        # With few slots the same code of all ports finds none.
        few = [("-O1", 4)] * (SOAK or board in ("cortex-m0", "rv64"))
        for level, returns in [("-O2", 64), *few]:
            with tempfile.TemporaryDirectory() as folder:
                check(folder, board, level, returns)


main()
