/* SPDX-License-Identifier: 0BSD */
/* What hooked returns seldom need. */
#include "returns.h"

#if MPROF_TRACE_RETURNS

struct mprof_return mprof_return_slots[MPROF_RETURN_TABLES]
                                      [MPROF_TRACE_RETURNS + MPROF_RETURN_TRIES - 1];

MPROF_CODE struct mprof_return *mprof_return_take(uintptr_t frame)
{
    struct mprof_return *slot = mprof_return_first(frame);

    for (struct mprof_return *end = slot + MPROF_RETURN_TRIES; slot < end; slot++) {
        if (*(volatile uintptr_t *)&slot->frame == frame) /* of a call that did not return */
            return slot;
        if (mprof_port_take(&slot->frame, frame))
            return slot;
    }
    return NULL;
}

MPROF_CODE uintptr_t mprof_return_tail(struct mprof_prof *prof, uintptr_t callee, uintptr_t frame,
                                       uint32_t on)
{
    struct mprof_return *slot = mprof_return_find(frame);

    mprof_trace(prof, slot->callee | MPROF_TRACE_EXIT, slot->caller, NULL, on, 0);
    slot->callee = callee;
    return slot->caller;
}

#endif
