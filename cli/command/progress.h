/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far something is, on the last line of a terminal. */
#ifndef COMMAND_PROGRESS_H
#define COMMAND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool terminal; /* stderr is one: else nothing is shown */
    bool shown;
};

struct progress progress_begin(void);

/* part: from 0 to 1; width: the widest interval, < 0: not known. */
void progress_show(struct progress *progress, double part, double seconds, uint64_t hits,
                   double width);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
