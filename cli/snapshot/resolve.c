/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of texts and parts to what they stand for, each checked. */
#include "resolve.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "conditions.h"
#include "index.h"

/* Which part has an id. */
struct ids {
    struct id_pair {
        uint64_t id;
        uint32_t index;
    } * pairs; /* ordered by id */
    size_t count;
    bool plain; /* the ids are 1, 2, 3, ... */
};

struct resolver {
    struct raw *raw;
    struct snapshot *s;
    const char **texts; /* of the string table */
    struct ids mappings, functions, locations;
    const char *name;
    char *text;
    size_t capacity;
    enum snapshot_code code;
};

static bool fail(struct resolver *r, const char *what, size_t index, const char *field,
                 const char *why)
{
    r->code = snapshot_say(r->text, r->capacity, SNAPSHOT_EFORMAT, "%s: %s %zu: %s %s", r->name,
                           what, index, field, why);
    return false;
}

static bool no_memory(struct resolver *r)
{
    r->code = snapshot_say(r->text, r->capacity, SNAPSHOT_ENOMEM, "%s: out of memory", r->name);
    return false;
}

static int order_ids(const void *a, const void *b)
{
    const struct id_pair *p = a, *q = b;

    return (p->id > q->id) - (p->id < q->id);
}

static uint32_t find_id(const struct ids *ids, uint64_t id)
{
    const struct id_pair key = {.id = id};

    if (ids->plain)
        return id >= 1 && id <= ids->count ? (uint32_t)(id - 1) : SNAPSHOT_NONE;
    const struct id_pair *found =
        ids->count ? bsearch(&key, ids->pairs, ids->count, sizeof(key), order_ids) : NULL;
    return found ? found->index : SNAPSHOT_NONE;
}

/* first: the id of the first part; they stand stride bytes apart. */
static bool take_ids(struct resolver *r, struct ids *ids, const char *what, const void *first,
                     size_t stride, size_t count)
{
    ids->pairs = malloc((count + 1) * sizeof(*ids->pairs));
    ids->count = count;
    ids->plain = true;
    if (!ids->pairs)
        return no_memory(r);
    for (size_t i = 0; i < count; i++) {
        struct id_pair *pair = &ids->pairs[i];
        memcpy(&pair->id, (const char *)first + i * stride, sizeof(pair->id));
        pair->index = (uint32_t)i;
        ids->plain &= pair->id == i + 1;
        if (pair->id == 0)
            return fail(r, what, i, "id", "is 0");
    }
    if (count && !ids->plain)
        qsort(ids->pairs, count, sizeof(*ids->pairs), order_ids);
    for (size_t i = 1; i < count; i++) {
        if (ids->pairs[i].id == ids->pairs[i - 1].id)
            return fail(r, what, ids->pairs[i].index, "id", "is another one's, too");
    }
    return true;
}

static bool take_strings(struct resolver *r)
{
    struct raw *raw = r->raw;

    r->texts = malloc((raw->string_count + 1) * sizeof(*r->texts));
    if (!r->texts)
        return no_memory(r);
    r->texts[0] = store_string(r->s, "");
    for (size_t i = 0; i < raw->string_count; i++) {
        r->texts[i] = store_text(r->s, raw->strings[i].bytes, raw->strings[i].len);
        if (!r->texts[i])
            return no_memory(r);
    }
    return r->texts[0] ? true : no_memory(r);
}

static bool get_text(struct resolver *r, int64_t number, const char **to, const char *what,
                     size_t index, const char *field)
{
    size_t count = r->raw->string_count ? r->raw->string_count : 1;

    if (number < 0 || (uint64_t)number >= count)
        return fail(r, what, index, field, "is a number that the string_table does not have");
    *to = r->texts[number];
    return true;
}

static bool get_type(struct resolver *r, const struct raw_type *type, struct snapshot_type *to,
                     const char *what, size_t index)
{
    return get_text(r, type->name, &to->name, what, index, "type") &&
           get_text(r, type->unit, &to->unit, what, index, "unit");
}

