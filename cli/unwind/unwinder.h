/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an unwinder knows: its machine, its ELF files and their tables. */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include <budget/budget.h>
#include <symbol/vectors.h>
#include <unwind/unwind.h>

#include "cfi.h"
#include "exidx.h"
#include "machine.h"

struct flow;

/* The tables of one ELF file. */
struct part {
    const struct symtab *symtab; /* borrowed */
    struct cfi cfi;
    struct exidx exidx;
};

struct unwinder {
    const struct symtab *symtab;
    const struct machine *machine;
    unsigned addr_size;
    uint64_t reset;     /* where the program starts, not relocated: its reset handler, or e_entry */
    struct part *parts; /* owned; part 0 is symtab */
    size_t part_count;
    struct budget budget; /* for tables */
    struct flow *flow;    /* owned; NULL if instructions cannot be followed */
};

/* Returns the tables of the file that has the code at a place. */
const struct part *unwinder_part(const struct unwinder *unwinder, uint64_t place);

/* Returns the bytes of code that a file has at a place, and sets *len to their number. Returns NULL
 * if there are none. */
const uint8_t *unwinder_code(const struct unwinder *unwinder, uint64_t place, size_t *len);

/* Cuts an address to the size that the machine's addresses have. */
static inline uint64_t unwinder_cut(const struct unwinder *unwinder, uint64_t value)
{
    return unwinder->addr_size == 4 ? value & UINT32_MAX : value;
}

#endif
