/* SPDX-License-Identifier: 0BSD */
/* A process under Linux on x86-64: simulated firmware. */
#ifndef BOARD_H
#define BOARD_H

#include <mprof/mprof.h>

static inline void sampling_start(uint32_t sample_hz)
{
    mprof_timer_start(sample_hz);
}

#endif
