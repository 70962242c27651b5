# SPDX-License-Identifier: GPL-3.0-or-later
"""ELF files that are made to harm: small, and meant to take all memory or all time of who reads them.

Each is a 32-bit program for the i386 with the stub's table, ten functions and one way to harm; KINDS names them.
"""

import struct
import zlib

import formats
import prof

TEXT, TEXT_SIZE = 0x10000, 1 << 20
TABLE, TABLE_SIZE = 0x8000000, 8192
FUNCTIONS, STEP = 10, 64

# DWARF 4
TAG_BLOCK, TAG_UNIT, TAG_INLINED, TAG_SUB, TAG_TYPEDEF, TAG_VARIABLE = 0x0b, 0x11, 0x1d, 0x2e, 0x16, 0x34
SIBLING, NAME, LOCATION, LINES, LOW, HIGH, TYPE, ORIGIN, RANGES = 1, 3, 2, 0x10, 0x11, 0x12, 0x49, 0x31, 0x55
ADDR, DATA4, STRING, REF4, OFFSET, PRESENT, INDIRECT, EXPR = 1, 6, 8, 0x13, 0x17, 0x19, 0x16, 0x18


def leb(value):
    out = b""
    while value > 0x7f:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def abbreviation(number, tag, children, *attributes):
    return leb(number) + leb(tag) + bytes([children]) + b"".join(map(leb, attributes)) + b"\0\0"


def unit(entries, abbreviations=0):
    """A unit of DWARF 4; its entries begin at offset 11."""
    return struct.pack("<IHIB", len(entries) + 7, 4, abbreviations, 4) + entries


def line_program(opcodes, files=b"a.c\0\0\0\0", folders=b""):
    """DWARF 4; special opcodes from 13 on: 14 lines from -5 on."""
    header = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + folders + b"\0" + files + b"\0"
    body = struct.pack("<HI", 4, len(header)) + header + opcodes
    return struct.pack("<I", len(body)) + body


def at(address):
    return b"\0\5\2" + struct.pack("<I", address)


END = b"\0\1\1"


