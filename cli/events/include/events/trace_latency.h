/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times in a trace file: --between and --worst. */
#ifndef EVENTS_TRACE_LATENCY_H
#define EVENTS_TRACE_LATENCY_H

#include <options/options.h>

/* Whether one of the options is given. */
static inline bool trace_latency_is_given(const struct options *options)
{
    return options->between.functions.count != 0 || options->worst.count != 0;
}

/* Prints how long times or calls of the file options->operands[0] are, and the events of the
 * longest one. Returns a status of <base/say.h>, and prints messages. */
int trace_latency(const struct options *options);

#endif
