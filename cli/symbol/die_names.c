/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spells names of C++ from their debug information (DWARF 5, 3.3 and 5; libiberty's cp-demangle.c
 * for the spelling). */
#define _POSIX_C_SOURCE 200809L

#include "die_names.h"

#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dies.h"

/* Names inside names, and types inside types. */
#define LEVELS_MAX 24

/* Scopes around an entry. */
#define SCOPES_MAX 32

struct writer {
    char *text;
    size_t used;
    struct children *children;
    unsigned level;
    bool failed;
};

static void put_len(struct writer *w, const char *text, size_t len)
{
    if (w->failed || len >= DEMANGLE_MAX - w->used) {
        w->failed = true;
        return;
    }
    memcpy(w->text + w->used, text, len);
    w->used += len;
    w->text[w->used] = '\0';
}

static void put(struct writer *w, const char *text)
{
    put_len(w, text ? text : "", text ? strnlen(text, DEMANGLE_MAX) : 0);
    w->failed |= text == NULL;
}

/* Nothing stands together that would be read as one sign. */
static void put_apart(struct writer *w, char sign)
{
    if (w->used && w->text[w->used - 1] == sign)
        put_len(w, " ", 1);
    put_len(w, &sign, 1);
}

static bool step(struct writer *w, Dwarf_Die *die)
{
    return !w->failed && children_step(w->children, die);
}

static bool refer(Dwarf_Die *die, unsigned name, Dwarf_Die *to)
{
    Dwarf_Attribute attribute;

    return dwarf_attr(die, name, &attribute) && dwarf_formref_die(&attribute, to);
}

/* Where it was declared: what is around that is around the function. */
static void find_place(Dwarf_Die *die)
{
    Dwarf_Die to;

    for (unsigned i = 0; i < LEVELS_MAX; i++) {
        if (!refer(die, DW_AT_abstract_origin, &to) && !refer(die, DW_AT_specification, &to))
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
static size_t find_path(struct writer *w, Dwarf_Die *die, Dwarf_Die path[SCOPES_MAX])
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

static void put_type(struct writer *w, Dwarf_Die *type);

/* The type that an entry has. */
static void put_type_of(struct writer *w, Dwarf_Die *of)
{
    Dwarf_Die type;

    if (refer(of, DW_AT_type, &type))
        put_type(w, &type);
    else
        put(w, "void");
}

/* What compilers call them, and what the demangler does; what is behind a number of that type. */
static const struct {
    const char *name, *shown, *behind;
} base_types[] = {
    {"int", "int", ""},
    {"unsigned int", "unsigned int", "u"},
    {"long int", "long", "l"},
    {"long", "long", "l"},
    {"long unsigned int", "unsigned long", "ul"},
    {"unsigned long", "unsigned long", "ul"},
    {"long long int", "long long", "ll"},
    {"long long", "long long", "ll"},
    {"long long unsigned int", "unsigned long long", "ull"},
    {"unsigned long long", "unsigned long long", "ull"},
    {"short int", "short", NULL},
    {"short unsigned int", "unsigned short", NULL},
    {"__int128 unsigned", "unsigned __int128", NULL},
};

#define BASE_TYPES (sizeof(base_types) / sizeof(base_types[0]))

static size_t find_base(Dwarf_Die *type)
{
    const char *name = dies_name(type);
    size_t i = 0;

    while (i < BASE_TYPES && (!name || strcmp(base_types[i].name, name) != 0))
        i++;
    return i;
}

static void put_base(struct writer *w, Dwarf_Die *type)
{
    size_t base = find_base(type);

    put(w, base < BASE_TYPES ? base_types[base].shown : dies_name(type));
}

static void put_number(struct writer *w, Dwarf_Attribute *attribute, bool is_signed)
{
    char text[32];
    Dwarf_Sword sword;
    Dwarf_Word word;

    if (is_signed && dwarf_formsdata(attribute, &sword) == 0)
        snprintf(text, sizeof(text), "%" PRIdMAX, (intmax_t)sword);
    else if (!is_signed && dwarf_formudata(attribute, &word) == 0)
        snprintf(text, sizeof(text), "%" PRIuMAX, (uintmax_t)word);
    else
        w->failed = true;
    put(w, w->failed ? NULL : text);
}

static Dwarf_Word encoding_of(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;

    if (dwarf_attr(type, DW_AT_encoding, &attribute))
        (void)dwarf_formudata(&attribute, &encoding);
    return encoding;
}

/* The argument of a template that is a number. */
static void put_value(struct writer *w, Dwarf_Die *argument)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type, under;
    Dwarf_Word word;

    if (!dies_type(argument, &type) || !dwarf_attr(argument, DW_AT_const_value, &attribute)) {
        w->failed = true;
        return;
    }
    bool enumeration = dwarf_tag(&type) == DW_TAG_enumeration_type;
    Dwarf_Word encoding = encoding_of(enumeration && dies_type(&type, &under) ? &under : &type);
    bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
    size_t base = enumeration ? BASE_TYPES : find_base(&type);
    bool plain = base < BASE_TYPES && base_types[base].behind;
    if (encoding == DW_ATE_boolean && !enumeration && dwarf_formudata(&attribute, &word) == 0) {
        put(w, word ? "true" : "false");
        return;
    }
    if (!plain) {
        put(w, "(");
        put_type(w, &type);
        put(w, ")");
    }
    put_number(w, &attribute, is_signed);
    if (plain)
        put(w, base_types[base].behind);
}

static bool is_argument(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);

    return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
           tag == DW_TAG_GNU_template_template_param || tag == DW_TAG_GNU_template_parameter_pack;
}

