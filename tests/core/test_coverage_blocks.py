# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof coverage shows what a plugin of QEMU saw: which calls of the hook were executed, and how
often; and no interrupt loses a place.

usage: test_coverage_blocks.py PLUGIN BOARD FOLDER
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from machine import Machine, functions

OPTIONS = ["-icount", "shift=10", "-semihosting-config", "enable=on,target=native"]
MPROF = os.path.join(os.environ["MPROF_BUILD"], "mprof")
HOOK = "__sanitizer_cov_trace_pc"
# Counters of that many bits.
BITS = (1, 8, 32)
SMALL = 384  # bytes of code that coverage-outside covers


def objdump_of(board):
    return "riscv64-unknown-elf-objdump" if board == "rv32" else "arm-none-eabi-objdump"


def sites_of(elf, board):
    """{where the call returns to: function} of all calls of the hook, by objdump."""
    text = subprocess.check_output([objdump_of(board), "-d", elf], text=True)
    found, name, called = {}, None, False
    for line in text.splitlines():
        begin = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        code = re.match(r" *([0-9a-f]+):\t", line)
        if begin:
            name = begin[1]
        elif code and called:
            found[int(code[1], 16)] = name
            called = False
        if code and re.search(r"\t(bl|jal|call)\b.*<" + HOOK + ">", line):
            called = True
    return found


def run(elf, board, plugin, folder):
    """{address: executed} of all code, and the path of what the firmware has saved."""
    text = [at for name, at in functions(elf).items() if not name.startswith("$")]
    start, end = min(at[0] for at in text), max(at[1] for at in text)
    with Machine(elf, OPTIONS, plugin=plugin, each=[(start, end)], board=board,
                 folder=folder) as machine:
        machine.output()
        counts = machine.counts()
    return {int(at, 16): n for at, n in counts.items()}, os.path.join(folder, "coverage.bin")


def mprof(*words, status=0):
    done = subprocess.run([MPROF, "coverage", *words], text=True, capture_output=True, check=False)
    assert done.returncode == status, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def report(elf, dump, *words):
    return json.loads(mprof("--elf", elf, "--raw", dump, "--format", "json", *words)[0])


def blocks_by_function(rows):
    return {row["function"]: (row["blocks_reached"], row["blocks"]) for row in rows
            if row["blocks"]}


def check_counts(elf, board, executed, dump, bits):
    """Of each function, and of each line that one call of the hook stands for."""
    sites = sites_of(elf, board)
    assert len(sites) > 30, sites
    reached = {at for at in sites if executed.get(at, 0)}
    got = report(elf, dump)
    assert (got["blocks"], got["blocks_reached"]) == (len(sites), len(reached)), (got, len(reached))
    assert got["strays"] == got["outside"] == got["uncovered"] == got["jumps"] == 0, got
    assert got["counts"] == ("reached" if bits == 1 else "times"), got
    truth = {}
    for at, name in sites.items():
        hit, all_ = truth.get(name, (0, 0))
        truth[name] = (hit + (at in reached), all_ + 1)
    assert blocks_by_function(got["rows"]) == truth, (got["rows"], truth)
    most = 2 ** bits - 1
    first = {}
    for at, name in sites.items():
        first.setdefault(name, min(executed[at], most))
    counts = {row["function"]: row["count"] for row in got["rows"]}
    for name, count in first.items():
        if count:
            assert counts[name] == count, (name, counts[name], count)
    full = sum(executed[at] >= most for at in sites)
    assert got["full"] == (full if bits != 1 else 0), (got["full"], full)
    return got


def line_of(source, text):
    with open(source) as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


def executed_lines(elf, board, executed):
    """The lines of coverage_code.c of which an instruction was executed, by addr2line."""
    tool = objdump_of(board).replace("objdump", "addr2line")
    places = subprocess.run([tool, "-e", elf], text=True, capture_output=True, check=True,
                            input="".join(f"{at:x}\n" for at, n in executed.items() if n)).stdout
    return {int(line) for line in re.findall(r"coverage_code\.c:(\d+)", places)}


def check_lines(got, elf, board, executed, dump, folder):
    """Lines that were written to be reached or not; and a file that genhtml reads and mprof adds
    up."""
    source = os.path.join(os.path.dirname(__file__), "firmware", "coverage_code.c")
    path = os.path.join(folder, "one.info")
    mprof("--elf", elf, "--raw", dump, "--format", "lcov", "-o", path)
    with open(path) as file:
        text = file.read()
    lines = {int(n): int(count) for n, count in re.findall(r"^DA:(\d+),(\d+)$", text, re.M)}
    assert len(lines) == got["lines"] and sum(map(bool, lines.values())) == got["lines_reached"]
    truth = executed_lines(elf, board, executed)
    assert {n for n, count in lines.items() if count} == truth & set(lines), (truth, lines)
    for words in ("sink += 9", "sink = 0; /* never", "return n;\n", "sink = n; /* never"):
        assert lines.get(line_of(source, words), 0) == 0, (words, lines)
    assert lines[line_of(source, "sink = 0; /* never")] == 0, lines
    for words in ("sink += 1;", "n = 3 * n + 1", "sink ^= i", "steps++", "sink += 5"):
        assert lines[line_of(source, words)] > 0, (words, lines)
    assert "FNDA:0,never\n" in text and re.search(r"FNDA:[1-9]\d*,in_interrupt\n", text), text

    twice = json.loads(mprof(path, path, "--format", "json")[0])
    again = {row["function"]: row for row in twice["rows"]}
    for row in got["rows"]:
        other = again[row["function"]]
        assert (other["lines"], other["lines_reached"]) == (row["lines"], row["lines_reached"])
        assert other["not_reached"] == row["not_reached"], (other, row)
        times = 1 if got["counts"] == "reached" or not row["count"] else 2
        assert other["count"] == times * row["count"], (other, row)
    return path


