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
from support import SOAK, count, free_port, mprof, sampled, wait_for

# Time goes by instructions: 31.25 million a second.
OPTIONS = ["-icount", "shift=5"]
# More than enough whole seconds for the test of top, in lines of JSON.
TOP = ["-b", "-d", "0.5", "-n", "40", "--format", "json"]


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


def text_and_top(*link):
    """The report as text, and what top said of the steps, if there is time for it."""
    text = mprof("report", *link).stdout
    lines = mprof("top", *link, *TOP).stdout.splitlines() if SOAK else []
    return text, [json.loads(line)["in_step"] for line in lines]


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
    assert not SOAK or (in_step[0] is None and in_step[-1] is True), in_step

    steps, report, _ = measure(f"{folder}/out-of-step.elf", plugin, count(3000, 20000))
    assert (report["fixed_period"], report["in_step"]) == (False, None)
    for share, row in steps.values():
        assert plausible(row["hits"], report["hits"], share), (share, row)
        assert row["low"] < row["share"] < row["high"], row
    print(f"counted: {report['hits']} samples of a spare timer")


main()
