/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown since a resume: no hit from before the halt, and every one from after it. */
#include "time_range_checks.h" /* cmocka has a macro fail() */

#include "unit.h"

/* What runs between the resume and the poll that sees it is not lost. */
static void test_resume(void **state)
{
    struct target t;

    start_target(&t, true);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, RUNNING);
    assert_string_equal(time_range_name(&t.range), "since reset");
    count_hits(&t, 10, 1, 0);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 110, 1, 0); /* up to the first halt */
    count_hits(&t, 0, 4, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 4, 0);
    assert_string_equal(time_range_name(&t.range), "since resume");
    count_hits(&t, 0, 3, 2);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 0, 7, 2);
    count_hits(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 1, 0, 0);
    assert_int_equal(second_look.count, 2); /* one a halt */
    free_target(&t);
}

/* It was let go and stopped again, and no poll met it running. */
static void test_resume_between_polls(void **state)
{
    struct target t;

    start_target(&t, true);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    count_hits(&t, 2, 3, 4);
    poll_as(&t, HALTED);
    assert_hits(&t, 2, 3, 4);
    count_hits(&t, 1, 0, 0);
    poll_as(&t, HALTED);
    poll_as(&t, HALTED);
    assert_hits(&t, 1, 0, 0);
    /* From there it runs on. */
    count_hits(&t, 0, 6, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 6, 0);
    free_target(&t);
}

/* It was let go after the link had said that it stands still, and before it was read: these hits
 * came after the resume, whatever it does by then. */
static void test_resume_amid_a_poll(void **state)
{
    struct target t;

    for (int then_halted = 0; then_halted < 2; then_halted++) {
        start_target(&t, true);
        count_hits(&t, 100, 0, 0);
        poll_as(&t, HALTED);
        count_hits(&t, 1, 0, 0);
        poll_late(&t, HALTED, 2);
        assert_hits(&t, 1, 0, 0);
        count_hits(&t, 5, 0, 0);
        poll_as(&t, then_halted ? HALTED : RUNNING);
        assert_hits(&t, 6, 0, 0);
        poll_as(&t, HALTED);
        count_hits(&t, 0, 1, 0);
        poll_as(&t, RUNNING);
        assert_hits(&t, 0, 1, 0);
        free_target(&t);
    }
}

/* A table that cannot be looked at: the link tells, as well as it can. */
static void test_resume_without_a_look(void **state)
{
    struct target t;

    start_target(&t, true);
    second_look.code = SAMPLER_ETABLE;
    count_hits(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    count_hits(&t, 1, 0, 0);
    second_look.state = RUNNING;
    poll_as(&t, HALTED);
    count_hits(&t, 5, 0, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 6, 0, 0);
    free_target(&t);
}

static void test_resume_not_asked_for(void **state)
{
    struct target t;

    start_target(&t, false);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    count_hits(&t, 1, 0, 0);
    poll_as(&t, HALTED);
    count_hits(&t, 1, 0, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    /* Asked for while it stands still. */
    poll_as(&t, HALTED);
    time_range_set_restart(&t.range, true);
    assert_true(time_range_restarts(&t.range));
    count_hits(&t, 0, 9, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 9, 0);
    free_target(&t);
}

/* Halted, reset and let go: what stood in the table before is no base. */
static void test_resume_after_a_restart(void **state)
{
    struct target t;

    start_target(&t, true);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    restart(&t, 2);
    count_hits(&t, 7, 0, 0);
    poll_as(&t, RUNNING);
    assert_ptr_equal(shown(&t), &t.watch.profile);
    assert_hits(&t, 7, 0, 0);
    free_target(&t);
}

/* Nothing is read while the server is lost, and it may run meanwhile. */
static void test_resume_while_the_server_is_lost(void **state)
{
    struct target t;

    start_target(&t, true);
    count_hits(&t, 100, 0, 0);
    poll_as(&t, HALTED);
    t.watch.fresh = false;
    t.watch.state = GDBMI_STATE_UNKNOWN;
    time_range_look(&t.watch);
    assert_true(time_range_update(&t.range, &t.watch));
    count_hits(&t, 0, 8, 0);
    poll_as(&t, RUNNING);
    assert_hits(&t, 0, 8, 0);
    free_target(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_resume_between_polls),
        cmocka_unit_test(test_resume_amid_a_poll),
        cmocka_unit_test(test_resume_without_a_look),
        cmocka_unit_test(test_resume_not_asked_for),
        cmocka_unit_test(test_resume_after_a_restart),
        cmocka_unit_test(test_resume_while_the_server_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
