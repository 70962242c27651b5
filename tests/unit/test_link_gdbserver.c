/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GDB remote link to a program behind gdbserver, in non-stop mode: it runs on or stays stopped,
 * as it was found, and no stop is missed. */
#include "unit.h"

#include "rsp_checks.h"

/* gdb's number, not the kernel's. */
#define GDB_SIGALRM 0x0e

static void test_attached_program_runs_on(void **state)
{
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct fake_gdb gdb;
        init_gdbserver(&gdb, threads, 0);
        struct gdbmi_link *link = must_open(&gdb, false);
        assert_true(gdb.running);
        assert_true(gdb.non_stop.passes);
        assert_false(gdb.non_stop.stays);
        assert_true(gdbmi_link_info(link)->live);
        assert_int_equal(gdbmi_link_stats(link).halts, 1);
        check_read(link, RAM, 64);
        check_read(link, RAM + 1, 20000);
        check_state(link, GDBMI_STATE_RUNNING);
        assert_int_equal(gdbmi_link_stats(link).halts, 1);
        must_close(&gdb, link);
        assert_true(gdb.running);
        assert_false(gdb.non_stop.detached);
        assert_int_equal(fake_gdb_count(&gdb, "vCont;t"), 0);
        assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
    }
}

static void test_running_program_is_not_halted(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 0);
    gdb.running = true;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_text(gdbmi_link_info(link)->why, "nothing was halted");
    check_read(link, RAM, 64);
    must_close(&gdb, link);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;c"), 0);
    assert_true(gdb.running);
}

static void test_stopped_program_stays_stopped(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 5);
    gdb.non_stop.created = true;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_text(gdbmi_link_info(link)->why, "halted before connecting");
    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 64);
    must_close(&gdb, link);
    assert_false(gdb.running);
    assert_false(gdb.non_stop.detached);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;c"), 0);
}

/* gdbserver attached just as the program's timer went off. */
static void test_signal_of_attaching_is_given_back(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, GDB_SIGALRM);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_true(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;C0e:1;C0e:2;c"), 1);
    check_state(link, GDBMI_STATE_RUNNING);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_OK);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;c"), 1);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

/* One thread at a breakpoint: the program stays, and the other one's signal waits. */
static void test_signal_waits_for_the_resume(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 5);
    gdb.non_stop.first_signal = GDB_SIGALRM;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_false(gdb.running);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_OK);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;C0e:1;c"), 1);
    must_close(&gdb, link);
}

/* Else the server might end it with the connection. */
static void test_created_program_lives_on(void **state)
{
    for (int created = 0; created <= 1; created++) {
        struct fake_gdb gdb;
        init_gdbserver(&gdb, 1, 5);
        gdb.non_stop.created = created;
        struct gdbmi_link *link = must_open(&gdb, false);
        assert_int_equal(gdbmi_link_resume(link), GDBMI_OK);
        check_state(link, GDBMI_STATE_RUNNING);
        must_close(&gdb, link);
        assert_true(gdb.running);
        assert_int_equal(gdb.non_stop.detached, created);
    }
}

static void test_stops_are_told(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    fake_nonstop_stop(&gdb, 'T', 5);
    check_state(link, GDBMI_STATE_RUNNING);
    fake_nonstop_stop(&gdb, 'T', 5);
    check_read(link, RAM, 64);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(fake_gdb_count(&gdb, "vStopped"), 2 + 2);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

/* A thread whose stop was told and not answered stays stopped, whatever is resumed. */
static void test_late_stops_are_answered(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.non_stop.told_late = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
        assert_false(gdb.running);
        assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
        assert_true(gdb.running);
        assert_false(gdb.non_stop.stays);
    }
    assert_int_equal(gdbmi_link_stats(link).halts, 4);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_threads_come_and_go_while_halting(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 3, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.non_stop.leaving = 1;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(gdb.running);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_true(gdb.running);
    gdb.non_stop.coming = 1;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;t"), 1 + 2);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_thread_that_does_not_stop(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 3, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.non_stop.stubborn = true;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "2 of 3 threads stopped within");
    check_text(gdbmi_link_error(link)->text, "MAY BE LEFT HALTED");
    must_close(&gdb, link);
}

/* A halt that was asked for and not confirmed may have happened. */
static void test_halt_without_an_answer(void **state)
{
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.stream.mute = true;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "MAY BE LEFT HALTED");
    assert_int_equal(fake_gdb_count(&gdb, "vCont;c"), 2);
    must_close(&gdb, link);
}

