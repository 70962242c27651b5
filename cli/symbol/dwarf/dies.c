/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks DWARF entries; trusts none of them to end. */
#include "dies.h"

#include <dwarf.h>

static bool is_entered(const struct dies_walk *walk, Dwarf_Die *die)
{
    if (walk->deep)
        return true;
    switch (dwarf_tag(die)) {
    case DW_TAG_namespace:
    case DW_TAG_module:
        return true;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        return walk->classes;
    default:
        return false;
    }
}

/* Where no attribute says where the next one is, libdw goes through all that is inside. */
static inline bool next_entry(struct budget *budget, Dwarf_Die *die)
{
    const char *before = die->addr;

    if (dwarf_siblingof(die, die) != 0)
        return false;
    const char *now = die->addr;
    return now > before &&
           budget_work(budget, (16 + (uint64_t)(now - before)) * budget->entry / 16);
}

bool dies_next(struct budget *budget, Dwarf_Die *die)
{
    return next_entry(budget, die);
}

/* false: it is over. */
static bool walk_children(struct dies_walk *walk, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    if (depth == DIES_DEPTH || dwarf_child(parent, &die) != 0)
        return true;
    do {
        if (!walk->visit(walk->context, &die))
            return false;
        if (is_entered(walk, &die) && !walk_children(walk, &die, depth + 1))
            return false;
    } while (next_entry(walk->budget, &die));
    return !budget_is_over(walk->budget);
}

void dies_below(Dwarf_Die *die, struct dies_walk *walk)
{
    (void)walk_children(walk, die, 0);
}

void dies_each(Dwarf *dwarf, struct dies_walk *walk)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    Dwarf_Half version;
    uint8_t type;

    while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        if (type == DW_UT_compile && !walk_children(walk, &die, 0))
            return;
    }
}

static bool next_type(Dwarf_Die *of, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_attr_integrate(of, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

bool dies_type(Dwarf_Die *of, Dwarf_Die *type)
{
    for (unsigned i = 0; i < DIES_DEPTH; i++) {
        if (!next_type(i == 0 ? of : type, type))
            return false;
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
        case DW_TAG_packed_type:
            break;
        default:
            return true;
        }
    }
    return false;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_attr_integrate(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

const char *dies_name(Dwarf_Die *die)
{
    return text_of(die, DW_AT_name);
}

const char *dies_linkage_name(Dwarf_Die *die)
{
    const char *name = text_of(die, DW_AT_linkage_name);

    return name ? name : text_of(die, DW_AT_MIPS_linkage_name);
}
