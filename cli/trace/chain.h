/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of callers of the last call on a stack. */
#ifndef TRACE_CHAIN_H
#define TRACE_CHAIN_H

#include <trace/points.h>

#include "stacks.h"

/* Links of a chain. Of a longer one only the innermost ones are kept. */
#define CHAIN_MAX 64

/* What is needed to follow callers. */
struct chain_source {
    const struct stack *stack; /* with entries */
    const struct trace_points *points;
    const uint8_t *functions; /* what is known of each */
    uint8_t returns;          /* bit: an exit of the function was seen */
};

/*
 * Returns the chain of the last frame, which the caller frees with free(), or NULL if memory runs
 * out. Frames before the last loss of events are not part of it.
 *
 * A call is linked to the latest frame of the function that its return address is in. What lies
 * between has ended without an exit: it has none, or was left by longjmp(). If there is no such
 * frame, some function between is not recorded. If exits tell that the frame before has not ended,
 * it is linked to that, with a gap. Else the chain begins with the caller that the point has.
 */
struct trace_chain *chain_new(const struct chain_source *source);

/* Returns the number of frames, of the first count ones, up to the latest call of a function since
 * the last loss that has not ended; 0: there is none. */
size_t chain_latest(const struct chain_source *source, size_t count, uint32_t function);

#endif
