/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With which options the units of an ELF file were compiled, as DW_AT_producer says. */
#ifndef SYMBOL_PRODUCERS_H
#define SYMBOL_PRODUCERS_H

#include <dwarf/debug.h>

/* Fills all of *flags but its frame information. The file may have no debug information. */
void producers_read(struct debug *debug, struct symtab_flags *flags);

#endif
