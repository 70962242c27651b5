# SPDX-License-Identifier: GPL-3.0-or-later
"""'mprof instrument' makes chosen functions call the hook, and changes nothing else.

usage: test_instrument.py [--examples PLUGIN PLUGIN] CORE...
Generated programs run among interrupts, 50 instructions apart (80 on RISC-V): as they are, and as copies in
which all functions, or some, are chosen. With the plugins count.so and pcs.so and MPROF_SOAK=1, all
example firmware too.
"""

import fnmatch
import json
import os
import stat
import sys
import tempfile

import calls
import patched
import patched_programs as programs
from machine import BOARDS, Machine
from support import MPROF, counted, mprof

SOAK = os.environ.get("MPROF_SOAK") == "1"

# (level, functions, more), of make check; and of make soak.
SHORT = {"cortex-m0": [("-Os", 100, {})], "rv32": [("-O2", 120, {})], "x86-64": [("-O1", 80, {})]}
FULL = {
    "cortex-m0": [("-Os", 100, {}), ("-O0", 120, {})],
    "cortex-m3": [("-O2", 3000, {}), ("-Os", 500, {"lto": True})],
    "cortex-m4f": [("-O3", 1000, {})],
    "cortex-m7": [("-Os", 700, {})],
    "cortex-m33": [("-O0", 300, {})],
    "rv32": [("-O2", 3000, {}), ("-O0", 200, {})],
    "rv64": [("-Os", 1500, {}), ("-O3", 300, {"lto": True})],
    "x86-64": [("-O1", 3000, {}), ("-O2", 300, {"lto": True}), ("-O2", 400, {"compiler": "clang"})],
}
# What is chosen: --filter and --not.
SOME = (["f1*", "main"], ["f1?"])

EXAMPLES = {"cortex-m3": ("work", "motor", "contexts", "cortex-m3-many", "tick",
                          "selfcheck"),
            "cortex-m0": ("work", "selfcheck"), "cortex-m4f": ("work", "trace"),
            "cortex-m7": ("work",), "cortex-m33": ("work", "two-sides"), "rv32": ("work", "rv32-two"),
            "rv64": ("work", "selfcheck", "trace"), "x86-64": ("work", "trace-x86-64")}


def done(*words):
    result = mprof("instrument", *words)
    assert result.returncode == 0 and not result.stderr, (words, result.stdout, result.stderr)
    return result.stdout


def listed(elf):
    """{name: function}, as --list has it."""
    functions = json.loads(done(elf, "--list", "--format", "json"))["functions"]
    return {one["function"]: one for one in functions}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_bytes(chain, elf, copy, wanted):
    """The copy is the file, but for calls at the start of the wanted functions."""
    plain, found = bytearray(read(elf)), listed(elf)
    hook, _ = programs.hook_range(chain, elf)
    for name in wanted:
        site = int(found[name]["address"], 16)
        at = patched.offset_of(plain, site)
        call = patched.CALL[chain.family](site, hook)
        plain[at:at + len(call)] = call
    assert plain == read(copy), f"{copy}: other bytes than of {len(wanted)} calls"
    assert stat.S_IMODE(os.stat(copy).st_mode) == stat.S_IMODE(os.stat(elf).st_mode)


def check_choice(chain, elf, copy, options, wanted):
    done(elf, *options, "-o", copy)
    check_bytes(chain, elf, copy, wanted)
    assert f" {len(wanted)} of " in done(elf, "--check", copy)
    assert {name for name, one in listed(copy).items() if one["calls_hook"]} == wanted


