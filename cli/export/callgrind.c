/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callgrind's format: costs by function and line, and calls between them. */
#include "callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    if (!store_grow((void **)&c->costs, &c->cost_room, c->cost_count, 1, sizeof(*c->costs)))
        return NULL;
    c->costs[c->cost_count] = *like;
    if (!dedupe_put(&c->known, hash, (uint32_t)c->cost_count, same, c, &before))
        return NULL;
    return &c->costs[before == SNAPSHOT_NONE ? c->cost_count++ : before];
}

static uint32_t file_number(struct callgrind *c, const char *file)
{
    const struct book_function entry = {.name = file[0] ? file : "???", .file = ""};

    return book_put(&c->files, &entry);
}

static void add_values(struct callgrind *c, struct cost *to, const struct export_part *part)
{
    const uint32_t *events = c->source_events[part->source - c->sources];

    for (size_t i = 0; i < part->source->snapshot->type_count; i++) {
        if (events[i] != SNAPSHOT_NONE && part->values[i] > 0)
            to->values[events[i]] += (uint64_t)part->values[i];
    }
}

/* Of ours, inlined code is a part of the function around it, as in rows by function; of others, a
 * function of its own. */
static size_t last_of(const struct export_part *part, size_t first)
{
    while (part->source->snapshot->ours && first + 1 < part->depth && part->frames[first].inlined)
        first++;
    return first;
}

static bool add_at(struct export *e, const struct export_part *part, size_t inner, size_t outer,
                   uint32_t callee)
{
    struct callgrind *c = e->state;
    const struct cost like = {
        .function = part->frames[outer].function,
        .file = file_number(c, part->frames[inner].file),
        .line = part->frames[inner].line,
        .callee = callee,
    };

    if (like.file == SNAPSHOT_NONE)
        return export_no_memory(e);
    struct cost *cost = find_cost(c, &like);
    if (!cost)
        return export_no_memory(e);
    if (cost->seen == c->serial) /* recursion: the sample is in this call already */
        return true;
    cost->seen = c->serial;
    cost->calls += part->value;
    add_values(c, cost, part);
    return true;
}

static bool sample(struct export *e, const struct export_part *part)
{
    struct callgrind *c = e->state;
    size_t outer = last_of(part, 0);

    c->serial++;
    if (!add_at(e, part, 0, outer, SNAPSHOT_NONE))
        return false;
    while (outer + 1 < part->depth) {
        size_t inner = outer + 1;
        uint32_t callee = part->frames[outer].function;
        outer = last_of(part, inner);
        if (!add_at(e, part, inner, outer, callee))
            return false;
    }
    return true;
}

/* What the columns are. */
static bool name_events(struct export *e)
{
    struct callgrind *c = e->state;

    for (size_t i = 0; i < e->source_count; i++) {
        const struct export_source *source = &e->sources[i];
        size_t count = source->snapshot->type_count;
        c->source_events[i] = malloc((count + 1) * sizeof(**c->source_events));
        if (!c->source_events[i])
            return export_no_memory(e);
        for (size_t t = 0; t < count; t++) {
            bool wanted = source->all || t == source->type;
            c->source_events[i][t] =
                wanted ? callgrind_event(c, &source->snapshot->types[t]) : SNAPSHOT_NONE;
        }
    }
    return true;
}

static bool begin(struct export *e)
{
    struct callgrind *c = e->state;

    c->sources = e->sources;
    c->source_count = e->source_count;
    c->source_events = calloc(e->source_count, sizeof(*c->source_events));
    return c->source_events ? name_events(e) : export_no_memory(e);
}

static void clean(struct export *e)
{
    struct callgrind *c = e->state;

    for (size_t i = 0; c->source_events && i < c->source_count; i++)
        free(c->source_events[i]);
    free(c->source_events);
    free(c->costs);
    dedupe_free(&c->known);
    book_free(&c->files);
}

const struct exporter_ops callgrind_ops = {
    .state_size = sizeof(struct callgrind),
    .begin = begin,
    .sample = sample,
    .end = callgrind_end,
    .clean = clean,
};
