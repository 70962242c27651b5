/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile kept up to date by tables whose rows move, and that say nothing of themselves. */
#include <profile/headerless.h>

#include <stdlib.h>

#include <profile/unsure.h>

#include "profile_private.h"

static uint64_t read_number(const uint8_t *bytes, unsigned size, bool big_endian)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[big_endian ? i : size - 1 - i];
    return value;
}

/* By address, and the one with more hits first. */
static int compare_hits(const void *a, const void *b)
{
    const struct headerless_hit *x = a;
    const struct headerless_hit *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return (y->hits > x->hits) - (y->hits < x->hits);
}

void headerless_decode(const uint8_t *bytes, const struct headerless_shape *shape,
                       struct headerless_rows *rows)
{
    size_t kept = 0;

    rows->count = rows->doubles = 0;
    for (size_t i = 0; i < shape->count; i++) {
        const uint8_t *row = bytes + i * shape->stride;
        uint64_t addr = read_number(row + shape->addr_offset, shape->addr_size, shape->big_endian);
        uint64_t hits = read_number(row + shape->hits_offset, shape->hits_size, shape->big_endian);
        if (hits != 0)
            rows->rows[rows->count++] =
                (struct headerless_hit){.addr = addr & shape->addr_mask, .hits = hits};
    }
    qsort(rows->rows, rows->count, sizeof(*rows->rows), compare_hits);
    for (size_t i = 0; i < rows->count; i++) {
        if (kept != 0 && rows->rows[kept - 1].addr == rows->rows[i].addr)
            rows->doubles++;
        else
            rows->rows[kept++] = rows->rows[i];
    }
    rows->count = kept;
}

static uint64_t sum_of(const struct headerless_rows *rows)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < rows->count; i++)
        sum += rows->rows[i].hits;
    return sum;
}

/* The row of that address among the profile's from *at on, NULL: none. Both lists are ordered. */
static struct profile_hit *match(const struct profile *p, size_t *at, uint64_t addr)
{
    while (*at < p->used && p->rows[*at].addr < addr)
        ++*at;
    return *at < p->used && p->rows[*at].addr == addr ? &p->rows[*at] : NULL;
}

static bool began_anew(const struct profile *p, const struct headerless_rows *rows)
{
    size_t at = 0;

    if (sum_of(rows) / p->hit >= p->attributed / 4)
        return false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct profile_hit *old = match(p, &at, rows->rows[i].addr);
        if (old && rows->rows[i].hits / p->hit >= old->hits)
            return false;
    }
    return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t divisor_of(const struct headerless_rows *rows, uint64_t divisor)
{
    for (size_t i = 0; i < rows->count && divisor != 1; i++)
        divisor = common_divisor(divisor, rows->rows[i].hits);
    return divisor;
}

/* This number of counts of samples has a common divisor by chance once in a million times. Counts
 * of calls may have one in any case: a loop calls all its functions equally often. */
#define SAMPLED_ROWS_MIN 20

static uint64_t prove_hit(const struct headerless_shape *shape, const struct headerless_rows *rows,
                          uint64_t divisor)
{
    bool proof = shape->unit == DECODE_UNIT_SAMPLES && rows->count >= SAMPLED_ROWS_MIN;

    return proof && divisor != 0 ? divisor : 1;
}

static uint32_t at_most_32_bits(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static struct profile_hit make_row(const struct profile *p, const struct headerless_hit *now,
                                   struct profile_hit *old, bool first)
{
    uint64_t before = old ? old->hits : 0;
    struct profile_hit row = {.addr = now->addr, .hits = now->hits / p->hit};

    if (!first && row.hits >= before)
        row.recent = at_most_32_bits(row.hits - before);
    else if (!first)
        row.lost = at_most_32_bits(before - row.hits);
    return row;
}

/* Of the old rows that are not among the new ones the one with the most hits; NULL: none. */
static const struct profile_hit *largest_missing(const struct profile *p,
                                                 const struct profile_hit *rows, size_t count)
{
    const struct profile_hit *largest = NULL;
    size_t at = 0;

    for (size_t i = 0; i < p->used; i++) {
        const struct profile_hit *old = &p->rows[i];
        while (at < count && rows[at].addr < old->addr)
            at++;
        bool there = at < count && rows[at].addr == old->addr;
        if (!there && (!largest || old->hits > largest->hits))
            largest = old;
    }
    return largest;
}

static size_t insert(struct profile_hit *rows, size_t count, const struct profile_hit *row)
{
    size_t at = count;

    while (at > 0 && rows[at - 1].addr > row->addr) {
        rows[at] = rows[at - 1];
        at--;
    }
    rows[at] = *row;
    rows[at].stale = true;
    rows[at].recent = 0;
    rows[at].lost = 0;
    return count + 1;
}

/* A double is a row that another one was copied over: one double, one row that is missing. Many at
 * once are no move in progress. */
#define DOUBLES_MAX 2

static void fill(const struct profile *p, const struct headerless_rows *from, bool known,
                 struct profile_hit *rows)
{
    bool first = !known || p->updated_s <= 0 || p->paused;
    size_t count = 0;
    size_t at = 0;

    for (size_t i = 0; i < from->count; i++) {
        struct profile_hit *old = known ? match(p, &at, from->rows[i].addr) : NULL;
        rows[count++] = make_row(p, &from->rows[i], old, first);
    }
    for (size_t i = 0; known && i < from->doubles && from->doubles <= DOUBLES_MAX; i++) {
        const struct profile_hit *missing = largest_missing(p, rows, count);
        if (missing)
            count = insert(rows, count, missing);
    }
}

/* A row that is read while two change places may have the other one's hits, which are one hit more:
 * one fall proves nothing. */
#define FALLS_MIN 2

static bool has_fallen(const struct profile *p, const struct headerless_rows *rows)
{
    size_t at = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct profile_hit *old = match(p, &at, rows->rows[i].addr);
        if (old && rows->rows[i].hits / p->hit < old->hits)
            return true;
    }
    return false;
}

