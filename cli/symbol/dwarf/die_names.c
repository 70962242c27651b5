/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spells functions of C++ with the scopes around them, from their debug information (DWARF 5, 3.3;
 * libiberty's cp-demangle.c for the spelling). */
#define _POSIX_C_SOURCE 200809L

#include "die_names.h"

#include <dwarf.h>
#include <string.h>

#include "die_types.h"
#include "dies.h"

/* Scopes around an entry. */
#define SCOPES_MAX 32

/* Where it was declared: what is around that is around the function. */
static void find_place(Dwarf_Die *die)
{
    Dwarf_Die to;

    for (unsigned i = 0; i < DIE_LEVELS_MAX; i++) {
        if (!die_refer(die, DW_AT_abstract_origin, &to) &&
            !die_refer(die, DW_AT_specification, &to))
            return;
        *die = to;
    }
}

/* Entries of DWARF 4's types stand in a section of their own, where offsets begin from 0 again. */
static bool is_elsewhere(Dwarf_Die *die)
{
    Dwarf_Half version;
    uint8_t kind;

    return dwarf_cu_info(die->cu, &version, &kind, NULL, NULL, NULL, NULL, NULL) != 0 ||
           (version < 5 && kind == DW_UT_type);
}

/* The entries from its unit down to the entry itself; returns how many, 0: they are not found. */
static size_t find_path(struct die_writer *w, Dwarf_Die *die, Dwarf_Die path[SCOPES_MAX])
{
    Dwarf_Off goal = dwarf_dieoffset(die);
    size_t count = 1;

    if (is_elsewhere(die) || !dwarf_diecu(die, &path[0], NULL, NULL))
        return 0;
    for (; dwarf_dieoffset(&path[count - 1]) != goal; count++) {
        if (count == SCOPES_MAX ||
            !children_find(w->children, &path[count - 1], goal, &path[count]))
            return 0;
    }
    return budget_is_over(w->children->budget) ? 0 : count;
}

/* Without the arguments, which compilers spell in their own way. */
static size_t base_len(const char *name)
{
    const char *from = name;

    if (strncmp(name, "operator", 8) == 0)
        from += 8 + strspn(name + 8, "<>=-");
    return (size_t)(from - name) + strcspn(from, "<");
}

static void put_signature(struct die_writer *w, Dwarf_Die *function);

/* A class without a name is that of a lambda, if it can be called. Its number among those of its
 * function is not known. */
static bool put_lambda(struct die_writer *w, Dwarf_Die *type)
{
    Dwarf_Die child;
    bool more = dwarf_tag(type) != DW_TAG_subprogram && dwarf_child(type, &child) == 0;

    for (; more; more = die_step(w, &child)) {
        const char *name = dwarf_tag(&child) == DW_TAG_subprogram ? dies_name(&child) : NULL;
        if (!name || strcmp(name, "operator()") != 0)
            continue;
        die_put(w, "{lambda");
        die_put_parameters(w, &child);
        die_put(w, "}");
        return true;
    }
    return false;
}

/* Of a declaration without more the arguments are not known. */
static void put_own_name(struct die_writer *w, Dwarf_Die *die)
{
    const char *name = dies_name(die);

    if (!name && put_lambda(w, die))
        return;

    if (!name || !die_is_template(w, die)) {
        die_put_spelled(w, name);
        return;
    }
    die_put_len(w, name, base_len(name));
    die_put_sign(w, '<');
    (void)die_put_arguments(w, die, 0);
    die_put_sign(w, '>');
}

/* One that others can call, without a linkage name. */
static bool is_extern_c(Dwarf_Die *function)
{
    return dwarf_hasattr_integrate(function, DW_AT_external) && !dies_linkage_name(function);
}

static void put_scope(struct die_writer *w, Dwarf_Die *scope)
{
    switch (dwarf_tag(scope)) {
    case DW_TAG_namespace:
        die_put(w, dies_name(scope) ? dies_name(scope) : "(anonymous namespace)");
        break;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        put_own_name(w, scope);
        break;
    case DW_TAG_subprogram:
        die_put_qualified(w, scope);
        if (!is_extern_c(scope))
            put_signature(w, scope);
        break;
    default: /* a block of a function */
        return;
    }
    die_put(w, "::");
}

/* A function says itself what it is in. */
static void put_scopes(struct die_writer *w, Dwarf_Die *die)
{
    Dwarf_Die path[SCOPES_MAX];
    size_t count = find_path(w, die, path), first = 1;

    w->failed |= count == 0;
    for (size_t i = 1; i + 1 < count; i++)
        first = dwarf_tag(&path[i]) == DW_TAG_subprogram ? i : first;
    for (size_t i = first; i + 1 < count && !w->failed; i++)
        put_scope(w, &path[i]);
}

void die_put_qualified(struct die_writer *w, Dwarf_Die *die)
{
    Dwarf_Die place = *die;

    w->failed |= w->level++ > DIE_LEVELS_MAX;
    find_place(&place);
    if (!w->failed)
        put_scopes(w, &place);
    bool placed = !w->failed;
    size_t used = w->used;
    if (!w->failed)
        put_own_name(w, &place);
    if (w->failed && placed &&
        w->level == 1) { /* some argument is not one of those that are known here */
        w->failed = false;
        w->used = used;
        die_put_spelled(w, dies_name(&place));
    }
    w->level--;
}

/* Whether the object that it is called of is constant. */
static bool is_const(Dwarf_Die *function)
{
    Dwarf_Die child, pointer, to;

    if (dwarf_child(function, &child) != 0 || dwarf_tag(&child) != DW_TAG_formal_parameter ||
        !dwarf_hasattr_integrate(&child, DW_AT_artificial) ||
        !die_refer(&child, DW_AT_type, &pointer))
        return false;
    if (dwarf_tag(&pointer) == DW_TAG_const_type && die_refer(&pointer, DW_AT_type, &to))
        pointer = to;
    return die_refer(&pointer, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_const_type;
}

static void put_signature(struct die_writer *w, Dwarf_Die *function)
{
    die_put_parameters(w, function);
    if (is_const(function))
        die_put(w, " const");
}

static bool is_cpp(Dwarf_Die *die)
{
    Dwarf_Die unit;

    if (!dwarf_diecu(die, &unit, NULL, NULL))
        return false;
    switch (dwarf_srclang(&unit)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case 0x2b: /* C++17, of DWARF 6 */
    case 0x2c: /* C++20 */
        return true;
    default:
        return false;
    }
}

bool die_name(struct children *children, Dwarf_Die *function, bool parameters,
              char text[DEMANGLE_MAX])
{
    struct die_writer w = {.text = text, .children = children};
    Dwarf_Die place = *function;

    if (!is_cpp(function) || is_extern_c(function))
        return false;
    find_place(&place);
    if (parameters && die_is_template(&w, &place)) {
        die_put_type_of(&w, &place);
        die_put(&w, " ");
    }
    die_put_qualified(&w, &place);
    if (parameters)
        put_signature(&w, &place);
    return !w.failed && !budget_is_over(children->budget);
}
