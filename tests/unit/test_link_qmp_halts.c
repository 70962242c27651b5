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

static void check_sample(struct fake_qmp *qmp, const char *registers, uint64_t known, uint64_t ra,
                         uint64_t psr)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;

    struct gdbmi_link *link = must_open(qmp);
    qmp->registers = registers;
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_OK);
    assert_true(sample.taken);
    assert_int_equal(sample.pc, 0x080002a0);
    assert_int_equal(sample.sp, RAM + 16);
    assert_int_equal(sample.ra, ra);
    assert_int_equal(sample.psr, psr);
    assert_int_equal(sample.known, known);
    assert_true(qmp->running);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    must_close(qmp, link);
    assert_int_equal(qmp->conts, 1);
}

static void test_samples(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    check_sample(&qmp,
                 "R00=00000007 R13=20000010\r\nR14=000001ab R15=080002a0\r\nXPSR=2100000f -\r\n",
                 0x1e001, 0x1ab, 0x2100000f);
    fake_qmp_init(&qmp);
    qmp.arch = "riscv32";
    qmp.type = "rv32-riscv-cpu";
    qmp.dump = "x";
    check_sample(&qmp,
                 " pc       080002a0\r\n mepc     80000000\r\n"
                 " x0/zero  00000000 x1/ra    000001ab x2/sp    20000010 x10/a0   0000002a\r\n",
                 0x100000407, 0x1ab, 0);
}

static void test_sample_of_a_paused_machine(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.breaks_after = 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_OK);
        assert_false(sample.taken);
    }
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

/* The machine goes on, whatever could not be read of it. */
static void test_sample_without_a_place(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.registers = "R01=00000000\r\n";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "cannot read the program counter");
    assert_true(qmp.running);
    must_close(&qmp, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_sample_of_a_paused_machine),
        cmocka_unit_test(test_sample_without_a_place),
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
