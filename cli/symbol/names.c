/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of DWARF by their addresses. */
#include "names.h"

#include <dwarf.h>

#include "dies.h"

struct reader {
    void *context;
    void (*take)(void *context, uint64_t addr, const char *name);
};

static bool on_die(void *context, Dwarf_Die *die)
{
    const struct reader *r = context;
    Dwarf_Addr addr;

    if (dwarf_tag(die) != DW_TAG_subprogram || dwarf_lowpc(die, &addr) != 0)
        return true;
    const char *name = dies_name(die);
    const char *linkage = dies_linkage_name(die);
    if (name)
        r->take(r->context, addr, name);
    if (linkage)
        r->take(r->context, addr, linkage);
    return true;
}

void names_each(const struct image *image, void *context,
                void (*take)(void *context, uint64_t addr, const char *name))
{
    struct reader reader = {.context = context, .take = take};
    struct dies_walk walk = {.context = &reader, .visit = on_die, .left = image->len};
    Dwarf *dwarf = image->bytes ? image_dwarf(image) : NULL;

    if (dwarf)
        dies_each(dwarf, &walk);
}
