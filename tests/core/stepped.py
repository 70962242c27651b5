# SPDX-License-Identifier: GPL-3.0-or-later
"""Firmware that is stepped by instruction in QEMU, and the call stack that it truly has at each: it is
followed by its calls, returns and exceptions, not by what is on the stack."""

import random
import socket
import struct
import time

PC, PSP, MEPC = 32, 34, 35
REGISTERS = 36
WINDOW = 1536  # bytes of each stack's end that are recorded


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


class Stub:
    """A client of QEMU's gdb server."""

    def __init__(self, port):
        self.socket = socket.socket()
        while self.socket.connect_ex(("127.0.0.1", port)):
            time.sleep(0.01)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.bytes = b""

    def close(self):
        self.socket.close()

    def send(self, *packets):
        self.socket.sendall(b"".join(b"$%s#%02x" % (p, sum(p) % 256) for p in packets))

    def answer(self):
        while True:
            start = self.bytes.find(b"$")
            end = self.bytes.find(b"#", start)
            if start >= 0 and 0 <= end <= len(self.bytes) - 3:
                break
            more = self.socket.recv(65536)
            assert more, "QEMU has closed the connection"
            self.bytes += more
        found = self.bytes[start + 1:end]
        self.bytes = self.bytes[end + 3:]
        return found

    def run(self, packet):
        self.send(packet)
        return self.answer()


class Frame:
    """One that has not returned: where it goes on, and with which stack pointer."""

    def __init__(self, pc, sp, interrupted, helper=None):
        self.pc, self.sp, self.interrupted, self.helper = pc, sp, interrupted, helper


class Core:
    """What is common: steps, and the stack of calls."""

    def __init__(self, stub, windows, functions):
        self.stub, self.windows, self.functions = stub, windows, functions
        self.known_code = {}
        self.frames = []
        self.calls = self.traps = 0
        assert stub.run(b"qXfer:features:read:target.xml:0,400")[:1] == b"l"  # else there is more in "g"
        self.random = random.Random(1)
        self.gap = 50
        self.allow(False)

    def allow(self, interrupts):
        """Whether time goes on for timers in steps, and interrupts are taken."""
        assert self.stub.run(b"Qqemu.sstep=%d" % (1 if interrupts else 7)) == b"OK"

    def go_to(self, addr):
        """Runs from the reset to an address, which is the start of a function that was called."""
        assert self.stub.run(b"Z1,%x,%d" % (addr, self.BREAK)) == b"OK"
        self.stub.send(b"c")
        assert self.stub.answer().startswith(b"T05")
        assert self.stub.run(b"z1,%x,%d" % (addr, self.BREAK)) == b"OK"
        self.look()
        assert self.pc == addr, (hex(self.pc), hex(addr))
        self.frames = [Frame(self.registers[self.RA] & self.MASK, self.sp, False)]

    def look(self):
        """Reads registers and the ends of the stacks."""
        reads = [b"m%x,%x" % (start, end - start) for start, end in self.windows]
        self.stub.send(b"g", *reads)
        self.take(bytes.fromhex(self.stub.answer().decode()))
        self.memory = [bytes.fromhex(self.stub.answer().decode()) for _ in reads]

    def code(self, addr):
        """Four bytes of code."""
        if addr not in self.known_code:
            self.known_code[addr] = bytes.fromhex(self.stub.run(b"m%x,4" % addr).decode())
        return self.known_code[addr]

    def run_one(self):
        """Steps; now and then an interrupt comes before, and more often in a handler."""
        self.gap -= 1
        if self.gap == 0:
            self.allow(True)
        self.stub.send(b"s")
        assert self.stub.answer().startswith(b"T05")
        if self.gap == 0:
            self.allow(False)
            handled = any(frame.interrupted for frame in self.frames)
            self.gap = self.random.randrange(*((10, 60) if handled else (60, 240)))
        self.look()

    def step(self):
        before, pc, sp = self.state(), self.pc, self.sp
        self.run_one()
        if self.is_trapped(before, pc):
            self.traps += 1
            if self.is_chained():
                return
            self.frames.append(Frame(pc, sp, True))
            self.frames[-1].handler_sp = self.sp
            self.enter(before, sp)
            return
        while self.frames and self.has_ended(self.frames[-1]):
            self.frames.pop()
        size = self.called(pc)
        if size and self.pc != pc + size and not self.is_inside(pc):
            self.calls += 1
            self.frames.append(Frame(pc + size, sp, False, self.helper()))

    def is_chained(self):
        """A handler follows another one, whose frame it takes over."""
        handled = [index for index, frame in enumerate(self.frames) if frame.interrupted]
        if not handled or self.frames[handled[-1]].handler_sp != self.sp:
            return False
        del self.frames[handled[-1] + 1:]
        return True

    def has_ended(self, frame):
        """It goes on, or something below it has returned for it."""
        if frame.helper:
            return not frame.helper[0] <= self.pc < frame.helper[1] and self.sp == frame.sp
        return (self.pc, self.sp) == (frame.pc, frame.sp) or (self.sp > frame.sp and self.is_own(frame))

    def is_own(self, frame):
        """On the same stack: others are far away."""
        return not frame.interrupted and self.sp - frame.sp < WINDOW

    def is_inside(self, pc):
        """A call that stays in its function: the library's divisions call parts of themselves."""
        return any(start <= pc < end and start < self.pc < end for start, end in self.functions.values())

    def helper(self):
        """The range of a function that returns to another address than it was called from."""
        found = [span for name, span in self.functions.items() if name.startswith("__gnu_thumb1_case")]
        return next((span for span in found if span[0] <= self.pc < span[1]), None)

    def truth(self):
        """[(pc, interrupted)], the innermost first."""
        return [(self.pc, False)] + [(f.pc, f.interrupted) for f in reversed(self.frames)]

    def record(self):
        """For unwind_replay.c."""
        values = [0] * REGISTERS
        known = 0
        for number, value in self.known().items():
            values[number] = value
            known |= 1 << number
        pieces, memory = [0] * 4, b""
        for index, ((start, end), data) in enumerate(zip(self.windows, self.memory)):
            at = self.sp if start <= self.sp < end else start
            pieces[2 * index:2 * index + 2] = at, end - at
            memory += data[at - start:]
        return struct.pack(f"={REGISTERS}QQ4Q", *values, known, *pieces) + memory


