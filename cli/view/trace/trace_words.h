/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of an event: arguments, the result, the value of a mark, the task. */
#ifndef TRACE_VIEW_TRACE_WORDS_H
#define TRACE_VIEW_TRACE_WORDS_H

#include <trace/writer.h>

#include "line_buffer.h"

/* Adds what stands after the function's name in the line of an event, or the members of its object.
 * Returns false if memory runs out. */
bool trace_words_add(struct line_buffer *to, bool json, const struct trace_points *points,
                     const struct trace_about *about, const struct trace_event *event);

/* The same without the task. */
bool trace_words_add_arguments(struct line_buffer *to, bool json, const struct trace_points *points,
                               const struct trace_about *about, const struct trace_event *event);

/* Adds the task, if the event has one, by its name if the points have it. Returns false if memory
 * runs out. */
bool trace_words_add_task(struct line_buffer *to, bool json, const struct trace_points *points,
                          const struct trace_event *event);

#endif
