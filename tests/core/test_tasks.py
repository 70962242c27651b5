# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples by task: what mprof shows is what the firmware has counted, and tasks and their sleeps have names in a trace.

usage: test_tasks.py BOARD FOLDER
"""

import json
import os
import re
import sys
import tempfile

from chance import as_rarely, plausible
from rig import Rig, Tcl
from support import json_lines, mprof, symbols, wait_for

BOARD, FOLDER = sys.argv[1:]
TOOLS = "arm-none-eabi-" if BOARD.startswith("cortex") else "riscv64-unknown-elf-"
NAMES = ("blink", "net", "IDLE", "rare")
TIMER = "External_Handler (IRQ 8)"


class Run:
    """Firmware that has stopped counting."""

    def __init__(self, rig, tcl, elf):
        self.tcl, self.table = tcl, symbols(elf, TOOLS + "nm")
        self.link = ["--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}"]
        wait_for("all samples", lambda: self.read("finished", 1) == [1])
        self.counted = dict(zip((f"task {name}" for name in NAMES), self.read("counted", len(NAMES))))
        self.interrupted, = self.read("interrupted", 1)
        if self.interrupted:
            self.counted[TIMER] = self.interrupted

    def read(self, name, count):
        return [self.tcl.read(self.table[name][0] + 4 * i)[0] for i in range(count)]

    def ask(self, verb, *more, status=0):
        done = mprof(verb, *self.link, *more)
        assert done.returncode == status, (more, done.returncode, done.stderr)
        return done

    def rows(self, *more):
        shown = json.loads(self.ask("report", "--format", "json", *more).stdout)
        return {row["function"]: row for row in shown["rows"]}

    def hits(self, *more):
        return {name: row["hits"] for name, row in self.rows(*more).items()}


def check_shares(run):
    """The firmware's own clock agrees."""
    spent = run.read("spent", len(NAMES))
    tasks = [run.counted[f"task {name}"] for name in NAMES]
    for ticks, samples in zip(spent, tasks):
        assert plausible(samples, sum(tasks), ticks / sum(spent)), (spent, tasks)


def check_samples(run):
    for sampler in ("table", "stream"):
        assert run.hits("--by", "context", "--sampler", sampler) == run.counted, sampler
    rows = run.rows("--by", "context")
    contexts = {name: row["context"] for name, row in rows.items()}
    assert contexts.pop(TIMER, "interrupt") == "interrupt"
    assert contexts == {"task blink": "task", "task net": "task", "task rare": "task", "task IDLE": "idle"}
    assert {rows[name]["exception"] for name in contexts} == {None}, rows
    assert len({rows[name]["task"] for name in contexts}) == len(NAMES), rows
    address = rows["task net"]["task"]
    for word in ("NET", address):
        hits = run.hits("--context", word, "--sampler", "stream")
        assert sum(hits.values()) == run.counted["task net"], (word, hits)
        # The task itself is a few instructions, below 1 % of its time.
        assert as_rarely(run.counted["task net"] - hits["shared_work"], run.counted["task net"], 0.01), hits
    if run.interrupted:
        hits = run.hits("--context", "IRQ8", "--sampler", "stream")
        assert sum(hits.values()) == run.interrupted, hits
    hits = run.hits("--sampler", "stream")
    assert sum(hits.values()) == sum(run.counted.values()), hits


def check_wrong_words(run):
    said = run.ask("report", "--context", "nett", "--sampler", "stream").stderr
    assert "no task that is called 'nett' has run yet; --by context lists them" in said, said
    said = run.ask("report", "--context", "net", "--sampler", "table", status=1).stderr
    assert "a table does not record the exception of a sample" in said, said


def check_trace(run, folder):
    """The marks of the idle task, and its sleeps, whose time it has kept as well."""
    path = os.path.join(folder, "tasks.trace")
    shown = [json_lines(run.ask("trace", "-n", "60", "--format", "json").stdout)]
    run.ask("trace", "-n", "60", "--record", "-o", path)
    done = mprof("trace", path, "--format", "json")
    shown.append(json_lines(done.stdout))
    assert shown[0] == shown[1], done.stderr
    marks = [one for one in shown[0] if one["kind"] == "mark"]
    assert len(marks) >= 18 and {one["task_name"] for one in marks} == {"IDLE"}, marks
    awake = [one for one in shown[0] if one["kind"] == "awake"]
    assert sum(one["kind"] == "asleep" for one in shown[0]) >= 18, shown[0]
    slept = [one["slept"] for one in awake[1:]]
    assert all(0.00018 < seconds < 0.00035 for seconds in slept), slept
    text = mprof("trace", path).stdout
    assert "--- asleep ---" in text and f"--- awake after {slept[0]:.6f} s ---" in text, text
    assert "  {task IDLE}\n" in text, text
    report = json.loads(mprof("report", path, "--format", "json").stdout)
    assert report["sleeps"] >= 18, report


