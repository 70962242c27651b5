/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the hits of blocks among instructions, or lines where there are none. */
#include "annotate_hits.h"

#include <stdlib.h>
#include <string.h>

#include <base/sorted.h>
#include <base/vec.h>
#include <ranking/rows.h>

/* Instructions are looked at every two bytes of a block, as in rows.c. */
#define STEP 2

/* A ranking of one block in which our parts stand under a name of their own. */
struct parts_naming {
    const struct symbol_naming *names;
    const struct annotation *a;
    struct symtab_function unit; /* what find() gives */
};

/* Its address tells a part's row from one of a function of the same name. */
static const char part_name[] = "part";

static struct annotate_part *part_at(struct annotation *a, const struct symbol_naming *names,
                                     uint64_t addr)
{
    const struct symtab_function *function = names->find(names->context, addr);

    for (size_t i = 0; function && i < a->part_count; i++) {
        if (a->parts[i].function->addr == function->addr)
            return &a->parts[i];
    }
    return NULL;
}

static const struct symtab_function *find_part(void *context, uint64_t addr)
{
    struct parts_naming *n = context;
    const struct symtab_function *function = n->names->find(n->names->context, addr);

    for (size_t i = 0; function && i < n->a->part_count; i++) {
        if (n->a->parts[i].function->addr == function->addr) {
            n->unit = (struct symtab_function){
                .addr = function->addr, .size = function->size, .name = part_name};
            return &n->unit;
        }
    }
    return function;
}

/* Where a function begins is not asked for. */
static bool find_no_start(void *context, const struct symtab_function *function,
                          struct symtab_line *line)
{
    (void)context, (void)function, (void)line;
    return false;
}

/* One of those that share a block, behind those of weight before. */
struct portion {
    uint64_t before, weight, all;
};

/* Rounded so that all portions add up. */
static uint64_t portion_of(const struct portion *p, uint64_t hits)
{
    uint64_t half = p->all / 2;

    return (hits * (p->before + p->weight) + half) / p->all - (hits * p->before + half) / p->all;
}

/* The steps of a part that begin from first on and before end: program counters are where
 * instructions begin. Where there is none, the one whose bytes hold first. Data is none. */
static size_t steps_of(const struct annotation *a, const struct annotate_part *part, uint64_t first,
                       uint64_t end, size_t *from)
{
    size_t base = 0;

    for (const struct annotate_part *p = a->parts; p < part; p++)
        base += p->listing.count;
    size_t low = sorted_below(
        SORTED_BY(part->listing.items, part->listing.count, struct listing_item, addr), first);
    size_t high = low;
    while (high < part->listing.count && part->listing.items[high].addr < end)
        high++;
    if (low == high && low > 0) {
        const struct listing_item *item = &part->listing.items[low - 1];
        low -= first - item->addr < item->size;
    }
    *from = base + low;
    return high - low;
}

bool annotate_same_line(const struct symtab_line *a, const struct symtab_line *b)
{
    if (a->line != b->line || !a->file || !b->file)
        return a->line == b->line && !a->file && !b->file;
    return a->file == b->file || strcmp(a->file, b->file) == 0;
}

bool annotate_has_code(const struct annotation *a, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++) {
        if (!a->steps[i].item->data)
            return true;
    }
    return false;
}

uint64_t annotate_weight(const struct annotate_step *step, bool any_code)
{
    return any_code && step->item->data ? 0 : step->item->size;
}

static bool give_steps(struct builder *b, size_t from, size_t count, const struct view_row *row)
{
    struct annotation *a = b->a;
    bool any_code = annotate_has_code(a, from, count);
    struct portion p = {.all = 0};

    if (!VEC_ROOM(b->divisions, b->division_room, b->division_count, 1))
        return false;
    b->divisions[b->division_count++] =
        (struct division){.from = from, .count = count, .hits = row->hits, .split = row->split};
    for (size_t i = from; i < from + count; i++)
        p.all += annotate_weight(&a->steps[i], any_code);
    for (size_t i = from; i < from + count; i++) {
        struct annotate_step *s = &a->steps[i];
        p.weight = annotate_weight(s, any_code);
        if (p.weight == 0)
            continue;
        s->hits += portion_of(&p, row->hits);
        s->inherited += portion_of(&p, row->inherited);
        s->shared |= row->split || p.weight != p.all;
        p.before += p.weight;
    }
    return true;
}

