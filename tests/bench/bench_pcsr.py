# SPDX-License-Identifier: GPL-3.0-or-later
"""Samples of firmware without a stub: how many a second, and how long another client of OpenOCD waits.

usage: bench_pcsr.py [-o JSON] [--seconds S]

In one run: OpenOCD's own command profile, a bare loop of single reads, and mprof by default, with --link-share 1 and
with --burst. Another client asks for "expr 1" all the time.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from lines import Lines  # noqa: E402
from pcsr import PCSR, Waits, build  # noqa: E402
from rig import Rig, Tcl  # noqa: E402
from support import MPROF  # noqa: E402



def loop(rig, seconds, folder):
    with Tcl(rig.tcl_port) as tcl:
        count, begin = 0, time.monotonic()
        while time.monotonic() - begin < seconds:
            tcl.read(PCSR)
            count += 1
        return count / (time.monotonic() - begin)


def profile(rig, seconds, folder):
    with Tcl(rig.tcl_port) as tcl:
        begin = time.monotonic()
        tcl(f"profile {max(1, round(seconds))} {folder}/gmon.out 0x100 0x200")
        took = time.monotonic() - begin
    counts = (folder / "gmon.out").read_bytes()[20 + 1 + 16 + 16:]
    return sum(counts[0::2]) / took + 256 * sum(counts[1::2]) / took


def mprof(*words):
    def run(rig, seconds, folder):
        with Lines([str(MPROF), "top", "--elf", folder / "bare.elf", "--gdb", f":{rig.gdb_port}", "--tcl",
                    f":{rig.tcl_port}", "-d", "1", "-n", "1000", "--format", "json", *words]) as top:
            first = json.loads(top.line())
            while True:
                last = json.loads(top.line())
                if last["time"] - first["time"] >= seconds:
                    break
        if last["link"]["halts"]:
            raise SystemExit("mprof has halted the core")
        return (last["hits"] - first["hits"]) / (last["time"] - first["time"])
    return run


WAYS = {"OpenOCD's profile": profile, "loop of single reads": loop, "mprof": mprof(),
        "mprof --link-share 1": mprof("--link-share", "1"),
        "mprof --burst --link-share 1": mprof("--burst", "--link-share", "1"), "nobody": None}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", dest="output")
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    result = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with Rig(build(folder), options=["--pcsr"]) as rig:
            print(f"{'':30} {'samples/s':>10} {'wait: longest':>14} {'99 %':>8}")
            for way, run in WAYS.items():
                with Waits(rig.tcl_port) as waits:
                    rate = run(rig, options.seconds, folder) if run else time.sleep(options.seconds) or 0
                times = sorted(waits.times)
                result[way] = {"rate": rate, "longest_ms": times[-1] * 1e3,
                               "p99_ms": times[len(times) * 99 // 100] * 1e3}
                print(f"{way:30} {rate:10.0f} {times[-1] * 1e3:11.1f} ms {result[way]['p99_ms']:5.1f} ms", flush=True)
            print("halts:", rig.stat()["halts"])
    if options.output:
        os.makedirs(os.path.dirname(options.output), exist_ok=True)
        pathlib.Path(options.output).write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
