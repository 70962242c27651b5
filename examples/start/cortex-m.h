/* SPDX-License-Identifier: 0BSD */
/* What the example does in its own way on a Cortex-M. board.h includes it behind CPU_HZ. */
#ifndef CORTEX_M_H
#define CORTEX_M_H

#include <mprof/mprof.h>

static inline void sampling_start(uint32_t sample_hz)
{
    mprof_systick_start(CPU_HZ, sample_hz);
}

#endif
