# SPDX-License-Identifier: GPL-3.0-or-later
"""Call hooks count every call and change nothing else, whatever the compiler makes of the program.

usage: test_calls.py CORE...   (MPROF_SOAK=1: every core's every level, feeder and LTO)
"""

import collections
import functools
import itertools
import os
import re
import shutil
import sys
import tempfile

import calls

SOAK = os.environ.get("MPROF_SOAK") == "1"

LTO = {"lto": True}
STUB = {"stub": True}
RETURNS = {"returns": 64}
FULL = {"returns": 4}
WARM = {"stub": True, "warm": True}
# Cores of one instruction set share what differs: each feeder, level and kind is there once for it, and
# each of the hooks' sources on each core that has one of its own.
SHORT = {
    "cortex-m0": [("pg", "-Os", STUB), ("pg", "-O2", LTO), ("cyg", "-O0", {}),
                  ("patched", "-O2", {}), ("patched", "-Os", RETURNS)],
    "cortex-m3": [("pg", "-O2", WARM), ("pg", "-O3", LTO), ("cyg", "-O2", STUB),
                  ("patched", "-Os", STUB), ("patched", "-O2", FULL)],
    "cortex-m4f": [("pg", "-O3", STUB), ("patched", "-O1", {}), ("patched", "-O2", RETURNS)],
    "cortex-m7": [("pg", "-Os", STUB)],
    "cortex-m33": [("pg", "-O1", {})],
    "rv32": [("pg", "-O2", WARM), ("pg", "-Os", LTO), ("cyg", "-O1", {}), ("patched", "-O2", RETURNS),
             ("patched", "-Os", FULL), ("pg", "-O2", RETURNS)],
    "rv64": [("pg", "-O0", {}), ("pg", "-O3", {**STUB, **LTO}), ("patched", "-Os", {}),
             ("patched", "-O2", RETURNS), ("pg", "-Os", FULL)],
    "x86-64": [("pg", "-O2", STUB), ("pg", "-O0", LTO), ("fentry", "-O3", {**STUB, **LTO}),
               ("cyg", "-Os", {}), ("patched", "-O2", RETURNS), ("fentry", "-O2", RETURNS),
               ("fentry", "-Os", FULL)],
}
FILL = {"-O0": 0xa5, "-O1": 0x00, "-O2": 0xff, "-Os": 0xff, "-O3": 0xab}

# A hook that forgets an argument's register; a stub that uses a floating point register.
BROKEN = [
    ("cortex-m0", "pop {r0, r1, r2, r3, r4, pc}", r"pop {r0, r1}\n\tadd sp, #4\n\tpop {r3, r4, pc}", ()),
    ("cortex-m3", "pop {r0, r1, r2, r3, ip, lr}",
     r"pop {r0, r1}\n\tadd sp, #4\n\tpop {r3, ip, lr}", ()),
    ("cortex-m4f", None, None, ("-DBREAK_FP",)),
    ("x86-64", "pop %r8", "add $8, %rsp", ()),
    ("x86-64", None, None, ("-DBREAK_FP",)),
]

# Of the program among interrupts.
# So many that each instruction of a hook is interrupted a dozen times in the mean, of those that
# are seldom executed too.
ROUNDS = 48 if SOAK else 32
ROUNDS_X86_64 = 4 if SOAK else 2

FAILURES = (AssertionError, SystemExit, calls.subprocess.TimeoutExpired)


COUNTED = collections.Counter()


def everything(core):
    feeders = ("pg", "fentry", "cyg", "patched") if core == "x86-64" else ("pg", "cyg", "patched")
    kinds = ({}, LTO, STUB, {**WARM, **LTO})
    exits = [(feeder, "-O2", kind) for feeder in {"patched", feeders[1]} - {"cyg"}
             for kind in (RETURNS, FULL)]
    if core.startswith("rv"):
        exits += [("pg", level, RETURNS) for level in calls.LEVELS]
    return list(itertools.product(feeders, calls.LEVELS, kinds)) + exits


