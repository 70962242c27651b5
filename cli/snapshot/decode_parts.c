/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of a pprof profile to the parts of a snapshot. */
#include <string.h>

#include <base/vec.h>

#include "build.h"
#include "decode.h"
#include "profile.pb-c.h"

/* The message in the item, until the next one is unpacked. */
static void *unpack(struct decoder *d, const struct wire_item *item,
                    const ProtobufCMessageDescriptor *descriptor, const char *what, size_t index)
{
    arena_reset(&d->arena);
    ProtobufCMessage *m =
        protobuf_c_message_unpack(descriptor, &d->arena.allocator, item->len, item->bytes);
    if (m)
        return m;
    if (d->arena.no_memory)
        decode_no_memory(d);
    else
        decode_fail(d, what, index, d->arena.full ? "larger" : "is",
                    d->arena.full ? "than the limit" : "damaged");
    return NULL;
}

bool decode_type(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    bool is_period = item->field == WIRE_PERIOD_TYPE;
    const char *what = is_period ? "period_type" : "sample_type";
    size_t index = is_period ? 0 : s->type_count;
    const Pprof__ValueType *m = unpack(d, item, &pprof__value_type__descriptor, what, index);
    struct snapshot_type type;

    if (!m || !decode_text(d, m->type, &type.name, what, index, "type") ||
        !decode_text(d, m->unit, &type.unit, what, index, "unit"))
        return false;
    if (is_period) {
        s->period_type = type;
        return true;
    }
    if (s->type_count == DECODE_TYPES)
        return decode_fail(d, what, index, "too many", "in one file");
    return build_type(s, type.name, type.unit) || decode_no_memory(d);
}

static bool take_id(struct decoder *d, struct ids *ids, uint64_t id, const char *what)
{
    if (id == 0)
        return decode_fail(d, what, ids->count, "id", "is 0");
    return ids_add(ids, id) || decode_no_memory(d);
}

bool decode_mapping(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    size_t index = s->mapping_count;
    const Pprof__Mapping *m = unpack(d, item, &pprof__mapping__descriptor, "mapping", index);

    if (!m)
        return false;
    struct snapshot_mapping to = {
        .start = m->memory_start,
        .limit = m->memory_limit,
        .offset = m->file_offset,
        .has_functions = m->has_functions,
        .has_files = m->has_filenames,
        .has_lines = m->has_line_numbers,
        .has_inlined = m->has_inline_frames,
    };
    if (!decode_text(d, m->filename, &to.file, "mapping", index, "filename") ||
        !decode_text(d, m->build_id, &to.build_id, "mapping", index, "build_id") ||
        !take_id(d, &d->mappings, m->id, "mapping"))
        return false;
    if (!GROW(s, mappings, mapping_count, 1))
        return decode_no_memory(d);
    s->mappings[s->mapping_count++] = to;
    return true;
}

bool decode_function(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    size_t index = s->function_count;
    const Pprof__Function *m = unpack(d, item, &pprof__function__descriptor, "function", index);

    if (!m)
        return false;
    struct snapshot_function to = {.start_line = m->start_line};
    if (!decode_text(d, m->name, &to.name, "function", index, "name") ||
        !decode_text(d, m->system_name, &to.system_name, "function", index, "system_name") ||
        !decode_text(d, m->filename, &to.file, "function", index, "filename") ||
        !take_id(d, &d->functions, m->id, "function"))
        return false;
    if (!GROW(s, functions, function_count, 1))
        return decode_no_memory(d);
    s->functions[s->function_count++] = to;
    return true;
}

static bool take_lines(struct decoder *d, const Pprof__Location *m)
{
    struct snapshot *s = d->s;

    if (m->n_line > 4 * DECODE_PARTS_MAX - s->line_count)
        return decode_fail(d, "location", s->location_count, "line", "entries exceed the limit");
    if (!GROW(s, lines, line_count, m->n_line))
        return decode_no_memory(d);
    for (size_t i = 0; i < m->n_line; i++) {
        const Pprof__Line *from = m->line[i];
        uint32_t function =
            from->function_id ? ids_find(&d->functions, from->function_id) : SNAPSHOT_NONE;
        if (from->function_id && function == SNAPSHOT_NONE)
            return decode_fail(d, "location", s->location_count, "line's function_id",
                               "is not a known function");
        s->lines[s->line_count++] = (struct snapshot_line){
            .function = function, .line = from->line, .column = from->column};
    }
    return true;
}

