/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and contexts as they are printed. */
#ifndef TRACE_VIEW_GRAPH_NAMES_H
#define TRACE_VIEW_GRAPH_NAMES_H

#include <trace/points.h>

/* Functions, each made once. Zeroed memory has none. */
struct graph_names {
    char **names; /* owned; of each function; NULL: not made yet */
    size_t count, capacity;
    unsigned turn; /* of the points */
    char *other;   /* owned; the last one that is an address */
};

void graph_names_free(struct graph_names *names);

/* Returns the name of a function, or else an address in it; valid until the next one is asked for.
 * Returns NULL if memory runs out. */
const char *graph_name(struct graph_names *names, const struct trace_points *points,
                       uint32_t function, uint64_t addr);

/* Returns the name of a context (trace_context_name()), which the caller frees, without what is in
 * brackets after the name of a handler, if no other exception has that handler. exception is that
 * of the context. Returns NULL if memory runs out. */
char *graph_context(const struct trace_points *points, unsigned exception, const char *name);

#endif