static void test_end_of_the_program(void **state)
{
    struct fake_gdb gdb;
    enum gdbmi_state found;

    init_gdbserver(&gdb, 1, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    fake_nonstop_stop(&gdb, 'W', 0);
    assert_int_equal(gdbmi_link_state(link, &found), GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "the program has ended");
    must_close(&gdb, link);
}

static void test_another_thread_is_chosen(void **state)
{
    struct fake_gdb gdb;
    unsigned char byte = 0xee;

    init_gdbserver(&gdb, 2, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdb.non_stop.chosen, 1);
    gdb.non_stop.dead = 1;
    check_read(link, RAM, 64);
    assert_int_equal(gdb.non_stop.chosen, 2);
    assert_int_equal(gdbmi_link_read(link, BAD, &byte, 1), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "cannot read 1 bytes at 0xf0000000");
    assert_int_equal(byte, 0xee);
    check_read(link, RAM, 64);
    must_close(&gdb, link);
}

/* Requests that are on their way at once: no answer is taken for another one's. */
static void test_reads_together(void **state)
{
    struct fake_gdb gdb;
    unsigned char bytes[4096];

    init_gdbserver(&gdb, 1, 0);
    struct gdbmi_link *link = must_open(&gdb, false);
    for (size_t split = 1; split < 3000; split = split * 3 + 1) {
        gdb.stream.split = split;
        check_read(link, RAM + split, 9000);
    }
    gdb.stream.split = FAKE_NEVER;
    gdb.short_reads = 100;
    check_read(link, RAM, 3000);
    gdb.short_reads = 0;
    gdb.bad_addr = RAM + 508;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, sizeof(bytes)), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "0x200001fc");
    check_read(link, RAM + 32, 9000);
    gdb.bad_addr = 0;
    gdb.noise = true;
    check_read(link, RAM, 9000);
    gdb.silent_at = "m200001fc";
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, sizeof(bytes)), GDBMI_ETIMEOUT);
    must_close(&gdb, link);
}

static void test_noise_at_every_split(void **state)
{
    for (size_t split = 1; split < 80; split++) {
        struct fake_gdb gdb;
        init_gdbserver(&gdb, 2, 0);
        gdb.noise = true;
        gdb.run_lengths = true;
        gdb.offers_no_ack = split % 2 == 0;
        gdb.stream.split = split;
        struct gdbmi_link *link = must_open(&gdb, false);
        check_read(link, RAM + 40, 1200);
        fake_nonstop_stop(&gdb, 'T', 5);
        fake_nonstop_stop(&gdb, 'T', 5);
        check_read(link, RAM + 40, 60);
        check_state(link, GDBMI_STATE_HALTED);
        must_close(&gdb, link);
    }
}

static void test_no_program(void **state)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    init_gdbserver(&gdb, 0, 0);
    gdb.running = true;
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_ETARGET);
    check_text(error.text, "not attached to a core or program: attach it first");
    check_text(error.text, "monitor swdp_scan, then attach 1");
    fake_gdb_free(&gdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attached_program_runs_on),
        cmocka_unit_test(test_running_program_is_not_halted),
        cmocka_unit_test(test_stopped_program_stays_stopped),
        cmocka_unit_test(test_created_program_lives_on),
        cmocka_unit_test(test_signal_of_attaching_is_given_back),
        cmocka_unit_test(test_signal_waits_for_the_resume),
        cmocka_unit_test(test_stops_are_told),
        cmocka_unit_test(test_late_stops_are_answered),
        cmocka_unit_test(test_halt_without_an_answer),
        cmocka_unit_test(test_end_of_the_program),
        cmocka_unit_test(test_threads_come_and_go_while_halting),
        cmocka_unit_test(test_thread_that_does_not_stop),
        cmocka_unit_test(test_another_thread_is_chosen),
        cmocka_unit_test(test_reads_together),
        cmocka_unit_test(test_noise_at_every_split),
        cmocka_unit_test(test_no_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
