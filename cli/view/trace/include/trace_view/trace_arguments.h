/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments of an event as text, or as members of a JSON object. */
#ifndef TRACE_VIEW_TRACE_ARGUMENTS_H
#define TRACE_VIEW_TRACE_ARGUMENTS_H

#include <stdio.h>

#include <trace/writer.h>

struct trace_argument_text;

/* Creates a writer to a file, which the caller frees. Returns NULL if memory runs out. */
struct trace_argument_text *trace_argument_text_new(FILE *file);
void trace_argument_text_free(struct trace_argument_text *to);

/* Writes the arguments of an entry as 'mprof trace' prints them, with their parentheses, or the
 * result of an exit; or with json the members, each with a comma before it. Writes nothing if they
 * are not known. Returns false if memory runs out; a failure to write is the file's. */
bool trace_argument_text_put(struct trace_argument_text *to, bool json,
                             const struct trace_points *points, const struct trace_about *about,
                             const struct trace_event *event) __attribute__((warn_unused_result));

#endif
