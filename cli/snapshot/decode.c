/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The message of a pprof profile to a snapshot: whatever made it, and whatever it leaves out. */
#include "decode.h"

#include <stdlib.h>

#include <base/vec.h>

#include "build.h"
#include "conditions.h"
#include "index.h"
#include "wanders.h"

/* Parts lead to others, and stand in any order. So the bytes are gone over several times, each
 * time for what leads only to what is there already, and nothing is kept unresolved. */
enum pass {
    PASS_TEXTS,
    PASS_PARTS,
    PASS_LOCATIONS,
    PASS_SAMPLES,
    PASSES,
};

bool decode_fail(struct decoder *d, const char *what, size_t index, const char *field,
                 const char *why)
{
    d->code = snapshot_say(d->text, d->capacity, SNAPSHOT_EFORMAT, "%s: %s %zu: %s %s", d->name,
                           what, index, field, why);
    return false;
}

bool decode_no_memory(struct decoder *d)
{
    d->code = snapshot_say(d->text, d->capacity, SNAPSHOT_ENOMEM, "%s: out of memory", d->name);
    return false;
}

bool decode_text(struct decoder *d, int64_t number, const char **to, const char *what, size_t index,
                 const char *field)
{
    if (number < 0 || (uint64_t)number >= d->text_count)
        return decode_fail(d, what, index, field, "is not in the string_table");
    *to = d->texts[number];
    return true;
}

static bool add_text(struct decoder *d, const char *bytes, size_t len)
{
    if (!VEC_ROOM(d->texts, d->texts_room, d->text_count, 1))
        return decode_no_memory(d);
    d->texts[d->text_count] = store_text(d->s, bytes, len);
    return d->texts[d->text_count++] ? true : decode_no_memory(d);
}

static bool take_string(struct decoder *d, const struct wire_item *item)
{
    if (d->text_count == 0 && item->len != 0)
        return decode_fail(d, "string_table", 0, "the first string", "is not empty");
    return add_text(d, (const char *)item->bytes, item->len);
}

static bool take_comment(struct decoder *d, uint64_t number)
{
    const char *comment;
    size_t index = d->comments++;

    if (index == DECODE_COMMENTS)
        return decode_fail(d, "comment", index, "too many", "in one file");
    if (!decode_text(d, (int64_t)number, &comment, "comment", index, "text"))
        return false;
    switch (conditions_take(d->s, comment)) {
    case CONDITIONS_TAKEN:
        return true;
    case CONDITIONS_OTHER:
        return build_comment(d->s, comment) || decode_no_memory(d);
    case CONDITIONS_WRONG:
        return decode_fail(d, "comment", index, comment, "has an impossible value");
    case CONDITIONS_ENOMEM:
        break;
    }
    return decode_no_memory(d);
}

static bool take_comments(struct decoder *d, const struct wire_item *item)
{
    struct wire_cursor c = {.at = item->bytes, .end = item->bytes + item->len};
    uint64_t comment;

    while (c.at < c.end) {
        if (!wire_varint(&c, &comment))
            return decode_fail(d, "comment", d->comments, "is", "damaged");
        if (!take_comment(d, comment))
            return false;
    }
    return true;
}

static bool take_number(struct decoder *d, const struct wire_item *item)
{
    struct snapshot *s = d->s;
    int64_t number = (int64_t)item->number;

    switch (item->field) {
    case WIRE_DROP_FRAMES:
        return decode_text(d, number, &s->drop_frames, "field", item->field, "drop_frames");
    case WIRE_KEEP_FRAMES:
        return decode_text(d, number, &s->keep_frames, "field", item->field, "keep_frames");
    case WIRE_TIME_NANOS:
        s->time_ns = number;
        return true;
    case WIRE_DURATION_NANOS:
        s->duration_ns = number;
        return true;
    case WIRE_PERIOD:
        s->period = number;
        return true;
    case WIRE_COMMENT:
        return take_comment(d, item->number);
    case WIRE_DEFAULT_SAMPLE_TYPE:
        return decode_text(d, number, &s->default_type, "field", item->field,
                           "default_sample_type");
    default: /* of a newer format */
        return true;
    }
}