def check_snapshot(run, folder):
    """A file has the same rows as the target."""
    path = os.path.join(folder, "tasks.pb.gz")
    run.ask("snapshot", "-o", path)
    done = mprof("report", path, "--by", "context", "--format", "json")
    rows = {row["function"]: row for row in json.loads(done.stdout)["rows"]}
    assert {name: row["hits"] for name, row in rows.items()} == run.counted, done.stderr
    assert rows["task IDLE"]["context"] == "idle" and rows["task net"]["context"] == "task", rows


def unused(run):
    """Bytes of each task's stack that still have the kernel's pattern, by all of the tasks' memory."""
    pattern = bytes([0xa5 if BOARD.startswith("cortex") else 0xaa])
    data = run.tcl.read_bytes(*run.table["tasks"])
    found = {}
    for i, name in enumerate(NAMES):
        task = data[i * len(data) // len(NAMES):(i + 1) * len(data) // len(NAMES)]
        begin = task.index(16 * pattern)
        found[name] = next(n for n in range(len(task)) if task[begin + n:begin + n + 1] != pattern)
    return found


def check_stacks(run):
    rows = run.rows("--by", "context")
    free = unused(run)
    assert {name: rows[f"task {name}"]["stack_free"] for name in NAMES} == free, (rows, free)
    assert {rows[f"task {name}"]["stack_size"] for name in NAMES} == {1024}, rows
    if run.interrupted:
        assert rows[TIMER]["stack_free"] is None, rows
    text = run.ask("report", "--by", "context", "--fields", "stack_free,stack_size,function").stdout
    assert re.search(rf"(?m)^ +{free['net']} +1024  task net$", text), text


def check_stat(rig, elf):
    """A line of tasks, of firmware that counts on."""
    link = ["--elf", elf, "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}"]
    done = mprof("stat", *link, "--sampler", "table", "-n", "1", "-d", "0.3", "--format", "json")
    assert done.returncode == 0, done.stderr
    [line] = json_lines(done.stdout)
    tasks = {one["task"]: one["share"] for one in line["by_task"]}
    # Not by functions: all call the same one.
    assert line["interrupts"] > 0 and line["idle"] > 0 and not line["callees_are_tasks"], line
    assert {"blink", "net"} <= set(tasks) <= set(NAMES), tasks
    # The table of tasks is read after the other one, on a busy machine much later: yet shares of all tasks are of
    # the same time as those of the line.
    total = line["rate"] * line["seconds"]
    assert abs(sum(tasks.values()) - line["tasks"] - line["idle"]) < 3 / total, line
    assert abs(tasks.get("IDLE", 0) - line["idle"]) < 2 / total, line
    for name, part in (("blink", 50), ("net", 30), ("IDLE", 19)):
        part /= 50 + 30 + 19 + 1
        hits = [round(total * share) for share in (tasks.get(name, 0), sum(tasks.values()))]
        assert plausible(*hits, part), (name, part, line)
    done = mprof("stat", *link, "--sampler", "table", "-n", "1", "-d", "0.3")
    assert re.search(r"(?m)^ {10}blink \d+\.\d, net \d+\.\d", done.stdout), (done.stdout, done.stderr)
    assert re.search(r"\n {10}never used of stacks: \w+ \d+ of 1024,.* \w+ \d+ of 1024 bytes\n$", done.stdout,
                     re.DOTALL), done.stdout


def check_few(run):
    """Two rows are those of the first tasks; all else is counted together."""
    known = {name: run.counted[name] for name in ("task blink", "task net")}
    tasks = sum(run.counted.values()) - run.interrupted - sum(known.values())
    hits = run.hits("--by", "context", "--sampler", "table")
    assert hits == {**known, "other tasks and exceptions": tasks + run.interrupted}, hits
    hits = run.hits("--by", "context", "--sampler", "stream")
    handler = {TIMER: run.interrupted} if run.interrupted else {}
    assert hits == {**known, **handler, "other tasks": tasks}, hits


def main():
    for name in ("tasks", "tasks-few"):
        elf = os.path.join(FOLDER, name + ".elf")
        # Time goes by instructions, so that a busy host changes no share.
        with Rig(elf, icount=4) as rig, Tcl(rig.tcl_port) as tcl, tempfile.TemporaryDirectory() as folder:
            run = Run(rig, tcl, elf)
            halts = rig.stat()["halts"]
            assert (run.interrupted > 50) == (BOARD == "cortex-m3"), run.interrupted
            if name == "tasks-few":
                check_few(run)
                continue
            check_shares(run)
            check_samples(run)
            check_wrong_words(run)
            check_trace(run, folder)
            check_snapshot(run, folder)
            check_stacks(run)
            assert rig.stat()["halts"] == halts
            print(f"{BOARD}: {run.counted}")
    if BOARD == "cortex-m3":
        elf = os.path.join(FOLDER, "tasks-run.elf")
        with Rig(elf, icount=4) as rig:
            check_stat(rig, elf)


main()
