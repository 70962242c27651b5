/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One profile, kept up to date by blocks that are read again and again. */
#include <profile/profile.h>

#include <stdlib.h>

#include "profile_private.h"

void profile_init(struct profile *profile)
{
    *profile = (struct profile){.unit = DECODE_UNIT_SAMPLES, .block_size = 1};
}

void profile_forget_contexts(struct profile *profile)
{
    if (profile->by_context)
        profile_free(profile->by_context);
    free(profile->by_context);
    profile_tasks_free(profile->tasks);
    profile->by_context = NULL;
    profile->tasks = NULL;
}

void profile_free(struct profile *profile)
{
    profile_forget_contexts(profile);
    profile_stacks_free(profile->stacks);
    free(profile->rows);
    profile_rest_free(&profile->rest);
    slices_free(profile->slices);
    wander_list_free(&profile->wander);
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

bool profile_is_same_row(bool rows, const struct profile_hit *before, uint64_t addr,
                         uint64_t caller, uint32_t stamp)
{
    return before->addr == addr && before->caller == caller &&
           (before->stamp == stamp || (rows && stamp == DECODE_STAMP_COMPLETE));
}

static bool is_same_row(const struct profile *p, const struct profile_hit *row,
                        const struct decode_item *item)
{
    return profile_is_same_row(p->rest.count != 0, row, item->addr, item->caller, item->stamp);
}

/* A stamp is given once in a run, so a row that has it is the same row, and only grows. */
static bool contradicts(const struct profile *p, const struct profile_hit *row,
                        const struct decode_item *item)
{
    if (!is_same_row(p, row, item))
        return row->stamp == item->stamp;
    return row->inherited != item->inherited ||
           (!p->decays && went_back(item->hits, (uint32_t)row->hits));
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

    if (p->ended || !same_counters(&p->runs[core], h))
        return false;
    /* Stamps of rows have 16 bits: after that many changes they come again. */
    if (h->blocks[h->source].rows && h->generation - p->runs[core].generation >= 0x8000)
        return true;
    for (size_t i = 0; i < h->item_count; i++) {
        struct decode_item item;
        if (decode_item(object->bytes, h, i, &item) == DECODE_ROW_FRESH &&
            contradicts(p, &rows[i], &item))
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
    p->capacity = h->source == DECODE_STREAM ? 0 : count * h->item_count;
    p->unit = h->unit;
    p->block_size = h->block_size;
    p->lateness = p->exceptions = false;
    profile_forget_contexts(p);
    p->decays = h->blocks[h->source].decays;
    p->cores = (unsigned)count;
    p->recent_s = 0;
    p->updated_s = 0;
    p->ended = false;
}

/* block: whose rest is kept, NULL: none. */
static bool new_rows(struct profile *p, size_t count, const struct decode_block *block)
{
    struct profile_hit *rows = calloc(count ? count : 1, sizeof(*rows));
    struct profile_rest rest;

    if (!rows ||
        !profile_rest_init(&rest, block ? block->rest_count : 0, block ? block->region_size : 0)) {
        free(rows);
        return false;
    }
    free(p->rows);
    profile_rest_free(&p->rest);
    p->rest = rest;
    p->rows = rows;
    p->row_count = count;
    return true;
}

static void take_row(const struct profile *p, struct profile_hit *row,
                     const struct decode_item *item, bool first)
{
    uint32_t base = is_same_row(p, row, item) ? (uint32_t)row->hits : item->inherited;
    bool fell = went_back(item->hits, base);

    row->recent = first || fell ? 0 : item->hits - base;
    row->lost = first || !fell ? 0 : base - item->hits;
    row->addr = item->addr;
    row->caller = item->caller;
    row->hits = item->hits;
    row->inherited = item->inherited;
    row->stamp = item->stamp;
    row->stale = false;
    row->complete = item->complete;
}

/* A row that was never read stays empty; one that was keeps what it had. */
static void keep_row(struct profile_hit *row)
{
    row->recent = 0;
    row->lost = 0;
    row->stale = row->stamp != 0;
}

/* What a row had when it was read last, and has left to the rest since, is not new there. A row
 * that was being written then may have done so before. */
static void leave(struct profile_rest *rest, const struct profile_hit *row)
{
    if (rest->counts && row->stamp != 0 && !row->stale) {
        uint64_t *recent = &rest->recent[profile_rest_region(rest, row->addr)];
        *recent -= row->hits < *recent ? row->hits : *recent;
    }
}

static void take_rows(struct profile *p, size_t core, const struct profile_object *object,
                      bool first)
{
    struct profile_hit *rows = &p->rows[core * object->header->item_count];

    for (size_t i = 0; i < object->header->item_count; i++) {
        struct decode_item item;
        if (decode_item(object->bytes, object->header, i, &item) == DECODE_ROW_FRESH) {
            if (!is_same_row(p, &rows[i], &item))
                leave(&p->rest, &rows[i]);
            take_row(p, &rows[i], &item, first);
        } else {
            keep_row(&rows[i]);
        }
    }
}

/* Counters of the target wrap, those of all cores here do not. */
static void take_rest(struct profile *p, const struct profile_object *objects, size_t count,
                      bool first)
{
    struct profile_rest *rest = &p->rest;

    for (size_t i = 0; i < rest->count; i++) {
        uint64_t now = 0;
        for (size_t core = 0; core < count; core++)
            now += decode_rest(objects[core].bytes, objects[core].header, i);
        rest->recent[i] = first || now < rest->counts[i] ? 0 : now - rest->counts[i];
        rest->counts[i] = now;
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
    p->iterations += h->iterations;
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

static uint32_t missed_of(const struct profile_rest *rest)
{
    uint64_t missed = 0;

    for (size_t i = 0; i < rest->count; i++)
        missed += rest->recent[i];
    return missed < UINT32_MAX ? (uint32_t)missed : UINT32_MAX;
}

static void finish(struct profile *p, const struct profile_object *objects, size_t count,
                   double now_s)
{
    const struct decode_header *h = objects[0].header;
    bool first = is_first(p);
    uint32_t dropped = p->dropped;

    p->dropped = p->ignored = p->displaced = p->events = p->slept = 0;
    p->late = p->sleeping = p->other_side = p->iterations = p->heartbeat = 0;
    p->enable = 0;
    p->locked = false;
    p->jittered = h->jittered;
    p->fixed = h->fixed && p->unit == DECODE_UNIT_SAMPLES;
    p->sample_hz = h->sample_hz;
    p->tick_hz = h->tick_hz;
    for (size_t core = 0; core < count; core++)
        take_counters(p, objects[core].header, core, first);
    p->missed = first ? 0 : p->dropped - dropped;
    if (p->rest.counts)
        p->missed = missed_of(&p->rest);
    p->recent_s = first ? 0 : now_s - p->updated_s;
    p->updated_s = now_s;
    p->paused = false;
    profile_add_up(p);
}

bool profile_update(struct profile *profile, const struct profile_object *objects, size_t count,
                    double now_s)
{
    const struct decode_header *h = objects[0].header;
    size_t rows = h->item_count;
    bool known = same_shape(profile, objects, count) && same_runs(profile, objects, count);

    if (known)
        profile->halfway = false;
    else if (!new_rows(profile, count * rows, &h->blocks[h->source]))
        return false;
    else
        start_run(profile, objects, count);
    bool first = is_first(profile);
    take_rest(profile, objects, count, first);
    for (size_t core = 0; core < count; core++)
        take_rows(profile, core, &objects[core], first);
    /* Of several cores, a rest does not say whose it is. */
    for (size_t i = 0; count > 1 && i < profile->row_count; i++)
        profile->rows[i].complete = false;
    finish(profile, objects, count, now_s);
    profile_slice(profile, !known);
    bool done = profile_count_contexts(profile, objects, count);
    if (profile->by_context) {
        profile_add_up(profile->by_context);
        profile_slice(profile->by_context, !known);
    }
    return done;
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

    if (!new_rows(profile, drained->tally.count, NULL))
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
    profile_slice(profile, !known);
    drained->begun = 0;
    drained->restarted = false;
    return profile_tasks_follow(&profile->tasks, drained->tasks);
}

void profile_add_slice(const struct profile *p, struct slices *slices)
{
    bool done = p->unit == DECODE_UNIT_SAMPLES && !p->decays;

    for (size_t i = 0; done && i < p->row_count; i++) {
        if (p->rows[i].recent != 0)
            done = slices_add(slices, profile_place(&p->rows[i]), p->rows[i].recent);
    }
    if (done && p->recent != 0)
        slices_end_poll(slices);
}

void profile_slice(struct profile *profile, bool began)
{
    wander_list_free(&profile->wander);
    if (!profile->slices)
        profile->slices = slices_new();
    if (!profile->slices)
        return;
    if (began)
        slices_clear(profile->slices);
    profile_add_slice(profile, profile->slices);
    slices_wander(profile->slices, &profile->wander);
}

void profile_begin(struct profile *profile)
{
    if (profile->by_context)
        profile_begin(profile->by_context);
    slices_clear(profile->slices);
    wander_list_free(&profile->wander);
}

void profile_end(struct profile *profile)
{
    profile->ended = true;
}

void profile_pause(struct profile *profile)
{
    profile->paused = true;
}
