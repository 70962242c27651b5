/* SPDX-License-Identifier: 0BSD */
/* What the table and its initialisation share. */
#ifndef MPROF_TABLE_H
#define MPROF_TABLE_H

#include <mprof/config.h>

/* Items of a set. */
#define MPROF_WAYS 4

/* addr of a row that nobody took yet: odd, so that no block of addresses starts there. */
#define MPROF_EMPTY 1

/* For powers of two. */
#define MPROF_LOG2(n)     ((unsigned)__builtin_ctz(n))
#define MPROF_GRAIN_SHIFT MPROF_LOG2(MPROF_ERR)

#endif