/* Fields that hold bytes; what is not in here is of a newer format. */
static const struct {
    const char *name;
    enum pass pass;
    bool (*take)(struct decoder *d, const struct wire_item *item);
} fields[] = {
    [WIRE_SAMPLE_TYPE] = {"sample_type", PASS_PARTS, decode_type},
    [WIRE_SAMPLE] = {"sample", PASS_SAMPLES, decode_sample},
    [WIRE_MAPPING] = {"mapping", PASS_PARTS, decode_mapping},
    [WIRE_LOCATION] = {"location", PASS_LOCATIONS, decode_location},
    [WIRE_FUNCTION] = {"function", PASS_PARTS, decode_function},
    [WIRE_STRING_TABLE] = {"string_table", PASS_TEXTS, take_string},
    [WIRE_PERIOD_TYPE] = {"period_type", PASS_PARTS, decode_type},
    [WIRE_COMMENT] = {"comment", PASS_PARTS, take_comments},
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static bool count_item(struct decoder *d, const struct wire_item *item)
{
    size_t most = item->field == WIRE_SAMPLE ? SNAPSHOT_MAX_SAMPLES : DECODE_PARTS_MAX;
    size_t index = d->counts[item->field]++;

    return index < most ||
           decode_fail(d, fields[item->field].name, index, "too many", "in one file");
}

static bool take_item(struct decoder *d, enum pass pass, const struct wire_item *item)
{
    if (item->kind == WIRE_VARINT)
        return pass != PASS_PARTS || take_number(d, item);
    if (item->kind != WIRE_BYTES || item->field >= FIELDS || !fields[item->field].take)
        return true;
    if (pass == PASS_TEXTS && !count_item(d, item))
        return false;
    return fields[item->field].pass != pass || fields[item->field].take(d, item);
}

/* Arrays whose lengths are known need not grow. */
static bool make_room(struct decoder *d)
{
    struct snapshot *s = d->s;

    return (GROW(s, functions, function_count, d->counts[WIRE_FUNCTION]) &&
            GROW(s, locations, location_count, d->counts[WIRE_LOCATION]) &&
            GROW(s, lines, line_count, d->counts[WIRE_LOCATION]) &&
            GROW(s, samples, sample_count, d->counts[WIRE_SAMPLE])) ||
           decode_no_memory(d);
}

static bool no_twins(struct decoder *d, struct ids *ids, const char *what)
{
    uint32_t twin = ids_close(ids);

    return twin == SNAPSHOT_NONE || decode_fail(d, what, twin, "id", "is used twice");
}

static bool check_parts(struct decoder *d)
{
    const struct snapshot_conditions *c = &d->s->conditions;

    if (d->s->type_count == 0)
        return decode_fail(d, "sample_type", 0, "missing:", "not a pprof profile");
    if (c->block_size < 1 || c->block_size > SNAPSHOT_MAX_BLOCK_SIZE)
        return decode_fail(d, "comment", 0, "mprof grain", "is not from 1 to 65536");
    if (c->runs == 0)
        return decode_fail(d, "comment", 0, "mprof runs", "is 0");
    return no_twins(d, &d->mappings, "mapping") && no_twins(d, &d->functions, "function");
}

static bool end_pass(struct decoder *d, enum pass pass)
{
    switch (pass) {
    case PASS_TEXTS:
        return (d->text_count || add_text(d, "", 0)) && make_room(d);
    case PASS_PARTS:
        return check_parts(d);
    case PASS_LOCATIONS:
        return no_twins(d, &d->locations, "location");
    default:
        wanders_finish(d->s);
        return index_build(d->s) || decode_no_memory(d);
    }
}

static bool take_all(struct decoder *d, enum pass pass, const uint8_t *bytes, size_t len)
{
    struct wire_cursor cursor = {.at = bytes, .end = bytes + len};
    struct wire_item item;

    while (cursor.at < cursor.end) {
        const uint8_t *at = cursor.at;
        if (!wire_next(&cursor, &item))
            return decode_fail(d, "byte", (size_t)(at - bytes), "not a pprof profile,",
                               "or cut short; give a file of 'mprof snapshot'");
        if (!take_item(d, pass, &item))
            return false;
    }
    return end_pass(d, pass);
}

enum snapshot_code pprof_read(const uint8_t *bytes, size_t len, const char *name,
                              struct snapshot **snapshot, char *text, size_t capacity)
{
    struct decoder d = {.s = snapshot_new(), .name = name, .text = text, .capacity = capacity};
    bool done = d.s != NULL || decode_no_memory(&d);

    arena_init(&d.arena);
    for (enum pass pass = PASS_TEXTS; done && pass < PASSES; pass++)
        done = take_all(&d, pass, bytes, len);
    if (done)
        *snapshot = d.s;
    else
        snapshot_free(d.s);
    arena_free(&d.arena);
    free(d.texts);
    ids_free(&d.mappings);
    ids_free(&d.functions);
    ids_free(&d.locations);
    return d.code;
}
