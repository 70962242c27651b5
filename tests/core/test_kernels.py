# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads of firmware without a stub, of four kernels: their shares, names and stacks are those that the firmware has.

usage: test_kernels.py KIND ELF...

KIND: halt (samples by halts, through QEMU) or pcsr (by DWT_PCSR, through OpenOCD). The name of an ELF file ends in that
of its kernel.
"""

import contextlib
import json
import os
import struct
import sys
import tempfile

from chance import plausible
from machine import Monitor
from rig import Rig, Tcl
from support import SOAK, counted, json_lines, mprof, symbols, wait_for

KIND, *FILES = sys.argv[1:]
FILL = {"freertos": 0xa5, "threadx": 0xef, "chibios": 0x55, "zephyr": 0xaa}
NAMES = ["task blink", "task a longer net", "task IDLE"]
HANDLER = "External_Handler (IRQ 8)"


def names_of(kernel):
    return NAMES[:2] + (["task idle (no thread)"] if kernel == "threadx" else NAMES[2:])


class Target:
    """The firmware, and what it says of itself."""

    def __init__(self, elf, rig, read):
        self.elf, self.read = elf, read
        self.kernel = os.path.splitext(os.path.basename(elf))[0].split("-")[-1]
        tools = "riscv64-unknown-elf-" if self.kernel == "zephyr" else "arm-none-eabi-"
        self.table = symbols(elf, tools + "nm")
        self.link = ["--elf", elf, "--gdb", f":{rig.gdb_port}", "--sampler", KIND]
        self.link += ["--allow-halt=50%"] if KIND == "halt" else ["--tcl", f":{rig.tcl_port}", "--link-share", "1"]
        wait_for("all threads", lambda: min(self.spent()[:3]) > 0)

    def spent(self):
        """Ticks of each thread, and then of the interrupt."""
        return struct.unpack("<4I", self.read(*self.table["spent"]))

    def unused(self):
        """Bytes of each stack that still have the kernel's pattern."""
        data, pattern = self.read(*self.table["tasks"]), bytes([FILL[self.kernel]])
        found = []
        for i in range(3):
            task = data[i * len(data) // 3:(i + 1) * len(data) // 3]
            begin = task.index(16 * pattern)
            found.append(next(n for n in range(len(task)) if task[begin + n:begin + n + 1] != pattern))
        return found

    def ask(self, verb, *more):
        done = mprof(verb, *self.link, *more)
        assert done.returncode == 0, (more, done.stderr)
        return done


def by_halts(target, names):
    """The rows of as many snapshots as give the threads 30 hits."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        while sum(rows[name]["hits"] for name in names if name in rows) < 30:
            path = os.path.join(folder, "a.pb.gz")
            target.ask("snapshot", "--hits", "60", "-o", path)
            for row in json.loads(mprof("report", path, "--by", "context", "--format", "json").stdout)["rows"]:
                row["hits"] += rows[row["function"]]["hits"] if row["function"] in rows else 0
                rows[row["function"]] = row
            os.unlink(path)
    return rows


def check_shares(target):
    """Against the firmware's own clock, while the samples were taken. QEMU that counts instructions hears a debugger
    more often when a timer ends than else: so the interrupt has more samples than time, and how many is chance."""
    before, unused = target.spent(), target.unused()
    names = names_of(target.kernel)
    if KIND == "halt":
        rows = by_halts(target, names)
    else:
        shown = json.loads(target.ask("report", "--by", "context", "--format", "json").stdout)
        rows = {row["function"]: row for row in shown["rows"]}
    spent = [b - a for a, b in zip(before, target.spent())]
    handler = rows.get(HANDLER)
    assert not handler or spent[3], rows
    assert set(rows) <= {*names, HANDLER}, rows
    total = sum(rows[name]["hits"] for name in names if name in rows)
    assert total > 0, rows
    for name, ticks in zip(names, spent):
        # How far the core comes from one batch to the next is the machine's affair: on a busy one many of them may be
        # of one turn of a thread.
        if KIND == "pcsr" and not SOAK:
            break
        # All samples that were taken at once may be alike.
        part = rows[name]["hits"] / total if name in rows else 0
        independent = total if KIND == "halt" else 2 * shown["batches"]
        # What DWT_PCSR has of the interrupt is the thread's: each has the same part.
        assert plausible(part * independent, independent, ticks / sum(spent[:3])), (name, ticks, spent, rows)
    contexts = {name: row["context"] for name, row in rows.items()}
    assert contexts == {name: "idle" if "idle" in name.lower() else "interrupt" if name == HANDLER else "task"
                        for name in rows}, rows
    check_stacks(target, unused)
    print(f"{KIND} {target.kernel}: {({name: row['hits'] for name, row in rows.items()})}, spent {spent}")
    counted(f"{target.kernel}: {total} samples of {len(names)} threads")


def check_stacks(target, unused):
    shown = json.loads(target.ask("report", "--by", "context", "--format", "json").stdout)
    rows = {row["function"]: row for row in shown["rows"]}
    for name, most, least in zip(NAMES, unused, target.unused()):
        if name in rows:
            assert least <= rows[name]["stack_free"] <= most < 1024 == rows[name]["stack_size"], (name, rows[name])


def check_one(target):
    """The functions of one thread, and a line of all."""
    shown = json.loads(target.ask("report", "--context", "A longer NET", "--format", "json").stdout)
    hits = {row["function"]: row["hits"] for row in shown["rows"]}
    assert set(hits) <= {"shared_work", "thread", "give_way", "swap", "External_Handler"}, hits
    [line] = json_lines(target.ask("stat", "-n", "1", "-d", "1", "--format", "json").stdout)
    tasks = {one["task"]: one["share"] for one in line["by_task"]}
    assert set(tasks) <= {name[len("task "):] for name in names_of(target.kernel)}, line
    # By DWT_PCSR the handler, which is that of several interrupts, is no row of its own.
    if line["seconds"] and line["rate"] and KIND == "halt":
        assert abs(sum(tasks.values()) + line["interrupts"] + line["unknown"] - 1) < 0.001, line
    assert all(one["stack_free"] for one in line["by_task"]), line


@contextlib.contextmanager
def started(elf):
    if KIND == "pcsr":
        with Rig(elf, options=["--pcsr"]) as rig, Tcl(rig.tcl_port) as tcl:
            yield Target(elf, rig, tcl.read_bytes)
        return
    with tempfile.TemporaryDirectory() as folder:
        path, image = os.path.join(folder, "qmp"), os.path.join(folder, "memory")
        arguments = ("-qmp", f"unix:{path},server=on,wait=off")
        with Rig(elf, qemu_gdb=True, qemu_args=arguments) as rig, contextlib.closing(Monitor(path)) as monitor:
            def read(addr, length):
                monitor.run("pmemsave", val=addr, size=length, filename=image)
                with open(image, "rb") as file:
                    return file.read()
            yield Target(elf, rig, read)


def main():
    for i, elf in enumerate(FILES):
        with started(elf) as target:
            check_shares(target)
            if i == 0:
                check_one(target)


main()
