/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where instructions begin. */
#ifndef DOCTOR_INSTRUCTIONS_H
#define DOCTOR_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* Whether addr is in the middle of an instruction of Thumb or RISC-V code, found by walking through
 * its function. false too if that is not known. Data between the code may make it wrong for some of
 * the addresses after it. */
bool instruction_is_split(const struct symtab *symtab, uint64_t addr);

#endif
