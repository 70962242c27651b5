/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the two sides of a comparison of traces. */
#ifndef EVENTS_TRACE_DIFF_H
#define EVENTS_TRACE_DIFF_H

#include <trace/call_diff.h>
#include <trace/reader.h>

/* One trace file, added up. Zeroed memory is none; trace_load_free() frees it. */
struct trace_load {
    struct trace_reader *reader; /* owned; has the names */
    struct trace_calls *calls;   /* owned */
    struct trace_call_row *rows; /* owned */
    struct trace_side side;
};

/* Loads a trace file into zeroed memory, which the caller frees in any case. Returns a status of
 * <base/say.h>; prints a message if it is not STATUS_DONE, or bytes of the file were left out. */
int trace_load(const char *path, struct trace_load *load);
void trace_load_free(struct trace_load *load);

#endif
