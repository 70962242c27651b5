# SPDX-License-Identifier: GPL-3.0-or-later
"""What hooks cost is measured on the core and subtracted: durations are the instructions that a
plugin counts. With patched entries, of the same code without hooks. With -finstrument-functions, of
the instrumented functions themselves, less what an empty one executes more than one without hooks.

usage: test_cost.py PLUGIN BOARD...
"""

import json
import os
import sys
import tempfile

import calls
import patched
from machine import Machine, functions
from support import mprof

PROBES = ("mprof_probe", "mprof_probe_plain")
FUNCTIONS = ("empty", "spin", "around", "chain", "jump_target", "jump", "jump_twice", "above", "all")
TRACE = ["-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=512"]
FEEDERS = {"patched": ["-DMPROF_TRACE_RETURNS=64"], "cyg": ["-DMPROF_TRACE_COST=1"]}
# Units of time that an instruction takes: with -icount shift=10, of SysTick at the core's clock; and
# with shift=0 of mcycle.
SYSTICK = "-DMPROF_TIME=(0xffffffu-*(volatile uint32_t *)0xE000E018u)"
CLOCKS = {"cortex-m0": (16.384, "10"), "cortex-m3": (25.6, "10"), "rv32": (1, "0")}


def build(folder, board, feeder):
    """The program with these hooks, and without: where a copy of its own code is linked to the same stub."""
    chain = calls.Toolchain(board)
    options = [*chain.options("-O2"), "-g", *TRACE, *FEEDERS[feeder]]
    options += [SYSTICK] if chain.family == "arm" else []
    hooked = chain.compile(folder, [*options, *calls.instrument(chain, feeder)], calls.sources("cost"))
    plain = chain.compile(folder + "/plain", options, calls.sources("cost"))
    objects = chain.compile(folder, options, calls.sources("console"))
    objects += calls.start_code(chain, folder, options)
    objects.append(os.path.join(folder, "libstub.a"))
    chain.archive(objects[-1], calls.stub_objects(chain, folder + "/stub", options, ("control",)))
    elf, without = os.path.join(folder, "cost.elf"), os.path.join(folder, "plain.elf")
    chain.link(elf, hooked + objects, [])
    chain.link(without, plain + objects, [])
    if feeder == "patched":
        assert set(patched.patch(elf, chain.family, set(FUNCTIONS))) == set(FUNCTIONS)
    return elf, without


def executed(elf, board, plugin, names):
    """{function: (instructions, calls)}, of its own code."""
    found = functions(elf)
    ranges = [(name, found[name]) for name in names]
    ranges += [("calls " + name, (found[name][0], found[name][0] + 1)) for name in names]
    with Machine(elf, ["-icount", "shift=0", "-semihosting-config", "enable=on,target=native"], plugin,
                 ranges, board=board) as machine:
        machine.output()
        counts = machine.counts()
    return {name: (counts[name], counts["calls " + name]) for name in names}


def expected(feeder, elf, plain, board, plugin):
    """{function: (mean instructions, calls)}"""
    names = FUNCTIONS if feeder == "patched" else (*FUNCTIONS, *PROBES)
    found = executed(plain if feeder == "patched" else elf, board, plugin, names)
    means = {name: (instructions / made, made) for name, (instructions, made) in found.items()}
    more = means[PROBES[0]][0] - means[PROBES[1]][0] if feeder == "cyg" else 0
    return {name: (means[name][0] - more, means[name][1]) for name in FUNCTIONS}


def report_of(elf, folder, board):
    options = ["-icount", "shift=" + CLOCKS[board][1], "-semihosting-config", "enable=on,target=native"]
    with Machine(elf, options, board=board) as machine:
        _, *words = machine.output().split("\n")
    raw, trace = os.path.join(folder, "prof"), os.path.join(folder, "run.trace")
    with open(raw, "wb") as file:
        file.write(bytes(int(word, 16) for word in words if word))
    done = mprof("trace", "--raw", raw, "--elf", elf, "--record", "-o", trace)
    assert done.returncode == 0, done.stderr
    table = mprof("report", trace)
    assert "is subtracted" in table.stdout, table.stdout
    return json.loads(mprof("report", trace, "--format", "json").stdout)


def check(board, feeder, report, counted):
    unit = CLOCKS[board][0]
    assert report["unit"] == "ticks" and report["hook_cost"] > 0, report
    print(f"{board} {feeder}: hooks take {report['hook_cost'] / unit:.1f} instructions a call")
    for row in report["rows"]:
        right, made = counted[row["function"]]
        assert row["calls"] == row["timed"] == made, (row, made)
        mean = row["self"] / unit / made
        print(f"  {row['function']:12} {made:4} calls, {mean:9.2f} instructions, {right:9.2f} counted")
        assert abs(mean - right) <= 0.5, (row, right)


def main():
    plugin, *boards = sys.argv[1:]
    for board in boards:
        with tempfile.TemporaryDirectory() as folder:
            for feeder in FEEDERS:
                elf, plain = build(f"{folder}/{feeder}", board, feeder)
                counted = expected(feeder, elf, plain, board, plugin)
                check(board, feeder, report_of(elf, f"{folder}/{feeder}", board), counted)


main()
