/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several names a function's debug information gives it. */
#ifndef SYMBOL_NAMES_H
#define SYMBOL_NAMES_H

#include "image.h"

/* Says for every function of the debug information, in no order, where it begins and one of its
 * names; a function may have two. A file without debug information has none;
 * nor has a large one here, because reading it all takes a while. */
void names_each(const struct image *image, void *context,
                void (*take)(void *context, uint64_t addr, const char *name));

#endif
