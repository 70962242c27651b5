/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions went from build to build. */
#ifndef RANKING_TREND_H
#define RANKING_TREND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>
#include <profile/stats.h>

/* One build, or one snapshot of a build that is not known. Strings are borrowed. */
struct view_trend_point {
    uint64_t number;          /* of its newest snapshot */
    uint64_t snapshots;       /* that there are of it */
    uint64_t runs;            /* of them, that are counted */
    int64_t time_ns;          /* of the newest one; 0: not known */
    const char *build;        /* hexadecimal; "": not known */
    uint64_t hits;            /* of the function */
    uint64_t total;           /* of all functions */
    struct stats_share share; /* low, high < 0: not known */
    bool there;               /* it has the function */
    char name[64];            /* which is called so there; "": as the trend is */

    const char *alone;      /* why it is not compared with the point before in time; NULL: it is */
    struct diff_row change; /* against that */
    bool contested, uneven; /* see struct diff */
    char was[64];           /* its name before, which is guessed; "": the same */
};

/* One function of one program. */
struct view_trend {
    char *function, *file;           /* the trend's own; the newest name; file "": not known */
    const char *elf, *target, *unit; /* borrowed */
    struct view_trend_point *points; /* the newest first */
    size_t count;
    size_t older; /* points that are left out */
};

struct view_trends {
    const char *folder;
    struct view_trend *trends;
    size_t count;
};

#endif
