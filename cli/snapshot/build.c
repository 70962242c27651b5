/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a snapshot, each kept once. */
#include "build.h"

#include <base/vec.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_number(hash, (uint64_t)(uintptr_t)text);
}

static bool same_mapping(const void *context, uint32_t a, uint32_t b)
{
    const struct builder *builder = context;
    const struct snapshot_mapping *x = &builder->s->mappings[a], *y = &builder->s->mappings[b];

    return x->start == y->start && x->limit == y->limit && x->offset == y->offset &&
           x->file == y->file && x->build_id == y->build_id;
}

/* The item that was put last, or the one before that it is the same as. */
static uint32_t settle(struct builder *b, struct dedupe *d, uint64_t hash, size_t *count,
                       dedupe_same *same)
{
    uint32_t before;
    uint32_t item = (uint32_t)*count;

    if (item >= SNAPSHOT_NONE - 1 || !dedupe_put(d, hash, item, same, b, &before))
        return SNAPSHOT_NONE;
    if (before != DEDUPE_NONE)
        return before;
    ++*count;
    return item;
}

uint32_t build_mapping(struct builder *b, const struct snapshot_mapping *mapping)
{
    struct snapshot *s = b->s;
    uint64_t hash = hash_number(hash_text(HASH_START, mapping->build_id), mapping->start);

    if (!GROW(s, mappings, mapping_count, 1))
        return SNAPSHOT_NONE;
    s->mappings[s->mapping_count] = *mapping;
    uint32_t item = settle(b, &b->mappings, hash, &s->mapping_count, same_mapping);
    if (item != SNAPSHOT_NONE) {
        s->mappings[item].has_functions |= mapping->has_functions;
        s->mappings[item].has_files |= mapping->has_files;
        s->mappings[item].has_lines |= mapping->has_lines;
        s->mappings[item].has_inlined |= mapping->has_inlined;
    }
    return item;
}

static bool same_function(const void *context, uint32_t a, uint32_t b)
{
    const struct builder *builder = context;
    const struct snapshot_function *x = &builder->s->functions[a], *y = &builder->s->functions[b];

    return x->name == y->name && x->system_name == y->system_name && x->file == y->file &&
           x->start_line == y->start_line && (!builder->by_address || x->addr == y->addr);
}

uint32_t build_function(struct builder *b, const struct snapshot_function *function)
{
    struct snapshot *s = b->s;
    uint64_t hash = hash_text(hash_text(HASH_START, function->name), function->file);

    if (!GROW(s, functions, function_count, 1))
        return SNAPSHOT_NONE;
    s->functions[s->function_count] = *function;
    return settle(b, &b->functions, hash, &s->function_count, same_function);
}

static bool same_location(const void *context, uint32_t a, uint32_t b)
{
    const struct builder *builder = context;
    const struct snapshot *s = builder->s;
    const struct snapshot_location *x = &s->locations[a], *y = &s->locations[b];

    if (x->addr != y->addr || x->mapping != y->mapping || x->line_count != y->line_count ||
        x->folded != y->folded)
        return false;
    for (uint32_t i = 0; i < x->line_count; i++) {
        const struct snapshot_line *l = &s->lines[x->first_line + i];
        const struct snapshot_line *m = &s->lines[y->first_line + i];
        if (l->function != m->function || l->line != m->line || l->column != m->column)
            return false;
    }
    return true;
}

uint32_t build_location(struct builder *b, const struct snapshot_location *location,
                        const struct snapshot_line *lines)
{
    struct snapshot *s = b->s;
    uint64_t hash = hash_number(HASH_START, location->addr);

    if (!GROW(s, locations, location_count, 1) || !GROW(s, lines, line_count, location->line_count))
        return SNAPSHOT_NONE;
    struct snapshot_location *l = &s->locations[s->location_count];
    *l = *location;
    l->first_line = (uint32_t)s->line_count;
    for (uint32_t i = 0; i < location->line_count; i++) {
        s->lines[s->line_count + i] = lines[i];
        hash = hash_number(hash_number(hash, lines[i].function), (uint64_t)lines[i].line);
    }
    uint32_t item = settle(b, &b->locations, hash, &s->location_count, same_location);
    if (item != SNAPSHOT_NONE && item + 1 == s->location_count &&
        s->locations[item].first_line == s->line_count)
        s->line_count += location->line_count;
    return item;
}

