/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts the snapshots of a history into programs, and those into builds. */
#include "points.h"

#include <stdlib.h>
#include <string.h>

static bool same_program(const struct history_entry *a, const struct history_entry *b)
{
    return strcmp(a->elf, b->elf) == 0 && strcmp(a->target, b->target) == 0 &&
           strcmp(a->unit, b->unit) == 0;
}

static bool same_build(const struct history_entry *a, const struct history_entry *b)
{
    return a->build[0] && !a->differs && !b->differs && strcmp(a->build, b->build) == 0;
}

static bool make_room(struct series *s, size_t count)
{
    s->room = calloc(count, sizeof(*s->room));
    s->points = calloc(count, sizeof(*s->points));
    return s->room && s->points;
}

/* How many of the first one's program there are. */
static size_t count_entries(const struct history *h, size_t first, const bool *taken)
{
    size_t count = 0;

    for (size_t i = first; i < h->count; i++)
        count += !taken[i] && same_program(&h->entries[first], &h->entries[i]);
    return count;
}

static void add_entry(const struct history *h, struct series *s, size_t used, size_t entry)
{
    struct point *last = s->count ? &s->points[s->count - 1] : NULL;

    s->room[used] = entry;
    if (last && same_build(&h->entries[last->entries[0]], &h->entries[entry]))
        last->count++;
    else
        s->points[s->count++] = (struct point){.entries = &s->room[used], .count = 1};
}

/* All entries of the first one's program, which are no others' then. */
static bool make_series(const struct history *h, size_t first, bool *taken, struct series *s)
{
    size_t used = 0;

    if (!make_room(s, count_entries(h, first, taken)))
        return false;
    for (size_t i = first; i < h->count; i++) {
        if (taken[i] || !same_program(&h->entries[first], &h->entries[i]))
            continue;
        taken[i] = true;
        add_entry(h, s, used++, i);
    }
    return true;
}

bool series_make(const struct history *history, struct series_list *list)
{
    size_t count = history->count;
    bool *taken = calloc(count + 1, sizeof(*taken));
    bool done = taken != NULL;

    list->series = calloc(count + 1, sizeof(*list->series));
    done = done && list->series;
    for (size_t i = 0; done && i < count; i++) {
        if (!taken[i])
            done = make_series(history, i, taken, &list->series[list->count++]);
    }
    free(taken);
    return done;
}

void series_free(struct series_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->series[i].points);
        free(list->series[i].room);
    }
    free(list->series);
    *list = (struct series_list){.series = NULL};
}