def zeros(megabytes):
    """A zlib stream of zeros that unpacks a thousand-fold, without packing them all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    size = megabytes << 20
    return b"\x78\x9c" + part * megabytes + b"\3\0" + struct.pack(">HH", size % 65521, 1)


class Elf:
    """What is the same in all of them, and what a kind adds."""

    def __init__(self):
        self.sections = [(".text", 8, 6, TEXT, b"", 0, 0, TEXT_SIZE)]
        self.sections.append((".bss", 8, 3, TABLE, b"", 0, 0, TABLE_SIZE))
        self.symbols = [(f"good_{i}".encode(), TEXT + i * STEP, STEP, 2, 1) for i in range(FUNCTIONS)]
        self.symbols.append((b"s_prof", TABLE, TABLE_SIZE, 1, 2))
        self.strings = b""     # that more_symbols use, from offset strings_at on
        self.more_symbols = bytearray()
        self.segments = []
        self.size = 0          # that the file has at least, zeros at its end

    def section(self, name, data, kind=1, flags=0, address=0, link=0, entry=0, size=None):
        self.sections.append((name, kind, flags, address, data, link, entry, len(data) if size is None else size))

    def symbol(self, offset, address, size=STEP):
        """Its name is at offset in self.strings."""
        self.more_symbols += struct.pack("<IIIBBH", offset + 1, address, size, 0x12, 0, 1)

    def dwarf(self, info, abbreviations, **more):
        self.section(".debug_info", info)
        self.section(".debug_abbrev", abbreviations + b"\0")
        for name, data in more.items():
            self.section(".debug_" + name, data)

    def bytes(self):
        strings = b"\0" + self.strings + b"\0"
        symbols = bytes(16) + bytes(self.more_symbols)
        for name, address, size, kind, section in self.symbols:
            symbols += struct.pack("<IIIBBH", len(strings), address, size, 0x10 | kind, 0, section)
            strings += name + b"\0"
        count = len(self.sections) + 4
        sections = self.sections + [(".symtab", 2, 0, 0, symbols, count - 2, 16, len(symbols)),
                                    (".strtab", 3, 0, 0, strings, 0, 0, len(strings))]
        names = b"\0"
        place = 52 + 32 * (len(self.segments) + 1)
        headers, body = bytes(40), b""
        for name, kind, flags, address, data, link, entry, size in [*sections, (".shstrtab", 3, 0, 0, None, 0, 0, 0)]:
            name_at = len(names)
            names += name.encode() + b"\0"
            if data is None:
                data, size = names, len(names)
            headers += struct.pack("<10I", name_at, kind, flags, address, place + len(body), size, link, 0, 4, entry)
            body += data
        segments = [(1, 0, TEXT, 0, TEXT_SIZE, 5), *self.segments]
        header = b"\x7fELF\1\1\1".ljust(16, b"\0") + struct.pack(
            "<HHIIIIIHHHHHH", 2, 3, 1, TEXT, 52, place + len(body), 0, 52, 32, len(segments), 40, count, count - 1)
        program = b"".join(struct.pack("<8I", kind, offset, address, address, file, memory, flags, 4)
                           for kind, offset, address, file, memory, flags in segments)
        return (header + program + body + headers).ljust(self.size, b"\0")


# Attributes of units, and of functions by their ranges.
UNIT = abbreviation(1, TAG_UNIT, 1, LOW, ADDR, HIGH, DATA4, LINES, OFFSET)
ROOT = b"\1" + struct.pack("<III", TEXT, TEXT_SIZE, 0)
SIMPLE = line_program(at(TEXT) + b"\x14" + b"\x82" * 200 + END)


def ranges(count):
    return b"".join(struct.pack("<II", 8 * i, 8 * i + 4) for i in range(count)) + bytes(8)


def shared_ranges(elf):
    """Functions that all point at one list of ranges."""
    count = 20000
    table = UNIT + abbreviation(2, TAG_SUB, 0, RANGES, OFFSET)
    elf.dwarf(unit(ROOT + b"\2\0\0\0\0" * count + b"\0"), table, ranges=ranges(count), line=SIMPLE)


def inlined_ranges(elf):
    """Inlined calls that all point at one list of ranges."""
    count = 20000
    table = (UNIT + abbreviation(2, TAG_SUB, 1, LOW, ADDR, HIGH, DATA4, NAME, STRING) +
             abbreviation(3, TAG_INLINED, 0, RANGES, OFFSET, ORIGIN, REF4) + abbreviation(4, TAG_SUB, 0, NAME, STRING))
    sub = b"\2" + struct.pack("<II", TEXT, STEP) + b"good_0\0"
    calls = (b"\3" + struct.pack("<II", 0, 11 + len(ROOT))) * count
    elf.dwarf(unit(ROOT + b"\4in\0" + sub + calls + b"\0\0"), table, ranges=ranges(count), line=SIMPLE)


def inflated(name):
    def make(elf):
        good = {"info": unit(ROOT + b"\0"), "abbrev": UNIT, "line": SIMPLE, "str": b"\0"}
        for part, data in good.items():
            if part == name:
                size = 192 << 20
                data = struct.pack("<III", 1, size, 1) + zeros(192)
                elf.section(".debug_" + part, data, flags=0x800)
            else:
                elf.section(".debug_" + part, data + b"\0")
    make.__doc__ = f"A .debug_{name} that unpacks a thousand-fold."
    return make


def inflated_old(elf):
    """The same in the form before SHF_COMPRESSED."""
    elf.section(".zdebug_info", b"ZLIB" + struct.pack(">Q", 192 << 20) + zeros(192))
    elf.section(".debug_abbrev", UNIT + b"\0")
    elf.section(".debug_line", SIMPLE)


def wide_abbreviation(elf):
    """An abbreviation of 300,000 attributes that take no bytes."""
    table = UNIT + abbreviation(2, TAG_SUB, 0, *[0x2001, PRESENT] * 300000)
    elf.dwarf(unit(ROOT + b"\2" * 200000 + b"\0"), table, line=SIMPLE)


def many_abbreviations(elf):
    """Units that share one table of abbreviations and use its last one: libdw keeps all of it for each."""
    table = b"".join(abbreviation(i, TAG_SUB, 0) for i in range(2, 10000))
    table += abbreviation(1, TAG_UNIT, 0, LOW, ADDR)
    elf.dwarf(unit(b"\1" + struct.pack("<I", TEXT)) * 5000, table, line=SIMPLE)


def one_line_program(elf, count=100000):
    """Units that share one line program."""
    rows = line_program(at(TEXT) + b"\x12\x20" * count + END)
    elf.dwarf(unit(ROOT + b"\0") * 10000, UNIT, line=rows)


def one_file_table(elf):
    """Units whose line program has one long table of files."""
    rows = line_program(at(TEXT) + b"\x14" * 100 + b"\4\1" + b"\x82" * 100 + END, files=b"x\0\0\0\0" * 100000)
    pieces = [b"\1" + struct.pack("<III", TEXT + i, 1, 0) + b"\0" for i in range(2000)]
    elf.dwarf(b"".join(map(unit, pieces)), UNIT, line=rows)


def tail_names(elf):
    """Symbols at one address whose names are tails of one string."""
    size, count = 4 << 20, 2000
    elf.strings = b"a" * size
    for i in range(count):
        elf.symbol(i, TEXT + 0x1000)


def tail_names_apart(elf):
    """Functions whose names are tails of one string."""
    elf.strings = b"a" * 60000
    for i in range(20000):
        elf.symbol(i, TEXT + 0x1000 + 4 * i, 4)


def open_strings(elf):
    """Names in a table of strings without an end: whoever looks for it looks through all of it."""
    strings = b"\0" + b"".join(b"%s\0" % name for name, *_ in elf.symbols) + b"b\0" + b"a" * (4 << 20)
    symbols, offset = bytes(16), 1
    for name, address, size, kind, section in elf.symbols:
        symbols += struct.pack("<IIIBBH", offset, address, size, 0x10 | kind, 0, section)
        offset += len(name) + 1
    symbols += b"".join(struct.pack("<IIIBBH", offset, TEXT + 0x1000 + i % 0x8000, 4, 0x12, 0, 1) for i in range(100000))
    elf.section(".symbols", symbols, kind=2, link=4, entry=16)
    elf.section(".strings", strings, kind=3)


def demangling(elf):
    """Functions with one name, which says little and means 4 kB."""
    twice = b"".join(b"S0_IS%d_S%d_E" % (i, i) for i in range(1, 9))  # each one is a pair of the one before
    elf.strings = b"_Z1fI3abcIiiE" + twice + b"Evv"
    for i in range(30000):
        elf.symbol(0, TEXT + 0x1000 + 4 * i, 4)


def one_address(elf):
    """A great many symbols at one address."""
    elf.strings = b"".join(b"n%d\0" % (i % 1000) for i in range(1000))
    elf.more_symbols = b"".join(struct.pack("<IIIBBH", 1 + i % 1000, TEXT + 0x1000, 4, 0x12, 0, 1) for i in range(400000))


def deep_nesting(elf):
    """Blocks inside each other, without an attribute that says where each ends."""
    table = (UNIT + abbreviation(2, TAG_SUB, 1, LOW, ADDR, HIGH, DATA4) + abbreviation(3, TAG_BLOCK, 1) +
             abbreviation(4, TAG_BLOCK, 0))
    sub = b"\2" + struct.pack("<II", TEXT, STEP)
    elf.dwarf(unit(ROOT + sub + b"\3" * 300 + b"\4" * 200000 + b"\0" * 302), table, line=SIMPLE)


def skipped_trees(elf):
    """Types inside each other: each is gone through to find the next one."""
    table = UNIT + abbreviation(2, 0x13, 1) + abbreviation(3, 0x13, 0)
    elf.dwarf(unit(ROOT + (b"\2" * 60 + b"\3" * 5000 + b"\0" * 60) * 30 + b"\0"), table, line=SIMPLE)


def origin_cycle(elf):
    """Functions that complete each other in a circle, and a type that names itself."""
    table = (UNIT + abbreviation(2, TAG_SUB, 0, LOW, ADDR, HIGH, DATA4, ORIGIN, REF4) +
             abbreviation(3, TAG_TYPEDEF, 0, TYPE, REF4) +
             abbreviation(4, TAG_VARIABLE, 0, NAME, STRING, TYPE, REF4, LOCATION, EXPR))
    first = 11 + len(ROOT)
    entries = b"\3" + struct.pack("<I", first)
    entries += b"\4s_prof\0" + struct.pack("<I", first) + b"\5\3" + struct.pack("<I", TABLE)
    place = first + len(entries)
    subs = 20000
    entries += b"".join(b"\2" + struct.pack("<III", TEXT, STEP, place + 13 * ((i + 1) % subs)) for i in range(subs))
    elf.dwarf(unit(ROOT + entries + b"\0"), table, line=SIMPLE)


def sibling_cycle(elf):
    """An entry whose next one stands before it."""
    table = UNIT + abbreviation(2, 0x13, 1, SIBLING, REF4)
    elf.dwarf(unit(ROOT + (b"\2" + struct.pack("<I", 11 + len(ROOT))) * 1000 + b"\0" * 1001), table, line=SIMPLE)


def long_expression(elf):
    """Variables of the table's name, with long expressions for where they are."""
    table = (UNIT + abbreviation(2, TAG_VARIABLE, 0, NAME, STRING, TYPE, REF4, LOCATION, EXPR) +
             abbreviation(3, 0x13, 1) + abbreviation(4, 0x0d, 0, NAME, STRING, TYPE, REF4))
    type_at = 11 + len(ROOT)
    table_type = b"\3\4magic\0" + struct.pack("<I", type_at) + b"\0"
    one = b"\2s_prof\0" + struct.pack("<I", type_at) + leb(1 << 20) + b"\x96" * (1 << 20)
    elf.dwarf(unit(ROOT + table_type + one * 4 + b"\0"), table, line=SIMPLE)


