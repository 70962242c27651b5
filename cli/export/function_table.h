/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of all sources, each once. */
#ifndef EXPORT_FUNCTION_TABLE_H
#define EXPORT_FUNCTION_TABLE_H

#include <base/dedupe.h>
#include <base/string_pool.h>
#include <snapshot/snapshot.h>

struct export_function {
    const char *name; /* never "": of what has none, its address */
    const char *file; /* where it begins, "": not known */
    int64_t line;     /* there, 0: not known */
    bool named;
};

/* Zeroed is empty. */
struct function_table {
    struct export_function *functions;
    size_t count, room;
    struct dedupe known;
    struct string_pool *made; /* names that are ours; NULL: there are none */
};

/* The number of the function, which is added if it is not there; texts are borrowed.
 * SNAPSHOT_NONE: no memory. */
uint32_t function_table_put(struct function_table *table, const struct export_function *function);

/* The number of a function without a name: its name is made of format. */
uint32_t function_table_put_unnamed(struct function_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void function_table_free(struct function_table *table);

#endif
