/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all tasks and the interrupt between them do. */
#ifndef SHARED_WORK_H
#define SHARED_WORK_H

#include "task_switch.h"
#include "work.h"

static volatile uint32_t in_handler; /* ticks */

KEEP_APART static void shared_work(uint32_t ticks)
{
    uint32_t begin = now();

    while (now() - begin < ticks)
        work(8);
}

#ifdef __arm__
void External_Handler(void);
void External_Handler(void)
{
    uint32_t begin = now();

    TIMER0_INTCLEAR = 1;
    shared_work(TICKS_PER_MS / 10);
    in_handler += now() - begin;
}
#endif

#endif
