/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes each name once. */
#include "graph_names.h"

#include <stdlib.h>

#include <base/vec.h>

#include "trace_names.h"

static void forget(struct graph_names *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->names[i]);
    n->count = 0;
}

void graph_names_free(struct graph_names *names)
{
    forget(names);
    free(names->names);
    free(names->other);
}

/* Makes room for all functions of the points. */
static bool grow(struct graph_names *n, const struct trace_points *points)
{
    size_t count = trace_functions_count(points);

    if (n->turn != trace_points_turn(points))
        forget(n);
    n->turn = trace_points_turn(points);
    if (n->count >= count)
        return true;
    if (!VEC_ROOM(n->names, n->capacity, n->count, count - n->count))
        return false;
    while (n->count < count)
        n->names[n->count++] = NULL;
    return true;
}

const char *graph_name(struct graph_names *names, const struct trace_points *points,
                       uint32_t function, uint64_t addr)
{
    struct graph_names *n = names;
    struct text t = {.bytes = NULL};

    if ((n->turn != trace_points_turn(points) || function >= n->count) && !grow(n, points))
        return NULL;
    bool named = trace_function_name(points, function) != NULL;
    char **name = named ? &n->names[function] : &n->other;
    if (named && *name)
        return *name;
    trace_put_name(&t, points, function, addr);
    free(*name);
    *name = text_end(&t);
    return *name;
}
