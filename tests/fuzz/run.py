# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a fuzzer, from seeds that are made here; fails with what it found. In make check it is the same
number of the same inputs each time; in make soak it goes on for ten minutes from a seed of chance.

usage: run.py PROGRAM NAME
"""

import gzip
import itertools
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))

from pprof_file import message  # noqa: E402

SOAK = os.environ.get("MPROF_SOAK")
SECONDS = 600
HANG_S = 300
# About a second's worth.
RUNS = {"budgets": 5000, "pprof": 30000, "gmon": 30000, "merge": 30000, "dump": 40000, "qmp": 2500, "mi": 700, "record": 15000,
        "trace": 800, "sent": 2000}
RUNS_OF_OTHERS = 10000


def pprof_seeds():
    texts = ["", "samples", "count", "time", "nanoseconds", "f", "g", "a.c", "inherited", "fw.elf",
             "mprof snapshot 1", "mprof grain=16", "mprof dropped=3", "mprof elf=x, y"]
    line = [(4, message((1, function), (2, 7))) for function in (1, 2)]
    for comments in ([], [10, 11, 12, 13]):
        yield message(
            (1, message((1, 1), (2, 2))), (1, message((1, 3), (2, 4))),
            (2, message((1, [1, 2]), (2, [5, 5000]), (3, message((1, 8), (3, 2))))),
            (2, message((1, [3]), (2, [1, 1000]), (3, message((1, 5), (2, 6))))),
            (3, message((1, 1), (2, 4096), (3, 8192), (5, 9), (7, 1))),
            (4, message((1, 1), (2, 1), (3, 0x1000), *line, (5, 1))),
            (4, message((1, 2), (2, 1), (3, 0x1008), line[0])),
            (4, message((1, 3), (2, 1), (3, 0x1000), line[1])),
            (5, message((1, 1), (2, 5), (3, 5), (4, 7), (5, 3))),
            (5, message((1, 2), (2, 6), (4, 7))),
            (9, 1), (10, 2), (11, message((1, 3), (2, 4))), (12, 1000), (13, comments), (14, 3),
            *((6, text.encode()) for text in texts))


def gmon_seeds():
    for first, order in ((b"\0", "<"), (b"\1", ">")):
        for address in "IQ":
            histogram = struct.pack(f"{order}B{address}{address}II15sc8H",
                                    0, 0x8000, 0x8080, 8, 100, b"seconds", b"s", *range(8))
            arc = struct.pack(f"{order}B{address}{address}I", 1, 0x8009, 0x8040, 77)
            yield first + histogram + arc


def gzip_seeds():
    """Without the ten bytes of the header."""
    for seed in pprof_seeds():
        yield gzip.compress(seed, mtime=0)[10:]
        yield gzip.compress(seed, 0, mtime=0)[10:] + gzip.compress(b"", mtime=0)


def merge_seeds():
    seeds = list(pprof_seeds())
    for a, b in itertools.product(seeds, seeds):
        yield len(a).to_bytes(2, "big") + a + b


def dump_seeds():
    """s_prof as docs/layout.md has it, with one block each; and plain tables of 12 and 16 bytes."""
    for order, wide, kind in itertools.product("<>", (False, True), (*range(1, 7), 11)):
        size = 24 if wide else 16
        head = struct.pack(f"{order}4sBBBBHHI", b"mprf" if order == "<" else b"frpm", 1, 0,
                           8 if wide else 4, 1, 96, 0, 112 + 4 * size)
        head += struct.pack(f"{order}IIII", 1, 30, 3, 0)
        head = head.ljust(40, b"\0") + struct.pack(f"{order}I", 1000)
        block = struct.pack(f"{order}BBBBHHII", kind, 1, 4, 0, size, 0, 4, 112)
        address = "Q" if wide else "I"
        rows = b"".join(struct.pack(f"{order}{address}III", 0x8000 + 16 * row, 9, 1, row).ljust(size, b"\0")
                        for row in range(4))
        yield b"\0" + (head.ljust(96, b"\0") + block + rows) * 2
    for first in (1, 3):
        rows = b"".join(struct.pack("<IQ8x" if first == 1 else ">IQ8x", 0x8000 + row, row + 1)
                        for row in range(6))
        yield bytes([first, 3, 32 + 3, 0]) + rows * 2


ELF_SOURCE = b"""
struct item { unsigned base_addr; unsigned hit_cnt; };
struct { int prof_cnt; struct item items[8]; } symbol_object;
static inline int twice(int x) { return x > 5 ? 2 * x : x + symbol_object.prof_cnt; }
int other(int y) { return twice(y) * 3; }
void _start(void) { for (;;) symbol_object.prof_cnt += other(4) + twice(9); }
"""


def elf_seeds():
    for options in (["-gdwarf-4"], ["-gdwarf-5", "-gz"], ["-g0"]):
        with tempfile.NamedTemporaryFile() as out:
            subprocess.run(["cc", "-O1", "-nostdlib", "-static", "-fno-pie", "-no-pie",
                            "-Wl,-z,noseparate-code", *options, "-x", "c", "-", "-o", out.name],
                           input=ELF_SOURCE, check=True, timeout=60)
            yield pathlib.Path(out.name).read_bytes()


UNWIND_SOURCE = b"""
__attribute__((noinline)) int leaf(int x) { return x * 3; }
__attribute__((noinline)) int middle(int x)
{
    volatile int words[40];
    words[x & 7] = leaf(x);
    switch (x) { case 0: return leaf(1); case 1: return 4; case 2: return leaf(3) + 1; case 3: return 8;
                 case 4: return leaf(5) + leaf(6); default: return words[2] + leaf(words[1]); }
}
void __aeabi_unwind_cpp_pr0(void) {}
void __aeabi_unwind_cpp_pr1(void) {}
void _start(void) { for (;;) middle(leaf(2)); }
"""
UNWIND_COMPILERS = (["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-funwind-tables"],
                    ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-g"],
                    ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-g"],
                    ["cc", "-fno-pie", "-no-pie", "-static", "-Wl,-z,noseparate-code"])


def unwind_seeds():
    """What is halted, and the program, for each compiler that is there."""
    state = bytes(range(0, 128, 4)) + struct.pack("<56I", *(0x8001 + 4 * i for i in range(56)))
    for words in UNWIND_COMPILERS:
        if not shutil.which(words[0]):
            continue
        with tempfile.NamedTemporaryFile() as out:
            subprocess.run([*words, "-O2", "-nostdlib", "-x", "c", "-", "-o", out.name], input=UNWIND_SOURCE,
                           check=True, timeout=60)
            yield state + pathlib.Path(out.name).read_bytes()


def budgets_seeds():
    yield b"# most\nfir_*  12%\r\noperator new 0.05 # why\n\n"
    yield b"\xef\xbb\xbfa\t100%\rb 1"


def qmp_seeds():
    """Sound servers of each machine, in pieces of each kind; then with each fault at some moment."""
    for machine, split in itertools.product(range(4), (0, 1, 40)):
        yield bytes([0, split, machine]) + bytes(10) + b"\1\0\5\0\0\0\2\0\7\0\0\0\0" * 4
    for fault in range(10, 23):
        for moment in (0, 2, 5):
            yield bytes(6 + moment) + bytes([fault]) + bytes(20)


def mi_seeds():
    for kind in range(0, 256, 3):
        yield bytes([kind]) + bytes(40) + b"\1\0\5\0\0\0\2\0\7\0\0\0\0" * 4
    for fault in range(10, 22):
        for moment in (0, 3, 9):
            yield bytes(4 + moment) + bytes([fault]) + bytes(40)


def record_seeds():
    """A gdb server that halts when it is connected to, and one that is gone in between."""
    def packet(text):
        return f"${text}#{sum(text.encode()) % 256:02x}"
    talk = [("+" + packet("qSupported:vContSupported+"), "+" + packet("PacketSize=1000;qXfer:features:read+")),
            ("+" + packet("qqemu.sstepbits"), "+" + packet("")), ("+" + packet("?"), "+" + packet("S02")),
            ("+" + packet("vCont?"), "+" + packet("vCont;c;s")), ("+" + packet("m0,4"), "+" + packet("00000000")),
            ("+" + packet("m20000000,20"), "+" + packet("00" * 32)), ("+" + packet("c"), "+")]
    head = "mprof-link-record 1\nprogram mprof\nlink gdb localhost:3333\nlink timeout 40\n"
    for stream, cut in itertools.product((1, 2), (0, 2, 5, 7)):
        lines = ["0.000001 0 clock 0 5 1", "0.000010 1 failed gdb refused connection refused"][:stream]
        lines.append(f"0.000020 {stream} open gdb")
        for number, (sent, received) in enumerate(talk[:cut] if cut else talk):
            lines += [f"0.{number + 1:02}0000 {stream} > {sent}", f"0.{number + 1:02}1000 {stream} < {received}",
                      f"0.{number + 1:02}1000 0 clock 0 10", f"0.{number + 1:02}5000 {stream} silent"]
        lines += [f"1.000000 {stream} lost closed \\x00", "1.000001 0 chosen \\x0a", "1.100000 0 end"]
        yield (head + "\n".join(lines) + "\n").encode()


def sound_traces():
    """Chunks that get right checksums, and files. All have calls, words and a mark."""
    def record(kind, *members):
        return bytes([kind, len(members), *members])
    def string(text):
        return bytes([len(text)]) + text
    def chunk(kind, body):
        head = kind + len(body).to_bytes(4, "little")
        return head + zlib.crc32(body, zlib.crc32(head)).to_bytes(4, "little") + body
    def part(kind, body):
        """An input's chunk; its length is a multiple of 4, so records of an unknown kind fill it."""
        if len(body) % 2:
            body += record(7, 0)
        if len(body) % 4:
            body += record(7)
        return bytes([len(body) // 4, kind]) + body
    function = record(0, 16, 7, *string(b"f"), *string(b"a.c"), *string(b"(i4u4*"))
    points = b"".join(record(2, core, exception, what, 16, 32, 0, caller)
                      for core, exception, what, caller in
                      ((0, 0, 0, 1), (0, 0, 1, 1), (1, 5, 0, 1), (1, 5, 1, 1), (0, 0, 2, 0)))
    clock = record(5, 0, 1, 100) + record(5, 1, 1, 0)
    words = record(6, 1, 3, 2, 4, 5), record(6, 0, 1, 9)
    calls = words[0] + bytes([8, 0, 10, 4, 8, 6, 9, 0x82, 1, 11, 8]) + words[1] + bytes([12, 2, 9, 3])
    others = record(3, 0, 1, 9) + record(4, 1) + record(1, 5, 2, *b"IR") + record(7, 1)
    events = function + points + clock + calls + others + calls
    yield b"\1" + part(0, events)
    yield b"\1" + part(0, events + calls * 20)
    yield b"\1" + part(0, events) + part(1, b"\0\4\1\0\0\0\0\0") + part(0, events) + part(2, b"")
    head = bytes.fromhex("8d6d70740d0a1a0a01000000")
    head += zlib.crc32(head).to_bytes(4, "little")
    run = chunk(b"RUN ", b"\0\4\2\1" + string(b"build") + string(b"fw.elf"))
    yield b"\0" + head + run + chunk(b"EVNT", events) + chunk(b"END ", b"")
    yield b"\0" + head + run + chunk(b"EVNT", events)[:-1] + run + chunk(b"EVNT", events)


def sent_frames(order, wide, core, cores):
    """The frames of a header and of eight records, as fuzz_sent.c takes them, without checksums."""
    size, address = (24, "Q") if wide else (16, "I")
    total = 144 + 16 * size
    head = struct.pack(f"{order}4sBBBBHHII", b"mprf" if order == "<" else b"frpm", 1, 3, 8 if wide else 4, 1,
                       112, 0, total, 1).ljust(104, b"\0") + struct.pack(f"{order}BBHI", core, cores, 0, 0)
    block = struct.pack(f"{order}BBBBHHII", 9, 2, 0, 0, size, 1, 16, 144)
    lead = struct.pack(f"{order}4I", 8, 0, 0, 1000)
    header = struct.pack("<6I", 1, 0, 0, 0, 0, 0) + head + block + lead
    yield bytes([1, core, 1, len(header) // 4]) + header
    for first in (1, 5):
        records = b""
        for number in range(first, first + 4):
            places, time, tag = (0x8000 + number % 2, 0x9000), 10 * number, number << 12 | 0x400
            records += (struct.pack(f"{order}2{address}2I", *places, time, tag) if wide else
                        struct.pack(f"{order}I2{address}I", time, *places, tag))
        yield bytes([2, core, 1, 1 + len(records) // 4]) + struct.pack("<I", first) + records


def sent_seeds():
    for order, wide, cores in itertools.product("<>", (False, True), (1, 2)):
        frames = [frame for core in range(cores) for frame in sent_frames(order, wide, core, cores)]
        yield bytes([1 + 2 * wide, 99]) + b"".join(frames)
        sent = b"".join(b"\xa5\x6d" + frame + struct.pack("<I", zlib.crc32(frame)) for frame in frames)
        yield bytes([2 * wide, 99]) + b"?" + sent + sent[:-1]


def trace_seeds():
    yield from sound_traces()
    *_, last = sound_traces()
    yield last[:-1]
    yield last[:40]
    yield last[:17] + b"noise" + last[17:]


def lcov_seeds():
    yield (b"TN:mprof_times\nSF:/a/b.c\nFN:3,9,f\nFN:12,g\nFNDA:4,f\nFNDA:0,g\nDA:4,4\nDA:13,0,hash\n"
           b"end_of_record\n# comment\nTN:mprof_reached\nSF:c.h\nDA:1,1\nBRDA:1,0,0,-\nend_of_record\n")


SEEDS = {"budgets": budgets_seeds, "pprof": pprof_seeds, "gmon": gmon_seeds, "gzip": gzip_seeds,
         "merge": merge_seeds, "dump": dump_seeds, "elf": elf_seeds,
         "qmp": qmp_seeds, "mi": mi_seeds, "record": record_seeds,
         "trace": trace_seeds, "sent": sent_seeds, "lcov": lcov_seeds,
         "unwind": unwind_seeds}
# Seeds that are checked alone, before the fuzzer changes them: that they still have what they are made for.
SOUND = {"trace": sound_traces, "sent": sent_seeds}
LONGEST = {"elf": 32768, "unwind": 32768}


def check_sound(program, name, path):
    for seed in SOUND.get(name, tuple)():
        path.write_bytes(seed)
        done = subprocess.run([program, f"-artifact_prefix={path}-", path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=HANG_S, check=False,
                              env=os.environ | {"MPROF_SOUND": "1"})
        if done.returncode:
            print(done.stdout)
            sys.exit(f"this seed is not sound: {seed.hex()}")


def main():
    program, name = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check_sound(program, name, pathlib.Path(folder, "sound"))
        for number, seed in enumerate(SEEDS[name]()):
            pathlib.Path(folder, f"seed-{number}").write_bytes(seed)
        length = [f"-max_total_time={SECONDS}"] if SOAK else [
            f"-runs={RUNS.get(name, RUNS_OF_OTHERS)}", "-seed=1"]
        done = subprocess.run([program, *length, "-rss_limit_mb=1024", "-print_final_stats=1",
                               f"-max_len={LONGEST.get(name, 4096)}", "-timeout=60",
                               f"-artifact_prefix={folder}/found-", folder],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=SECONDS + HANG_S)
        print("\n".join(done.stdout.splitlines()[-40:]))
        executed = re.search(r"(?m)^stat::number_of_executed_units: (\d+)", done.stdout)
        for found in pathlib.Path(folder).glob("found-*"):
            print(f"{found.name}: {found.read_bytes().hex()}")
        if done.returncode:
            sys.exit(1)
        print(f"counted: {int(executed.group(1)):,} executions")


main()
