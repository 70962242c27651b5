/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds every block at once, for as many samples as it is told to. */
#include <mprof/mprof.h>

#include "work.h"

#define CPU_HZ    25000000U
#define SAMPLE_HZ 1000U
#define PERCENT   500U

/* Written by the debugger: how many samples are to be taken; nothing is before. */
volatile uint32_t blocks_samples;

/* Whether these were taken, and no more come; the debugger sets it to 0 for more to be taken. */
volatile uint32_t blocks_done;

/* A row stands for 16 bytes of code: none has parts of two of these. */
#define IN_ROWS_OF_ITS_OWN KEEP_APART __attribute__((aligned(16)))

static void called(void (*function)(void), void *from)
{
    mprof_call((uintptr_t)function, (uintptr_t)from);
}

IN_ROWS_OF_ITS_OWN static void work_a(void)
{
    called(work_a, __builtin_return_address(0));
    work(50 * PERCENT);
}

IN_ROWS_OF_ITS_OWN static void work_b(void)
{
    called(work_b, __builtin_return_address(0));
    work(30 * PERCENT);
}

IN_ROWS_OF_ITS_OWN static void work_c(void)
{
    called(work_c, __builtin_return_address(0));
    work(20 * PERCENT);
}

/* Two calls of a and one of b; the last statement keeps the last call from becoming a jump. */
IN_ROWS_OF_ITS_OWN static void from_one(void)
{
    work_a();
    work_b();
    work_a();
    __asm__ volatile("");
}

IN_ROWS_OF_ITS_OWN static void from_two(void)
{
    work_b();
    work_c();
    __asm__ volatile("");
}

int main(void)
{
    mprof_init();
    mprof_stop();
    mprof_systick_start(CPU_HZ, SAMPLE_HZ);
    while (blocks_samples == 0)
        ;
    for (;;) {
        mprof_start();
        while (s_prof.header.heartbeat < blocks_samples) {
            mprof_phase(1);
            from_one();
            mprof_phase(2);
            from_two();
        }
        mprof_stop();
        blocks_done = 1;
        while (blocks_done)
            ;
    }
}
