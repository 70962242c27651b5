/* SPDX-License-Identifier: GPL-3.0-or-later */
/* callgrind's format: the self time of each function, and the calls by each of its callers with the
 * time spent in them. */
#include <inttypes.h>
#include <stdlib.h>

#include <base/vec.h>
#include <export/clean.h>

#include "call_tree.h"
#include "formats.h"

/* Calls of a function by another one. */
struct edge {
    uint32_t caller, callee;
    uint64_t calls;
    uint64_t ns; /* in the calls that are in no other call of the function */
};

struct callgrind {
    struct call_tree tree;
    struct edge *edges; /* owned */
    size_t count, capacity;
    struct dedupe known;
    uint64_t *self,
        *below; /* owned; self time of each function; time of each node with its calls */
};

static bool enter(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct callgrind *c = x->state;

    return call_tree_enter(&c->tree, span) != CALL_TREE_NONE;
}

static bool leave(void *context, const struct span *span)
{
    struct trace_export *x = context;
    struct callgrind *c = x->state;

    (void)call_tree_leave(&c->tree, span);
    return true;
}

static bool is_same(const void *context, uint32_t a, uint32_t b)
{
    const struct callgrind *c = context;

    return c->edges[a].caller == c->edges[b].caller && c->edges[a].callee == c->edges[b].callee;
}

/* Whether a call is in another one of the same function. */
static bool is_recursive(const struct call_tree *tree, uint32_t node)
{
    uint32_t function = tree->nodes[node].function;

    while (tree->nodes[node].depth > 1) {
        node = tree->nodes[node].parent;
        if (tree->nodes[node].function == function)
            return true;
    }
    return false;
}

static bool add_edge(struct callgrind *c, uint32_t node)
{
    const struct call_node *n = &c->tree.nodes[node];
    uint32_t caller = c->tree.nodes[n->parent].function, at;
    uint64_t hash = hash_number(hash_number(HASH_START, caller), n->function);

    if (!VEC_ROOM(c->edges, c->capacity, c->count, 1))
        return false;
    c->edges[c->count] = (struct edge){.caller = caller, .callee = n->function};
    if (!dedupe_put(&c->known, hash, (uint32_t)c->count, is_same, c, &at))
        return false;
    at = at == DEDUPE_NONE ? (uint32_t)c->count++ : at;
    c->edges[at].calls += n->calls;
    c->edges[at].ns += is_recursive(&c->tree, node) ? 0 : c->below[node];
    return true;
}

/* Adds up nodes, from the leaves to the roots. */
static bool add_up(const struct trace_export *x, struct callgrind *c)
{
    const struct call_tree *tree = &c->tree;

    c->self = calloc(x->functions.count + 1, sizeof(*c->self));
    c->below = calloc(tree->count + 1, sizeof(*c->below));
    if (!c->self || !c->below)
        return false;
    for (size_t i = tree->count; i-- > 0;) {
        const struct call_node *n = &tree->nodes[i];
        if (n->depth == 0)
            continue;
        c->below[i] += call_node_self(n);
        c->below[n->parent] += c->below[i];
        c->self[n->function] += call_node_self(n);
        if (n->depth > 1 && !add_edge(c, (uint32_t)i))
            return false;
    }
    return true;
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void put_function(const struct trace_export *x, const char *key, uint32_t function)
{
    char buffer[TRACE_EXPORT_ADDRESS];

    fprintf(x->out, "%s=(%" PRIu32 ") ", key, function + 1);
    clean_line(x->out, trace_export_name(x, function, buffer), "");
    putc('\n', x->out);
}

static void put_file(const struct trace_export *x, const char *key, uint32_t function)
{
    const char *file = x->functions.functions[function].file;

    fprintf(x->out, "%s=", key);
    clean_line(x->out, file[0] ? file : "???", "");
    putc('\n', x->out);
}

static void put_functions(const struct trace_export *x, const struct callgrind *c)
{
    size_t edge = 0;

    for (uint32_t f = 0; f < x->functions.count && !trace_export_is_stopped(x); f++) {
        bool calls = edge < c->count && c->edges[edge].caller == f;
        if (c->self[f] == 0 && !calls)
            continue;
        putc('\n', x->out);
        put_file(x, "fl", f);
        put_function(x, "fn", f);
        unsigned line = x->functions.functions[f].line;
        fprintf(x->out, "%u %" PRIu64 "\n", line, c->self[f]);
        for (; edge < c->count && c->edges[edge].caller == f; edge++) {
            put_file(x, "cfi", c->edges[edge].callee);
            put_function(x, "cfn", c->edges[edge].callee);
            fprintf(x->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 "\n", c->edges[edge].calls,
                    x->functions.functions[c->edges[edge].callee].line, line, c->edges[edge].ns);
        }
    }
}

static bool end(struct trace_export *x)
{
    struct callgrind *c = x->state;
    uint64_t sum = 0;

    if (!add_up(x, c))
        return false;
    if (c->count != 0)
        qsort(c->edges, c->count, sizeof(*c->edges), compare_edges);
    for (size_t f = 0; f < x->functions.count; f++)
        sum += c->self[f];
    fputs("# callgrind format\nversion: 1\ncreator: mprof\npositions: line\n", x->out);
    fputs("event: ns : nanoseconds\nevents: ns\n", x->out);
    fprintf(x->out, "summary: %" PRIu64 "\n", sum);
    put_functions(x, c);
    fprintf(x->out, "\ntotals: %" PRIu64 "\n", sum);
    return true;
}

static void clean(struct trace_export *x)
{
    struct callgrind *c = x->state;

    call_tree_free(&c->tree);
    free(c->edges);
    dedupe_free(&c->known);
    free(c->self);
    free(c->below);
}

const struct trace_export_ops callgrind_trace_ops = {
    .name = "callgrind",
    .state_size = sizeof(struct callgrind),
    .sums = true,
    .walk = {.enter = enter, .leave = leave},
    .end = end,
    .clean = clean,
};
