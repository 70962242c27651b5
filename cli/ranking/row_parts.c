/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the hits of blocks and of call stacks among rows. */
#include "row_parts.h"

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <profile/divide.h>
#include <ranking/row_key.h>

#include "line_block.h"

static int compare_rows(enum view_by by, bool exceptions, const struct view_row *a,
                        const struct view_row *b)
{
    const struct row_key left = row_key_of(by, exceptions, a);
    const struct row_key right = row_key_of(by, exceptions, b);

    return row_key_compare(&left, &right);
}

#define DEFINE_ORDER(name, by, exceptions)         \
    static int name(const void *a, const void *b)  \
    {                                              \
        return compare_rows(by, exceptions, a, b); \
    }
DEFINE_ORDER(order_function, VIEW_BY_FUNCTION, false)
DEFINE_ORDER(order_line, VIEW_BY_LINE, false)
DEFINE_ORDER(order_file, VIEW_BY_FILE, false)
DEFINE_ORDER(order_address, VIEW_BY_ADDRESS, false)
DEFINE_ORDER(order_arc, VIEW_BY_ARC, false)
DEFINE_ORDER(order_inline, VIEW_BY_INLINE, false)
DEFINE_ORDER(order_total, VIEW_BY_TOTAL, false)
DEFINE_ORDER(order_context, VIEW_BY_CONTEXT, false)
DEFINE_ORDER(order_exception, VIEW_BY_CONTEXT, true)

void view_row_merge(struct view_row *into, const struct view_row *from)
{
    into->hits += from->hits;
    into->inherited += from->inherited;
    into->recent += from->recent;
    into->lost += from->lost;
    into->least += from->least;
    into->most += from->most;
    into->unseen.least += from->unseen.least;
    into->unseen.most += from->unseen.most;
    into->unseen.likely += from->unseen.likely;
    into->in_interrupt += from->in_interrupt;
    into->recent_in_interrupt += from->recent_in_interrupt;
    into->late += from->late;
    wander_add(&into->wander, &from->wander, 1);
    into->stale |= from->stale;
    into->split |= from->split;
    if (from->shift != into->shift) /* it was seen at both places */
        into->shift = 0;
    if (from->addr < into->addr)
        into->addr = from->addr;
    into->several |= from->several || (into->function && from->function &&
                                       strcmp(into->function, from->function) != 0);
    if (!from->function || (into->function && strcmp(into->function, from->function) != 0))
        into->function = into->symbol = NULL;
}

parts_order parts_order_of(const struct parts *parts)
{
    static int (*const orders[])(const void *, const void *) = {
        [VIEW_BY_FUNCTION] = order_function, [VIEW_BY_LINE] = order_line,
        [VIEW_BY_FILE] = order_file,         [VIEW_BY_ADDRESS] = order_address,
        [VIEW_BY_ARC] = order_arc,           [VIEW_BY_INLINE] = order_inline,
        [VIEW_BY_CONTEXT] = order_context,   [VIEW_BY_TOTAL] = order_total,
    };

    return parts->exceptions ? order_exception : orders[parts->by];
}

static void merge(struct parts *parts)
{
    size_t kept = 0;

    if (parts->count == 0)
        return;
    qsort(parts->rows, parts->count, sizeof(*parts->rows), parts_order_of(parts));
    for (size_t i = 1; i < parts->count; i++) {
        if (compare_rows(parts->by, parts->exceptions, &parts->rows[kept], &parts->rows[i]) == 0)
            view_row_merge(&parts->rows[kept], &parts->rows[i]);
        else
            parts->rows[++kept] = parts->rows[i];
    }
    parts->count = kept + 1;
}

/* Fewer are not worth a merge. */
#define PARTS 256

/* A million blocks may be of a thousand functions: what is one row is merged now and then. */
static bool make_room(struct parts *parts)
{
    merge(parts);
    return (parts->capacity && parts->count <= parts->capacity / 2) ||
           VEC_ROOM(parts->rows, parts->capacity, parts->count,
                    parts->capacity ? parts->capacity : PARTS);
}

static bool add_part(struct parts *parts, const struct view_row *row)
{
    if (parts->count == parts->capacity && !make_room(parts))
        return false;
    parts->rows[parts->count++] = *row;
    return true;
}

