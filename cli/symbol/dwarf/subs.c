/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indexes the functions of a unit by the stretches of their code. */
#include "subs.h"

#include <dwarf.h>
#include <stdlib.h>

#include <base/sorted.h>
#include <budget/vec.h>

#include "dies.h"
#include "entries.h"

struct reader {
    const struct units *units;
    struct budget_vec subs, pieces;
    bool no_memory;
};

static bool add_piece(void *context, const struct range *range)
{
    struct reader *r = context;
    struct code_range piece = {.start = range->start, .end = range->end, .owner = r->subs.count};

    return range->start >= range->end || budget_vec_push(&r->pieces, &piece, sizeof(piece));
}

static bool add_subprogram(struct reader *r, Dwarf_Die *die)
{
    struct sub sub = {.entry = dwarf_dieoffset(die)};
    size_t before = r->pieces.count;

    if (!ranges_each(r->units, die, r, add_piece))
        return false;
    if (r->pieces.count == before)
        return true;
    if (dwarf_entrypc(die, &sub.start) != 0)
        sub.start = UINT64_MAX;
    return budget_vec_push(&r->subs, &sub, sizeof(sub));
}

static bool on_die(void *context, Dwarf_Die *die)
{
    struct reader *r = context;

    r->no_memory = dwarf_tag(die) == DW_TAG_subprogram && !add_subprogram(r, die);
    return !r->no_memory;
}

struct unit_subs *subs_read(const struct units *units, const struct unit *unit, bool deep)
{
    struct unit_subs *subs = calloc(1, sizeof(*subs));
    struct budget *budget = units->budget;
    struct reader r = {.units = units,
                       .subs = {.budget = budget},
                       .pieces = {.budget = budget},
                       .no_memory = subs == NULL};
    struct dies_walk walk = {
        .context = &r, .visit = on_die, .deep = deep, .classes = true, .budget = budget};
    Dwarf_Die root;

    if (subs && dwarf_offdie(units->dwarf, unit->entry, &root))
        dies_below(&root, &walk);
    r.no_memory |= budget_is_over(budget);
    if (!r.no_memory) {
        *subs = (struct unit_subs){
            .list = budget_vec_copy(&r.subs, sizeof(struct sub)),
            .count = r.subs.count,
            .pieces = budget_vec_copy(&r.pieces, sizeof(struct code_range)),
            .piece_count = r.pieces.count,
            .deep = deep,
        };
        r.no_memory = r.subs.count != 0 && (!subs->list || !subs->pieces);
    }
    budget_vec_free(&r.subs);
    budget_vec_free(&r.pieces);
    if (r.no_memory) {
        if (subs)
            subs->count = 0;
        subs_free(subs);
        return NULL;
    }
    code_ranges_sort(subs->pieces, subs->piece_count);
    return subs;
}

void subs_free(struct unit_subs *subs)
{
    if (!subs)
        return;
    for (size_t i = 0; i < subs->count; i++)
        free(subs->list[i].body);
    free(subs->list);
    free(subs->pieces);
    free(subs);
}

size_t subs_bytes(const struct unit_subs *subs)
{
    return sizeof(*subs) + subs->count * sizeof(struct sub) +
           subs->piece_count * sizeof(struct code_range);
}

const struct code_range *subs_next(const struct unit_subs *subs, struct budget *budget,
                                   uint64_t addr, size_t *at)
{
    const struct code_range *pieces = subs->pieces;

    if (*at == subs->piece_count) /* skip what begins behind addr */
        *at = sorted_up_to(SORTED_BY(pieces, *at, struct code_range, start), addr);
    while (*at > 0 && pieces[*at - 1].reach > addr && budget_work(budget, 1)) {
        const struct code_range *p = &pieces[--*at];
        if (addr < p->end)
            return p;
    }
    *at = 0;
    return NULL;
}
