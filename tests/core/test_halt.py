# SPDX-License-Identifier: GPL-3.0-or-later
"""mprof --sampler halt --stacks: stacks of a program with known call chains, in QEMU, within the share of time that is
allowed; and the core runs when mprof was killed.

usage: test_halt.py BOARD...

QEMU is asked through its gdb port; on a Cortex-M3 also through QMP and through a gdb, and there a real OpenOCD halts the
core of the rig, whose program is a thread on the process stack.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

import calls
from calls import Toolchain
from chance import as_rarely
from machine import Machine
from rig import Rig
from support import (HANG_S, MPROF, count, counted, environment, free_port, has_client, listens, qemu_runs,
                     wait_for)

PROGRAM = os.path.join(calls.HERE, "firmware", "unwind")
SAMPLES = count(100, 3000)
# By a link of which only the way to the registers is another.
FEW = count(12, 1000)
KILLS = count(1, 40)

# What each function of program.c calls, and what it ends in a jump to.
DIRECT = {
    "go_round": ["round_of"],
    "round_of": ["indirect", "switched", "checked", "late_frame", "variable_frame", "sum_of", "is_even", "tail_first",
                 "fib", "large_frame", "many_values", "scale", "divided", "mean", "in_ram"],
    "indirect": ["leaf", "late_frame", "switched", "tail_first", "checked"],
    "in_ram": ["leaf", "late_frame"], "fib": ["fib"], "is_even": ["is_odd", "leaf"], "is_odd": ["is_even", "leaf"],
    "tail_first": ["tail_second"], "tail_second": ["tail_last", "leaf"], "tail_last": ["leaf"],
    "switched": ["tail_first", "leaf", "fib", "late_frame"], "interrupted": ["leaf", "late_frame", "is_even"],
    **{name: ["leaf"] for name in ("late_frame", "large_frame", "variable_frame", "sum_of", "many_values", "checked",
                                   "mean", "scale")},
}
JUMPS = {"tail_first": ["tail_second"], "tail_second": ["tail_last"], "switched": ["tail_first"],
         "is_even": ["leaf"], "is_odd": ["leaf"]}
ROOTS = (["Reset_Handler", "main", "go_round"], ["_start", "main", "go_round"], ["main", "go_round"])
HANDLERS = ("on_timer", "SysTick_Handler", "External_Handler", "interrupted", "mprof_mtimer_entry", "mprof_mtimer_handler",
            "mtimer_start", "mtimer_stop")


def called_by(function):
    """Also what stands there after jumps."""
    found, new = set(), set(DIRECT.get(function, ()))
    while new:
        found |= new
        new = {name for one in new for name in JUMPS.get(one, ())} - found
    return found


def is_chain(stack):
    """Whether such a stack can be: library functions may be called everywhere, and interrupted as everything else."""
    if not any(stack[:len(root)] == root[:len(stack)] for root in ROOTS):
        return False
    begin = stack.index("go_round") if "go_round" in stack else len(stack)
    for caller, function in zip(stack[begin:], stack[begin + 1:]):
        if not (function in called_by(caller) or function.startswith("__") or function in HANDLERS):
            return False
    return True


def build(board, folder, *more):
    chain = Toolchain(board)
    options = [*chain.options("-O2"), "-g", *more, "-I" + PROGRAM, "-Wno-suggest-attribute=noreturn",
               "-I" + os.path.join(calls.EXAMPLES, "board", board)]
    sources = [os.path.join(PROGRAM, name) for name in ("program.c", "main.c")]
    objects = chain.compile(folder, options, sources) + calls.start_code(chain, folder, options)
    elf = os.path.join(folder, f"program{len(more)}.elf")
    chain.link(elf, objects, [])
    return elf


def mprof(*arguments):
    done = subprocess.run([MPROF, *map(str, arguments)], capture_output=True, text=True, timeout=HANG_S,
                          env=environment(), check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_stacks(link, folder, samples):
    path = os.path.join(folder, "stacks.pb.gz")
    mprof("snapshot", *link, "--allow-halt=50%", "--stacks", "--hits", samples, "-o", path)
    wrong, right, cut = [], 0, 0
    for line in mprof("export", "--format", "folded", path).splitlines():
        stack, hits = line.rsplit(" ", 1)
        stack = stack.replace(" [veneer]", "").split(";")
        if is_chain(stack):
            right += int(hits)
        elif stack[0] not in ("Reset_Handler", "_start", "main"):
            cut += int(hits)
        else:
            wrong.append(line)
    assert not wrong, wrong
    # Below 1 % of places have a stack that is cut there; test_unwind.py tries each of them.
    assert as_rarely(cut, right + cut, 0.01) and right + cut >= samples, (right, cut)
    rows = json.loads(mprof("report", path, "--by", "total", "--format", "json"))["rows"]
    hits = {row["function"]: row["hits"] for row in rows}
    whole = right + cut
    assert as_rarely(whole - hits["main"], whole, 0.02), (whole, hits)
    # The rest of a round is what go_round() does by itself.
    assert as_rarely(whole - hits["round_of"], whole, 0.2) and hits["round_of"] <= hits["main"], (whole, hits)
    return right, cut


def check_refreshes(link):
    """A refresh takes no sample of its own. How long halts may be test_taken_halt.c tries."""
    lines = mprof("top", *link, "--allow-halt=2%", "-d", "0.02", "-n", "20", "--format", "json").splitlines()
    last = json.loads(lines[-1])
    assert last["link"]["halts"] > 1 and last["link"]["longest_halt_ms"] > 0, last["link"]
    assert last["link"]["halts"] <= last["hits"] + 8, last["link"]


def check_killed(link, port):
    top = subprocess.Popen([MPROF, "top", *link, "--stacks", "--allow-halt=90%", "-d", "0.01", "-n", "1000000",
                            "--format", "json"], stdout=subprocess.PIPE, text=True, env=environment())
    while json.loads(top.stdout.readline())["hits"] < 10:
        pass
    top.send_signal(signal.SIGKILL)
    top.wait()
    top.stdout.close()
    wait_for("the guardian leaves", lambda: not has_client(port))
    assert qemu_runs(port)


def check_process_stack(board, folder):
    """A handler's own stack is another one than that of what it has interrupted."""
    elf = build(board, folder, "-DON_PROCESS_STACK")
    with Rig(elf) as rig:
        link = ["--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}"]
        right, cut = check_stacks(link, folder, FEW)
        assert rig.stat()["running"]
    print(f"{board}, on the process stack, through OpenOCD: {right} right, {cut} cut, 0 wrong")


