/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a link learns of the cost of its reads. */
#include "unit.h"

#include <stdint.h>

#include "cost.h"

#define MS 1000000.0

/* A link whose requests take request_ns, and each byte byte_ns. */
static void add(struct link_cost *cost, double request_ns, double byte_ns, size_t bytes)
{
    link_cost_add(cost, 1, bytes, (uint64_t)(request_ns + byte_ns * (double)bytes));
}

static void add_many(struct link_cost *cost, double request_ns, double byte_ns)
{
    static const size_t sizes[] = {32, 324, 4, 1024, 324, 324};

    for (int turn = 0; turn < 40; turn++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            add(cost, request_ns, byte_ns, sizes[i]);
    }
}

static void assert_ns(double value, double expected)
{
    assert_true(value > expected * 0.999 - 1 && value < expected * 1.001 + 1);
}

static void test_unknown(void **state)
{
    struct link_cost cost = {0};

    assert_true(link_cost_byte_ns(&cost) == 0 && link_cost_request_ns(&cost) == 0);
    assert_int_equal(link_cost_gap(&cost), LINK_GAP_UNKNOWN);
    assert_int_equal(link_cost_piece(&cost, 64, 2048), 2048);
}

static void test_line(void **state)
{
    static const struct {
        double request_ns, byte_ns;
        size_t gap, piece;
    } links[] = {
        {0.3 * MS, 0.008 * MS, 37, 2048},  /* a fast adapter */
        {3 * MS, 0.07 * MS, 42, 385},      /* packets of 64 bytes, 1 ms each: a request is 10 % */
        {1 * MS, 0.1 * MS, 9, 190},        /* 20 ms are 190 bytes and a request */
        {20 * MS, 1.25 * MS, 15, 144},     /* 5 ms for each word: 20 ms are nothing there */
        {20 * MS, 100 * MS, 0, 64},        /* not less than what is asked for */
        {5 * MS, 0.0001 * MS, 2048, 2048}, /* bytes are nearly free */
    };

    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        struct link_cost cost = {0};
        add_many(&cost, links[i].request_ns, links[i].byte_ns);
        assert_ns(link_cost_request_ns(&cost), links[i].request_ns);
        assert_ns(link_cost_byte_ns(&cost), links[i].byte_ns);
        assert_in_range(link_cost_gap(&cost), links[i].gap, links[i].gap + 1);
        assert_in_range(link_cost_piece(&cost, 64, 2048), links[i].piece - 1, links[i].piece + 1);
    }
}

/* Of several at once only the sum is known. */
static void test_together(void **state)
{
    struct link_cost cost = {0};

    for (unsigned i = 1; i < 20; i++) {
        size_t bytes = (size_t)i * (i % 2 ? 64 : 400);
        link_cost_add(&cost, i, bytes, (uint64_t)(i * 2 * MS + (double)bytes * 0.1 * MS));
    }
    assert_ns(link_cost_request_ns(&cost), 2 * MS);
    assert_ns(link_cost_byte_ns(&cost), 0.1 * MS);
}

/* Requests of one size do not tell the two costs apart: then nothing is read in vain. */
static void test_one_size(void **state)
{
    struct link_cost cost = {0};

    for (int i = 0; i < 100; i++)
        add(&cost, 5 * MS, 0.01 * MS, 100);
    assert_ns(link_cost_byte_ns(&cost), 0.06 * MS);
    assert_ns(link_cost_request_ns(&cost), 0);
    assert_int_equal(link_cost_gap(&cost), 0);
    assert_in_range(link_cost_piece(&cost, 64, 2048), 332, 334);
}

/* The sum of both parts is what the requests took, also where larger ones were faster. */
static void test_nonsense(void **state)
{
    struct link_cost cost = {0};

    for (int i = 0; i < 100; i++) {
        link_cost_add(&cost, 1, 10, 9000000);
        link_cost_add(&cost, 1, 1000, 1000);
    }
    assert_true(link_cost_byte_ns(&cost) == 0);
    assert_in_range(link_cost_request_ns(&cost), 1, 9000000);
    assert_int_equal(link_cost_piece(&cost, 64, 2048), 2048);
}

static void test_link_that_becomes_slower(void **state)
{
    struct link_cost cost = {0};

    add_many(&cost, 0.3 * MS, 0.01 * MS);
    for (int turn = 0; turn < 40; turn++) {
        add(&cost, 30 * MS, 1 * MS, 32);
        add(&cost, 30 * MS, 1 * MS, 324);
    }
    assert_true(link_cost_request_ns(&cost) > 25 * MS && link_cost_byte_ns(&cost) > 0.9 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown),  cmocka_unit_test(test_line),
        cmocka_unit_test(test_together), cmocka_unit_test(test_one_size),
        cmocka_unit_test(test_nonsense), cmocka_unit_test(test_link_that_becomes_slower),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
