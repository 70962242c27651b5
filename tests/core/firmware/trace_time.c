/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the times of a trace that SysTick gives with another timer of the board, and prints for
 * each way to disturb it: its name, events, times that went back, the most cycles that a time was
 * early and late, and how often what was to be tried has happened. With OWN_TICK the firmware has
 * SysTick itself, and chooses its periods. */
#include <mprof/isr.h>

#include "board.h"
#include "semihost.h"
#include "work.h"

#define PERIOD 4000U /* cycles, in the mean: more than 2000 instructions */

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)
#define ICSR     (*(volatile uint32_t *)0xE000ED04U)
#define PENDING  0x04000000U
#define SHPR3    (*(volatile uint32_t *)0xE000ED20U)
#define ISER     (*(volatile uint32_t *)0xE000E100U)
#define IPR2     (*(volatile uint32_t *)0xE000E408U)
#define ALARM    9U /* the interrupt, on both boards */

#ifdef __thumb2__ /* the timers of Arm's CMSDK, 25 MHz */

#define TIMER(n, reg) (*(volatile uint32_t *)(0x40000000U + 0x1000U * (n) + (reg)))
enum { CTRL = 0, VALUE = 4, RELOAD = 8, INTCLEAR = 12, ENABLE = 1, INTERRUPT = 8 };

static void reference_start(void)
{
    TIMER(0, RELOAD) = TIMER(0, VALUE) = UINT32_MAX;
    TIMER(0, CTRL) = ENABLE;
}

static uint32_t reference(void)
{
    return ~TIMER(0, VALUE);
}

static void alarm_stop(void)
{
    TIMER(1, CTRL) = 0;
    TIMER(1, INTCLEAR) = 1;
}

static void alarm_set(uint32_t cycles)
{
    alarm_stop();
    TIMER(1, RELOAD) = TIMER(1, VALUE) = cycles;
    TIMER(1, CTRL) = ENABLE | INTERRUPT;
}

#else /* those of the nRF51. Of 16 MHz the half: QEMU counts whole nanoseconds */

#define TIMER(n, reg) (*(volatile uint32_t *)(0x40008000U + 0x1000U * (n) + (reg)))
enum {
    START = 0,
    STOP = 4,
    CLEAR = 12,
    CAPTURE = 0x40,
    COMPARED = 0x140,
    INTENSET = 0x304,
    BITMODE = 0x508,
    PRESCALER = 0x510,
    CC = 0x540
};

static void reference_start(void)
{
    TIMER(0, BITMODE) = TIMER(1, BITMODE) = 3;
    TIMER(0, PRESCALER) = 1;
    TIMER(1, PRESCALER) = 0;
    TIMER(1, INTENSET) = 1U << 16;
    TIMER(0, START) = 1;
}

static uint32_t reference(void)
{
    TIMER(0, CAPTURE) = 1;
    return 2 * TIMER(0, CC);
}

static void alarm_stop(void)
{
    TIMER(1, STOP) = 1;
    TIMER(1, CLEAR) = 1;
    TIMER(1, COMPARED) = 0;
}

static void alarm_set(uint32_t cycles)
{
    alarm_stop();
    TIMER(1, CC) = cycles;
    TIMER(1, START) = 1;
}

#endif

/* What was found, and where both clocks were when a test began. */
static struct {
    uint32_t events, back, early, late, tried;
} found;
static uint32_t base_time, base_reference;
static volatile uint32_t latest;

static uint32_t samples(void)
{
    return ((volatile struct mprof_header *)&s_prof.header)->heartbeat;
}

/* The time of the mark with that value. */
static uint32_t time_of(uint32_t value)
{
    for (uint32_t n = s_prof.trace_lead.head;; n--) {
        volatile mprof_event_t *record = &s_prof.trace[n % MPROF_TRACE_CNT];

        if (record->caller == value)
            return record->time;
    }
}

static void raise_to(uint32_t *most, uint32_t value)
{
    if ((int32_t)value > 0 && value > *most)
        *most = value;
}

static void look(void)
{
    uint32_t earliest = latest;
    uint32_t before = reference();

    mprof_mark(1, before);
    uint32_t after = reference();
    uint32_t time = time_of(before);

    found.back += (int32_t)(time - earliest) < 0;
    raise_to(&found.early, (before - base_reference) - (time - base_time));
    raise_to(&found.late, (time - base_time) - (after - base_reference));
    found.events++;
    if ((int32_t)(time - latest) > 0)
        latest = time;
}

