/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of two readings of a table. */
#include <profile/delta.h>

#include <stdlib.h>
#include <string.h>

#include "profile_private.h"

bool profile_copy(const struct profile *profile, struct profile *copy)
{
    struct profile_hit *rows = calloc(profile->row_count + 1, sizeof(*rows));

    if (!rows)
        return false;
    if (profile->row_count)
        memcpy(rows, profile->rows, profile->row_count * sizeof(*rows));
    *copy = *profile;
    copy->rows = rows;
    return true;
}

/* Restarts are seen one poll late where the first reading met the target amid its start. */
bool profile_same_run(const struct profile *base, const struct profile *now)
{
    bool same = base->restarts == now->restarts && base->source == now->source &&
                base->headerless == now->headerless && base->unit == now->unit &&
                base->cores == now->cores;

    for (unsigned i = 0; same && i < now->cores; i++)
        same = base->runs[i].boot == now->runs[i].boot &&
               base->runs[i].reset_done == now->runs[i].reset_done;
    return same;
}

/* A table without a header has its rows in the order of their addresses, others in their places. */
static const struct profile_hit *find_before(const struct profile *base, bool headerless,
                                             size_t index, uint64_t addr, size_t *at)
{
    if (!headerless)
        return index < base->row_count ? &base->rows[index] : NULL;
    while (*at < base->used && base->rows[*at].addr < addr)
        ++*at;
    return *at < base->used && base->rows[*at].addr == addr ? &base->rows[*at] : NULL;
}

/* The counts of a table of 32 bits wrap, those of others do not come that far. */
static uint64_t difference(uint64_t now, uint64_t before)
{
    if (now >= before)
        return now - before;
    uint32_t wrapped = (uint32_t)now - (uint32_t)before;
    return before <= UINT32_MAX && wrapped < UINT32_MAX / 2 ? wrapped : 0;
}

static void subtract(struct profile_hit *row, const struct profile_hit *before)
{
    bool same = row->stamp == before->stamp;

    row->hits = difference(row->hits, before->hits);
    /* What it took over, it took over of what was counted since. */
    uint64_t inherited = same || row->inherited < before->hits ? 0 : row->inherited - before->hits;
    row->inherited = inherited < row->hits ? (uint32_t)inherited : (uint32_t)row->hits;
    row->late -= before->late <= row->late ? before->late : row->late;
}

static void subtract_counters(const struct profile *base, struct profile *p)
{
    p->dropped -= base->dropped;
    p->ignored -= base->ignored;
    p->displaced -= base->displaced;
    p->late -= base->late;
    p->sleeping -= base->sleeping;
    p->other_side -= base->other_side;
    p->heartbeat -= base->heartbeat;
}

bool profile_delta(const struct profile *base, const struct profile *now, struct profile *delta)
{
    struct profile p;
    size_t at = 0;

    if (!profile_copy(now, &p))
        return false;
    for (size_t i = 0; i < p.row_count; i++) {
        const struct profile_hit *before = find_before(base, p.headerless, i, p.rows[i].addr, &at);
        if (before && p.rows[i].hits != 0)
            subtract(&p.rows[i], before);
        p.rows[i].lost = 0;
        p.rows[i].recent = p.rows[i].hits < UINT32_MAX ? (uint32_t)p.rows[i].hits : UINT32_MAX;
    }
    subtract_counters(base, &p);
    p.events = p.heartbeat;
    p.missed = p.dropped;
    p.slept = p.sleeping;
    p.recent_s = now->updated_s - base->updated_s;
    p.from_s = base->updated_s;
    profile_add_up(&p);
    *delta = p;
    return true;
}
