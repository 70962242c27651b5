/* SPDX-License-Identifier: 0BSD */
/* The time of the trace by SysTick, where it need not be fast. Not in systick.c: who has a handler
 * of his own needs this without the stub's. */
#include "gate.h"

#if MPROF_TIME_SYSTICK

struct mprof_systick mprof_systick[MPROF_CORES];

/* A function of its own: inlined in an event, it would have too few registers. */
MPROF_CODE uint32_t mprof_systick_time(void)
{
    struct mprof_systick *own = MPROF_SYSTICK;
    volatile struct mprof_systick_registers *systick = MPROF_SYSTICK_REGISTERS;

    MPROF_AFRESH(systick);
    uint32_t given = own->given;
    uint32_t end;
    uint32_t time;
    uint32_t state;

    do {
        end = own->end;
        time = end - MPROF_SYSTICK_READ(systick->cvr);
        state = MPROF_SYSTICK_READ(MPROF_ICSR);
        if (MPROF_RARELY(MPROF_IS_PENDING(state))) {
            uint32_t left = MPROF_SYSTICK_READ(systick->cvr);

            time = left == 0 ? end : end + MPROF_SYSTICK_READ(systick->rvr) + 1 - left;
        }
    } while (MPROF_RARELY(own->end != end));
    if (MPROF_RARELY((int32_t)(time - own->given) < 0)) {
        if ((int32_t)(time - given) >= 0) /* a later event has interrupted this one */
            return time;
        MPROF_AFRESH(state); /* or the way that is often taken computes this, too */
        if (!MPROF_IS_PENDING(state))
            time += MPROF_SYSTICK_READ(systick->rvr) + 1;
        if ((int32_t)(time - given) < 0)
            time = given;
        if ((int32_t)(time - own->given) < 0)
            return time;
    }
    own->given = time;
    return time;
}

MPROF_CODE void mprof_systick_reloaded(void)
{
    mprof_systick_add();
}

#endif
