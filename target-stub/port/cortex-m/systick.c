/* SPDX-License-Identifier: 0BSD */
/* The SysTick timer as a source: starts it and takes the interrupted program counter. */
#include "frame.h"
#include "timer.h"

/* The handler must stay in this file: who links an archive gets it with mprof_systick_start(), and
 * a weak handler of start-up code then gives way. */

/* ARMv7-M Architecture Reference Manual, B3.3 and B3.2.12; the same in ARMv6-M and ARMv8-M */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define SHPR3    (*(volatile uint32_t *)0xE000ED20U)

#define CSR_ENABLE    0x1U
#define CSR_TICKINT   0x2U
#define CSR_CLKSOURCE 0x4U /* the processor's clock */
#define PERIOD_MIN    256U /* leaves the firmware some time, also if cpu_hz is wrongly 0 */
#define PERIOD_MAX    (MPROF_JITTER ? MPROF_PERIOD_JITTERED : 0x1000000U)
#define SHPR3_SYSTICK 0xFF000000U

#if MPROF_TIME_SYSTICK
/* The time stays what it is while the counter is 0, and goes on with its reload. */
MPROF_UNHOOKED static uint32_t hold_time(void)
{
    uint32_t time = mprof_systick_time();

    SYST_CSR = 0;
    SYST_CVR = 0;
    MPROF_ICSR = MPROF_PENDSTCLR;
    MPROF_SYSTICK->end = time;
    return time;
}

MPROF_UNHOOKED static void release_time(uint32_t time, uint32_t period, uint32_t cpu_hz)
{
    struct mprof_prof *prof = MPROF_PROF;

    MPROF_SYSTICK->end = time + period;
    if (prof->header.frozen == 0 && MPROF_TIME_HZ == 0)
        prof->trace_lead.time_hz = cpu_hz;
}
#else
#define hold_time()                        0U
#define release_time(time, period, cpu_hz) ((void)(time))
#endif

MPROF_UNHOOKED void mprof_systick_start(uint32_t cpu_hz, uint32_t sample_hz)
{
    uint32_t period = mprof_timer_set(cpu_hz, sample_hz, PERIOD_MIN, PERIOD_MAX);
    uint32_t time = hold_time();

    SYST_CSR = 0;
    SHPR3 &= ~SHPR3_SYSTICK;
    SYST_RVR = period - 1;
    SYST_CVR = 0;
    SYST_CSR = CSR_CLKSOURCE | CSR_TICKINT | CSR_ENABLE;
    release_time(time, period, cpu_hz);
}

/* A new reload value takes effect at the next wrap. If a second mprof_init() made the
 * period 0, this is the longest one until the timer is started again, so there is no lower limit.
 */
MPROF_INLINE void set_next(void)
{
    if (MPROF_JITTER)
        SYST_RVR = mprof_timer_next(0) - 1;
}

MPROF_APART MPROF_CODE static void sample_late(const uint32_t *frame, uint32_t exc_return)
{
    set_next();
    mprof_sample_frame(frame, exc_return, MPROF_STREAM_LATE);
}

/* The register still holds the reload value that this period began with. */
MPROF_INLINE int is_late(void)
{
#if MPROF_LATE_TICKS
    return SYST_RVR - SYST_CVR >= MPROF_LATE_TICKS;
#else
    return 0;
#endif
}

__attribute__((used)) MPROF_CODE static void on_tick(const uint32_t *frame, uint32_t exc_return)
{
#if MPROF_TIME_SYSTICK
    mprof_systick_add();
#endif
    if (is_late()) {
        sample_late(frame, exc_return);
    } else {
        set_next();
        mprof_sample_frame(frame, exc_return, 0);
    }
}

__attribute__((naked)) MPROF_CODE void SysTick_Handler(void)
{
#ifdef __thumb2__
    __asm__(MPROF_FIND_FRAME "b %c0" : : "i"(on_tick));
#else
    __asm__(MPROF_FIND_FRAME "ldr r2, 2f\n\t"
                             "bx r2\n\t"
                             ".balign 4\n"
                             "2: .word %c0"
            :
            : "i"(on_tick));
#endif
}
