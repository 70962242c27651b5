# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware without a stub, and another client of OpenOCD that asks for nothing all the time."""

import pathlib
import socket
import statistics
import subprocess
import threading
import time

from rig import Tcl

PCSR, DEMCR, TRCENA = 0xe000101c, 0xe000edfc, 1 << 24
TRUE = {"work_half": 0.5, "work_third": 0.3, "work_fifth": 0.2}
PLACES = ("-Wl,--section-start=.vectors=0", "-Wl,-Ttext=0x100", "-Wl,-Tbss=0x20000000", "-Wl,-e,on_reset")


def build(folder):
    """bare.elf of bare.c: three functions take TRUE of the time."""
    elf = folder / "bare.elf"
    source = pathlib.Path(__file__).resolve().parent / "bare.c"
    subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-g", "-nostdlib", *PLACES, source,
                    "-o", elf], check=True)
    return elf


class Waits:
    """How long another client waits for "expr 1", seconds; use it in a with statement."""

    def __init__(self, port):
        self.times = []
        self.tcl = Tcl(port)
        self.ended = False
        self.thread = threading.Thread(target=self._run)

    def _ask(self):
        """OpenOCD answers in two writes: the first must be acknowledged at once, or the second waits for 40 ms."""
        connection, answer = self.tcl.connection, b""
        connection.sendall(b"expr 1" + Tcl.END)
        while not answer.endswith(Tcl.END):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            answer += connection.recv(4096)

    def _run(self):
        while not self.ended:
            begin = time.perf_counter()
            self._ask()
            self.times.append(time.perf_counter() - begin)
            time.sleep(0.001)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join()
        self.tcl.close()

    def longest_ms(self, polls):
        """The median of as many longest waits as there were polls: the host has pauses of its own."""
        assert 0 < polls <= len(self.times)
        return statistics.median(sorted(self.times)[-polls:]) * 1e3
