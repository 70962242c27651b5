/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops what is shown of a trace: --start-at and --stop-at. */
#ifndef EVENTS_TRIGGER_H
#define EVENTS_TRIGGER_H

#include <options/options.h>
#include <target/watch.h>
#include <trace/points.h>

struct trace_trigger;

/* Creates a trigger, which the caller frees. All is borrowed; points are those of the events.
 * Returns NULL if memory runs out. */
struct trace_trigger *trace_trigger_new(const struct options *options,
                                        const struct trace_points *points);
void trace_trigger_free(struct trace_trigger *trigger);

/* Whether the options start or stop anything; else all is wanted. */
bool trace_trigger_is_given(const struct options *options);

/* Refuses what a ring of calls of the firmware's own cannot start or stop at: its name is ring.
 * Returns a status, and prints a message if it is not STATUS_DONE. */
int trace_trigger_check_ring(const struct options *options, const char *ring);

/* Of a target, looks the functions up, again if the ELF file has changed. Call it after each poll.
 * Without it, as of a trace file, functions are known by their names. Returns a status, and prints
 * a message if it is not STATUS_DONE. */
int trace_trigger_follow(struct trace_trigger *trigger, const struct watch *watch);

/* Takes the next event, of any kind, and sets *wanted (call_trigger_put()). Returns a status, and
 * prints a message if it is not STATUS_DONE: the trace does not have what the options need. */
int trace_trigger_put(struct trace_trigger *trigger, const struct trace_event *event, bool *wanted)
    __attribute__((warn_unused_result));

/* Whether no later event is wanted: --stop-at was reached, and there is no --start-at. */
bool trace_trigger_ended(const struct trace_trigger *trigger);

/* Refuses a trace of which many functions were entered and none has returned, if that is needed:
 * returns a status as trace_trigger_put(). Call it when all events were put, or many. */
int trace_trigger_check(const struct trace_trigger *trigger);

/* Prints at the end if nothing has started, and which calls have no known duration. */
void trace_trigger_say(const struct trace_trigger *trigger);

#endif