def check_genhtml(path, got):
    """genhtml shows the same numbers."""
    if not shutil.which("genhtml"):
        print("genhtml is missing (make check installs it)")
        return
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["genhtml", "--output-directory", folder, path], text=True,
                              capture_output=True, check=False)
        assert done.returncode == 0, (done.stdout, done.stderr)
        for what in ("lines", "functions"):
            numbers = re.search(what + r"\W*:.*\((\d+) of (\d+) " + what, done.stdout)
            assert tuple(map(int, numbers.groups())) == (got[what + "_reached"], got[what]), done


def check_gate(path, got):
    share = 100 * got["lines_reached"] / got["lines"]
    mprof(path, "--fail-under", f"{share - 0.1:.2f}%")
    said = mprof(path, "--fail-under", f"{share + 0.1:.2f}%", status=3)[1]
    assert f"{got['lines_reached']} of {got['lines']} lines" in said, said
    table = mprof(path, "--not-seen")[0]
    assert re.search(r"\bnever\b", table) and "before_init" not in table, table


def check_outside(elf, board, plugin, folder):
    """A block that is too small counts what it leaves out."""
    executed, dump = run(elf, board, plugin, folder)
    sites = sites_of(elf, board)
    base = 0x80000000 if board == "rv32" else 0
    outside = {at for at in sites if not base <= at < base + SMALL}
    got = report(elf, dump)
    assert 0 < len(outside) < len(sites)
    assert got["outside"] == sum(executed[at] for at in outside) > 0, got
    assert (got["uncovered"], got["blocks"]) == (len(outside), len(sites) - len(outside)), got
    needs = (max(outside) - base + 127) // 128 * 128
    assert f"MPROF_COVERAGE_SIZE=0x{needs:x}" in mprof("--elf", elf, "--raw", dump)[0]
    said = mprof("--elf", elf, "--raw", dump, "--format", "lcov", "--fail-under", "1%")[1]
    assert f"MPROF_COVERAGE_SIZE=0x{needs:x}" in said, said
    assert f"gate: {len(outside)} blocks outside of the covered code are not judged" in said, said


def check_live(elf, board, reached):
    """A target that runs, over QEMU's monitor; and its gdb port, which resets the counts."""
    with tempfile.TemporaryDirectory() as folder:
        qmp, gdb = (os.path.join(folder, name) for name in ("qmp", "gdb"))
        options = [*OPTIONS, "-qmp", f"unix:{qmp},server=on,wait=off", "-gdb",
                   f"unix:{gdb},server=on,wait=off"]
        with Machine(elf, options, board=board) as machine:
            assert machine.process.stderr.readline().strip() == "ready"
            got = json.loads(mprof("--elf", elf, "--qmp", qmp, "--format", "json")[0])
            assert blocks_by_function(got["rows"]) == reached, (got["rows"], reached)
            link = ["--elf", elf, "--gdb", f"unix:{gdb}"]
            subprocess.run([MPROF, "control", "reset", *link], check=True)
            got = json.loads(mprof(*link, "--format", "json")[0])
            counts = {row["function"]: row["count"] for row in got["rows"]}
            assert counts["before_init"] == counts["in_interrupt"] == 0, counts


def check_race(elf, board, loses):
    with Machine(elf, OPTIONS, board=board) as machine:
        met, inside, lost, full, single, cleared = map(int, machine.output().split())
    print(f"{board} {os.path.basename(elf)}: {met} interrupts, {inside} inside, {lost} lost")
    assert met == 3600 and inside > 1000 and (lost > 0) == loses, (met, inside, lost)
    assert full and single and cleared


def main():
    plugin, board, firmware = sys.argv[1:]
    for bits in BITS:
        elf = os.path.join(firmware, f"coverage-{bits}.elf")
        with tempfile.TemporaryDirectory() as folder:
            executed, dump = run(elf, board, plugin, folder)
            got = check_counts(elf, board, executed, dump, bits)
            path = check_lines(got, elf, board, executed, dump, folder)
            check_gate(path, got)
            if bits == 32:
                check_genhtml(path, got)
    check_live(os.path.join(firmware, "coverage-live.elf"), board, blocks_by_function(got["rows"]))
    with tempfile.TemporaryDirectory() as folder:
        check_outside(os.path.join(firmware, "coverage-outside.elf"), board, plugin, folder)
    for kind in ("1", "8", "plain"):
        check_race(os.path.join(firmware, f"coverage-race-{kind}.elf"), board, kind == "plain")


main()
