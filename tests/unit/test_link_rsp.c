/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the GDB remote link against fake servers: the rule of the guest, kind by kind. */
#include "unit.h"

#include "rsp_checks.h"

/* OpenOCD */

static void test_openocd_running(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_true(info->live);
    assert_false(info->simulator);
    assert_string_equal(info->kind, "gdb-remote");
    assert_false(info->openocd_tcl);
    assert_string_equal(info->server, "Open On-Chip Debugger 0.12.0");
    assert_string_equal(info->arch, "arm");
    assert_string_equal(info->address, "fake:3333");
    assert_true(gdb.running);
    check_read(link, RAM, 64);
    check_read(link, RAM + 1, 3000);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
    assert_int_equal(fake_gdb_count(&gdb, "c"), 1);
    check_state(link, GDBMI_STATE_RUNNING);
    must_close(&gdb, link);
    assert_true(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "D"), 0);
}

/* OpenOCD damages a packet that has just the length of their answer. */
static void test_openocd_is_not_asked_for_510_bytes(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    gdb.packet_size = 4096;
    struct gdbmi_link *link = must_open(&gdb, false);
    check_read(link, RAM, 509);
    check_read(link, RAM, 510);
    check_read(link, RAM, 511);
    for (size_t len = 0; len < 512; len += 2)
        check_read(link, RAM + 2, 3000 + len);
    must_close(&gdb, link);
}

/* It turns the next client away until it has seen that this one left; but one that is gone is not
 * waited for. */
static void test_openocd_sees_us_leave(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    must_close(&gdb, must_open(&gdb, false));
    assert_int_equal(gdb.stream.base.linger_ms, 2000);
    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.stream.closed = true;
    check_no_read(link, RAM, 4, GDBMI_ECLOSED, "");
    gdbmi_link_close(link, NULL);
    assert_int_equal(gdb.stream.base.linger_ms, 0);
    fake_gdb_free(&gdb);
    fake_gdb_init(&gdb, FAKE_QEMU, true);
    must_close(&gdb, must_open(&gdb, false));
    assert_int_equal(gdb.stream.base.linger_ms, 0);
}

static void test_openocd_at_a_breakpoint(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, false);
    struct gdbmi_link *link = must_open(&gdb, false);
    check_read(link, RAM, 64);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&gdb, link);
    assert_false(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "c"), 0);
    assert_int_equal(fake_gdb_count(&gdb, "D"), 0);
}

static void test_noise_at_every_split(void **state)
{
    for (size_t split = 1; split < 80; split++) {
        struct fake_gdb gdb;
        fake_gdb_init(&gdb, FAKE_OPENOCD, true);
        gdb.noise = true;
        gdb.run_lengths = split % 2 == 0;
        gdb.stream.split = split;
        struct gdbmi_link *link = must_open(&gdb, false);
        for (uint64_t i = 0; i < 20; i++)
            check_read(link, RAM + 40 * i, 20 + i);
        must_close(&gdb, link);
    }
}

static void test_stopped_by_others(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    fake_gdb_stop(&gdb, 2);
    check_read(link, RAM + 32, 64);
    check_state(link, GDBMI_STATE_HALTED);
    gdb.running = false;
    must_close(&gdb, link);
    assert_false(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "c"), 1);
}

/* OpenOCD tells nobody of that: neither of the resume, nor of a halt that follows a Ctrl-C. */
static void test_resumed_by_others(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    fake_gdb_stop(&gdb, 2);
    check_state(link, GDBMI_STATE_HALTED);
    gdb.running = true;
    check_state(link, GDBMI_STATE_RUNNING);
    check_read(link, RAM, 64);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_stop_before_the_answer(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.break_at = "m20000020";
    check_read(link, RAM + 32, 32);
    check_read(link, RAM + 96, 32);
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&gdb, link);
}

/* A Ctrl-C that arrives after a breakpoint is remembered by OpenOCD and halts the next run. */
static void test_spare_interrupt(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.break_at_interrupt = true;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    assert_int_equal(gdbmi_link_resume(link), GDBMI_OK);
    assert_true(gdb.running);
    must_close(&gdb, link);
}

static void test_halt_is_undone_by_close(void **state)
{
    struct fake_gdb gdb;
    uint64_t pc = 0;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 2);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a1);
    assert_false(gdb.running);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

/* The halt that is undone is ours, never another's. */
static void test_release(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(gdb.running);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_true(gdb.running);
    fake_gdb_stop(&gdb, 5);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_false(gdb.running);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_false(gdb.running);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

/* While the server is busy it halts nothing. */
static void test_busy_server_is_no_halt(void **state)
{
    const uint64_t busy_ns = 30000000;
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    gdb.stream.busy_ms = 30;
    struct gdbmi_link *link = must_open(&gdb, false);
    struct gdbmi_stats stats = gdbmi_link_stats(link);
    assert_int_equal(stats.halts, 1);
    assert_true(stats.halted_ns > 0);
    assert_true(stats.halted_ns + busy_ns <= stats.age_ns);
    must_close(&gdb, link);
}

static void check_why(enum fake_kind kind, bool running, const char *why)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, kind, running);
    struct gdbmi_link *link = must_open(&gdb, true);
    check_text(gdbmi_link_info(link)->why, why);
    assert_true(strlen(gdbmi_link_info(link)->why) <= 76);
    must_close(&gdb, link);
}

