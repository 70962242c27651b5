# SPDX-License-Identifier: GPL-3.0-or-later
"""A loop of exactly ten periods of a fixed timer has shares without intervals; with the periods that
the stub gives, the shares are the true ones.

usage: test_in_step.py FOLDER PLUGIN
"""

import json
import math
import sys

from chance import plausible
from machine import Machine, functions, named
from support import SOAK, count, counted, free_port, mprof, sampled, start, stop, wait_for

# Time goes by instructions: 31.25 million a second.
OPTIONS = ["-icount", "shift=5"]
# On a busy machine a second of the core's time takes many of ours.
TOP = ["-d", "2", "-n", "1000000", "--format", "json"]


def measure(elf, plugin, hits, more=lambda *link: None):
    """function -> (share of the executed instructions, row), the report, and what more() returns."""
    found = named(functions(elf), ["step_"])
    link = ["--gdb", f":{free_port()}"]
    with Machine(elf, [*OPTIONS, "-gdb", "tcp:127.0.0.1" + link[1]], plugin,
                 sorted(found.items())) as machine:
        wait_for("the firmware runs", lambda: machine.counts()["step_last"] > 0)
        report = sampled(elf, hits, *link)
        other = more("--elf", elf, *link)
        counts = machine.counts()
    rows = {row["function"]: row for row in report["rows"]}
    shares = {name: counts[name] / sum(counts.values()) for name in found}
    for name, share in shares.items():
        print(f"{name}: executed {share:.4f}, shown {rows.get(name, {}).get('share', 0):.4f}")
    return {name: (share, rows.get(name)) for name, share in shares.items()}, report, other


def found_in_step(*link):
    """What top says of the steps, until it has found out. How many samples it needs for that is a
    matter of chance, and how soon it has them one of the machine."""
    said = []
    process = start("top", *link, *TOP)
    try:
        while not said or not said[-1]:
            said.append(json.loads(process.stdout.readline())["in_step"])
    finally:
        stop(process)
    counted(f"{len(said)} refreshes of top until it said that the samples are in step")
    return said


def text_and_top(*link):
    """The report as text, and what top said of the steps, with full counts."""
    return mprof("report", *link).stdout, found_in_step(*link) if SOAK else []


def holds(share, row, hits):
    """Whether Wilson's interval of the hits that were counted has the share."""
    seen = row["share"] if row else 0
    return abs(share - seen) <= 1.96 * math.sqrt(share * (1 - share) / hits)


def main():
    folder, plugin = sys.argv[1:]
    steps, report, (text, in_step) = measure(f"{folder}/in-step.elf", plugin, count(3000, 20000),
                                             text_and_top)
    assert not any(holds(*step, report["hits"]) for step in steps.values()), steps
    assert (report["fixed_period"], report["tick_locked"], report["in_step"]) == (True, False, None)
    assert all(row["low"] is None and row["high"] is None for row in report["rows"]), report
    assert "fixed timer period" in text, text
    assert not SOAK or in_step[0] is None, in_step

    steps, report, _ = measure(f"{folder}/out-of-step.elf", plugin, count(3000, 20000))
    assert (report["fixed_period"], report["in_step"]) == (False, None)
    for share, row in steps.values():
        assert plausible(row["hits"], report["hits"], share), (share, row)
        assert row["low"] < row["share"] < row["high"], row
    print(f"counted: {report['hits']} samples of a spare timer")


main()
