# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a key of the live screen takes until it is drawn, while polls take 4 s.

usage: bench_keys.py [PROGRAM]...   programs to compare; the build's mprof by default
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
from rig import Rig  # noqa: E402
from support import BUILD, MPROF, PATIENCE  # noqa: E402
from terminal import Pty  # noqa: E402
from wire import Wire  # noqa: E402

ELF = BUILD / "firmware" / "cortex-m3.elf"
KEYS = int(os.environ.get("MPROF_KEYS", 1000))
POLL_S, GAP_S, WANTED_MS = 4, 0.01, 20


class SlowWire(Wire):
    """Each answer of the server takes POLL_S, once the screen is there."""

    slow = False

    def __init__(self, port):
        super().__init__(port, self._late)

    def _late(self, is_ours, data):
        if not is_ours and self.slow:
            time.sleep(POLL_S)
        return data


def key_ms(screen, key):
    begin = time.monotonic()
    count = len(screen.bytes)
    screen.type(key)
    while len(screen.bytes) == count:
        screen.read(POLL_S)
    return (time.monotonic() - begin) * 1e3


def type_keys(screen):
    times = []
    for i in range(KEYS):
        times.append(key_ms(screen, b"k" if i % 2 else b"j"))
        time.sleep(GAP_S)
        screen.read(0)
    return times


def measure(program, rig):
    with SlowWire(rig.tcl_port) as wire, Pty("xterm-256color", [
            program, "top", "--elf", str(ELF), "--tcl", f":{wire.port}", "-d", "0.1"]) as screen:
        screen.shows(b"work_c")
        wire.slow = True
        times = type_keys(screen)
        wire.slow = False
    return times


def machine():
    """What the terminal and a busy machine take of it: a program that repeats each key."""
    with Pty("xterm-256color", ["/bin/sh", "-c", "stty raw -echo; echo ready; exec cat"]) as screen:
        screen.shows(b"ready")
        return type_keys(screen)


def show(what, times):
    times.sort()
    at = {part: times[min(len(times) - 1, int(part / 100 * len(times)))] for part in (50, 90, 99)}
    within = sum(ms <= WANTED_MS for ms in times) / len(times)
    print(f"{what}: {len(times)} keys: " +
          ", ".join(f"{part} % within {ms:.1f} ms" for part, ms in at.items()) +
          f", longest {times[-1]:.0f} ms; {within:.1%} within {WANTED_MS} ms", flush=True)


def main():
    os.environ.update(PATIENCE)
    show("cat", machine())
    with Rig(ELF, fast=True) as rig:
        for program in sys.argv[1:] or [str(MPROF)]:
            show(f"{program}, polls of {POLL_S} s", measure(program, rig))


if __name__ == "__main__":
    main()
