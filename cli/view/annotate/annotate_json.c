/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object of annotate --format json: the keys are a contract. */
#include <annotate/annotate_frame.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <table/json_parts.h>

static json_t *address(uint64_t addr)
{
    return json_sprintf("0x%" PRIx64, addr);
}

static json_t *number_or_null(unsigned number)
{
    return number ? json_integer(number) : json_null();
}

static json_t *bound(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

/* What is put in is taken over, NULL too: then *failed is set. */
static void put(json_t *object, const char *key, json_t *value, bool *failed)
{
    if (json_object_set_new(object, key, value) != 0)
        *failed = true;
}

static void append(json_t *array, json_t *value, bool *failed)
{
    if (json_array_append_new(array, value) != 0)
        *failed = true;
}

static void put_hits(json_t *object, uint64_t hits, const struct stats_share *share, bool shared,
                     bool *failed)
{
    put(object, "hits", json_integer((json_int_t)hits), failed);
    put(object, "share", json_real(share->value), failed);
    put(object, "low", bound(share->low), failed);
    put(object, "high", bound(share->high), failed);
    put(object, "shared", json_boolean(shared), failed);
}

static json_t *inlined_array(const struct annotation *a, const struct annotate_step *s,
                             bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < s->frame_count; i++) {
        const struct symtab_inlined *f = &a->frames[s->first_frame + i];
        json_t *frame = json_object();
        put(frame, "function", json_text(f->name), failed);
        put(frame, "file", json_text(f->file), failed);
        put(frame, "line", number_or_null(f->line), failed);
        put(frame, "call_line", number_or_null(f->call_line), failed);
        append(array, frame, failed);
    }
    return array;
}

static json_t *step_object(const struct annotation *a, const struct annotate_step *s, bool *failed)
{
    char bytes[2 * LISTING_BYTES_MAX + 1] = "";
    json_t *object = json_object();

    for (unsigned i = 0; i < s->item->size; i++)
        snprintf(bytes + 2 * (size_t)i, 3, "%02x", s->item->bytes[i]);
    put(object, "address", address(s->item->addr), failed);
    put(object, "bytes", json_string(bytes), failed);
    put(object, "text", json_text(s->item->text), failed);
    put(object, "data", json_boolean(s->item->data), failed);
    put(object, "target", s->item->jumps ? address(s->item->target) : json_null(), failed);
    put(object, "part", json_text(a->parts[s->part].function->name), failed);
    put_hits(object, s->hits, &s->share, s->shared, failed);
    put(object, "inlined", inlined_array(a, s, failed), failed);
    return object;
}

static json_t *line_object(const struct annotate_line *l, bool *failed)
{
    json_t *object = json_object();

    put(object, "file", json_text(l->file), failed);
    put(object, "line", number_or_null(l->line), failed);
    put(object, "source", l->text ? json_text(l->text) : json_null(), failed);
    put_hits(object, l->hits, &l->share, l->shared, failed);
    put(object, "instructions", json_array(), failed);
    return object;
}

static json_t *lines_array(const struct annotation *a, bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < a->line_count; i++)
        append(array, line_object(&a->lines[i], failed), failed);
    for (size_t i = 0; i < a->step_count; i++) {
        json_t *line = json_array_get(array, a->steps[i].line);
        append(json_object_get(line, "instructions"), step_object(a, &a->steps[i], failed), failed);
    }
    return array;
}

static json_t *notes_array(const struct annotation *a, bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < a->note_count; i++)
        append(array, json_text(a->notes[i]), failed);
    return array;
}

static json_t *parts_array(const struct annotation *a, bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < a->part_count; i++) {
        json_t *part = json_object();
        put(part, "function", json_text(a->parts[i].function->name), failed);
        put(part, "address", address(a->parts[i].function->addr), failed);
        put(part, "hits", json_integer((json_int_t)a->parts[i].hits), failed);
        append(array, part, failed);
    }
    return array;
}

char *annotate_json(const struct annotation *a, const char *program)
{
    const struct symtab_function *function = a->parts[0].function;
    json_t *object = json_object();
    bool failed = false;
    char *line = NULL;

    put(object, "function", json_text(function->name), &failed);
    put(object, "elf", json_text(program), &failed);
    put(object, "file", json_text(a->start.file), &failed);
    put(object, "line", number_or_null(a->start.line), &failed);
    put(object, "address", address(function->addr), &failed);
    put(object, "unit", json_text(a->unit), &failed);
    put(object, "resolution", json_integer(a->grain), &failed);
    put(object, "attributed", json_integer((json_int_t)a->attributed), &failed);
    put_hits(object, a->hits, &a->share, false, &failed);
    put(object, "notes", notes_array(a, &failed), &failed);
    put(object, "parts", parts_array(a, &failed), &failed);
    put(object, "lines", lines_array(a, &failed), &failed);
    if (!failed)
        line = json_print(object, 0);
    json_decref(object);
    return line;
}
