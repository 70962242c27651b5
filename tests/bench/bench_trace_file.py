# SPDX-License-Identifier: GPL-3.0-or-later
"""What printing and reporting a trace file cost, in events a second of one core's time; and uftrace, if it is
installed, with the same calls.

usage: bench_trace_file.py TRACE_EVENTS [-o JSON] [--events N] [--rounds N]

TRACE_EVENTS writes the file. The commands take turns in each round; times are medians of user and
system time, which other programs on the machine disturb less than the wall's.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile

MPROF = os.path.join(os.environ["MPROF_BUILD"], "mprof")

# Events a second that are aimed at.
AIMS = {"print": 5e6, "report": 20e6}
# What does the same job.
REFERENCES = {"print": "uftrace replay", "print, JSON": "uftrace replay", "print, graph": "uftrace replay",
              "report": "uftrace report"}


def cpu_s(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def uftrace_commands(folder, path):
    """{name: command}, on the calls of this trace file."""
    if not shutil.which("uftrace"):
        print("uftrace is not installed")
        return {}
    data = os.path.join(folder, "uftrace")
    subprocess.run([MPROF, "export", path, "--format", "uftrace", "-o", data], check=True)
    return {f"uftrace {verb}": ["uftrace", verb, "-d", data, "--no-pager"] for verb in ("replay", "report")}


def print_rates(rates):
    print(f"{'':16}{'million events/s':>18}{'at least':>10}   beside")
    for name, rate in rates.items():
        aim, other = AIMS.get(name), REFERENCES.get(name)
        beside = f"{rate / rates[other]:.1f} x {other}" if other in rates else ""
        print(f"{name:16}{rate / 1e6:18.1f}{f'{aim / 1e6:.0f}' if aim else '':>10}   {beside}")


def rows_of(rates):
    for name, rate in rates.items():
        other = REFERENCES.get(name)
        yield {"name": name, "value": rate, "unit": "events/s", "reference": other if other in rates else None,
               "reference_value": rates.get(other), "ratio": rate / rates[other] if other in rates else None,
               "aim": AIMS.get(name)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace_events")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--events", type=int, default=5000000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "made.trace")
        subprocess.run([args.trace_events, path, str(args.events)], check=True)
        commands = {"print": [MPROF, "trace", path],
                    "print, JSON": [MPROF, "trace", path, "--format", "json"],
                    "print, graph": [MPROF, "trace", path, "--graph"],
                    "report": [MPROF, "report", path], **uftrace_commands(folder, path)}
        times = {name: [] for name in commands}
        for _ in range(args.rounds):
            for name, command in commands.items():
                times[name].append(cpu_s(command))
        size = os.path.getsize(path) / args.events
    print(f"{args.events} events of 500 functions, {size:.2f} bytes each\n")
    rates = {name: args.events / statistics.median(seconds) for name, seconds in times.items()}
    print_rates(rates)
    rows = list(rows_of(rates))
    rows.append({"name": "size", "value": size, "unit": "bytes/event", "reference": "aim",
                 "reference_value": 6, "ratio": size / 6})
    if args.output:
        pathlib.Path(args.output).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(args.output).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
