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
    return s_prof.header.heartbeat;
}

UNHOOKED static void say(const char *what, uint32_t number)
{
    put(what);
    put_hex(number, "\n");
}

UNHOOKED void sink_print(void)
{
    for (int i = 0; i < MPROF_CALL_CNT; i++) {
        if (s_prof.calls[i].stamp == 0)
            continue;
        put("item ");
        put_hex((uint32_t)s_prof.calls[i].addr, " ");
        put_hex(s_prof.calls[i].hits, " ");
        put_hex(s_prof.calls[i].inherited, "\n");
    }
    say("dropped ", s_prof.header.dropped);
#if MPROF_ARC_CNT
    for (int i = 0; i < MPROF_ARC_CNT; i++) {
        if (s_prof.arcs[i].stamp == 0)
            continue;
        put("arc ");
        put_hex((uint32_t)s_prof.arcs[i].callee, " ");
        put_hex((uint32_t)s_prof.arcs[i].caller, " ");
        put_hex(s_prof.arcs[i].hits, "\n");
    }
    say("arcs_dropped ", s_prof.arcs_lead.dropped);
#endif
}
