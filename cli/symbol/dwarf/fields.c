/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows an expression of C, like "a.b->c", through the types of a variable. */
#include <dwarf/fields.h>

#include <dwarf.h>
#include <string.h>

#include "dies.h"

/* Unnamed structures within each other. */
#define LEVELS_MAX 8

/* The work of looking at a member, in entries. */
#define MEMBER_ENTRIES 10

struct search {
    Dwarf *dwarf;
    struct budget *budget;
    const char *path; /* begins with the name of the variable */
    struct symtab_field *field;
    bool found;
};

/* A name within the path. */
struct word {
    const char *text;
    size_t len;
};

static struct word word_at(const char *path)
{
    return (struct word){.text = path, .len = strcspn(path, ".-")};
}

static bool is_called(Dwarf_Die *die, const struct word *word)
{
    const char *name = dies_name(die);

    return name && strlen(name) == word->len && memcmp(name, word->text, word->len) == 0;
}

static bool is_structure(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* For a structure that its unit only declares: the same structure in another unit. */
struct definition {
    const char *name;
    Dwarf_Die *structure;
    bool found;
};

static bool is_definition(void *context, Dwarf_Die *die)
{
    struct definition *d = context;
    const char *name = is_structure(die) ? dies_name(die) : NULL;

    if (!name || strcmp(name, d->name) != 0 || dwarf_hasattr(die, DW_AT_declaration))
        return true;
    *d->structure = *die;
    d->found = true;
    return false;
}

static bool complete(struct search *s, Dwarf_Die *structure)
{
    struct definition d = {.name = dies_name(structure), .structure = structure};
    struct dies_walk walk = {.context = &d, .visit = is_definition, .budget = s->budget};

    if (!dwarf_hasattr(structure, DW_AT_declaration))
        return true;
    if (d.name)
        dies_each(s->dwarf, &walk);
    return d.found;
}

/* Finds a member, adds its offset, and replaces the structure by the type of the member. */
static bool enter_member(struct search *s, Dwarf_Die *structure, const struct word *word,
                         unsigned level)
{
    Dwarf_Die member, type;
    uint64_t offset;

    if (level > LEVELS_MAX || !complete(s, structure) || dwarf_child(structure, &member) != 0)
        return false;
    do {
        if (!budget_work(s->budget, (uint64_t)MEMBER_ENTRIES * s->budget->entry))
            return false;
        if (dwarf_tag(&member) != DW_TAG_member || !dies_offset(&member, &offset) ||
            !dies_type(&member, &type))
            continue;
        bool unnamed = !dies_name(&member) && is_structure(&type);
        if (!unnamed && !is_called(&member, word))
            continue;
        s->field->offset += offset;
        if (!unnamed || enter_member(s, &type, word, level + 1)) {
            *structure = type;
            return true;
        }
        s->field->offset -= offset;
    } while (dies_next(s->budget, &member));
    return false;
}

static uint64_t elements_of(struct search *s, Dwarf_Die *array)
{
    Dwarf_Die range;

    if (dwarf_child(array, &range) != 0)
        return 0;
    while (dwarf_tag(&range) != DW_TAG_subrange_type)
        if (!dies_next(s->budget, &range))
            return 0;
    return dies_elements(&range);
}

static uint64_t size_of(Dwarf_Die *type)
{
    uint8_t addr_size;
    Dwarf_Die unit;
    int size = dwarf_bytesize(type);

    if (size > 0)
        return (uint64_t)size;
    bool pointer = dwarf_tag(type) == DW_TAG_pointer_type;
    return pointer && dwarf_diecu(type, &unit, &addr_size, NULL) ? addr_size : 0;
}

/* Replaces an array by the type of its elements. */
static bool enter_array(struct search *s, Dwarf_Die *array)
{
    Dwarf_Die element;
    uint64_t count = elements_of(s, array);
    bool known = count != 0 && dies_type(array, &element);
    uint64_t size = known ? size_of(&element) : 0;

    if (size == 0 || count > UINT32_MAX)
        return false;
    s->field->count = count;
    s->field->stride = size;
    *array = element;
    return true;
}

static bool is_text(Dwarf_Die *array)
{
    Dwarf_Die element;

    return dies_type(array, &element) && dwarf_tag(&element) == DW_TAG_base_type &&
           dwarf_bytesize(&element) == 1;
}

static void describe(struct search *s, Dwarf_Die *type)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
        s->field->kind = SYMTAB_FIELD_POINTER;
        break;
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
        s->field->kind = SYMTAB_FIELD_NUMBER;
        break;
    default:
        s->field->kind = SYMTAB_FIELD_OTHER;
    }
    s->field->size = size_of(type);
    s->found = s->field->size != 0;
}

/* The end of the path. */
static void finish(struct search *s, Dwarf_Die *type)
{
    if (dwarf_tag(type) != DW_TAG_array_type) {
        describe(s, type);
    } else if (is_text(type)) {
        s->field->kind = SYMTAB_FIELD_TEXT;
        s->field->size = elements_of(s, type);
        s->found = s->field->size != 0 && s->field->size <= UINT32_MAX;
    } else if (enter_array(s, type)) {
        describe(s, type);
    }
}

/* From "." or "->" on. Returns what is left of the path; NULL: there is no such member. */
static const char *step(struct search *s, Dwarf_Die *type, const char *rest)
{
    bool pointer = rest[0] == '-';
    struct word word = word_at(rest + (pointer ? 2 : 1));

    if (dwarf_tag(type) == DW_TAG_array_type && !enter_array(s, type))
        return NULL;
    if (pointer) {
        if (dwarf_tag(type) != DW_TAG_pointer_type || !dies_type(type, type))
            return NULL;
        *s->field = (struct symtab_field){.count = 1};
    }
    return is_structure(type) && enter_member(s, type, &word, 0) ? word.text + word.len : NULL;
}

/* A variable of that name; others of that name may be of another type. */
static bool on_die(void *context, Dwarf_Die *die)
{
    struct search *s = context;
    const struct word name = word_at(s->path);
    const char *rest = s->path + name.len;
    Dwarf_Die type;

    if (dwarf_tag(die) != DW_TAG_variable || !is_called(die, &name) || !dies_type(die, &type))
        return true;
    *s->field = (struct symtab_field){.count = 1};
    while (rest && *rest)
        rest = step(s, &type, rest);
    if (rest)
        finish(s, &type);
    return !s->found;
}

bool fields_find(struct debug *debug, const char *path, struct symtab_field *field)
{
    struct budget *budget = &debug_image(debug)->budgets->debug;
    struct search s = {.path = path, .field = field, .budget = budget};
    struct dies_walk walk = {.context = &s, .visit = on_die, .budget = budget};

    s.dwarf = budget_resume(budget) ? debug_dwarf(debug) : NULL;
    if (s.dwarf)
        dies_each(s.dwarf, &walk);
    return s.found;
}
