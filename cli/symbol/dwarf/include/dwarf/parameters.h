/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a function gets its parameters. */
#ifndef SYMBOL_PARAMETERS_H
#define SYMBOL_PARAMETERS_H

#include <elfutils/libdw.h>

#include <budget/budget.h>
#include <symbol/symtab.h>

/* Describes the parameters of the function of an entry, as symtab_find_parameters() does. Returns
 * false if they are not known, or the budget is over. */
bool parameters_read(struct budget *budget, Dwarf_Die *function,
                     struct symtab_parameters *parameters);

/* Describes what it returns, as symtab_find_result() does. Returns false if the budget is over. */
bool parameters_read_result(struct budget *budget, Dwarf_Die *function,
                            struct symtab_result *result);

#endif
