/* SPDX-License-Identifier: 0BSD */
/* What the tables and their initialisation share. */
#ifndef MPROF_TABLE_H
#define MPROF_TABLE_H

#include <mprof/mprof.h>

/* Items of a set. */
#define MPROF_WAYS 4

/* addr of a row that nobody took yet: odd, so that no block of addresses starts there. */
#define MPROF_EMPTY 1

/* For powers of two. */
#define MPROF_LOG2(n)     ((unsigned)__builtin_ctz(n))
#define MPROF_GRAIN_SHIFT MPROF_LOG2(MPROF_ERR)

/* Calls are counted by function: an item's address is the place of the hook, whose bit 0 says
 * "Thumb". */
#define MPROF_CALL_ERR 2

/* Clears all blocks and the counters of the header. 0: an event that was interrupted is writing a
 * row; ask again. */
int mprof_reset(struct mprof_prof *prof);

#endif
