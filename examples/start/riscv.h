/* SPDX-License-Identifier: 0BSD */
/* What the example does in its own way on RISC-V. board.h includes it behind MTIME_HZ. */
#ifndef RISCV_H
#define RISCV_H

#include <mprof/mprof.h>

static inline void sampling_start(uint32_t sample_hz)
{
    mprof_mtimer_start(MTIME_HZ, sample_hz);
    __asm__ volatile("csrsi mstatus, 8"); /* MIE */
}

#endif
