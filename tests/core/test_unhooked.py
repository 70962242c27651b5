# SPDX-License-Identifier: GPL-3.0-or-later
"""The stub's code can run inside a hook: it calls none, and touches no floating point register.

usage: test_unhooked.py CORE...
All of it is compiled as a project would that copies the files: with its own options, its -pg,
-finstrument-functions, and vectors where the core has them.
"""

import os
import re
import sys
import tempfile

import calls

HOOKS = re.compile(r"^(\S+): +U (__gnu_mcount_nc|_?mcount|__fentry__|__cyg_profile_func_\w+)$", re.M)
FLOATS = {"arm": re.compile(r"\tv[a-z]+(\.[a-z0-9]+)*\t.*", re.I),
          "host": re.compile(r".*%[xyz]mm\d+.*"),
          "riscv": re.compile(r"\t(f[a-z]+\.[sdx]|f[ls][wd]|c\.f\w+)\b.*")}
CONFIGURATIONS = (
    ("-DMPROF_CNT=64", "-DMPROF_CALL_CNT=64", "-DMPROF_ARC_CNT=64", "-DMPROF_STREAM_CNT=64",
     "-DMPROF_HIST_CNT=64", "-DMPROF_HIST_BASE=0x1000", "-DMPROF_IGNORE_CNT=2", "-DMPROF_DECAY=1"),
    ("-DMPROF_CNT=0", "-DMPROF_CALL_CNT=64", "-DMPROF_CORES=2", "-DMPROF_CORE=0"),
)


def faults(folder, core, level, configuration):
    chain = calls.Toolchain(core)
    vectors = {"host": ["-mavx2"]}.get(chain.family, [])
    objects = calls.stub_objects(chain, folder, [
        *chain.options(level), *vectors, "-pg", "-finstrument-functions", "-ftree-vectorize", *configuration],
        every=True)
    name = f"{core} {level}"
    # One process for all objects: starting one for each takes longer than the work.
    found = [f"{name} {os.path.basename(path)} calls {hook}" for path, hook in
             HOOKS.findall(calls.run([chain.tool("nm"), "-A", *objects]))]
    code = calls.run([chain.tool("objdump"), "-d", "--no-show-raw-insn", *objects])
    _, *parts = re.split(r"^(\S+): +file format .*$", code, flags=re.M)
    assert parts[::2] == objects, parts[::2]
    for path, part in zip(parts[::2], parts[1::2]):
        found += [f"{name} {os.path.basename(path)} has{match.group(0)}"
                  for match in FLOATS[chain.family].finditer(part)]
    return found, len(objects)


def main():
    found, all_objects = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for core in sys.argv[1:]:
            soak = os.environ.get("MPROF_SOAK") == "1"
            for level in ("-O3", "-O0") if soak else ("-O3",):
                for index, configuration in enumerate(CONFIGURATIONS[:2 if soak else 1]):
                    faulty, objects = faults(f"{folder}/{core}{level}{index}", core, level,
                                             configuration)
                    print(f"{core} {level}: {objects} objects, {len(faulty)} faults")
                    found += faulty
                    all_objects += objects
    if found:
        sys.exit("\n".join(found[:40]))
    print(f"counted: {all_objects} objects, none calls a hook or computes with floats")


main()