def rows_from_nothing(elf):
    """A sequence of one row, and opcodes without a row up to its end: each question runs them."""
    elf.dwarf(unit(ROOT + b"\0"), UNIT, line=line_program(at(TEXT) + b"\1" + b"\3\1" * 1000000 + b"\2\x80\x80\x40" + END))


def many_sequences(elf):
    """Sequences of one row each, all in the last one of many sections."""
    for i in range(10000):
        elf.section("", b"", kind=8, flags=2, address=0x1000000 + i * 16, size=8)
    one = at(0x1000000 + 9999 * 16) + b"\1\2\4" + END
    elf.dwarf(unit(ROOT + b"\0"), UNIT, line=line_program(one * 100000))


def tied_names(elf):
    """Symbols that only the debug information can choose among, and as many functions there at the same address."""
    elf.strings = b"\0".join(b"name%05d" % i for i in range(10000))
    for i in range(10000):
        elf.symbol(10 * i, TEXT + 0x1000)
    table = UNIT + abbreviation(2, TAG_SUB, 0, LOW, ADDR, NAME, STRING)
    elf.dwarf(unit(ROOT + (b"\2" + struct.pack("<I", TEXT + 0x1000) + b"name\0") * 60000 + b"\0"), table, line=SIMPLE)


def long_inlined_name(elf):
    """An inlined function whose name is 4 MB long."""
    table = (UNIT + abbreviation(2, TAG_SUB, 1, LOW, ADDR, HIGH, DATA4, NAME, STRING) +
             abbreviation(3, TAG_INLINED, 0, LOW, ADDR, HIGH, DATA4, ORIGIN, REF4) +
             abbreviation(4, TAG_SUB, 0, NAME, STRING))
    sub = b"\2" + struct.pack("<II", TEXT, STEP) + b"good_0\0"
    call = b"\3" + struct.pack("<III", TEXT, STEP, 11 + len(ROOT))
    elf.dwarf(unit(ROOT + b"\4" + b"n" * (4 << 20) + b"\0" + sub + call + b"\0\0"), table, line=SIMPLE)


