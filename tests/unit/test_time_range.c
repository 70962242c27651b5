/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown since a mark, and of the last seconds; and what a restart does to both. */
#include <math.h>

#include "time_range_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

#define FLAGS_AT 102 /* of the block */
#define DECAYS   2u

static void test_mark(void **state)
{
    struct target t;

    start_target(&t, false);
    assert_false(time_range_mark(&t.range, &t.watch)); /* nothing was read */
    count_hits(&t, 5, 7, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_string_equal(time_range_name(&t.range), "since reset");
    assert_true(time_range_mark(&t.range, &t.watch));
    assert_hits(&t, 0, 0, 0);
    assert_true(shown(&t)->recent_s <= 0);
    count_hits(&t, 1, 2, 3);
    poll_as(&t, RUNNING);
    assert_hits(&t, 1, 2, 3);
    count_hits(&t, 10, 20, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 11, 22, 3);
    /* The last interval is that of the polls. */
    assert_int_equal(shown(&t)->recent, 30);
    assert_int_equal(shown(&t)->rows[1].recent, 20);
    assert_int_equal(shown(&t)->events, 30);
    assert_true(fabs(shown(&t)->recent_s - 1) < 1e-9);
    assert_true(fabs(shown(&t)->from_s - 101) < 1e-9);
    assert_int_equal(strlen(time_range_name(&t.range)), strlen("since 14:03:07"));
    assert_null(time_range_said(&t.range));
    time_range_clear(&t.range);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_string_equal(time_range_name(&t.range), "since reset");
    free_target(&t);
}

/* A count that wraps, one that decay takes away. */
static void test_counts_that_fall(void **state)
{
    struct target t;

    start_target(&t, false);
    fake_put(&t.counts.table, FLAGS_AT, 2, DECAYS);
    count_hits(&t, 0xfffffff0, 50, 8);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    count_hits(&t, 0x20, 0, 1);
    t.counts.hits[1] = 30;
    count_hits(&t, 0, 0, 0);
    poll_as(&t, RUNNING);
    assert_int_equal(t.watch.profile.restarts, 0);
    assert_hits(&t, 0x20, 0, 1);
    assert_int_equal(shown(&t)->rows[1].lost, 20);
    free_target(&t);
}

/* The mark falls with the counts that it stood in. */
static void test_restart(void **state)
{
    struct target t;

    start_target(&t, false);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    restart(&t, 2);
    count_hits(&t, 500, 1, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_non_null(time_range_said(&t.range));
    assert_non_null(strstr(time_range_said(&t.range), "is gone"));
    assert_string_equal(time_range_name(&t.range), "since reset");
    poll_as(&t, RUNNING);
    assert_null(time_range_said(&t.range)); /* once */
    free_target(&t);
}

/* The reading that met the start itself has the old boot number, and is no second restart. */
static void test_restart_seen_twice(void **state)
{
    struct target t;

    start_target(&t, false);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    restart(&t, 1);
    count_hits(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_true(time_range_mark(&t.range, &t.watch));
    restart(&t, 2);
    count_hits(&t, 3, 0, 0);
    poll_as(&t, RUNNING);
    assert_int_equal(t.watch.profile.restarts, 1);
    assert_hits(&t, 3, 0, 0);
    free_target(&t);
}

static void test_last_seconds(void **state)
{
    struct target t;

    start_target(&t, false);
    count_hits(&t, 1000, 0, 0);
    poll_as(&t, RUNNING);
    time_range_toggle_recent(&t.range);
    for (unsigned i = 0; i < 4; i++) {
        count_hits(&t, 1, 0, 0);
        poll_as(&t, RUNNING);
    }
    assert_hits(&t, 4, 0, 0);
    assert_string_equal(time_range_name(&t.range), "last 4 s");
    for (unsigned i = 0; i < 20; i++) {
        count_hits(&t, 0, 2, 0);
        poll_as(&t, RUNNING);
    }
    assert_hits(&t, 0, 20, 0);
    assert_string_equal(time_range_name(&t.range), "last 10 s");
    assert_true(fabs(shown(&t)->from_s - (t.now_s - 10)) < 1e-9);
    time_range_toggle_recent(&t.range);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    time_range_toggle_recent(&t.range); /* there at once, without a poll */
    assert_hits(&t, 0, 20, 0);
    restart(&t, 2);
    count_hits(&t, 0, 0, 5);
    poll_as(&t, RUNNING);
    count_hits(&t, 0, 0, 6);
    poll_as(&t, RUNNING);
    assert_true(shown(&t)->attributed <= 11);
    assert_int_equal(hits_at(shown(&t), 0x200), 0);
    free_target(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mark),         cmocka_unit_test(test_counts_that_fall),
        cmocka_unit_test(test_restart),      cmocka_unit_test(test_restart_seen_twice),
        cmocka_unit_test(test_last_seconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
