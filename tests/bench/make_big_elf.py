# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an x86-64 ELF with some 55 MB of .debug_info: many functions, each with inlined ones three deep.

usage: make_big_elf.py FOLDER

The result is FOLDER/big.elf; it is kept between runs. A few units are compiled and linked many times over, their symbols
with another prefix each time: nearly a minute of one core in place of an hour.
"""

import pathlib
import subprocess
import sys

UNITS, FUNCTIONS, COPIES = 4, 300, 32
ROWS = 256
STUB = pathlib.Path(__file__).resolve().parent.parent.parent / "target-stub"

# Carries the stub, and gives it samples scattered over the functions. It ends with its parent.
MAIN = """
#define _GNU_SOURCE
#include <mprof/mprof.h>

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

EXTERNS
static void *const places[ROWS] = { PLACES };

int main(void)
{
    prctl(PR_SET_PDEATHSIG, 9);
    mprof_init();
    for (unsigned i = 0; i < 20 * ROWS; i++)
        mprof_sample((uintptr_t)places[i % ROWS]);
    puts("ready");
    fflush(stdout);
    for (unsigned i = 0;; i++) {
        usleep(1000);
        mprof_sample((uintptr_t)places[i * i % ROWS]);
    }
}
"""

HEADER = """
struct point { int x, y, z; struct point *next; };
struct state { struct point p[8]; unsigned long mask; int (*step)(struct state *, int); volatile unsigned sink; };
#define INLINE static inline __attribute__((always_inline))
"""

FUNCTION = """
struct NAME_local { int a, b; struct point q; unsigned c[WIDTH]; };
INLINE unsigned NAME_low(struct NAME_local *l, unsigned v)
{
    unsigned t = v * FACTORu;
    l->a += (int)t;
    return t ^ (unsigned)l->b;
}
INLINE unsigned NAME_middle(struct NAME_local *l, unsigned v)
{
    unsigned s = NAME_low(l, v + 1);
    for (unsigned i = 0; i < v; i++)
        s += NAME_low(l, s ^ i);
    return s;
}
INLINE unsigned NAME_high(struct NAME_local *l, unsigned v)
{
    unsigned w = NAME_middle(l, v);
    if (w & 1)
        w += NAME_middle(l, w >> 3);
    return w;
}
unsigned NAME(struct state *s, unsigned v)
{
    struct NAME_local l = {.a = (int)v};
    unsigned r = NAME_high(&l, v);
    if (s->mask & r)
        r -= NAME_low(&l, r);
    s->sink = r;
    l.q = s->p[r & 7];
    return r + (unsigned)l.q.x + NAME_high(&l, r & 15);
}
"""


def source(unit):
    text = HEADER
    for number in range(FUNCTIONS):
        one = FUNCTION.replace("NAME", f"u{unit}_f{number}").replace("WIDTH", str(number % 7 + 1))
        text += one.replace("FACTOR", str(number * 2 + 3))
    return text


def main_source():
    names = [f"r{row % COPIES}_u{row % UNITS}_f{row * 37 % FUNCTIONS}" for row in range(ROWS)]
    externs = "\n".join(f"extern char {name}[];" for name in sorted(set(names)))
    return MAIN.replace("EXTERNS", externs).replace("PLACES", ", ".join(names)).replace("ROWS", str(ROWS))


def make(folder):
    objects = []
    for unit in range(UNITS):
        plain = folder / f"u{unit}.o"
        (folder / f"u{unit}.c").write_text(source(unit), encoding="utf-8")
        subprocess.run(["gcc", "-g", "-O2", "-c", folder / f"u{unit}.c", "-o", plain], check=True)
        for copy in range(COPIES):
            objects.append(folder / f"r{copy}_u{unit}.o")
            subprocess.run(["objcopy", f"--prefix-symbols=r{copy}_", plain, objects[-1]], check=True)
        plain.unlink()
    (folder / "main.c").write_text(main_source(), encoding="utf-8")
    stub = [*sorted((STUB / "src").glob("*.c")), *(f"-I{STUB / one}" for one in ("include", "src", "port/host"))]
    subprocess.run(["gcc", "-g", folder / "main.c", *stub, *objects, "-o", folder / "big.new"], check=True)
    for one in objects:
        one.unlink()
    (folder / "big.new").rename(folder / "big.elf")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "made_by"
    script = pathlib.Path(__file__).read_text(encoding="utf-8")
    if (folder / "big.elf").exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == script:
        return
    print("making an ELF file of 150 MB", file=sys.stderr, flush=True)
    make(folder)
    stamp.write_text(script, encoding="utf-8")


if __name__ == "__main__":
    main()
