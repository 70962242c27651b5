/* SPDX-License-Identifier: 0BSD */
/* Measures what the hooks of a trace cost, by its own clock and records. */
#include "cost.h"

#include "hook.h"
#include "returns.h"
#include "trace.h"

#if MPROF_TRACE_COST

/* The shortest of some rounds, each of some calls: an interrupt makes one longer, and the first one
 * fills caches. */
#define COST_ROUNDS 6U
#define COST_CALLS  8U

#if !MPROF_TRACE_RETURNS
void __cyg_profile_func_enter(void *callee, void *caller);
void __cyg_profile_func_exit(void *callee, void *caller);

/* As a compiler makes it of an empty function with -finstrument-functions. */
MPROF_UNHOOKED __attribute__((noinline)) static void mprof_probe(void)
{
    __cyg_profile_func_enter((void *)(uintptr_t)mprof_probe, __builtin_return_address(0));
    __asm__ volatile("");
    __cyg_profile_func_exit((void *)(uintptr_t)mprof_probe, __builtin_return_address(0));
}

MPROF_UNHOOKED __attribute__((noinline)) static void mprof_probe_plain(void)
{
    __asm__ volatile("");
}
#endif

/* How much longer than an empty function it takes tells what one instruction takes. */
#define COST_NOPS 16U
MPROF_UNHOOKED __attribute__((noinline)) static void longer(void)
{
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
                     "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
}

/* The time of all calls of a round. The same instructions for each function. */
MPROF_ENTRY static uint32_t time_calls(void (*volatile function)(void))
{
    uint32_t before = mprof_trace_time();

    for (unsigned i = 0; i < COST_CALLS; i++)
        function();
    return mprof_trace_time() - before;
}

/* Whether two records are of one call, of which nothing else was recorded. */
MPROF_UNHOOKED static int is_call(const volatile mprof_event_t *entry,
                                  const volatile mprof_event_t *exit, int jump)
{
    uintptr_t callee = (uintptr_t)entry->callee;

#if MPROF_TRACE_RETURNS
    callee = jump ? mprof_jump_place(callee) : callee | MPROF_TRACE_EXIT;
#else
    (void)jump;
    callee |= MPROF_TRACE_EXIT;
#endif
    return ((callee ^ (uintptr_t)exit->callee) & 0xffffU) == 0;
}

/* From the entry of a function to its exit, added up, or the largest number if an interrupt has
 * recorded anything between. Of a call the last two records are taken; of one that ends by a jump
 * to a function that returns, the two before these. */
MPROF_UNHOOKED static uint32_t time_inside(struct mprof_prof *prof, void (*volatile function)(void),
                                           int jump)
{
    uint32_t sum = 0;

    prof->trace_lead.first = prof->trace_lead.head;
    for (unsigned i = 0; i < COST_CALLS; i++) {
        function();
        uint32_t last = ((volatile struct mprof_trace_lead *)&prof->trace_lead)->head;
        uint32_t number = jump ? last - 2 : last;
        volatile mprof_event_t *entry = mprof_trace_record(&prof->trace_lead, number - 1);
        volatile mprof_event_t *exit = mprof_trace_record(&prof->trace_lead, number);
        if (!is_call(entry, exit, jump))
            return UINT32_MAX;
        sum += exit->time - entry->time;
    }
    return sum;
}

/* Of COST_CALLS calls of a function, without its own instruction, by which it returns or jumps. */
MPROF_UNHOOKED static uint32_t without_own(uint32_t inside, uint32_t instruction)
{
    uint32_t unit = MPROF_COST_UNIT / COST_CALLS;

    return inside * unit > instruction ? inside * unit - instruction : 0;
}

MPROF_UNHOOKED static void keep_less(uint32_t *least, uint32_t value)
{
    if (value < *least)
        *least = value;
}

#if MPROF_COST_JUMPS
/* What a function that ends by a jump costs more, and the one that it jumps to. */
MPROF_UNHOOKED static void measure_jumps(struct mprof_prof *prof, struct mprof_trace_cost *cost)
{
    uint32_t hooked = UINT32_MAX;
    uint32_t plain = UINT32_MAX;
    uint32_t from = UINT32_MAX;
    uint32_t to = UINT32_MAX;
    uint32_t unit = MPROF_COST_UNIT / COST_CALLS;

    for (unsigned i = 0; i < COST_ROUNDS; i++) {
        prof->trace_lead.first = prof->trace_lead.head;
        keep_less(&hooked, time_calls(mprof_probe_jump));
        keep_less(&plain, time_calls(mprof_probe_jump_plain));
        keep_less(&from, time_inside(prof, mprof_probe_jump, 1));
        keep_less(&to, time_inside(prof, mprof_probe_jump, 0));
    }
    if (from == UINT32_MAX || to == UINT32_MAX || hooked < plain || cost->call == 0 ||
        (hooked - plain) * unit <= cost->call)
        return;
    cost->jump_from = without_own(from, cost->instruction);
    cost->jump_to = without_own(to, cost->instruction);
    cost->jump = (hooked - plain) * unit - cost->call;
}
#endif

MPROF_UNHOOKED struct mprof_trace_cost mprof_cost_measure(struct mprof_prof *prof)
{
    uint32_t hooked = UINT32_MAX;
    uint32_t plain = UINT32_MAX;
    uint32_t inside = UINT32_MAX;
    uint32_t nops = UINT32_MAX;
    uint32_t unit = MPROF_COST_UNIT / COST_CALLS;
    struct mprof_trace_cost cost = {0};

    for (unsigned i = 0; i < COST_ROUNDS; i++) {
        /* A trace that stops when it is full must not be. */
        prof->trace_lead.first = prof->trace_lead.head;
        if (!MPROF_TRACE_STOP || MPROF_TRACE_CNT >= 2 * COST_CALLS)
            keep_less(&hooked, time_calls(mprof_probe));
        keep_less(&plain, time_calls(mprof_probe_plain));
        keep_less(&nops, time_calls(longer));
        keep_less(&inside, time_inside(prof, mprof_probe, 0));
    }
    if (inside == UINT32_MAX || hooked == UINT32_MAX || hooked < plain)
        return cost;
    cost.instruction = nops > plain ? (nops - plain) * unit / COST_NOPS : 0;
    cost.inside = without_own(inside, cost.instruction);
    cost.call = (hooked - plain) * unit;
#if MPROF_COST_JUMPS
    if (MPROF_TRACE_CNT >= (MPROF_TRACE_STOP ? 4 * COST_CALLS : 4))
        measure_jumps(prof, &cost);
#endif
    return cost;
}

#endif
