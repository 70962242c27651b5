/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stubs through which a program calls functions of shared libraries. */
#ifndef SYMBOL_PLT_H
#define SYMBOL_PLT_H

#include <elf/image.h>

/* Says for every stub of an x86-64 program where it begins, its size, and the symbol of what it
 * calls, which lives as long as the image. false: take said so, or there is no memory. */
bool plt_each(const struct image *image, void *context,
              bool (*take)(void *context, uint64_t addr, uint64_t size, const char *goal));

#endif
