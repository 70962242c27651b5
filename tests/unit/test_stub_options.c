/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's options, natively: what a hit adds, decay, the sink, the filter, sleep and phases. */
#include "unit.h"

#include <mprof/mprof.h>

#include "timer.h"

#define TEXT 0x8000000u

static struct {
    unsigned calls;
    uintptr_t pc, lr;
    uint32_t exception;
} sunk;

void sink(uintptr_t pc, uintptr_t lr, uint32_t exception);
void sink(uintptr_t pc, uintptr_t lr, uint32_t exception)
{
    sunk.calls++;
    sunk.pc = pc;
    sunk.lr = lr;
    sunk.exception = exception;
}

static const mprof_row_t *row_of(uintptr_t addr)
{
    for (size_t i = 0; i < MPROF_CNT - s_prof.items_lead.free; i++) {
        if (s_prof.items[i].addr == addr)
            return &s_prof.items[i];
    }
    return NULL;
}

static uint32_t sum_of_rest(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT / 2; i++)
        sum += s_prof.items_rest[i];
    return sum;
}

/* In units of what a hit adds: hits that faded are in the rest. */
static void assert_conserved(void)
{
    uint32_t sum = sum_of_rest();

    for (size_t i = 0; i < MPROF_CNT - s_prof.items_lead.free; i++)
        sum += s_prof.items[i].hits;
    assert_int_equal(sum, MPROF_HITCNT_INC * (s_prof.header.heartbeat - s_prof.header.ignored -
                                              s_prof.header.sleeping));
}

static int set_up(void **state)
{
    memset(&sunk, 0, sizeof(sunk));
    s_prof.header.magic = 0;
    mprof_init();
    return 0;
}

/* Each hit adds three, each event takes one from one of sixteen rows, in turn. */
static void test_increment_and_decay(void **state)
{
    assert_int_equal(s_prof.blocks[0].flags, MPROF_BLOCK_DECAYS | 3 << 8);
    mprof_sample(TEXT);
    assert_int_equal(row_of(TEXT)->hits, 3);
    for (int i = 0; i < 160; i++)
        mprof_sample(TEXT);
    uint32_t hits = row_of(TEXT)->hits;
    assert_in_range(hits, 3 * 161 - 11, 3 * 161 - 9);
    /* Nothing but decay: another row's hits. */
    for (int i = 0; i < 1600; i++)
        mprof_sample(TEXT + 16);
    assert_in_range(row_of(TEXT)->hits, hits - 101, hits - 99);
    for (int i = 0; i < 16000; i++)
        mprof_sample(TEXT + 16);
    assert_null(row_of(TEXT) && row_of(TEXT)->hits > 16 ? row_of(TEXT) : NULL);
    assert_conserved();
}

/* What was presented lies between an address's hits and these with the rest of its region, also
 * when hits fade and rows give way. */
static void test_bounds_of_what_fades(void **state)
{
    static uint32_t presented[200];
    uint32_t random = 88172645;

    for (int i = 0; i < 20000; i++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        uint32_t block = random % 200 * (random >> 16 & 0xff) / 256;

        presented[block]++;
        mprof_sample(TEXT + 16 * block);
    }
    for (uint32_t block = 0; block < 200; block++) {
        uintptr_t addr = TEXT + 16 * block;
        uint32_t hits = row_of(addr) ? row_of(addr)->hits : 0;
        uint32_t rest = s_prof.items_rest[(addr >> MPROF_REST_SHIFT) % (MPROF_CNT / 2)];

        assert_in_range(presented[block] * MPROF_HITCNT_INC, hits, hits + rest);
    }
    assert_conserved();
}

static void test_sink_sees_each_sample(void **state)
{
    mprof_sample_from_isr(TEXT + 2, TEXT + 41, 15);
    assert_int_equal(sunk.calls, 1);
    assert_int_equal(sunk.pc, TEXT + 2);
    assert_int_equal(sunk.lr, TEXT + 41);
    assert_int_equal(sunk.exception & MPROF_STREAM_EXCEPTION, 15);
    mprof_stop();
    mprof_sample(TEXT);
    assert_int_equal(sunk.calls, 1);
    mprof_start();
    mprof_sample(TEXT);
    assert_int_equal(sunk.calls, 2);
    assert_int_equal(s_prof.header.heartbeat, 2);
}

/* 0x9000000 to 0x9000100 is MPROF_IGNORE_LIST; the host may add to it and change it. */
static void test_filter(void **state)
{
    assert_int_equal(s_prof.ignore[0].start, 0x9000000);
    assert_int_equal(s_prof.ignore[0].end, 0x9000100);
    assert_int_equal(s_prof.ignore[1].end, 0);
    mprof_sample(0x9000000);
    mprof_sample(0x90000fe);
    mprof_sample(0x9000100);
    mprof_sample(0x8fffffe);
    assert_int_equal(s_prof.header.ignored, 2);
    assert_int_equal(s_prof.header.heartbeat, 4);
    s_prof.ignore[1].start = TEXT;
    s_prof.ignore[1].end = TEXT + 4;
    s_prof.ignore[0].end = 0;
    mprof_sample(TEXT);
    mprof_sample(0x9000000);
    assert_int_equal(s_prof.header.ignored, 3);
    assert_non_null(row_of(0x9000000));
}