def check_links(elf, port, qmp, folder):
    """A machine that stands still would give no sample to the next one."""
    for link in (["--mi", f"gdb-multiarch -nx -q {elf} -iex 'set remotetimeout 60' -ex 'target remote :{port}'"],
                 ["--qmp", f":{qmp}"]):
        right, cut = check_stacks(["--elf", elf, *link, "--sampler", "halt"], folder, FEW)
        print(f"{link[0]}: {right} right, {cut} cut, 0 wrong")
    last = mprof("top", "--elf", elf, *link, "--sampler", "halt", "-n", "1", "--format", "json")
    assert json.loads(last)["link"]["state"] == "RUNNING", last


def check(board):
    port, qmp = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        elf = build(board, folder)
        link = ["--elf", elf, "--gdb", f":{port}", "--tcl", "none", "--sampler", "halt"]
        with Machine(elf, ["-gdb", f"tcp:127.0.0.1:{port}", "-qmp", f"tcp:127.0.0.1:{qmp},server=on,wait=off"],
                     board=board):
            wait_for("QEMU", lambda: listens(port))
            result = check_stacks(link, folder, SAMPLES)
            check_refreshes(link)
            for _ in range(KILLS):
                check_killed(link, port)
            if board == "cortex-m3":
                check_links(elf, port, qmp, folder)
        if board == "cortex-m3":
            check_process_stack(board, folder)
    return result


def main():
    right = cut = 0
    for board in sys.argv[1:]:
        some = check(board)
        print(f"{board}: {some[0]} right, {some[1]} cut, 0 wrong", flush=True)
        right, cut = right + some[0], cut + some[1]
    counted(f"{right} of {right + cut} stacks right, {cut} cut; {KILLS * len(sys.argv[1:])} kills")


main()
