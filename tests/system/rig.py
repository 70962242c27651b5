# SPDX-License-Identifier: GPL-3.0-or-later
"""The test rig from Python: starts mprof-rig, reads its counters, talks to its OpenOCD."""

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import time

from support import HANG_S

START_SECONDS = HANG_S


# An instruction takes 2^4 ns of real time: a core that computes all the while has 62 million of them a
# second, and takes a tenth of a processor instead of all of one.
PACE = 4
# With these of QEMU's arguments a core goes as fast as it can.
UNPACED = {"-icount", "-plugin", "-singlestep"}


class RigError(Exception):
    """The rig did not start or did not answer."""


class Rig:
    """A running mprof-rig; use it in a with statement.

    elf: the firmware, or a list of one for each target. qemu_gdb: plain QEMU with its own gdb port,
    no OpenOCD. icount: one instruction takes 2^icount ns, of the core's time and of real time; fast: the
    core goes as fast as it can, and its time with it if icount is given; without it, a step of a debugger
    may take QEMU 7.2 two instructions further. targets: chips under one OpenOCD; smp: as one group on one
    gdb port. qemu_args, openocd_args: more arguments for these. options: more for
    the rig. tests/rig/README.md says what it simulates and what its commands do.
    It ends with this program, however this program ends: its stdin is a pipe that we hold.
    """

    def __init__(self, elf, *, qemu_gdb=False, icount=None, fast=False, targets=1, smp=False,
                 qemu_args=(), openocd_args=(), options=()):
        program = os.path.join(os.environ["MPROF_BUILD"], "tests", "rig", "mprof-rig")
        self.arguments = [program, "--until-eof", "--targets", str(targets), *map(str, options)]
        for path in elf if isinstance(elf, (list, tuple)) else [elf]:
            self.arguments += ["--elf", str(path)]
        if smp:
            self.arguments.append("--smp")
        if qemu_gdb:
            self.arguments.append("--qemu-gdb")
        if not fast and not UNPACED.intersection(qemu_args):
            pace = PACE if icount is None else icount
            qemu_args = ("-icount", f"shift={pace},align=on", *qemu_args)
        elif icount is not None:
            self.arguments += ["--icount", str(icount)]
        for argument in qemu_args:
            self.arguments += ["--qemu-arg", argument]
        for argument in openocd_args:
            self.arguments += ["--openocd-arg", argument]
        self.process = None
        self.info = {}

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.process.kill()
            _, text = self.process.communicate()
            self.process = None
            raise RigError(text.strip() or "the rig says nothing")
        self.info = json.loads(line)
        return self

    def stop(self):
        """Ends the rig and returns its exit status. Nothing (None) when it was not running."""
        if self.process is None:
            return None
        process, self.process = self.process, None
        try:
            _, said = process.communicate(timeout=HANG_S)  # closes its stdin
        except subprocess.TimeoutExpired:
            process.kill()
            _, said = process.communicate()
        if process.returncode != 0:
            print("mprof-rig ended with", process.returncode, said, file=sys.stderr)
        return process.returncode

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    @property
    def gdb_port(self):
        return self.info["gdb_port"]

    @property
    def tcl_port(self):
        return self.info["tcl_port"]

    @property
    def targets(self):
        """Of each: index, name (of OpenOCD's target), gdb_port, qemu_pid."""
        return self.info["targets"]

    def control(self, command):
        """One command to the control socket; returns the decoded answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(HANG_S)
            connection.connect(self.info["control"])
            connection.sendall(command.encode() + b"\n")
            answer = b""
            while not answer.endswith(b"\n"):
                chunk = connection.recv(4096)
                if not chunk:
                    raise RigError("the rig closed its control socket")
                answer += chunk
        return json.loads(answer)

    def stat(self):
        return self.control("stat")

    def pcs(self):
        """Of DWT_PCSR, with --pcsr: {address: how often it was read}."""
        answer = self.control("pcs")
        assert answer["elsewhere"] == 0, answer
        return dict(answer["pcs"])

    def command(self, command):
        """The same, for what answers "ok"; raises RigError when the rig refuses."""
        answer = self.control(command)
        if "error" in answer:
            raise RigError(answer["error"])

    def reset(self, target=0):
        """Someone presses the reset button."""
        self.command("reset %d" % target)

    def load(self, elf, target=0):
        """Another firmware is flashed and started, not by our OpenOCD."""
        self.command("load %d %s" % (target, elf))

    def unplug(self):
        """The JTAG cable is pulled; the core does not notice."""
        self.command("unplug")

    def plug(self):
        self.command("plug")

    def stop_openocd(self):
        """Kills OpenOCD by SIGKILL."""
        self.command("stop-openocd")

    def start_openocd(self):
        """Starts it again on the same ports, and waits until it is ready."""
        self.command("start-openocd")
        stat = self.wait(lambda stat: stat["openocd"] == "ready", START_SECONDS)
        self.info["openocd_pid"] = stat["openocd_pid"]

    def is_left(self, running, what=""):
        """Asserts that the core is left so. What lets it run may still be on its way to QEMU."""
        if running:
            self.wait(lambda stat: stat["running"])
        elif self.stat()["running"]:
            raise AssertionError(f"the core runs: {what}")

    def wait(self, condition, seconds=HANG_S):
        """Polls stat() until condition(stat) holds and returns it; seconds only bound a failure."""
        end = time.monotonic() + seconds
        while True:
            stat = self.stat()
            if condition(stat):
                return stat
            if time.monotonic() > end:
                raise RigError("waited in vain: %s" % stat)
            time.sleep(0.01)


class Monitor:
    """QMP: looks at the machine, stops it and lets it go on, without a gdb port."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(HANG_S)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.lines.readline()
        self.command("qmp_capabilities")

    def command(self, name):
        self.socket.sendall(json.dumps({"execute": name}).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if "return" in answer:
                return answer["return"]

    def status(self):
        """"running", "paused", or "debug" (a breakpoint)."""
        return self.command("query-status")["status"]

    def close(self):
        self.lines.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class QmpRig(Rig):
    """Plain QEMU with its gdb port, and QMP for one client on a unix socket: qmp is its path."""

    def __init__(self, elf, *, qemu_args=(), **more):
        self.folder = tempfile.TemporaryDirectory()
        self.qmp = os.path.join(self.folder.name, "qmp")
        super().__init__(elf, qemu_gdb=True, **more,
                         qemu_args=(*qemu_args, "-qmp", f"unix:{self.qmp},server=on,wait=off"))

    def stop(self):
        status = super().stop()
        self.folder.cleanup()
        return status

    def monitor(self, *commands):
        """Commands without arguments, like "stop" and "cont"."""
        with Monitor(self.qmp) as monitor:
            for command in commands:
                monitor.command(command)


class TclError(Exception):
    """The command failed; the text is OpenOCD's."""


class Tcl:
    """A client of OpenOCD's Tcl port; use it in a with statement."""

    END = b"\x1a"

    def __init__(self, port, host="127.0.0.1"):
        self.connection = socket.create_connection((host, port), timeout=HANG_S)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.pending = b""

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def raw(self, command):
        """Sends a command and returns its result, which does not tell success from failure."""
        self.connection.sendall(command.encode() + self.END)
        while self.END not in self.pending:
            chunk = self.connection.recv(65536)
            if not chunk:
                raise TclError("OpenOCD closed the connection")
            self.pending += chunk
        result, _, self.pending = self.pending.partition(self.END)
        return result.decode()

    def __call__(self, command):
        """Sends a command and returns its result; raises TclError when it failed."""
        answer = self.raw("list [catch {%s} mp_result] $mp_result" % command)
        code, _, result = answer.partition(" ")
        if code != "0":
            raise TclError("%s: %s" % (command, result))
        return result[1:-1] if result.startswith("{") else result

    def read(self, addr, count=1, width=32):
        """Numbers from memory."""
        return [int(word, 16) for word in
                self("read_memory %#x %d %d" % (addr, width, count)).split()]

    def read_bytes(self, addr, length):
        """Bytes from memory; addr and length are multiples of 4."""
        return b"".join(word.to_bytes(4, "little") for word in self.read(addr, length // 4))

    def write(self, addr, values, width=32):
        self("write_memory %#x %d {%s}" % (addr, width, " ".join("%#x" % v for v in values)))

    def reg(self, name):
        return int(self("reg %s force" % name).split(":")[1].strip(), 16)

    def state(self):
        return self("[target current] curstate")

    def halt(self):
        self("halt %d" % (1000 * HANG_S))

    def halt_outside_interrupts(self):
        """In one, a sample may be counted that has no row yet."""
        self.halt()
        while self.reg("xPSR") & 0x1ff:
            self.resume()
            self.halt()

    def resume(self):
        self("resume")

    def wait_halted(self, milliseconds=1000 * HANG_S):
        self("wait_halt %d" % milliseconds)
