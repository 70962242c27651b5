/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of time inside limits of time: the earliest counts, but for what is set apart. */
#include "unit.h"

#include "clock.h"
#include "fake_clock.h"

static void test_limits_nest(void **state)
{
    fake_clock_start();
    uint64_t outer = clock_limit_begin(1000);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 1000);
    uint64_t inner = clock_limit_begin(300);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 300);
    fake_clock_pass(400);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 0);
    uint64_t apart = clock_limit_apart(50);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 50);
    clock_limit_grow(20);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 70);
    clock_limit_end(apart);
    clock_limit_end(inner);
    inner = clock_limit_begin(5000);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 600);
    clock_limit_end(inner);
    clock_limit_end(outer);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 5000);
    outer = clock_limit_begin(UINT64_MAX);
    assert_int_equal(clock_left_ms(clock_deadline(5000)), 5000);
    clock_limit_end(outer);
    fake_clock_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_nest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
