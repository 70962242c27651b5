/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of addresses, compared with an array that has a place for each address. */
#include "unit.h"

#include <stdlib.h>

#include <load/addr_ranges.h>

#define SPACE 200

static void assert_same(const struct addr_ranges *ranges, const bool in[SPACE])
{
    for (uint64_t addr = 0; addr < SPACE; addr++)
        assert_int_equal(addr_ranges_have(ranges, addr), in[addr]);
    for (size_t i = 0; i < ranges->count; i++) {
        assert_true(ranges->all[i].start < ranges->all[i].end);
        assert_true(i == 0 || ranges->all[i - 1].end < ranges->all[i].start);
    }
}

static void test_add_and_remove(void **state)
{
    uint32_t seed = 1;

    for (int turn = 0; turn < 300; turn++) {
        struct addr_ranges ranges = {.all = NULL};
        bool in[SPACE] = {false};
        for (int step = 0; step < 40; step++) {
            seed = seed * 1664525 + 1013904223;
            uint64_t start = (seed >> 8) % (SPACE - 1);
            uint64_t end = start + 1 + (seed >> 16) % (SPACE - start) / (1 + seed % 8);
            bool adds = seed >> 31;
            struct addr_range one = {.start = start, .end = end};
            struct addr_ranges removed = {.all = &one, .count = 1};
            assert_true(adds ? addr_ranges_add(&ranges, start, end)
                             : addr_ranges_remove(&ranges, &removed));
            for (uint64_t addr = start; addr < end; addr++)
                in[addr] = adds;
            assert_same(&ranges, in);
        }
        addr_ranges_free(&ranges);
    }
}

static void test_ends_of_the_address_space(void **state)
{
    struct addr_ranges ranges = {.all = NULL}, other = {.all = NULL};

    assert_true(addr_ranges_add(&ranges, 0, UINT64_MAX));
    assert_true(addr_ranges_add(&ranges, 0, 1));
    assert_int_equal(ranges.count, 1);
    assert_true(addr_ranges_have(&ranges, UINT64_MAX - 1));
    assert_true(addr_ranges_add(&other, 0, 0x10) && addr_ranges_add(&other, 0x20, UINT64_MAX));
    assert_true(addr_ranges_remove(&ranges, &other));
    assert_int_equal(ranges.count, 1);
    assert_true(ranges.all[0].start == 0x10 && ranges.all[0].end == 0x20);
    assert_true(addr_ranges_remove(&ranges, &ranges));
    assert_false(addr_ranges_have(&ranges, 0x10));
    addr_ranges_free(&ranges);
    addr_ranges_free(&other);
}

static void test_join(void **state)
{
    struct addr_ranges ranges = {.all = NULL}, copy = {.all = NULL};

    assert_true(addr_ranges_add(&ranges, 100, 110) && addr_ranges_add(&ranges, 10, 20) &&
                addr_ranges_add(&ranges, 25, 30) && addr_ranges_add(&ranges, 40, 50) &&
                addr_ranges_add(&ranges, 112, 120));
    assert_true(addr_ranges_copy(&copy, &ranges));
    addr_ranges_join(&copy, 5);
    assert_int_equal(copy.count, 5);
    addr_ranges_join(&copy, 3);
    assert_int_equal(copy.count, 3);
    assert_int_equal(copy.all[0].start, 10);
    assert_int_equal(copy.all[0].end, 30);
    assert_int_equal(copy.all[1].start, 40);
    assert_int_equal(copy.all[2].start, 100);
    assert_int_equal(copy.all[2].end, 120);
    addr_ranges_join(&copy, 1);
    assert_int_equal(copy.count, 1);
    assert_int_equal(copy.all[0].end, 120);
    assert_int_equal(ranges.count, 5);
    addr_ranges_free(&copy);
    addr_ranges_free(&ranges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_and_remove),
        cmocka_unit_test(test_ends_of_the_address_space),
        cmocka_unit_test(test_join),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
