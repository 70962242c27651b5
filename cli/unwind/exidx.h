/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's exception tables: .ARM.exidx and .ARM.extab (Exception Handling ABI for the Arm
 * Architecture, sections 6, 7 and 10). They hold for instructions after a function's prologue and
 * before its epilogue. */
#ifndef UNWIND_EXIDX_H
#define UNWIND_EXIDX_H

#include <symbol/symtab.h>

#include "walk.h"

/* The tables of a file. Zeroed memory has no entries. */
struct exidx {
    struct symtab_section index, table; /* addresses are not relocated */
};

void exidx_open(struct exidx *exidx, const struct symtab *symtab);

/* Finds the start of the function with the code at addr, by the index alone. Returns false if the
 * index does not cover it. */
bool exidx_start(const struct exidx *exidx, uint64_t addr, uint64_t *start);

/* Steps to the caller of the function with the code at addr, not relocated. STEP_UNKNOWN if the
 * tables do not say how. */
enum step exidx_step(const struct exidx *exidx, struct walk *walk, uint64_t addr);

#endif