static void test_sleep(void **state)
{
    mprof_sleep_enter();
    mprof_sample(TEXT);
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.sleeping, 2);
    assert_null(row_of(TEXT));
    mprof_sleep_exit(40);
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.sleeping, 42);
    assert_int_equal(s_prof.header.heartbeat, 43);
    assert_int_equal(s_prof.header.enable, MPROF_ENABLE_ALL);
}

static void attention(void)
{
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
}

static void test_phase(void **state)
{
    mprof_phase(7);
    assert_int_equal(s_prof.header.phase, 7);
    mprof_sample(TEXT);
    s_prof.header.phase_only = 8;
    s_prof.header.nonce = 0x1234;
    attention();
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.nonce_echo, 0x1234);
    assert_int_equal(s_prof.header.ignored, 1);
    mprof_phase(8);
    mprof_sample(TEXT);
    mprof_phase(7);
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.ignored, 2);
    assert_int_equal(s_prof.header.heartbeat, 4);
}

static void test_reset(void **state)
{
    for (int i = 0; i < 100; i++)
        mprof_sample(TEXT + 16 * (unsigned)i);
    uint32_t generation = s_prof.header.generation;
    uint32_t boot = s_prof.header.boot;
    s_prof.header.reset_request = 5;
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.reset_done, 0); /* nobody asked for a look */
    attention();
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.reset_done, 5);
    assert_int_equal(s_prof.header.heartbeat, 1);
    assert_int_equal(sum_of_rest(), 0);
    assert_int_equal(s_prof.items_lead.spilled, 0);
    assert_int_equal(s_prof.items_lead.free, MPROF_CNT - 1);
    assert_int_equal(s_prof.header.boot, boot);
    assert_int_equal(s_prof.header.generation, generation + 0x10000);
    assert_int_equal(row_of(TEXT)->hits, 3);
    /* The same request again is none. */
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.heartbeat, 2);
}

/* Late samples count as such only where they count at all. */
static void test_late(void **state)
{
    mprof_sample_from_isr(TEXT, 0, 3);
    assert_int_equal(s_prof.header.late, 0);
    mprof_sample_from_isr(TEXT, 0, 3 | MPROF_STREAM_LATE);
    assert_int_equal(s_prof.header.late, 1);
    assert_int_equal(s_prof.header.heartbeat, 2);
    assert_int_equal(row_of(TEXT)->hits, 2 * 3);
    mprof_stop();
    mprof_sample_from_isr(TEXT, 0, MPROF_STREAM_LATE);
    mprof_start();
    s_prof.header.enable &= ~MPROF_ENABLE_TIMER;
    mprof_sample_from_isr(TEXT, 0, MPROF_STREAM_LATE);
    assert_int_equal(s_prof.header.late, 1);
    assert_int_equal(s_prof.header.heartbeat, 2);
}

static void check_mean(uint32_t period)
{
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;

    s_prof.header.period = period;
    for (uint32_t i = 0; i < 1U << 20; i++) {
        s_prof.header.heartbeat = i;
        uint32_t next = mprof_timer_next(64);

        sum += next;
        least = next < least ? next : least;
        most = next > most ? next : most;
    }
    uint64_t mean = sum >> 10; /* in 1024ths */
    assert_in_range(mean, (uint64_t)period * 1023, (uint64_t)period * 1025);
    assert_in_range(least, period / 2, period / 2 + period / 100);
    assert_in_range(most, period + period / 2 - period / 100, period + period / 2);
}

static void test_period(void **state)
{
    check_mean(256);
    check_mean(25074);
    check_mean(0xaa0000);
    check_mean(1000000000);
    /* A new mprof_init() while the timer runs. */
    mprof_init();
    assert_in_range(mprof_timer_next(64), 32, 96);
}

static void test_nothing_before_init(void **state)
{
    static struct mprof_prof before;

    memset(&s_prof, 0xff, sizeof(s_prof));
    before = s_prof;
    mprof_start();
    mprof_stop();
    mprof_phase(3);
    mprof_sleep_enter();
    mprof_sleep_exit(9);
    mprof_sample(TEXT);
    mprof_sample_from_isr(TEXT, TEXT, 3);
    assert_memory_equal(&s_prof, &before, sizeof(before));
    assert_int_equal(sunk.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_increment_and_decay, set_up),
        cmocka_unit_test_setup(test_bounds_of_what_fades, set_up),
        cmocka_unit_test_setup(test_sink_sees_each_sample, set_up),
        cmocka_unit_test_setup(test_filter, set_up),
        cmocka_unit_test_setup(test_sleep, set_up),
        cmocka_unit_test_setup(test_phase, set_up),
        cmocka_unit_test_setup(test_reset, set_up),
        cmocka_unit_test_setup(test_late, set_up),
        cmocka_unit_test_setup(test_period, set_up),
        cmocka_unit_test_setup(test_nothing_before_init, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
