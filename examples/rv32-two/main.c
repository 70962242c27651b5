/* SPDX-License-Identifier: 0BSD */
/* Two harts with different work: 50, 30 and 20 % on hart 0; 70 and 30 % on hart 1. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define SAMPLE_HZ 1000U

/* Turns for one percent of a round. */
#define PERCENT 500U

/* The software interrupt of hart 1, for which it waits. */
#define MSIP_1 (*(volatile uint32_t *)0x02000004U)

KEEP_APART static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART static void work_b(void)
{
    work(30 * PERCENT);
}

KEEP_APART static void work_c(void)
{
    work(20 * PERCENT);
}

KEEP_APART static void work_d(void)
{
    work(70 * PERCENT);
}

KEEP_APART static void work_e(void)
{
    work(30 * PERCENT);
}

/* What start-up code calls on another hart than 0. */
void hart_main(void);
void hart_main(void)
{
    mprof_init();
    sampling_start(SAMPLE_HZ);
    for (;;) {
        work_d();
        work_e();
    }
}

int main(void)
{
    mprof_init();
    sampling_start(SAMPLE_HZ);
    MSIP_1 = 1;
    for (;;) {
        work_a();
        work_b();
        work_c();
    }
}
