/* SPDX-License-Identifier: 0BSD */
/* The time of the trace by SysTick (MPROF_TIME_SYSTICK): cycles, added up over its reloads. */
#ifndef MPROF_SYSTICK_TIME_H
#define MPROF_SYSTICK_TIME_H

#include <mprof/mprof.h>

/* ARMv7-M Architecture Reference Manual, B3.3 and B3.2.4; the same in ARMv6-M and ARMv8-M */
struct mprof_systick_registers {
    uint32_t csr, rvr, cvr;
};
#ifndef MPROF_SYSTICK_READ /* a test on the host has a model of the timer */
#define MPROF_SYSTICK_READ(value) (value)
#define MPROF_SYSTICK_REGISTERS   ((volatile struct mprof_systick_registers *)0xE000E010U)
#define MPROF_ICSR                (*(volatile uint32_t *)0xE000ED04U)
#endif
#define MPROF_PENDSTCLR 0x02000000U
/* PENDSTSET is bit 26: as the sign, it takes the fewest instructions. */
#define MPROF_IS_PENDING(icsr) ((int32_t)((icsr) << 5) < 0)

/*
 * SYST_CVR counts down to 0, which makes the exception pending, and with the next clock goes on
 * from SYST_RVR. So a period is SYST_RVR + 1 cycles, and the time is
 *
 *   end - CVR                  in a period whose exception was taken
 *   end + (RVR + 1) - CVR      while the exception of a reload is pending
 *
 * with end, the time at which the counter is 0, to which the handler adds each reload as its first
 * step. It then finds in SYST_RVR what the counter was reloaded with: a value written later counts
 * from the next reload on (B3.3.1), so that periods may all differ. COUNTFLAG is not read, since
 * reading clears it, and it belongs to who owns the timer.
 *
 * Whoever reads the time may run anywhere: with interrupts masked, in a handler above SysTick's, or
 * in code that the handler interrupts between any two of these steps:
 *
 * 1. end is read. If the handler runs after it, end has changed in step 4, and all is read again.
 * 2. CVR is read.
 *    - If the counter is reloaded before this, its exception is pending in step 3, or was taken.
 *    - If the counter is reloaded after this and before step 3, CVR is of the former period and the
 *      exception is pending: so CVR is read again. It is then of the new one.
 *    - If it is reloaded after step 3, the time is that of step 2.
 * 3. ICSR.PENDSTSET is read. If it is set and CVR is 0, the reload is to come: the time is end.
 * 4. end is read again.
 *
 * Two things cannot be seen so:
 *
 * - The core clears PENDSTSET when it enters the handler. An interrupt that comes before the
 * handler has added the reload finds no sign of it, and its time is a period too small.
 * - The exception pends once for two reloads and more. Then the time falls back by a period at
 * each, and in the end the handler adds one.
 *
 * given, the last time that was given, shows both if they would lead back. It is read before step
 * 1, so that what is given meanwhile is not before this time. In the first case the period is
 * added, in the second the time stays what it was, and the handler adds one period more.
 *
 * given only grows: an event that was interrupted by later ones leaves what they have given.
 */
struct mprof_systick {
    volatile uint32_t end;
    volatile uint32_t given;
};
extern struct mprof_systick mprof_systick[MPROF_CORES];

#if MPROF_CORES > 1
#define MPROF_SYSTICK (&mprof_systick[MPROF_CORE])
#else
#define MPROF_SYSTICK (&mprof_systick[0])
#endif

/* In cycles; wraps. */
uint32_t mprof_systick_time(void);

/* How far given may be behind before the handler takes it along. A signed difference would no
 * longer tell which of two times is earlier if it was behind by half of all times. An event that
 * comes between these two steps of the handler is rare: there was none for so long. */
#define MPROF_SYSTICK_BEHIND 0x40000000

/* Adds a reload; the handler's first step. */
static inline __attribute__((always_inline, no_instrument_function)) void mprof_systick_add(void)
{
    struct mprof_systick *own = MPROF_SYSTICK;
    volatile struct mprof_systick_registers *systick = MPROF_SYSTICK_REGISTERS;
    uint32_t before = own->end;
    uint32_t period = MPROF_SYSTICK_READ(systick->rvr) + 1;

    own->end = before + period;
    uint32_t given = own->given;
    if ((int32_t)(before + period - MPROF_SYSTICK_READ(systick->cvr) - given) < 0) {
        /* If it pends, CVR was reloaded since this exception began, and the next one adds that. */
        if (!MPROF_IS_PENDING(MPROF_SYSTICK_READ(MPROF_ICSR)))
            own->end = before + 2 * period;
    } else if ((int32_t)(before - given) > MPROF_SYSTICK_BEHIND) {
        own->given = before;
    }
}

#endif
