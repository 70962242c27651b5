/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One profile, kept up to date by blocks that are read again and again. */
#include <profile/profile.h>

#include <stdlib.h>

#include "profile_private.h"

void profile_init(struct profile *profile)
{
    *profile = (struct profile){.unit = DECODE_UNIT_SAMPLES, .block_size = 1};
}

void profile_free(struct profile *profile)
{
    free(profile->rows);
    profile_init(profile);
}

static bool same_shape(const struct profile *p, const struct profile_object *objects, size_t count)
{
    const struct decode_header *h = objects[0].header;

    return !p->headerless && p->source == h->source && p->cores == count &&
           p->row_count == count * h->item_count && p->unit == h->unit &&
           p->block_size == h->block_size;
}

/* Counters wrap, so "went back" is a signed difference. */
static bool went_back(uint32_t now, uint32_t before)
{
    return (int32_t)(now - before) < 0;
}

/* A stamp is given once in a run, so a row that has it is the same row, and only grows. */
static bool contradicts(const struct profile_hit *row, const struct decode_item *item, bool decays)
{
    return row->stamp == item->stamp && (row->addr != item->addr || row->caller != item->caller ||
                                         row->inherited != item->inherited ||
                                         (!decays && went_back(item->hits, (uint32_t)row->hits)));
}

/* RAM that start-up code clears keeps no boot counter: then the numbers themselves must tell. */
static bool same_counters(const struct profile_run *run, const struct decode_header *h)
{
    return run->boot == h->boot && run->reset_done == h->reset_done &&
           !went_back(h->heartbeat, run->heartbeat) && !went_back(h->generation, run->generation);
}

static bool same_run(const struct profile *p, size_t core, const struct profile_object *object)
{
    const struct decode_header *h = object->header;
    const struct profile_hit *rows = &p->rows[core * h->item_count];
    bool decays = h->blocks[h->source].decays;

    if (p->ended || !same_counters(&p->runs[core], h))
        return false;
    for (size_t i = 0; i < h->item_count; i++) {
        struct decode_item item;
        if (decode_item(object->bytes, h, i, &item) == DECODE_ROW_FRESH &&
            contradicts(&rows[i], &item, decays))
            return false;
    }
    return true;
}

static bool same_runs(const struct profile *p, const struct profile_object *objects, size_t count)
{
    for (size_t core = 0; core < count; core++) {
        if (!same_run(p, core, &objects[core]))
            return false;
    }
    return true;
}

/* A header that is read while the target starts may have the old boot number and new counters: what
 * the next one says is the same restart. */
static void start_run(struct profile *p, const struct profile_object *objects, size_t count)
{
    const struct decode_header *h = objects[0].header;
    bool counted = p->halfway && h->boot == p->runs[0].boot + 1;
    bool began = p->cores != 0 || p->headerless;

    p->restarts += began && !counted;
    p->halfway = began && !p->ended && h->boot == p->runs[0].boot;
    p->headerless = false;
    p->source = h->source;
    p->unit = h->unit;
    p->block_size = h->block_size;
    p->lateness = p->exceptions = false;
    p->cores = (unsigned)count;
    p->recent_s = 0;
    p->updated_s = 0;
    p->ended = false;
}

static bool new_rows(struct profile *p, size_t count)
{
    struct profile_hit *rows = calloc(count ? count : 1, sizeof(*rows));

    if (!rows)
        return false;
    free(p->rows);
    p->rows = rows;
    p->row_count = count;
    return true;
}

static void take_row(struct profile_hit *row, const struct decode_item *item, bool first)
{
    uint32_t base = item->stamp == row->stamp ? (uint32_t)row->hits : item->inherited;

    bool fell = went_back(item->hits, base);

    row->recent = first || fell ? 0 : item->hits - base;
    row->lost = first || !fell ? 0 : base - item->hits;
    row->addr = item->addr;
    row->caller = item->caller;
    row->hits = item->hits;
    row->inherited = item->inherited;
    row->stamp = item->stamp;
    row->stale = false;
}

/* A row that was never read stays empty; one that was keeps what it had. */
static void keep_row(struct profile_hit *row)
{
    row->recent = 0;
    row->lost = 0;
    row->stale = row->stamp != 0;
}

static void take_rows(struct profile_hit *rows, const struct profile_object *object, bool first)
{
    for (size_t i = 0; i < object->header->item_count; i++) {
        struct decode_item item;
        if (decode_item(object->bytes, object->header, i, &item) == DECODE_ROW_FRESH)
            take_row(&rows[i], &item, first);
        else
            keep_row(&rows[i]);
    }
}

