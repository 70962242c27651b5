/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as the articles that mprof grew out of describe it, to compare with. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

#ifndef REFERENCE_CNT
#define REFERENCE_CNT 30
#endif

struct reference_item {
    uint32_t base_addr;
    uint32_t hit_cnt;
    uint32_t hit_ratio; /* tenths of a percent of all hits, when it was last hit */
};

struct reference_prof {
    uint32_t prof_cnt;
    uint32_t decay_ndx;
    struct reference_item items[REFERENCE_CNT];
};

extern struct reference_prof reference_prof;

/* Counts a hit at pc: a linear search; the row that is hit gets its ratio by a division and rises
 * above the rows with fewer hits; an address without a row takes the last one. No decay. */
void reference_sample(uint32_t pc);

#endif
