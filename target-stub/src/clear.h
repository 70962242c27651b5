/* SPDX-License-Identifier: 0BSD */
/* What the gate, the control functions and the initialisation ask of each other. */
#ifndef MPROF_CLEAR_H
#define MPROF_CLEAR_H

#include <mprof/mprof.h>

/* In header.flags: somebody is clearing the blocks. Events that come then are cleared with them. */
#define MPROF_CLEARING 0x8000U

/* In header.flags: somebody is moving the focus, which counts nothing meanwhile. */
#define MPROF_MOVING 0x4000U

/* Moves the focus to where the host asks for it, and clears it. Leaves that to an event that this
 * one has interrupted in it. */
void mprof_focus_move(struct mprof_prof *prof);

/* Clears all blocks, but not a frozen trace and the heads of the stream and the trace, and sets
 * each table's count of events to the number of those that were interrupted on their way to a row
 * and will be counted later. */
void mprof_clear(struct mprof_prof *prof);

/* Makes all rows empty, in RAM that may hold anything. Small code clears all that follows
 * header.dropped as well. */
void mprof_empty_tables(struct mprof_prof *prof);

/* The same, and the other counters, at run time; thaws the trace. 0: an event that was interrupted
 * is writing a row; ask again. */
int mprof_reset(struct mprof_prof *prof);

#if MPROF_COVERAGE_SIZE
/* Clears what was reached: for a reset. */
void mprof_coverage_clear(struct mprof_prof *prof);

/* For mprof_init(): writes the lead. What was reached before mprof_init() is kept if start-up code
 * has cleared the RAM; else that holds anything, or an earlier run's. */
void mprof_coverage_begin(struct mprof_prof *prof);
#endif

#if MPROF_TRACE_CNT
/* Freezes the trace, if it is not frozen: exception is that of the caller. */
void mprof_freeze(struct mprof_prof *prof, uint32_t exception);

/* If the trace is frozen, clears it and lets it record. */
void mprof_thaw(struct mprof_prof *prof);
#endif

/* Sets and clears bits of enable's highest byte, the firmware's, and brings MPROF_ENABLE_IN_PHASE
 * up to date. */
void mprof_switch(struct mprof_prof *prof, uint32_t on, uint32_t off);

#if MPROF_THREADS
/* The same for all threads of a process. */
void mprof_threads_switch(uint32_t on, uint32_t off);
#endif

#endif
