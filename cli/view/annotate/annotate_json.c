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
static void set_member(json_t *object, const char *key, json_t *value, bool *failed)
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
    set_member(object, "hits", json_integer((json_int_t)hits), failed);
    set_member(object, "share", json_real(share->value), failed);
    set_member(object, "low", bound(share->low), failed);
    set_member(object, "high", bound(share->high), failed);
    set_member(object, "shared", json_boolean(shared), failed);
}

static void put_range(json_t *object, const struct annotate_range *range, bool *failed)
{
    put_hits(object, range->hits, &range->share, annotate_is_shared(range), failed);
    set_member(object, "most", json_integer((json_int_t)range->most), failed);
}

static json_t *inlined_array(const struct annotation *a, const struct annotate_step *s,
                             bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < s->frame_count; i++) {
        const struct symtab_inlined *f = &a->frames[s->first_frame + i];
        json_t *frame = json_object();
        set_member(frame, "function", json_text(f->name), failed);
        set_member(frame, "file", json_text(f->file), failed);
        set_member(frame, "line", number_or_null(f->line), failed);
        set_member(frame, "call_line", number_or_null(f->call_line), failed);
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
    set_member(object, "address", address(s->item->addr), failed);
    set_member(object, "bytes", json_string(bytes), failed);
    set_member(object, "text", json_text(s->item->text), failed);
    set_member(object, "data", json_boolean(s->item->data), failed);
    set_member(object, "target", s->item->jumps ? address(s->item->target) : json_null(), failed);
    set_member(object, "part", json_text(a->parts[s->part].function->name), failed);
    put_range(object, &s->range, failed);
    set_member(object, "block",
               s->block == ANNOTATE_NO_BLOCK ? json_null() : address(a->blocks[s->block].addr),
               failed);
    set_member(object, "inlined", inlined_array(a, s, failed), failed);
    return object;
}

static json_t *line_object(const struct annotate_line *l, bool *failed)
{
    json_t *object = json_object();

    set_member(object, "file", json_text(l->file), failed);
    set_member(object, "line", number_or_null(l->line), failed);
    set_member(object, "source", l->text ? json_text(l->text) : json_null(), failed);
    put_range(object, &l->range, failed);
    set_member(object, "instructions", json_array(), failed);
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

/* The hits of blocks, each once: what shares a block has a range only. */
static json_t *blocks_array(const struct annotation *a, bool *failed)
{
    json_t *array = json_array();

    for (size_t i = 0; i < a->block_count; i++) {
        const struct annotate_block *b = &a->blocks[i];
        json_t *object = json_object();
        set_member(object, "address", address(b->addr), failed);
        put_range(object, &b->range, failed);
        set_member(object, "part", json_integer((json_int_t)b->hits), failed);
        set_member(object, "instructions", json_integer((json_int_t)b->instructions), failed);
        set_member(object, "lines", json_integer((json_int_t)b->lines), failed);
        append(array, object, failed);
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
        set_member(part, "function", json_text(a->parts[i].function->name), failed);
        set_member(part, "address", address(a->parts[i].function->addr), failed);
        set_member(part, "hits", json_integer((json_int_t)a->parts[i].hits), failed);
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

    set_member(object, "function", json_text(function->name), &failed);
    set_member(object, "elf", json_text(program), &failed);
    set_member(object, "file", json_text(a->start.file), &failed);
    set_member(object, "line", number_or_null(a->start.line), &failed);
    set_member(object, "address", address(function->addr), &failed);
    set_member(object, "unit", json_text(a->unit), &failed);
    set_member(object, "resolution", json_integer(a->block_size), &failed);
    set_member(object, "attributed", json_integer((json_int_t)a->attributed), &failed);
    put_hits(object, a->hits, &a->share, false, &failed);
    const char *intervals = annotate_intervals(a);
    set_member(object, "intervals", intervals ? json_string(intervals) : json_null(), &failed);
    set_member(object, "notes", notes_array(a, &failed), &failed);
    set_member(object, "parts", parts_array(a, &failed), &failed);
    set_member(object, "lines", lines_array(a, &failed), &failed);
    set_member(object, "blocks", blocks_array(a, &failed), &failed);
    if (!failed)
        line = json_print(object, 0);
    json_decref(object);
    return line;
}
