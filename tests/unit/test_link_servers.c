/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GDB remote link to pyOCD, J-Link, probe-rs and their like, that answer while the core runs: a
 * core that our coming halted runs on. */
#include "unit.h"

#include "rsp_checks.h"

#define DFSR_HALTED 0x01
#define DFSR_BKPT   0x02

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
        cmocka_unit_test(test_pyocd),
        cmocka_unit_test(test_halted_by_our_coming),
        cmocka_unit_test(test_other_signal_is_our_coming),
        cmocka_unit_test(test_probe_is_undone),
        cmocka_unit_test(test_registers_all_at_once),
        cmocka_unit_test(test_poll_is_one_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
