/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A target that counts: the bytes of its table, in which a test adds hits to rows. */
#include "fake_counts.h"

#include "unit.h"

void fake_counts_start(struct fake_counts *c, unsigned addr_size, const uint64_t *addr, size_t rows,
                       uint32_t boot)
{
    assert_in_range(rows, 1, FAKE_COUNTS_MAX);
    *c = (struct fake_counts){.heartbeat = 0};
    fake_init(&c->table, false, addr_size, rows);
    fake_boot(&c->table, boot);
    memcpy(c->addr, addr, rows * sizeof(addr[0]));
}

void fake_counts_add(struct fake_counts *c, const uint32_t *more)
{
    for (size_t i = 0; i < c->table.items; i++) {
        c->hits[i] += more[i];
        c->heartbeat += more[i];
        if (c->hits[i])
            fake_item(&c->table, i, c->addr[i], c->hits[i], 0, (uint32_t)i + 1);
    }
    fake_heartbeat(&c->table, c->heartbeat);
    fake_generation(&c->table, (uint32_t)c->table.items);
}

struct decode_header fake_counts_header(const struct fake_counts *c)
{
    struct decode_header header;
    size_t need;
    char text[120];

    assert_int_equal(
        decode_header(c->table.bytes, fake_total(&c->table), &header, &need, text, sizeof(text)),
        DECODE_OK);
    return header;
}
