/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exception vectors of an ELF file: which function handles which exception. */
#ifndef SYMBOL_VECTORS_H
#define SYMBOL_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* Numbers of exceptions of Arm's M profile: from 16 on they are those of interrupts. */
#define VECTORS_MAX   512
#define VECTORS_RESET 1
#define VECTORS_IRQ   16

struct vectors;

/*
 * The vector table of a Cortex-M's ELF file, where it lies in constant memory: found by a symbol
 * that is usual for it, or by its shape; of several, the one that holds the file's entry. Of other
 * machines, and where none is found, it is empty. A table that the firmware builds in RAM is not
 * known. symtab must live as long. NULL: no memory. After symtab_relocate() it is to be made again.
 */
struct vectors *vectors_new(const struct symtab *symtab);
void vectors_free(struct vectors *vectors);

/* Entries that it has, the stack's among them; 0: there is none. addr (may be NULL): where it is.
 */
size_t vectors_count(const struct vectors *vectors, uint64_t *addr);

/* Where the handler of that exception begins, without the Thumb bit. false: it has none, or that is
 * not known. */
bool vectors_handler(const struct vectors *vectors, unsigned number, uint64_t *addr);

/* The first exception, but for the reset, whose handler begins at addr; 0: none. */
unsigned vectors_number(const struct vectors *vectors, uint64_t addr);

/* Whether the handler of that exception is another one's, too, as a default handler is. */
bool vectors_is_shared(const struct vectors *vectors, unsigned number);

/*
 * What the exception is called, in at most capacity bytes: "TIM2_IRQHandler (IRQ 28)",
 * "PendSV_Handler (PendSV)"; "IRQ 28" where the handler has no name, or vectors is
 * NULL; "thread" of 0.
 */
void vectors_label(const struct vectors *vectors, unsigned number, char *text, size_t capacity);

/* The number that a word means: "thread", a number, "IRQ28" or "IRQ 28", an exception's own name
 * ("PendSV"), or a handler's, in any case. false: none. */
bool vectors_parse(const struct vectors *vectors, const char *word, unsigned *number);

/* Sets all that the word means: the name of a default handler is that of many. false: none. */
bool vectors_choose(const struct vectors *vectors, const char *word, bool chosen[VECTORS_MAX]);

#endif
