/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the instructions, or else the lines, that share the hits of a block. */
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

static bool add_place(struct builder *b, uint64_t addr, size_t step, size_t block)
{
    const struct symbol_naming *names = b->input->names;

    if (!VEC_ROOM(b->places, b->place_room, b->place_count, 1))
        return false;
    struct place *place = &b->places[b->place_count++];
    *place = (struct place){.addr = addr, .step = step, .block = block};
    if (names->find_line)
        (void)names->find_line(names->context, addr, &place->line);
    return true;
}

/* wander: of the hit; NULL: not known. */
static bool give_row(struct builder *b, const struct profile_hit *hit, const struct view_row *row,
                     const struct wander *wander)
{
    struct annotation *a = b->a;
    struct annotate_part *part = a->parts;
    struct annotate_block block = {.addr = hit->addr, .first = NO_STEP, .split = row->split};

    while (part->function->addr != row->addr)
        part++;
    part->hits += row->hits;
    a->hits += row->hits;
    a->inherited += row->inherited;
    block.part = (size_t)(part - a->parts);
    block.hits = row->hits;
    block.range.most = row->most;
    block.range.inherited = row->inherited;
    if (wander)
        wander_add(&block.range.wander, wander, (double)row->hits / (double)hit->hits);
    block.count =
        steps_of(a, part, hit->addr, hit->addr + b->input->profile->block_size, &block.first);
    if (block.count == 0)
        block.first = NO_STEP;
    if (!VEC_ROOM(a->blocks, a->block_room, a->block_count, 1))
        return false;
    a->blocks[a->block_count++] = block;
    return true;
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
static bool give_block(struct builder *b, struct profile_hit hit, const struct wander *wander)
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
            done = give_row(b, &hit, &rows.rows[i], wander);
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
            if (!add_place(b, part->function->addr + at, NO_STEP, ANNOTATE_NO_BLOCK))
                return false;
        }
    }
    return true;
}

static int compare_blocks(const void *left, const void *right)
{
    const struct annotate_block *a = left, *b = right;

    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return (a->addr > b->addr) - (a->addr < b->addr);
}

static bool overlaps(const struct annotate_block *a, const struct annotate_block *b)
{
    if (a->count == 0 || b->count == 0)
        return a->count == b->count && a->part == b->part && a->addr == b->addr;
    return b->first < a->first + a->count;
}

/* A profile may have a block several times, for each caller, and blocks of any address. */
static void merge_blocks(struct annotation *a)
{
    size_t kept = 0;

    if (a->block_count == 0)
        return;
    qsort(a->blocks, a->block_count, sizeof(*a->blocks), compare_blocks);
    for (size_t i = 1; i < a->block_count; i++) {
        struct annotate_block *last = &a->blocks[kept], *next = &a->blocks[i];
        if (!overlaps(last, next)) {
            a->blocks[++kept] = *next;
            continue;
        }
        if (next->count && next->first + next->count > last->first + last->count)
            last->count = next->first + next->count - last->first;
        last->hits += next->hits;
        last->range.most += next->range.most;
        last->range.inherited += next->range.inherited;
        wander_add(&last->range.wander, &next->range.wander, 1);
        last->split |= next->split;
    }
    a->block_count = kept + 1;
}

/* Data is not executed: it has a part of a block only if nothing else is in the block. */
static void claim_steps(struct annotation *a, size_t number)
{
    struct annotate_block *block = &a->blocks[number];
    size_t end = block->first + block->count;
    bool code = false;

    for (size_t i = block->first; i < end; i++)
        code |= !a->steps[i].item->data;
    while (code && a->steps[block->first].item->data)
        block->first++;
    while (code && a->steps[end - 1].item->data)
        end--;
    block->count = end - block->first;
    block->addr = a->steps[block->first].item->addr;
    for (size_t i = block->first; i < end; i++) {
        if (code && a->steps[i].item->data)
            continue;
        a->steps[i].block = number;
        block->instructions++;
    }
}

/* Code without a listing: all bytes of the part that are in the block. */
static bool claim_places(struct builder *b, size_t number)
{
    const struct annotate_block *block = &b->a->blocks[number];
    const struct annotate_part *part = &b->a->parts[block->part];

    for (uint64_t at = 0; at < b->input->profile->block_size; at += STEP) {
        if (part_at(b->a, b->input->names, block->addr + at) == part &&
            !add_place(b, block->addr + at, NO_STEP, number))
            return false;
    }
    return true;
}

static bool claim(struct builder *b)
{
    struct annotation *a = b->a;

    merge_blocks(a);
    for (size_t i = 0; i < a->block_count; i++) {
        struct annotate_range *range = &a->blocks[i].range;
        range->hits = a->blocks[i].split ? 0 : a->blocks[i].hits;
        range->split = a->blocks[i].split ? range->most : 0;
        if (a->blocks[i].count)
            claim_steps(a, i);
        else if (!claim_places(b, i))
            return false;
    }
    for (size_t i = 0; i < a->step_count; i++) {
        if (!add_place(b, a->steps[i].item->addr, i, a->steps[i].block))
            return false;
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
        const struct wander *wander = wander_list_take(&p->wander, profile_place(&hit), b->taken);
        hit.addr = naming_place(b->input->names, hit.addr);
        if (hit.hits && touches(b, &hit) && !give_block(b, hit, wander))
            return false;
    }
    return claim(b);
}
