/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wider intervals for shares that wander. */
#include <wander/wander.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of fewer hits, counting is all that can be told. */
static const double fewest = 20;

/* 97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom over that of the normal
 * distribution, 1.960; squared. With fewer than 4 an interval would be useless. */
static const double reach2[WANDER_COSINES + 1] = {
    [4] = 2.0067, [5] = 1.7201, [6] = 1.5586, [7] = 1.4556, [8] = 1.3843};

/* What has more than this times the variance of counting may wander slowly, which only the first
 * cosines see: the wider one of all and of the first four is taken. */
static const double slow = 1.5;

void wander_list_free(struct wander_list *list)
{
    free(list->rows);
    *list = (struct wander_list){.count = 0};
}

void wander_list_copy(const struct wander_list *list, struct wander_list *copy)
{
    struct wander_row *rows = list->count ? malloc(list->count * sizeof(*rows)) : NULL;

    *copy = (struct wander_list){.count = 0};
    if (!rows)
        return;
    memcpy(rows, list->rows, list->count * sizeof(*rows));
    *copy = *list;
    copy->rows = rows;
}

int wander_place_compare(const struct wander_place *a, const struct wander_place *b)
{
    if (a->addr != b->addr)
        return a->addr < b->addr ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return (a->exception > b->exception) - (a->exception < b->exception);
}

static int compare_place(const void *place, const void *row)
{
    return wander_place_compare(place, &((const struct wander_row *)row)->place);
}

const struct wander_row *wander_list_find(const struct wander_list *list, struct wander_place place)
{
    return list->count
               ? bsearch(&place, list->rows, list->count, sizeof(*list->rows), compare_place)
               : NULL;
}

const struct wander *wander_list_take(const struct wander_list *list, struct wander_place place,
                                      bool *taken)
{
    const struct wander_row *row = wander_list_find(list, place);

    if (!row || taken[row - list->rows])
        return NULL;
    taken[row - list->rows] = true;
    return &row->wander;
}

void wander_add(struct wander *to, const struct wander *from, double part)
{
    to->hits += part * from->hits;
    for (unsigned j = 0; j < WANDER_COSINES; j++)
        to->cosine[j] += part * from->cosine[j];
}

/* The variance over counting's by the first cosines. */
static double variance_of(const struct wander *row, const struct wander *all, double part,
                          unsigned cosines)
{
    double sum = 0;

    for (unsigned j = 0; j < cosines; j++) {
        double beyond = row->cosine[j] - part * all->cosine[j];
        sum += beyond * beyond;
    }
    return sum / cosines / (row->hits * (1 - part));
}

double wander_spread(const struct wander *row, const struct wander *all, unsigned cosines)
{
    double part = all->hits > 0 ? row->hits / all->hits : 0;

    if (cosines < WANDER_LEAST || row->hits < fewest || row->hits * (1 - part) < fewest)
        return 1;
    double variance = variance_of(row, all, part, cosines), spread = variance * reach2[cosines];
    if (variance > slow)
        spread = fmax(spread, variance_of(row, all, part, WANDER_LEAST) * reach2[WANDER_LEAST]);
    return fmax(1, spread);
}

const char *wander_intervals(unsigned cosines, double spread)
{
    if (cosines)
        return "counting and polls";
    return spread > 1 ? "counting and batches" : "counting only";
}
