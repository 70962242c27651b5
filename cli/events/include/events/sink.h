/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the events of a trace go: lines of text or JSON, or a trace file. */
#ifndef EVENTS_SINK_H
#define EVENTS_SINK_H

#include <stdio.h>

#include <options/options.h>
#include <trace/writer.h>
#include <trace_view/trace_graph.h>
#include <trace_view/trace_lines.h>

struct live_times;

/* The sink. Zeroed memory is a closed one. */
struct event_sink {
    const char *origin; /* what messages call the target; borrowed; set by who needs it */
    const struct options *options; /* borrowed */
    const struct trace_points *points;
    const struct trace_about *about;
    FILE *file;                  /* of lines */
    struct trace_lines *lines;   /* owned; NULL: none */
    struct trace_graph *graph;   /* owned; NULL: none */
    struct live_times *times;    /* owned; NULL: none */
    struct trace_writer *writer; /* owned; NULL: none */
    struct trace_about of;       /* what the writer records; strings are owned */
    bool results;                /* some exit had a result */
    uint64_t calls, lost; /* entries, exits and marks that it has taken; events that are lost */
};

/* Opens options->output, as a trace file if options->record is set; without it lines go to
 * standard, like stdout. With --between or --worst of a target, times are added up instead. points
 * and about are those of the events, and borrowed. Prints a message on failure. Returns a status of
 * <base/say.h>. */
int event_sink_open(struct event_sink *sink, const struct options *options,
                    const struct trace_points *points, const struct trace_about *about,
                    FILE *standard);

/* The points and what they are of are other ones than before: a trace file gets a new recording.
 * Returns a status, as event_sink_open(). */
int event_sink_renew(struct event_sink *sink);

/* Takes an event; leaves it out if there were as many calls as the options ask for. Returns a
 * status, as event_sink_open(). */
int event_sink_put(struct event_sink *sink, const struct trace_event *event);

/* The points are going to be cleared. Returns a status, as event_sink_open(). */
int event_sink_end_run(struct event_sink *sink);

/* Shows the times so far on a terminal. */
void event_sink_show_times(struct event_sink *sink);

/* Refuses --between and --worst of a trace without the exits that they need. Returns a status, as
 * event_sink_open(). */
int event_sink_check_times(const struct event_sink *sink);

/* Prints the times, if that is what the sink is for. failed: only if there are any. Returns a
 * status, as event_sink_open(). */
int event_sink_print_times(struct event_sink *sink, bool failed);

/* Hands all events to the system. Returns a status, as event_sink_open(). */
int event_sink_flush(struct event_sink *sink);

/* Prints how many events are lost, if any are. */
void event_sink_say_lost(const struct event_sink *sink);

/* Flushes and closes the sink, which may be closed. Returns a status, as event_sink_open(). */
int event_sink_close(struct event_sink *sink);

#endif
