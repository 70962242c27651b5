# SPDX-License-Identifier: GPL-3.0-or-later
"""What a poll of a 64-item table costs over each link, beside gdb and beside one raw read.

usage: bench_link.py FIRMWARE [-o JSON] [--rounds N] [--polls N]

All phases take turns on the same two machines, so that a busy host slows all of them, and rest as long between two polls.
A time per poll is the median over all rounds; for mprof it is what its own JSON says. How long the core was halted is
what the rig saw.
"""

import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from rig import Rig  # noqa: E402
from support import MPROF, Gdb, end_socket, environment, symbols  # noqa: E402
from lines import Lines  # noqa: E402

GDB = "gdb-multiarch"
WARM_UP = 5
REST_S = 0.02


class Relay:
    """Passes bytes between a client and a server and counts the client's turns: bytes from it after
    bytes from the server, or the first ones."""

    def __init__(self, port):
        self.server_port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.turns = 0
        self.last = None
        self.lock = threading.Lock()
        self.sockets = [self.listener]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        server = socket.create_connection(("127.0.0.1", self.server_port))
        self.sockets += [client, server]
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self._pass, args=(server, client, "server"), daemon=True).start()
        self._pass(client, server, "client")

    def _pass(self, source, sink, name):
        try:
            while data := source.recv(65536):
                with self.lock:
                    self.turns += name == "client" and self.last != "client"
                    self.last = name
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self.sockets:
            end_socket(one)


class Phase:
    """Something that is polled: times in seconds, and what the rig saw of it."""

    def __init__(self, name, rig):
        self.name = name
        self.rig = rig
        self.times = []
        self.halts = 0
        self.halted_ms = 0.0

    def halted(self, run):
        before = self.rig.stat()
        run()
        after = self.rig.stat()
        self.halts += after["halts"] - before["halts"]
        self.halted_ms += after["halted_ms"] - before["halted_ms"]

    def repeat(self, once, polls):
        for _ in range(WARM_UP):
            once()

        def run():
            for _ in range(polls):
                begin = time.perf_counter()
                once()
                self.times.append(time.perf_counter() - begin)
                time.sleep(REST_S)

        self.halted(run)

    @property
    def poll_ms(self):
        return statistics.median(self.times) * 1e3

    @property
    def halted_ms_per_poll(self):
        return self.halted_ms / len(self.times)


class Mprof(Phase):
    """mprof top over a link, as a user starts it."""

    def __init__(self, name, rig, elf, link):
        super().__init__(name, rig)
        self.arguments = [str(MPROF), "top", "--elf", str(elf), "-d", str(REST_S), "-n", "1000000",
                          "--format", "json", *link]

    def round(self, polls):
        def run():
            for _ in range(polls):
                self.times.append(json.loads(top.line())["link"]["poll_ms"] / 1e3)

        with Lines(self.arguments) as top:
            for _ in range(WARM_UP):
                top.line()
            self.halted(run)
            # It must let the core go: SIGTERM, and the wait for its end.
            top.process.terminate()
            top.process.wait(timeout=20)


class RawTcl(Phase):
    """One read_memory of the same bytes, the answer taken and not looked at."""

    def __init__(self, name, rig, addr, size):
        super().__init__(name, rig)
        self.command = f"read_memory {addr:#x} 32 {size // 4}\x1a".encode()

    def round(self, polls):
        def once():
            # OpenOCD sends an answer in two pieces, and the second waits for the first's ack.
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            link.sendall(self.command)
            while not link.recv(65536).endswith(b"\x1a"):
                pass

        with socket.create_connection(("127.0.0.1", self.rig.tcl_port), timeout=20) as link:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.repeat(once, polls)


class RawGdb(Phase):
    """One m packet of the same bytes: on QEMU between a Ctrl-C and a c."""

    def __init__(self, name, rig, addr, size, halt):
        super().__init__(name, rig)
        self.request = f"m{addr:x},{size:x}"
        self.halt = halt

    def _once(self, gdb):
        if self.halt:
            gdb.socket.sendall(b"+\x03")
            while not gdb.packet().startswith("T02"):
                pass
        answer = gdb.ask(self.request)
        while answer.startswith("O"):
            answer = gdb.packet()
        if self.halt:
            gdb.send("c")

    def round(self, polls):
        gdb = Gdb(self.rig.gdb_port)
        gdb.ask("vCont?")
        gdb.send("c")
        self.repeat(lambda: self._once(gdb), polls)
        if self.halt:
            gdb.socket.sendall(b"+\x03")
            while not gdb.packet().startswith("T02"):
                pass
            gdb.send("c")  # D is refused where a gdb has been
        gdb.close()