bool decode_location(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    size_t index = s->location_count;
    const Pprof__Location *m = unpack(d, item, &pprof__location__descriptor, "location", index);

    if (!m)
        return false;
    struct snapshot_location to = {
        .addr = m->address,
        .mapping = m->mapping_id ? ids_find(&d->mappings, m->mapping_id) : SNAPSHOT_NONE,
        .first_line = (uint32_t)s->line_count,
        .line_count = (uint32_t)m->n_line,
        .folded = m->is_folded,
    };
    if (m->mapping_id && to.mapping == SNAPSHOT_NONE)
        return decode_fail(d, "location", index, "mapping_id", "is not a known mapping");
    if (!take_lines(d, m) || !take_id(d, &d->locations, m->id, "location"))
        return false;
    if (!GROW(s, locations, location_count, 1))
        return decode_no_memory(d);
    s->locations[s->location_count++] = to;
    return true;
}

static bool take_frames(struct decoder *d, const Pprof__Sample *m, struct snapshot_sample *to)
{
    struct snapshot *s = d->s;

    to->first_frame = (uint32_t)s->frame_count;
    to->depth = (uint32_t)m->n_location_id;
    if (m->n_location_id > SNAPSHOT_MAX_FRAMES - s->frame_count)
        return decode_fail(d, "sample", s->sample_count, "location_id", "entries exceed the limit");
    if (!GROW(s, frames, frame_count, m->n_location_id))
        return decode_no_memory(d);
    for (size_t i = 0; i < m->n_location_id; i++) {
        uint32_t location = ids_find(&d->locations, m->location_id[i]);
        if (location == SNAPSHOT_NONE)
            return decode_fail(d, "sample", s->sample_count, "location_id",
                               "is not a known location");
        s->frames[s->frame_count++] = location;
    }
    return true;
}

static bool take_values(struct decoder *d, const Pprof__Sample *m)
{
    struct snapshot *s = d->s;
    size_t count = s->sample_count * s->type_count;

    if (m->n_value != s->type_count)
        return decode_fail(d, "sample", s->sample_count, "value",
                           "must have one number for each sample_type");
    if (m->n_value > SNAPSHOT_MAX_FRAMES - count)
        return decode_fail(d, "sample", s->sample_count, "value", "entries exceed the limit");
    if (!VEC_ROOM(s->values, s->store->values, count, m->n_value))
        return decode_no_memory(d);
    memcpy(s->values + count, m->value, m->n_value * sizeof(*s->values));
    return true;
}

/* Some of what is known of a sample is a label in the file. */
static bool is_ours(const struct snapshot *s, const struct snapshot_label *label, const char *key)
{
    return s->ours && strcmp(label->key, key) == 0 && label->text[0] == '\0';
}

static bool take_label(struct decoder *d, const Pprof__Label *m, struct snapshot_sample *sample)
{
    struct snapshot *s = d->s;
    size_t index = s->sample_count;
    struct snapshot_label label = {.number = m->num};

    if (!decode_text(d, m->key, &label.key, "sample", index, "label's key") ||
        !decode_text(d, m->str, &label.text, "sample", index, "label's str") ||
        !decode_text(d, m->num_unit, &label.unit, "sample", index, "label's num_unit"))
        return false;
    if (is_ours(s, &label, "partial")) {
        sample->partial = true;
        return true;
    }
    if (s->run_count && is_ours(s, &label, "run")) {
        sample->run = (uint32_t)label.number;
        return (label.number > 0 && (uint64_t)label.number <= s->run_count) ||
               decode_fail(d, "sample", index, "label run", "is not a known run");
    }
    if (is_ours(s, &label, "inherited")) {
        sample->inherited = (uint64_t)label.number;
        return label.number >= 0 ||
               decode_fail(d, "sample", index, "label inherited", "is negative");
    }
    if (s->label_count == SNAPSHOT_MAX_SAMPLES)
        return decode_fail(d, "sample", index, "label", "entries exceed the limit");
    if (!GROW(s, labels, label_count, 1))
        return decode_no_memory(d);
    s->labels[s->label_count++] = label;
    return true;
}

bool decode_sample(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    const Pprof__Sample *m = unpack(d, item, &pprof__sample__descriptor, "sample", s->sample_count);
    struct snapshot_sample to = {.first_label = (uint32_t)s->label_count};

    if (!m || !take_frames(d, m, &to) || !take_values(d, m))
        return false;
    for (size_t i = 0; i < m->n_label; i++) {
        if (!take_label(d, m->label[i], &to))
            return false;
    }
    to.label_count = (uint32_t)(s->label_count - to.first_label);
    if (!GROW(s, samples, sample_count, 1))
        return decode_no_memory(d);
    s->samples[s->sample_count++] = to;
    return true;
}
