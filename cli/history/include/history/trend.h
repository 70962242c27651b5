/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trend of functions through a folder of snapshots. */
#ifndef HISTORY_TREND_H
#define HISTORY_TREND_H

#include <history/history.h>
#include <ranking/trend.h>

/* What is asked. Strings are borrowed. */
struct history_question {
    const char *pattern; /* the function's name, or a pattern with wildcards */
    size_t limit;        /* points of a program, 0: all */
    bool (*stop)(void);  /* NULL: never */
    history_skip *skip;  /* hears of files that cannot be read any more */
    void *context;
};

/*
 * The trends of all functions that fit, by program and by their last share. Snapshots of one
 * program (ELF file's name, target, unit) and build that follow each other are one point; each
 * point is compared with the one before it in time, all functions as rows (profile/diff.h). Files
 * are loaded one at a time, and rows kept of two points. false: text says in one line why, *trends
 * is untouched. Free with history_trend_free(), before the history, which *trends borrows from.
 */
bool history_trend(const struct history *history, const struct history_question *question,
                   struct view_trends *trends, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void history_trend_free(struct view_trends *trends);

#endif
