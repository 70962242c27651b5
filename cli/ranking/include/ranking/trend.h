/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trends: the share of a function from build to build. history/trend.h makes them. */
#ifndef RANKING_TREND_H
#define RANKING_TREND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>
#include <profile/stats.h>

/* One build, or one snapshot of a build that is not known. Pointers are borrowed from the history.
 */
struct view_trend_point {
    uint64_t number;          /* number of the newest snapshot of the build */
    uint64_t snapshots;       /* snapshots of the build in the folder */
    uint64_t runs;            /* how many of them were used: those that repeat others are not */
    int64_t time_ns;          /* time of the newest snapshot, since 1970; 0: not known */
    const char *build;        /* build-id in hexadecimal; "": not known */
    uint64_t hits;            /* hits of the function */
    uint64_t total;           /* hits of all functions */
    struct stats_share share; /* hits of total; low, high < 0: not known */
    bool there;               /* the build has the function */
    char name[64];            /* its name in this build, cut; "": view_trend.function */

    /* The comparison with the build before in time. */
    const char *alone;      /* why there is none, a constant; NULL: there is one */
    struct diff_row change; /* valid if alone is NULL */
    bool contested;         /* cannot tell whether this row changed: diff_row.in_camp */
    char was[64];           /* its name in the build before, if it seems renamed; else "" */
};

/* One function of one program. */
struct view_trend {
    char *function, *file;           /* newest name, and file; owned; file "": not known */
    const char *elf, *target, *unit; /* borrowed from the history */
    struct view_trend_point *points; /* count of them, owned; the newest one is first */
    size_t count;
    size_t older; /* builds that were left out because there were too many */
};

/* The trends that match a question. */
struct view_trends {
    const char *folder;        /* of the history; borrowed */
    struct view_trend *trends; /* count of them, owned */
    size_t count;
};

#endif