/* The two clocks are read next to each other. */
static void begin(void)
{
    uint32_t before = reference();

    mprof_mark(1, before);
    found.events = found.back = found.early = found.late = found.tried = 0;
    latest = base_time = time_of(before);
    base_reference = before;
}

static void end(const char *name)
{
    print(name);
    print_number(found.events, " ");
    print_number(found.back, " ");
    print_number(found.early, " ");
    print_number(found.late, " ");
    print_number(found.tried, "\n");
}

static uint32_t draw(uint32_t limit)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static void wait_cycles(uint32_t cycles)
{
    for (uint32_t start = reference(); reference() - start < cycles;)
        ;
}

#ifdef OWN_TICK
void own_tick(void);

void own_tick(void)
{
    SYST_RVR = PERIOD / 2 + draw(PERIOD);
}

MPROF_TICK_ISR(SysTick_Handler, own_tick);
#endif

/* What comes at random, mostly while SysTick's handler begins. */
static uint32_t alarms;

__attribute__((used)) static void on_alarm(const uint32_t *frame)
{
    uintptr_t pc = frame[6];

    alarm_stop();
    ICSR; /* the write is there before the return */
    /* The exception that was interrupted has not come further than its entry. */
    found.tried += (frame[7] & 0x1ff) == 15 && pc - ((uintptr_t)SysTick_Handler & ~1U) < 16;
    alarms++;
    for (uint32_t i = draw(3); i-- > 0;)
        look();
}

void External_Handler(void);

__attribute__((naked)) void External_Handler(void)
{
    __asm__("mov r0, sp\n\t"
            "ldr r1, 1f\n\t"
            "bx r1\n\t"
            ".balign 4\n"
            "1: .word on_alarm");
}

static void plain(uint32_t rounds)
{
    begin();
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t before = samples();

        look();
        work(1 + draw(300));
        found.tried += samples() - before;
    }
}

/* Interrupts are masked for less than the shortest period. */
static void masked(uint32_t rounds)
{
    begin();
    for (uint32_t i = 0; i < rounds; i++) {
        work(1 + draw(100));
        __asm__ volatile("cpsid i" : : : "memory");
        for (uint32_t start = reference(); reference() - start < PERIOD / 2 - 700;) {
            look();
            found.tried += (ICSR & PENDING) != 0;
        }
        __asm__ volatile("cpsie i" : : : "memory");
        look();
    }
}

/* The alarm comes when SysTick is at 0 or shortly after; or, if its priority is the lower one,
 * while the time is read. */
static void nested(uint32_t rounds, uint32_t tick_priority, uint32_t alarm_priority)
{
    SHPR3 = (SHPR3 & 0xffffffU) | tick_priority << 24;
    IPR2 = (IPR2 & ~0xff00U) | alarm_priority << 8;
    ISER = 1U << ALARM;
    begin();
    for (uint32_t i = 0; i < rounds; i++) {
        uint32_t before = alarms;

        while (SYST_CVR < 300)
            ;
        alarm_set(SYST_CVR - draw(150));
        while (alarms == before) {
            look();
            if (SYST_CVR > 1500)
                work(10);
        }
        look();
    }
}

/* For more than two of the longest periods. Nothing but lost time is allowed. */
static void late(void)
{
    begin();
    __asm__ volatile("cpsid i" : : : "memory");
    for (uint32_t i = 0; i < 40; i++) {
        look();
        wait_cycles(PERIOD / 10);
    }
    wait_cycles(3 * PERIOD);
    look();
    __asm__ volatile("cpsie i" : : : "memory");
    for (uint32_t i = 0; i < 40; i++) {
        look();
        wait_cycles(PERIOD / 10);
    }
}

int main(void)
{
    mprof_init();
    reference_start();
#ifdef OWN_TICK
    mprof_tick_locked(CPU_HZ / PERIOD);
    SYST_RVR = PERIOD;
    SYST_CVR = 0;
    SYST_CSR = 7;
    while (SYST_CVR == 0 || samples() == 0)
        ;
#else
    mprof_systick_start(CPU_HZ, CPU_HZ / PERIOD);
#endif
    plain(ROUNDS);
    end("plain ");
    masked(ROUNDS / 8);
    end("masked ");
    nested(ROUNDS / 2, 0xc0, 0);
    end("above ");
    nested(ROUNDS / 2, 0, 0xc0);
    end("below ");
    late();
    end("late ");
    plain(ROUNDS / 4);
    end("plain ");
    save("prof", &s_prof, sizeof(s_prof));
    quit();
}
