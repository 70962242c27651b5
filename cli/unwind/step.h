/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step, from a function to its caller or to what it interrupted. */
#ifndef UNWIND_STEP_H
#define UNWIND_STEP_H

#include "walk.h"

/* Takes the walk to the next frame: registers, pc and exact are those of the caller, whose address
 * was found to be plausible. On failure the walk stays where it is, and walk->why is set. */
enum step step_to_caller(struct walk *walk);

/* Sets the walk's pc, for an address as the target has it. Returns that address without the Thumb
 * bit. */
uint64_t step_set_pc(struct walk *walk, uint64_t pc, bool exact);

/* The function of the walk's pc; NULL: it is not known. */
const struct symtab_function *step_function(const struct walk *walk);

#endif
