/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the memory of every fake target holds. */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include <stdint.h>

#define RAM 0x20000000U
#define BAD 0xf0000000U /* from here on nothing can be read */

/* Zeros over stretches, so that run lengths come up. */
static inline unsigned char fake_byte(uint64_t addr)
{
    return addr % 64 < 32 ? 0 : (unsigned char)(addr * 7 + addr / 256);
}

#endif
