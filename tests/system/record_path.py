#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks the path that docs/tour.md shows: start, the hot function, its hot line, a base, a change, the
difference; or, for README.md and docs/diff.md, makes snapshots of both builds and compares them.
Prints what is shown, or writes it into the file after comments <!-- screen NAME -->.

usage: python3 tests/system/record_path.py [docs/tour.md | README.md | docs/diff.md]
"""

import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("MPROF_BUILD", str(ROOT / "build"))

from rig import Rig, Tcl
from support import FIRMWARE, HANG_S, MPROF, mprof
from terminal import Terminal

SLOW = FIRMWARE / "motor.elf"
QUICK = FIRMWARE / "motor-table.elf"

# A ranking row, a source line of a function, and a row that changed: what is asked of a screen.
ROW = re.compile(r"^[> ] *(?P<share>\d+\.\d) .* (?P<function>\S+) +(?P<place>\S+:\d+)$", re.M)
LINE = re.compile(r"^ *(\[[\d.]+, (?P<most>[\d.]+)\]|(?P<share>\d+\.\d) +\d+)[^\w.]+"
                  r"(?P<place>\S+\.c:\d+)  +(?P<source>\S.*)$", re.M)
CHANGE = re.compile(r"^(?P<mark>more|less|    ) +(?P<base>[\d.]+) +(?P<new>[\d.]+) +(?P<change>[-+]?[\d.]+) % "
                    r"(\[(?P<low>\S+), (?P<high>\S+)\]|\u00b1 (?P<half>[\d.]+)) +(?P<function>\S+)$", re.M)


def found(pattern, screen):
    """The rows; an interval has its ends, however it is shown."""
    rows = [match.groupdict() for match in pattern.finditer(screen)]
    for row in rows:
        if row.get("half"):
            row["low"] = float(row["change"]) - float(row["half"])
            row["high"] = float(row["change"]) + float(row["half"])
    return rows


class Path:
    """The path on a terminal of 80x24, by the stub's table, which loses nothing however slow the
    machine is. Each step waits for what it is about and returns the screen; samples: how many are
    to be there before a screen is believed; options: more for top."""

    def __init__(self, terminal, rig, folder, samples, options=""):
        self.terminal, self.rig, self.samples, self.options = terminal, rig, samples, options
        self.elf = pathlib.Path(folder, "motor.elf")

    def put(self, elf):
        """As a linker does it: another file in the place of the old one."""
        fresh = self.elf.with_suffix(".new")
        shutil.copyfile(elf, fresh)
        os.replace(fresh, self.elf)

    def flash(self, elf):
        """As a debugger loads it: reset, halt, write, run."""
        with Tcl(self.rig.tcl_port) as tcl:
            tcl("reset halt")
            tcl(f"load_image {elf}")
            stack, entry = tcl.read(0, 2)
            tcl(f"reg msp {stack:#x}")
            tcl(f"reg pc {entry & ~1:#x}")
            tcl("resume")

    def until(self, what, condition, seconds=HANG_S):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            screen = self.terminal.screen()
            # The last line is drawn last.
            if re.search(r"^(Enter |compared with ).*\s*\Z", screen, re.M) and condition(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{what}: did not happen; the screen is\n{screen}")

    @staticmethod
    def taken(screen):
        """All samples that the screen tells of."""
        numbers = re.search(r"^\S+   (\d+) samples   .*lost (\d+)", screen, re.M)
        return sum(map(int, numbers.groups())) if numbers else 0

    def counted(self, screen):
        return self.taken(screen) >= self.samples

    def start(self):
        self.put(SLOW)
        self.terminal.command(f"cd {self.elf.parent}; clear; {MPROF} top --elf {self.elf.name} "
                              f"--sampler table --gdb :{self.rig.gdb_port} --tcl :{self.rig.tcl_port} "
                              f"{self.options}")
        return self.until("a ranking", self.counted)

    def enter(self):
        self.terminal.type("Enter")
        return self.until("its instructions", lambda s: found(LINE, s) and
                          re.search(r"^ .* [0-9a-f]+  [a-z]+[.a-z]* ", s, re.M))

    def back(self):
        self.terminal.type("Escape")
        return self.until("the ranking", lambda s: "FUNCTION" in s)

    def take_base(self):
        self.terminal.type("b")
        self.until("word of it", lambda s: "compared with" in s)
        self.terminal.type("Home")  # a key ends what is said

    def compared(self, condition):
        return self.until("a base and now", lambda s: found(CHANGE, s) and "compared with" not in s and
                          condition(s))

    def build(self):
        self.put(QUICK)
        return self.until("word of the new file", lambda s: "has changed on disk" in s)

    def reflash(self):
        self.flash(QUICK)
        self.until("the new firmware", lambda s: "restarted 1" in s)
        return self.until("the difference", lambda s: self.counted(s) and found(CHANGE, s))


# Of screens that are longer than what they are shown for: which lines are kept.
KEPT = {"inside": [slice(0, 2), slice(10, 24)], "base": [slice(0, 1), slice(4, 16)]}


def shortened(name, screen):
    """Without lines that are empty, or not in KEPT; dots stand for these. Source files are in ROOT."""
    lines = [line.rstrip().replace(f"{ROOT}/", "") for line in screen.split("\n") if line.strip()]
    pieces = [lines[piece] for piece in KEPT.get(name, [slice(None)])]
    return "\n...\n".join("\n".join(piece) for piece in pieces)


def record():
    """name -> screen."""
    with tempfile.TemporaryDirectory() as folder, Rig(SLOW, icount=3, fast=True) as rig, \
            Terminal(80, 24) as terminal:
        path = Path(terminal, rig, folder, 10000)
        screens = {"start": path.start(), "inside": path.enter()}
        path.back()
        path.take_base()
        # At one of twenty looks something is marked by chance, and not for long.
        screens["base"] = path.compared(lambda s: "no evidence of a change" in s)
        path.build()
        screens["change"] = path.reflash()
        terminal.type("q")
        return {name: shortened(name, screen) for name, screen in screens.items()}


def snapshots(rig, elf, output):
    done = mprof("snapshot", "-o", output, "--duration", "5", "--runs", "5", "--elf", elf,
                 "--sampler", "table", "--gdb", f":{rig.gdb_port}", "--tcl", f":{rig.tcl_port}")
    if done.returncode:
        sys.exit(done.stderr)
    return output


def record_diff():
    """The table of mprof diff: its first four rows, and the columns that the page has room for."""
    with tempfile.TemporaryDirectory() as folder, Rig(SLOW, icount=3, fast=True) as rig:
        old = snapshots(rig, SLOW, pathlib.Path(folder, "old.pb.gz"))
        Path(None, rig, folder, 0).flash(QUICK)
        new = snapshots(rig, QUICK, pathlib.Path(folder, "new.pb.gz"))
        text = mprof("diff", old, new, "--limit", "4", "--fields",
                     "verdict,base_us,new_us,change,function").stdout
    return {"diff": re.search(r"^ +BASE US.*\n(?:.*\n){4}", text, re.M)[0].rstrip("\n")}


def write(name, screens):
    file = pathlib.Path(name)
    text = file.read_text(encoding="utf-8")
    for screen, lines in screens.items():
        block = re.compile(rf"(<!-- screen {screen} -->\n```text\n).*?(?=```\n)", re.S)
        text, count = block.subn(lambda m, lines=lines: m.group(1) + lines + "\n", text)
        if count != 1:
            sys.exit(f"{name} has {count} places for the screen {screen}")
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    tour = sys.argv[1:] in ([], ["docs/tour.md"])
    recorded = record() if tour else record_diff()
    if len(sys.argv) > 1:
        write(sys.argv[1], recorded)
    else:
        for title, lines in recorded.items():
            print(f"== {title}\n{lines}\n")
