/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The RTOS in a firmware: which thread runs, what it is called, and where its stack is. */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>
#include <symbol/symtab.h>

/* A member of a thread's control block. */
struct kernel_field {
    uint64_t offset; /* bytes from the start of the control block */
    uint64_t size;   /* bytes; 0: the firmware has no such member */
    bool pointer;    /* it is an address of what is wanted */
};

/* What is known of the kernel of a firmware, of all that kernel_find() has found. Zeroed memory is
 * no kernel. */
struct kernel {
    const char *name; /* "FreeRTOS", a constant; NULL: there is none */
    /* Where the address of the control block of the thread that runs is, not relocated again. Of
     * several cores that of the first one. */
    uint64_t current;
    unsigned current_size; /* bytes, 4 or 8 */
    unsigned cores;        /* how many cores have such an address, one each; 1 or more */
    bool big_endian;
    bool idle_is_none; /* while no thread runs, the address is 0 and the core idles */
    bool block_on_top; /* the control block is where the stack ends, if it is above it */
    uint8_t fill;      /* the byte that the kernel fills new stacks with */
    uint32_t guard;    /* a word that some builds have at the low end of a stack; 0: none do */
    /* Of a control block. The stack's low end, its size in bytes, and the highest word of it. */
    struct kernel_field thread_name, stack_low, stack_size, stack_top;
};

/* Finds the kernel of a firmware by its symbols and types. The pointer to the current thread is
 * enough; without debug information, only that is found. Returns false, and clears *kernel, if
 * there is none that is known. */
bool kernel_find(const struct symtab *symtab, struct kernel *kernel);

/*
 * Reads what the thread of the control block at block is called, to name: at most capacity bytes
 * with the NUL. Names that the program does not write are read from symtab. Returns false, with "",
 * if it has no name or cannot be read. Halts the target if the link does so for each reading.
 */
bool kernel_read_name(const struct kernel *kernel, const struct symtab *symtab,
                      struct gdbmi_link *link, uint64_t block, char *name, size_t capacity);

/* Reads a number or an address of at most 8 bytes. Returns false if it cannot be read. */
bool kernel_read_word(const struct kernel *kernel, struct gdbmi_link *link, uint64_t addr,
                      uint64_t size, uint64_t *word);

#endif
