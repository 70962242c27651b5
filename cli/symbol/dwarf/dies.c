/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks DWARF entries; trusts none of them to end. */
#include "dies.h"

#include <dwarf.h>

/* Bytes of an expression of one operation, with room. */
#define EXPRESSION_MAX 32

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

bool dies_number(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;

    if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
        return false;
    *number = word;
    return true;
}

/* libdw keeps all that it reads. */
const Dwarf_Op *dies_operation(Dwarf_Attribute *attribute)
{
    Dwarf_Op *operations;
    Dwarf_Block block;
    size_t count;

    if (dwarf_formblock(attribute, &block) != 0 || block.length > EXPRESSION_MAX ||
        dwarf_getlocation(attribute, &operations, &count) != 0 || count != 1)
        return NULL;
    return operations;
}

/* DWARF 2 says it by an expression. */
bool dies_offset(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attribute;

    *offset = 0;
    if (!dwarf_attr(member, DW_AT_data_member_location, &attribute)) /* of a union */
        return !dwarf_hasattr(member, DW_AT_data_bit_offset);
    if (dies_number(member, DW_AT_data_member_location, offset))
        return true;
    const Dwarf_Op *operation = dies_operation(&attribute);
    if (!operation || operation->atom != DW_OP_plus_uconst)
        return false;
    *offset = operation->number;
    return true;
}

uint64_t dies_elements(Dwarf_Die *range)
{
    uint64_t value;
    uint64_t lower = 0;

    if (dies_number(range, DW_AT_count, &value))
        return value;
    (void)dies_number(range, DW_AT_lower_bound, &lower);
    if (!dies_number(range, DW_AT_upper_bound, &value) || value - lower > UINT32_MAX)
        return 0;
    return value - lower + 1;
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
