/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock, and two interrupts below the sampler's priority: what they need of each board. */
#ifndef ALARMS_H
#define ALARMS_H

#include <stdint.h>

#include "board.h"

/* Handlers, of the program. The low one comes once a period. */
void on_low_alarm(void);
void on_high_alarm(void);

#define WORD_AT(address) (*(volatile uint32_t *)(uintptr_t)(address))

#ifdef __arm__

#define NVIC_ISER WORD_AT(0xE000E100U)
#define NVIC_ISPR WORD_AT(0xE000E200U)
#define NVIC_ICPR WORD_AT(0xE000E280U)
#define NVIC_IPR2 WORD_AT(0xE000E408U) /* interrupts 8 to 11 */
#define ICSR      WORD_AT(0xE000ED04U)
#define LOW_IRQ   9U
#define HIGH_IRQ  10U

static inline void interrupts_off(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}

static inline void interrupts_on(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}

/* No wfi: where time jumps to the next interrupt, QEMU's Cortex-M wakes one interrupt too late. */
static inline void wait_for_interrupt(void)
{
}

static inline void alarms_raise_high(void)
{
    NVIC_ISPR = 1U << HIGH_IRQ;
}

#if CPU_HZ == 16000000U

/* nRF51: TIMER0 is the clock, TIMER1 the alarm. */
#define CLOCK_HZ         CPU_HZ
#define TIMER(n, offset) WORD_AT(0x40008000U + 0x1000U * (n) + (offset))
#define TASKS_START      0x000U
#define TASKS_CAPTURE_0  0x040U
#define EVENTS_COMPARE_0 0x140U
#define SHORTS           0x200U
#define INTENSET         0x304U
#define BITMODE          0x508U
#define PRESCALER        0x510U
#define CC_0             0x540U
#define COMPARE_0        0x10000U
#define COMPARE_0_CLEAR  0x1U
#define BITMODE_32       3U

static inline void clock_start(void)
{
    TIMER(0, BITMODE) = BITMODE_32;
    TIMER(0, PRESCALER) = 0;
    TIMER(0, TASKS_START) = 1;
}

static inline uint32_t clock_ticks(void)
{
    TIMER(0, TASKS_CAPTURE_0) = 1;
    return TIMER(0, CC_0);
}

static inline void alarm_clear(void)
{
    TIMER(1, EVENTS_COMPARE_0) = 0;
}

static inline void alarm_every(uint32_t period_us)
{
    TIMER(1, BITMODE) = 0; /* 16 bits */
    TIMER(1, PRESCALER) = 4;
    TIMER(1, CC_0) = period_us;
    TIMER(1, SHORTS) = COMPARE_0_CLEAR;
    TIMER(1, INTENSET) = COMPARE_0;
    TIMER(1, TASKS_START) = 1;
}

#else

/* mps2: the first CMSDK timer is the clock, which counts down; the second one the alarm. */
#define CLOCK_HZ         CPU_HZ
#define TIMER(n, offset) WORD_AT(0x40000000U + 0x1000U * (n) + (offset))
#define CTRL             0x0U
#define VALUE            0x4U
#define RELOAD           0x8U
#define INTCLEAR         0xCU
#define CTRL_ENABLE      0x1U
#define CTRL_IRQ         0x8U

static inline void clock_start(void)
{
    TIMER(0, RELOAD) = UINT32_MAX;
    TIMER(0, VALUE) = UINT32_MAX;
    TIMER(0, CTRL) = CTRL_ENABLE;
}

static inline uint32_t clock_ticks(void)
{
    return UINT32_MAX - TIMER(0, VALUE);
}

static inline void alarm_clear(void)
{
    TIMER(1, INTCLEAR) = 1;
}

static inline void alarm_every(uint32_t period_us)
{
    TIMER(1, RELOAD) = period_us * (CPU_HZ / 1000000U) - 1;
    TIMER(1, VALUE) = period_us * (CPU_HZ / 1000000U) - 1;
    TIMER(1, CTRL) = CTRL_ENABLE | CTRL_IRQ;
}

#endif

static inline void alarms_start(uint32_t period_us)
{
    NVIC_IPR2 = 0x00408000U; /* number 9: 0x80, number 10: 0x40; the sampler has 0 */
    NVIC_ISER = 1U << LOW_IRQ | 1U << HIGH_IRQ;
    alarm_every(period_us);
}

void External_Handler(void);
void External_Handler(void)
{
    if ((ICSR & 0x1ffU) == 16 + HIGH_IRQ) {
        on_high_alarm();
        return;
    }
    alarm_clear();
    on_low_alarm();
}

