/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that a watch has read of a trace, with names. */
#ifndef EVENTS_SOURCE_H
#define EVENTS_SOURCE_H

#include <target/watch_trace.h>
#include <trace/writer.h>

/* Makes events with points of what a watch reads. */
struct event_source;

/* Creates a source, which the caller frees. watch is borrowed; it need not have read anything yet.
 * reads_strings: also read strings that arguments point to, if that does not halt the target;
 * reads_results: those that results point to. Returns NULL if memory runs out. */
struct event_source *event_source_new(const struct watch *watch, bool reads_strings,
                                      bool reads_results);
void event_source_free(struct event_source *source);

/* The points that events refer to, and what they are of; both stay at their place. */
const struct trace_points *event_source_points(const struct event_source *source);
const struct trace_about *event_source_about(const struct event_source *source);

/* Whether event_source_name() is going to clear the points. */
bool event_source_is_old(const struct event_source *source);

/* Takes over the names that the watch has loaded. Call it before the events of each reading.
 * Returns true if they are not those of before: then all points are new, and clocks are told again.
 */
bool event_source_name(struct event_source *source);

/* Sets *event to what the events after it need to know of a core's clock. Returns false if that was
 * told already. */
bool event_source_clock(struct event_source *source, unsigned core, struct trace_event *event);

/* Sets *event to one that the watch has read. Returns false if memory runs out. */
bool event_source_take(struct event_source *source, const struct sampler_event *from,
                       struct trace_event *event) __attribute__((warn_unused_result));

/* Names the arguments of an event that is going to be shown, and reads what they point to. Returns
 * false if memory runs out. */
bool event_source_read(struct event_source *source, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Whether an event of the watch is none to be told: it only says that the first run begins. */
bool event_source_omits(struct event_source *source, const struct sampler_event *from);

#endif
