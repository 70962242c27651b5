/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of a section of frame information: CIE and FDE. */
#ifndef UNWIND_CFI_ENTRY_H
#define UNWIND_CFI_ENTRY_H

#include <budget/cursor.h>

#include "cfi.h"

/* What an FDE and its CIE say. Offsets are in the section. */
struct cfi_entry {
    uint64_t start, end; /* of the code, not relocated */
    uint64_t code_align;
    int64_t data_align;
    uint64_t ra;
    unsigned addr_size;
    unsigned encoding;           /* of addresses: DW_EH_PE_... */
    bool is_augmented;           /* its augmentation starts with z */
    bool is_trap;                /* its augmentation has S */
    size_t initial, initial_end; /* instructions of the CIE */
    size_t program, program_end; /* instructions of the FDE */
};

/* The head that each entry has. */
struct cfi_head {
    size_t at, next; /* of the entry, and of the one after it */
    size_t body;     /* after the head */
    bool is_cie;
    size_t cie; /* of an FDE: its CIE */
};

/* Reads the head at an offset. Returns false at the end, or if the section is damaged from there
 * on. */
bool cfi_head_read(const struct cfi_section *section, size_t at, struct cfi_head *head);

/* Reads an FDE with its CIE. Returns false if it is damaged, or of a form that is not known. */
bool cfi_entry_read(const struct cfi_section *section, unsigned addr_size,
                    const struct cfi_head *fde, struct cfi_entry *entry);

/* Reads an address at the cursor; sets over if it is of a form that is not known. */
uint64_t cfi_address(const struct cfi_section *section, struct cursor *c, unsigned encoding,
                     unsigned addr_size);

#endif
