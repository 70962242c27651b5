/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions at whose entry the printing of a trace starts and stops. */
#ifndef EVENTS_TRIGGER_H
#define EVENTS_TRIGGER_H

#include <load/addr_ranges.h>
#include <target/watch_trace.h>

/* What --start-at and --stop-at want; zeroed memory has seen no event yet. */
struct trace_trigger {
    bool started, stopped;
    const struct symtab *symtab; /* where the functions were looked up, and its build */
    char build[128];
    struct addr_ranges start, stop;
};

/* Looks the functions up, again if the ELF file has changed. Call it after each poll. Returns a
 * status, and prints a message if it is not STATUS_DONE. */
int trace_trigger_follow(struct trace_trigger *trigger, const struct watch *watch);

/*
 * Takes the next event, and returns whether it is wanted: it came after the entry of a function of
 * --start-at and not after that of one of --stop-at; both entries are wanted. Losses always are:
 * such an entry may be among them.
 */
bool trace_trigger_lets(struct trace_trigger *trigger, const struct options *options,
                        const struct sampler_event *event);

/* Whether no later event is wanted: --stop-at was reached, and there is no --start-at. */
bool trace_trigger_ended(const struct trace_trigger *trigger, const struct options *options);

void trace_trigger_free(struct trace_trigger *trigger);

#endif
