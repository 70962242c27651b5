/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes trends of functions in a folder of snapshots. */
#ifndef HISTORY_TREND_H
#define HISTORY_TREND_H

#include <history/history.h>
#include <ranking/trend.h>

/* What to compute. Borrowed for the call. */
struct history_question {
    const char *pattern; /* name of a function, or a pattern of fnmatch() */
    size_t limit;        /* largest number of points of a program, 0: all */
    bool (*stop)(void);  /* returns true to end early; NULL: never */
    history_skip *skip;  /* called for files that can no longer be read */
    void *context;       /* of skip */
};

/*
 * Computes the trends of all matching functions, sorted by program and by their last share.
 * Snapshots of the same program (ELF file name, target, unit) and build that follow each other are
 * one point. Each point is compared with the one before in time (profile/diff.h). Files are loaded
 * one at a time.
 *
 * The caller frees *trends with history_trend_free(), before the history, from which it borrows.
 * Returns false, and writes one line to text, on failure; *trends is unchanged then.
 */
bool history_trend(const struct history *history, const struct history_question *question,
                   struct view_trends *trends, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void history_trend_free(struct view_trends *trends);

#endif
