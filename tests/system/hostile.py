# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that somebody may have put into an ELF file to deceive a terminal, a table or a person."""

import struct

import arm

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def doubled(levels):
    """A C++ name of which each level is twice as long as the one before."""
    def back(i):
        return "S_" if i == 0 else f"S{DIGITS[i - 1] if i < 37 else '1' + DIGITS[i - 37]}_"
    name = "_Z4bomb1XI1AS0_E"
    for level in range(2, 2 + levels):
        name += f"S_I{back(level)}{back(level)}E"
    return name.encode()


NAMES = {
    "escapes": b"\x1b[2J\x1b]0;title\x07\x1b[31mred",
    "c1": b"\xc2\x9b2Jc1\xc2\x9d0;t\xc2\x9c",
    "long": b"n" * 10000,
    "invalid": b"bad\xff\xfe\xc3(\xed\xa0\x80\xf8\x88",
    "wide": "漢字".encode() * 60,
    "emoji": "🚀🧨_launch".encode(),
    "family": "👩\u200d👩\u200d👧_zwj".encode(),
    "override": "\u202egnp.exe\u2066x\u2069".encode(),
    "flood": ("z" + "\u0301" * 100 + "algo").encode(),
    "mark first": "\u0301\u0302floats".encode(),
    "newline": b"two\nlines\r\nof it",
    "tabs": b"a\tb\tc\x0b\x0c",
    "blanks": b"     ",
    "back": b"abc\x08\x08\x08xyz\x7f",
    "bomb": doubled(20),
    "big bomb": doubled(40),
    "csv": b'a,"b",\'c\'',
    "formula": b"=cmd|'/c calc'!A1",
    "html": b"<script>alert(1)</script>&amp;",
    "markdown": b"|a|`b`*c*[d](e)",
    "format": b"%s%n%*d%99999d",
    "invisible": "in\u200bvis\u2060ible\ufe0f\u00ad".encode(),
    "brackets": b"[idle]",
    "arabic": "مرحبا".encode(),
    "empty": b"",
    "half": "漢".encode()[:2],
}

SOURCE = """
struct item {{ void *addr; unsigned hits; }};
struct item hits[64] = {{{{0, 1}}}};
volatile int sink;
{functions}
void top(void) {{ {calls} }}
"""


def compile(folder, names=None, sources=True):
    """An ELF whose functions have these names (the place of each one's first instruction -> name), and a
    table of hits in it. sources: their files have such names too."""
    names = list((names or NAMES).values())
    functions = []
    for i, name in enumerate(names):
        file = "".join(f"\\{byte:03o}" for byte in name[:200])
        if sources and b"\n" not in name:
            functions.append(f'#line 7 "{file}.c"')
        functions.append(f"__attribute__((noinline)) void q{i:03}q(void) {{ sink += {i}; }}")
    calls = " ".join(f"q{i:03}q();" for i in range(len(names)))
    elf = arm.build(folder / "hostile.c", SOURCE.format(functions="\n".join(functions), calls=calls),
                    *arm.PLACED)
    return elf, rename(elf, {b"q%03dq" % i: name for i, name in enumerate(names)})


def rename(elf, names):
    """Gives symbols other names, of any bytes but zero; returns the addresses of those, name -> address."""
    data = bytearray(elf.read_bytes())
    table, = struct.unpack_from("<I", data, 32)
    size, count = struct.unpack_from("<HH", data, 46)
    sections = [list(struct.unpack_from("<10I", data, table + i * size)) for i in range(count)]
    symbols = next(s for s in sections if s[1] == 2)
    index = symbols[6]
    strings = bytearray(data[sections[index][4]:sections[index][4] + sections[index][5]])
    places = {}
    for at in range(symbols[4], symbols[4] + symbols[5], 16):
        name, value = struct.unpack_from("<II", data, at)
        name = bytes(strings[name:strings.index(0, name)])
        if name in names:
            struct.pack_into("<I", data, at, len(strings))
            strings += names[name] + b"\0"
            places[names[name]] = value & ~1
    struct.pack_into("<II", data, table + index * size + 16, len(data), len(strings))
    elf.write_bytes(data + strings)
    return places


def dump(path, rows):
    """A dump of the table."""
    arm.dump(path, rows, 64)
