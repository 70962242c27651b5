/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The difference of two readings of a table. */
#include <profile/delta.h>

#include <stdlib.h>
#include <string.h>

#include "profile_private.h"

static bool copy_context(const struct profile *from, struct profile *to)
{
    if (!from->by_context)
        return true;
    struct profile *context = malloc(sizeof(*context));
    if (!context || !profile_copy(from->by_context, context)) {
        free(context);
        return false;
    }
    to->by_context = context;
    return true;
}

bool profile_copy(const struct profile *profile, struct profile *copy)
{
    struct profile_hit *rows = calloc(profile->row_count + 1, sizeof(*rows));

    if (!rows)
        return false;
    if (profile->row_count)
        memcpy(rows, profile->rows, profile->row_count * sizeof(*rows));
    struct profile made = *profile;
    made.rows = rows;
    made.rest = (struct profile_rest){.count = 0};
    made.tasks = NULL;
    made.by_context = NULL;
    made.slices = NULL;
    wander_list_copy(&profile->wander, &made.wander);
    made.stacks = NULL;
    if (!profile_rest_copy(&profile->rest, &made.rest) ||
        !profile_stacks_copy(profile->stacks, &made.stacks) ||
        !profile_tasks_copy(profile->tasks, &made.tasks) || !copy_context(profile, &made)) {
        profile_free(&made);
        return false;
    }
    *copy = made;
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

/* The rest of the time between: what was there before, and what rows that are gone have left to it,
 * is not new. */
static void subtract_rest(const struct profile *base, struct profile *p)
{
    struct profile_rest *rest = &p->rest;

    for (size_t i = 0; i < rest->count && rest->count == base->rest.count; i++)
        rest->counts[i] -=
            base->rest.counts[i] < rest->counts[i] ? base->rest.counts[i] : rest->counts[i];
    for (size_t i = 0; rest->count && i < base->row_count && i < p->row_count; i++) {
        const struct profile_hit *then = &base->rows[i], *now = &p->rows[i];
        if (then->stamp == 0 || then->stale ||
            profile_is_same_row(true, then, now->addr, now->caller, now->stamp))
            continue;
        uint64_t *count = &rest->counts[profile_rest_region(rest, then->addr)];
        *count -= then->hits < *count ? then->hits : *count;
    }
    p->dropped = 0;
    for (size_t i = 0; i < rest->count; i++) {
        rest->recent[i] = rest->counts[i];
        p->dropped += (uint32_t)rest->counts[i];
    }
}

static void subtract(struct profile_hit *row, const struct profile_hit *before, bool rows)
{
    bool same = profile_is_same_row(rows, before, row->addr, row->caller, row->stamp);

    if (!same && row->inherited == 0) /* since ABI 1.2 a row takes nothing over */
        return;

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
    p->iterations -= base->iterations;
    p->heartbeat -= base->heartbeat;
}

/* to is a copy of now. */
static void subtract_all(const struct profile *base, const struct profile *now, struct profile *to)
{
    struct profile p = *to;
    size_t at = 0;

    if (base->by_context && p.by_context)
        subtract_all(base->by_context, now->by_context, p.by_context);
    for (size_t i = 0; i < p.row_count; i++) {
        const struct profile_hit *before = find_before(base, p.headerless, i, p.rows[i].addr, &at);
        if (before && p.rows[i].hits != 0)
            subtract(&p.rows[i], before, p.rest.count != 0);
        p.rows[i].lost = 0;
        p.rows[i].recent = p.rows[i].hits < UINT32_MAX ? (uint32_t)p.rows[i].hits : UINT32_MAX;
    }
    subtract_counters(base, &p);
    profile_stacks_subtract(p.stacks, base->stacks);
    if (p.rest.counts)
        subtract_rest(base, &p);
    p.events = p.heartbeat;
    p.missed = p.dropped;
    p.slept = p.sleeping;
    p.recent_s = now->updated_s - base->updated_s;
    p.from_s = base->updated_s;
    profile_add_up(&p);
    *to = p;
}

bool profile_delta(const struct profile *base, const struct profile *now, struct profile *delta)
{
    struct profile p;

    if (!profile_copy(now, &p))
        return false;
    subtract_all(base, now, &p);
    *delta = p;
    return true;
}