static void test_why(void **state)
{
    check_why(FAKE_OPENOCD, true, "ms (by connecting or before), resumed");
    check_why(FAKE_OPENOCD, false, "the core was halted before connecting");
    check_why(FAKE_QEMU, true, "read by halts; connecting halted the core for ");
    check_why(FAKE_QEMU, false, "the core was halted before connecting");
    check_why(FAKE_DEAF, true, "ms (by connecting or before), resumed");
    check_why(FAKE_DEAF, false, "unknown if it ran before; resumed");
}

/* QEMU */

static void test_qemu_running(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_true(gdbmi_link_info(link)->simulator);
    assert_false(gdbmi_link_info(link)->live);
    assert_string_equal(gdbmi_link_info(link)->server, "QEMU");
    assert_true(gdb.running);
    for (uint64_t i = 0; i < 10; i++) {
        check_read(link, RAM + i * 16, 2000);
        assert_true(gdb.running);
    }
    check_state(link, GDBMI_STATE_RUNNING);
    assert_int_equal(gdbmi_link_stats(link).halts, 11);
    assert_true(gdbmi_link_stats(link).halted_ns <= gdbmi_link_stats(link).age_ns);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 10);
    assert_int_equal(fake_gdb_count(&gdb, "eaten"), 0);
    assert_int_equal(fake_gdb_count(&gdb, "?"), 0);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_qemu_halted(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, false);
    struct gdbmi_link *link = must_open(&gdb, false);
    check_read(link, RAM, 64);
    /* No answer is left without its ack when a call ends. */
    assert_false(gdb.unacked);
    must_close(&gdb, link);
    assert_false(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "c"), 0);
    assert_int_equal(fake_gdb_count(&gdb, "D"), 0);
}

static void test_qemu_is_left_by_detach(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    must_close(&gdb, link);
    assert_true(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "D"), 1);
}

/* QEMU stays in the mode that a gdb has brought it into, also for the next client. */
static void test_qemu_that_refuses_to_detach(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.multiprocess = true;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_qemu_set_running_by_its_monitor(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, false);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.running = true;
    check_read(link, RAM, 64);
    assert_int_equal(fake_gdb_count(&gdb, "eaten"), 1);
    assert_true(gdb.running);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    must_close(&gdb, link);
}

static void test_qemu_breakpoint_wins(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.break_at_interrupt = true;
    check_read(link, RAM, 64);
    assert_false(gdb.running);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

/* The machine was set running by its monitor and has come to a breakpoint since. */
static void test_qemu_breakpoint_is_not_eaten(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, false);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.break_at = "m20000000";
    check_read(link, RAM, 64);
    check_read(link, RAM + 96, 64);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    assert_int_equal(fake_gdb_count(&gdb, "m20000000,40"), 1);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

/* Servers that are not known */

static void test_deaf_server_breakpoint_wins(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_DEAF, true);
    struct gdbmi_link *link = must_open(&gdb, true);
    gdb.break_at_interrupt = true;
    check_read(link, RAM + 36, 4);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    must_close(&gdb, link);
    assert_false(gdb.running);
}

static void test_deaf_server_needs_permission(void **state)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_gdb_init(&gdb, FAKE_DEAF, true);
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_EHALT);
    assert_int_equal(error.hint, GDBMI_HINT_ALLOW_HALT);
    assert_null(link);
    assert_true(gdb.running);
    assert_true(gdb.stream.closed_by_client);
    fake_gdb_free(&gdb);
}

static void test_deaf_server_with_permission(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_DEAF, true);
    struct gdbmi_link *link = must_open(&gdb, true);
    assert_false(gdbmi_link_info(link)->live);
    /* The answer to the probe comes with the first halt, and belongs to no read. */
    for (uint64_t i = 0; i < 4; i++)
        check_read(link, RAM + 36 + 64 * i, 4);
    assert_true(gdb.running);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_non_stop_server_is_not_probed(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_DEAF, true);
    gdb.offers_non_stop = true;
    struct gdbmi_link *link = must_open(&gdb, true);
    assert_true(gdb.running);
    assert_string_equal(gdb.kept, "");
    must_close(&gdb, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openocd_running),
        cmocka_unit_test(test_openocd_is_not_asked_for_510_bytes),
        cmocka_unit_test(test_openocd_sees_us_leave),
        cmocka_unit_test(test_openocd_at_a_breakpoint),
        cmocka_unit_test(test_noise_at_every_split),
        cmocka_unit_test(test_stopped_by_others),
        cmocka_unit_test(test_resumed_by_others),
        cmocka_unit_test(test_stop_before_the_answer),
        cmocka_unit_test(test_spare_interrupt),
        cmocka_unit_test(test_halt_is_undone_by_close),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_busy_server_is_no_halt),
        cmocka_unit_test(test_why),
        cmocka_unit_test(test_qemu_running),
        cmocka_unit_test(test_qemu_halted),
        cmocka_unit_test(test_qemu_is_left_by_detach),
        cmocka_unit_test(test_qemu_that_refuses_to_detach),
        cmocka_unit_test(test_qemu_set_running_by_its_monitor),
        cmocka_unit_test(test_qemu_breakpoint_wins),
        cmocka_unit_test(test_qemu_breakpoint_is_not_eaten),
        cmocka_unit_test(test_deaf_server_breakpoint_wins),
        cmocka_unit_test(test_deaf_server_needs_permission),
        cmocka_unit_test(test_deaf_server_with_permission),
        cmocka_unit_test(test_non_stop_server_is_not_probed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
