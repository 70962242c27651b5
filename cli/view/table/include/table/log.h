/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The snapshots of a folder as a list. */
#ifndef TABLE_LOG_H
#define TABLE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One snapshot. Strings are never NULL, "": not known. */
struct view_log_entry {
    size_t number;       /* 0: the newest */
    int64_t time_ns;     /* since 1970; 0: not known */
    int64_t duration_ns; /* 0: not known */
    const char *file, *build, *elf, *target, *sampler, *unit;
    bool differs; /* the target ran another build than that, and that was forced */
    uint64_t hits, runs;
    const char *function; /* the first one */
    double share;         /* its; < 0: not known */
};

struct view_log {
    const char *folder;
    const struct view_log_entry *entries; /* the newest first */
    size_t count;                         /* that are shown */
    size_t all;                           /* that there are */
    size_t skipped;                       /* files that are no snapshots */
    bool utf8;                            /* what may be drawn with */
    unsigned width;                       /* of a terminal; 0: lines have no edge */
};

/* Neighbours of one build are bracketed. To be freed; NULL: no memory. */
char *view_log_text(const struct view_log *log);
char *view_log_csv(const struct view_log *log);
char *view_log_markdown(const struct view_log *log);
char *view_log_json(const struct view_log *log);

#endif
