/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What values of arguments are called. */
#ifndef TRACE_NAMES_H
#define TRACE_NAMES_H

#include <base/string_arena.h>
#include <trace/event.h>

/* Names of values. Zeroed memory is an empty set. */
struct trace_names {
    struct trace_name *list; /* owned; in the order in which they were added */
    uint32_t *order;         /* owned; their indexes, sorted by type and first value */
    size_t count, capacity, order_capacity;
    struct string_arena texts;
};

void trace_names_free(struct trace_names *names);

/* Adds a name, whose text is copied. A value with a name keeps it, but one of TRACE_CONTENT_NOW
 * gets a longer text. A full set is unchanged. Returns false if memory runs out. */
bool trace_names_add(struct trace_names *names, const struct trace_name *name);

/* Returns the name of a value, or NULL. */
const struct trace_name *trace_names_find(const struct trace_names *names, uint32_t type,
                                          uint64_t value);

#endif
