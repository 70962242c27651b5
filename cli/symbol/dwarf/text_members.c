/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a structure of C has a text. */
#include <dwarf/text_members.h>

#include <dwarf.h>
#include <string.h>

#include "dies.h"

struct search {
    const char *structure, *member;
    struct budget *budget;
    uint64_t offset, size;
    bool found;
};

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;

    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0)
        return false;
    *number = word;
    return true;
}

/* Elements of an array of bytes, 0: it is none. */
static uint64_t text_size(struct budget *budget, Dwarf_Die *member)
{
    Dwarf_Die type, element, range;
    uint64_t bytes = 0, last;

    if (!dies_type(member, &type) || dwarf_tag(&type) != DW_TAG_array_type ||
        !dies_type(&type, &element) || !number_of(&element, DW_AT_byte_size, &bytes) ||
        bytes != 1 || dwarf_child(&type, &range) != 0)
        return 0;
    do {
        if (dwarf_tag(&range) != DW_TAG_subrange_type)
            continue;
        if (number_of(&range, DW_AT_count, &bytes))
            return bytes;
        return number_of(&range, DW_AT_upper_bound, &last) && last < UINT32_MAX ? last + 1 : 0;
    } while (dies_next(budget, &range));
    return 0;
}

static void look_at(struct search *s, Dwarf_Die *structure)
{
    Dwarf_Die member;

    if (dwarf_child(structure, &member) != 0)
        return;
    do {
        const char *name = dwarf_tag(&member) == DW_TAG_member ? dies_name(&member) : NULL;
        if (!name || strcmp(name, s->member) != 0 ||
            !number_of(&member, DW_AT_data_member_location, &s->offset))
            continue;
        s->size = text_size(s->budget, &member);
        s->found = s->size != 0;
    } while (!s->found && dies_next(s->budget, &member));
}

static bool on_die(void *context, Dwarf_Die *die)
{
    struct search *s = context;
    const char *name = dwarf_tag(die) == DW_TAG_structure_type ? dies_name(die) : NULL;

    if (name && strcmp(name, s->structure) == 0)
        look_at(s, die);
    return !s->found;
}

bool text_members_find(struct debug *debug, const char *structure, const char *member,
                       uint64_t *offset, uint64_t *size)
{
    struct budget *budget = &debug_image(debug)->budgets->debug;
    struct search s = {.structure = structure, .member = member, .budget = budget};
    struct dies_walk walk = {.context = &s, .visit = on_die, .budget = budget};
    Dwarf *dwarf = budget_resume(budget) ? debug_dwarf(debug) : NULL;

    if (dwarf)
        dies_each(dwarf, &walk);
    *offset = s.offset;
    *size = s.size;
    return s.found;
}