def counted_calls(elf, folder):
    """{function: calls} that the stub counted, without what the compiler added to names."""
    result = mprof("report", "--elf", elf, "--raw", os.path.join(folder, "prof"), "--sampler",
                   "calls", "--format", "json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert not report["unattributed"]["dropped"], report["unattributed"]
    return {row["function"].split(".")[0]: row["hits"] for row in report["rows"]}


def check_coverage(copy, folder, wanted):
    """'mprof coverage' lists the functions that call the hook, and no other ones."""
    result = mprof("coverage", "--elf", copy, "--raw", os.path.join(folder, "prof"), "--format", "json")
    assert result.returncode == 0, result.stderr
    names = {row["function"].split(".")[0] for row in json.loads(result.stdout)["rows"]}
    assert names == {name.split(".")[0] for name in wanted}, names


def check_run(core, copy, folder, plain, wanted):
    """The results are those of the file, and the stub counted all calls of the wanted functions."""
    (result, interrupts), called = programs.execute(core, copy, folder)
    assert result == plain[0], (copy, result, plain)
    counts = counted_calls(copy, folder)
    assert set(counts) <= {name.split(".")[0] for name in wanted}, set(counts)
    chosen = {name.split(".")[0] for name in wanted} & set(called)
    assert chosen and all(called[name] for name in chosen)
    wrong = {name: (called[name], counts.get(name)) for name in chosen
             if called[name] != counts.get(name)}
    assert not wrong, wrong
    check_coverage(copy, folder, wanted)
    return sum(counts.values()), int(interrupts)


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def check_messages(elf, folder):
    """What cannot be done is said, and nothing is written."""
    copy = os.path.join(folder, "none")
    for words, status, text in (
            ((elf,), 2, "give one of -o COPY, --list and --check COPY"),
            ((elf, "-o", elf), 2, "is the file that is read"),
            ((elf, "-o", copy, "--list"), 2, "give one of"),
            ((elf, "-o", copy, "--format", "json"), 2, "--format is for --list"),
            ((elf, "--check", copy, "--filter", "f1"), 2, "--check takes no --filter"),
            ((elf, "--filter", "f1000000", "-o", copy), 1, "no function named 'f1000000'"),
            ((elf, "--filter", "mprof_call", "-o", copy), 1, "cannot be chosen: it runs in the hook"),
            ((elf, "--check", elf + "x"), 1, "No such file"),
            ((MPROF, "--list"), 1, "has no function mprof_patched_entry")):
        result = mprof("instrument", *words)
        assert (result.returncode, result.stdout) == (status, ""), (words, result.stdout)
        assert text in result.stderr.splitlines()[0], result.stderr
        assert not os.path.exists(copy)


def check_program(core, level, count, more):
    with tempfile.TemporaryDirectory() as folder:
        chain = calls.Toolchain(core)
        elf = programs.build(core, folder, level, count, **more)
        plain, _ = programs.execute(core, elf, folder)
        found = listed(elf)
        every = {name for name, one in found.items() if one["reason"] is None}
        assert len([name for name in every if matches(name, ["f[0-9]*"])]) == count
        if chain.family == "riscv":
            assert "trap" in found["mprof_mtimer_entry"]["reason"]
        assert found["mprof_call"]["reason"] == "runs in the hook"
        some = {name for name in every if matches(name, SOME[0]) and not matches(name, SOME[1])}
        everything, part, again = (os.path.join(folder, name) for name in ("all", "some", "again"))
        check_choice(chain, elf, everything, [], every)
        filters = [word for pattern in SOME[0] for word in ("--filter", pattern)]
        filters += [word for pattern in SOME[1] for word in ("--not", pattern)]
        check_choice(chain, elf, part, filters, some)
        done(part, "-o", again)
        assert read(again) == read(everything)
        if some != every:
            done(part, "--not", "*", "-o", again)
            assert read(again) == read(elf)
        check_messages(elf, folder)
        hits, interrupts = check_run(core, everything, folder, plain, every)
        check_run(core, part, folder, plain, some)
        counted(f"{core} {level} {more or ''} {count} functions: {hits} calls counted, "
                f"{interrupts} interrupts")


def build_example(core, name, folder):
    """The ELF file of an example, compiled with nops."""
    chain = calls.Toolchain(core)
    nops = f"-fpatchable-function-entry={patched.COUNT[chain.family]}"
    toolchain = {"arm": "arm-none-eabi", "riscv": "riscv64-unknown-elf"}.get(chain.family)
    options = ["-DMPROF_BOARD=" + core, "-DMPROF_TRACE_CNT=64",
               "-DCMAKE_C_FLAGS=" + nops, "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-u," + patched.HOOK, "-DMPROF_OUTPUT=" + folder + "/out"]
    options += [f"-DCMAKE_TOOLCHAIN_FILE={calls.EXAMPLES}/cmake/{toolchain}.cmake"] if toolchain else []
    calls.run(["cmake", "-S", os.path.join(calls.EXAMPLES, name), "-B", folder + "/build", *options])
    calls.run(["cmake", "--build", folder + "/build", "-j2"])
    elf, = (os.path.join(folder, "out", one) for one in os.listdir(folder + "/out"))
    return elf


def executed(core, elf, ranges, plugins, folder):
    """{name: instructions executed in its range} of a run of a while."""
    end = f"{plugins[1]},out={folder}/pcs,samples=20000,apart=100"
    with Machine(elf, ["-icount", "shift=6", "-plugin", end], plugins[0], ranges=ranges,
                 board=core) as machine:
        machine.output()
        return machine.counts()


def check_example(core, name, plugins):
    with tempfile.TemporaryDirectory() as folder:
        chain = calls.Toolchain(core)
        elf = build_example(core, name, folder)
        found = listed(elf)
        every = {one for one, function in found.items() if function["reason"] is None}
        copy = os.path.join(folder, "copy")
        check_choice(chain, elf, copy, [], every)
        text = f"{core} {name}: {len(every)} of {len(found)} functions with nops can be chosen"
        if core in BOARDS and core != "rv64" and name != "rv32-two":
            # A site is executed once for each call of its function. The first instruction of the
            # hook is, too.
            first = {one: int(found[one]["address"], 16) for one in every}
            ranges = [(one[:39], (at, at + 2)) for one, at in first.items()]
            before = executed(core, elf, ranges, plugins, folder)
            ranges.append(("hook", programs.hook_range(chain, elf)))
            after = executed(core, copy, ranges, plugins, folder)
            hook = after.pop("hook")
            reached = {one for one, times in before.items() if times}
            missed = {one for one in reached if not after[one]}
            assert reached and not missed, missed
            assert abs(sum(after.values()) - hook) <= 1, (after, hook)
            text += f", {len(reached)} ran, all hit, {hook} calls of the hook"
        counted(text)


def main():
    cores = sys.argv[1:]
    if cores[0] == "--examples":
        plugins, cores = cores[1:3], cores[3:]
        if SOAK:
            for core in cores:
                for name in EXAMPLES.get(core, ()):
                    check_example(core, name, plugins)
    for core in cores:
        for level, count, more in (FULL if SOAK else SHORT).get(core, ()):
            check_program(core, level, count, more)


main()
