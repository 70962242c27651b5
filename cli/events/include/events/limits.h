/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events of a trace are shown: --depth, --below and --min; of a file also --filter and --not;
 * and which are shown with their callers: --stack. */
#ifndef EVENTS_LIMITS_H
#define EVENTS_LIMITS_H

#include <options/options.h>
#include <trace/call_filter.h>

struct event_limits;

/* Whether the options limit events by their callers or durations, or show them so, for which exits
 * are needed.
 * Events are then let through later than they come. For --graph they only are before the first
 * exit.
 */
bool event_limits_need_exits(const struct options *options);

/* Whether the options limit anything or add callers; else all is let through as it is. */
bool event_limits_wanted(const struct options *options);

/* Whether they need to see the calls around those that they let through. */
bool event_limits_need_callers(const struct options *options);

/* Returns 0 or another status as it is, or prints what an option lacks by a trace_refusal and
 * returns its status. */
int event_limits_refuse(const char *option, int refusal);

/* Creates limits, which the caller frees. All is borrowed: points and about are those of the
 * events, and put() takes each event that is let through; it returns a status of <base/say.h>.
 * Returns NULL if memory runs out. */
struct event_limits *event_limits_new(const struct options *options,
                                      const struct trace_points *points,
                                      const struct trace_about *about,
                                      int (*put)(void *context, const struct trace_event *event),
                                      void *context);
void event_limits_free(struct event_limits *limits);

/* Takes an event. Returns a status, and prints a message if it is not STATUS_DONE: put() failed, or
 * the trace does not have what the options need. */
int event_limits_put(struct event_limits *limits, const struct trace_event *event);

/* Refuses options that need what no ring of calls of the firmware's own has: exits, or times in
 * seconds. ring is its name. Returns a status, and prints a message if it is not STATUS_DONE. */
int event_limits_check_ring(const struct options *options, const char *ring);

/* The same of one option, for its needs. */
int event_limits_refuse_ring(const char *option, bool seconds, const char *ring);

/* Hands on what is held back; call it before the points are cleared, and at the end. Returns as
 * event_limits_put(). */
int event_limits_end(struct event_limits *limits);

/* Refuses a trace of which many functions were entered and none has returned: returns a status as
 * event_limits_put(). */
int event_limits_check(const struct event_limits *limits);

/* Refuses --results of a trace whose exits have no results. Returns a status. */
int event_results_check(bool has_results);

/* Prints how many events could not be placed, and which options have chosen no function. */
void event_limits_say(const struct event_limits *limits);

#endif
