# SPDX-License-Identifier: GPL-3.0-or-later
"""Loading and comparing large profiles, beside go tool pprof, in one run.

usage: bench_files.py [-o JSON] [--rounds N] [--samples N] [--folder DIR] [--check]

Two profiles each of the kinds in profiles.py, a million samples in each file. Wall time, CPU time and the largest
resident memory are what the kernel says of the process when it ends; medians over the rounds, in which both take
turns. --check: small files, and only whether both say the same.
"""

import argparse
import csv
import io
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

import profiles  # noqa: E402
from support import MPROF, environment  # noqa: E402

GO = shutil.which("go")


def pprof_program():
    """The program itself: go tool only starts it."""
    done = subprocess.run([GO, "tool", "-n", "pprof"], capture_output=True, text=True, timeout=600,
                          check=True)
    return done.stdout.split()


class Cost:
    def __init__(self, arguments, folder):
        env = dict(environment(), HOME=str(folder), PPROF_TMPDIR=str(folder))
        begin = time.monotonic()
        with open(os.devnull, "wb") as nothing:
            process = subprocess.Popen(list(map(str, arguments)), stdout=nothing, env=env,
                                       stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.stderr.close()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{arguments[0]} {arguments[1]}: {error.decode()}")
        self.wall_s = time.monotonic() - begin
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss / 1024


MEASURED = (("time", "wall_s", "s"), ("CPU time", "cpu_s", "s"), ("peak memory", "peak_mb", "MB"))


def compare(what, ours, theirs, folder, rounds):
    """Rows of one thing that both do."""
    costs = [(Cost(ours, folder), Cost(theirs, folder)) for _ in range(rounds)]
    for name, attribute, unit in MEASURED:
        value, reference = (statistics.median(getattr(cost[side], attribute) for cost in costs)
                            for side in (0, 1))
        yield {"name": f"{what}: {name}", "value": round(value, 3), "unit": unit,
               "reference": "go tool pprof", "reference_value": round(reference, 3),
               "ratio": round(value / reference, 4)}


def show(row):
    print(f"{row['name']:32} {row['value']:10.2f} {row['unit']:3} {row['reference_value']:12.2f}   "
          f"{row['ratio']:.3f}", flush=True)


def make_pair(*arguments):
    """In a process of its own: what this one holds would count as the largest size of those it starts."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(profiles.pair, arguments)


def measure(arguments, folder):
    pprof = pprof_program()
    rows = []
    print(f"{'':32} {'mprof':>10}     {'pprof':>12}   ratio")
    for kind in profiles.KINDS:
        base, new = make_pair(arguments.folder or folder, kind, arguments.samples)
        base, new = base.resolve(), new.resolve()
        for what, ours, theirs in (
                (f"{kind}: diff", ["diff", base, new], ["-diff_base", base, new]),
                (f"{kind}: load and rank", ["report", base], [base])):
            for row in compare(what, [MPROF, *ours], [*pprof, "-top", *theirs], folder,
                               arguments.rounds):
                rows.append(row)
                show(row)
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(rows, file, indent=1)


def run(arguments, folder):
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, cwd=folder,
                          stdin=subprocess.DEVNULL, timeout=300, check=True,
                          env=dict(environment(), HOME=str(folder), PPROF_TMPDIR=str(folder)))
    return done.stdout


def by_number(rows):
    """pprof shortens the names; each has a number of its own."""
    return {re.search(r"_(\d+)", name)[1]: int(hits) for name, hits in rows if int(hits)}


def check(folder):
    """Each function must have the same hits in both."""
    for kind, index, more in (("deep", "samples", []), ("arcs", "calls", ["-noinlines"])):
        for path in profiles.pair(folder, kind, 5000):
            top = run([*pprof_program(), "-top", "-nodefraction=0", "-nodecount=100000",
                       f"-sample_index={index}", *more, path], folder)
            theirs = by_number((name, hits) for hits, name in re.findall(
                r"^ *(\d+) +[\d.]+% +[\d.]+% +\d+ +[\d.]+% +(\S.*)$", top, re.M))
            rows = csv.DictReader(io.StringIO(run([MPROF, "report", path, "--format", "csv",
                                                   "--limit", "100000"], folder)))
            ours = by_number((row["function"], row["hits"]) for row in rows)
            different = sorted(set(ours.items()) ^ set(theirs.items()))[:10]
            if not ours or different:
                sys.exit(f"{path.name}: {len(ours)} functions; different: {different}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", dest="output")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--samples", type=int, default=1000000)
    parser.add_argument("--folder", help="where profiles are kept for the next time")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.check:
            check(folder)
        else:
            measure(arguments, folder)


main()
