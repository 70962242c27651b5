/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The message of a pprof profile to a snapshot: whatever made it, and whatever it leaves out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "build.h"
#include "conditions.h"
#include "index.h"
#include "profile.pb-c.h"
#include "resolve.h"
#include "wire.h"

struct decoder {
    struct raw raw;
    struct arena arena;
    const char *name;
    char *text;
    size_t capacity;
    enum snapshot_code code;
};

static bool fail(struct decoder *d, const char *what, size_t index, const char *why)
{
    d->code = snapshot_say(d->text, d->capacity, SNAPSHOT_EFORMAT, "%s: %s %zu: %s", d->name, what,
                           index, why);
    return false;
}

static bool no_memory(struct decoder *d)
{
    d->code = snapshot_say(d->text, d->capacity, SNAPSHOT_ENOMEM, "%s: out of memory", d->name);
    return false;
}

static const char *field_name(uint64_t field)
{
    static const char *const names[] = {
        [WIRE_SAMPLE_TYPE] = "sample_type", [WIRE_SAMPLE] = "sample",
        [WIRE_MAPPING] = "mapping",         [WIRE_LOCATION] = "location",
        [WIRE_FUNCTION] = "function",       [WIRE_STRING_TABLE] = "string_table",
        [WIRE_PERIOD_TYPE] = "period_type", [WIRE_COMMENT] = "comment",
    };

    return field < sizeof(names) / sizeof(names[0]) && names[field] ? names[field] : "field";
}

/* The message in the item, until the next one is unpacked. */
static void *unpack(struct decoder *d, const struct wire_item *item,
                    const ProtobufCMessageDescriptor *descriptor, size_t index)
{
    arena_reset(&d->arena);
    ProtobufCMessage *m =
        protobuf_c_message_unpack(descriptor, &d->arena.allocator, item->len, item->bytes);
    if (m)
        return m;
    if (d->arena.no_memory)
        no_memory(d);
    else
        fail(d, field_name(item->field), index,
             d->arena.full ? "larger than any that is believed" : "damaged");
    return NULL;
}

static bool take_type(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;
    const Pprof__ValueType *m = unpack(d, item, &pprof__value_type__descriptor, r->type_count);

    if (!m)
        return false;
    const struct raw_type type = {.name = m->type, .unit = m->unit};
    if (item->field == WIRE_PERIOD_TYPE)
        r->period_type = type;
    else if (r->type_count == RAW_TYPES)
        return fail(d, "sample_type", r->type_count, "more types than are believed");
    else
        r->types[r->type_count++] = type;
    return true;
}

static bool take_labels(struct decoder *d, const Pprof__Sample *m, struct raw_sample *to)
{
    struct raw *r = &d->raw;

    to->first_label = (uint32_t)r->label_count;
    to->label_count = (uint32_t)m->n_label;
    if (!RAW_GROW(r, labels, label_count, m->n_label))
        return no_memory(d);
    for (size_t i = 0; i < m->n_label; i++) {
        const Pprof__Label *l = m->label[i];
        r->labels[r->label_count++] = (struct raw_label){
            .key = l->key, .text = l->str, .number = l->num, .unit = l->num_unit};
    }
    return true;
}

static bool take_sample(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;
    const Pprof__Sample *m = unpack(d, item, &pprof__sample__descriptor, r->sample_count);

    if (!m)
        return false;
    if (r->sample_count == SNAPSHOT_MAX_SAMPLES ||
        m->n_location_id > SNAPSHOT_MAX_FRAMES - r->frame_count ||
        m->n_label > SNAPSHOT_MAX_SAMPLES - r->label_count ||
        m->n_value > SNAPSHOT_MAX_FRAMES - r->value_count)
        return fail(d, "sample", r->sample_count, "more of them than are believed");
    struct raw_sample sample = {.first_frame = (uint32_t)r->frame_count,
                                .depth = (uint32_t)m->n_location_id,
                                .value_count = (uint32_t)m->n_value};
    if (!RAW_GROW(r, samples, sample_count, 1) ||
        !RAW_GROW(r, frames, frame_count, m->n_location_id) ||
        !RAW_GROW(r, values, value_count, m->n_value) || !take_labels(d, m, &sample))
        return no_memory(d);
    if (m->n_location_id)
        memcpy(r->frames + r->frame_count, m->location_id, m->n_location_id * sizeof(*r->frames));
    if (m->n_value)
        memcpy(r->values + r->value_count, m->value, m->n_value * sizeof(*r->values));
    r->frame_count += m->n_location_id;
    r->value_count += m->n_value;
    r->samples[r->sample_count++] = sample;
    return true;
}

static bool take_mapping(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;
    const Pprof__Mapping *m = unpack(d, item, &pprof__mapping__descriptor, r->mapping_count);

    if (!m)
        return false;
    if (r->mapping_count == RAW_PARTS_MAX)
        return fail(d, "mapping", r->mapping_count, "more of them than are believed");
    if (!RAW_GROW(r, mappings, mapping_count, 1))
        return no_memory(d);
    r->mappings[r->mapping_count++] = (struct raw_mapping){
        .id = m->id,
        .start = m->memory_start,
        .limit = m->memory_limit,
        .offset = m->file_offset,
        .file = m->filename,
        .build_id = m->build_id,
        .has_functions = m->has_functions,
        .has_files = m->has_filenames,
        .has_lines = m->has_line_numbers,
        .has_inlined = m->has_inline_frames,
    };
    return true;
}

