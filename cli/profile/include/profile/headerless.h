/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of addresses and hits without a header, whose layout comes from debug information. */
#ifndef PROFILE_HEADERLESS_H
#define PROFILE_HEADERLESS_H

#include <profile/profile.h>

/* The layout of a table: an array of rows. Offsets and sizes are bytes. */
struct headerless_shape {
    bool big_endian;
    enum decode_unit unit;
    unsigned block_size;             /* bytes of code of a row; 0: find out from the addresses */
    uint64_t addr_mask;              /* bits of the member for addresses that are the address */
    size_t count, stride;            /* rows, and bytes from one row to the next */
    unsigned addr_offset, addr_size; /* the address in a row; addr_size 1 to 8 */
    unsigned hits_offset, hits_size; /* the hits in a row; hits_size 1 to 8 */
};

/* The largest block size that is assumed if it must be found from the addresses. */
#define HEADERLESS_BLOCK_SIZE_MAX 16

/* One row. */
struct headerless_hit {
    uint64_t addr, hits;
};

/* The rows of one reading. The caller owns the array. */
struct headerless_rows {
    struct headerless_hit *rows; /* room for shape.count; sorted by address, each one once */
    size_t count;                /* rows in use, all with hits */
    size_t doubles;              /* rows that were left out because another one has their address */
};

/*
 * Decodes the shape.count * shape.stride bytes of a table, and sets count and doubles. Such tables
 * move rows while they count, so a reading may contain one row twice and miss another one. Of two
 * rows with the same address the one with more hits is used.
 */
void headerless_decode(const uint8_t *bytes, const struct headerless_shape *shape,
                       struct headerless_rows *rows);

/*
 * Updates a profile with a reading of now_s, seconds of a monotonic clock. Rows are identified by
 * their address. A row with fewer hits than before (decay) has the difference in lost. If rows had
 * doubles, as many missing rows keep their hits and are marked stale, those with most hits first.
 *
 * The target is assumed to have restarted if every row that was known is gone or has fewer hits,
 * and the sum is less than a quarter. Two such readings in a row are one restart: the first one
 * came while start-up code cleared the table.
 *
 * Returns false if memory runs out; the profile is unchanged then.
 */
bool profile_update_headerless(struct profile *profile, const struct headerless_shape *shape,
                               const struct headerless_rows *rows, double now_s)
    __attribute__((warn_unused_result));

#endif