/* What this reading adds to what is not sure. p has divisor and hit of it, the rest of the one
 * before. */
static void doubt(struct profile *p, const struct headerless_shape *shape,
                  const struct headerless_rows *rows, const struct profile_hit *fresh, bool known)
{
    p->unsure = known ? p->unsure & ~(unsigned)PROFILE_SCALE : 0;
    p->falls = known ? p->falls + has_fallen(p, rows) : 0;
    if (p->falls >= FALLS_MIN)
        p->unsure |= PROFILE_FADES;
    if (rows->count + rows->doubles >= shape->count)
        p->unsure |= PROFILE_FULL;
    if (known && rows->doubles <= DOUBLES_MAX && largest_missing(p, fresh, shape->count))
        p->unsure |= PROFILE_REPLACES;
    /* Where rows fade by another number than a hit adds, their divisor says nothing. One reading of
     * a full table does not show whether they do. */
    bool fading = p->falls != 0 || (!known && p->unsure & PROFILE_FULL);
    if (p->hit > 1 ? p->divisor % p->hit != 0 : p->divisor != 1 || fading)
        p->unsure |= PROFILE_SCALE;
}

/* The largest power of two that divides all addresses, up to HEADERLESS_BLOCK_SIZE_MAX. */
static unsigned block_size_of(const struct headerless_rows *rows)
{
    uint64_t bits = HEADERLESS_BLOCK_SIZE_MAX;

    for (size_t i = 0; i < rows->count; i++)
        bits |= rows->rows[i].addr;
    return (unsigned)(bits & -bits);
}

static void set_block_size(struct profile *p, const struct headerless_shape *shape,
                           const struct headerless_rows *rows, bool known)
{
    unsigned block_size = block_size_of(rows);

    if (shape->block_size != 0)
        p->block_size = shape->block_size;
    else if (!known || block_size < p->block_size) /* a row that is gone told it too */
        p->block_size = block_size;
}

/* What a hit adds is the firmware's, so a restart does not change it. */
static void set_scale(struct profile *p, const struct headerless_shape *shape,
                      const struct headerless_rows *rows, bool known)
{
    p->divisor = divisor_of(rows, known ? p->divisor : 0);
    if (!known && (p->hit == 0 || p->divisor % p->hit != 0 || p->hit == 1))
        p->hit = prove_hit(shape, rows, p->divisor);
}

bool profile_update_headerless(struct profile *profile, const struct headerless_shape *shape,
                               const struct headerless_rows *rows, double now_s)
{
    bool known = profile->headerless && !profile->ended && profile->row_count == shape->count &&
                 profile->unit == shape->unit && !began_anew(profile, rows);
    bool first = !known || profile->updated_s <= 0 || profile->paused;
    bool begun = !known && profile->row_count != 0;
    struct profile_hit *fresh = calloc(shape->count, sizeof(*fresh));

    if (!fresh)
        return false;
    set_scale(profile, shape, rows, known);
    fill(profile, rows, known, fresh);
    doubt(profile, shape, rows, fresh, known);
    set_block_size(profile, shape, rows, known);
    free(profile->rows);
    profile_rest_free(&profile->rest);
    double recent_s = first ? 0 : now_s - profile->updated_s;
    *profile = (struct profile){
        .unit = shape->unit,
        .block_size = profile->block_size,
        .headerless = true,
        .unsure = profile->unsure,
        .falls = profile->falls,
        .hit = profile->hit,
        .divisor = profile->divisor,
        .slices = profile->slices,
        .wander = profile->wander,
        .rows = fresh,
        .row_count = shape->count,
        .capacity = shape->count,
        .restarts = profile->restarts + (begun && !profile->halfway),
        .halfway = begun,
        .updated_s = now_s,
        .recent_s = recent_s,
    };
    profile_add_up(profile);
    profile->events = at_most_32_bits(profile->recent);
    profile->heartbeat = at_most_32_bits(profile->attributed);
    profile_slice(profile, !known);
    return true;
}
