/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads names and places of inlined functions, and remembers them by their entries. */
#define _POSIX_C_SOURCE 200809L

#include "origins.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <names/demangle.h>

#include "die_names.h"
#include "dies.h"

/* The work of asking for name and place of a function, in entries; and for its name, in bytes. */
#define ASK_ENTRIES 8
#define ASK_NAME    1024

/* A longer name is none. */
#define NAME_LONGEST ((size_t)1 << 16)

static uint32_t *slot_of(const struct origins *o, uint32_t *slots, size_t count, Dwarf_Off entry)
{
    const struct origin *list = o->list.items;
    size_t at = (size_t)((entry * 0x9e3779b97f4a7c15u) >> 32) & (count - 1);

    while (slots[at] != 0 && list[slots[at] - 1].entry != entry)
        at = (at + 1) & (count - 1);
    return &slots[at];
}

static bool grow(struct origins *o)
{
    size_t count = o->slot_count ? 2 * o->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof(*slots));

    if (!slots)
        return false;
    for (size_t i = 0; i < o->list.count; i++)
        *slot_of(o, slots, count, origins_get(o, i)->entry) = (uint32_t)i + 1;
    free(o->slots);
    o->slots = slots;
    o->slot_count = count;
    return true;
}

static uint32_t number_of(Dwarf_Attribute *attribute)
{
    Dwarf_Word value = 0;

    if (dwarf_formudata(attribute, &value) != 0 || value > UINT32_MAX)
        return 0;
    return (uint32_t)value;
}

/* The file's number counts in the unit that says it, which is not always the function's own. */
static void read_place(const struct origins *o, Dwarf_Die *function, struct origin *origin)
{
    Dwarf_Attribute attribute;
    Dwarf_Die root;

    if (dwarf_attr_integrate(function, DW_AT_decl_line, &attribute))
        origin->line = number_of(&attribute);
    if (!dwarf_attr_integrate(function, DW_AT_decl_file, &attribute) ||
        !dwarf_cu_die(attribute.cu, &root, NULL, NULL, NULL, NULL, NULL, NULL))
        return;
    const struct unit *unit = units_at(o->units, dwarf_dieoffset(&root));
    origin->file = number_of(&attribute);
    if (unit)
        origin->unit = (uint32_t)(unit - o->units->list);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_overloads(struct origins *o)
{
    const struct functions *f = o->functions;
    bool good = true;

    o->overloads_read = true;
    for (size_t i = 0; i < f->count && good; i++) {
        if (f->functions[i].symbol && strchr(f->functions[i].name, '('))
            good = budget_vec_push(&o->overloads, &f->functions[i].name, sizeof(char *));
    }
    if (o->overloads.count)
        qsort(o->overloads.items, o->overloads.count, sizeof(char *), compare_names);
}

/* Functions of one name are told apart by their parameters: whether the symbol table has one that
 * is called so. */
static bool is_overload(struct origins *o, const char *name)
{
    return bsearch(&name, o->overloads.items, o->overloads.count, sizeof(char *), compare_names) !=
           NULL;
}

/* The name that the copy of the function which was not inlined has, or would have. */
static const char *read_name(struct origins *o, Dwarf_Die *function)
{
    char text[DEMANGLE_MAX], whole[DEMANGLE_MAX];
    const char *linkage = dies_linkage_name(function);

    if (!(linkage ? demangle(linkage, false, text)
                  : die_name(&o->children, function, false, text))) {
        const char *name = dies_name(function);
        return name && strnlen(name, NAME_LONGEST) < NAME_LONGEST ? name : NULL;
    }
    if (!o->overloads_read)
        read_overloads(o);
    if (o->overloads.count &&
        (linkage ? demangle(linkage, true, whole)
                 : die_name(&o->children, function, true, whole)) &&
        is_overload(o, whole))
        return sources_keep(o->sources, whole);
    return sources_keep(o->sources, text);
}

size_t origins_take(struct origins *origins, Dwarf_Off function)
{
    struct origins *o = origins;
    Dwarf_Die die;
    struct origin origin = {.entry = function, .unit = UINT32_MAX};

    if (2 * (o->list.count + 1) > o->slot_count && !grow(o))
        return SIZE_MAX;
    uint32_t *slot = slot_of(o, o->slots, o->slot_count, origin.entry);
    if (*slot != 0)
        return *slot - 1;
    struct budget *budget = o->units->budget;
    if (!budget_work(budget, ASK_NAME + (uint64_t)ASK_ENTRIES * budget->entry))
        return SIZE_MAX;
    if (dwarf_offdie(o->units->dwarf, function, &die)) {
        origin.name = read_name(o, &die);
        read_place(o, &die, &origin);
    }
    if (o->list.count >= UINT32_MAX - 1 || !budget_vec_push(&o->list, &origin, sizeof(origin)))
        return SIZE_MAX;
    *slot = (uint32_t)o->list.count;
    return o->list.count - 1;
}

const struct origin *origins_get(const struct origins *origins, size_t number)
{
    return (const struct origin *)origins->list.items + number;
}

void origins_drop(struct origins *origins)
{
    budget_vec_free(&origins->list);
    children_free(&origins->children);
    budget_vec_free(&origins->overloads);
    origins->overloads_read = false;
    free(origins->slots);
    origins->slots = NULL;
    origins->slot_count = 0;
}

size_t origins_bytes(const struct origins *origins)
{
    return origins->list.capacity * sizeof(struct origin) +
           origins->overloads.capacity * sizeof(char *) +
           origins->slot_count * sizeof(*origins->slots) + children_bytes(&origins->children);
}
