/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libdw would have to do for a file, measured before it is asked: nothing can interrupt it. */
#ifndef SYMBOL_DEBUG_BOUNDS_H
#define SYMBOL_DEBUG_BOUNDS_H

#include <elf/image.h>

/* Whether the budget has room for all compressed sections of debug information in elf, which is
 * image's own handle or that of a copy. Takes the memory. */
bool bounds_unpack(const struct image *image, Elf *elf);

/* Whether the budget has room for the units and their abbreviations in elf, after libdw unpacked
 * them. Takes memory and work, and sets what each entry costs from now on. */
bool bounds_units(const struct image *image, Elf *elf);

#endif
