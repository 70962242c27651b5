/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to get the registers of a caller from those of a function: what DWARF's frame information
 * says (DWARF 5, 6.4), and what instructions that were followed tell. */
#ifndef UNWIND_RULES_H
#define UNWIND_RULES_H

#include <unwind/unwind.h>

#include "walk.h"

/* Registers that can have a rule: DWARF's numbers below this. */
#define RULES_REGISTERS 33

/* An expression: see expression.h. */
struct expression {
    const uint8_t *bytes; /* borrowed from the ELF file */
    size_t len;
};

/* Where the caller's value of a register is. CFA is the canonical frame address: the caller's stack
 * pointer. */
struct rule {
    enum rule_kind {
        RULE_DEFAULT,       /* nothing is said: it is the same if calls keep it */
        RULE_SAME,          /* it has not changed */
        RULE_UNDEFINED,     /* it is lost */
        RULE_AT,            /* in memory at CFA + offset */
        RULE_IS,            /* CFA + offset */
        RULE_REGISTER,      /* in the register with the number offset */
        RULE_AT_EXPRESSION, /* in memory at the result */
        RULE_IS_EXPRESSION, /* the result */
    } kind;
    int64_t offset;
    struct expression expression;
};

struct rules {
    unsigned cfa_register; /* CFA is this register + cfa_offset, if cfa_expression has no bytes */
    int64_t cfa_offset;
    struct expression cfa_expression;
    unsigned ra; /* the column of the return address */
    struct rule registers[RULES_REGISTERS];
    bool is_trap; /* the frame is of a signal or trap: its caller was interrupted */
};

/* Replaces the registers of the walk by those of the caller. */
enum step rules_apply(struct walk *walk, const struct rules *rules);

#endif
