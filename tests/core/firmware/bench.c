/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One event of each kind between marks; the plugin counts what it executes. */
#include <mprof/mprof.h>

#include "board.h"
#include "hook.h"
#include "marks.h"
#include "race_kind.h"
#include "reference.h"
#include "sampling.h"
#include "semihost.h"
#include "work.h"

#define RATE_OF_TICKS 2U /* so slow that none comes on its own */
#define MISSES        64U
#define SHORT_MISSES  8U

#ifdef ROWS_CNT
#define OTHERS ROWS_CNT
#else
#define OTHERS 0
#endif
/* Of one class: a chain's and those that miss it; then those that fill the table. */
static uint32_t events[CHAIN + MISSES + OTHERS][2];

/* What the sources call; mprof_sample_from_isr() looks first whether it is late. */
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
static void fill_chain(void)
{
    static const char *const inserts[CHAIN] = {"insert, 1st row\n", "insert, 2nd row\n",
                                               "insert, 3rd row\n", "insert, 4th row\n",
                                               "insert, 5th row\n", "insert, 6th row\n"};
    static const char *const hits[CHAIN] = {"hit, 1st row\n", "hit, 2nd row\n", "hit, 3rd row\n",
                                            "hit, 4th row\n", "hit, 5th row\n", "hit, 6th row\n"};

    mprof_init();
    for (uint32_t row = 0; row < CHAIN; row++) {
        sample(events[row]);
        print(LEAD.free == ROWS_CNT - row - 1 ? inserts[row] : "no row taken\n");
    }
    for (uint32_t row = 0; row < CHAIN; row++) {
        sample(events[row]);
        print(hits[row]);
    }
}

#if MPROF_FOCUS_CNT
/* As a host does it; the event after serves it. */
static void point_focus(uint32_t base)
{
    s_prof.header.focus_low = base;
    s_prof.header.focus_request++;
    s_prof.header.enable &= ~(MPROF_ENABLE_UNFOCUSED | MPROF_ENABLE_CALM);
    present(events[0]);
    s_prof.header.enable |= MPROF_ENABLE_CALM;
}

static void bench_focus(void)
{
    mprof_init();
    present(events[0]);
    point_focus(events[0][0]);
    sample(events[0]);
    print("focus, hit, 1st row\n");
    point_focus(events[0][0] + 4 * sizeof(s_prof.focus));
    sample(events[0]);
    print("elsewhere, hit, 1st row\n");
}
#else
static void bench_focus(void)
{
}
#endif

/* Misses an event; whether a row gave way. */
static bool miss(const uint32_t *event)
{
    uint32_t generation = s_prof.header.generation;

    sample(event);
    return s_prof.header.generation != generation;
}

/* Of the chain's rows each has fewer hits than the one in front: each is the smallest so far. */
static void bench_misses(void)
{
    mprof_init();
    for (uint32_t row = 0; row < CHAIN; row++) {
        for (uint32_t more = row; more < CHAIN; more++)
            present(events[row]);
    }
    for (uint32_t i = 0; i < MISSES; i++)
        print(miss(events[CHAIN + i]) ? "miss, replaced\n" : "miss, dropped\n");
}

/* The other way round: the first one gives way. */
static void bench_rising(void)
{
    mprof_init();
    for (uint32_t row = 0; row < CHAIN; row++) {
        for (uint32_t more = 0; more <= row; more++)
            present(events[row]);
    }
    for (uint32_t i = 0; i < MISSES; i++) {
        if (miss(events[CHAIN + i])) {
            print("miss, first replaced\n");
            break;
        }
        print("miss, dropped, first least\n");
    }
}

/* The table is full, and the class has one row or none. */
static void bench_borrowing(uint32_t rows)
{
    for (uint32_t i = 0; i < SHORT_MISSES; i++) {
        mprof_init();
        for (uint32_t hits = 0; hits < 4 && rows != 0; hits++)
            present(events[0]);
        for (uint32_t other = 0; other < OTHERS; other++)
            present(events[CHAIN + MISSES + other]);
        s_prof.header.heartbeat += i; /* chance goes by the number of the event */
        print(miss(events[1]) ? "miss, borrowed\n" : "miss, dropped, short chain\n");
    }
}

static void bench_table(void)
{
    choose_events(events, CHAIN + MISSES, OTHERS);
    fill_chain();
    bench_focus();
    bench_misses();
    bench_rising();
    bench_borrowing(0);
    bench_borrowing(1);
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
