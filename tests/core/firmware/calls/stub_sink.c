/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stub itself has counted. */
#include "calls.h"

#include <mprof/mprof.h>

UNHOOKED void sink_init(void)
{
    mprof_init();
}

UNHOOKED uint32_t sink_events(void)
{
#if MPROF_TRACE_CNT
    return s_prof.trace_lead.head;
#else
    return s_prof.header.heartbeat;
#endif
}

UNHOOKED static void say(const char *what, uint32_t number)
{
    put(what);
    put_hex(number, "\n");
}

#if MPROF_TRACE_CNT

UNHOOKED void sink_print(void)
{
    say("unhooked ", s_prof.trace_cost.unhooked);
}

#else

UNHOOKED static uint32_t sum(const uint32_t *rest, int count)
{
    uint32_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += rest[i];
    return sum;
}

UNHOOKED void sink_print(void)
{
    for (int i = 0; i < MPROF_CALL_CNT - (int)s_prof.calls_lead.free; i++) {
        put("item ");
        put_hex((uint32_t)s_prof.calls[i].addr, " ");
        put_hex(s_prof.calls[i].hits, "\n");
    }
    say("dropped ", sum(s_prof.calls_rest, MPROF_CALL_CNT / 2));
#if MPROF_ARC_CNT
    for (int i = 0; i < MPROF_ARC_CNT - (int)s_prof.arcs_lead.free; i++) {
        put("arc ");
        put_hex((uint32_t)s_prof.arcs[i].callee, " ");
        put_hex((uint32_t)s_prof.arcs[i].caller, " ");
        put_hex(s_prof.arcs[i].hits, "\n");
    }
    say("arcs_dropped ", sum(s_prof.arcs_rest, MPROF_ARC_CNT / 2));
#endif
}

#endif
