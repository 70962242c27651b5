/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which snapshots are one point of a trend, and the functions of a point. */
#ifndef HISTORY_POINTS_H
#define HISTORY_POINTS_H

#include <base/pool.h>
#include <history/history.h>
#include <profile/diff.h>

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

/* A function of a point. */
struct point_row {
    const char *function, *file; /* file NULL: not known; both are the point's */
    size_t trend;                /* its number, SIZE_MAX: nobody asked for it */
};

/* One run: hits of each function, as in the point's rows. */
struct point_run {
    struct diff_hits *hits;
    uint64_t attributed, dropped;
    double sample_hz, duration_s;
    bool locked; /* its timer is the firmware's tick */
    bool whole;  /* since the target's reset, not of a time */
};

/* What snapshots of a point hold. Zeroed is empty. */
struct point_data {
    struct pool *files, *keys;
    struct point_row *rows;
    size_t row_count;
    struct point_run *runs;
    size_t run_count;
    bool exact; /* counted, not sampled */
};

/* Adds a snapshot's rows: one that is contained in a run that is there, as a reading of counts that
 * went on is in the next one, adds nothing. false: no memory. */
bool point_add(struct point_data *point, const struct snapshot *snapshot);
void point_free(struct point_data *point);

/* The name of what has none. */
extern const char point_unnamed[];

#endif