def base_selections(elf, count=60000):
    """Functions that share a list of ranges that has none, but for changes of their base."""
    table = UNIT + abbreviation(2, TAG_SUB, 0, RANGES, OFFSET)
    elf.dwarf(unit(ROOT + b"\2\0\0\0\0" * count + b"\0"), table, line=SIMPLE,
              ranges=struct.pack("<II", 0xffffffff, TEXT) * count + bytes(8))


def indirect_forms(elf):
    """An attribute whose form is said in the entry, again and again."""
    table = UNIT + abbreviation(2, TAG_SUB, 0, NAME, INDIRECT)
    elf.dwarf(unit(ROOT + (b"\2" + leb(INDIRECT) * 1000 + b"\x08x\0") * 500 + b"\0"), table, line=SIMPLE)


def section_count(elf):
    """Section headers that are said to be 100 million."""
    elf.lie = 100000000


def segments(elf):
    """Segments that each load the whole of a file too large to be kept."""
    elf.size = 9 << 20
    elf.segments = [(1, 0, 0x100000 * i, 8 << 20, 8 << 20, 5) for i in range(2000)]


def small_segments(elf):
    """A great many segments."""
    elf.segments = [(1, 0, 0x20000000 + 64 * i, 16, 16, 5) for i in range(60000)]


