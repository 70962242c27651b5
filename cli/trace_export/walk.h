/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the formats share: an export of a trace while it is written. */
#ifndef TRACE_EXPORT_WALK_H
#define TRACE_EXPORT_WALK_H

#include <trace/function_set.h>
#include <trace/spans.h>
#include <trace_export/trace_export.h>

/* Bytes of the name of a function without one. */
#define TRACE_EXPORT_ADDRESS 24

/* The formats call trace_export_fail() to set text and code. */
struct trace_export {
    const struct trace_export_ops *ops;
    struct trace_export_source source;
    const struct trace_points *points; /* of the event that is put */
    const struct trace_about *recording;
    FILE *out;                           /* NULL: there is a folder */
    const char *folder;                  /* NULL: there is out */
    struct trace_function_set functions; /* a span's function is a number in it */
    struct spans *spans;
    struct trace_export_left left;
    bool begun;
    int64_t time_ns; /* when the first recording began, since 1970, at least 0 */
    void *state;     /* the format's own, state_size bytes, zeroed at first */
    int (*stopped)(void);
    char *text;
    size_t capacity;
    enum export_code code;
};

/* What a format does. Each function that returns bool returns false after trace_export_fail(), or
 * if memory has run out. */
struct trace_export_ops {
    const char *name;  /* that of its struct exporter */
    size_t state_size; /* bytes of the state */
    bool instants;     /* it can show entries without exits, see spans_ops.entries_only */
    bool sums;         /* it adds up durations, which must be known */
    /* Functions get the struct trace_export as context. Number and stray are not the format's. */
    struct spans_ops walk;
    /* Called before the events; NULL: nothing to do. */
    bool (*begin)(struct trace_export *x);
    /* Called after the last event and the ends of all calls; NULL: nothing to do. */
    bool (*end)(struct trace_export *x);
    /* Frees what the state owns, also after a failure; NULL: nothing. */
    void (*clean)(struct trace_export *x);
};

/* Sets x->code and writes one line to x->text, unless there is one. Returns false. */
bool trace_export_fail(struct trace_export *x, enum export_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the name of a function, or its address in buffer. */
const char *trace_export_name(const struct trace_export *x, uint32_t function,
                              char buffer[TRACE_EXPORT_ADDRESS]);

/* Returns what the times are: "seconds", "ticks" or "events". */
const char *trace_export_clock(const struct trace_export *x);

/* Returns why events are lost, or NULL if that is not what the event tells. */
const char *trace_export_loss(const struct trace_event *event);

/* Returns the name of a mark of sleep: "asleep" or "awake". */
const char *trace_export_sleep(const struct span_sleep *sleep);

/* Returns how long the core has slept in nanoseconds; -1: not known, or it goes to sleep. */
int64_t trace_export_slept_ns(const struct span_sleep *sleep);

/* Returns why a call ended whose exit is not known: "jumped over"; NULL: it has returned. */
const char *trace_export_end_text(enum span_end end);

/* Whether the user ended the export. */
static inline bool trace_export_is_stopped(const struct trace_export *x)
{
    return x->stopped && x->stopped() != 0;
}

#endif
