/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of an s_prof with a table of rows, by docs/layout.md and not by the stub's structs. */
#ifndef FAKE_ROWS_H
#define FAKE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FAKE_ROWS_SIZE 8192

enum fake_kind { FAKE_SAMPLES, FAKE_CALLS, FAKE_ARCS };

struct fake_rows {
    bool big_endian;
    unsigned addr_size;
    enum fake_kind kind;
    size_t count;
    size_t lead, first, row_size, rest, total;
    uint8_t bytes[FAKE_ROWS_SIZE];
};

static inline void fake_rows_put(struct fake_rows *f, size_t at, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        f->bytes[at + i] = (uint8_t)(value >> 8 * (f->big_endian ? size - 1 - i : i));
}

static inline void fake_rows_generation(struct fake_rows *f, uint32_t value)
{
    fake_rows_put(f, 24, 4, value);
}

static inline void fake_rows_heartbeat(struct fake_rows *f, uint32_t value)
{
    fake_rows_put(f, 20, 4, value);
}

/* Rows in use, which are the first ones. */
static inline void fake_rows_use(struct fake_rows *f, size_t rows)
{
    fake_rows_put(f, f->lead + 8, 4, f->count - rows);
}

static inline void fake_rows_flags(struct fake_rows *f, unsigned flags)
{
    fake_rows_put(f, 112 + 6, 2, flags);
}

static inline void fake_rows_rest(struct fake_rows *f, size_t region, uint32_t events)
{
    fake_rows_put(f, f->rest + 4 * region, 4, events);
    fake_rows_put(f, f->lead + 12, 4, 1);
}

/* An arc has its caller, too. */
static inline void fake_rows_row(struct fake_rows *f, size_t index, uint64_t addr, uint64_t caller,
                                 uint32_t hits, unsigned stamp)
{
    size_t at = f->first + index * f->row_size;

    fake_rows_put(f, at, f->addr_size, addr);
    at += f->addr_size;
    if (f->kind == FAKE_ARCS) {
        fake_rows_put(f, at, f->addr_size, caller);
        at += f->addr_size;
    }
    fake_rows_put(f, at, 4, hits);
    fake_rows_put(f, at + 4, 2, 0x5555); /* the stub's own */
    fake_rows_put(f, at + 6, 2, stamp);
}

/* A valid table without a row in use: boot 1, 1 kHz, blocks of 2^shift bytes. */
static inline void fake_rows_init(struct fake_rows *f, bool big_endian, unsigned addr_size,
                                  enum fake_kind kind, size_t count, unsigned shift)
{
    memset(f, 0, sizeof(*f));
    f->big_endian = big_endian;
    f->addr_size = addr_size;
    f->kind = kind;
    f->count = count;
    f->lead = 112 + 16;
    f->first = f->lead + 16;
    f->row_size = (kind == FAKE_ARCS ? 2 : 1) * addr_size + 8;
    f->rest = f->first + (count + 1) * f->row_size;
    f->total = f->rest + 4 * (count / 2) + 2 * count;
    fake_rows_put(f, 0, 4, 0x6672706d);
    fake_rows_put(f, 4, 1, 1);
    fake_rows_put(f, 5, 1, 2);
    fake_rows_put(f, 6, 1, addr_size);
    fake_rows_put(f, 7, 1, 1); /* blocks */
    fake_rows_put(f, 8, 2, 112);
    fake_rows_put(f, 12, 4, f->total);
    fake_rows_put(f, 16, 4, 1); /* boot */
    fake_rows_generation(f, 1);
    fake_rows_put(f, 40, 4, 1000); /* sample_hz */
    fake_rows_put(f, 112, 1, kind == FAKE_ARCS ? 7 : 6);
    fake_rows_put(f, 113, 1, kind == FAKE_SAMPLES ? 1 : 2);
    fake_rows_put(f, 114, 1, shift);
    fake_rows_put(f, 116, 2, f->row_size);
    fake_rows_put(f, 120, 4, count);
    fake_rows_put(f, 124, 4, f->first);
    fake_rows_use(f, 0);
    for (size_t i = 0; i <= count; i++)
        fake_rows_row(f, i, 1, 0, 0, 0);
}

#endif