/* The arguments of a template, with count before them; returns how many there are with them. */
static size_t put_arguments(struct writer *w, Dwarf_Die *of, size_t count)
{
    Dwarf_Die child;

    if (w->level > LEVELS_MAX || dwarf_child(of, &child) != 0)
        return count;
    do {
        int tag = dwarf_tag(&child);
        if (!is_argument(&child))
            continue;
        if (tag == DW_TAG_GNU_template_parameter_pack) {
            w->level++;
            count = put_arguments(w, &child, count);
            w->level--;
            continue;
        }
        put(w, count++ ? ", " : "");
        if (tag == DW_TAG_template_type_parameter)
            put_type_of(w, &child);
        else if (tag == DW_TAG_template_value_parameter)
            put_value(w, &child);
        else
            w->failed = true;
    } while (!w->failed && step(w, &child));
    return count;
}

static bool is_template(struct writer *w, Dwarf_Die *die)
{
    Dwarf_Die child;

    if (dwarf_child(die, &child) != 0)
        return false;
    do {
        if (is_argument(&child))
            return true;
    } while (step(w, &child));
    return false;
}

/* Without the arguments, which compilers spell in their own way. */
static size_t base_len(const char *name)
{
    const char *from = name;

    if (strncmp(name, "operator", 8) == 0)
        from += 8 + strspn(name + 8, "<>=-");
    return (size_t)(from - name) + strcspn(from, "<");
}

static bool is_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The base type that a text begins with and whose name the demangler has in other words. */
static size_t find_spelling(const char *text)
{
    size_t i = 0;

    for (; i < BASE_TYPES; i++) {
        size_t len = strlen(base_types[i].name);
        if (strncmp(base_types[i].name, text, len) == 0 && !is_in_word(text[len]) &&
            strcmp(base_types[i].shown, base_types[i].name) != 0)
            break;
    }
    return i;
}

/* As the compiler spells it, but for base types. */
static void put_spelled(struct writer *w, const char *name)
{
    w->failed |= name == NULL;
    for (const char *at = name; !w->failed && *at;) {
        bool begins = at == name || !is_in_word(at[-1]);
        size_t base = begins ? find_spelling(at) : BASE_TYPES;
        if (base < BASE_TYPES)
            put(w, base_types[base].shown);
        else
            put_len(w, at, 1);
        at += base < BASE_TYPES ? strlen(base_types[base].name) : 1;
    }
}

static void put_parameters(struct writer *w, Dwarf_Die *function);
static void put_signature(struct writer *w, Dwarf_Die *function);
static void put_qualified(struct writer *w, Dwarf_Die *die);

/* A class without a name is that of a lambda, if it can be called. Its number among those of its
 * function is not known. */
static bool put_lambda(struct writer *w, Dwarf_Die *type)
{
    Dwarf_Die child;
    bool more = dwarf_tag(type) != DW_TAG_subprogram && dwarf_child(type, &child) == 0;

    for (; more; more = step(w, &child)) {
        const char *name = dwarf_tag(&child) == DW_TAG_subprogram ? dies_name(&child) : NULL;
        if (!name || strcmp(name, "operator()") != 0)
            continue;
        put(w, "{lambda");
        put_parameters(w, &child);
        put(w, "}");
        return true;
    }
    return false;
}

/* Of a declaration without more the arguments are not known. */
static void put_own_name(struct writer *w, Dwarf_Die *die)
{
    const char *name = dies_name(die);

    if (!name && put_lambda(w, die))
        return;

    if (!name || !is_template(w, die)) {
        put_spelled(w, name);
        return;
    }
    put_len(w, name, base_len(name));
    put_apart(w, '<');
    (void)put_arguments(w, die, 0);
    put_apart(w, '>');
}

/* One that others can call, without a linkage name. */
static bool is_extern_c(Dwarf_Die *function)
{
    return dwarf_hasattr_integrate(function, DW_AT_external) && !dies_linkage_name(function);
}

static void put_scope(struct writer *w, Dwarf_Die *scope)
{
    switch (dwarf_tag(scope)) {
    case DW_TAG_namespace:
        put(w, dies_name(scope) ? dies_name(scope) : "(anonymous namespace)");
        break;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        put_own_name(w, scope);
        break;
    case DW_TAG_subprogram:
        put_qualified(w, scope);
        if (!is_extern_c(scope))
            put_signature(w, scope);
        break;
    default: /* a block of a function */
        return;
    }
    put(w, "::");
}

