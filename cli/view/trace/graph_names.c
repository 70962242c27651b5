/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes names. */
#include "graph_names.h"

#include <stdlib.h>
#include <string.h>

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

/* Whether no other exception has the handler whose name is the first len bytes. */
static bool is_only(const struct trace_points *points, unsigned exception, const char *name,
                    size_t len)
{
    for (unsigned i = 1; i < TRACE_EXCEPTIONS; i++) {
        const char *other = trace_exception_name(points, i);
        if (i != exception && other && strncmp(other, name, len) == 0 && other[len] == ' ')
            return false;
    }
    return true;
}

char *graph_context(const struct trace_points *points, unsigned exception, const char *name)
{
    const char *own = exception != 0 ? trace_exception_name(points, exception) : NULL;
    const char *bracket = own ? strstr(own, " (") : NULL;
    struct text t = {.bytes = NULL}, whole = {.bytes = NULL};

    if (bracket && is_only(points, exception, own, (size_t)(bracket - own))) {
        text_add(&t, own, (size_t)(bracket - own));
        text_printf(&t, "%s", name + strlen(own));
    } else {
        text_printf(&t, "%s", name);
    }
    char *text = text_end(&t);
    whole.failed = !text;
    text_escape(&whole, text ? text : "", "", "");
    free(text);
    return text_end(&whole);
}