class Report:
    """What a run of the program printed."""

    def __init__(self, lines):
        assert lines and lines[-1] == ["end"], lines[-3:]
        self.values = {words[0]: int(words[1], 16) for words in lines if len(words) == 2}
        self.results = [words for words in lines if "result" in words[0]]
        self.noted = {words[1]: [int(word, 16) for word in words[2:]]
                      for words in lines if words[0] == "noted"}
        self.arcs = [[int(word, 16) for word in words[1:]] for words in lines if words[0] == "arc"]
        self.items = [[int(word, 16) for word in words[1:]] for words in lines
                      if words[0] == "item"]
        self.landed = {int(word, 16) for words in lines if words[0] == "landed"
                       for word in words[1:]}


class Places:
    """The functions of an ELF, as they lay in memory."""

    def __init__(self, core, elf, anchor):
        self.functions = calls.functions(core, elf)
        start = next(start for start, _, name in self.functions if name == "main")
        self.slide = (anchor & ~core.startswith("cortex")) - start

    def name(self, addr):
        place = ((addr & ~1) - self.slide) % 2**32
        return next((name for start, end, name in self.functions
                     if start <= place < end or start == place + 1), "?")


def sum_up(places, rows):
    """{function: [calls, sum of callers]} of rows of callee, caller, count."""
    found = {}
    for callee, caller, count in rows:
        sums = found.setdefault(places.name(callee), [0, 0])
        sums[0] += count
        sums[1] = (sums[1] + caller * count) % 2**32
    return found


def keeps_no_caller(core, elf, name):
    """A prologue without Thumb-2 that has another register's value in lr."""
    return core == "cortex-m0" and re.search(r"mov\s+lr, (r8|r9|sl|fp)", calls.disassembly(
        core, elf, name)) is not None


def check_rows(noted, found, dropped, what):
    """Each call is in the row of its function, or in the rest."""
    missing = 0
    for name, (count, _) in noted.items():
        got = found.get(name, [0, 0])[0]
        assert got <= count and count - got <= dropped, \
            f"{name}: {got} calls in {what}, {count} made, {dropped} dropped"
        missing += count - got
    assert missing <= dropped, f"{missing} calls are missing in {what}, {dropped} dropped"
    return missing


