/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest stub, natively: what it has left out is not missed by the table. */
#include "unit.h"

#include <mprof/mprof.h>

#define TEXT   0x8000000U
#define BLOCKS 2000U

static uint32_t presented[BLOCKS];

static void sample_a_lot(void)
{
    uint32_t random = 88172645;

    memset(presented, 0, sizeof(presented));
    for (unsigned i = 0; i < 50000; i++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        uint32_t block = random % BLOCKS * (random >> 20) / 4096;

        presented[block]++;
        mprof_sample(TEXT + MPROF_ERR * block);
    }
}

static uint32_t sum_of_rest(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT / 2; i++)
        sum += s_prof.items_rest[i];
    return sum;
}

static void assert_honest(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT - s_prof.items_lead.free; i++) {
        const mprof_row_t *row = &s_prof.items[i];
        uint32_t truth = presented[(row->addr - TEXT) / MPROF_ERR];
        uint32_t rest = s_prof.items_rest[(row->addr >> MPROF_REST_SHIFT) % (MPROF_CNT / 2)];

        assert_in_range(truth, row->hits, row->stamp == 0 ? row->hits : row->hits + rest);
        sum += row->hits;
    }
    assert_int_equal(sum + sum_of_rest(), s_prof.header.heartbeat);
    assert_int_equal(s_prof.items_lead.spilled != 0, sum_of_rest() != 0);
}

static void test_rows(void **state)
{
    memset(&s_prof, 0xa5, sizeof(s_prof));
    mprof_init();
    assert_int_equal(s_prof.header.flags, MPROF_FLAG_SMALL);
    assert_int_equal(s_prof.header.heartbeat, 0);
    assert_int_equal(s_prof.items_lead.free, MPROF_CNT);
    sample_a_lot();
    assert_int_equal(s_prof.items_lead.free, 0);
    assert_true(sum_of_rest() > 1000);
    assert_honest();
}

/* generation goes on, and further than a reader takes for renamed rows. */
static void test_init_again(void **state)
{
    uint32_t generation = s_prof.header.generation;
    uint32_t boot = s_prof.header.boot;

    mprof_init();
    assert_int_equal(s_prof.header.generation - generation, 0x10000);
    assert_int_equal(s_prof.header.boot, boot + 1);
    assert_int_equal(sum_of_rest(), 0);
    sample_a_lot();
    assert_honest();
}

/* The host's switches and requests are ignored. */
static void test_requests(void **state)
{
    uint32_t before = s_prof.header.heartbeat;

    s_prof.header.reset_request = 5;
    s_prof.header.enable = MPROF_ENABLE_ALIVE;
    mprof_sample(TEXT);
    mprof_sample_from_isr(TEXT, 0, MPROF_STREAM_LATE);
    assert_int_equal(s_prof.header.heartbeat, before + 2);
    assert_int_equal(s_prof.header.reset_done, 0);
}

static void test_nothing_before_init(void **state)
{
    static struct mprof_prof before;

    memset(&s_prof, 0xff, sizeof(s_prof));
    before = s_prof;
    mprof_sample(TEXT);
    assert_memory_equal(&s_prof, &before, sizeof(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_init_again),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_nothing_before_init),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
