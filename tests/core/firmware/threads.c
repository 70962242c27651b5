/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that preempt each other in the middle of events, and go on in any order. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "board.h"
#include "race_kind.h"
#include "race_table.h"
#include "semihost.h"
#include "work.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010U)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014U)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018U)

#define THREADS      3U
#define EVENTS_COUNT (CHAIN + 3)
#define SWITCHES     40000U
#define SLICE_MAX    2048U /* ticks, 80 instructions under -icount shift=10 */
#define STACK_WORDS  256U

static uint32_t events[EVENTS_COUNT][2];
static volatile uint32_t presented[THREADS][EVENTS_COUNT];
static uint32_t stacks[THREADS][STACK_WORDS] __attribute__((aligned(8)));
static uint32_t *tops[THREADS];
static uint32_t current;
static uint32_t first_generation;
static volatile uint32_t switches;
static volatile bool ended[THREADS];

static void run_thread(uint32_t thread)
{
    uint32_t random = 2463534242U + thread;

    while (switches < SWITCHES) {
        random = next_random(random);
        uint32_t event = (random >> 8) % EVENTS_COUNT;

        presented[thread][event]++;
        present(events[event]);
    }
    ended[thread] = true;
    for (;;)
        ;
}

/* The next thread by chance, for a time by chance. */
__attribute__((used)) static uint32_t *change_thread(uint32_t *top)
{
    static uint32_t random = 88172645;

    random = next_random(random);
    switches++;
    SYST_RVR = 200 + random % SLICE_MAX;
    SYST_CVR = 0;
    tops[current] = top;
    current = (random >> 16) % THREADS;
    return tops[current];
}

__attribute__((naked)) void SysTick_Handler(void)
{
    __asm__("mrs r0, psp\n\t"
            "stmdb r0!, {r4-r11}\n\t"
            "push {r3, lr}\n\t"
            "bl change_thread\n\t"
            "pop {r3, lr}\n\t"
            "ldmia r0!, {r4-r11}\n\t"
            "msr psp, r0\n\t"
            "bx lr");
}

/* A stack as SysTick_Handler leaves it, of a thread that is about to begin. */
static void make_thread(uint32_t thread)
{
    uint32_t *top = &stacks[thread][STACK_WORDS - 16];

    for (uint32_t i = 0; i < 16; i++)
        top[i] = 0;
    top[8] = thread;                           /* r0 */
    top[14] = (uint32_t)(uintptr_t)run_thread; /* pc */
    top[15] = 0x01000000U;                     /* xPSR: Thumb */
    tops[thread] = top;
}

static uint32_t presented_by_all(uint32_t event)
{
    uint32_t sum = 0;

    for (uint32_t thread = 0; thread < THREADS; thread++)
        sum += presented[thread][event];
    return sum;
}

static bool is_of_any(const row_t *row)
{
    for (uint32_t i = 0; i < EVENTS_COUNT; i++) {
        if (IS_OF(row, events[i]))
            return true;
    }
    return false;
}

static void check(void)
{
    struct judgement judgement = {.unbound = 0};
    uint32_t invalid = !chains_are_sound();
    uint32_t total = 0;

    for (const row_t *row = ROWS; row < ROWS + rows_in_use(); row++)
        invalid += !is_of_any(row);
    for (uint32_t i = 0; i < EVENTS_COUNT; i++) {
        total += presented_by_all(i);
        judge_event(&judgement, events[i], presented_by_all(i));
    }
    print("threads ");
    print_number(total, " ");
    print_number((s_prof.header.generation - first_generation) / 2, " ");
    print_number(sum_of_rows() + sum_of_rest() - s_prof.header.heartbeat, " ");
    print_number(total - s_prof.header.heartbeat, " ");
    print_number(invalid, " ");
    print_number(judgement.unbound, " ");
    print_number(judgement.promised, "\n");
}

/* main() becomes the first thread, and the last to end. */
int main(void)
{
    choose_events(events, EVENTS_COUNT, 0);
    mprof_init();
    first_generation = s_prof.header.generation;
    race_admit(1);
    for (uint32_t thread = 1; thread < THREADS; thread++)
        make_thread(thread);
    SYST_RVR = SLICE_MAX;
    SYST_CVR = 0;
    __asm__ volatile("msr psp, %0\n\t"
                     "msr control, %1\n\t"
                     "isb"
                     :
                     : "r"(stacks[0] + STACK_WORDS), "r"(2)
                     : "memory");
    SYST_CSR = 7;
    uint32_t random = 1;

    while (switches < SWITCHES) {
        random = next_random(random);
        presented[0][(random >> 8) % EVENTS_COUNT]++;
        present(events[(random >> 8) % EVENTS_COUNT]);
    }
    while (!ended[1] || !ended[2])
        ;
    SYST_CSR = 0;
    check();
    quit();
}
