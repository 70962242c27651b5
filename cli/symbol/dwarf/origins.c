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

static bool same_entry(const void *context, uint32_t a, uint32_t b)
{
    return origins_get(context, a)->entry == origins_get(context, b)->entry;
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

static bool read_origin(struct origins *o, struct origin *origin)
{
    struct budget *budget = o->units->budget;
    Dwarf_Die die;

    if (!budget_work(budget, ASK_NAME + (uint64_t)ASK_ENTRIES * budget->entry))
        return false;
    if (dwarf_offdie(o->units->dwarf, origin->entry, &die)) {
        origin->name = read_name(o, &die);
        read_place(o, &die, origin);
    }
    origin->read = true;
    return true;
}

size_t origins_take(struct origins *origins, Dwarf_Off function)
{
    struct budget_vec *list = &origins->list;
    const struct origin new = {.entry = function, .unit = UINT32_MAX};
    uint32_t number = (uint32_t)list->count, before;

    if (list->count >= DEDUPE_NONE - 1 || !budget_vec_push(list, &new, sizeof(new)))
        return SIZE_MAX;
    bool done = dedupe_put(&origins->known, hash_number(HASH_START, function), number, same_entry,
                           origins, &before);
    if (!done || before != DEDUPE_NONE)
        list->count--;
    if (!done)
        return SIZE_MAX;
    if (before != DEDUPE_NONE)
        number = before;
    struct origin *origin = (struct origin *)list->items + number;
    return origin->read || read_origin(origins, origin) ? number : SIZE_MAX;
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
    dedupe_free(&origins->known);
}

size_t origins_bytes(const struct origins *origins)
{
    return origins->list.capacity * sizeof(struct origin) +
           origins->overloads.capacity * sizeof(char *) +
           origins->known.size * sizeof(*origins->known.slots) + children_bytes(&origins->children);
}