/* A block: its hits, and how they wander (NULL: not known). */
struct block {
    const struct profile_hit *hit;
    const struct wander *wander;
};

/* The pieces of one block: rows in the order of addresses, each with its number of steps. A row may
 * come several times; it is merged with the others at the end. */
struct pieces {
    struct view_row *row;
    uint32_t *steps;
    bool *ignored;
    size_t count;
    uint32_t total;
};

/* Room for all steps of a block. */
static bool pieces_init(struct pieces *p, unsigned block_size)
{
    size_t most = block_size / DIVIDE_STEP + 1;

    *p = (struct pieces){.row = calloc(most, sizeof(*p->row)),
                         .steps = calloc(most, sizeof(*p->steps)),
                         .ignored = calloc(most, sizeof(*p->ignored))};
    return p->row && p->steps && p->ignored;
}

static void pieces_free(struct pieces *p)
{
    free(p->row);
    free(p->steps);
    free(p->ignored);
}

/* Bytes without a name are padding where others of the block have one. */
static void drop_unnamed(const struct naming *n, struct pieces *p)
{
    size_t kept = 0;
    size_t named = 0;

    for (size_t i = 0; i < p->count; i++)
        named += naming_is_named(n, &p->row[i]);
    if (named == 0 || named == p->count)
        return;
    p->total = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (!naming_is_named(n, &p->row[i]))
            continue;
        p->row[kept] = p->row[i];
        p->ignored[kept] = p->ignored[i];
        p->steps[kept] = p->steps[i];
        p->total += p->steps[kept++];
    }
    p->count = kept;
}

static void add_steps(struct naming *n, struct pieces *p, uint64_t addr, uint32_t steps,
                      const struct view_row *row)
{
    bool ignored = naming_ignores(n, addr, row);
    size_t last = p->count - 1;

    p->total += steps;
    if (p->count && compare_rows(n->by, false, &p->row[last], row) == 0 &&
        p->ignored[last] == ignored) {
        p->steps[last] += steps;
        return;
    }
    p->ignored[p->count] = ignored;
    p->row[p->count] = *row;
    p->steps[p->count++] = steps;
}

/* The piece's steps come after the first ones. */
static uint64_t portion(const struct pieces *p, size_t index, uint64_t before, uint64_t hits)
{
    return divide_portion(hits, before, p->steps[index], p->total);
}

/* Pieces that are compared with each other: blocks of more are rare, and large. */
#define PIECES_COMPARED PROFILE_STACK_DEPTH

/* Whether another piece before it is of the same row: the block's hits are the row's once. */
static bool comes_again(const struct naming *n, const struct pieces *p, size_t index)
{
    for (size_t i = 0; i < index && p->count <= PIECES_COMPARED; i++) {
        if (compare_rows(n->by, false, &p->row[i], &p->row[index]) == 0)
            return true;
    }
    return false;
}

/* shared: by line, the row of the block, which gets what lines share. */
static bool add_piece(const struct naming *n, const struct pieces *p, size_t index, uint64_t before,
                      const struct block *block, struct parts *parts, struct view_row *shared)
{
    const struct profile_hit *hit = block->hit;
    struct view_row row = p->row[index];

    row.hits = portion(p, index, before, hit->hits);
    row.inherited = portion(p, index, before, hit->inherited);
    if (row.inherited > row.hits)
        row.inherited = row.hits;
    row.recent = portion(p, index, before, hit->recent);
    row.lost = portion(p, index, before, hit->lost);
    row.late = portion(p, index, before, hit->late);
    row.in_interrupt = profile_is_exception(hit->exception) ? row.hits : 0;
    row.recent_in_interrupt = profile_is_exception(hit->exception) ? row.recent : 0;
    if (block->wander)
        wander_add(&row.wander, block->wander, (double)p->steps[index] / p->total);
    row.stale = hit->stale;
    row.split = p->steps[index] != p->total;
    row.least = row.split ? 0 : row.hits;
    row.most = comes_again(n, p, index) ? 0 : hit->hits;
    /* What was interrupted makes the row, not what ran. */
    if (n->exceptions) {
        row.function = row.symbol = row.file = NULL;
        row.addr = 0;
        row.exception = hit->exception;
    }
    if (p->ignored[index] || naming_ignores_context(n, hit)) {
        parts->ignored += row.hits;
        parts->ignored_recent += row.recent;
        return true;
    }
    if (n->by == VIEW_BY_LINE && row.split && row.file)
        line_block_take(shared, &row);
    else
        row.most = row.hits ? row.most : 0;
    return (row.hits == 0 && row.most == 0) || add_part(parts, &row);
}

