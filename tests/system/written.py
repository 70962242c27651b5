# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes snapshots of programs that are made up, apart from mprof, so that the two can disagree."""

import gzip


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def message(*fields):
    """Of (number, value): an int, bytes, or a list that is packed."""
    out = []
    for field, value in fields:
        if isinstance(value, int):
            out.append(varint(field << 3) + varint(value))
            continue
        if isinstance(value, list):
            value = b"".join(map(varint, value))
        out.append(varint(field << 3 | 2) + varint(len(value)) + value)
    return b"".join(out)


def write(path, hits, time_s=0, build="", elf="fw.elf", unit="samples", duration_s=0, file="main.c",
          **conditions):
    """hits: function -> hits, or (function, file) -> hits; a block of 16 bytes each."""
    texts = {"": 0}

    def text(of):
        return texts.setdefault(of, len(texts))

    comments = {"elf": elf, "grain": "16", "sampler": "table", "target": "chip.cpu", **conditions}
    fields = [(1, message((1, text(unit)), (2, text("count"))))]
    for number, (key, count) in enumerate(hits.items(), 1):
        name, where = key if isinstance(key, tuple) else (key, file)
        if count:
            fields.append((2, message((1, [number]), (2, [count]))))
        fields.append((4, message((1, number), (2, 1), (3, 0x1000 + 16 * number),
                                  (4, message((1, number), (2, 7))))))
        fields.append((5, message((1, number), (2, text(name)), (3, text(name)), (4, text(where)),
                                  (5, 3))))
    fields.append((3, message((1, 1), (2, 0x1000), (3, 0x9000), (5, text(f"/build/{elf}")),
                              (6, text(build)), (7, 1), (8, 1), (9, 1))))
    fields.append((9, int(time_s * 10**9)))
    fields.append((10, int(duration_s * 10**9)))
    fields.append((13, [text("mprof snapshot 1"),
                        *(text(f"mprof {key.replace('_', '-')}={value}")
                          for key, value in comments.items())]))
    fields += [(6, one.encode()) for one in texts]
    path.write_bytes(gzip.compress(message(*fields), mtime=0))
    return path
