/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matches exits with entries, and adds up the calls of each function and their durations. Each task
 * and each exception of a core has its own calls. */
#ifndef TRACE_CALLS_H
#define TRACE_CALLS_H

#include <trace/points.h>
#include <trace/writer.h>

/* One function. Times are in seconds, or in ticks, as struct trace_calls_state says; < 0: not
 * known. Strings are never NULL and belong to the struct trace_calls. */
struct trace_call_row {
    const char *name;    /* "": not known, there is only addr */
    const char *context; /* task, exception, thread or core of the calls; "": of any */
    const char *file;
    unsigned line;
    uint64_t addr;
    uint64_t calls; /* entries */
    uint64_t timed; /* those whose exit was found */
    double total;   /* from entries to exits; of calls within calls only the outermost */
    double self;    /* without the traced functions that it called, and that interrupted it */
    double min, avg, max;
    double median, p99; /* half and 99 % of the calls are not longer (trace/durations.h) */
    double deviation;   /* sample standard deviation; not known of less than two calls */
    bool seconds;       /* as in struct trace_calls_state */
};

/* What all rows have in common. */
struct trace_calls_state {
    uint64_t calls, exits;
    uint64_t lost; /* events */
    uint64_t
        unmatched_entries; /* whose exit is not known, because events were lost or jumped over */
    uint64_t unmatched_exits;
    uint64_t open;    /* entered, and not left when the recording ended */
    uint64_t unrated; /* calls left out of all times: their clock has another unit than the first */
    uint64_t sleeps;  /* times that a core went to sleep */
    uint64_t known_sleeps; /* those whose duration is known */
    double asleep;         /* the sum of these durations, seconds */
    uint64_t slept_calls;  /* calls with a duration, in which a core has slept */
    unsigned restarts;
    bool rounded;     /* a function has more calls than are kept: median and p99 are not exact */
    double hook_cost; /* time of the hooks of one call, which is subtracted; 0: not known */
    bool seconds;     /* times are in seconds; else in ticks */
    bool timed;       /* some event has a time */
};

struct trace_calls;

/* Creates an empty sum, which the caller frees. Returns NULL if memory runs out. */
struct trace_calls *trace_calls_new(void);
void trace_calls_free(struct trace_calls *calls);

/* Each context of a function gets a row of its own. about is that of the events, and borrowed. Call
 * it before the first event. */
void trace_calls_split(struct trace_calls *calls, const struct trace_about *about);

/* Takes an event of any kind. points are those that it refers to. Returns false if memory runs out.
 */
bool trace_calls_put(struct trace_calls *calls, const struct trace_points *points,
                     const struct trace_event *event) __attribute__((warn_unused_result));

/* Ends the last recording: counts what is open. */
void trace_calls_end(struct trace_calls *calls);

/* Returns a row for each function that was entered, in the order of their first entries, and sets
 * *count. The caller frees them with free(). Returns NULL if memory runs out. */
struct trace_call_row *trace_calls_rows(const struct trace_calls *calls, size_t *count);

struct trace_calls_state trace_calls_state(const struct trace_calls *calls);

#endif
