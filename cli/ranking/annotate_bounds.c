/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least and the most hits that blocks, lines and instructions may have. */
#include "annotate_hits.h"

#include <stdlib.h>

/* A share of hits in a total: lost is the most that all of the function may have lost. */
static struct stats_share share_in(const struct annotation *a, uint64_t total,
                                   const struct stats_count *count)
{
    struct stats_whole whole = a->whole;
    struct stats_count counted = *count;

    whole.attributed = total;
    if (whole.located)
        whole.dropped = a->divided_unseen.most;
    counted.least = counted.most = count->hits;
    /* What is shown is the share of what has a row. */
    if (total)
        counted.unseen.likely = (double)count->hits / (double)total * (double)whole.dropped;
    return stats_share_of(&counted, &whole);
}

/* From the least to the most hits, and what was lost may be any of the function's. How many hits
 * the function itself has is not known either, if it shares blocks with other functions. */
static struct stats_share share_of(const struct annotation *a, const struct annotate_range *r)
{
    double spread = wander_spread(&r->wander, &a->wander, a->cosines);
    const struct stats_count least = {.hits = r->hits,
                                      .inherited = r->inherited < r->hits ? r->inherited : r->hits,
                                      .spread = spread};
    const struct stats_count most = {.hits = r->most,
                                     .inherited = r->inherited,
                                     .unseen = {.most = a->divided_unseen.most},
                                     .spread = spread};
    struct stats_share share = share_in(a, a->divided, &least);

    share.low = share_in(a, a->most, &least).low;
    share.high = share_in(a, a->least + r->split, &most).high;
    share.value = a->divided ? (double)r->hits / (double)a->divided : 0;
    if (a->no_intervals)
        share.low = share.high = -1;
    return share;
}

/* own: nothing but this code is in the block. */
static void add_block(struct annotate_range *to, const struct annotate_block *block, bool own)
{
    to->hits += own ? block->range.hits : 0;
    to->most += block->range.most;
    to->split += block->range.split;
    to->inherited += block->range.inherited;
    wander_add(&to->wander, &block->range.wander, 1);
}

/* Data may be between the instructions of a block. */
static bool is_within(const struct annotate_step *step, size_t block)
{
    return step->block == block || step->block == ANNOTATE_NO_BLOCK;
}

struct annotate_range annotate_range_of(const struct annotation *a, size_t first, size_t end)
{
    struct annotate_range range = {.hits = 0};

    for (size_t i = first; i < end;) {
        size_t number = a->steps[i++].block, count = 1;
        if (number == ANNOTATE_NO_BLOCK)
            continue;
        for (; i < end && is_within(&a->steps[i], number); i++)
            count += a->steps[i].block == number;
        add_block(&range, &a->blocks[number], count == a->blocks[number].instructions);
    }
    range.share = share_of(a, &range);
    return range;
}

/* Places are sorted by line. seen: by block, 1 + the line that was last found to have a part. */
static void bound_lines(struct builder *b, size_t *seen)
{
    struct annotation *a = b->a;

    for (size_t i = 0; i < b->place_count; i++) {
        const struct place *place = &b->places[i];
        if (place->block == ANNOTATE_NO_BLOCK || seen[place->block] == place->index + 1)
            continue;
        seen[place->block] = place->index + 1;
        struct annotate_block *block = &a->blocks[place->block];
        if (block->lines++ == 0)
            block->first_line = place->index;
        block->last_line = place->index;
        add_block(&a->lines[place->index].range, block, false);
    }
    for (size_t i = 0; i < a->block_count; i++) {
        if (a->blocks[i].lines == 1)
            a->lines[a->blocks[i].first_line].range.hits += a->blocks[i].range.hits;
    }
    for (size_t i = 0; i < a->line_count; i++)
        a->lines[i].range.share = share_of(a, &a->lines[i].range);
}

const char *annotate_intervals(const struct annotation *a)
{
    if (a->no_intervals || !a->sampled || a->divided == 0)
        return NULL;
    return wander_intervals(a->cosines, a->whole.spread);
}

bool annotate_bound(struct builder *b)
{
    struct annotation *a = b->a;
    size_t *seen = calloc(a->block_count + 1, sizeof(*seen));

    if (!seen)
        return false;
    a->divided = a->hits;
    a->divided_unseen = a->unseen;
    a->wander = (struct wander){.hits = 0};
    a->cosines = b->input->profile->wander.cosines;
    a->sampled = b->input->profile->unit == DECODE_UNIT_SAMPLES;
    for (size_t i = 0; i < a->block_count; i++) {
        a->least += a->blocks[i].range.hits;
        a->most += a->blocks[i].range.most;
        wander_add(&a->wander, &a->blocks[i].range.wander, 1);
    }
    bound_lines(b, seen);
    free(seen);
    for (size_t i = 0; i < a->block_count; i++)
        a->blocks[i].range.share = share_of(a, &a->blocks[i].range);
    for (size_t i = 0; i < a->step_count; i++)
        a->steps[i].range = annotate_range_of(a, i, i + 1);
    return true;
}
