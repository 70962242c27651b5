/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a thread's stack was never used, by the pattern that its kernel has filled it with.
 */
#ifndef KERNEL_STACK_H
#define KERNEL_STACK_H

#include <kernel/kernel.h>

/* A stack. Set block, and the others to 0. */
struct kernel_stack {
    uint64_t block; /* address of the thread's control block */
    uint64_t size;  /* bytes; 0: not known */
    uint64_t free;  /* bytes at its low end that still have the pattern; see known */
    bool known;     /* free was counted. 0 is a stack that was used whole, or never filled */

    /* Private. */
    uint64_t low; /* the first byte with the pattern, of a new stack */
    uint64_t at;  /* bytes from there that were compared since the last count; 0: none */
};

/*
 * Compares a part of the stack with the pattern, from where the last call stopped: about *budget
 * bytes, of which it takes what it has read. At the end of the pattern, free is new, and the next
 * call begins at the low end. Memory below the last count is compared again each time, because a
 * stack may have been used further down meanwhile. Returns false if the kernel's control blocks say
 * nothing of stacks, or the memory cannot be read. Halts as kernel_read_name() does.
 */
bool kernel_stack_read(const struct kernel *kernel, struct gdbmi_link *link,
                       struct kernel_stack *stack, size_t *budget);

#endif
