/* SPDX-License-Identifier: 0BSD */
/* Measures what the hooks of a trace cost, by its own clock and records. */
#include "cost.h"

#include "hook.h"
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

/* From the entry of a function to its exit, added up, or the largest number if an interrupt has
 * recorded anything between. */
MPROF_UNHOOKED static uint32_t time_inside(struct mprof_prof *prof)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < COST_CALLS; i++) {
        mprof_probe();
        uint32_t number = ((volatile struct mprof_trace_lead *)&prof->trace_lead)->head;
        volatile mprof_event_t *exit = mprof_trace_record(&prof->trace_lead, number);
        volatile mprof_event_t *entry = mprof_trace_record(&prof->trace_lead, number - 1);
        if (((exit->callee ^ entry->callee) & 0xffffU) != MPROF_TRACE_EXIT)
            return UINT32_MAX;
        sum += exit->time - entry->time;
    }
    return sum;
}

MPROF_UNHOOKED static void keep_less(uint32_t *least, uint32_t value)
{
    if (value < *least)
        *least = value;
}

MPROF_UNHOOKED struct mprof_trace_cost mprof_cost_measure(struct mprof_prof *prof)
{
    uint32_t hooked = UINT32_MAX;
    uint32_t plain = UINT32_MAX;
    uint32_t inside = UINT32_MAX;
    uint32_t nops = UINT32_MAX;
    uint32_t unit = MPROF_COST_UNIT / COST_CALLS;
    struct mprof_trace_cost cost = {0, 0, 0, 0};

    for (unsigned i = 0; i < COST_ROUNDS; i++) {
        /* A trace that stops when it is full must not be. */
        prof->trace_lead.first = prof->trace_lead.head;
        if (!MPROF_TRACE_STOP || MPROF_TRACE_CNT >= 2 * COST_CALLS)
            keep_less(&hooked, time_calls(mprof_probe));
        keep_less(&plain, time_calls(mprof_probe_plain));
        keep_less(&nops, time_calls(longer));
        prof->trace_lead.first = prof->trace_lead.head;
        keep_less(&inside, time_inside(prof));
    }
    if (inside == UINT32_MAX || hooked == UINT32_MAX || hooked < plain)
        return cost;
    /* The function's own instruction, by which it returns, is none of the hooks'. */
    cost.instruction = nops > plain ? (nops - plain) * unit / COST_NOPS : 0;
    cost.inside = inside * unit > cost.instruction ? inside * unit - cost.instruction : 0;
    cost.call = (hooked - plain) * unit;
    return cost;
}

#endif
