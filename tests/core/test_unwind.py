# SPDX-License-Identifier: GPL-3.0-or-later
"""Call stacks at every instruction of a program that is stepped in QEMU, against the true ones.

usage: test_unwind.py REPLAY BOARD...
REPLAY is the program of unwind_replay.c.
"""

import collections
import os
import subprocess
import sys
import tempfile

import calls
from calls import Toolchain
from machine import Machine, functions
from stepped import WINDOW, Arm, RiscV, Stub
from support import SOAK, count, counted, free_port

PROGRAM = os.path.join(calls.HERE, "firmware", "unwind")
COMPLETE = 0

# Options of each build.
KINDS = {
    "g": ["-g"],
    "plain": ["-g0", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"],
    "tables": ["-g0", "-funwind-tables"],
    "psp": ["-g", "-DON_PROCESS_STACK"],
    "entry": ["-g0", "-DENTRY_IN_ASSEMBLY"],
    "frame": ["-g0", "-fno-omit-frame-pointer"],
}
ONLY = {"psp": "cortex", "entry": "rv32"}
# A handler that is but a label is not known before it has saved registers.
LEAST = {"entry": 0.85}
SHORT = {"cortex-m0": [("-Os", "plain")], "cortex-m3": [("-O2", "g"), ("-Os", "psp")],
         "cortex-m4f": [("-O2", "tables")], "rv32": [("-Os", "plain"), ("-O2", "entry")], "rv64": [("-O2", "g")]}
FULL = [(level, kind) for level in ("-O2", "-Os", "-O1", "-O0", "-O3") for kind in KINDS]
INSTRUCTIONS = count(1200, 5000)
PROCESS_STACK = 2048


# Some are inlined by some levels, or are one with another.
FUNCTIONS = {"leaf", "fib", "is_odd", "is_even", "tail_last", "tail_second", "tail_first", "late_frame", "switched",
             "large_frame", "variable_frame", "sum_of", "divided", "many_values", "mean", "checked", "in_ram",
             "indirect", "round_of", "interrupted", "go_round", "main"}


def build(board, level, kind, folder):
    chain = Toolchain(board)
    options = [*chain.options(level), *KINDS[kind], "-I" + PROGRAM, "-Wno-suggest-attribute=noreturn",
               "-I" + os.path.join(calls.EXAMPLES, "board", board)]
    sources = [os.path.join(PROGRAM, name) for name in ("program.c", "main.c")]
    objects = chain.compile(folder, options, sources) + calls.start_code(chain, folder, options)
    elf = os.path.join(folder, "unwind.elf")
    chain.link(elf, objects, [])
    return chain, elf


def symbols(chain, elf):
    lines = calls.run([chain.tool("nm"), elf]).splitlines()
    return {words[-1]: int(words[0], 16) for words in map(str.split, lines) if len(words) == 3}


def steps(board, kind, chain, elf, folder):
    """Writes a record for each instruction; returns the true stacks and the core."""
    names = symbols(chain, elf)
    port = free_port()
    options = ["-icount", "shift=10", "-S", "-gdb", f"tcp:127.0.0.1:{port}"]
    tops = [names["stack_top"]]
    if "process_stack" in names:
        tops.insert(0, names["process_stack"] + PROCESS_STACK)
    truths = []
    with Machine(elf, options, board=board), open(os.path.join(folder, "records"), "wb") as file:
        stub = Stub(port)
        family = Arm if chain.family == "arm" else RiscV
        core = family(stub, [(top - WINDOW, top) for top in tops], functions(elf, chain.tool("nm")))
        core.handler = names.get("mprof_mtimer_entry")
        core.narrow = board != "rv64"
        core.gives_mepc = kind != "entry"  # it must be found where the handler has saved it
        core.go_to(names["main"] & core.MASK)
        for _ in range(INSTRUCTIONS):
            core.step()
            truths.append(core.truth())
            file.write(core.record())
        stub.close()
    return truths, core


def replay(program, elf, folder):
    """[(end, [(pc, interrupted)], why)]"""
    with open(os.path.join(folder, "records"), "rb") as file:
        done = subprocess.run([program, elf], stdin=file, stdout=subprocess.PIPE, text=True, check=True)
    found = []
    for line in done.stdout.splitlines():
        words, why = line.split(":", 1)
        end, *frames = words.split(" ")
        found.append((int(end), [(int(f.lstrip("i"), 16), f[0] == "i") for f in frames], why))
    return found


def judge(truth, end, frames, main):
    """Right, cut or wrong. Who called main may be left out."""
    if end == COMPLETE:
        last = frames[-1][0] - 1
        whole = frames == truth or (frames == truth[:-1] and main[0] <= last < main[1])
        return "right" if whole else "wrong"
    return "cut" if frames == truth[:len(frames)] else "wrong"


def where(addr, found):
    for name, (start, end) in found.items():
        if start <= addr < end:
            return f"{name}+{addr - start}"
    return hex(addr)


def shown(frames, found):
    return " < ".join(("!" if i else "") + where(pc, found) for pc, i in frames)


def check(program, board, level, kind):
    with tempfile.TemporaryDirectory() as folder:
        chain, elf = build(board, level, kind, folder)
        truths, core = steps(board, kind, chain, elf, folder)
        lists = replay(program, elf, folder)
        found = functions(elf, chain.tool("nm"))
    assert len(lists) == len(truths)
    verdicts, reasons = collections.Counter(), collections.Counter()
    for truth, (end, frames, why) in zip(truths, lists):
        verdict = judge(truth, end, frames, found["main"])
        verdicts[verdict] += 1
        if verdict != "right":
            reasons[verdict, where(frames[-1][0], found), why] += 1
        if verdict == "wrong" and verdicts[verdict] <= 3:
            print(f"  wrong ({end}, {why}):\n   true {shown(truth, found)}\n   got  {shown(frames, found)}")
    for reason, times in reasons.most_common(8 if SOAK else 3):
        print(f"  {times} {reason}")
    missed = FUNCTIONS - {where(pc, found).split("+")[0] for truth in truths for pc, _ in truth}
    if SOAK and missed:
        print("  not reached:", *sorted(missed))
    places = {frame for truth in truths for frame in truth}
    print(f"{board} {level} {kind}: right {verdicts['right']}, cut {verdicts['cut']}, "
          f"wrong {verdicts['wrong']}; {len(places)} places, {core.calls} calls, {core.traps} exceptions",
          flush=True)
    assert core.calls > INSTRUCTIONS / 100 and core.traps > INSTRUCTIONS / 1300, (core.calls, core.traps)
    assert verdicts["wrong"] == 0, verdicts
    assert verdicts["right"] >= LEAST.get(kind, 0.99) * INSTRUCTIONS, verdicts
    return verdicts


def main():
    program, *boards = sys.argv[1:]
    total = collections.Counter()
    for board in boards:
        for level, kind in FULL if SOAK else SHORT[board]:
            if not board.startswith(ONLY.get(kind, "")):
                continue
            total += check(program, board, level, kind)
    counted(f"{total['right']} of {sum(total.values())} stacks right, {total['cut']} cut, 0 wrong")


main()
