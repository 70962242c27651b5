/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times and durations of events. */
#ifndef TRACE_VIEW_TRACE_TIME_H
#define TRACE_VIEW_TRACE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <trace/spans.h>

#include "line_buffer.h"

/* Cells of a time, without the two blanks after it. */
#define TRACE_TIME_CELLS 12

/* What the ticks of a core mean. */
struct trace_clock {
    bool timed;  /* they are known */
    uint32_t hz; /* ticks a second, 0: not known */
};

/* Adds a time as people read it: seconds, ticks, or "-", and two blanks. */
void trace_time_add(struct line_buffer *to, const struct trace_clock *clock, int64_t ticks);

/* Adds the brace of an object, and its members "time" and "ticks". */
void trace_time_add_json(struct line_buffer *to, const struct trace_clock *clock, int64_t ticks);

/* Adds the members "duration" and "duration_ticks", both null if the clock is not timed. */
void trace_time_add_duration_json(struct line_buffer *to, const struct trace_clock *clock,
                                  int64_t ticks);

/* Cells of a duration with its sign, and bytes of one. */
#define TRACE_DURATION_CELLS 12
#define TRACE_DURATION_TEXT  40

/* Writes the duration of a call that ends, with a sign before a long one; "" if it is not known. */
void trace_duration_text(const struct span *span, char text[TRACE_DURATION_TEXT]);

#endif
