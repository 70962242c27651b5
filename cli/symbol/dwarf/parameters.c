/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of functions, by their types. */
#include <dwarf/parameters.h>

#include <dwarf.h>
#include <string.h>

#include "dies.h"

/* The work of looking at a parameter and its type, in entries. */
#define PARAMETER_ENTRIES 10

/* RISC-V ELF psABI, "File Header": the type of registers that floating point values are passed in.
 */
#define RISCV_FLOAT_ABI 0x6u

/* Whether floating point values have registers of their own, on Arm not those of a function whose
 * caller chooses how many it gives (Procedure Call Standard for the Arm Architecture, 6.1.2 and
 * 6.4.1; System V ABI for x86-64, 3.2.3). */
static bool has_float_registers(Dwarf_Die *of, bool variadic)
{
    Dwarf_CU *unit = of->cu;
    GElf_Ehdr header;

    if (!gelf_getehdr(dwarf_getelf(dwarf_cu_getdwarf(unit)), &header))
        return true;
    switch (header.e_machine) {
    case EM_ARM:
        return !variadic && (header.e_flags & EF_ARM_ABI_FLOAT_HARD);
    case EM_RISCV:
        return header.e_flags & RISCV_FLOAT_ABI;
    default:
        return true;
    }
}

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

static bool describe(Dwarf_Die *of, char floats, char code[2])
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

static struct symtab_type type_of(Dwarf_Die *parameter)
{
    struct symtab_type found = {.kind = SYMTAB_TYPE_PLAIN};
    Dwarf_Die type, to;
    Dwarf_Attribute attribute;
    Dwarf_Word encoding;

    if (!dies_type(parameter, &type))
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

/* A large result is written to where the first register points. */
static bool has_simple_result(Dwarf_Die *function)
{
    Dwarf_Die type;
    char code[2];

    return !dies_type(function, &type) || describe(function, 'f', code);
}

/* Optimised code of clang may leave a parameter out, whose place is not described then. */
static bool is_passed(Dwarf_Die *parameter)
{
    return dwarf_hasattr(parameter, DW_AT_location) || dwarf_hasattr(parameter, DW_AT_const_value);
}

/* Goes over the parameters. *more: there are others, which the caller chooses. Returns false if one
 * is not passed, or the budget is over. */
static bool look_at_all(struct budget *budget, Dwarf_Die *function, bool *more)
{
    Dwarf_Die die;

    *more = false;
    if (dwarf_child(function, &die) != 0)
        return true;
    do {
        if (!budget_work(budget, (uint64_t)PARAMETER_ENTRIES * budget->entry))
            return false;
        *more |= dwarf_tag(&die) == DW_TAG_unspecified_parameters;
        if (dwarf_tag(&die) == DW_TAG_formal_parameter && !is_passed(&die))
            return false;
    } while (dies_next(budget, &die));
    return true;
}

bool parameters_read(struct budget *budget, Dwarf_Die *function,
                     struct symtab_parameters *parameters)
{
    char *text = parameters->text;
    size_t used = 0;
    Dwarf_Die die;
    bool more;

    if (!has_simple_result(function) || !look_at_all(budget, function, &more))
        return false;
    char floats = has_float_registers(function, more) ? 'f' : 'r';
    text[used++] = '(';
    if (dwarf_child(function, &die) == 0) {
        do {
            if (dwarf_tag(&die) != DW_TAG_formal_parameter)
                continue;
            size_t index = used / 2;
            if (index == SYMTAB_PARAMETERS_MAX || !describe(&die, floats, text + used)) {
                more = true;
                break;
            }
            parameters->types[index] = type_of(&die);
            used += 2;
        } while (dies_next(budget, &die));
    }
    if (more)
        text[used++] = '*';
    text[used] = '\0';
    return !budget_is_over(budget);
}
