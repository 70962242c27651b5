/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, pointers and enumerations. */
#include "scalars.h"

#include <dwarf.h>
#include <string.h>

#include "dies.h"

/* The letter of a number, 0: it is none that fits into registers. floats: 'f' or 'r'. */
static char base_letter(Dwarf_Die *type, char floats)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;

    if (!dwarf_attr_integrate(type, DW_AT_encoding, &attribute) ||
        dwarf_formudata(&attribute, &encoding) != 0)
        return 0;
    switch (encoding) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return 'i';
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
    case DW_ATE_UTF:
        return 'u';
    case DW_ATE_float:
        return floats;
    default:
        return 0;
    }
}

/* As the type beneath it, or as it says itself. */
static char enumeration_letter(Dwarf_Die *type)
{
    Dwarf_Die number;
    char letter = dies_type(type, &number) ? base_letter(&number, 0) : base_letter(type, 0);

    return letter ? letter : 'u';
}

static char letter_of(Dwarf_Die *type, char floats)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        return base_letter(type, floats);
    case DW_TAG_enumeration_type:
        return enumeration_letter(type);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return 'p';
    default:
        return 0;
    }
}

bool scalars_describe(Dwarf_Die *of, char floats, char code[2])
{
    Dwarf_Die type;
    char letter = dies_type(of, &type) ? letter_of(&type, floats) : 0;
    int size = letter ? dwarf_bytesize(&type) : 0;

    if (letter == 'p' && size <= 0) { /* that of an address */
        Dwarf_Die unit;
        uint8_t bytes;
        if (!dwarf_diecu(of, &unit, &bytes, NULL))
            return false;
        size = bytes;
    }
    code[0] = letter;
    code[1] = (char)('0' + size);
    return letter && (size == 1 || size == 2 || size == 4 || size == 8);
}

static bool is_char(Dwarf_Die *type)
{
    const char *name = dwarf_tag(type) == DW_TAG_base_type ? dies_name(type) : NULL;

    return name && strcmp(name, "char") == 0;
}

/* Entries of units of types, which DWARF 4 has in a section of their own, are not found again. */
static bool find_entry(Dwarf_Die *type, uint64_t *entry)
{
    Dwarf_Die same;

    *entry = dwarf_dieoffset(type);
    return dwarf_offdie(dwarf_cu_getdwarf(type->cu), *entry, &same) && same.addr == type->addr;
}

struct symtab_type scalars_type(Dwarf_Die *of)
{
    struct symtab_type found = {.kind = SYMTAB_TYPE_PLAIN};
    Dwarf_Die type, to;
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;

    if (!dies_type(of, &type))
        return found;
    switch (dwarf_tag(&type)) {
    case DW_TAG_enumeration_type:
        if (find_entry(&type, &found.entry))
            found.kind = SYMTAB_TYPE_ENUM;
        break;
    case DW_TAG_pointer_type:
        if (dies_type(&type, &to) && is_char(&to))
            found.kind = SYMTAB_TYPE_STRING;
        break;
    case DW_TAG_base_type:
        if (is_char(&type))
            found.kind = SYMTAB_TYPE_CHAR;
        else if (dwarf_attr(&type, DW_AT_encoding, &attribute) &&
                 dwarf_formudata(&attribute, &encoding) == 0 && encoding == DW_ATE_boolean)
            found.kind = SYMTAB_TYPE_BOOL;
        break;
    default:
        break;
    }
    return found;
}
