/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callgrind's format: costs by function and line, and calls between them. */
#include "callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

static bool same(const void *context, uint32_t a, uint32_t b)
{
    const struct callgrind *c = context;
    const struct cost *x = &c->costs[a], *y = &c->costs[b];

    return x->function == y->function && x->file == y->file && x->line == y->line &&
           x->callee == y->callee;
}

/* The cost of that place; NULL: no memory. */
static struct cost *find_cost(struct callgrind *c, const struct cost *like)
{
    uint64_t hash = hash_number(hash_number(HASH_START, like->function), like->file);
    uint32_t before;

    hash = hash_number(hash_number(hash, (uint64_t)like->line), like->callee);
    if (!VEC_ROOM(c->costs, c->cost_room, c->cost_count, 1))
        return NULL;
    c->costs[c->cost_count] = *like;
    if (!dedupe_put(&c->known, hash, (uint32_t)c->cost_count, same, c, &before))
        return NULL;
    return &c->costs[before == DEDUPE_NONE ? c->cost_count++ : before];
}

static uint32_t file_number(struct callgrind *c, const char *file)
{
    const struct export_function entry = {.name = file[0] ? file : "???", .file = ""};

    return function_table_put(&c->files, &entry);
}

static void add_values(struct callgrind *c, struct cost *to, const struct export_part *part)
{
    const uint32_t *events = c->source_events[part->source - c->sources];

    for (size_t i = 0; i < part->source->snapshot->type_count; i++) {
        if (events[i] != SNAPSHOT_NONE && part->values[i] > 0)
            to->values[events[i]] += (uint64_t)part->values[i];
    }
}

/* The innermost of the frames that are one function here: of ours, inlined code is a part of the
 * function around it, as in rows by function; of others, a function of its own. */
static size_t first_of(const struct export_part *part, size_t outer)
{
    while (part->source->snapshot->ours && outer > 0 && part->frames[outer - 1].inlined)
        outer--;
    return outer;
}

/* Whether the function was called further out in this sample, too; from now on it was. */
static bool was_called(struct callgrind *c, uint32_t function, bool *no_memory)
{
    size_t count = (size_t)function + 1;

    if (count > c->called_count) {
        *no_memory = !VEC_ROOM(c->called, c->called_room, c->called_count, count - c->called_count);
        if (*no_memory)
            return false;
        memset(c->called + c->called_count, 0, (count - c->called_count) * sizeof(*c->called));
        c->called_count = count;
    }
    bool was = c->called[function] == c->serial;
    c->called[function] = c->serial;
    return was;
}

static struct cost *cost_at(struct export *e, const struct export_part *part, size_t inner,
                            size_t outer, uint32_t callee)
{
    struct callgrind *c = e->state;
    const struct cost like = {
        .function = part->frames[outer].function,
        .file = file_number(c, part->frames[inner].file),
        .line = part->frames[inner].line,
        .callee = callee,
    };

    return like.file == SNAPSHOT_NONE ? NULL : find_cost(c, &like);
}

/* A sample is under a function once: the outermost call has its hits, recursion has 0. */
static bool add_call(struct export *e, const struct export_part *part, size_t inner, size_t outer)
{
    uint32_t callee = part->frames[inner - 1].function;
    struct callgrind *c = e->state;
    bool no_memory = false;
    bool again = was_called(c, callee, &no_memory);
    struct cost *cost = no_memory ? NULL : cost_at(e, part, inner, outer, callee);

    if (!cost)
        return export_no_memory(e);
    if (cost->seen != c->serial)
        cost->calls += part->value;
    cost->seen = c->serial;
    if (!again)
        add_values(c, cost, part);
    return true;
}

/* From the outermost function to the innermost one. */
static bool sample(struct export *e, const struct export_part *part)
{
    struct callgrind *c = e->state;
    size_t outer = part->depth - 1;
    size_t inner = first_of(part, outer);

    c->serial++;
    for (; inner > 0; inner = first_of(part, outer)) {
        if (!add_call(e, part, inner, outer))
            return false;
        outer = inner - 1;
    }
    struct cost *cost = cost_at(e, part, inner, outer, SNAPSHOT_NONE);
    if (!cost)
        return export_no_memory(e);
    add_values(c, cost, part);
    return true;
}

/* What the columns of a source are: what is ranked comes before there are too many. */
static bool name_events(struct export *e, size_t index)
{
    struct callgrind *c = e->state;
    const struct export_source *source = &e->sources[index];
    size_t count = source->snapshot->type_count;
    size_t room = EVENTS_MAX - (e->source_count - 1 - index); /* one is for each of the others */
    uint32_t *events = malloc((count + 1) * sizeof(*events));

    c->source_events[index] = events;
    if (!events)
        return export_no_memory(e);
    (void)callgrind_event(c, source_type(source), room);
    for (size_t t = 0; t < count; t++) {
        bool wanted = source->all || t == source->type;
        events[t] = wanted ? callgrind_event(c, &source->snapshot->types[t], room) : SNAPSHOT_NONE;
    }
    return true;
}

static bool callgrind_begin(struct export *e)
{
    struct callgrind *c = e->state;

    c->sources = e->sources;
    c->source_count = e->source_count;
    c->source_events = calloc(e->source_count, sizeof(*c->source_events));
    if (!c->source_events)
        return export_no_memory(e);
    for (size_t i = 0; i < e->source_count; i++) {
        if (!name_events(e, i))
            return false;
    }
    return true;
}

static void clean(struct export *e)
{
    struct callgrind *c = e->state;

    for (size_t i = 0; c->source_events && i < c->source_count; i++)
        free(c->source_events[i]);
    free(c->source_events);
    free(c->costs);
    free(c->called);
    free(c->left_out);
    dedupe_free(&c->known);
    function_table_free(&c->files);
}

const struct exporter_ops callgrind_ops = {
    .state_size = sizeof(struct callgrind),
    .begin = callgrind_begin,
    .sample = sample,
    .end = callgrind_end,
    .clean = clean,
};
