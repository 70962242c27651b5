/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF's frame information: .debug_frame and .eh_frame (DWARF 5, 6.4; LSB, "Exception Frames").
 * Read here and not by libdw, which allocates gigabytes for a damaged register number, and
 * which nothing can stop. */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include <budget/budget.h>
#include <budget/vec.h>
#include <symbol/symtab.h>

struct rules;

/* One of the two sections. */
struct cfi_section {
    struct symtab_section bytes;
    bool is_eh;               /* .eh_frame */
    struct budget_vec ranges; /* struct cfi_range, sorted by start */
};

/* The code of one FDE: start <= address < end, not relocated. */
struct cfi_range {
    uint64_t start, end;
    size_t fde; /* offset of its entry in the section */
};

/* Zeroed memory has no information. */
struct cfi {
    struct cfi_section sections[2]; /* .debug_frame, then .eh_frame */
    unsigned addr_size;
};

/* Finds all FDEs of a file within the budget, which must outlive the result. The caller calls
 * cfi_close(). What is damaged is left out. */
void cfi_open(struct cfi *cfi, const struct symtab *symtab, struct budget *budget);
void cfi_close(struct cfi *cfi);

/* Finds the rules for the instruction at addr, not relocated. Returns false if there are none;
 * *rules is undefined then. */
bool cfi_find(const struct cfi *cfi, uint64_t addr, struct rules *rules);

#endif
