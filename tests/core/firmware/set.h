/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses that meet in one set of the table. */
#ifndef SET_H
#define SET_H

#include <mprof/mprof.h>

/* The set of addr, as src/rows.h hashes it. */
static inline uint32_t set_index(uint32_t addr)
{
    return addr / MPROF_ERR * MPROF_ERR * 0x9E3779B1U / (UINT32_MAX / (MPROF_CNT / 4) + 1U);
}

/* The next address above addr that shares its set. */
static inline uint32_t next_in_set(uint32_t addr)
{
    uint32_t set = set_index(addr);

    do {
        addr += MPROF_ERR;
    } while (set_index(addr) != set);
    return addr;
}

#endif
