/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of the trace by SysTick, in a model of the timer: interrupts come between any two reads
 * of its registers, and its handler comes late. */
#include "unit.h"

#include "gate.h"

#undef MPROF_TIME_SYSTICK
#define MPROF_TIME_SYSTICK 1

static volatile uint32_t icsr;
static volatile struct mprof_systick_registers *model(void);
static uint32_t model_read(const volatile uint32_t *from);

#define MPROF_SYSTICK_REGISTERS   model()
#define MPROF_ICSR                icsr
#define MPROF_SYSTICK_READ(value) model_read(&(value))
#include "../../target-stub/port/cortex-m/systick_time.h"
void mprof_systick_reloaded(void);
#include "../../target-stub/port/cortex-m/systick_time.c"

#define PENDSTSET 0x04000000U
#define PERIOD    1000U
#define ENTRY     12U /* cycles of an exception's entry */

static struct mprof_systick_registers registers;
static uint32_t now, period, reload_at; /* the counter is 0 then */

/* What runs: the handler, from its entry until it has added the reload, and levels above it. */
static bool masked, in_handler;
static unsigned above;

/* The latest time that was given, and how early one was outside of the handler's entry. */
static uint32_t latest, early;
static uint32_t chance; /* one read in this many is interrupted by an event; 0: none */

static uint32_t draw(uint32_t limit)
{
    static uint32_t state = 1;

    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static uint32_t at_most(uint32_t cycles, uint32_t most)
{
    return cycles < most ? cycles : most;
}

static void pass(uint32_t cycles)
{
    for (uint32_t left = cycles; left > 0;) {
        uint32_t step = at_most(left, reload_at - now);

        now += step;
        left -= step;
        if (now != reload_at)
            continue;
        icsr = PENDSTSET;
        reload_at += period;
    }
}

static volatile struct mprof_systick_registers *model(void)
{
    return &registers;
}

static void event(void)
{
    uint32_t before = latest, begin = now;
    uint32_t time = mprof_systick_time();

    assert_true((int32_t)(time - before) >= 0);
    assert_true((int32_t)(now - time) >= 0);
    if (!in_handler && (int32_t)(begin - time) > (int32_t)early)
        early = begin - time;
    if ((int32_t)(time - latest) > 0)
        latest = time;
}

static void event_above(void)
{
    above++;
    event();
    above--;
}

static void handle(void)
{
    while (icsr != 0 && !masked && !in_handler && above == 0) {
        in_handler = true;
        icsr = 0;
        pass(ENTRY);
        if (chance != 0 && draw(4) == 0)
            event_above();
        mprof_systick_reloaded();
        in_handler = false;
    }
}

static uint32_t model_read(const volatile uint32_t *from)
{
    pass(1 + draw(2));
    handle();
    if (chance != 0 && above < 3 && draw(chance) == 0)
        event_above();
    handle();
    if (from == &registers.cvr)
        return reload_at - now == period ? 0 : reload_at - now;
    return *from;
}

static void begin(uint32_t cycles)
{
    period = cycles;
    registers.rvr = period - 1;
    icsr = 0;
    now = latest = mprof_systick[0].given = 0U - 50 * period;
    mprof_systick[0].end = reload_at = now + period;
    masked = in_handler = false;
    above = early = chance = 0;
}

static void go_on_until(uint32_t when)
{
    while ((int32_t)(when - now) > 0) {
        pass(at_most(when - now, reload_at - now));
        handle();
    }
}

/* Interrupts are masked until that many cycles after a reload, at most. */
static void run(uint32_t most)
{
    for (unsigned i = 0; i < 20000; i++) {
        go_on_until(reload_at - 1 - draw(PERIOD / 2));
        if (draw(2) == 0)
            event();
        masked = true;
        uint32_t until = reload_at + (draw(2) == 0 ? draw(most) : most - draw(20));
        while ((int32_t)(until - now) > 300) {
            go_on_until(now + draw(200));
            event();
        }
        go_on_until(until);
        masked = false;
        handle();
        if (draw(2) == 0)
            event();
    }
}

/* The handler is late by less than a period. */
static void test_right(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        begin(PERIOD);
        chance = 10 * i;
        run(PERIOD - 1);
        assert_int_equal(early, 0);
    }
}

/* By more than that: time is lost. */
static void test_late(void **state)
{
    (void)state;
    begin(PERIOD);
    chance = 10;
    run(3 * PERIOD);
    assert_true(early != 0);
}

/* There was no event for half of all times. */
static void test_idle(void **state)
{
    (void)state;
    begin(1U << 24);
    for (unsigned i = 1; i < 20; i++) {
        for (unsigned j = 0; j < i; j++)
            go_on_until(now + (1U << 29));
        latest = now - 1;
        event();
        assert_int_equal(early, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
