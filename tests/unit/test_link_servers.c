/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the GDB remote link against fakes of gdbserver, pyOCD, J-Link and their like. */
#include "unit.h"

#include "rsp_checks.h"

#define DFSR_HALTED 0x01
#define DFSR_BKPT   0x02

/* A program behind gdbserver, stopped by its attaching or by a signal. */
static void init_gdbserver(struct fake_gdb *gdb, unsigned threads, int signal)
{
    fake_gdb_init(gdb, FAKE_LIVE, false);
    gdb->offers_no_ack = true;
    gdb->offers_non_stop = true;
    gdb->non_stop.works = true;
    gdb->non_stop.threads = threads;
    gdb->connect_signal = signal;
}

static void init_pyocd(struct fake_gdb *gdb, unsigned dfsr)
{
    init_gdbserver(gdb, 1, 5);
    gdb->non_stop.pyocd = true;
    gdb->m_profile = true;
    gdb->dfsr = dfsr;
}

/* A server that is always heard and gives every stop a breakpoint's signal. */
static void init_live(struct fake_gdb *gdb, bool m_profile, unsigned dfsr)
{
    fake_gdb_init(gdb, FAKE_LIVE, false);
    gdb->m_profile = m_profile;
    gdb->dfsr = dfsr;
}

/* gdbserver */

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
    check_text(gdbmi_link_info(link)->why, "halted when we came");
    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 64);
    must_close(&gdb, link);
    assert_false(gdb.running);
    assert_false(gdb.non_stop.detached);
    assert_int_equal(fake_gdb_count(&gdb, "vCont;c"), 0);
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
    check_text(error.text, "attached to no core or program: attach it first");
    check_text(error.text, "monitor swdp_scan, then attach 1");
    fake_gdb_free(&gdb);
}

/* pyOCD */

static void test_pyocd(void **state)
{
    struct fake_gdb gdb;

    init_pyocd(&gdb, DFSR_HALTED);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_true(gdb.running);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    assert_string_equal(gdbmi_link_info(link)->arch, "arm");
    check_read(link, RAM, 3000);
    check_state(link, GDBMI_STATE_RUNNING);
    fake_nonstop_stop(&gdb, 'T', 5);
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&gdb, link);
    assert_false(gdb.running);

    init_pyocd(&gdb, DFSR_BKPT);
    link = must_open(&gdb, false);
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

/* J-Link, probe-rs and others that answer while the core runs */

static void check_live(bool m_profile, unsigned dfsr, bool runs)
{
    struct fake_gdb gdb;

    init_live(&gdb, m_profile, dfsr);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdb.running, runs);
    assert_int_equal(gdbmi_link_stats(link).halts, runs);
    assert_int_equal(gdbmi_link_info(link)->live, runs);
    check_read(link, RAM, 3000);
    check_state(link, runs ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED);
    must_close(&gdb, link);
    assert_int_equal(gdb.running, runs);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
}

/* Such servers say SIGTRAP for any stop; a Cortex-M says whether a debugger asked for it. */
static void test_halted_by_our_coming(void **state)
{
    check_live(true, DFSR_HALTED, true);
    check_live(true, DFSR_BKPT, false);
    check_live(true, DFSR_BKPT | DFSR_HALTED, false);
    check_live(true, 0, false);
    check_live(false, DFSR_HALTED, false);
}

static void test_other_signal_is_our_coming(void **state)
{
    struct fake_gdb gdb;

    init_live(&gdb, false, 0);
    gdb.connect_signal = 2;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_true(gdb.running);
    assert_true(gdbmi_link_info(link)->live);
    check_read(link, RAM, 64);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

/* A server to which the probe is a reason to halt. */
static void test_probe_is_undone(void **state)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.hides = true;
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_EHALT);
    assert_int_equal(error.hint, GDBMI_HINT_ALLOW_HALT);
    assert_true(gdb.running);
    fake_gdb_free(&gdb);

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.hides = true;
    link = must_open(&gdb, true);
    assert_false(gdbmi_link_info(link)->live);
    for (uint64_t i = 0; i < 4; i++)
        check_read(link, RAM + 36 + 64 * i, 4);
    assert_int_equal(gdbmi_link_stats(link).halts, 2 + 4);
    assert_true(gdb.running);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_registers_all_at_once(void **state)
{
    struct fake_gdb gdb;
    uint64_t pc = 0;

    init_live(&gdb, true, DFSR_BKPT);
    gdb.knows_p = false;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a1);
    must_close(&gdb, link);
}

/* State and bytes in one request, once the link is open. */
static void check_poll(struct fake_gdb *gdb)
{
    enum gdbmi_state found = GDBMI_STATE_UNKNOWN;
    unsigned char bytes[400];

    struct gdbmi_link *link = must_open(gdb, false);
    gdb->log[0] = '\0';
    for (int i = 0; i < 5; i++) {
        assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &found), GDBMI_OK);
        assert_int_equal(found, GDBMI_STATE_RUNNING);
    }
    assert_int_equal(fake_gdb_count(gdb, ""), 5);
    assert_int_equal(fake_gdb_count(gdb, "m20000000,190"), 5);
    must_close(gdb, link);
}

static void test_poll_is_one_request(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    check_poll(&gdb);
    init_gdbserver(&gdb, 2, 0);
    check_poll(&gdb);
    init_live(&gdb, true, DFSR_HALTED);
    check_poll(&gdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attached_program_runs_on),
        cmocka_unit_test(test_running_program_is_not_halted),
        cmocka_unit_test(test_stopped_program_stays_stopped),
        cmocka_unit_test(test_created_program_lives_on),
        cmocka_unit_test(test_stops_are_told),
        cmocka_unit_test(test_late_stops_are_answered),
        cmocka_unit_test(test_halt_without_an_answer),
        cmocka_unit_test(test_end_of_the_program),
        cmocka_unit_test(test_another_thread_is_chosen),
        cmocka_unit_test(test_reads_together),
        cmocka_unit_test(test_noise_at_every_split),
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_pyocd),
        cmocka_unit_test(test_halted_by_our_coming),
        cmocka_unit_test(test_other_signal_is_our_coming),
        cmocka_unit_test(test_probe_is_undone),
        cmocka_unit_test(test_registers_all_at_once),
        cmocka_unit_test(test_poll_is_one_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
