/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exception vectors of an ELF file: which function handles which exception (Cortex-M). */
#ifndef SYMBOL_VECTORS_H
#define SYMBOL_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* Numbers of exceptions (ARMv8-M Architecture Reference Manual, B3.30): their limit, the reset, and
 * the first interrupt. */
#define VECTORS_MAX   512
#define VECTORS_RESET 1
#define VECTORS_IRQ   16

/* A vector table. */
struct vectors;

/*
 * Finds the vector table of a Cortex-M's ELF file in constant memory: by a usual symbol, or by its
 * shape; of several, the one that contains the file's entry point. The result is empty for other
 * machines and if no table is found. A table that the firmware builds in RAM is not found.
 *
 * symtab must live as long as the result, which the caller frees. After symtab_relocate() a new one
 * must be made. Returns NULL if memory runs out.
 */
struct vectors *vectors_new(const struct symtab *symtab);
void vectors_free(struct vectors *vectors);

/* Returns the number of entries, with that of the stack pointer; 0 if the table is empty. Sets
 * *addr to the address of the table; addr may be NULL. */
size_t vectors_count(const struct vectors *vectors, uint64_t *addr);

/* Sets *addr to the handler of an exception, without the Thumb bit. Returns false if it has none.
 */
bool vectors_handler(const struct vectors *vectors, unsigned number, uint64_t *addr);

/* Returns the lowest exception, except for the reset, whose handler starts at addr; 0 if none. */
unsigned vectors_number(const struct vectors *vectors, uint64_t addr);

/* Whether other exceptions have the same handler, as with a default handler. */
bool vectors_is_shared(const struct vectors *vectors, unsigned number);

/* Writes the name of an exception to text: "TIM2_IRQHandler (IRQ 28)", "PendSV_Handler (PendSV)",
 * "IRQ 28" if the handler has no name, "thread" for 0. vectors may be NULL. */
void vectors_label(const struct vectors *vectors, unsigned number, char *text, size_t capacity);

/* Parses "thread", a number, "IRQ28", "IRQ 28", the name of an exception ("PendSV") or of a
 * handler; case is ignored. Returns false if word is none of these; *number is unchanged then. */
bool vectors_parse(const struct vectors *vectors, const char *word, unsigned *number);

/* Sets chosen[number] for each exception that a word names, and clears the rest. The name of a
 * default handler names several. Returns false if word names none. */
bool vectors_choose(const struct vectors *vectors, const char *word, bool chosen[VECTORS_MAX]);

#endif
