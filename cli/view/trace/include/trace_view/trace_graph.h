/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the calls of a trace nested as in C, each with its duration. */
#ifndef TRACE_VIEW_TRACE_GRAPH_H
#define TRACE_VIEW_TRACE_GRAPH_H

#include <stdio.h>

#include <table/table.h>
#include <trace/writer.h>

/*
 * A writer of a graph. A line has the time, the context (task, exception, core or thread), the
 * duration of a call that ends, and the call:
 *
 *     0.000012  thread               |  control_step(3) {
 *     0.000014  thread      1.250 us |    read_adc();
 *     0.000031  thread  +  19.000 us |  }
 *
 * and the name in a comment after a closing brace. Calls of an exception stand below what it has
 * interrupted, as if that had called it. A sign before a duration says that it is more than: + 10
 * us, ! 100 us, # 1 ms, * 10 ms, @ 100 ms, $ 1 s. More than GRAPH_LEVELS levels are not indented
 * further.
 */
struct trace_graph;

#define GRAPH_LEVELS 64

/* Creates a writer to file in FORMAT_TABLE, or in FORMAT_JSON, which has the objects of
 * trace_lines_new() with depths and durations. The caller frees it. points and about are borrowed,
 * as those of trace_lines_new(). Returns NULL if memory runs out. */
struct trace_graph *trace_graph_new(FILE *file, enum view_format format,
                                    const struct trace_points *points,
                                    const struct trace_about *about);
void trace_graph_free(struct trace_graph *graph);

/* Takes an event of any kind. If the points were cleared, flush before that, and no call is known
 * to go on. The line of an entry is written when the next event of its core comes: only then is
 * known whether it calls anything. Returns false with errno set if memory ran out or writing
 * failed, now or earlier. */
bool trace_graph_put(struct trace_graph *graph, const struct trace_event *event)
    __attribute__((warn_unused_result));

/* Writes all lines to the file, also those of calls that may yet call something, and flushes it.
 * Returns as trace_graph_put(). */
bool trace_graph_flush(struct trace_graph *graph) __attribute__((warn_unused_result));

#endif
