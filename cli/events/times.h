/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What files and targets have in common: which events the times are of, and what is printed. */
#ifndef EVENTS_TIMES_PRIVATE_H
#define EVENTS_TIMES_PRIVATE_H

#include <stdio.h>

#include <events/times.h>
#include <trace/latency.h>
#include <trace_view/latency.h>
#include <trace_view/trace_graph.h>

/* Events of the longest time that are shown, if nothing says how many. */
#define TIMES_EVENTS_SHOWN 200

/* The sum. Zeroed memory can be freed. */
struct event_times {
    const struct options *options;
    const struct trace_points *points;
    const struct trace_about *about;
    struct latency *latency; /* owned */
    char *from, *to;         /* owned; the events as they were typed; to NULL: calls */
};

/* Begins a sum of times. All is borrowed; points and about are those of the events. Returns false
 * if memory runs out; then times must be freed, too. */
bool event_times_begin(struct event_times *times, const struct options *options,
                       const struct trace_points *points, const struct trace_about *about)
    __attribute__((warn_unused_result));
void event_times_free(struct event_times *times);

/* Ends the sum, and refuses a trace that has no such time; origin is what messages call it. Returns
 * a status of <base/say.h>, and prints a message if it is not STATUS_DONE. */
int event_times_end(struct event_times *times, const char *origin);

/* The graph of the longest time, while it is written. Zeroed memory can be freed. */
struct longest {
    FILE *file;
    char *text; /* owned; the graph so far */
    size_t len;
    struct trace_graph *graph; /* owned */
    uint64_t most, more;       /* events that are shown, and those after them */
};

/* Begins a graph of at most most events. Returns false if memory runs out. */
bool longest_begin(struct longest *longest, const struct event_times *times, uint64_t most)
    __attribute__((warn_unused_result));

/* Takes an event before the end of the longest time: of those before its begin only the clocks
 * matter. inside: it is not before its begin. Returns false if memory runs out. */
bool longest_put(struct longest *longest, const struct event_times *times,
                 const struct trace_event *event, bool inside) __attribute__((warn_unused_result));

/* Ends the graph, whose text and more are then right. Returns false if memory runs out. */
bool longest_end(struct longest *longest) __attribute__((warn_unused_result));
void longest_free(struct longest *longest);

/* What is printed of the times; file is that of a trace file, else NULL, and origin names what they
 * are of. */
struct view_latency event_times_view(const struct event_times *times, const char *file,
                                     const char *origin);

#endif
