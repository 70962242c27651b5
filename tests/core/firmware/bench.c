/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of each kind between marks; the plugin counts what it executes. */
#include <mprof/mprof.h>

#include "board.h"
#include "hook.h"
#include "race_kind.h"
#include "reference.h"
#include "sampling.h"
#include "semihost.h"
#include "work.h"

#define RATE_OF_TICKS 2U /* so slow that none comes on its own */
#define MISSES        64U

static uint32_t events[4 + MISSES][2];

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

/* 10 instructions, its return among them. */
__attribute__((naked, noinline)) void control(void)
{
    __asm__("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
#ifdef __arm__
            "bx lr"
#else
            "ret"
#endif
    );
}

/* What the feeders call; mprof_sample_from_isr() looks first whether it is late. */
void mprof_sample_in_time(uintptr_t pc, uintptr_t lr, uint32_t exception);

static void sample(const uint32_t *event)
{
#ifdef RACE_SAMPLES
    mark_begin();
    mprof_sample_in_time(event[0], 0, 0);
    mark_end();
#else
    mark_begin();
    mprof_call_open(event[0], event[1]);
    mark_end();
#endif
}

#ifdef ROWS_CNT
/* Fills the four ways of a set, then hits each, then misses until both kinds of misses were seen.
 */
static void bench_table(void)
{
    static const char *const inserts[4] = {"insert, way 1\n", "insert, way 2\n", "insert, way 3\n",
                                           "insert, way 4\n"};
    static const char *const hits[4] = {"hit, way 1\n", "hit, way 2\n", "hit, way 3\n",
                                        "hit, way 4\n"};

    choose_events(events, 4 + MISSES);
    mprof_init();
    for (uint32_t way = 0; way < 4; way++) {
        sample(events[way]);
        print(inserts[way]);
    }
    for (uint32_t way = 0; way < 4; way++) {
        sample(events[way]);
        print(hits[way]);
    }
    /* The last way has the fewest hits: nothing is left out of the search for the smallest. */
    for (uint32_t way = 0; way < 4; way++) {
        for (uint32_t more = way; more < 3; more++)
            present(events[way]);
    }
    for (uint32_t i = 0; i < MISSES; i++) {
        uint32_t displaced = s_prof.header.displaced;

        sample(events[4 + i]);
        print(s_prof.header.displaced != displaced ? "miss, replaced\n" : "miss, dropped\n");
    }
}
#else
static void bench_table(void)
{
    mprof_init();
    for (uint32_t i = 0; i < 3; i++) {
        sample(events[i]);
        print("record\n");
    }
}
#endif

#if MPROF_CNT
static void reference(uint32_t addr)
{
    mark_begin();
    reference_sample(addr);
    mark_end();
}

static void bench_reference(void)
{
    uint32_t addr = 0x1000;

    for (uint32_t i = 0; i < REFERENCE_CNT; i++, addr += 16)
        reference_sample(addr);
    reference(reference_prof.items[0].base_addr);
    print("reference hit, first row\n");
    reference_sample(reference_prof.items[0].base_addr);
    reference(reference_prof.items[REFERENCE_CNT / 2].base_addr);
    print("reference hit, middle row rising\n");
    reference_prof.items[0].hit_cnt = 1;
    reference_prof.items[1].hit_cnt = 1;
    reference(reference_prof.items[REFERENCE_CNT - 1].base_addr);
    print("reference hit, last row rising\n");
    reference(addr);
    print("reference miss\n");
}
#else
static void bench_reference(void)
{
}
#endif

#if MPROF_CNT || MPROF_STREAM_CNT
/* The timer's interrupt, now and always at the same address. Not late: a period has just begun. */
KEEP_APART static void pend_tick(void)
{
#ifdef __arm__
    *(volatile uint32_t *)0xE000ED04U = 0x04000000U; /* ICSR, PENDSTSET */
    __asm__ volatile("dsb\n\tisb");
#else
    *(volatile uint32_t *)0x02004000U = *(volatile uint32_t *)0x0200bff8U;
    *(volatile uint32_t *)0x02004004U = 0;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop");
#endif
}

static void begin_period(void)
{
#ifdef __arm__
    *(volatile uint32_t *)0xE000E018U = 0; /* SYST_CVR */
#endif
    work(50);
}

/* The first tick makes the row that the second one hits. */
static void bench_entry(void)
{
    mprof_init();
    sampling_start(RATE_OF_TICKS);
    for (uint32_t i = 0; i < 2; i++) {
        begin_period();
        mark_begin();
        pend_tick();
        mark_end();
        print(i == 0 ? "tick, insert\n" : "tick, hit\n");
    }
}
#else
static void bench_entry(void)
{
}
#endif

int main(void)
{
    mark_begin();
    control();
    mark_end();
    print("control\n");
    bench_table();
    bench_reference();
    bench_entry();
    quit();
}