def notes(elf):
    """Segments of notes that all hold the same many notes."""
    data = struct.pack("<IIIII", 4, 0, 7, 0x00554e, 0)[:16] * 20000
    elf.section(".note", data, kind=7)
    elf.segments = [(4, 52 + 32 * 10001 + 0, 0, len(data), len(data), 4) for _ in range(10000)]


KINDS = {f"inflated_{part}": inflated(part) for part in ("line", "info", "str")} | {
    kind.__name__: kind for kind in (
        shared_ranges, inlined_ranges, inflated_old, wide_abbreviation, many_abbreviations,
        one_line_program, one_file_table, tail_names, tail_names_apart, open_strings, demangling,
        one_address, deep_nesting, skipped_trees, origin_cycle, sibling_cycle, long_expression,
        rows_from_nothing, many_sequences, tied_names, long_inlined_name, base_selections,
        indirect_forms, section_count, segments, small_segments, notes)}


def make_endless(path, kind, count):
    """One that takes minutes: what it may cost is in proportion to a length that is nearly all a hole."""
    elf = Elf()
    kind(elf, count)
    path.write_bytes(elf.bytes())
    with path.open("r+b") as file:
        file.truncate(1 << 30)


def make(kind):
    elf = Elf()
    KINDS[kind](elf)
    data = elf.bytes()
    lie = getattr(elf, "lie", 0)
    if lie:  # the number stands in the first header's size if there are too many for its field
        place = struct.unpack_from("<I", data, 32)[0]
        data = data[:48] + b"\0\0" + data[50:place + 20] + struct.pack("<I", lie) + data[place + 24:]
    return data


def gmon():
    """A gmon.out with hits in the ten functions, a bin for every 4 bytes."""
    bins = FUNCTIONS * STEP // 4
    return formats.gmon(formats.histogram(TEXT, TEXT + 4 * bins, [7] * bins, size=4))


def dump(rows=100):
    """An s_prof whose hits are in the ten functions, in all parts of them."""
    return prof.table([(TEXT + 16 * (i % (4 * FUNCTIONS)), 1 + i) for i in range(rows)], size=TABLE_SIZE)


if __name__ == "__main__":
    import pathlib
    import sys
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:] or KINDS:
        (folder / name).write_bytes(make(name))
    (folder / "s_prof.bin").write_bytes(dump())
