/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of functions, by their types. */
#include <dwarf/parameters.h>

#include <dwarf.h>
#include <string.h>

#include "dies.h"
#include "scalars.h"
#include "structures.h"

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

/* A large result is written to where the first register points. */
static bool has_simple_result(Dwarf_Die *function)
{
    Dwarf_Die type;
    char code[2];

    return !dies_type(function, &type) || scalars_describe(function, 'f', code);
}

/* gcc does not describe the place of a structure that it takes apart, and changes the parameters
 * only of functions with other names. */
static bool is_structure_of_gcc(Dwarf_Die *parameter)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type, unit;

    if (!dies_type(parameter, &type) || !structures_is(&type) ||
        !dwarf_diecu(parameter, &unit, NULL, NULL) ||
        !dwarf_attr(&unit, DW_AT_producer, &attribute))
        return false;
    const char *producer = dwarf_formstring(&attribute);
    return producer && strncmp(producer, "GNU C", 5) == 0;
}

/* Optimised code of clang may leave a parameter out, whose place is not described then. */
static bool is_passed(Dwarf_Die *parameter)
{
    return dwarf_hasattr(parameter, DW_AT_location) ||
           dwarf_hasattr(parameter, DW_AT_const_value) || is_structure_of_gcc(parameter);
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

/* Describes all parameters again, with those that are structures. Without any the text is empty. */
static void read_layout(struct budget *budget, Dwarf_Die *function, char floats, bool more,
                        struct symtab_layout *layout)
{
    struct structures to = {.budget = budget, .layout = layout, .floats = floats};
    struct structures described = to;
    unsigned count = 0;
    Dwarf_Die die;

    structures_put(&to, "(", 1);
    if (dwarf_child(function, &die) == 0) {
        do {
            if (dwarf_tag(&die) != DW_TAG_formal_parameter)
                continue;
            described = to;
            if (count++ == SYMTAB_PARAMETERS_MAX)
                to.failed = true;
            else
                structures_add(&to, &die);
        } while (!to.failed && dies_next(budget, &die));
    }
    structures_end(to.failed ? &described : &to, more || to.failed);
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
    const bool variadic = more;
    char floats = has_float_registers(function, variadic) ? 'f' : 'r';
    text[used++] = '(';
    if (dwarf_child(function, &die) == 0) {
        do {
            if (dwarf_tag(&die) != DW_TAG_formal_parameter)
                continue;
            size_t index = used / 2;
            if (index == SYMTAB_PARAMETERS_MAX || !scalars_describe(&die, floats, text + used)) {
                more = true;
                break;
            }
            parameters->types[index] = scalars_type(&die);
            used += 2;
        } while (dies_next(budget, &die));
    }
    read_layout(budget, function, floats, variadic, &parameters->layout);
    if (more)
        text[used++] = '*';
    text[used] = '\0';
    return !budget_is_over(budget);
}

/* Only a function without a type returns nothing. */
bool parameters_read_result(struct budget *budget, Dwarf_Die *function,
                            struct symtab_result *result)
{
    char floats = has_float_registers(function, false) ? 'f' : 'r';

    *result = (struct symtab_result){.text = "*"};
    if (!budget_work(budget, (uint64_t)PARAMETER_ENTRIES * budget->entry))
        return false;
    if (!dwarf_hasattr_integrate(function, DW_AT_type))
        result->text[0] = 'v';
    else if (scalars_describe(function, floats, result->text))
        result->type = scalars_type(function);
    else
        memcpy(result->text, "*", 2);
    return true;
}
