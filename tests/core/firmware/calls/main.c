/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the program with hooks off, on, and on among interrupts, and says what came out. */
#include "calls.h"

#include <mprof/mprof.h>

/* Given by who compiles: rounds of the program among interrupts, each with hooks off, on, and on
 * while a block is not; and whether all of the program is once among them on x86-64. */
#ifndef ROUNDS
#error "how many ROUNDS?"
#endif

struct noted noted[CONTEXT_COUNT];
volatile int context = HOOKS_OFF;

static uint64_t first[RESULTS_MAX];
static int result_count;
static uint32_t wrong_results;
static volatile uint32_t wrong_interrupts, interrupt_count;
static volatile uint32_t expected; /* of an interrupt, 0: not yet known */

UNHOOKED void handle(uintptr_t pc)
{
    int before = context;

    is_in_hook(pc);
    if (before == IN_MAIN)
        context = IN_INTERRUPT;
    interrupt_count++;
    wrong_interrupts += interrupted(7) != expected;
    context = before;
}

static UNHOOKED void compare(void)
{
    uint64_t result[RESULTS_MAX];
    int count = round_of_calls(result);

    wrong_results += count != result_count;
    for (int i = 0; i < count; i++)
        wrong_results += result[i] != first[i];
}

static UNHOOKED void say(const char *what, uint64_t number)
{
    put(what);
    put_hex(number, "\n");
}

#ifdef HOOK
static UNHOOKED void switch_calls(bool on)
{
    volatile uint32_t *enable = &s_prof.header.enable;

    *enable = on ? *enable | MPROF_ENABLE_CALLS : *enable & ~MPROF_ENABLE_CALLS;
    context = on ? IN_MAIN : HOOKS_OFF;
}

/* s_prof is to be as whoever runs this filled it. */
static UNHOOKED void say_untouched(void)
{
    const volatile uint8_t *byte = (const volatile uint8_t *)&s_prof;
    uint32_t same = 0;

    for (uint32_t i = 0; i < sizeof s_prof; i++)
        same += byte[i] == byte[0];
    say("filled ", byte[0]);
    say("touched ", sizeof s_prof - same);
}

/* On x86-64 each instruction is a signal, which takes its time: so rarely all of the program. */
static UNHOOKED void compare_among_interrupts(bool all)
{
#ifdef __x86_64__
    if (!all) {
        interrupts_on();
        wrong_results += interrupted(7) != expected;
        interrupts_off();
        return;
    }
#endif
    interrupts_on();
    compare();
    interrupts_off();
}

static UNHOOKED void run_hooked(void)
{
    switch_calls(false);
    compare();
    say("events_off ", sink_events());
    switch_calls(true);
    compare();
    for (int round = 0; round < 3 * ROUNDS; round++) {
        switch_calls(round >= ROUNDS);
        if (round >= 2 * ROUNDS)
            s_prof.header.enable &= ~MPROF_ENABLE_STREAM;
        compare_among_interrupts(SINGLE_STEPS && round == ROUNDS);
    }
#if MPROF_TRACE_RETURNS /* what calls the hook would not return */
    say("registers_broken ", 0);
#else
    switch_calls(true);
    say("registers_broken ", registers_broken());
#endif
    switch_calls(false);
    say("registers_broken_off ", registers_broken());
}

static UNHOOKED void print_calls(void)
{
#define NAME(name) #name,
    static const char *const names[] = {FUNCTIONS(NAME)};

    for (int i = 0; i < ID_COUNT; i++) {
        put("noted ");
        put(names[i]);
        put(" ");
        put_hex(noted[IN_MAIN].count[i] + noted[IN_INTERRUPT].count[i], " ");
        put_hex((uint32_t)(noted[IN_MAIN].callers[i] + noted[IN_INTERRUPT].callers[i]), "\n");
    }
    uint32_t in_interrupts = 0;
    for (int i = 0; i < ID_COUNT; i++)
        in_interrupts += noted[IN_INTERRUPT].count[i];
    say("in_interrupts ", in_interrupts);
    say("events ", sink_events());
    print_landed();
    sink_print();
}
#endif

UNHOOKED int main(void)
{
#ifdef HOOK
    say_untouched();
    sink_init();
    switch_calls(false);
#endif
    result_count = round_of_calls(first);
    expected = interrupted(7);
#ifdef HOOK
    run_hooked();
    print_calls();
#endif
    for (int i = 0; i < result_count; i++)
        say("result ", first[i]);
    say("interrupt_result ", expected);
    say("wrong_results ", wrong_results);
    say("wrong_interrupts ", wrong_interrupts);
    say("interrupts ", interrupt_count);
    say("anchor ", (uint32_t)(uintptr_t)main);
    put("end\n");
    quit();
}