static bool take_types(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot_type type;

    for (size_t i = 0; i < raw->type_count; i++) {
        if (!get_type(r, &raw->types[i], &type, "sample_type", i))
            return false;
        if (!build_type(r->s, type.name, type.unit))
            return no_memory(r);
    }
    return get_type(r, &raw->period_type, &r->s->period_type, "period_type", 0);
}

static bool take_mappings(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!GROW(s, mappings, mapping_count, raw->mapping_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->mapping_count; i++) {
        const struct raw_mapping *from = &raw->mappings[i];
        struct snapshot_mapping to = {
            .start = from->start,
            .limit = from->limit,
            .offset = from->offset,
            .has_functions = from->has_functions,
            .has_files = from->has_files,
            .has_lines = from->has_lines,
            .has_inlined = from->has_inlined,
        };
        if (!get_text(r, from->file, &to.file, "mapping", i, "filename") ||
            !get_text(r, from->build_id, &to.build_id, "mapping", i, "build_id"))
            return false;
        s->mappings[s->mapping_count++] = to;
    }
    return take_ids(r, &r->mappings, "mapping", raw->mappings, sizeof(*raw->mappings),
                    raw->mapping_count);
}

static bool take_functions(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!GROW(s, functions, function_count, raw->function_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->function_count; i++) {
        const struct raw_function *from = &raw->functions[i];
        struct snapshot_function to = {.start_line = from->start_line};
        if (!get_text(r, from->name, &to.name, "function", i, "name") ||
            !get_text(r, from->system_name, &to.system_name, "function", i, "system_name") ||
            !get_text(r, from->file, &to.file, "function", i, "filename"))
            return false;
        s->functions[s->function_count++] = to;
    }
    return take_ids(r, &r->functions, "function", raw->functions, sizeof(*raw->functions),
                    raw->function_count);
}

static bool take_lines(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!GROW(s, lines, line_count, raw->line_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->line_count; i++) {
        const struct raw_line *from = &raw->lines[i];
        uint32_t function = from->function ? find_id(&r->functions, from->function) : SNAPSHOT_NONE;
        if (from->function && function == SNAPSHOT_NONE)
            return fail(r, "line", i, "function_id", "is no function's");
        s->lines[s->line_count++] = (struct snapshot_line){
            .function = function, .line = from->line, .column = from->column};
    }
    return true;
}

static bool take_locations(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!take_lines(r))
        return false;
    if (!GROW(s, locations, location_count, raw->location_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->location_count; i++) {
        const struct raw_location *from = &raw->locations[i];
        uint32_t mapping = from->mapping ? find_id(&r->mappings, from->mapping) : SNAPSHOT_NONE;
        if (from->mapping && mapping == SNAPSHOT_NONE)
            return fail(r, "location", i, "mapping_id", "is no mapping's");
        s->locations[s->location_count++] = (struct snapshot_location){
            .addr = from->addr,
            .mapping = mapping,
            .first_line = from->first_line,
            .line_count = from->line_count,
            .folded = from->folded,
        };
    }
    return take_ids(r, &r->locations, "location", raw->locations, sizeof(*raw->locations),
                    raw->location_count);
}

static bool take_frames(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!GROW(s, frames, frame_count, raw->frame_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->sample_count; i++) {
        for (uint32_t n = 0; n < raw->samples[i].depth; n++) {
            uint32_t location = find_id(&r->locations, raw->frames[s->frame_count]);
            if (location == SNAPSHOT_NONE)
                return fail(r, "sample", i, "location_id", "is no location's");
            s->frames[s->frame_count++] = location;
        }
    }
    return true;
}

/* What was taken over at admission is a label in the file. */
static bool is_inherited(const struct snapshot *s, const struct snapshot_label *label)
{
    return s->ours && strcmp(label->key, "inherited") == 0 && label->text[0] == '\0';
}

