/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest tables that there are, all three at once: links reach the last row. */
#include "unit.h"

#include <mprof/mprof.h>

#define TEXT 0x8000000U

/* Events until a table is full, and what is known of them then. */
#define EVENTS 120000U

static uint32_t presented[EVENTS];

static int set_up(void **state)
{
    memset(presented, 0, sizeof(presented));
    memset(&s_prof, 0xa5, sizeof(s_prof));
    mprof_init();
    return 0;
}

static uint32_t draw(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static uint32_t sum_of_rest(const uint32_t *rest, size_t count)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < count / 2; i++)
        sum += rest[i];
    return sum;
}

static void test_samples(void **state)
{
    uint32_t seed = 88172645;
    size_t used_at_first_loss = 0;
    uint32_t sum = 0;

    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t block = draw(&seed) % EVENTS;

        presented[block]++;
        mprof_sample(TEXT + MPROF_ERR * block);
        if (used_at_first_loss == 0 && s_prof.items_lead.spilled)
            used_at_first_loss = MPROF_CNT - s_prof.items_lead.free;
    }
    print_message("%zu rows in use at the first loss\n", used_at_first_loss);
    assert_true((double)used_at_first_loss >= 0.95 * MPROF_CNT);
    assert_int_equal(s_prof.items_lead.free, 0);
    for (size_t i = 0; i < MPROF_CNT; i++) {
        const mprof_row_t *row = &s_prof.items[i];
        uint32_t truth = presented[(row->addr - TEXT) / MPROF_ERR];
        uint32_t rest = s_prof.items_rest[(row->addr >> MPROF_REST_SHIFT) % (MPROF_CNT / 2)];

        assert_in_range(truth, row->hits, row->stamp == 0 ? row->hits : row->hits + rest);
        sum += row->hits;
    }
    assert_int_equal(sum + sum_of_rest(s_prof.items_rest, MPROF_CNT), EVENTS);
    /* The row after the last one is never in use. */
    assert_int_equal(s_prof.items[MPROF_CNT].addr & 1, 1);
    assert_int_equal(s_prof.items[MPROF_CNT].hits, UINT32_MAX);
}

/* Functions of 64 bytes, each called from one place. */
static void test_calls_and_arcs(void **state)
{
    uint32_t seed = 2463534242U;
    uint32_t calls = 0;
    uint32_t arcs = 0;

    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t function = draw(&seed) % EVENTS;

        presented[function]++;
        mprof_call(TEXT + 64 * function, TEXT + 4 * function);
    }
    assert_int_equal(s_prof.calls_lead.free + s_prof.arcs_lead.free, 0);
    for (size_t i = 0; i < MPROF_CALL_CNT; i++) {
        const mprof_row_t *row = &s_prof.calls[i];
        uint32_t truth = presented[(row->addr - TEXT) / 64];
        uint32_t rest = s_prof.calls_rest[(row->addr >> MPROF_REST_SHIFT) % (MPROF_CALL_CNT / 2)];

        assert_in_range(truth, row->hits, row->stamp == 0 ? row->hits : row->hits + rest);
        calls += row->hits;
    }
    for (size_t i = 0; i < MPROF_ARC_CNT; i++) {
        const mprof_arc_row_t *arc = &s_prof.arcs[i];
        uint32_t function = (uint32_t)(arc->callee - TEXT) / 64;
        uint32_t rest = s_prof.arcs_rest[(arc->callee >> MPROF_REST_SHIFT) % (MPROF_ARC_CNT / 2)];

        assert_int_equal(arc->caller, TEXT + 4 * function);
        assert_in_range(presented[function], arc->hits,
                        arc->stamp == 0 ? arc->hits : arc->hits + rest);
        arcs += arc->hits;
    }
    assert_int_equal(calls + sum_of_rest(s_prof.calls_rest, MPROF_CALL_CNT), EVENTS);
    assert_int_equal(arcs + sum_of_rest(s_prof.arcs_rest, MPROF_ARC_CNT), EVENTS);
}

/* Full tables become empty ones, and fill up again. */
static void test_reset(void **state)
{
    test_samples(state);
    s_prof.header.reset_request = 1;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    mprof_sample(TEXT);
    assert_int_equal(s_prof.header.reset_done, 1);
    assert_int_equal(s_prof.items_lead.free, MPROF_CNT - 1);
    assert_int_equal(s_prof.items_lead.spilled, 0);
    assert_int_equal(s_prof.items[0].addr, TEXT);
    assert_int_equal(s_prof.items[0].hits, 1);
    assert_int_equal(s_prof.header.heartbeat, 1);
    set_up(state);
    test_samples(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_samples, set_up),
        cmocka_unit_test_setup(test_calls_and_arcs, set_up),
        cmocka_unit_test_setup(test_reset, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
