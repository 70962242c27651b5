/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks: a line for each, context;root;...;leaf and its self time in nanoseconds. */
#include <inttypes.h>
#include <stdlib.h>

#include <export/clean.h>

#include "call_tree.h"
#include "formats.h"

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;

    return call_tree_enter(x->state, span) != CALL_TREE_NONE;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;

    (void)call_tree_leave(x->state, span);
    return true;
}

static void put_line(const struct trace_export *x, uint32_t node, uint32_t *path)
{
    const struct call_tree *tree = x->state;
    const struct call_node *leaf = &tree->nodes[node];
    char buffer[TRACE_EXPORT_ADDRESS];
    uint32_t root = node;

    call_tree_path(tree, node, path);
    while (tree->nodes[root].depth != 0)
        root = tree->nodes[root].parent;
    clean_line(x->out, spans_track_at(x->spans, tree->nodes[root].function)->name, ";");
    for (uint32_t i = 0; i < leaf->depth; i++) {
        putc(';', x->out);
        clean_line(x->out, trace_export_name(x, tree->nodes[path[i]].function, buffer), ";");
    }
    fprintf(x->out, " %" PRIu64 "\n", call_node_self(leaf));
}

static bool end(struct trace_export *x)
{
    const struct call_tree *tree = x->state;
    uint32_t *path = malloc((call_tree_depth(tree) + 1) * sizeof(*path));

    if (!path)
        return false;
    for (uint32_t node = 0; node < tree->count && !trace_export_is_stopped(x); node++)
        if (call_node_self(&tree->nodes[node]) != 0)
            put_line(x, node, path);
    free(path);
    return true;
}

static void clean(struct trace_export *x)
{
    call_tree_free(x->state);
}

const struct trace_export_ops folded_trace_ops = {
    .name = "folded",
    .state_size = sizeof(struct call_tree),
    .sums = true,
    .walk = {.enter = enter, .leave = leave},
    .end = end,
    .clean = clean,
};