static bool take_labels(struct resolver *r, size_t index, struct snapshot_sample *sample)
{
    const struct raw_sample *from = &r->raw->samples[index];
    struct snapshot *s = r->s;

    sample->first_label = (uint32_t)s->label_count;
    for (uint32_t i = 0; i < from->label_count; i++) {
        const struct raw_label *l = &r->raw->labels[from->first_label + i];
        struct snapshot_label label = {.number = l->number};
        if (!get_text(r, l->key, &label.key, "sample", index, "label's key") ||
            !get_text(r, l->text, &label.text, "sample", index, "label's str") ||
            !get_text(r, l->unit, &label.unit, "sample", index, "label's num_unit"))
            return false;
        if (!is_inherited(s, &label)) {
            s->labels[s->label_count++] = label;
            continue;
        }
        if (label.number < 0)
            return fail(r, "sample", index, "label inherited", "is below 0");
        sample->inherited = (uint64_t)label.number;
    }
    sample->label_count = (uint32_t)s->label_count - sample->first_label;
    return true;
}

static bool take_samples(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    if (!take_frames(r))
        return false;
    if (!GROW(s, samples, sample_count, raw->sample_count) ||
        !GROW(s, labels, label_count, raw->label_count))
        return no_memory(r);
    for (size_t i = 0; i < raw->sample_count; i++) {
        const struct raw_sample *from = &raw->samples[i];
        struct snapshot_sample sample = {.first_frame = from->first_frame, .depth = from->depth};
        if (from->value_count != raw->type_count)
            return fail(r, "sample", i, "value", "does not have one number for each sample_type");
        if (!take_labels(r, i, &sample))
            return false;
        s->samples[s->sample_count++] = sample;
    }
    s->values = raw->values; /* as many for each sample */
    s->store->values = raw->values_room;
    raw->values = NULL;
    return true;
}

static bool take_comments(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;
    const char *comment;

    for (size_t i = 0; i < raw->comment_count; i++) {
        if (!get_text(r, raw->comments[i], &comment, "comment", i, "text"))
            return false;
        switch (conditions_take(s, comment)) {
        case CONDITIONS_TAKEN:
            break;
        case CONDITIONS_OTHER:
            if (!build_comment(s, comment))
                return no_memory(r);
            break;
        case CONDITIONS_WRONG:
            return fail(r, "comment", i, comment, "has no value that can be");
        case CONDITIONS_ENOMEM:
            return no_memory(r);
        }
    }
    if (s->conditions.grain < 1 || s->conditions.grain > SNAPSHOT_MAX_GRAIN)
        return fail(r, "comment", 0, "mprof grain", "is not from 1 to 65536");
    return s->conditions.runs != 0 || fail(r, "comment", 0, "mprof runs", "is 0");
}

static bool take_rest(struct resolver *r)
{
    struct raw *raw = r->raw;
    struct snapshot *s = r->s;

    s->time_ns = raw->time_ns;
    s->duration_ns = raw->duration_ns;
    s->period = raw->period;
    return get_text(r, raw->drop_frames, &s->drop_frames, "field", 7, "drop_frames") &&
           get_text(r, raw->keep_frames, &s->keep_frames, "field", 8, "keep_frames") &&
           get_text(r, raw->default_type, &s->default_type, "field", 14, "default_sample_type");
}

static bool take_all(struct resolver *r)
{
    if (!take_strings(r) || !take_comments(r) || !take_rest(r) || !take_types(r) ||
        !take_mappings(r) || !take_functions(r) || !take_locations(r) || !take_samples(r))
        return false;
    return index_build(r->s) || no_memory(r);
}

enum snapshot_code raw_resolve(struct raw *raw, const char *name, struct snapshot **snapshot,
                               char *text, size_t capacity)
{
    struct resolver r = {
        .raw = raw, .s = snapshot_new(), .name = name, .text = text, .capacity = capacity};

    if (!r.s)
        return snapshot_say(text, capacity, SNAPSHOT_ENOMEM, "%s: out of memory", name);
    if (take_all(&r))
        *snapshot = r.s;
    else
        snapshot_free(r.s);
    free(r.texts);
    free(r.mappings.pairs);
    free(r.functions.pairs);
    free(r.locations.pairs);
    return r.code;
}

void raw_free(struct raw *raw)
{
    free(raw->samples);
    free(raw->frames);
    free(raw->values);
    free(raw->labels);
    free(raw->mappings);
    free(raw->locations);
    free(raw->lines);
    free(raw->functions);
    free(raw->strings);
    free(raw->comments);
    *raw = (struct raw){.type_count = 0};
}
