/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halting a machine through QMP, and letting it run, if it ran before. */
#include "unit.h"

#include "qmp_checks.h"

static void test_halt_and_release(void **state)
{
    struct fake_qmp qmp;
    uint64_t pc = 0;
    char *answer = NULL;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(qmp.running);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a0);
    assert_int_equal(gdbmi_link_command(link, "bogus", &answer), GDBMI_OK);
    assert_string_equal(answer, "unknown command\r\n");
    free(answer);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_true(qmp.running);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    must_close(&qmp, link);
    assert_true(qmp.running);
}

static void test_paused_stays_paused(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.running = false;
    struct gdbmi_link *link = must_open(&qmp);
    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 100);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&qmp, link);
    assert_false(qmp.running);
}

/* Between our question and our stop the machine comes to a breakpoint: that is not ours to undo. */
static void test_breakpoint_before_our_stop(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.breaks_after = 1;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

static void test_stop_that_is_refused(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.refuse = "stop";
    assert_int_equal(gdbmi_link_halt(link), GDBMI_ETARGET);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_read(link, RAM, 8);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

/* After our halt somebody lets it run, and halts it again. */
static void test_stopped_by_another(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    fake_qmp_event(&qmp, "RESUME");
    fake_qmp_event(&qmp, "STOP");
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

static void check_lost(const char *silent_at, const char *close_at, enum gdbmi_code code,
                       const char *text, unsigned conts)
{
    struct fake_qmp qmp;
    struct gdbmi_error error = {.code = GDBMI_OK};
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    qmp.silent_at = silent_at;
    qmp.close_at = close_at;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, text);
    (void)gdbmi_link_close(link, &error);
    assert_int_equal(qmp.conts, conts);
    fake_qmp_free(&qmp);
}

static void test_lost_while_held(void **state)
{
    check_lost("human-monitor-command", NULL, GDBMI_ETIMEOUT, "TARGET MAY BE LEFT HALTED", 1);
    check_lost(NULL, "human-monitor-command", GDBMI_ECLOSED, "TARGET IS LEFT HALTED", 0);
}

static void test_end_of_the_machine(void **state)
{
    struct fake_qmp qmp;
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    fake_qmp_event(&qmp, "SHUTDOWN");
    qmp.close_at = "human-monitor-command";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "QEMU has ended (guest-shutdown)");
    must_close(&qmp, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halt_and_release),
        cmocka_unit_test(test_paused_stays_paused),
        cmocka_unit_test(test_breakpoint_before_our_stop),
        cmocka_unit_test(test_stop_that_is_refused),
        cmocka_unit_test(test_stopped_by_another),
        cmocka_unit_test(test_lost_while_held),
        cmocka_unit_test(test_end_of_the_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