void profile_add_up(struct profile *p)
{
    p->attributed = p->recent = 0;
    p->used = p->stale = 0;
    for (size_t i = 0; i < p->row_count; i++) {
        p->attributed += p->rows[i].hits;
        p->recent += p->rows[i].recent;
        p->used += p->rows[i].hits != 0;
        p->stale += p->rows[i].stale;
    }
}

static void take_counters(struct profile *p, const struct decode_header *h, size_t core, bool first)
{
    struct profile_run *run = &p->runs[core];

    p->dropped += h->dropped;
    p->ignored += h->ignored;
    p->displaced += h->displaced;
    p->late += h->late;
    p->sleeping += h->sleeping;
    p->other_side += h->other_side;
    p->heartbeat += h->heartbeat;
    p->enable |= h->enable;
    p->events += first ? 0 : h->heartbeat - run->heartbeat;
    p->slept += first ? 0 : h->sleeping - run->sleeping;
    p->locked |= h->locked;
    *run = (struct profile_run){.boot = h->boot,
                                .heartbeat = h->heartbeat,
                                .generation = h->generation,
                                .reset_done = h->reset_done,
                                .sleeping = h->sleeping};
}

/* Is this the first update of a run, or of an interval? */
static bool is_first(const struct profile *p)
{
    return p->updated_s <= 0 || p->paused;
}

static void finish(struct profile *p, const struct profile_object *objects, size_t count,
                   double now_s)
{
    const struct decode_header *h = objects[0].header;
    bool first = is_first(p);
    uint32_t dropped = p->dropped;

    p->dropped = p->ignored = p->displaced = p->events = p->slept = 0;
    p->late = p->sleeping = p->other_side = p->heartbeat = 0;
    p->enable = 0;
    p->locked = false;
    p->jittered = h->jittered;
    p->sample_hz = h->sample_hz;
    for (size_t core = 0; core < count; core++)
        take_counters(p, objects[core].header, core, first);
    p->missed = first ? 0 : p->dropped - dropped;
    p->recent_s = first ? 0 : now_s - p->updated_s;
    p->updated_s = now_s;
    p->paused = false;
    profile_add_up(p);
}

bool profile_update(struct profile *profile, const struct profile_object *objects, size_t count,
                    double now_s)
{
    size_t rows = objects[0].header->item_count;
    bool known = same_shape(profile, objects, count) && same_runs(profile, objects, count);

    if (known)
        profile->halfway = false;
    else if (!new_rows(profile, count * rows))
        return false;
    else
        start_run(profile, objects, count);
    bool first = is_first(profile);
    for (size_t core = 0; core < count; core++)
        take_rows(&profile->rows[core * rows], &objects[core], first);
    finish(profile, objects, count, now_s);
    return true;
}

static void take_entry(struct profile_hit *row, struct tally_entry *entry, bool first)
{
    *row = (struct profile_hit){.addr = entry->addr,
                                .hits = entry->hits,
                                .recent = first ? 0 : entry->hits - entry->before,
                                .late = entry->late,
                                .exception = entry->exception,
                                .stamp = 1};
    entry->before = entry->hits;
}

/* Events that only a stream counts; before: of them, those lost until the update before. */
static void add_begun(struct profile *p, const struct profile_drained *drained, uint32_t before,
                      bool first)
{
    p->missed = first ? 0 : drained->lost - before;
    p->dropped = drained->lost;
    p->events += first ? 0 : drained->begun;
    if (drained->alone)
        p->heartbeat += (uint32_t)p->attributed + drained->lost;
}

bool profile_update_drained(struct profile *profile, const struct profile_object *objects,
                            size_t count, struct profile_drained *drained, double now_s)
{
    const struct decode_header *h = objects[0].header;
    bool known = !drained->restarted && !profile->ended && !profile->headerless &&
                 profile->source == h->source && profile->cores == count;

    if (!new_rows(profile, drained->tally.count))
        return false;
    if (known)
        profile->halfway = false;
    else
        start_run(profile, objects, count);
    profile->block_size = 1;
    if (!known && profile->restarts == 0) /* what came before is not in the stream any more */
        profile->from_s = now_s;
    else if (!known)
        profile->from_s = 0;
    profile->lateness = true;
    profile->exceptions = drained->exceptions;
    uint32_t before = profile->dropped;
    bool first = is_first(profile);
    for (size_t i = 0; i < drained->tally.count; i++)
        take_entry(&profile->rows[i], &drained->tally.entries[i], first);
    finish(profile, objects, count, now_s);
    add_begun(profile, drained, before, first);
    drained->begun = 0;
    drained->restarted = false;
    return true;
}

void profile_end(struct profile *profile)
{
    profile->ended = true;
}

void profile_pause(struct profile *profile)
{
    profile->paused = true;
}