static bool same_labels(const struct snapshot *s, const struct snapshot_sample *a,
                        const struct snapshot_sample *b)
{
    for (size_t i = 0; i < a->label_count; i++) {
        const struct snapshot_label *x = &s->labels[a->first_label + i];
        const struct snapshot_label *y = &s->labels[b->first_label + i];
        if (x->key != y->key || x->text != y->text || x->number != y->number || x->unit != y->unit)
            return false;
    }
    return true;
}

static bool same_frames(const struct snapshot *s, const struct snapshot_sample *a,
                        const struct snapshot_sample *b)
{
    for (size_t i = 0; i < a->depth; i++) {
        if (s->frames[a->first_frame + i] != s->frames[b->first_frame + i])
            return false;
    }
    return true;
}

static bool same_sample(const void *context, uint32_t a, uint32_t b)
{
    const struct builder *builder = context;
    const struct snapshot_sample *x = &builder->s->samples[a], *y = &builder->s->samples[b];

    return x->depth == y->depth && x->run == y->run && x->label_count == y->label_count &&
           same_frames(builder->s, x, y) && same_labels(builder->s, x, y);
}

static bool add_values(struct snapshot *s, uint32_t into, const struct snapshot_sample *sample,
                       const int64_t *values, bool *overflow)
{
    int64_t *sums = &s->values[into * s->type_count];
    uint64_t *inherited = &s->samples[into].inherited;

    s->samples[into].partial |= sample->partial;

    for (size_t i = 0; i < s->type_count; i++)
        *overflow |= __builtin_add_overflow(sums[i], values[i], &sums[i]);
    *overflow |= __builtin_add_overflow(*inherited, sample->inherited, inherited);
    return !*overflow;
}

static uint64_t put_sample(struct snapshot *s, const struct snapshot_sample *sample,
                           const uint32_t *frames, const struct snapshot_label *labels,
                           const int64_t *values)
{
    struct snapshot_sample *to = &s->samples[s->sample_count];
    uint64_t hash = hash_bytes(HASH_START, frames, sample->depth * sizeof(*frames));

    *to = *sample;
    hash = hash_number(hash, sample->run);
    to->first_frame = (uint32_t)s->frame_count;
    to->first_label = (uint32_t)s->label_count;
    for (uint32_t i = 0; i < sample->depth; i++)
        s->frames[s->frame_count + i] = frames[i];
    for (uint32_t i = 0; i < sample->label_count; i++) {
        s->labels[s->label_count + i] = labels[i];
        hash = hash_number(hash_text(hash, labels[i].text), (uint64_t)labels[i].number);
    }
    for (size_t i = 0; i < s->type_count; i++)
        s->values[s->sample_count * s->type_count + i] = values[i];
    return hash;
}

bool build_sample(struct builder *b, const struct snapshot_sample *sample, const uint32_t *frames,
                  const struct snapshot_label *labels, const int64_t *values, bool *overflow)
{
    struct snapshot *s = b->s;
    size_t count = s->sample_count;

    if (!GROW(s, samples, sample_count, 1) || !GROW(s, frames, frame_count, sample->depth) ||
        !GROW(s, labels, label_count, sample->label_count) ||
        !VEC_ROOM(s->values, s->store->values, count * s->type_count, s->type_count))
        return false;
    uint64_t hash = put_sample(s, sample, frames, labels, values);
    uint32_t item = settle(b, &b->samples, hash, &s->sample_count, same_sample);
    if (item == SNAPSHOT_NONE)
        return false;
    if (s->sample_count == count)
        return add_values(s, item, sample, values, overflow);
    s->frame_count += sample->depth;
    s->label_count += sample->label_count;
    return true;
}

bool build_comment(struct snapshot *s, const char *text)
{
    if (!GROW(s, comments, comment_count, 1))
        return false;
    s->comments[s->comment_count++] = text;
    return true;
}

bool build_type(struct snapshot *s, const char *name, const char *unit)
{
    if (!name || !unit || !GROW(s, types, type_count, 1))
        return false;
    s->types[s->type_count++] = (struct snapshot_type){.name = name, .unit = unit};
    return true;
}

void build_free(struct builder *b)
{
    dedupe_free(&b->mappings);
    dedupe_free(&b->functions);
    dedupe_free(&b->locations);
    dedupe_free(&b->samples);
}
