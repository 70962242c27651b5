/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GDB remote link to pyOCD, J-Link, probe-rs and the like, which answer while the core runs: a
 * core that our coming halted runs on. */
#include "unit.h"

#include "fake_clock.h"
#include "rsp_checks.h"

#define DFSR_HALTED 0x01
#define DFSR_BKPT   0x02
#define DCSR        0x40000003U /* version 0.13, machine mode */

static void init_pyocd(struct fake_gdb *gdb, unsigned dfsr)
{
    init_gdbserver(gdb, 1, 5);
    gdb->non_stop.pyocd = true;
    gdb->process = false;
    gdb->m_profile = true;
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

/* A server that is always heard and gives every stop a breakpoint's signal.
 * like: what is known of the core and the server. */
static void check_live(struct fake_gdb like, bool runs, const char *why)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_LIVE, false);
    gdb.m_profile = like.m_profile;
    gdb.dfsr = like.dfsr;
    gdb.riscv = like.riscv;
    gdb.dcsr = like.dcsr;
    gdb.halts_at = like.halts_at;
    gdb.process = like.process;
    gdb.probe_rs = like.probe_rs;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdb.running, runs);
    assert_int_equal(gdbmi_link_stats(link).halts, runs);
    assert_int_equal(gdbmi_link_info(link)->live, runs);
    check_text(gdbmi_link_info(link)->why, why);
    assert_true(strlen(gdbmi_link_info(link)->why) <= 76);
    check_read(link, RAM, 3000);
    check_state(link, runs ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED);
    check_close(link, &gdb.stream);
    assert_int_equal(gdb.running, runs);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
    assert_int_equal(fake_gdb_count(&gdb, "D"), runs && like.probe_rs);
    fake_gdb_free(&gdb);
}

static const char by_us[] = "ms (by connecting or before), resumed";
static const char by_others[] = "a breakpoint, step or fault halted the core; it stays halted";
static const char guessed[] = "unknown if it ran before; resumed";

/* Such servers say SIGTRAP for any stop; a Cortex-M says whether a debugger asked for it. */
static void test_halted_by_our_coming(void **state)
{
    check_live((struct fake_gdb){.m_profile = true, .dfsr = DFSR_HALTED}, true, by_us);
    check_live((struct fake_gdb){.m_profile = true, .dfsr = DFSR_BKPT}, false, by_others);
}

/* Flags that nobody has cleared: the breakpoint may be one of long ago. */
static void test_old_breakpoint(void **state)
{
    struct fake_gdb like = {.m_profile = true, .dfsr = DFSR_BKPT | DFSR_HALTED};

    check_live(like, true, guessed);
    like.halts_at = 0xbe00;
    check_live(like, false, by_others);
}

/* So does a RISC-V hart, if the server shows its DCSR. */
static void test_riscv_says_who_halted_it(void **state)
{
    static const unsigned others[] = {1, 2, 4, 5, 6};

    check_live((struct fake_gdb){.riscv = true, .dcsr = DCSR | 3 << 6}, true, by_us);
    for (size_t i = 0; i < COUNT(others); i++)
        check_live((struct fake_gdb){.riscv = true, .dcsr = DCSR | others[i] << 6}, false,
                   by_others);
    check_live((struct fake_gdb){.riscv = true, .dcsr = DCSR}, true, guessed);
    check_live((struct fake_gdb){.riscv = true, .dcsr = 1 << 6}, true, guessed);
}

/* probe-rs clears DFSR and shows no DCSR: a motor that ran is not left halted, but what halts at an
 * instruction of its own stays there. */
static void test_nothing_tells_who_halted_it(void **state)
{
    for (int probe_rs = 0; probe_rs < 2; probe_rs++) {
        struct fake_gdb arm = {.m_profile = true, .probe_rs = probe_rs};
        struct fake_gdb riscv = {.riscv = true, .probe_rs = probe_rs};
        check_live(arm, true, guessed);
        check_live(riscv, true, guessed);
        arm.halts_at = 0xbe00;
        check_live(arm, false, by_others);
        arm.halts_at = 0xbeab;
        check_live(arm, false, by_others);
        arm.halts_at = 0xbfbe;
        check_live(arm, true, guessed);
        riscv.halts_at = 0x00100073;
        check_live(riscv, false, by_others);
        riscv.halts_at = 0x12349002;
        check_live(riscv, false, by_others);
        riscv.halts_at = 0x10500073;
        check_live(riscv, true, guessed);
    }
    check_live((struct fake_gdb){.riscv = false}, true, guessed);
}

static void test_program_that_is_stopped(void **state)
{
    check_live((struct fake_gdb){.process = true}, false, "the core was halted before connecting");
}

static void test_other_signal_is_our_coming(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_LIVE, false);
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

    fake_gdb_init(&gdb, FAKE_LIVE, false);
    gdb.m_profile = true;
    gdb.dfsr = DFSR_BKPT;
    gdb.knows_p = false;
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a1);
    must_close(&gdb, link);
}

/* State and bytes in one request, once the link is open. Time stands still: what requests take on a
 * busy machine may make a link ask for more, or in pieces. */
static void check_poll(struct fake_gdb *gdb)
{
    enum gdbmi_state found = GDBMI_STATE_UNKNOWN;
    unsigned char bytes[400];

    fake_clock_start();
    struct gdbmi_link *link = must_open(gdb, false);
    gdb->log[0] = '\0';
    for (int i = 0; i < 5; i++) {
        assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &found), GDBMI_OK);
        assert_int_equal(found, GDBMI_STATE_RUNNING);
    }
    assert_int_equal(fake_gdb_count(gdb, ""), 5);
    assert_int_equal(fake_gdb_count(gdb, "m20000000,190"), 5);
    must_close(gdb, link);
    fake_clock_stop();
}

static void test_poll_is_one_request(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    check_poll(&gdb);
    init_gdbserver(&gdb, 2, 0);
    check_poll(&gdb);
    fake_gdb_init(&gdb, FAKE_LIVE, false);
    check_poll(&gdb);
}

static void test_given_up(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_LIVE, false);
    struct gdbmi_link *link = must_open(&gdb, false);
    check_given_up(link, RAM, 4096);
    must_close(&gdb, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pyocd),
        cmocka_unit_test(test_halted_by_our_coming),
        cmocka_unit_test(test_old_breakpoint),
        cmocka_unit_test(test_riscv_says_who_halted_it),
        cmocka_unit_test(test_nothing_tells_who_halted_it),
        cmocka_unit_test(test_program_that_is_stopped),
        cmocka_unit_test(test_other_signal_is_our_coming),
        cmocka_unit_test(test_probe_is_undone),
        cmocka_unit_test(test_registers_all_at_once),
        cmocka_unit_test(test_poll_is_one_request),
        cmocka_unit_test(test_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
