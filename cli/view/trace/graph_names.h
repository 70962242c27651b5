/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions as they are printed, each made once. */
#ifndef TRACE_VIEW_GRAPH_NAMES_H
#define TRACE_VIEW_GRAPH_NAMES_H

#include <trace/points.h>

/* Zeroed memory has none. */
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

#endif