def check_exits(feeder, report, returns):
    """Each entry has an exit, but for those that found no room. With -mfentry a few functions are
    hooked that do not note their calls, with -pg some more. The hook of -pg hooks no returns in
    interrupts, and in the first round with hooks, where they are masked, too."""
    calls_made = sum(count for count, _ in report.noted.values())
    unhooked = report.values["unhooked"]
    masked = report.values["in_interrupts"] if feeder == "pg" else 0
    if feeder == "pg":
        masked += (calls_made - masked) // (2 * ROUNDS + 1)
    more = report.values["events"] - (2 * calls_made - unhooked - masked)
    most = {"fentry": 8, "pg": calls_made // 10}.get(feeder, 0)
    assert 0 <= more <= most, (report.values, calls_made)
    assert feeder == "pg" or unhooked != 0 if returns < 16 else unhooked * 1000 < calls_made, (unhooked, calls_made)
    return calls_made


def check_counts(core, elf, feeder, report):
    places = Places(core, elf, report.values["anchor"])
    noted = {name: sums for name, sums in report.noted.items()
             if feeder == "cyg" or name != "inlined"}
    arcs = sum_up(places, report.arcs)
    if report.items:
        dropped = report.values["dropped"]
        own = [(addr, 0, hits) for addr, hits in report.items]
        check_rows(noted, sum_up(places, own), dropped, "items")
        counted = sum(hits for _, hits in report.items) + dropped
        assert counted == report.values["events"], (counted, report.values["events"])
    if report.arcs:
        dropped = report.values.get("arcs_dropped", report.values["dropped"])
        check_rows(noted, arcs, dropped, "arcs")
        for name, (_, callers) in noted.items():
            assert dropped or arcs.get(name, [0, 0])[1] == callers or keeps_no_caller(
                core, elf, name), f"{name}: wrong callers"
    return sum(count for count, _ in noted.values())


def check_landings(core, elf, hook, report):
    """An interrupt came before every instruction of the hook."""
    offsets = {offset for offset, word in calls.instructions(core, elf, hook).items()
               if "nop" not in word and word != "ud2" and not word.startswith(".")}
    missing = offsets - report.landed
    assert not missing, f"no interrupt came at {sorted(map(hex, missing))} of {hook}"
    return len(offsets)


def check_values(report, fill, warm=False):
    for name in ("events_off", "registers_broken", "registers_broken_off", "wrong_results",
                 "wrong_interrupts"):
        assert report.values[name] == 0, (name, report.values[name])
    assert report.values["filled"] == fill, report.values
    # Its four bytes of enable aside.
    assert report.values["touched"] <= 4 if warm else report.values["touched"] == 0, report.values


@functools.cache
def plain_results(folder, core, level):
    """What the program computes without hooks: no level of optimisation makes a difference."""
    elf = calls.Build(core, None, level).make(os.path.join(folder, f"plain-{core}{level}"))
    return Report(calls.output(core, elf)).results


def one(folder, core, feeder, level, kind):
    name = " ".join([core, feeder, level, *sorted(kind)])
    here = os.path.join(folder, name.replace(" ", ""))
    build = calls.Build(core, feeder, level, fill=FILL[level], single_steps=SOAK or kind == {**STUB, **LTO},
                        rounds=ROUNDS_X86_64 if core == "x86-64" else ROUNDS, **kind)
    try:
        plain = plain_results(folder, core, level if SOAK else "-O2")
        elf = build.make(here)
        report = Report(calls.output(core, elf))
        assert report.results == plain, "results differ from those without hooks"
        check_values(report, FILL[level], kind.get("warm"))
        if "returns" in kind:
            total = check_exits(feeder, report, kind["returns"])
        else:
            total = check_counts(core, elf, feeder, report)
        landings = check_landings(core, elf, build.hook, report)
    except FAILURES as error:
        return f"{name}: {error}"
    COUNTED["calls"] += total
    COUNTED["interrupts"] += report.values["interrupts"]
    dropped = report.values.get("dropped", report.values.get("unhooked"))
    print(f"{name}: {total} calls, {dropped} dropped, "
          f"{report.values['interrupts']} interrupts, {landings} instructions of the hook "
          "interrupted", flush=True)
    shutil.rmtree(here)
    return None


def one_broken(folder, core, old, new, options):
    """The same test must find out."""
    here = os.path.join(folder, f"broken-{core}-{len(options)}")
    os.makedirs(here)
    hooks = calls.hook_sources(calls.Toolchain(core))
    if old:
        with open(hooks[0]) as file:
            text = file.read()
        assert old in text, old
        hooks[0] = here + "/broken_mcount.c"
        with open(hooks[0], "w") as file:
            file.write(text.replace(old, new))
    how = " ".join(options) or new
    elf = calls.Build(core, "pg", "-O2", hooks=hooks, sink=options).make(here)
    try:
        broken = Report(calls.output(core, elf)).values["registers_broken"]
    except FAILURES as error:
        return f"{core} broken by {how}: {error}"
    print(f"{core} broken by {how}: {broken} registers", flush=True)
    return None if broken else f"{core}: broken by {how}, and not found out"


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for core in sys.argv[1:]:
            for words in everything(core) if SOAK else SHORT[core]:
                failures.append(one(folder, core, *words))
            for words in BROKEN:
                if words[0] == core:
                    failures.append(one_broken(folder, *words))
    failures = list(filter(None, failures))
    if failures:
        sys.exit("\n".join(failures))
    print("counted:", ", ".join(f"{number:,} {what}" for what, number in COUNTED.items()))


main()
