/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the progress of a recording in the last line of a terminal. */
#ifndef RECORDER_PROGRESS_H
#define RECORDER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* The line. */
struct progress {
    bool terminal;    /* stderr is a terminal; otherwise nothing is shown */
    bool shown;       /* the line is on the screen */
    const char *unit; /* of the counts; borrowed */
};

/* Returns a line that is not shown yet. unit is what is counted, like "hits". */
struct progress progress_begin(const char *unit);

/* Shows or replaces the line. part is how much is done, 0 to 1; seconds and count are what was
 * recorded so far; width is that of the widest interval, 0 to 1, < 0: not known. */
void progress_show(struct progress *progress, double part, double seconds, uint64_t count,
                   double width);

/* Removes the line. */
void progress_end(struct progress *progress);

#endif
