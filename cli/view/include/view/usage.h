/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the core's time went to. */
#ifndef VIEW_USAGE_H
#define VIEW_USAGE_H

#include <stdbool.h>

struct view_usage {
    /* CPU shares, 0 to 1, of wall time in the last interval; < 0: not known. */
    double tasks, interrupts, idle, unknown;
    /* The same since the start of the counts. */
    double total_tasks, total_interrupts, total_idle, total_unknown;
    bool wall; /* of wall time (the rate is known); false: of hits */
};

#endif
