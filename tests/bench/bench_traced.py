# SPDX-License-Identifier: GPL-3.0-or-later
"""Nanoseconds of a call that is recorded: by the stub, glibc's gprof, uftrace (if it is installed), and nobody.

usage: bench_traced.py FOLDER [-o FILE]

Programs take turns, and the best round of each counts: a busy machine only adds to it. A round is so short that
some have the processor to themselves.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

TURNS = 5
CALLS = 20000
LIMIT_NS = 40


class Case:
    def __init__(self, name, program, before=(), file=False):
        self.name, self.program, self.before, self.file = name, program, before, file
        self.best = None

    def run(self, folder):
        env = dict(os.environ, MPROF_FILE=f"{folder}/s_prof" if self.file else "")
        text = subprocess.run([*self.before, str(self.program), str(CALLS)], cwd=folder, env=env, check=True,
                              capture_output=True, text=True).stdout
        ns = float(text.split()[0])
        self.best = ns if self.best is None else min(self.best, ns)


def cases(folder):
    yield Case("nothing", folder / "traced-nothing")
    yield Case("mprof, entry and exit (-finstrument-functions)", folder / "traced-mprof-exits")
    yield Case("mprof, entry and exit, into a file", folder / "traced-mprof-exits", file=True)
    yield Case("mprof, entry (-pg -mfentry)", folder / "traced-mprof-entries")
    yield Case("glibc gprof (-pg), which counts arcs", folder / "traced-gprof")
    if shutil.which("uftrace"):
        yield Case("uftrace record (-pg -mfentry), entry and exit", folder / "traced-uftrace",
                   ("uftrace", "record", "--no-pager"))
    else:
        print("uftrace is not installed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    all_cases = list(cases(arguments.folder.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(TURNS):
            for case in all_cases:
                case.run(folder)
    nothing = all_cases[0].best
    for case in all_cases:
        print(f"{case.best:8.1f} ns  {case.name}")
    print(f"wanted: at most {LIMIT_NS} ns for entry and exit")
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        rows = [{"name": f"a call, {case.name}", "value": case.best, "unit": "ns", "reference": "nothing",
                 "reference_value": nothing, "ratio": case.best / nothing} for case in all_cases[1:]]
        arguments.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
