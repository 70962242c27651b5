# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of functions whose returns are hooked, of all types: the hook leaves them as they are,
and mprof prints them at their exits, of a dump, a trace file and in exports.

usage: test_results.py BOARD...
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import calls
import patched
from support import mprof

FUNCTIONS = {"negative", "small", "byte", "wide", "wide_negative", "pick", "is_odd", "letter", "text",
             "pointer", "nothing", "structure", "half", "jump", "around", "four"}
# The registers of a core of 64 bits have all results but floating point values.
NARROW, WIDE = "MPROF_TRACE_RESULTS=2", "MPROF_TRACE_RESULTS=1"
TRACES = {"cortex-m0": (NARROW, "MPROF_TRACE_ARGS=1"), "cortex-m3": (NARROW, "MPROF_TRACE_ARGS=3"),
          "rv32": (NARROW, "MPROF_TRACE_ARGS=4"), "x86-64": (WIDE, "MPROF_TRACE_ARGS=1")}


def build(folder, board, trace):
    chain = calls.Toolchain(board)
    options = [*chain.options("-O2"), "-g", "-DMPROF_CNT=0", "-DMPROF_TRACE_CNT=64",
               "-DMPROF_TRACE_RETURNS=16", *("-D" + option for option in trace)]
    objects = chain.compile(folder, [*options, *calls.instrument(chain, "patched")],
                            calls.sources("results"))
    objects += chain.compile(folder, options, calls.sources("console"))
    objects += calls.start_code(chain, folder, options)
    objects.append(os.path.join(folder, "libstub.a"))
    integers = ["-mgeneral-regs-only"] * (chain.family == "host")
    chain.archive(objects[-1], calls.stub_objects(chain, folder + "/stub", [*options, *integers],
                                                     ("control",)))
    elf = os.path.join(folder, "results.elf")
    chain.link(elf, objects, ["-no-pie"] * (chain.family == "host"))
    assert set(patched.patch(elf, chain.family, FUNCTIONS)) == FUNCTIONS
    return elf


def results(board, trace):
    """What each exit prints, in the order of the exits, and its number in JSON."""
    soft = board != "x86-64"
    narrow = soft and NARROW not in trace
    known = [("negative", "-5", -5), ("small", "-8", -8), ("byte", "45", 45),
             ("wide", "0x380000007", 0x380000007), ("wide_negative", "-5000000000", -5000000000),
             ("pick", "GREEN", 5), ("pick", "RED", 0), ("is_odd", "true", 1), ("is_odd", "false", 0),
             ("letter", "'c'", 99), ("text", '"hello"', "addr"), ("text", "0x0", 0),
             ("pointer", "ADDR <word>", "addr"), ("nothing", None, None), ("structure", None, None),
             ("half", "0.25" if soft else None, 0.25 if soft else None),
             *([("negative", "-9", -9), ("jump", "-9", -9)] if board == "cortex-m0" else
               [("jump", None, None), ("negative", "-9", -9)]), # it jumps there, and has none
             ("negative", "-10", -10), ("small", "9", 9), ("around", "-1", -1), ("four", "66", 66)]
    return [(name, None, None) if narrow and name.startswith("wide") else (name, text, number)
            for name, text, number in known]


def exits(lines):
    """(function, result) of the lines of flat events."""
    found = []
    for line in lines:
        exit = re.search(r" <- (\w+)(?: = (.*))?$", line)
        if exit:
            found.append((exit[1], exit[2] and re.sub("0x[0-9a-f]+ <", "ADDR <", exit[2])))
    return found


def check_graph(text, wanted):
    """Of a leaf after its arguments, of another one at its brace; what has no result has no sign."""
    found = [(leaf or name, result or None) for leaf, result, brace, name in
             re.findall(r"\|  +(?:(\w+)\(.*?\)(?: = (.*?))?;|}(?: = (.*?);)?  /\* (\w+) \*/)$", text, re.M)
             for result in [result or brace]]
    found = [(name, result and re.sub("0x[0-9a-f]+ <", "ADDR <", result)) for name, result in found]
    assert found == [(name, result) for name, result, _ in wanted], (text, found)


def check_json(lines, wanted):
    lines = [line for line in lines if line["kind"] == "exit"]
    for line, (name, text, number) in zip(lines, wanted, strict=True):
        assert line["function"] == name and ("result" in line) == (number is not None), line
        assert number in (None, "addr") or line["result"] == number, (line, number)
        named = text and not re.fullmatch(r"-?[0-9.]+|0x[0-9a-f]+", text)
        assert ("result_text" in line) == bool(named), line