static bool add_block(struct naming *n, unsigned block_size, const struct block *block,
                      struct pieces *p, struct parts *parts)
{
    const struct profile_hit *hit = block->hit;
    struct view_row shared = {.addr = hit->addr, .block = true};
    uint64_t before = 0;

    p->count = p->total = 0;
    for (uint64_t at = 0, steps; at < block_size; at += DIVIDE_STEP * steps) {
        struct view_row row = naming_row(n, hit->addr, hit->addr + at);
        naming_caller(n, hit->caller, &row);
        steps = divide_steps(naming_same(n, hit->addr + at), at, block_size);
        add_steps(n, p, hit->addr + at, (uint32_t)steps, &row);
        if (n->by == VIEW_BY_ADDRESS && !n->ignore)
            break;
    }
    drop_unnamed(n, p);
    for (size_t i = 0; i < p->count; i++) {
        if (!add_piece(n, p, i, before, block, parts, &shared))
            return false;
        before += p->steps[i];
    }
    if (shared.hits == 0)
        return true;
    line_block_finish(&shared, hit);
    return add_part(parts, &shared);
}

/* Each function of a stack has its hits, once if it has called itself. */
static bool add_stack(struct naming *n, const struct profile_stacks *stacks,
                      const struct profile_stack *stack, struct pieces *p, struct parts *parts)
{
    const uint64_t *addrs = stacks->addrs + stack->first;
    const struct profile_hit hit = {.hits = stack->hits, .exception = stack->context};
    bool ignored = false;

    p->count = 0;
    for (size_t i = 0; i < stack->depth && !ignored; i++) {
        uint64_t at = i > 0 ? naming_call(addrs[i]) : addrs[0];
        p->row[p->count] = naming_row(n, at, at);
        ignored = i == 0 && (naming_ignores(n, at, &p->row[0]) || naming_ignores_context(n, &hit));
        if (!comes_again(n, p, p->count))
            p->count++;
    }
    parts->ignored += ignored ? stack->hits : 0;
    for (size_t i = 0; i < p->count && !ignored; i++) {
        struct view_row row = p->row[i];
        row.hits = row.least = row.most = stack->hits;
        row.in_interrupt = profile_is_exception(hit.exception) ? stack->hits : 0;
        if (!add_part(parts, &row))
            return false;
    }
    return true;
}

static bool add_stacks(struct naming *n, const struct profile *profile, struct pieces *p,
                       struct parts *parts)
{
    const struct profile_stacks *stacks = profile->stacks;
    bool done = true;

    for (size_t i = 0; done && i < stacks->count; i++) {
        if (stacks->list[i].hits != 0)
            done = add_stack(n, stacks, &stacks->list[i], p, parts);
    }
    return done;
}

static bool add_blocks(struct naming *n, const struct profile *profile, struct pieces *p,
                       struct parts *parts)
{
    bool *taken = calloc(profile->wander.count + 1, sizeof(*taken));
    bool done = taken != NULL;

    for (size_t i = 0; done && i < profile->row_count; i++) {
        const struct profile_hit *hit = &profile->rows[i];
        if (hit->hits == 0)
            continue;
        const struct block block = {hit,
                                    wander_list_take(&profile->wander, profile_place(hit), taken)};
        done = add_block(n, profile->block_size, &block, p, parts);
    }
    free(taken);
    return done;
}

bool parts_make(struct naming *naming, const struct profile *profile, bool stacks,
                struct parts *parts)
{
    unsigned room = stacks ? PROFILE_STACK_DEPTH * DIVIDE_STEP : profile->block_size;
    struct pieces pieces;
    bool done = pieces_init(&pieces, room);

    if (done)
        done = stacks ? add_stacks(naming, profile, &pieces, parts)
                      : add_blocks(naming, profile, &pieces, parts);
    pieces_free(&pieces);
    if (done)
        merge(parts);
    return done;
}
