/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot to the message of a pprof profile. */
#include <stdlib.h>
#include <string.h>

#include <base/string_pool.h>
#include <base/vec.h>

#include "conditions.h"
#include "profile.pb-c.h"
#include "store.h"
#include "wire.h"

struct encoder {
    const struct snapshot *s;
    struct wire_out out;
    struct string_pool *table; /* the string table, in the order of first use */
    int64_t *comments;
    size_t comment_count, comment_room;
};

static int64_t text(struct encoder *e, const char *string)
{
    string_pool_id id = string_pool_add(e->table, string);

    e->out.failed |= id == 0;
    return (int64_t)id - 1;
}

static void put_message(struct encoder *e, enum wire_field field, const ProtobufCMessage *message)
{
    uint8_t *to = wire_put_room(&e->out, field, protobuf_c_message_get_packed_size(message));

    if (to)
        protobuf_c_message_pack(message, to);
}

static void put_type(struct encoder *e, enum wire_field field, const struct snapshot_type *type)
{
    Pprof__ValueType m = PPROF__VALUE_TYPE__INIT;

    m.type = text(e, type->name);
    m.unit = text(e, type->unit);
    put_message(e, field, &m.base);
}

/* Rows of one file have few labels: more than these do not fit into a message. */
#define LABELS_MAX 64

static void put_label(struct encoder *e, const struct snapshot_label *label, Pprof__Label *m)
{
    pprof__label__init(m);
    m->key = text(e, label->key);
    m->str = text(e, label->text);
    m->num = label->number;
    m->num_unit = text(e, label->unit);
}

static void put_sample(struct encoder *e, size_t index, uint64_t *ids)
{
    const struct snapshot *s = e->s;
    const struct snapshot_sample *sample = &s->samples[index];
    const struct snapshot_label inherited = {
        .key = "inherited", .text = "", .number = (int64_t)sample->inherited, .unit = ""};
    const struct snapshot_label run = {
        .key = "run", .text = "", .number = (int64_t)sample->run, .unit = ""};
    const struct snapshot_label partial = {.key = "partial", .text = "", .number = 1, .unit = ""};
    Pprof__Sample m = PPROF__SAMPLE__INIT;
    Pprof__Label labels[LABELS_MAX];
    Pprof__Label *list[LABELS_MAX];

    for (uint32_t i = 0; i < sample->depth; i++)
        ids[i] = (uint64_t)s->frames[sample->first_frame + i] + 1;
    m.n_location_id = sample->depth;
    m.location_id = ids;
    m.n_value = s->type_count;
    m.value = &s->values[index * s->type_count];
    m.label = list;
    for (uint32_t i = 0; i < sample->label_count && m.n_label < LABELS_MAX - 3; i++)
        put_label(e, &s->labels[sample->first_label + i], &labels[m.n_label++]);
    if (sample->inherited)
        put_label(e, &inherited, &labels[m.n_label++]);
    if (sample->run)
        put_label(e, &run, &labels[m.n_label++]);
    if (sample->partial)
        put_label(e, &partial, &labels[m.n_label++]);
    for (size_t i = 0; i < m.n_label; i++)
        list[i] = &labels[i];
    put_message(e, WIRE_SAMPLE, &m.base);
}

static void put_samples(struct encoder *e)
{
    uint32_t deepest = 1;

    for (size_t i = 0; i < e->s->sample_count; i++)
        deepest = e->s->samples[i].depth > deepest ? e->s->samples[i].depth : deepest;
    uint64_t *ids = malloc(deepest * sizeof(*ids));
    e->out.failed |= ids == NULL;
    for (size_t i = 0; ids && i < e->s->sample_count; i++)
        put_sample(e, i, ids);
    free(ids);
}

static void put_mapping(struct encoder *e, size_t index)
{
    const struct snapshot_mapping *mapping = &e->s->mappings[index];
    Pprof__Mapping m = PPROF__MAPPING__INIT;

    m.id = index + 1;
    m.memory_start = mapping->start;
    m.memory_limit = mapping->limit;
    m.file_offset = mapping->offset;
    m.filename = text(e, mapping->file);
    m.build_id = text(e, mapping->build_id);
    m.has_functions = mapping->has_functions;
    m.has_filenames = mapping->has_files;
    m.has_line_numbers = mapping->has_lines;
    m.has_inline_frames = mapping->has_inlined;
    put_message(e, WIRE_MAPPING, &m.base);
}

