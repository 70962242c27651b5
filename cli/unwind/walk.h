/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One call of unwind(): the frame that it is at, and the target's memory. */
#ifndef UNWIND_WALK_H
#define UNWIND_WALK_H

#include <unwind/unwind.h>

struct unwinder;

/* Result of a step from a function to its caller. */
enum step {
    STEP_DONE,
    STEP_UNKNOWN,     /* there is no information; the registers are unchanged */
    STEP_END,         /* there is no caller */
    STEP_NO_MEMORY,   /* a register or memory was not given */
    STEP_IMPLAUSIBLE, /* the information contradicts the registers */
};

struct walk {
    struct unwinder *unwinder;
    const struct unwind_memory *memory;
    struct unwind_registers registers; /* at the frame; those that calls change are not known */
    /* The frame's pc as tables of the ELF file have it: see symtab_place(). */
    uint64_t pc;
    bool exact;     /* pc is the next instruction that is executed, and not one after a call */
    bool from_trap; /* the last step was from a handler to what it interrupted */
    unsigned traps; /* such steps so far */
    bool strict;    /* the last step is valid only if the call before names the function */
    char *why;      /* why a step has failed; room for WALK_WHY bytes */
};

#define WALK_WHY 120

/* Reads a word of the target's memory. addr_size is that of a machine's address, or less. Returns
 * false and says why if it cannot be read. */
bool walk_word(struct walk *walk, uint64_t addr, unsigned size, uint64_t *value);

/* Returns whether a register is known, and its value. If it is not, says why. */
bool walk_register(struct walk *walk, unsigned number, uint64_t *value);

/* Notes why a step fails, and returns step. */
enum step walk_fail(struct walk *walk, enum step step, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