def check_exports(folder, trace, wanted):
    out = os.path.join(folder, "chrome.json")
    assert mprof("export", trace, "--format", "chrome", "-o", out).returncode == 0
    with open(out) as file:
        ends = [event for event in json.load(file)["traceEvents"] if event["ph"] == "E"]
    found = [event.get("args", {}).get("result") for event in ends]
    numbers = [number for _, _, number in wanted]
    assert [number if isinstance(number, (int, float)) and wanted[i][2] != "addr" else
            number and "addr" for i, number in enumerate(found)] == numbers, (found, numbers)


def check_uftrace(folder, trace, wanted):
    """Numbers; enumerators and characters are not known there."""
    out = os.path.join(folder, "out.uftrace")
    assert mprof("export", trace, "--format", "uftrace", "-o", out).returncode == 0
    done = subprocess.run(["uftrace", "replay", "-d", out, "--no-pager", "-f", "none"], capture_output=True,
                          text=True, check=True)
    found = [(leaf or name, result or end) for leaf, result, end, name in
             re.findall(r"^ *(?:(\w+)\(\)(?: = (.*?))?;|}(?: = (.*?);)? /\* (\w+) \*/)$", done.stdout, re.M)]
    numbers = [(name, number) for name, _, number in wanted]
    assert [name for name, _ in found] == [name for name, _ in numbers], done.stdout
    for (name, text), (_, number) in zip(found, numbers, strict=True):
        assert (text != "") == (number is not None), (name, text, done.stdout)
        shown = text if number in (None, "addr") else float(text) if "." in text else int(text, 0)
        assert number in (None, "addr") or shown == number, (name, text, number)


def check(board, trace, folder):
    elf = build(folder, board, trace)
    (wrong, _), *rows = calls.output(board, elf)
    assert int(wrong, 16) == 0, (board, trace, wrong)
    raw, path = os.path.join(folder, "prof"), os.path.join(folder, "results.trace")
    with open(raw, "wb") as file:
        file.write(bytes(int(row[0], 16) for row in rows if row))
    wanted = results(board, trace)
    target = ("--raw", raw, "--elf", elf)
    done = mprof("trace", *target, "-R", "--record", "-o", path)
    assert done.returncode == 0, done.stderr
    for words in target, (path,):
        done = mprof("trace", *words, "-R")
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert exits(lines) == [(name, text) for name, text, _ in wanted], (board, trace, lines)
        # The words of an entry are arguments, those of an exit are none.
        arguments = any(option.startswith("MPROF_TRACE_ARGS") for option in trace)
        assert any("-> negative(5)" in line for line in lines) == arguments, lines
        if "MPROF_TRACE_ARGS=4" in trace:
            assert any("-> four(-1, 'b', 0x300000002)" in line for line in lines), lines
        assert not any(" <- " in line and line.endswith(")") for line in lines), lines
        check_graph(mprof("trace", *words, "--graph").stdout, wanted)
        check_json(list(map(json.loads, mprof("trace", *words, "--format", "json").stdout.splitlines())),
                   wanted)
    check_exports(folder, path, wanted)
    if shutil.which("uftrace"):
        check_uftrace(folder, path, wanted)
    print(f"{board} {' '.join(trace)}: {len(wanted)} results")


def check_none(folder):
    """A trace without results: -R is refused."""
    elf = build(folder, "cortex-m3", ())
    (wrong, _), *rows = calls.output("cortex-m3", elf)
    raw, path = os.path.join(folder, "prof"), os.path.join(folder, "none.trace")
    with open(raw, "wb") as file:
        file.write(bytes(int(row[0], 16) for row in rows if row))
    target = ("--raw", raw, "--elf", elf)
    assert mprof("trace", *target, "--record", "-o", path).returncode == 0
    for words in target, (path,):
        assert " = " not in mprof("trace", *words).stdout
        done = mprof("trace", *words, "-R")
        assert done.returncode == 1 and "has no results of functions" in done.stderr, done.stderr


def main():
    for board in sys.argv[1:]:
        traces = [TRACES[board], ("MPROF_TRACE_RESULTS=1",)][:2 if board == "rv32" else 1]
        for trace in traces:
            with tempfile.TemporaryDirectory() as folder:
                check(board, trace, folder)
    if "cortex-m3" in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            check_none(folder)


main()
