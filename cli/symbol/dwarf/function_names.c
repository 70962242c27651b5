/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of DWARF by their addresses. */
#include <dwarf/function_names.h>

#include <dwarf.h>

#include "dies.h"

/* The work of asking for the names of a function, in entries. */
#define SUB_ENTRIES 4

struct reader {
    void *context;
    struct budget *budget;
    void (*take)(void *context, uint64_t addr, const char *name);
};

static bool on_die(void *context, Dwarf_Die *die)
{
    const struct reader *r = context;
    Dwarf_Addr addr;

    if (dwarf_tag(die) != DW_TAG_subprogram || dwarf_lowpc(die, &addr) != 0)
        return true;
    if (!budget_work(r->budget, (uint64_t)SUB_ENTRIES * r->budget->entry))
        return false;
    const char *name = dies_name(die);
    const char *linkage = dies_linkage_name(die);
    if (name)
        r->take(r->context, addr, name);
    if (linkage)
        r->take(r->context, addr, linkage);
    return true;
}

void function_names_each(struct debug *debug, void *context,
                         void (*take)(void *context, uint64_t addr, const char *name))
{
    const struct image *image = debug_image(debug);
    struct budget *budget = &image->budgets->debug;
    struct reader reader = {.context = context, .budget = budget, .take = take};
    struct dies_walk walk = {.context = &reader, .visit = on_die, .budget = budget};
    Dwarf *dwarf = image->bytes ? debug_dwarf(debug) : NULL;

    if (dwarf)
        dies_each(dwarf, &walk);
}
