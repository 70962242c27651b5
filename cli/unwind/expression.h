/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of frame information (DWARF 5, 2.5). */
#ifndef UNWIND_EXPRESSION_H
#define UNWIND_EXPRESSION_H

#include "rules.h"

/* Evaluates an expression with the registers of the walk. cfa is on the stack at its start; NULL:
 * nothing is. */
enum step expression_evaluate(struct walk *walk, const struct expression *expression,
                              const uint64_t *cfa, uint64_t *result);

#endif
