/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the bytes of an s_prof byte by byte, by docs/layout.md and not by the stub's structs. */
#ifndef FAKE_TABLE_H
#define FAKE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FAKE_HEADER    96
#define FAKE_BLOCK     16
#define FAKE_ITEMS_MAX 64
#define FAKE_SIZE_MAX  (FAKE_HEADER + 2 * FAKE_BLOCK + FAKE_ITEMS_MAX * 24)

struct fake_table {
    bool big_endian;
    unsigned addr_size;
    size_t items;
    uint8_t bytes[FAKE_SIZE_MAX];
};

static inline void fake_put(struct fake_table *t, size_t at, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++) {
        size_t shift = 8 * (t->big_endian ? size - 1 - i : i);
        t->bytes[at + i] = (uint8_t)(value >> shift);
    }
}

static inline size_t fake_item_size(const struct fake_table *t)
{
    return t->addr_size == 4 ? 16 : 24;
}

static inline size_t fake_total(const struct fake_table *t)
{
    return FAKE_HEADER + FAKE_BLOCK + t->items * fake_item_size(t);
}

/* A valid, empty table: boot 1, 1 kHz, 16-byte blocks. */
static inline void fake_init(struct fake_table *t, bool big_endian, unsigned addr_size,
                             size_t items)
{
    memset(t, 0, sizeof(*t));
    t->big_endian = big_endian;
    t->addr_size = addr_size;
    t->items = items;
    fake_put(t, 0, 4, 0x6672706d);
    fake_put(t, 4, 1, 1); /* abi major */
    fake_put(t, 6, 1, addr_size);
    fake_put(t, 7, 1, 1); /* blocks */
    fake_put(t, 8, 2, FAKE_HEADER);
    fake_put(t, 12, 4, fake_total(t));
    fake_put(t, 16, 4, 1);    /* boot */
    fake_put(t, 40, 4, 1000); /* sample_hz */
    fake_put(t, 96, 1, 1);    /* kind */
    fake_put(t, 97, 1, 1);    /* unit */
    fake_put(t, 98, 1, 4);    /* grain_shift */
    fake_put(t, 100, 2, fake_item_size(t));
    fake_put(t, 104, 4, items);
    fake_put(t, 108, 4, FAKE_HEADER + FAKE_BLOCK);
}

static inline void fake_heartbeat(struct fake_table *t, uint32_t value)
{
    fake_put(t, 20, 4, value);
}

static inline void fake_generation(struct fake_table *t, uint32_t value)
{
    fake_put(t, 24, 4, value);
}

static inline void fake_dropped(struct fake_table *t, uint32_t value)
{
    fake_put(t, 28, 4, value);
}

static inline void fake_boot(struct fake_table *t, uint32_t value)
{
    fake_put(t, 16, 4, value);
}

static inline void fake_item(struct fake_table *t, size_t index, uint64_t addr, uint32_t hits,
                             uint32_t inherited, uint32_t stamp)
{
    size_t at = FAKE_HEADER + FAKE_BLOCK + index * fake_item_size(t);

    fake_put(t, at, t->addr_size, addr);
    fake_put(t, at + t->addr_size, 4, hits);
    fake_put(t, at + t->addr_size + 4, 4, inherited);
    fake_put(t, at + t->addr_size + 8, 4, stamp);
}

#endif
