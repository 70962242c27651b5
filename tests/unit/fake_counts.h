/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A target that counts: the bytes of its table, in which a test adds hits to rows. */
#ifndef FAKE_COUNTS_H
#define FAKE_COUNTS_H

#include <profile/decode.h>

#include "fake_table.h"

#define FAKE_COUNTS_MAX 4

struct fake_counts {
    struct fake_table table;
    uint64_t addr[FAKE_COUNTS_MAX];
    uint32_t hits[FAKE_COUNTS_MAX];
    uint32_t heartbeat;
};

/* The target has started: an empty table with these rows. */
void fake_counts_start(struct fake_counts *c, unsigned addr_size, const uint64_t *addr, size_t rows,
                       uint32_t boot);

/* The target has counted so many more hits in each row. */
void fake_counts_add(struct fake_counts *c, const uint32_t *more);

/* The header of the table as it is now. */
struct decode_header fake_counts_header(const struct fake_counts *c);

#endif
