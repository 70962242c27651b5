/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one poll says, on any of the outputs. */
#ifndef COMMAND_REFRESH_H
#define COMMAND_REFRESH_H

#include <target/time_range.h>
#include <target/watch.h>

#include "top_output.h"

struct refresh {
    const char *command; /* "top" */
    const struct watch *watch;
    const struct time_range *range; /* NULL: all that there is */
    double start_s;                 /* of the command, on the watch's clock */
};

/* Shows what is known now. false: the output could not be written, or there was no memory. */
bool refresh_show(const struct refresh *refresh, struct top_output *output)
    __attribute__((warn_unused_result));

/* The same once, in a file whole or not at all. A status; what went wrong is said. */
int refresh_once(const struct refresh *refresh);

#endif
