# SPDX-License-Identifier: GPL-3.0-or-later
"""With the focus, instructions have the hits that a plugin counts; it is off when mprof has left.

usage: test_focus.py PLUGIN FOCUS_ELF
"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

from chance import BOUND, divergence
from machine import ranges_of
from rig import Rig, Tcl
from support import count, mprof, symbols, wait_for
from terminal import Terminal

PLUGIN, ELF = sys.argv[1:]
ENABLE, ALL, UNFOCUSED, CALM = 64, 0xffffffab, 0x00400000, 0x00800000
KIND_FOCUS = 8
ENTRIES = 64
# One instruction a block of QEMU's: it takes interrupts between blocks only.
OPTIONS = ["-singlestep"]


def instructions(name):
    """[(start, end)] of a function."""
    text = subprocess.check_output(["arm-none-eabi-objdump", "-d", f"--disassemble={name}", ELF],
                                   text=True)
    starts = [int(at, 16) for at in re.findall(r"^ *([0-9a-f]+):\t", text, re.M)]
    return list(zip(starts, starts[1:] + [starts[-1] + 2]))


class Target:
    """The rig, with its words."""

    def __init__(self, folder):
        steps = instructions("hot") + instructions("large")
        self.counts_path = os.path.join(folder, "counts")
        words = [PLUGIN, f"out={self.counts_path}"]
        words += [f"range={start:x}:{start:x}:{end:x}" for start, end in steps]
        self.rig = Rig(ELF, icount=5, qemu_args=[*OPTIONS, "-plugin", ",".join(words)])

    def __enter__(self):
        self.rig.start()
        self.tcl = Tcl(self.rig.tcl_port)
        self.prof = symbols(ELF)["s_prof"][0]
        self.link = ["--elf", ELF, "--gdb", f":{self.rig.gdb_port}", "--tcl",
                     f":{self.rig.tcl_port}"]
        wait_for("mprof_init()", lambda: self.enable() == ALL)
        data = self.tcl.read_bytes(self.prof, 112 + 16 * 2)
        for at in range(112, len(data), 16):
            kind, _, _, _, _, _, entries, offset = struct.unpack_from("<BBBBHHII", data, at)
            if kind == KIND_FOCUS:
                self.entries = self.prof + offset
        assert entries == ENTRIES
        return self

    def __exit__(self, *_):
        self.tcl.close()
        self.rig.stop()

    def enable(self):
        return self.tcl.read(self.prof + ENABLE)[0]

    def focused(self):
        """Counting, and no event reads requests."""
        return self.enable() & (UNFOCUSED | CALM) == CALM

    def counted(self):
        return sum(self.tcl.read(self.entries, ENTRIES))

    def executed(self, name):
        """{address: executed instructions} of a function, by the plugin."""
        counts = ranges_of(self.counts_path)
        return {start: counts[f"{start:x}"] for start, _ in instructions(name)}

    def good(self, *words):
        done = mprof(*words, *self.link)
        assert done.returncode == 0, done
        return done.stdout


def steps_of(annotation):
    return {int(step["address"], 16): step for line in annotation["lines"]
            for step in line["instructions"]}


def hottest(hits):
    return sorted(sorted(hits, key=hits.get)[-3:])


def agrees(hits, total, share, late):
    """As plausible(), where each count may be up to 1 + late times as large as the others' because it was read
    later."""
    low, high = share / (share + (1 - share) * (1 + late)), share * (1 + late) / (1 + share * late)
    seen = hits / total
    nearest = min(max(seen, low), high)
    return nearest == seen or total * divergence(seen, nearest) <= BOUND


def check(annotation, exact, late=0.0):
    """Hits of instructions that agree with what was executed, and are nobody else's. late: what is read
    last may have so many times more samples, since the core runs on while its counts are read."""
    steps = steps_of(annotation)
    hits = {at: steps[at]["hits"] for at in exact}
    total, executed = sum(hits.values()), sum(exact.values())
    print("counted:", total, "samples")
    for at, step in hits.items():
        assert agrees(step, total, exact[at] / executed, late), (hex(at), step, total,
                                                                exact[at] / executed)
        assert not steps[at]["shared"], steps[at]
    assert hottest(hits) == hottest(exact), (hits, exact)
    return total


def check_control(target):
    assert "focus    off" in target.good("control", "status")
    assert target.good("control", "focus", "hot") == "", "all of it is counted"
    assert target.focused()
    assert re.search(r"focus +0x[0-9a-f]+-0x[0-9a-f]+ hot", target.good("control", "status"))
    wait_for("samples", lambda: target.counted() > count(1000, 20000))
    plain = json.loads(target.good("annotate", "hot", "--format", "json"))
    assert any(step["shared"] for step in steps_of(plain).values()), plain
    assert target.focused(), "only who asks for a focus ends it"
    target.good("control", "focus", "large")
    target.good("control", "focus", "hot")
    wait_for("samples since then, of whatever stands in the 64 entries",
             lambda: target.counted() > count(1000, 50000))
    # All counts are of one moment then, also where OpenOCD is kept waiting between two words.
    target.tcl.halt()
    annotation = json.loads(target.good("annotate", "hot", "--focus=10ms", "--format", "json"))
    target.tcl.resume()
    total = check(annotation, target.executed("hot"))
    assert total > count(400, 20000), "the counts were taken over"
    assert any(f"exact, from {total} samples" in note for note in annotation["notes"]), annotation
    # The focus is read after the table, and has hits of a later moment.
    assert annotation["hits"] >= plain["hits"], "the function has the table's hits"
    assert target.focused(), "only who has begun a focus ends it"
    with Top(target) as top:
        top.enter(target)
        top.leave()
    assert target.focused(), "only who has begun a focus ends it"
    target.good("control", "focus", "off")
    assert target.enable() == ALL
    check_size(target)
    done = mprof("control", "focus", *target.link)
    assert done.returncode == 2 and "a function, or 'off'" in done.stderr, done


def check_size(target):
    """Of a larger function the first part is counted, and how much that is is said."""
    size = symbols(ELF)["large"][1]
    said = target.good("control", "focus", "large")
    assert re.search(f"focus: only the first {2 * ENTRIES} of {size} bytes of large;", said), said
    target.good("annotate", "hot", "--focus=10ms")  # which moves it, and so ends it
    assert target.enable() == ALL


def check_halted(target):
    """A request that no event has seen is withdrawn, for the time after that, too."""
    target.tcl.halt()
    # As long as OpenOCD needs for an answer, on this machine now.
    for seconds in ("0.5", "5", "50"):
        done = mprof("control", "focus", "hot", "--timeout", seconds, *target.link)
        if not re.search("did not answer|nothing answered|no answer to", done.stderr):
            break
    assert done.returncode == 1 and "focus: off, since an event has to move it" in done.stderr, done
    assert target.enable() == ALL
    target.tcl.resume()
    target.good("control", "reset")  # events see requests, and find none
    assert target.enable() == ALL
    assert "focus    off" in target.good("control", "status")


def check_turns(target):
    """The halves of the larger function, which is never counted at once."""
    seconds = 2
    while True:
        annotation = json.loads(target.good("annotate", "large", f"--focus={seconds}s", "--format",
                                            "json"))
        hits = sum(step["hits"] for step in steps_of(annotation).values())
        # Of a part whose turn passed while QEMU got no time nothing is known.
        if hits > 2000 and any("3 parts of the function take turns" in note for note in annotation["notes"]):
            break
        seconds *= 2
        assert seconds < 100, annotation
    check(annotation, target.executed("large"), late=0.9)  # so that twice as many still stand out
    assert target.enable() == ALL


class Top(Terminal):
    """A live screen with hot() annotated."""

    def __init__(self, target):
        super().__init__()
        self.command(f"{os.environ['MPROF_BUILD']}/mprof top -d 0.1 {' '.join(target.link)}")
        self.shows(r"\bhot\b")

    def enter(self, target):
        self.type("Enter")
        self.shows(r"focus: lines are exact, from \d+ samples")
        # The screen may still show a focus that has just ended.
        wait_for("a focus", lambda: target.enable() & UNFOCUSED == 0)

    def leave(self):
        shell = self.ask("pane_pid")
        children = pathlib.Path(f"/proc/{shell}/task/{shell}/children")
        self.type("C-c")
        self.wait("top has ended", lambda: children.read_text() == "")


def check_leaving(target):
    off = ("no focus", lambda: target.enable() == ALL)
    with Top(target) as top:
        top.enter(target)
        top.type("Escape")
        wait_for(*off)
        top.enter(target)
        top.type("C-c")
        wait_for(*off)
    with Top(target) as top:
        top.enter(target)
        wait_for("no request", target.focused)
        os.kill(top.child(), signal.SIGKILL)
        top.shows("Killed")
        assert target.focused()
    with Top(target) as top:
        top.type("q")
        wait_for(*off)


def main():
    with tempfile.TemporaryDirectory() as folder, Target(folder) as target:
        check_control(target)
        check_halted(target)
        check_turns(target)
        check_leaving(target)


main()
