/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's graph as data for its script. */
#include <inttypes.h>
#include <stdlib.h>

#include <export/clean.h>
#include "html.h"

/* Of a larger tree the widest nodes are kept, and what is below them is added up. */
#define NODES_MAX 20000

/* What is left of a tree. */
struct cut {
    uint64_t *totals;  /* of each node */
    uint64_t *small;   /* hits of its children that are left out */
    uint32_t *numbers; /* in the output, SNAPSHOT_NONE: left out */
    uint32_t *names;   /* of the function table's functions in the output; SNAPSHOT_NONE: none */
};

struct width {
    uint64_t total;
    uint32_t node;
};

static bool cut_begin(const struct export *e, struct cut *cut)
{
    const struct html *h = e->state;
    size_t count = h->tree.count + 1;

    cut->totals = calloc(count, sizeof(*cut->totals));
    cut->small = calloc(count, sizeof(*cut->small));
    cut->numbers = calloc(count, sizeof(*cut->numbers));
    cut->names = malloc((e->table.count + 1) * sizeof(*cut->names));
    for (size_t i = 0; cut->names && i < e->table.count; i++)
        cut->names[i] = SNAPSHOT_NONE;
    return cut->totals && cut->small && cut->numbers && cut->names;
}

static void cut_end(struct cut *cut)
{
    free(cut->totals);
    free(cut->small);
    free(cut->numbers);
    free(cut->names);
}

/* Parents stand before their children. */
static void count(const struct tree *tree, struct cut *cut)
{
    for (size_t i = tree->count; i-- > 0;) {
        const struct tree_node *node = &tree->nodes[i];
        cut->totals[i] += node->self;
        if (node->parent == SNAPSHOT_NONE)
            continue;
        cut->totals[node->parent] += cut->totals[i];
    }
}

/* A parent is as wide as its child at least, and stands before it: it is never left out alone. */
static int order_widths(const void *a, const void *b)
{
    const struct width *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Marks what is left out. false: no memory. */
static bool leave_out(const struct tree *tree, struct cut *cut)
{
    if (tree->count <= NODES_MAX)
        return true;
    struct width *order = malloc(tree->count * sizeof(*order));
    if (!order)
        return false;
    for (size_t i = 0; i < tree->count; i++)
        order[i] = (struct width){.total = cut->totals[i], .node = (uint32_t)i};
    qsort(order, tree->count, sizeof(*order), order_widths);
    for (size_t i = NODES_MAX; i < tree->count; i++) {
        uint32_t node = order[i].node;
        cut->numbers[node] = SNAPSHOT_NONE;
        cut->small[tree->nodes[node].parent] += cut->totals[node];
    }
    free(order);
    return true;
}

static void choose(const struct tree *tree, struct cut *cut)
{
    uint32_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (cut->numbers[i] == SNAPSHOT_NONE)
            continue;
        cut->numbers[i] = kept++;
        if (node->parent != SNAPSHOT_NONE)
            cut->names[node->function] = 0;
    }
}

static void put_names(const struct export *e, struct cut *cut)
{
    uint32_t kept = 0;

    fputs("\"names\":[", e->out);
    for (size_t i = 0; i < e->table.count; i++) {
        const struct export_function *f = &e->table.functions[i];
        if (cut->names[i] == SNAPSHOT_NONE)
            continue;
        fputs(kept ? ",\n[" : "\n[", e->out);
        cut->names[i] = kept++;
        clean_json(e->out, f->name);
        putc(',', e->out);
        clean_json(e->out, f->file);
        fprintf(e->out, ",%" PRId64 "]", f->line > 0 ? f->line : 0);
    }
    putc(']', e->out);
}

/* Each as its parent, its name, and the hits that end there; and the hits of what is too small. */
static void put_nodes(const struct export *e, const struct cut *cut)
{
    const struct html *h = e->state;
    const char *between = "\n";

    fputs(",\n\"nodes\":[", e->out);
    for (size_t i = 0; i < h->tree.count && !export_is_stopped(e); i++) {
        const struct tree_node *node = &h->tree.nodes[i];
        bool root = node->parent == SNAPSHOT_NONE;
        if (cut->numbers[i] == SNAPSHOT_NONE)
            continue;
        fprintf(e->out, "%s[%" PRId64 ",%" PRId64 ",%" PRIu64, between,
                root ? (int64_t)-1 : (int64_t)cut->numbers[node->parent],
                root ? (int64_t)-1 : (int64_t)cut->names[node->function], node->self);
        if (cut->small[i])
            fprintf(e->out, ",%" PRIu64, cut->small[i]);
        putc(']', e->out);
        between = ",\n";
    }
    putc(']', e->out);
}

bool html_graph(const struct export *e)
{
    const struct html *h = e->state;
    struct cut cut = {.totals = NULL};
    bool done = cut_begin(e, &cut);

    if (done) {
        count(&h->tree, &cut);
        done = leave_out(&h->tree, &cut);
    }
    if (done) {
        choose(&h->tree, &cut);
        put_names(e, &cut);
        put_nodes(e, &cut);
    }
    cut_end(&cut);
    return done;
}
