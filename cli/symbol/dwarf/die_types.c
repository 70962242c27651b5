/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spells types and template arguments of C++ (DWARF 5, 5; libiberty's cp-demangle.c for the
 * spelling). */
#define _POSIX_C_SOURCE 200809L

#include "die_types.h"

#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <names/demangle.h>

#include "dies.h"

void die_put_len(struct die_writer *w, const char *text, size_t len)
{
    if (w->failed || len >= DEMANGLE_MAX - w->used) {
        w->failed = true;
        return;
    }
    memcpy(w->text + w->used, text, len);
    w->used += len;
    w->text[w->used] = '\0';
}

void die_put(struct die_writer *w, const char *text)
{
    die_put_len(w, text ? text : "", text ? strnlen(text, DEMANGLE_MAX) : 0);
    w->failed |= text == NULL;
}

/* Nothing stands together that would be read as one sign. */
void die_put_sign(struct die_writer *w, char sign)
{
    if (w->used && w->text[w->used - 1] == sign)
        die_put_len(w, " ", 1);
    die_put_len(w, &sign, 1);
}

bool die_step(struct die_writer *w, Dwarf_Die *die)
{
    return !w->failed && children_step(w->children, die);
}

bool die_refer(Dwarf_Die *die, unsigned name, Dwarf_Die *to)
{
    Dwarf_Attribute attribute;

    return dwarf_attr(die, name, &attribute) && dwarf_formref_die(&attribute, to);
}

static void put_type(struct die_writer *w, Dwarf_Die *type);

/* The type that an entry has. */
void die_put_type_of(struct die_writer *w, Dwarf_Die *of)
{
    Dwarf_Die type;

    if (die_refer(of, DW_AT_type, &type))
        put_type(w, &type);
    else
        die_put(w, "void");
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

static void put_base(struct die_writer *w, Dwarf_Die *type)
{
    size_t base = find_base(type);

    die_put(w, base < BASE_TYPES ? base_types[base].shown : dies_name(type));
}

static void put_number(struct die_writer *w, Dwarf_Attribute *attribute, bool is_signed)
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
    die_put(w, w->failed ? NULL : text);
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
static void put_value(struct die_writer *w, Dwarf_Die *argument)
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
        die_put(w, word ? "true" : "false");
        return;
    }
    if (!plain) {
        die_put(w, "(");
        put_type(w, &type);
        die_put(w, ")");
    }
    put_number(w, &attribute, is_signed);
    if (plain)
        die_put(w, base_types[base].behind);
}

static bool is_argument(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);

    return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter ||
           tag == DW_TAG_GNU_template_template_param || tag == DW_TAG_GNU_template_parameter_pack;
}

/* The arguments of a template, with count before them; returns how many there are with them. */
size_t die_put_arguments(struct die_writer *w, Dwarf_Die *of, size_t count)
{
    Dwarf_Die child;

    if (w->level > DIE_LEVELS_MAX || dwarf_child(of, &child) != 0)
        return count;
    do {
        int tag = dwarf_tag(&child);
        if (!is_argument(&child))
            continue;
        if (tag == DW_TAG_GNU_template_parameter_pack) {
            w->level++;
            count = die_put_arguments(w, &child, count);
            w->level--;
            continue;
        }
        die_put(w, count++ ? ", " : "");
        if (tag == DW_TAG_template_type_parameter)
            die_put_type_of(w, &child);
        else if (tag == DW_TAG_template_value_parameter)
            put_value(w, &child);
        else
            w->failed = true;
    } while (!w->failed && die_step(w, &child));
    return count;
}

bool die_is_template(struct die_writer *w, Dwarf_Die *die)
{
    Dwarf_Die child;

    if (dwarf_child(die, &child) != 0)
        return false;
    do {
        if (is_argument(&child))
            return true;
    } while (die_step(w, &child));
    return false;
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
void die_put_spelled(struct die_writer *w, const char *name)
{
    w->failed |= name == NULL;
    for (const char *at = name; !w->failed && *at;) {
        bool begins = at == name || !is_in_word(at[-1]);
        size_t base = begins ? find_spelling(at) : BASE_TYPES;
        if (base < BASE_TYPES)
            die_put(w, base_types[base].shown);
        else
            die_put_len(w, at, 1);
        at += base < BASE_TYPES ? strlen(base_types[base].name) : 1;
    }
}

/* The types of its parameters, but for the object that it is called of. */
void die_put_parameters(struct die_writer *w, Dwarf_Die *function)
{
    Dwarf_Die child;
    const char *comma = "";
    bool more = dwarf_child(function, &child) == 0;

    die_put(w, "(");
    for (; more && !w->failed; more = die_step(w, &child)) {
        int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
            dwarf_hasattr_integrate(&child, DW_AT_artificial))
            continue;
        die_put(w, comma);
        comma = ", ";
        if (tag == DW_TAG_unspecified_parameters)
            die_put(w, "...");
        else
            die_put_type_of(w, &child);
    }
    die_put(w, ")");
}

static void put_pointer(struct die_writer *w, Dwarf_Die *type, const char *sign)
{
    Dwarf_Die to;

    if (!die_refer(type, DW_AT_type, &to) || dwarf_tag(&to) != DW_TAG_subroutine_type) {
        die_put_type_of(w, type);
        die_put(w, sign);
        return;
    }
    die_put_type_of(w, &to);
    die_put(w, " (");
    die_put(w, sign);
    die_put(w, ")");
    die_put_parameters(w, &to);
}

/* A structure without a name is called as its typedef. */
static void put_typedef(struct die_writer *w, Dwarf_Die *type)
{
    Dwarf_Die to;
    bool unnamed =
        die_refer(type, DW_AT_type, &to) && !dies_name(&to) &&
        (dwarf_tag(&to) == DW_TAG_structure_type || dwarf_tag(&to) == DW_TAG_union_type ||
         dwarf_tag(&to) == DW_TAG_class_type || dwarf_tag(&to) == DW_TAG_enumeration_type);

    if (unnamed)
        die_put_qualified(w, type);
    else
        die_put_type_of(w, type);
}

/* The demangler always says it in this order. */
static void put_const(struct die_writer *w, Dwarf_Die *type)
{
    Dwarf_Die to;
    bool both = die_refer(type, DW_AT_type, &to) && dwarf_tag(&to) == DW_TAG_volatile_type;

    die_put_type_of(w, both ? &to : type);
    die_put(w, both ? " const volatile" : " const");
}

static void put_any_type(struct die_writer *w, Dwarf_Die *type)
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
        die_put_type_of(w, type);
        die_put(w, " volatile");
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
        die_put_qualified(w, type);
        break;
    default:
        w->failed = true;
    }
}

static void put_type(struct die_writer *w, Dwarf_Die *type)
{
    w->failed |= w->level++ > DIE_LEVELS_MAX;
    if (!w->failed)
        put_any_type(w, type);
    w->level--;
}