#else

/* QEMU's virt: mtime is the clock, the real-time clock (in ns) the alarm, through the PLIC; the
 * other interrupt is the software interrupt. */
#define CLOCK_HZ  MTIME_HZ
#define MTIME_LOW WORD_AT(0x0200bff8U)
#define MSIP      WORD_AT(0x02000000U)

#define RTC(offset)         WORD_AT(0x101000U + (offset))
#define RTC_TIME_LOW        0x00U
#define RTC_TIME_HIGH       0x04U
#define RTC_ALARM_LOW       0x08U
#define RTC_ALARM_HIGH      0x0cU
#define RTC_IRQ_ENABLED     0x10U
#define RTC_CLEAR_INTERRUPT 0x1cU
#define RTC_IRQ             11U
#define PLIC_PRIORITY       WORD_AT(0x0c000000U + 4 * RTC_IRQ)
#define PLIC_ENABLE         WORD_AT(0x0c002000U)
#define PLIC_THRESHOLD      WORD_AT(0x0c200000U)
#define PLIC_CLAIM          WORD_AT(0x0c200004U)

#define MIE_MSIE 0x8U
#define MIE_MEIE 0x800U

static uint64_t s_alarm_ns;
static uint32_t s_period_ns;

static inline void interrupts_off(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

static inline void interrupts_on(void)
{
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
}

static inline void clock_start(void)
{
}

static inline uint32_t clock_ticks(void)
{
    return MTIME_LOW;
}

static inline void wait_for_interrupt(void)
{
    __asm__ volatile("wfi\n\t"
                     "nop");
}

static inline void alarms_raise_high(void)
{
    MSIP = 1;
}

/* Writing the low word sets the alarm. */
static inline void alarm_next(void)
{
    s_alarm_ns += s_period_ns;
    RTC(RTC_ALARM_HIGH) = (uint32_t)(s_alarm_ns >> 32);
    RTC(RTC_ALARM_LOW) = (uint32_t)s_alarm_ns;
}

/* Samples, and with mask the other interrupt, may interrupt what follows. */
#define NESTED(mask, what)                                                                \
    do {                                                                                  \
        uintptr_t pc_, status_;                                                           \
        __asm__ volatile("csrr %0, mepc\n\tcsrr %1, mstatus" : "=r"(pc_), "=r"(status_)); \
        __asm__ volatile("csrc mie, %0\n\tcsrsi mstatus, 8" : : "r"(mask) : "memory");    \
        what;                                                                             \
        __asm__ volatile("csrci mstatus, 8\n\tcsrs mie, %0" : : "r"(mask) : "memory");    \
        __asm__ volatile("csrw mepc, %0\n\tcsrw mstatus, %1" : : "r"(pc_), "r"(status_)); \
    } while (0)

__attribute__((interrupt("machine"), used)) static void low_handler(void)
{
    uint32_t irq = PLIC_CLAIM;

    RTC(RTC_CLEAR_INTERRUPT) = 1;
    alarm_next();
    PLIC_CLAIM = irq;
    NESTED(MIE_MEIE, on_low_alarm());
}

__attribute__((interrupt("machine"), used)) static void high_handler(void)
{
    MSIP = 0;
    NESTED(MIE_MEIE | MIE_MSIE, on_high_alarm());
}

/* By the number of the interrupt: 3 software, 7 timer, 11 external. */
__attribute__((naked, used, aligned(64))) static void vectors(void)
{
    __asm__(".option push\n\t"
            ".option norvc\n\t"
            "j .\n\tj .\n\tj .\n\t"
            "j high_handler\n\t"
            "j .\n\tj .\n\tj .\n\t"
            "j mprof_mtimer_entry\n\t"
            "j .\n\tj .\n\tj .\n\t"
            "j low_handler\n\t"
            ".option pop");
}

static inline void alarms_start(uint32_t period_us)
{
    __asm__ volatile("csrw mtvec, %0" : : "r"((uintptr_t)vectors | 1));
    PLIC_PRIORITY = 1;
    PLIC_ENABLE = 1U << RTC_IRQ;
    PLIC_THRESHOLD = 0;
    s_period_ns = period_us * 1000;
    s_alarm_ns = RTC(RTC_TIME_LOW);
    s_alarm_ns |= (uint64_t)RTC(RTC_TIME_HIGH) << 32;
    RTC(RTC_IRQ_ENABLED) = 1;
    alarm_next();
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_MEIE | MIE_MSIE) : "memory");
}

#endif

#endif
