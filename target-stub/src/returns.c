/* SPDX-License-Identifier: 0BSD */
/* What hooked returns seldom need. */
#include "returns.h"

#if MPROF_TRACE_RETURNS

struct mprof_return mprof_return_slots[MPROF_RETURN_TABLES][MPROF_RETURN_SLOTS];

MPROF_INLINE struct mprof_return *take(uintptr_t frame, uintptr_t table)
{
    struct mprof_return *slot = mprof_return_first(frame, table);

    for (struct mprof_return *end = slot + MPROF_RETURN_TRIES; slot < end; slot++) {
        if (*(volatile uintptr_t *)&slot->frame == frame) /* of a call that did not return */
            return slot;
        if (mprof_port_take(&slot->frame, frame))
            return slot;
    }
    return NULL;
}

#if MPROF_RETURN_TABLES == 1

MPROF_CODE struct mprof_return *mprof_return_take(uintptr_t frame)
{
    return take(frame, 0);
}

#else

/* Where a change of a word is whole for this core only, its task must not go on on another core
 * before it is done. */
#ifndef MPROF_MASKED_H
#define mprof_port_mask()       0
#define mprof_port_unmask(mask) (void)(mask)
#endif

MPROF_CODE struct mprof_return *mprof_return_take(uintptr_t frame)
{
    __typeof__(mprof_port_mask()) mask = mprof_port_mask();
    uintptr_t table = MPROF_RETURN_CORE;
    struct mprof_return *slot = take(frame, table);

    if (slot != NULL)
        slot->table = table;
    mprof_port_unmask(mask);
    return slot;
}

#endif

MPROF_CODE uintptr_t mprof_return_tail(struct mprof_prof *prof, uintptr_t callee, uintptr_t frame,
                                       uintptr_t returned, uint32_t on)
{
    struct mprof_return *slot = mprof_return_find(frame, MPROF_RETURN_TABLE_OF(returned));

    mprof_return_jump(prof, slot, on);
    slot->callee = callee;
    return slot->caller;
}

#endif
