/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace's hooks cost is no part of the durations of calls. */
#ifndef TRACE_COST_H
#define TRACE_COST_H

#include "stacks.h"

/* Returns how many ticks a call took that is left at a time, without its hooks and those of the
 * calls that were made meanwhile, and with the instructions outside of its hooks. The call was
 * taken off its stack. Never less than 0, unless the time is before the call's entry. */
int64_t cost_duration(const struct trace_cost *cost, const struct stack *stack,
                      const struct frame *call, int outside, int64_t ticks);

/* A call was taken off its stack at its exit: its hooks are in the time of the frame below, or of
 * what its exception interrupted. */
void cost_exit(const struct trace_cost *cost, struct stack *stack, struct frame *call,
               const struct trace_event *exit);

/* The same of a call without an exit: half of its hooks have run. */
void cost_cut(const struct trace_cost *cost, struct stack *stack, const struct frame *call);

#endif