static bool take_location(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;
    const Pprof__Location *m = unpack(d, item, &pprof__location__descriptor, r->location_count);

    if (!m)
        return false;
    if (r->location_count == RAW_PARTS_MAX || m->n_line > 4 * RAW_PARTS_MAX - r->line_count)
        return fail(d, "location", r->location_count, "more of them than are believed");
    if (!RAW_GROW(r, locations, location_count, 1) || !RAW_GROW(r, lines, line_count, m->n_line))
        return no_memory(d);
    r->locations[r->location_count++] = (struct raw_location){
        .id = m->id,
        .mapping = m->mapping_id,
        .addr = m->address,
        .first_line = (uint32_t)r->line_count,
        .line_count = (uint32_t)m->n_line,
        .folded = m->is_folded,
    };
    for (size_t i = 0; i < m->n_line; i++)
        r->lines[r->line_count++] = (struct raw_line){.function = m->line[i]->function_id,
                                                      .line = m->line[i]->line,
                                                      .column = m->line[i]->column};
    return true;
}

static bool take_function(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;
    const Pprof__Function *m = unpack(d, item, &pprof__function__descriptor, r->function_count);

    if (!m)
        return false;
    if (r->function_count == RAW_PARTS_MAX)
        return fail(d, "function", r->function_count, "more of them than are believed");
    if (!RAW_GROW(r, functions, function_count, 1))
        return no_memory(d);
    r->functions[r->function_count++] = (struct raw_function){
        .id = m->id,
        .name = m->name,
        .system_name = m->system_name,
        .file = m->filename,
        .start_line = m->start_line,
    };
    return true;
}

static bool take_string(struct decoder *d, const struct wire_item *item)
{
    struct raw *r = &d->raw;

    if (r->string_count == RAW_PARTS_MAX)
        return fail(d, "string_table", r->string_count, "more of them than are believed");
    if (r->string_count == 0 && item->len != 0)
        return fail(d, "string_table", 0, "the first string is not empty");
    if (!RAW_GROW(r, strings, string_count, 1))
        return no_memory(d);
    r->strings[r->string_count++] =
        (struct raw_string){.bytes = (const char *)item->bytes, .len = item->len};
    return true;
}

static bool add_comment(struct decoder *d, uint64_t comment)
{
    struct raw *r = &d->raw;

    if (r->comment_count == RAW_COMMENTS)
        return fail(d, "comment", r->comment_count, "more of them than are believed");
    if (!RAW_GROW(r, comments, comment_count, 1))
        return no_memory(d);
    r->comments[r->comment_count++] = (int64_t)comment;
    return true;
}

/* Packed, or one at a time. */
static bool take_comment(struct decoder *d, const struct wire_item *item)
{
    uint64_t comment;

    if (item->kind == WIRE_VARINT)
        return add_comment(d, item->number);
    struct wire_cursor c = {.at = item->bytes, .end = item->bytes + item->len};
    while (c.at < c.end) {
        if (!wire_varint(&c, &comment))
            return fail(d, "comment", d->raw.comment_count, "damaged");
        if (!add_comment(d, comment))
            return false;
    }
    return true;
}

static bool take_number(struct decoder *d, const struct wire_item *item)
{
    int64_t number = (int64_t)item->number;

    switch (item->field) {
    case WIRE_DROP_FRAMES:
        d->raw.drop_frames = number;
        break;
    case WIRE_KEEP_FRAMES:
        d->raw.keep_frames = number;
        break;
    case WIRE_TIME_NANOS:
        d->raw.time_ns = number;
        break;
    case WIRE_DURATION_NANOS:
        d->raw.duration_ns = number;
        break;
    case WIRE_PERIOD:
        d->raw.period = number;
        break;
    case WIRE_COMMENT:
        return take_comment(d, item);
    case WIRE_DEFAULT_SAMPLE_TYPE:
        d->raw.default_type = number;
        break;
    default: /* of a newer format */
        break;
    }
    return true;
}

static bool take_bytes(struct decoder *d, const struct wire_item *item)
{
    switch (item->field) {
    case WIRE_SAMPLE_TYPE:
    case WIRE_PERIOD_TYPE:
        return take_type(d, item);
    case WIRE_SAMPLE:
        return take_sample(d, item);
    case WIRE_MAPPING:
        return take_mapping(d, item);
    case WIRE_LOCATION:
        return take_location(d, item);
    case WIRE_FUNCTION:
        return take_function(d, item);
    case WIRE_STRING_TABLE:
        return take_string(d, item);
    case WIRE_COMMENT:
        return take_comment(d, item);
    default:
        return true;
    }
}

static bool take_all(struct decoder *d, const uint8_t *bytes, size_t len)
{
    struct wire_cursor cursor = {.at = bytes, .end = bytes + len};
    struct wire_item item;

    while (cursor.at < cursor.end) {
        const uint8_t *at = cursor.at;
        if (!wire_next(&cursor, &item))
            return fail(d, "byte", (size_t)(at - bytes), "no pprof profile, or one cut short");
        if (item.kind == WIRE_BYTES ? !take_bytes(d, &item)
                                    : item.kind == WIRE_VARINT && !take_number(d, &item))
            return false;
    }
    if (d->raw.type_count == 0)
        return fail(d, "sample_type", 0, "missing: this is no pprof profile");
    return true;
}

enum snapshot_code pprof_read(const uint8_t *bytes, size_t len, const char *name,
                              struct snapshot **snapshot, char *text, size_t capacity)
{
    struct decoder d = {.name = name, .text = text, .capacity = capacity};

    arena_init(&d.arena);
    if (take_all(&d, bytes, len)) {
        arena_free(&d.arena);
        d.code = raw_resolve(&d.raw, name, snapshot, text, capacity);
    }
    arena_free(&d.arena);
    raw_free(&d.raw);
    return d.code;
}
