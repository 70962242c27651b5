/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The snapshots of a folder as a list. */
#ifndef TABLE_LOG_H
#define TABLE_LOG_H

#include <table/table.h>

/* One snapshot. Strings are never NULL, "": not known. */
struct view_log_entry {
    uint64_t number;   /* 0: the newest */
    int64_t time_ns;   /* since 1970; 0: not known */
    double duration_s; /* < 0: not known */
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
};

/* Neighbours of one build are bracketed, where page says how; page is not for CSV and JSON. To be
 * freed; NULL: no memory. */
char *view_log(const struct view_log *log, enum view_format format, const struct view_page *page);

#endif
