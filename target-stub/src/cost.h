/* SPDX-License-Identifier: 0BSD */
/* What the hooks of a trace cost. */
#ifndef MPROF_COST_H
#define MPROF_COST_H

#include <mprof/mprof.h>

#if MPROF_TRACE_COST

/* Measures it with calls of an empty function, which go to all blocks. Everything is on, and the
 * trace has a clock. If that does not move, all is 0. */
struct mprof_trace_cost mprof_cost_measure(struct mprof_prof *prof);

#if MPROF_TRACE_RETURNS
/* On ARMv6-M, no compiler makes a jump to another function of a call. */
#if defined(__thumb__) && !defined(__thumb2__) && !defined(__ARM_ARCH_8M_BASE__)
#define MPROF_COST_JUMPS 0
#else
#define MPROF_COST_JUMPS 1
#endif

/* The port's: an empty function with a patched entry, and one without; and those that jump there.
 */
void mprof_probe(void);
void mprof_probe_plain(void);
void mprof_probe_jump(void);
void mprof_probe_jump_plain(void);
#define MPROF_PROBE_SIZE 64U /* or less, bytes */
#else
#define MPROF_COST_JUMPS 0
#endif

#endif
#endif
