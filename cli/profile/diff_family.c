/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of many rows are significant (docs/statistics.md, "Many rows"). */
#include <math.h>
#include <stdlib.h>

#include "diff_private.h"

/* The part of the error that is given out by share; the rest is the same for every row. */
static const double by_share = 0.9;

/* With fewer hits no row can ever be significant, so it costs the others nothing. */
static const double fewest = 5;

struct member {
    double p, weight; /* p is divided by the weight; the weights add up to 1 */
    size_t row;
};

static int compare_members(const void *left, const void *right)
{
    const struct member *l = left, *r = right;

    if (l->p < r->p || r->p < l->p)
        return l->p < r->p ? -1 : 1;
    return l->row < r->row ? -1 : l->row > r->row;
}

/* Weights come from the hits of both sides together, which say nothing about the change. */
static size_t gather(const struct diff *diff, struct member *members)
{
    size_t count = 0;
    double hits = 0;

    for (size_t i = 0; i < diff->count; i++) {
        const struct diff_row *row = &diff->rows[i];
        double all = (double)row->base_hits + (double)row->new_hits;
        if (isnan(row->p) || all < fewest)
            continue;
        hits += all;
        members[count++] = (struct member){.p = row->p, .weight = all, .row = i};
    }
    for (size_t k = 0; k < count; k++) {
        members[k].weight = by_share * members[k].weight / hits + (1 - by_share) / (double)count;
        members[k].p /= members[k].weight;
    }
    qsort(members, count, sizeof(*members), compare_members);
    return count;
}

/* S. Holm 1979, weighted: down from the smallest. */
static void adjust(struct diff *diff, const struct member *members, size_t count)
{
    double left = 1, largest = 0;

    for (size_t k = 0; k < count; k++) {
        largest = fmax(largest, fmin(1, members[k].p * left));
        diff->rows[members[k].row].adjusted = largest;
        left = fmax(0, left - members[k].weight);
    }
}

bool diff_family(struct diff *diff, const struct diff_options *options)
{
    struct member *members = malloc((diff->count + 1) * sizeof(*members));

    if (members == NULL)
        return false;
    for (size_t i = 0; i < diff->count; i++)
        diff->rows[i].adjusted = isnan(diff->rows[i].p) ? NAN : 1;
    size_t count = gather(diff, members);
    adjust(diff, members, count);
    free(members);
    for (size_t i = 0; i < diff->count; i++)
        diff->rows[i].significant = diff->rows[i].adjusted <= options->fdr;
    return true;
}