static bool put_location(struct encoder *e, size_t index)
{
    const struct snapshot_location *l = &e->s->locations[index];
    Pprof__Location m = PPROF__LOCATION__INIT;
    Pprof__Line *lines = malloc((l->line_count + 1) * sizeof(*lines));
    Pprof__Line **list = malloc((l->line_count + 1) * sizeof(Pprof__Line *));

    m.id = index + 1;
    m.mapping_id = l->mapping == SNAPSHOT_NONE ? 0 : (uint64_t)l->mapping + 1;
    m.address = l->addr;
    m.is_folded = l->folded;
    m.n_line = l->line_count;
    m.line = list;
    for (uint32_t i = 0; lines && list && i < l->line_count; i++) {
        const struct snapshot_line *line = &e->s->lines[l->first_line + i];
        pprof__line__init(&lines[i]);
        lines[i].function_id = line->function == SNAPSHOT_NONE ? 0 : (uint64_t)line->function + 1;
        lines[i].line = line->line;
        lines[i].column = line->column;
        list[i] = &lines[i];
    }
    bool done = lines && list;
    if (done)
        put_message(e, WIRE_LOCATION, &m.base);
    free(lines);
    free(list);
    return done;
}

static void put_function(struct encoder *e, size_t index)
{
    const struct snapshot_function *f = &e->s->functions[index];
    Pprof__Function m = PPROF__FUNCTION__INIT;

    m.id = index + 1;
    m.name = text(e, f->name);
    m.system_name = text(e, f->system_name);
    m.filename = text(e, f->file);
    m.start_line = f->start_line;
    put_message(e, WIRE_FUNCTION, &m.base);
}

static bool add_comment(void *context, const char *comment)
{
    struct encoder *e = context;

    if (!VEC_ROOM(e->comments, e->comment_room, e->comment_count, 1))
        return false;
    e->comments[e->comment_count++] = text(e, comment);
    return true;
}

static void put_comments(struct encoder *e)
{
    struct wire_out packed = {.bytes = NULL};

    e->out.failed |= !conditions_each(e->s, e, add_comment);
    for (size_t i = 0; i < e->s->comment_count; i++)
        e->out.failed |= !add_comment(e, e->s->comments[i]);
    for (size_t i = 0; i < e->comment_count; i++)
        wire_put_varint(&packed, (uint64_t)e->comments[i]);
    e->out.failed |= packed.failed;
    if (packed.len)
        wire_put_bytes(&e->out, WIRE_COMMENT, packed.bytes, packed.len);
    free(packed.bytes);
    free(e->comments);
}

static void put_rest(struct encoder *e)
{
    const struct snapshot *s = e->s;

    wire_put_number(&e->out, WIRE_DROP_FRAMES, (uint64_t)text(e, s->drop_frames));
    wire_put_number(&e->out, WIRE_KEEP_FRAMES, (uint64_t)text(e, s->keep_frames));
    wire_put_number(&e->out, WIRE_TIME_NANOS, (uint64_t)s->time_ns);
    wire_put_number(&e->out, WIRE_DURATION_NANOS, (uint64_t)s->duration_ns);
    if (s->period_type.name[0] || s->period_type.unit[0])
        put_type(e, WIRE_PERIOD_TYPE, &s->period_type);
    wire_put_number(&e->out, WIRE_PERIOD, (uint64_t)s->period);
    put_comments(e);
    wire_put_number(&e->out, WIRE_DEFAULT_SAMPLE_TYPE, (uint64_t)text(e, s->default_type));
}

static void put_all(struct encoder *e)
{
    const struct snapshot *s = e->s;

    for (size_t i = 0; i < s->type_count; i++)
        put_type(e, WIRE_SAMPLE_TYPE, &s->types[i]);
    put_samples(e);
    for (size_t i = 0; i < s->mapping_count; i++)
        put_mapping(e, i);
    for (size_t i = 0; i < s->location_count; i++)
        e->out.failed |= !put_location(e, i);
    for (size_t i = 0; i < s->function_count; i++)
        put_function(e, i);
    put_rest(e);
    for (size_t i = 0; i < string_pool_count(e->table); i++) {
        const char *string = string_pool_text(e->table, (string_pool_id)i + 1);
        wire_put_bytes(&e->out, WIRE_STRING_TABLE, string, strlen(string));
    }
}

uint8_t *snapshot_bytes(const struct snapshot *snapshot, size_t *len)
{
    struct encoder e = {.s = snapshot, .table = string_pool_new()};

    if (!e.table)
        return NULL;
    (void)text(&e, ""); /* is always the first one */
    put_all(&e);
    string_pool_free(e.table);
    *len = e.out.len;
    if (!e.out.failed)
        return e.out.bytes;
    free(e.out.bytes);
    return NULL;
}
