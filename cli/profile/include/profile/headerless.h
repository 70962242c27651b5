/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of addresses and hits without a header: what they are must be known from elsewhere. */
#ifndef PROFILE_HEADERLESS_H
#define PROFILE_HEADERLESS_H

#include <profile/profile.h>

/* What a row looks like. Sizes are bytes, from 1 to 8, and lie within the stride. */
struct headerless_shape {
    bool big_endian;
    enum decode_unit unit;
    unsigned block_size; /* bytes of addresses of a block; 0: as the addresses are aligned */
    uint64_t addr_mask;  /* bits of an address that count */
    size_t count, stride;
    unsigned addr_offset, addr_size;
    unsigned hits_offset, hits_size;
};

/* The largest block that is believed where only the addresses tell. */
#define HEADERLESS_BLOCK_SIZE_MAX 16

struct headerless_hit {
    uint64_t addr, hits;
};

/* The rows of one reading. */
struct headerless_rows {
    /* Room for shape.count; ordered by address, each once, none empty. */
    struct headerless_hit *rows;
    size_t count;
    size_t doubles; /* rows left out because another one has their address */
};

/*
 * Takes the rows out of the shape.count * shape.stride bytes. Such tables move their rows while
 * they count; a reading in the middle of a move finds one row twice and another one not at all. Of
 * two rows with one address the one with more hits is taken.
 */
void headerless_decode(const uint8_t *bytes, const struct headerless_shape *shape,
                       struct headerless_rows *rows);

/*
 * Takes a reading into the profile, as read at now_s. A row is known again by its address. Of one
 * whose hits became fewer (decay) it is noted how many it lost. As many rows as had doubles and are
 * missing keep what they had and are marked stale, the largest ones first; others that are missing
 * were replaced. A table where all that was known is gone or less, and less than a quarter in all,
 * began anew; one that does so twice in a row was met while start-up code cleared it, and that is
 * one restart. false: out of memory, the profile is as before.
 */
bool profile_update_headerless(struct profile *profile, const struct headerless_shape *shape,
                               const struct headerless_rows *rows, double now_s)
    __attribute__((warn_unused_result));

#endif
