/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses among the names of a function and measures those that have no size. */
#include "candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/sorted.h>

#include "veneers.h"

#define MARK " [veneer]"

/* What is the same in names that only the debug information can tell apart. */
#define RANK_TIE (~(unsigned)(RANK_NOT_DEBUG | RANK_UNDERSCORE))

static int compare_starts(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    size_t x_len = strlen(x->name);
    size_t y_len = strlen(y->name);
    if (x_len != y_len)
        return x_len < y_len ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The best name comes first; the aliases behind it can only make it longer. */
static void merge_aliases(struct candidates *c)
{
    size_t kept = 0;

    for (size_t i = 1; i < c->count; i++) {
        struct candidate *last = &c->list[kept];
        if (c->list[i].addr != last->addr)
            c->list[++kept] = c->list[i];
        else if (c->list[i].size > last->size)
            last->size = c->list[i].size;
    }
    if (c->count != 0)
        c->count = kept + 1;
}

/* Labels inside a function with a size are no functions. */
static void drop_labels(struct candidates *c)
{
    uint64_t covered = 0;
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct candidate *one = &c->list[i];
        if (one->is_label && one->addr < covered)
            continue;
        if (!one->is_label && one->addr + one->size > covered)
            covered = one->addr + one->size;
        c->list[kept++] = *one;
    }
    c->count = kept;
}

/* Where sorting all starts would take longer than looking through them a few times. */
#define FEW 24

static uint64_t next_unsorted(const struct candidates *c, uint64_t addr)
{
    uint64_t next = UINT64_MAX;

    for (size_t i = 0; i < c->start_count; i++)
        if (c->starts[i] > addr && c->starts[i] < next)
            next = c->starts[i];
    return next;
}

static uint64_t next_sorted(const struct candidates *c, uint64_t addr)
{
    size_t next = sorted_up_to(SORTED_NUMBERS(c->starts, c->start_count), addr);

    return next < c->start_count ? c->starts[next] : UINT64_MAX;
}

static void measure(struct candidates *c)
{
    size_t unsized = 0;

    for (size_t i = 0; i < c->count; i++)
        unsized += c->list[i].size == 0;
    if (unsized > FEW)
        qsort(c->starts, c->start_count, sizeof(*c->starts), compare_starts);
    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = &c->list[i];
        if (one->size != 0)
            continue;
        uint64_t end = unsized > FEW ? next_sorted(c, one->addr) : next_unsorted(c, one->addr);
        one->size = (end < one->limit ? end : one->limit) - one->addr;
    }
}

/* Where the candidates at an address begin, or would. */
static size_t first_at(const struct candidates *c, uint64_t addr)
{
    return sorted_below(SORTED_BY(c->list, c->count, struct candidate, addr), addr);
}

struct listener {
    struct candidates *candidates;
    struct budget *budget;
};

static void take_debug_name(void *context, uint64_t addr, const char *name)
{
    const struct listener *l = context;
    struct candidates *c = l->candidates;

    for (size_t i = first_at(c, addr); i < c->count && c->list[i].addr == addr; i++) {
        if (!budget_work(l->budget, 1))
            return;
        if (strcmp(c->list[i].name, name) == 0)
            c->list[i].rank &= ~(unsigned)RANK_NOT_DEBUG;
    }
}

/* Reading the debug information takes a while in large files: only where it can decide. */
static void ask_debug(const struct debug_names *debug, struct candidates *c)
{
    bool tied = false;

    for (size_t i = 1; i < c->count && !tied; i++) {
        const struct candidate *a = &c->list[i - 1];
        const struct candidate *b = &c->list[i];
        tied = a->addr == b->addr && (a->rank & RANK_TIE) == (b->rank & RANK_TIE);
    }
    if (!tied)
        return;
    struct listener listener = {.candidates = c, .budget = debug->budget};
    debug->each(debug->source, &listener, take_debug_name);
    qsort(c->list, c->count, sizeof(*c->list), compare_candidates);
}

static bool is_veneer(const struct candidate *one)
{
    return (one->rank & RANK_LOCAL) != 0 && veneer_has_form(one->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A veneer is called after the function that it leads to. */
static void name_veneers(struct candidates *c)
{
    bool sorted = false;

    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = &c->list[i];
        if (!is_veneer(one))
            continue;
        if (!sorted)
            qsort(c->names, c->name_count, sizeof(*c->names), compare_names);
        sorted = true;
        one->goal = veneer_goal(one->name, c->names, c->name_count);
        one->mark = MARK;
    }
}

void candidates_choose(struct candidates *candidates, const struct debug_names *debug)
{
    struct candidates *c = candidates;

    qsort(c->list, c->count, sizeof(*c->list), compare_candidates);
    ask_debug(debug, c);
    name_veneers(c);
    merge_aliases(c);
    drop_labels(c);
    measure(c);
}
