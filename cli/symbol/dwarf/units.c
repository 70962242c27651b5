/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the root entries of all units, and nothing below them. */
#include <dwarf/units.h>

#include <dwarf.h>
#include <stdlib.h>

#include <base/sorted.h>
#include <budget/vec.h>

#include "entries.h"

struct reader {
    const struct units *units; /* what is known before its units */
    struct budget_vec list, ranges, unplaced;
};

static bool take_range(void *context, const struct range *said)
{
    struct reader *r = context;
    struct code_range range = {.start = said->start, .end = said->end, .owner = r->list.count - 1};

    return said->start >= said->end || budget_vec_push(&r->ranges, &range, sizeof(range));
}

static bool take_ranges(struct reader *r, Dwarf_Die *die)
{
    size_t unit = r->list.count - 1;
    size_t before = r->ranges.count;

    if (!ranges_each(r->units, die, r, take_range))
        return false;
    return r->ranges.count != before || budget_vec_push(&r->unplaced, &unit, sizeof(unit));
}

static bool take_unit(struct reader *r, Dwarf_Die *die, uint8_t type)
{
    struct unit unit = {.entry = dwarf_dieoffset(die), .lines = UINT64_MAX};
    Dwarf_Attribute attribute;
    Dwarf_Word offset;

    if (dwarf_attr(die, DW_AT_stmt_list, &attribute) && dwarf_formudata(&attribute, &offset) == 0)
        unit.lines = offset;
    if (dwarf_attr(die, DW_AT_comp_dir, &attribute))
        unit.folder = dwarf_formstring(&attribute);
    if (!budget_vec_push(&r->list, &unit, sizeof(unit)))
        return false;
    return (type != DW_UT_compile && type != DW_UT_skeleton) || take_ranges(r, die);
}

static bool read_units(struct reader *r, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Half version;
    uint8_t type;
    bool good = true;

    while (good && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        good = budget_work(r->units->budget, r->units->budget->entry);
        if (good && (type == DW_UT_compile || type == DW_UT_skeleton || type == DW_UT_partial))
            good = take_unit(r, &die, type);
    }
    return good;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct code_range *x = a;
    const struct code_range *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->owner > y->owner) - (x->owner < y->owner);
}

void code_ranges_sort(struct code_range *ranges, size_t count)
{
    uint64_t reach = 0;

    if (count != 0)
        qsort(ranges, count, sizeof(*ranges), compare_ranges);
    for (size_t i = 0; i < count; i++) {
        reach = ranges[i].end > reach ? ranges[i].end : reach;
        ranges[i].reach = reach;
    }
}

static void take_sections(struct units *u, const struct debug *debug)
{
    u->section.bytes = debug_section(debug, ".debug_line", ".zdebug_line", &u->section.len);
    u->section.budget = u->budget;
    u->section.big_endian = u->image->header.e_ident[EI_DATA] == ELFDATA2MSB;
    u->info = debug_section(debug, ".debug_info", ".zdebug_info", &u->info_len);
    u->abbreviations =
        debug_section(debug, ".debug_abbrev", ".zdebug_abbrev", &u->abbreviations_len);
    u->range_lists =
        debug_section(debug, ".debug_rnglists", ".zdebug_rnglists", &u->range_lists_len);
    u->old_ranges = debug_section(debug, ".debug_ranges", ".zdebug_ranges", &u->old_ranges_len);
    u->strings = debug_section(debug, ".debug_str", ".zdebug_str", &u->strings_len);
    u->line_strings =
        debug_section(debug, ".debug_line_str", ".zdebug_line_str", &u->line_strings_len);
}

struct units *units_open(struct debug *debug)
{
    const struct image *image = debug_image(debug);
    Dwarf *dwarf = debug_dwarf(debug);
    struct units *u = dwarf ? calloc(1, sizeof(*u)) : NULL;

    if (!u)
        return NULL;
    *u = (struct units){.image = image, .dwarf = dwarf, .budget = &image->budgets->debug};
    take_sections(u, debug);
    struct reader r = {
        .units = u,
        .list = {.budget = u->budget},
        .ranges = {.budget = u->budget},
        .unplaced = {.budget = u->budget},
    };
    bool good = read_units(&r, dwarf);
    u->list = r.list.items;
    u->count = r.list.count;
    u->ranges = r.ranges.items;
    u->range_count = r.ranges.count;
    u->unplaced = r.unplaced.items;
    u->unplaced_count = r.unplaced.count;
    u->taken = r.list.taken + r.ranges.taken + r.unplaced.taken;
    if (!good) {
        units_free(u);
        return NULL;
    }
    code_ranges_sort(u->ranges, u->range_count);
    return u;
}

void units_free(struct units *units)
{
    if (!units)
        return;
    free(units->list);
    free(units->ranges);
    free(units->unplaced);
    budget_give(units->budget, units->taken);
    free(units);
}

struct unit *units_at(const struct units *units, Dwarf_Off entry)
{
    size_t at = sorted_below(SORTED_BY(units->list, units->count, struct unit, entry), entry);

    return at < units->count && units->list[at].entry == entry ? &units->list[at] : NULL;
}

/* The index behind the last range that begins at or before addr. */
static size_t behind(const struct units *u, uint64_t addr)
{
    return sorted_up_to(SORTED_BY(u->ranges, u->range_count, struct code_range, start), addr);
}

/* *at counts the ranges downwards that were looked at, and then the units without a place. */
struct unit *units_next(const struct units *units, uint64_t addr, size_t *at)
{
    size_t below = behind(units, addr);

    while (*at < below && units->ranges[below - 1 - *at].reach > addr) {
        const struct code_range *range = &units->ranges[below - 1 - (*at)++];
        if (!budget_work(units->budget, 1))
            return NULL;
        if (addr < range->end)
            return &units->list[range->owner];
    }
    if (*at < below)
        *at = below;
    if (*at - below < units->unplaced_count && budget_work(units->budget, 1))
        return &units->list[units->unplaced[(*at)++ - below]];
    return NULL;
}