/* A function says itself what it is in. */
static void put_scopes(struct writer *w, Dwarf_Die *die)
{
    Dwarf_Die path[SCOPES_MAX];
    size_t count = find_path(w, die, path), first = 1;

    w->failed |= count == 0;
    for (size_t i = 1; i + 1 < count; i++)
        first = dwarf_tag(&path[i]) == DW_TAG_subprogram ? i : first;
    for (size_t i = first; i + 1 < count && !w->failed; i++)
        put_scope(w, &path[i]);
}

static void put_qualified(struct writer *w, Dwarf_Die *die)
{
    Dwarf_Die place = *die;

    w->failed |= w->level++ > LEVELS_MAX;
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
        put_spelled(w, dies_name(&place));
    }
    w->level--;
}

/* The types of its parameters, but for the object that it is called of. */
static void put_parameters(struct writer *w, Dwarf_Die *function)
{
    Dwarf_Die child;
    const char *comma = "";
    bool more = dwarf_child(function, &child) == 0;

    put(w, "(");
    for (; more && !w->failed; more = step(w, &child)) {
        int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
            dwarf_hasattr_integrate(&child, DW_AT_artificial))
            continue;
        put(w, comma);
        comma = ", ";
        if (tag == DW_TAG_unspecified_parameters)
            put(w, "...");
        else
            put_type_of(w, &child);
    }
    put(w, ")");
}

/* Whether the object that it is called of is constant. */
static bool is_const(Dwarf_Die *function)
{
    Dwarf_Die child, pointer, to;

    if (dwarf_child(function, &child) != 0 || dwarf_tag(&child) != DW_TAG_formal_parameter ||
        !dwarf_hasattr_integrate(&child, DW_AT_artificial) || !refer(&child, DW_AT_type, &pointer))
        return false;
    if (dwarf_tag(&pointer) == DW_TAG_const_type && refer(&pointer, DW_AT_type, &to))
        pointer = to;
    return refer(&pointer, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_const_type;
}

static void put_signature(struct writer *w, Dwarf_Die *function)
{
    put_parameters(w, function);
    if (is_const(function))
        put(w, " const");
}

static void put_pointer(struct writer *w, Dwarf_Die *type, const char *sign)
{
    Dwarf_Die to;

    if (!refer(type, DW_AT_type, &to) || dwarf_tag(&to) != DW_TAG_subroutine_type) {
        put_type_of(w, type);
        put(w, sign);
        return;
    }
    put_type_of(w, &to);
    put(w, " (");
    put(w, sign);
    put(w, ")");
    put_parameters(w, &to);
}

/* A structure without a name is called as its typedef. */
static void put_typedef(struct writer *w, Dwarf_Die *type)
{
    Dwarf_Die to;
    bool unnamed =
        refer(type, DW_AT_type, &to) && !dies_name(&to) &&
        (dwarf_tag(&to) == DW_TAG_structure_type || dwarf_tag(&to) == DW_TAG_union_type ||
         dwarf_tag(&to) == DW_TAG_class_type || dwarf_tag(&to) == DW_TAG_enumeration_type);

    if (unnamed)
        put_qualified(w, type);
    else
        put_type_of(w, type);
}

/* The demangler always says it in this order. */
static void put_const(struct writer *w, Dwarf_Die *type)
{
    Dwarf_Die to;
    bool both = refer(type, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_volatile_type;

    put_type_of(w, both ? &to : type);
    put(w, both ? " const volatile" : " const");
}

static void put_any_type(struct writer *w, Dwarf_Die *type)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
    case DW_TAG_unspecified_type:
        put_base(w, type);
        break;
    case DW_TAG_typedef:
        put_typedef(w, type);
        break;
    case DW_TAG_const_type:
        put_const(w, type);
        break;
    case DW_TAG_volatile_type:
        put_type_of(w, type);
        put(w, " volatile");
        break;
    case DW_TAG_pointer_type:
        put_pointer(w, type, "*");
        break;
    case DW_TAG_reference_type:
        put_pointer(w, type, "&");
        break;
    case DW_TAG_rvalue_reference_type:
        put_pointer(w, type, "&&");
        break;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
        put_qualified(w, type);
        break;
    default:
        w->failed = true;
    }
}

static void put_type(struct writer *w, Dwarf_Die *type)
{
    w->failed |= w->level++ > LEVELS_MAX;
    if (!w->failed)
        put_any_type(w, type);
    w->level--;
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
    struct writer w = {.text = text, .children = children};
    Dwarf_Die place = *function;

    if (!is_cpp(function) || is_extern_c(function))
        return false;
    find_place(&place);
    if (parameters && is_template(&w, &place)) {
        put_type_of(&w, &place);
        put(&w, " ");
    }
    put_qualified(&w, &place);
    if (parameters)
        put_signature(&w, &place);
    return !w.failed && !budget_is_over(children->budget);
}
