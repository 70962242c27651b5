# SPDX-License-Identifier: GPL-3.0-or-later
"""A project takes the stub in by CMake, and its calls are counted: by our hooks, not by those of the
C library, with link-time optimisation too.

usage: test_calls_project.py
"""

import os
import shutil
import tempfile

import calls

SOAK = os.environ.get("MPROF_SOAK") == "1"
PROJECT = os.path.join(calls.PROGRAM, "project")


def count(folder, compiler, hooks, optimised):
    run = calls.run
    run(["cmake", "-S", PROJECT, "-B", folder, "-DSTUB=" + calls.STUB,
         "-DCMAKE_C_COMPILER=" + compiler, "-DHOOKS=" + hooks,
         f"-DCMAKE_INTERPROCEDURAL_OPTIMIZATION={'ON' if optimised else 'OFF'}"])
    run(["cmake", "--build", folder])
    print(compiler, hooks, "LTO" if optimised else "no LTO", run([folder + "/counted"]), end="",
          flush=True)


def main():
    compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers if SOAK else compilers[:1]:
            for hooks in ("-pg", "-pg -mfentry", "-finstrument-functions"):
                for optimised in (True, False) if SOAK else (True,):
                    # In one folder, so that CMake looks at the compiler once.
                    count(f"{folder}/{compiler}", compiler, hooks, optimised)


main()
