/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers of a sample, from the registers and the stack of the halted core. */
#ifndef TAKEN_HALT_STACK_H
#define TAKEN_HALT_STACK_H

#include <stdbool.h>

#include <gdbmi/link.h>
#include <symbol/symtab.h>

#include <taken/taken.h>

/* Finds callers. */
struct halt_stack;

/* Creates one that finds at most frames functions. symtab is borrowed. Returns NULL, with one line
 * in text, if memory runs out or the machine of the ELF file is not known. */
struct halt_stack *halt_stack_new(const struct symtab *symtab, unsigned frames, char *text,
                                  size_t capacity);
void halt_stack_free(struct halt_stack *stack);

/* What to read of the core at each sample; borrowed. */
const struct gdbmi_sample_request *halt_stack_request(const struct halt_stack *stack);

/* Sets stack, depth and cut of a sample from what the last request has read. */
void halt_stack_find(struct halt_stack *stack, const struct gdbmi_sample *read,
                     struct taken_sample *sample);

#endif
