/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's table until ABI 1.1, to compare with: sets of four rows, and a row that another
 * address takes over inherits its hits. */
#ifndef OLD_TABLE_H
#define OLD_TABLE_H

#include <stdint.h>

#define OLD_WAYS 4U
#define OLD_SETS (MPROF_CNT / OLD_WAYS)

struct old_row {
    uint32_t addr, hits, inherited;
    uint32_t stamp; /* of the row's address; 0: it is being written */
};

struct old_prof {
    uint32_t enable, events, generation, dropped, displaced;
    struct old_row rows[OLD_SETS][OLD_WAYS];
};

extern struct old_prof old_prof;

void old_init(void);

/* As mprof_sample_in_time(). */
void old_sample_in_time(uintptr_t pc, uintptr_t lr, uint32_t exception);

#endif