class Arm(Core):
    RA, BREAK, MASK = 14, 2, 0xfffffffe

    def take(self, data):
        self.registers = list(struct.unpack_from("<16I", data))
        self.xpsr, = struct.unpack_from("<I", data, 64)
        self.sp, self.pc = self.registers[13], self.registers[15]
        if not hasattr(self, "psp"):
            self.psp = None

    def state(self):
        return self.xpsr & 0x1ff

    def is_trapped(self, before, _):
        """A new exception, and not the return to one that was interrupted."""
        now, frame = self.state(), self.frames[-1]
        back = frame.interrupted and (self.pc, self.sp) == (frame.pc, frame.sp)
        return now not in (0, before) and not back

    def enter(self, before, sp):
        """The process stack is that of the interrupted code, less the frame."""
        ra = self.registers[14]
        if before == 0 and ra & 4:
            self.psp = (sp - (32 if ra & 16 else 104)) & ~7

    def called(self, pc):
        first, second = struct.unpack_from("<2H", self.code(pc))
        if first & 0xf800 == 0xf000 and second & 0xd000 == 0xd000:
            return 4
        return 2 if first & 0xff87 == 0x4780 else 0

    def known(self):
        found = dict(enumerate(self.registers[:15]))
        found[PC] = self.pc
        if self.psp is not None and self.state():
            found[PSP] = self.psp
        return found


class RiscV(Core):
    RA, BREAK, MASK = 1, 2, (1 << 64) - 1
    handler = 0

    def take(self, data):
        width = len(data) // 33
        self.registers = struct.unpack_from("<33" + ("I" if width == 4 else "Q"), data)
        self.sp, self.pc = self.registers[2], self.registers[32]
        if not hasattr(self, "mepc"):
            self.mepc = None

    def state(self):
        return None

    def is_trapped(self, _, pc):
        return self.handler <= self.pc < self.handler + 4 and pc != self.handler

    def enter(self, *_):
        self.mepc = self.frames[-1].pc

    def called(self, pc):
        word, = struct.unpack_from("<I", self.code(pc))
        if word & 0x7f in (0x6f, 0x67) and word >> 7 & 31 == 1 and word & 3 == 3:
            return 4
        half = word & 0xffff
        compressed = half & 0xe003 == 0x2001 and self.narrow
        return 2 if compressed or (half & 0xf07f == 0x9002 and half != 0x9002) else 0

    narrow = True
    gives_mepc = True

    def known(self):
        found = dict(enumerate(self.registers[:32]))
        found[PC] = self.pc
        if self.mepc is not None and self.gives_mepc:
            found[MEPC] = self.mepc
        return found
