/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace that the firmware has stopped for good, as after a fault: mprof_trace_freeze(). */
#ifndef EVENTS_FROZEN_H
#define EVENTS_FROZEN_H

#include <target/watch_trace.h>

/* Which cores have said so; zeroed memory: none. */
struct trace_frozen {
    bool said[DECODE_MAX_CORES];
};

/* Prints to stderr, once for each core, that its trace is frozen: in which exception, how many
 * starts of the firmware ago, and how it can be thawed. Call it after the events of a reading were
 * printed. Returns true if the traces of all cores that have recorded anything are frozen: then no
 * more events come. */
bool trace_frozen_say(struct trace_frozen *frozen, const struct watch *watch);

#endif
