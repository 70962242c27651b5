/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page that is complete by itself: collects its table and its graph. */
#include "html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/vec.h>

#include <export/clean.h>

/* Adds the hits of each place whose wander is known. */
static bool add_places(struct html *h)
{
    const struct profile *p = &h->profile;

    h->place_hits = calloc(p->wander.count + 1, sizeof(*h->place_hits));
    for (size_t i = 0; h->place_hits && i < p->row_count; i++) {
        const struct wander_row *row = wander_list_find(&p->wander, profile_place(&p->rows[i]));
        if (row)
            h->place_hits[row - p->wander.rows] += (double)p->rows[i].hits;
    }
    return h->place_hits != NULL;
}

static bool html_begin(struct export *e)
{
    const struct snapshot *s = e->sources[0].snapshot;
    struct html *h = e->state;

    for (size_t i = 0; i < s->sample_count; i++)
        h->has_callers |= s->samples[i].depth > 1;
    profile_init(&h->profile);
    enum snapshot_code code =
        s->ours ? snapshot_profile_flat(s, e->sources[0].type, &h->profile, e->text, e->capacity)
                : SNAPSHOT_OK;
    if (code != SNAPSHOT_OK)
        return export_fail(e, code == SNAPSHOT_ENOMEM ? EXPORT_ENOMEM : EXPORT_EFORMAT, "%s",
                           e->text);
    return add_places(h) || export_no_memory(e);
}

static struct html_row *find_row(struct html *h, uint32_t function)
{
    size_t count = (size_t)function + 1;

    if (count > h->row_count) {
        if (!VEC_ROOM(h->rows, h->row_room, h->row_count, count - h->row_count))
            return NULL;
        memset(h->rows + h->row_count, 0, (count - h->row_count) * sizeof(*h->rows));
        h->row_count = count;
    }
    return &h->rows[function];
}

/* Its part of how the hits at its place wander. */
static void add_wander(struct html *h, const struct export_part *part, struct html_row *row)
{
    const struct snapshot *s = part->source->snapshot;
    const struct snapshot_sample *sample = &s->samples[part->sample];
    struct wander_place place = {.addr = 0};

    if (sample->depth > 0)
        place.addr = s->locations[s->frames[sample->first_frame]].addr;
    const struct wander_row *known = wander_list_find(&h->profile.wander, place);
    double hits = known ? h->place_hits[known - h->profile.wander.rows] : 0;
    if (!(hits > 0))
        return;
    wander_add(&row->wander, &known->wander, (double)part->value / hits);
    wander_add(&h->wander, &known->wander, (double)part->value / hits);
}

static bool add_rows(struct html *h, const struct export_part *part)
{
    struct html_row *row = find_row(h, part->frames[part->owner].function);

    if (!row)
        return false;
    add_wander(h, part, row);
    row->hits += part->value;
    row->inherited += part->inherited;
    h->sum += part->value;
    h->serial++;
    for (size_t i = part->owner; i < part->depth; i++) {
        row = find_row(h, part->frames[i].function);
        if (!row)
            return false;
        /* Of ours, inlined code belongs to the function around it. */
        bool inlined = part->source->snapshot->ours && part->frames[i].inlined;
        if (!inlined && row->seen != h->serial)
            row->total += part->value;
        row->seen = inlined ? row->seen : h->serial;
    }
    return true;
}

static uint32_t put_file(struct function_table *table, const char *file)
{
    const struct export_function entry = {
        .name = file[0] ? file : "file not known", .file = "", .line = -1};

    return function_table_put(table, &entry);
}

static uint32_t put_line(struct function_table *table, const struct export_frame *frame)
{
    if (frame->line <= 0)
        return function_table_put_unnamed(table, "line not known");
    return function_table_put_unnamed(table, "%.200s:%" PRId64, path_base_name(frame->file),
                                      frame->line);
}

/* Inlined code that a macro of another file is in is the same function; its number, SNAPSHOT_NONE:
 * no memory. */
static uint32_t find_alike(struct export *e, const struct export_frame *frame)
{
    struct html *h = e->state;
    const struct export_function name = {.name = e->table.functions[frame->function].name,
                                         .file = ""};
    size_t count = h->inlined.count;

    if (!frame->inlined)
        return frame->function;
    if (!VEC_ROOM(h->alike, h->alike_room, count, 1))
        return SNAPSHOT_NONE;
    uint32_t number = function_table_put(&h->inlined, &name);
    if (number == SNAPSHOT_NONE)
        return number;
    if (number == count)
        h->alike[number] = frame->function;
    return h->alike[number];
}

/* Without callers: the function's file, the function, what was inlined, the line. */
static bool add_flat(struct export *e, const struct export_part *part)
{
    struct html *h = e->state;
    const char *file = e->table.functions[part->frames[part->owner].function].file;
    uint32_t number = put_file(&e->table, file);
    uint32_t node = tree_child(&h->tree, SNAPSHOT_NONE, 0);

    if (number == SNAPSHOT_NONE || node == SNAPSHOT_NONE)
        return false;
    node = tree_child(&h->tree, node, number);
    for (size_t i = part->depth; node != SNAPSHOT_NONE && i-- > 0;) {
        number = find_alike(e, &part->frames[i]);
        node = number == SNAPSHOT_NONE ? number : tree_child(&h->tree, node, number);
    }
    number = put_line(&e->table, &part->frames[0]);
    if (node == SNAPSHOT_NONE || number == SNAPSHOT_NONE)
        return false;
    node = tree_child(&h->tree, node, number);
    if (node != SNAPSHOT_NONE)
        h->tree.nodes[node].self += part->value;
    return node != SNAPSHOT_NONE;
}

static bool sample(struct export *e, const struct export_part *part)
{
    struct html *h = e->state;
    bool done;

    if (part->value == 0)
        return true;
    done = add_rows(h, part);
    if (done)
        done = h->has_callers ? tree_add(&h->tree, e, part) : add_flat(e, part);
    return done || export_no_memory(e);
}

static void clean(struct export *e)
{
    struct html *h = e->state;

    tree_free(&h->tree);
    function_table_free(&h->inlined);
    free(h->alike);
    free(h->rows);
    free(h->place_hits);
    profile_free(&h->profile);
}

const struct exporter_ops html_ops = {
    .state_size = sizeof(struct html),
    .begin = html_begin,
    .sample = sample,
    .end = html_write,
    .clean = clean,
};