static struct place *add_place(struct builder *b, uint64_t addr)
{
    const struct symbol_naming *names = b->input->names;

    if (!VEC_ROOM(b->places, b->place_room, b->place_count, 1))
        return NULL;
    struct place *place = &b->places[b->place_count++];
    *place = (struct place){.addr = addr, .step = NO_STEP};
    if (names->find_line)
        (void)names->find_line(names->context, addr, &place->line);
    return place;
}

/* Without instructions: to the lines, by their bytes. */
static bool give_lines(struct builder *b, struct annotate_part *part, const struct profile_hit *hit,
                       const struct view_row *row)
{
    struct portion p = {.weight = 1};
    uint64_t end = hit->addr + b->input->profile->block_size;

    size_t first = b->place_count;
    bool mixed = row->split;

    for (uint64_t at = hit->addr; at < end; at += STEP)
        p.all += part_at(b->a, b->input->names, at) == part;
    for (uint64_t at = hit->addr; at < end; at += STEP) {
        if (part_at(b->a, b->input->names, at) != part)
            continue;
        struct place *place = add_place(b, at);
        if (!place)
            return false;
        place->hits = portion_of(&p, row->hits);
        place->inherited = portion_of(&p, row->inherited);
        mixed |= !annotate_same_line(&place->line, &b->places[first].line);
        p.before++;
    }
    for (size_t i = first; i < b->place_count; i++) {
        struct place *place = &b->places[i];
        bool again = i > first && annotate_same_line(&place->line, &b->places[i - 1].line);
        place->shared = mixed;
        place->least = mixed ? 0 : place->hits;
        place->most = again ? 0 : row->hits;
    }
    return true;
}

static bool give_row(struct builder *b, const struct profile_hit *hit, const struct view_row *row)
{
    struct annotation *a = b->a;
    struct annotate_part *part = a->parts;
    size_t from;

    while (part->function->addr != row->addr)
        part++;
    part->hits += row->hits;
    a->hits += row->hits;
    a->inherited += row->inherited;
    size_t count = steps_of(a, part, hit->addr, hit->addr + b->input->profile->block_size, &from);
    if (count == 0)
        return give_lines(b, part, hit, row);
    return give_steps(b, from, count, row);
}

static bool touches(struct builder *b, const struct profile_hit *hit)
{
    for (uint64_t at = 0; at < b->input->profile->block_size; at += STEP) {
        if (part_at(b->a, b->input->names, hit->addr + at))
            return true;
    }
    return false;
}

/* What a ranking by function gives our parts of this block. */
static bool give_block(struct builder *b, struct profile_hit hit)
{
    struct parts_naming parts = {.names = b->input->names, .a = b->a};
    const struct symbol_naming naming = {
        .context = &parts, .find = find_part, .find_start = find_no_start};
    struct profile one = *b->input->profile;
    struct view_rows rows;
    bool done = true;

    one.rows = &hit;
    one.row_count = 1;
    if (!view_rows_build_named(&one, &naming, VIEW_BY_FUNCTION, NULL, &rows))
        return false;
    for (size_t i = 0; done && i < rows.count; i++) {
        if (rows.rows[i].function == part_name)
            done = give_row(b, &hit, &rows.rows[i]);
    }
    view_rows_free(&rows);
    return done;
}

/* Lines of parts without instructions, whether they have hits or not. */
static bool add_cold_lines(struct builder *b)
{
    for (size_t i = 0; b->input->all_lines && i < b->a->part_count; i++) {
        const struct annotate_part *part = &b->a->parts[i];
        for (uint64_t at = 0; part->listing.count == 0 && at < part->function->size; at += STEP) {
            if (!add_place(b, part->function->addr + at))
                return false;
        }
    }
    return true;
}

bool annotate_give(struct builder *b)
{
    const struct profile *p = b->input->profile;

    if (!add_cold_lines(b))
        return false;
    for (size_t i = 0; b->input->names->find && i < p->row_count; i++) {
        struct profile_hit hit = p->rows[i];
        hit.addr = naming_place(b->input->names, hit.addr);
        if (hit.hits && touches(b, &hit) && !give_block(b, hit))
            return false;
    }
    for (size_t i = 0; i < b->a->step_count; i++) {
        struct annotate_step *s = &b->a->steps[i];
        struct place *place = add_place(b, s->item->addr);
        if (!place)
            return false;
        place->hits = s->hits;
        place->inherited = s->inherited;
        place->shared = s->shared;
        place->step = i;
    }
    return true;
}
