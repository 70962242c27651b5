/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --between and --worst of a target: times are added up while its events come. */
#ifndef EVENTS_LIVE_TIMES_H
#define EVENTS_LIVE_TIMES_H

#include <events/times.h>
#include <trace/writer.h>

struct live_times;

/* Creates an empty sum, which the caller frees. All is borrowed; points and about are those of the
 * events. Returns NULL if memory runs out. */
struct live_times *live_times_new(const struct options *options, const struct trace_points *points,
                                  const struct trace_about *about);
void live_times_free(struct live_times *times);

/* Takes an event. Returns false if memory runs out. */
bool live_times_put(struct live_times *times, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* The points are going to be cleared, and no time goes on. Returns as live_times_put(). */
bool live_times_end_run(struct live_times *times) __attribute__((warn_unused_result));

/* Shows the histogram so far on a terminal, in place of the one before; nothing if stdout is none,
 * or with --output or another format. origin names the target. */
void live_times_show(struct live_times *times, const char *origin);

/* Prints the whole, to stdout or --output. Returns a status of <base/say.h>, and prints a message
 * if it is not STATUS_DONE. */
int live_times_print(struct live_times *times, const char *origin);

/* Refuses a trace of many entries without any exit, if exits are needed. Returns a status, as
 * live_times_print(). */
int live_times_check(const struct live_times *times);

/* Whether a time was measured. */
bool live_times_has_any(const struct live_times *times);

#endif
