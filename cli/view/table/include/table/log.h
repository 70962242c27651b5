/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the list of the snapshots in a folder: mprof log. */
#ifndef TABLE_LOG_H
#define TABLE_LOG_H

#include <table/table.h>

/* One snapshot; members as in struct history_entry. Strings are borrowed and never NULL. */
struct view_log_entry {
    uint64_t number;   /* N of @N; 0: the newest */
    int64_t time_ns;   /* since 1970; 0: not known */
    double duration_s; /* < 0: not known */
    const char *file, *build, *elf, *target, *sampler, *unit;
    bool differs; /* the target ran another build, and --force was given */
    uint64_t hits, runs;
    const char *function; /* the one with most hits */
    double share;         /* its share, 0 to 1; < 0: not known */
};

/* The list. All is borrowed. */
struct view_log {
    const char *folder;
    const struct view_log_entry *entries; /* the newest first */
    size_t count;                         /* entries to show */
    size_t all;                           /* snapshots in the folder */
    size_t skipped;                       /* files that are not snapshots */
};

/* Returns the list as text, which the caller frees with free(). A table connects neighbours of the
 * same build by brackets, and fits into page, which may be NULL for CSV and JSON. Returns NULL if
 * memory runs out. */
char *view_log(const struct view_log *log, enum view_format format, const struct view_page *page);

#endif
