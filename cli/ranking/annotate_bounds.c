/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How sure the shares of instructions and lines are. */
#include "annotate_hits.h"

#include <stdlib.h>

#include <profile/unsure.h>
#include <ranking/rows.h>

/* A share of hits of the function: lost is the most that all of it may have lost. */
static struct stats_share share_of(const struct builder *b, uint64_t hits, uint64_t inherited,
                                   uint64_t lost)
{
    struct stats_whole whole = view_whole(b->input->profile, b->a->hits);
    struct stats_count count = {.hits = hits,
                                .inherited = inherited,
                                .least = hits,
                                .most = hits,
                                .unseen = {.most = lost}};

    if (whole.located)
        whole.dropped = b->a->unseen.most;
    /* What is shown is the share of what has a row. */
    if (whole.attributed)
        count.unseen.likely = (double)hits / (double)whole.attributed * (double)whole.dropped;
    return stats_share_of(&count, &whole);
}

/* A block does not tell what of it was hit: from the least to the most that hits may be, and what
 * was lost may be any of the function's. */
static struct stats_share range_of(const struct builder *b, uint64_t hits, uint64_t inherited,
                                   uint64_t least, uint64_t most)
{
    struct stats_share share = share_of(b, hits, inherited, 0);
    uint64_t taken_over = inherited < least ? inherited : least;

    most = most < b->a->hits ? most : b->a->hits;
    share.low = share_of(b, least, taken_over, 0).low;
    share.high = share_of(b, most, inherited, b->a->unseen.most).high;
    if (!profile_has_intervals(b->input->profile))
        share.low = share.high = -1;
    return share;
}

/* The lines that have a part of a block, each once: seen has who was seen last. */
static void bound_lines(struct annotation *a, const struct division *d, size_t number, size_t *seen)
{
    bool any_code = annotate_has_code(a, d->from, d->count);
    size_t lines = 0, last = 0;

    for (size_t i = d->from; i < d->from + d->count; i++) {
        size_t line = a->steps[i].line;
        if (annotate_weight(&a->steps[i], any_code) == 0 || seen[line] == number)
            continue;
        seen[line] = number;
        a->lines[line].most += d->hits;
        last = line;
        lines++;
    }
    if (lines == 1 && !d->split)
        a->lines[last].least += d->hits;
}

static void bound_steps(struct annotation *a, const struct division *d)
{
    bool any_code = annotate_has_code(a, d->from, d->count);
    size_t steps = 0, last = 0;

    for (size_t i = d->from; i < d->from + d->count; i++) {
        if (annotate_weight(&a->steps[i], any_code) == 0)
            continue;
        a->steps[i].most += d->hits;
        last = i;
        steps++;
    }
    if (steps == 1 && !d->split)
        a->steps[last].least += d->hits;
}

bool annotate_bound(struct builder *b)
{
    struct annotation *a = b->a;
    size_t *seen = calloc(a->line_count + 1, sizeof(*seen));

    if (!seen)
        return false;
    for (size_t i = 0; i < b->division_count; i++) {
        bound_lines(a, &b->divisions[i], i + 1, seen);
        bound_steps(a, &b->divisions[i]);
    }
    free(seen);
    for (size_t i = 0; i < a->line_count; i++) {
        struct annotate_line *l = &a->lines[i];
        l->share = range_of(b, l->hits, l->inherited, l->least, l->most);
    }
    for (size_t i = 0; i < a->step_count; i++) {
        struct annotate_step *s = &a->steps[i];
        s->share = range_of(b, s->hits, s->inherited, s->least, s->most);
    }
    return true;
}
