/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the events of a trace as lines of text, or as objects of JSON. */
#ifndef TRACE_VIEW_TRACE_LINES_H
#define TRACE_VIEW_TRACE_LINES_H

#include <stdio.h>

#include <table/table.h>
#include <trace/spans.h>
#include <trace/writer.h>

/* A writer of lines. What a line says besides its time is made once for each point. */
struct trace_lines;

/* Creates a writer to file in FORMAT_TABLE or FORMAT_JSON, which the caller frees. points and about
 * are borrowed: those of the events, and of the recording that they belong to; both may change, as
 * those of a reader do. Returns NULL if memory runs out. */
struct trace_lines *trace_lines_new(FILE *file, enum view_format format,
                                    const struct trace_points *points,
                                    const struct trace_about *about);
void trace_lines_free(struct trace_lines *lines);

/* Adds the line of an event. TRACE_CLOCK, TRACE_END and the first TRACE_RUN have none. Returns
 * false with errno set if memory ran out or writing failed, now or earlier. */
bool trace_lines_put(struct trace_lines *lines, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Adds the line of the entry or exit span->event. An object also has its depth, and an exit its
 * duration. Returns as trace_lines_put(). */
bool trace_lines_put_span(struct trace_lines *lines, const struct span *span)
    __attribute__((warn_unused_result));

/* Writes all lines to the file, and flushes it. Returns false with errno set if writing failed, now
 * or earlier. */
bool trace_lines_flush(struct trace_lines *lines) __attribute__((warn_unused_result));

#endif