class KeptGdb(Phase):
    """A gdb that is kept open over MI: interrupt, print s_prof, continue."""

    def __init__(self, name, rig, elf, addr, size):
        super().__init__(name, rig)
        self.elf = elf
        self.read = "-data-evaluate-expression s_prof"

    def _once(self, gdb):
        self._send(gdb, "-exec-interrupt", "*stopped")
        self._send(gdb, self.read, "^done,value")
        self._send(gdb, "-exec-continue", "*running")

    @staticmethod
    def _send(gdb, command, answer):
        gdb.process.stdin.write(command + "\n")
        gdb.process.stdin.flush()
        while not gdb.line().startswith(answer):
            pass

    def round(self, polls):
        arguments = [GDB, "-nx", "-q", "--interpreter=mi3", str(self.elf)]
        with Lines(arguments, stdin=subprocess.PIPE) as gdb:
            self._send(gdb, "-gdb-set mi-async on", "^done")
            self._send(gdb, f"-target-select remote :{self.rig.gdb_port}", "*stopped")
            self._send(gdb, "-exec-continue", "*running")
            self.repeat(lambda: self._once(gdb), polls)
            self._send(gdb, "-exec-interrupt", "*stopped")
            gdb.process.stdin.write("-interpreter-exec console \"monitor resume\"\n"
                                    "-target-detach\n-gdb-exit\n")
            gdb.process.stdin.flush()
            gdb.process.wait(timeout=20)


class BatchGdb(Phase):
    """A gdb for each poll, as a script would do it."""

    def __init__(self, name, rig, elf):
        super().__init__(name, rig)
        self.arguments = [GDB, "-nx", "-q", "-batch", str(elf), "-ex",
                          f"target remote :{rig.gdb_port}", "-ex", "p s_prof", "-ex",
                          "monitor resume", "-ex", "detach"]

    def round(self, polls):
        def once():
            text = subprocess.run(self.arguments, stdin=subprocess.DEVNULL, text=True,
                                  capture_output=True, timeout=60, env=environment()).stdout
            if "magic" not in text:
                raise RuntimeError(f"gdb -batch printed no table: {text}")

        self.repeat(once, polls)


def count_turns(elf, link, option, port, polls):
    """Round trips of a poll after the first ones, as a relay before the server sees them."""
    with Relay(port) as relay:
        arguments = [str(MPROF), "top", "--elf", str(elf), "-d", str(REST_S), "-n", "1000000", "--format",
                     "json", *link, option, f"127.0.0.1:{relay.port}"]
        with Lines(arguments) as top:
            for _ in range(WARM_UP):
                top.line()
            before = relay.turns
            for _ in range(polls):
                top.line()
            turns = relay.turns - before
            top.process.terminate()
            top.process.wait(timeout=20)
    return turns / polls


