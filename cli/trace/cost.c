/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subtracts what the target has measured of its hooks. */
#include "cost.h"

#include <math.h>

int64_t cost_duration(const struct trace_cost *cost, const struct frame *call, int64_t ticks)
{
    int64_t took = ticks - call->begin;
    double without = (double)took - cost->inside - call->hooks;

    if (took < 0 || (cost->inside == 0 && call->hooks == 0))
        return took;
    return without > 0 ? (int64_t)llround(without) : 0;
}

void cost_charge(const struct trace_cost *cost, struct stack *stack, const struct frame *call,
                 bool returned)
{
    struct stack *outer = stack->count != 0 ? stack : stack->interrupted;

    if (outer && outer->count != 0)
        outer->frames[outer->count - 1].hooks +=
            call->hooks + (returned ? cost->call : cost->call / 2);
}
