/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs generated functions for a time of the core's clock, and writes s_prof to files meanwhile. */
#include <mprof/mprof.h>

#include "alarms.h"
#include "generated.h"
#include "sampling.h"
#include "semihost.h"
#include "work.h"

/* Rounds from one look at the clock to the next. */
#define ROUNDS 8U

/* How often an interrupt calls its function. */
#define TURNS 10U

/* Written before the core starts: each boot is another one. */
volatile struct {
    uint32_t seed; /* not 0 */
    uint32_t seconds;
} judge_boot __attribute__((section(".bss.mprof")));

/* Thousandths of the run after which the table is written to the file "0", "1", ... */
static const uint16_t s_snapshots[] = {17, 167, 900, 1000};

static volatile uint32_t s_alarms;
static uint32_t s_alarm_value;
static uint32_t s_high_value;
static uint32_t s_random;
static uint32_t s_value;

/* The plugin counts from one to the next. */
KEEP_APART static void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART static void mark_end(void)
{
    __asm__ volatile("");
}

/* Long enough that the ends of RISC-V's handlers do not matter: with interrupts masked they have no
 * samples. */
void on_low_alarm(void)
{
    s_alarms++;
    for (unsigned i = 0; i < TURNS; i++) {
        s_alarm_value = alarm_plan.low(s_alarm_value);
        if (i == 2)
            alarms_raise_high();
    }
}

void on_high_alarm(void)
{
    for (unsigned i = 0; i < TURNS; i++)
        s_high_value = alarm_plan.high(s_high_value);
}

KEEP_APART static void sleep_until_alarm(void)
{
    uint32_t before = s_alarms;

    while (s_alarms == before)
        wait_for_interrupt();
}

static void run_rounds(const function_t *calls)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        s_random = next_random(s_random);
        s_value = calls[s_random >> 16 & (SLOTS - 1)](s_value);
        if ((s_random >> 4 & 0xff) < sleeps)
            sleep_until_alarm();
    }
}

/* The table to a file, and the ticks of the clock as text. */
static void write_snapshot(unsigned number, uint32_t ticks)
{
    const char name[2] = {(char)('0' + number), '\0'};
    const uintptr_t open_it[3] = {(uintptr_t)name, OPEN_FOR_WRITING, 1};
    uintptr_t file = semihost(SYS_OPEN, (uintptr_t)open_it);
    const uintptr_t table[3] = {file, (uintptr_t)&s_prof, sizeof(s_prof)};

    semihost(SYS_WRITE, (uintptr_t)table);
    semihost(SYS_CLOSE, (uintptr_t)&file);
    print_number(ticks, "\n");
}

/* No sample comes in between. */
static void take_snapshot(unsigned number, uint32_t start)
{
    interrupts_off();
    uint32_t ticks = clock_ticks() - start;

    mark_end();
    write_snapshot(number, ticks);
    mark_begin();
    interrupts_on();
}

static uint32_t run(uint32_t permille)
{
    return judge_boot.seconds * (CLOCK_HZ / 1000) * permille;
}

/* Until the next snapshot or the next phase. */
static void run_until(const struct phase *phase, uint32_t start, uint32_t ticks)
{
    while (clock_ticks() - start < ticks)
        run_rounds(phase->calls);
}

int main(void)
{
    const struct phase *phase = phases;

    s_random = judge_boot.seed;
    mprof_init();
    clock_start();
    if (alarm_plan.period_us != 0)
        alarms_start(alarm_plan.period_us);
    interrupts_on();
    for (uint32_t i = judge_boot.seed & 0x3f; i != 0; i--)
        run_rounds(phase->calls);
    sampling_start(1000 + (judge_boot.seed >> 8) % 41);
    uint32_t start = clock_ticks();
    mark_begin();
    for (unsigned i = 0; i < sizeof(s_snapshots) / sizeof(s_snapshots[0]); i++) {
        while (phase->permille < s_snapshots[i]) {
            run_until(phase, start, run(phase->permille));
            phase++;
        }
        run_until(phase, start, run(s_snapshots[i]));
        if (phase->permille == s_snapshots[i])
            phase++;
        take_snapshot(i, start);
    }
    quit();
}
