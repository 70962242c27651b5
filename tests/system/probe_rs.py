# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of probe-rs' gdb server with one core, as its sources and those of its library gdbstub have it.

What matters to a guest: it halts the core for whoever connects, says T05 to '?' whatever halted the core,
clears DFSR, and shows no DCSR. So nothing that it answers tells whether the core ran before."""

import os
import signal
import struct
import threading

from support import FakeServer, state, wait_for

HELP = ("Supported Commands:\n\n    info - print session information\n    reset - reset target\n"
        "    reset halt - reset target and halt afterwards\n\n")
OFFERS = ("PacketSize=1000;vContSupported+;multiprocess+;QStartNoAckMode+;swbreak+;hwbreak+;"
          "qXfer:features:read+;qXfer:memory-map:read+")
DFSR = 0xe000ed30
REMOTE_ERROR = "E79"
SIGINT = "02"


class Core:
    """A core that runs, or stands at an instruction."""

    def __init__(self, arch, *, running=True, instruction=None, memory=None):
        self.arch = arch
        self.running = running
        self.pc = 0x80000120 if arch == "riscv" else 0x8000120
        self.memory = memory or {}
        if instruction is not None:
            self.memory[self.pc] = instruction.ljust(4, b"\0")
        self.halts = 0

    def description(self):
        """As probe-rs writes it: registers are numbered by their place, and DCSR is not among them."""
        if self.arch == "riscv":
            features = (("org.gnu.gdb.riscv.cpu", [f"x{i}" for i in range(32)] + ["pc"]),
                        ("org.gnu.gdb.riscv.csr", ["mepc", "mcause", "mstatus", "sepc"]))
        else:
            features = (("org.gnu.gdb.arm.m-profile", [f"r{i}" for i in range(13)] + ["sp", "lr", "pc", "xpsr"]),
                        ("org.gnu.gdb.arm.m-system", ["msp", "psp"]))
        arch = "riscv:rv32" if self.arch == "riscv" else "armv7"
        return ('<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target version="1.0">'
                f"<architecture>{arch}</architecture>"
                + "".join(f"<feature name='{name}'>"
                          + "".join(f"<reg name='{reg}' bitsize='32' type='uint32'/>" for reg in regs)
                          + "</feature>" for name, regs in features) + "</target>")

    def register(self, number):
        """Registers are read of a halted core only; after the program counter comes one, or four, more."""
        if self.running or number > (36 if self.arch == "riscv" else 18):
            return REMOTE_ERROR
        is_pc = number == (32 if self.arch == "riscv" else 15)
        return struct.pack("<I", self.pc if is_pc else 0).hex()

    def read(self, addr, size):
        if self.arch == "arm" and addr == DFSR:
            return bytes(size)
        for start, data in self.memory.items():
            if start <= addr and addr + size <= start + len(data):
                return data[addr - start:addr - start + size]
        if not 0x8000000 <= addr < 0xa0000000:
            return None
        return bytes((addr + i) & 0xff for i in range(size))


class ProbeRs(FakeServer):
    """resumes: the version resumes the core after D, and goes on when a client is lost; others do nothing
    after D, and end with the client. In both a plain 'c' is an error that ends the server."""

    def __init__(self, core, *, resumes=True):
        self.core = core
        self.resumes = resumes
        self.requests = []
        self.ended = False
        self.left = 0
        self.spare_resumes = 0  # of a core that ran
        self.turn = threading.Lock()
        self.kill_at = None
        self.victim = None
        super().__init__(self._take)

    def kill(self, request, answered):
        """Kills the client at this request, by its number: before it is answered, or after."""
        self.kill_at = (request, answered)

    def _take(self, connection):
        with self.turn:
            if self.ended:
                return
            self.core.running = False
            self.core.halts += 1
            try:
                Session(self, connection).run()
            finally:
                self.left += 1

    def die(self, answered):
        """The client is gone before the server goes on."""
        if self.kill_at != (len(self.requests), answered):
            return
        self.kill_at = None
        pid = wait_for("the client's number", lambda: self.victim)
        os.kill(pid, signal.SIGKILL)
        wait_for("the client's end", lambda: state(pid) in ("", "Z"))


class Session:
    def __init__(self, server, connection):
        self.server, self.core = server, server.core
        self.connection = connection
        self.acks = True
        self.goes_on = True

    def send(self, text):
        self.connection.sendall(b"$%s#%02x" % (text.encode(), sum(text.encode()) % 256))

    def run(self):
        data = b""
        while self.goes_on:
            more = self.connection.recv(4096)
            if not more:
                self.server.ended = not self.server.resumes
                return
            data += more
            while self.goes_on and data:
                data = self.take(data)

    def take(self, data):
        """Takes a packet or a byte from the beginning; the rest, or None if more is needed."""
        if data[:1] == b"\x03":
            if self.core.running:
                self.core.running = False
                self.send("S" + SIGINT)
            return data[1:]
        if data[:1] != b"$":
            assert data[:1] == b"+", data
            return data[1:]
        end = data.find(b"#")
        if end < 0 or len(data) < end + 3:
            more = self.connection.recv(4096)
            if not more:
                self.goes_on = False
                return b""
            return data + more
        payload = data[1:end]
        assert int(data[end + 1:end + 3], 16) == sum(payload) % 256, data
        self.request(payload.decode())
        return data[end + 3:]

    def request(self, text):
        self.server.requests.append(text)
        self.server.die(False)
        if self.acks:
            self.connection.sendall(b"+")
        answer = self.answer(text)
        if answer is not None:
            self.send(answer)
        self.server.die(True)

    def answer(self, text):
        if text.startswith("qSupported"):
            return OFFERS
        if text == "QStartNoAckMode":
            self.acks = False
            return "OK"
        if text == "?":
            return "T05thread:01;"
        if text == "vCont?":
            return "vCont;c;C;s;S"
        if text == "vCont;c":
            self.server.spare_resumes += self.core.running
            self.core.running = True
            return None
        if text == "c":
            self.server.ended, self.goes_on = True, False
            return None
        if text == "D":
            self.goes_on = False
            self.core.running = self.core.running or self.server.resumes
            return "OK"
        if text.startswith("qRcmd,"):
            assert bytes.fromhex(text[6:]) not in (b"reset", b"reset halt"), text
            self.send("O" + HELP.encode().hex())
            return "OK"
        return self.ask(text)

    def ask(self, text):
        """What is asked about the target."""
        if text.startswith("qXfer:features:read:target.xml:"):
            offset, size = (int(part, 16) for part in text.rpartition(":")[2].split(","))
            piece = self.core.description()[offset:offset + size]
            return ("m" if piece else "l") + piece
        if text.startswith("m"):
            addr, size = (int(part, 16) for part in text[1:].split(","))
            data = self.core.read(addr, size)
            return REMOTE_ERROR if data is None else data.hex()
        if text.startswith("p"):
            return self.core.register(int(text[1:], 16))
        return ""
