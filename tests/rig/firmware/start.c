/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start and machine timer of firmware for the RV32 hart of QEMU's virt. */
#include <stdint.h>

#include <mprof/mprof.h>

#include "start.h"

/* The core-local interruptor of virt. Its timer counts at 10 MHz. */
#define MTIMECMP_LOW  (*(volatile uint32_t *)0x02004000U)
#define MTIMECMP_HIGH (*(volatile uint32_t *)0x02004004U)
#define MTIME_LOW     (*(volatile uint32_t *)0x0200bff8U)
#define MTIME_HIGH    (*(volatile uint32_t *)0x0200bffcU)
#define MTIME_HZ      10000000U

#define MCAUSE_TIMER 0x80000007U
#define MIE_TIMER    0x80U
#define MSTATUS_MIE  0x8U

int main(void);
void begin(void);
void trap(void);

extern uint32_t data_start[], data_end[], data_load[];
extern uint32_t bss_start[], bss_end[];

static uint32_t period;

__attribute__((naked, used, section(".start"))) void _start(void)
{
    __asm__("la sp, stack_top\n\t"
            "la t0, trap\n\t"
            "csrw mtvec, t0\n\t"
            "j begin");
}

/* The compiler must not make calls of memcpy and memset out of these loops: there is no library. */
__attribute__((noreturn, used, optimize("no-tree-loop-distribute-patterns"))) void begin(void)
{
    const uint32_t *from = data_load;

    for (uint32_t *to = data_start; to < data_end; to++)
        *to = *from++;
    for (uint32_t *to = bss_start; to < bss_end; to++)
        *to = 0;
    main();
    for (;;)
        ;
}

static uint64_t now(void)
{
    uint32_t high;
    uint32_t low;

    do {
        high = MTIME_HIGH;
        low = MTIME_LOW;
    } while (high != MTIME_HIGH);
    return (uint64_t)high << 32 | low;
}

/* The high word goes up first, so that no time between is in the past. */
static void ring_at(uint64_t time)
{
    MTIMECMP_HIGH = UINT32_MAX;
    MTIMECMP_LOW = (uint32_t)time;
    MTIMECMP_HIGH = (uint32_t)(time >> 32);
}

void sampling_start(uint32_t sample_hz)
{
    period = MTIME_HZ / sample_hz;
    s_prof.header.tick_hz = MTIME_HZ;
    s_prof.header.sample_hz = sample_hz;
    ring_at(now() + period);
    __asm__ volatile("csrs mie, %0\n\t"
                     "csrs mstatus, %1"
                     :
                     : "r"(MIE_TIMER), "r"(MSTATUS_MIE));
}

/* Whatever else comes here is an error of this firmware, which then stands still. */
__attribute__((interrupt("machine"), used, aligned(4))) void trap(void)
{
    uint32_t cause;
    uint32_t pc;

    __asm__ volatile("csrr %0, mcause\n\t"
                     "csrr %1, mepc"
                     : "=&r"(cause), "=r"(pc));
    while (cause != MCAUSE_TIMER)
        ;
    ring_at(now() + period);
    mprof_sample(pc);
}
