/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of the values of an enumeration, and of flags that are set. */
#include <dwarf/enumerators.h>

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>

#include "dies.h"

struct search {
    struct budget *budget;
    uint64_t value, mask; /* mask: the bits that a value has */
    const char *exact;    /* the enumerator; NULL: none has the value */
    uint64_t single;      /* bits that have an enumerator of their own */
    uint64_t several;     /* bits of enumerators with several */
};

static bool is_single(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Sets *value to that of an enumerator. */
static bool take(struct search *s, Dwarf_Die *die, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;

    if (dwarf_tag(die) != DW_TAG_enumerator || !dwarf_attr(die, DW_AT_const_value, &attribute) ||
        dwarf_formudata(&attribute, &word) != 0)
        return false;
    *value = word & s->mask;
    return true;
}

/* Calls visit() for each enumerator that has a name. */
static bool each(struct search *s, Dwarf_Die *enumeration,
                 void (*visit)(struct search *s, void *context, uint64_t value, const char *name),
                 void *context)
{
    Dwarf_Die die;
    uint64_t value;

    if (dwarf_child(enumeration, &die) != 0)
        return false;
    do {
        const char *name = take(s, &die, &value) ? dies_name(&die) : NULL;
        if (name)
            visit(s, context, value, name);
    } while (dies_next(s->budget, &die));
    return !budget_is_over(s->budget);
}

static void look(struct search *s, void *context, uint64_t value, const char *name)
{
    (void)context;
    if (value == s->value && !s->exact)
        s->exact = name;
    if (is_single(value))
        s->single |= value;
    else
        s->several |= value;
}

struct joined {
    const char *scope; /* "Color::", in two parts */
    const char *colons;
    char *text;
    size_t used, capacity;
    uint64_t left; /* bits of the value that are not written yet */
};

static void put(struct joined *j, const char *name)
{
    if (j->used < j->capacity)
        j->used += (size_t)snprintf(j->text + j->used, j->capacity - j->used, "%s%s%s%s",
                                    j->used != 0 ? "|" : "", j->scope, j->colons, name);
}

static void put_flag(struct search *s, void *context, uint64_t value, const char *name)
{
    struct joined *j = context;

    (void)s;
    if (!is_single(value) || !(value & j->left))
        return;
    put(j, name);
    j->left &= ~value;
}

static void put_rest(struct joined *j)
{
    if (j->left != 0 && j->used < j->capacity)
        j->used +=
            (size_t)snprintf(j->text + j->used, j->capacity - j->used, "|0x%" PRIx64, j->left);
}

bool enumerators_find(struct budget *budget, Dwarf_Die *enumeration, uint64_t value, unsigned size,
                      char *text, size_t capacity)
{
    uint64_t mask = size < sizeof(mask) ? ((uint64_t)1 << 8 * size) - 1 : UINT64_MAX;
    struct search s = {.budget = budget, .value = value & mask, .mask = mask};
    bool scoped = dwarf_hasattr(enumeration, DW_AT_enum_class);
    const char *name = scoped ? dies_name(enumeration) : NULL;
    struct joined j = {.scope = name ? name : "",
                       .colons = name ? "::" : "",
                       .text = text,
                       .capacity = capacity,
                       .left = s.value};

    if (!each(&s, enumeration, look, NULL))
        return false;
    if (s.exact) {
        put(&j, s.exact);
        return j.used < capacity;
    }
    /* They are flags if all others are made of them; a negative one is not. */
    if ((s.several & ~s.single) != 0 || (s.value & s.single) == 0 ||
        !each(&s, enumeration, put_flag, &j))
        return false;
    put_rest(&j);
    return j.used < capacity;
}