class Bench:
    """All phases, by the machine that they are measured on."""

    def __init__(self, elf, openocd, qemu, qmp):
        addr, size = symbols(elf)["s_prof"]
        gdb = f":{openocd.gdb_port}"
        self.elf = elf
        self.size = size
        self.openocd = [
            Mprof("openocd-tcl", openocd, elf, ["--gdb", gdb, "--tcl", f":{openocd.tcl_port}"]),
            RawTcl("raw openocd-tcl", openocd, addr, size),
            Mprof("openocd-gdb", openocd, elf, ["--gdb", gdb, "--tcl", "none"]),
            RawGdb("raw openocd-gdb", openocd, addr, size, halt=False),
            Mprof("openocd-mi", openocd, elf, ["--allow-halt=1", "--mi", self._mi(openocd)]),
            KeptGdb("kept gdb, openocd", openocd, elf, addr, size),
            BatchGdb("gdb -batch, openocd", openocd, elf),
        ]
        self.qemu = [
            Mprof("qemu-gdb", qemu, elf, ["--gdb", f":{qemu.gdb_port}", "--tcl", "none"]),
            RawGdb("raw qemu-gdb", qemu, addr, size, halt=True),
            Mprof("qemu-qmp", qemu, elf, ["--qmp", qmp]),
            Mprof("qemu-mi", qemu, elf, ["--allow-halt=1", "--mi", self._mi(qemu)]),
            KeptGdb("kept gdb, qemu", qemu, elf, addr, size),
            BatchGdb("gdb -batch, qemu", qemu, elf),
        ]

    def _mi(self, rig):
        return f"{GDB} -nx -q {self.elf} -ex 'target remote :{rig.gdb_port}'"

    def run(self, rounds, polls):
        for number in range(rounds):
            for phase in self.openocd + self.qemu:
                slow = isinstance(phase, BatchGdb)
                phase.round(max(2, polls // 20) if slow else polls)
                print(f"\rround {number + 1} of {rounds}: {phase.name:24}", end="",
                      file=sys.stderr, flush=True)
        print(file=sys.stderr)


def pairs(bench):
    """What is set against what."""
    by_name = {phase.name: phase for phase in bench.openocd + bench.qemu}
    for link, references in (
            ("openocd-tcl", ("raw openocd-tcl", "kept gdb, openocd", "gdb -batch, openocd")),
            ("openocd-gdb", ("raw openocd-gdb", "kept gdb, openocd", "gdb -batch, openocd")),
            ("openocd-mi", ("kept gdb, openocd", "gdb -batch, openocd")),
            ("qemu-gdb", ("raw qemu-gdb", "kept gdb, qemu", "gdb -batch, qemu")),
            ("qemu-qmp", ("raw qemu-gdb", "kept gdb, qemu", "gdb -batch, qemu")),
            ("qemu-mi", ("kept gdb, qemu", "gdb -batch, qemu"))):
        for reference in references:
            yield by_name[link], by_name[reference]


def results(bench):
    rows = []
    for link, reference in pairs(bench):
        for what, value, against in (
                ("time per poll", link.poll_ms, reference.poll_ms),
                ("time halted per poll", link.halted_ms_per_poll, reference.halted_ms_per_poll)):
            rows.append({"name": f"{link.name}: {what}", "value": round(value, 4), "unit": "ms",
                         "reference": reference.name, "reference_value": round(against, 4),
                         "ratio": round(value / against, 4) if against else None})
    return rows


def show(rows, turns):
    print(f"{'':36} {'ms':>8}   {'reference':22} {'ms':>8}   ratio")
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:7.3f}"
        print(f"{row['name']:36} {row['value']:8.3f}   {row['reference']:22} "
              f"{row['reference_value']:8.3f} {ratio}")
    for row in turns:
        print(f"{row['name']:36} {row['value']:8.2f}")


def turn_rows(bench, openocd, qemu, polls):
    """One round trip is what there can be at least."""
    rows = []
    for name, link, option, port in (
            ("openocd-tcl", ["--gdb", f":{openocd.gdb_port}"], "--tcl", openocd.tcl_port),
            ("openocd-gdb", ["--tcl", "none"], "--gdb", openocd.gdb_port),
            ("qemu-gdb", ["--tcl", "none"], "--gdb", qemu.gdb_port)):
        value = round(count_turns(bench.elf, link, option, port, polls), 3)
        rows.append({"name": f"{name}: round trips per poll", "value": value, "unit": "round trips",
                     "reference": "one", "reference_value": 1, "ratio": value})
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("elf")
    parser.add_argument("-o", dest="output")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--polls", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Rig(arguments.elf, fast=True) as openocd, \
            Rig(arguments.elf, fast=True, qemu_gdb=True,
                qemu_args=["-qmp", f"unix:{folder}/qmp,server=on,wait=off"]) as qemu:
        bench = Bench(arguments.elf, openocd, qemu, f"{folder}/qmp")
        bench.run(arguments.rounds, arguments.polls)
        rows = results(bench)
        turns = turn_rows(bench, openocd, qemu, arguments.polls)
    print(f"A table of {bench.size} bytes; medians of {arguments.rounds} x {arguments.polls} polls")
    show(rows, turns)
    if arguments.output:
        os.makedirs(os.path.dirname(arguments.output), exist_ok=True)
        with open(arguments.output, "w") as file:
            json.dump(rows + turns, file, indent=1)


main()
