/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary searches find what counting finds. */
#include "unit.h"

#include <base/sorted.h>

#define MOST 9

struct item {
    char before; /* the number is not at the start */
    uint64_t number;
};

static size_t count_below(const uint64_t *numbers, size_t count, uint64_t number, bool equal_too)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += numbers[i] < number || (equal_too && numbers[i] == number);
    return found;
}

static void check(const uint64_t *numbers, size_t count, uint64_t number)
{
    struct item items[MOST];

    for (size_t i = 0; i < count; i++)
        items[i] = (struct item){.before = 'b', .number = numbers[i]};
    size_t below = count_below(numbers, count, number, false);
    size_t up_to = count_below(numbers, count, number, true);
    assert_int_equal(sorted_below(SORTED_NUMBERS(numbers, count), number), below);
    assert_int_equal(sorted_up_to(SORTED_NUMBERS(numbers, count), number), up_to);
    assert_int_equal(sorted_below(SORTED_BY(items, count, struct item, number), number), below);
    assert_int_equal(sorted_up_to(SORTED_BY(items, count, struct item, number), number), up_to);
}

static void test_every_place(void **state)
{
    const uint64_t numbers[MOST] = {0, 0, 1, 5, 5, 5, 9, UINT64_MAX - 1, UINT64_MAX};

    for (size_t first = 0; first < MOST; first++) {
        for (size_t count = 1; first + count <= MOST; count++) {
            for (uint64_t number = 0; number < 11; number++)
                check(numbers + first, count, number);
            check(numbers + first, count, UINT64_MAX - 1);
            check(numbers + first, count, UINT64_MAX);
        }
    }
}

static void test_nothing(void **state)
{
    const uint64_t *none = NULL;

    assert_int_equal(sorted_below(SORTED_NUMBERS(none, 0), 7), 0);
    assert_int_equal(sorted_up_to(SORTED_NUMBERS(none, 0), UINT64_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_place),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
