/* SPDX-License-Identifier: 0BSD */
/* Two sides of TrustZone on a Cortex-M33: the stub is on the secure one, where 60 % of the time is
 * spent. What runs on the other side is counted, and not looked into. */
#include <mprof/mprof.h>

#include "sampling.h"
#include "work.h"

#define SAMPLE_HZ 1000U

/* Turns for one percent of a round. */
#define PERCENT 500U

/* ARMv8-M Architecture Reference Manual, D1.2: the security attribution unit. */
#define SAU_CTRL (*(volatile uint32_t *)0xE000EDD0U)
#define SAU_RNR  (*(volatile uint32_t *)0xE000EDD8U)
#define SAU_RBAR (*(volatile uint32_t *)0xE000EDDCU)
#define SAU_RLAR (*(volatile uint32_t *)0xE000EDE0U)

/* The memory protection controller of the third SSRAM (SIE-200). A bit a block: 1, not secure. */
#define MPC_BLK_MAX (*(volatile uint32_t *)0x58009010U)
#define MPC_BLK_IDX (*(volatile uint32_t *)0x58009018U)
#define MPC_BLK_LUT (*(volatile uint32_t *)0x5800901CU)

extern uint32_t other_start[], other_end[], other_load[], other_stack_top[];

KEEP_APART static void work_a(void)
{
    work(50 * PERCENT);
}

KEEP_APART static void work_b(void)
{
    work(10 * PERCENT);
}

__attribute__((section(".other"))) KEEP_APART static void work_other(void)
{
    work(40 * PERCENT);
}

static void share_memory(void)
{
    for (uint32_t i = 0; i <= MPC_BLK_MAX; i++) {
        MPC_BLK_IDX = i;
        MPC_BLK_LUT = UINT32_MAX;
    }
    SAU_RNR = 0;
    SAU_RBAR = (uint32_t)(uintptr_t)other_start;
    SAU_RLAR = ((uint32_t)(uintptr_t)other_stack_top - 1U) & ~31U;
    SAU_RLAR |= 1U; /* enabled */
    SAU_CTRL = 1U;
    __asm__ volatile("dsb\n\t"
                     "isb"
                     :
                     :
                     : "memory");
}

static void other_side_start(void)
{
    const volatile uint32_t *from = other_load;

    share_memory();
    for (volatile uint32_t *to = other_start; to < other_end; to++)
        *to = *from++;
    __asm__ volatile("msr msp_ns, %0" : : "r"(other_stack_top));
}

/* Bit 0 of the address is clear: go to the other side. */
static void call_other_side(void (*function)(void))
{
    uintptr_t address = (uintptr_t)function & ~(uintptr_t)1;

    __asm__ volatile("blxns %0" : : "r"(address) : "r1", "r2", "r3", "r12", "lr", "cc", "memory");
}

int main(void)
{
    mprof_init();
    other_side_start();
    sampling_start(SAMPLE_HZ);
    for (;;) {
        work_a();
        call_other_side(work_other);
        work_b();
    }
}
