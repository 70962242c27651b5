/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which snapshots are one point of a trend. */
#ifndef HISTORY_POINTS_H
#define HISTORY_POINTS_H

#include <history/history.h>

/* Neighbours in time of one program and build. */
struct point {
    size_t *entries; /* numbers in the history, the newest first; points into the series' room */
    size_t count;
};

/* All points of one program, the newest first. */
struct series {
    struct point *points;
    size_t count;
    size_t *room;
};

struct series_list {
    struct series *series; /* by their newest snapshots */
    size_t count;
};

/* false: no memory; to be freed in any case. */
bool series_make(const struct history *history, struct series_list *list);
void series_free(struct series_list *list);

#endif
