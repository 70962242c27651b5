/* SPDX-License-Identifier: 0BSD */
/* The timer of a board that is the stub's source. */
#ifndef SAMPLING_H
#define SAMPLING_H

#include <mprof/mprof.h>

#include "board.h"

static inline void sampling_start(uint32_t sample_hz)
{
#if defined(__arm__)
    mprof_systick_start(CPU_HZ, sample_hz);
#elif defined(__riscv)
    mprof_mtimer_start(MTIME_HZ, sample_hz);
    __asm__ volatile("csrsi mstatus, 8"); /* MIE */
#else
    mprof_timer_start(sample_hz);
#endif
}

#endif
