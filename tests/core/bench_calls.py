# SPDX-License-Identifier: GPL-3.0-or-later
"""Executed instructions of a call that is counted, or not, and the size of the hooks.

usage: bench_calls.py PLUGIN [-o JSON] [--check]
What a call costs is what an instrumented function without arguments executes more than the same
function without hooks, its own frame included. --check fails when a limit is passed.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile

import calls
import patched
from machine import Machine, functions

CORES = ("cortex-m0", "cortex-m3", "rv32")
OPTIONS = ["-icount", "shift=0", "-semihosting-config", "enable=on,target=native"]
ITEM = ("item", "-DMPROF_CNT=0", "-DMPROF_CALL_CNT=64", "-DMPROF_ARC_CNT=0")
ARC = ("arc", "-DMPROF_CNT=0", "-DMPROF_CALL_CNT=0", "-DMPROF_ARC_CNT=64")
TRACE = ("trace", "-DMPROF_CNT=0", "-DMPROF_CALL_CNT=0", "-DMPROF_ARC_CNT=0", "-DMPROF_TRACE_CNT=64")
SYSTICK = ("trace, SysTick", *TRACE[1:], "-DMPROF_TIME_SYSTICK=1")
RETURNS = ("trace, exits", *TRACE[1:], "-DMPROF_TRACE_RETURNS=64")
BUILDS = (("pg", ITEM), ("pg", ARC), ("pg", TRACE), ("cyg", ITEM), ("cyg", TRACE), ("patched", TRACE),
          ("patched", RETURNS))
PG_RETURNS = (*RETURNS, "-DMPROF_PG_RETURNS=1")
BUILDS_RISCV = (*BUILDS, ("pg", PG_RETURNS))
BUILDS_ARM = (*BUILDS, ("pg", SYSTICK))
# Those whose limits are checked, if not all are.
LIMITED = (("pg", ITEM), ("pg", TRACE), ("cyg", ITEM), ("patched", RETURNS))
CHECKED = {"cortex-m0": (("pg", TRACE), ("pg", SYSTICK), ("patched", RETURNS)),
           "cortex-m3": (*LIMITED, ("pg", ARC)), "rv32": (*LIMITED, ("pg", PG_RETURNS))}
FILTERED = ("in 1 range", "outside of 1 range", "in the last of 8 ranges", "behind 8 ranges")
NOT_MEASURED = ("main", "call", "mark_begin", "mark_end", "put", "mprof_mtimer_entry")

# The most that it may be: instructions by core and row, and bytes of a hook.
LIMITS = {
    ("cortex-m3", "pg, off"): 13, ("cortex-m3", "pg, item"): 42, ("cortex-m3", "pg, arc"): 48,
    ("cortex-m0", "pg, trace"): 40, ("cortex-m0", "pg, trace, SysTick"): 62,
    ("cortex-m3", "pg, trace"): 32, ("rv32", "pg, trace"): 36,
    ("rv32", "pg, off"): 16, ("rv32", "pg, item"): 44,
    ("cortex-m0", "patched, trace, exits"): 105, ("cortex-m3", "patched, trace, exits"): 90,
    ("rv32", "patched, trace, exits"): 120, ("rv32", "pg, trace, exits"): 125,
    ("cortex-m0", "patched, not chosen"): 3, ("cortex-m3", "patched, not chosen"): 3,
    ("rv32", "patched, not chosen"): 2,
}
SIZE_LIMITS = {("arm", "pg"): 72, ("riscv", "pg"): 52, ("arm", "cyg"): 40, ("riscv", "cyg"): 28}


def build(folder, core, feeder, blocks, level="-O2"):
    """The stub is built as a user would, with its hooks in the archive."""
    chain = calls.Toolchain(core)
    options = [*chain.options(level), *blocks]
    hooks = [*calls.instrument(chain, feeder), *["-fno-omit-frame-pointer"] * (blocks[-1] == PG_RETURNS[-1])]
    objects = chain.compile(folder, [*options, *hooks], calls.sources("bench"))
    objects += chain.compile(folder, options, calls.sources("console"))
    objects += calls.start_code(chain, folder, options)
    objects.append(os.path.join(folder, "libstub.a"))
    chain.archive(objects[-1], calls.stub_objects(chain, folder + "/stub", options, ("systick_time",)))
    elf = os.path.join(folder, "bench.elf")
    chain.link(elf, objects, ["-Wl,-u," + patched.HOOK] if feeder == "patched" else [])
    return elf


def instructions(plugin, core, elf, hook):
    """{event: (instructions in all, of them in the hook)}"""
    found = functions(elf)
    ranges = [(name[:39], addrs) for name, addrs in found.items() if name not in NOT_MEASURED]
    with Machine(elf, OPTIONS, plugin, ranges, (found["mark_begin"][0], found["mark_end"][0]),
                 board=core) as machine:
        names = machine.output().splitlines()
        marked = machine.marked()
    assert len(names) == len(marked), (len(names), len(marked))
    return {name: (sum(counts.values()), counts[hook]) for name, counts in zip(names, marked)}


def row(name, value, unit, limit):
    return {"name": name, "value": value, "unit": unit, "reference": None, "reference_value": None,
            "ratio": None, "limit": limit}


def rows_of(plugin, folder, core, builds):
    rows = []
    family = calls.Toolchain(core).family
    for feeder, (kind, *blocks) in builds:
        hook = calls.hook_name(core, feeder)
        elf = build(f"{folder}/{core}-{feeder}-{kind}", core, feeder, blocks)
        nops = instructions(plugin, core, elf, hook)["off"][0] if feeder == "patched" else 0
        if feeder == "patched":
            patched.patch(elf, family, {"hooked"})
        found = instructions(plugin, core, elf, hook)
        plain = found["plain"][0]

        def add(what, event):
            total, of_hook = found[event]
            rows.append(row(f"{core} {feeder}, {what}", total - plain, "instructions",
                            LIMITS.get((core, f"{feeder}, {what}"))))
            rows[-1]["hook"] = of_hook

        if kind == "item":
            start, end = functions(elf)[hook]
            rows.append(row(f"{core} {feeder}, size", end - start, "bytes",
                            SIZE_LIMITS[family, feeder]))
            add("off", "off")
            add("before mprof_init", "before mprof_init")
        add(kind, "hit, way 1")
        if kind == RETURNS[0]:
            add("trace, exits, off", "off")
        if kind == RETURNS[0] and feeder == "patched":
            rows.append(row(f"{core} patched, not chosen", nops - plain, "instructions",
                            LIMITS[core, "patched, not chosen"]))
        if kind == "trace" and feeder == "pg":
            for event in FILTERED:
                add(f"trace, {event}", event)
    return rows


def builds_of(core):
    return {"arm": BUILDS_ARM, "riscv": BUILDS_RISCV}.get(calls.Toolchain(core).family, BUILDS)


def measure(plugin, cores, checked):
    with tempfile.TemporaryDirectory() as folder:
        return [row for core in cores if shutil.which(calls.Toolchain(core).tool("gcc"))
                for row in rows_of(plugin, folder, core, checked.get(core) or builds_of(core))]


def show(rows):
    print("A counted call, gcc -O2, executed instructions (exact) over those of the same function "
          "without hooks")
    print(f"{'':34} {'mprof':>6} {'limit':>6}   of them in the hook")
    for line in rows:
        limit = "" if line["limit"] is None else line["limit"]
        print(f"{line['name']:34} {line['value']:>6} {limit:>6}   {line.get('hook', '')}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugin")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    cores = sorted({core for core, _ in LIMITS}) if arguments.check else CORES
    rows = measure(arguments.plugin, cores, CHECKED if arguments.check else {})
    show(rows)
    over = [line["name"] for line in rows if line["limit"] and line["value"] > line["limit"]]
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump([{key: value for key, value in line.items() if key not in ("limit", "hook")}
                       for line in rows], file, indent=1)
    if arguments.check and over:
        sys.exit("over the limit: " + ", ".join(over))


if __name__ == "__main__":
    main()
