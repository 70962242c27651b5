/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the instructions of an FDE. */
#ifndef UNWIND_CFI_PROGRAM_H
#define UNWIND_CFI_PROGRAM_H

#include "cfi_entry.h"
#include "rules.h"

/* Makes the rules for addr, in the entry's code. Returns false if the instructions are damaged or
 * not known; *rules is undefined then. */
bool cfi_run(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t addr,
             struct rules *rules);

#endif
