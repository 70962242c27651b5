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
    int32_t pending;

    do {
        end = own->end;
        time = end - systick->cvr;
        pending = (int32_t)(MPROF_ICSR << MPROF_PENDSTSET_TO_SIGN);
        if (MPROF_RARELY(pending < 0)) {
            uint32_t left = systick->cvr;

            time = left == 0 ? end : end + systick->rvr + 1 - left;
        }
    } while (MPROF_RARELY(own->end != end));
    if (MPROF_RARELY((int32_t)(time - given) < 0)) {
        if (pending >= 0)
            time += systick->rvr + 1;
        if ((int32_t)(time - given) < 0)
            time = given;
    }
    own->given = time;
    return time;
}

MPROF_CODE void mprof_systick_reloaded(void)
{
    mprof_systick_add();
}

#endif
