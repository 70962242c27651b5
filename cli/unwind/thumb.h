/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumb instructions: what those of 16 and of 32 bits share. */
#ifndef UNWIND_THUMB_H
#define UNWIND_THUMB_H

#include "flow.h"

enum { THUMB_SP = 13, THUMB_LR = 14, THUMB_PC = 15 };

/* Executes an instruction of two halves. */
void thumb_execute_wide(struct flow_state *state, struct flow_step *step, unsigned first,
                        unsigned second);

/* Where a BL or B.W at from leads. */
uint64_t thumb_target(unsigned first, unsigned second, uint64_t from);

/* to = from + other, or from - other. */
void thumb_add(struct flow_state *state, unsigned to, unsigned from, unsigned other, bool subtract);

/* A jump to the address in a register. */
void thumb_jump(const struct flow_state *state, struct flow_step *step, unsigned to);

/* Pushes the registers of a mask. */
void thumb_push(struct flow_state *state, unsigned mask);

/* Loads the registers of a mask; one that is the pc is a return. */
void thumb_load_many(struct flow_state *state, struct flow_step *step, struct value from,
                     unsigned mask);

/* Loads a word that is distance bytes from the instruction's pc. */
void thumb_load_constant(struct flow_state *state, const struct flow_step *step, unsigned to,
                         int64_t distance);

#endif
