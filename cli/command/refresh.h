/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the result of one poll on any output. */
#ifndef COMMAND_REFRESH_H
#define COMMAND_REFRESH_H

#include <target/time_range.h>
#include <target/watch.h>

#include "top_output.h"

/* What to show. All is borrowed. */
struct refresh {
    const char *command; /* the verb, "top" */
    const struct watch *watch;
    const struct time_range *range; /* the time to show; NULL: all */
    double start_s;                 /* when the command started, by monotonic_s() */
};

/* Shows the current profile. Returns false if the output could not be written or memory ran out. */
bool refresh_show(const struct refresh *refresh, struct top_output *output)
    __attribute__((warn_unused_result));

/* Shows it on an output that it opens and closes; a file is replaced only if all was written.
 * Returns a status of <base/say.h>; prints a message on failure. */
int refresh_once(const struct refresh *refresh);

#endif
