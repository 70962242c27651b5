/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by halts through a GDB remote link: what is read, how, and that the core runs after it.
 */
#include "unit.h"

#include <clock.h>

#include "rsp_checks.h"

static struct gdbmi_sample must_sample(struct gdbmi_link *link, struct gdbmi_sample_request request)
{
    struct gdbmi_sample sample;

    enum gdbmi_code code = gdbmi_link_sample(link, &request, &sample);
    if (code != GDBMI_OK)
        fail_msg("%s", gdbmi_link_error(link)->text);
    return sample;
}

static void check_place(const struct gdbmi_sample *sample, uint64_t sp, uint64_t ra, uint64_t psr)
{
    assert_true(sample->taken);
    assert_int_equal(sample->pc, 0x080002a0);
    assert_int_equal(sample->sp, sp);
    assert_int_equal(sample->ra, ra);
    assert_int_equal(sample->psr, psr);
}

static void init(struct fake_gdb *gdb, enum fake_kind kind, bool running)
{
    fake_gdb_init(gdb, kind, running);
    gdb->knows_g = true;
    gdb->m_profile = true;
}

/* The halt and the question are one write, and nothing else is asked. */
static void test_qemu(void **state)
{
    struct fake_gdb gdb;

    init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    (void)must_sample(link, (struct gdbmi_sample_request){.all = true});
    gdb.log[0] = '\0';
    for (int i = 0; i < 3; i++) {
        struct gdbmi_sample sample = must_sample(link, (struct gdbmi_sample_request){.all = true});
        check_place(&sample, RAM, 0x100e, 0x1010);
        assert_int_equal(sample.known, 0x1ffff);
        assert_int_equal(sample.registers[7], 0x1007);
        assert_true(gdb.running);
    }
    assert_string_equal(gdb.log, "^C g c ^C g c ^C g c ");
    assert_int_equal(gdbmi_link_stats(link).halts, 5);
    assert_true(gdbmi_link_stats(link).halted_ns > 0);
    assert_false(gdbmi_link_stats(link).held);
    must_close(&gdb, link);
}

/* A word of memory is read in the same halt; what cannot be read is left out. */
static void test_word(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_QEMU, FAKE_OPENOCD, FAKE_LIVE};
    struct gdbmi_sample_request request = {.word = RAM + 4, .word_len = 4};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], true);
        struct gdbmi_link *link = must_open(&gdb, true);
        uint64_t halts = gdbmi_link_stats(link).halts;
        for (int k = 0; k < 2; k++) {
            struct gdbmi_sample sample = must_sample(link, request);
            assert_true(sample.taken && sample.has_word);
            for (unsigned at = 0; at < 4; at++)
                assert_int_equal(sample.word[at], fake_byte(RAM + 4 + at));
        }
        assert_int_equal(gdbmi_link_stats(link).halts, halts + 2);
        request.word = BAD;
        struct gdbmi_sample sample = must_sample(link, request);
        assert_true(sample.taken && !sample.has_word && gdb.running);
        request.word = RAM + 4;
        request.word_len = 12;
        assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_EARG);
        assert_true(clock_limit_lift() == UINT64_MAX); /* no limit of time is left behind */
        request.word_len = 4;
        must_close(&gdb, link);
    }
}

/* Registers that an unwinder needs too are found in the description, once, and in the files that it
 * includes. */
static void test_special_registers(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_QEMU, FAKE_OPENOCD, FAKE_LIVE};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], true);
        gdb.has_specials = true;
        struct gdbmi_link *link = must_open(&gdb, true);
        for (int k = 0; k < 2; k++) {
            struct gdbmi_sample sample =
                must_sample(link, (struct gdbmi_sample_request){.all = true});
            assert_int_equal(sample.registers[GDBMI_MSP], RAM + 92);
            assert_int_equal(sample.registers[GDBMI_PSP], RAM + 26);
            assert_int_equal(sample.known, (uint64_t)3 << GDBMI_MSP | 0x1ffff);
        }
        assert_int_equal(fake_gdb_count(&gdb, "qXfer:features:read:more.xml:0,"), 1);
        gdb.log[0] = '\0';
        (void)must_sample(link, (struct gdbmi_sample_request){.all = false});
        assert_int_equal(fake_gdb_count(&gdb, "p"), 0);
        must_close(&gdb, link);
    }
}

/* Without the description QEMU has other registers where a Cortex-M has its xPSR. */
static void test_arm_that_is_no_cortex_m(void **state)
{
    struct fake_gdb gdb;

    init(&gdb, FAKE_QEMU, true);
    gdb.m_profile = false;
    struct gdbmi_link *link = must_open(&gdb, false);
    struct gdbmi_sample sample = must_sample(link, (struct gdbmi_sample_request){.all = true});
    check_place(&sample, RAM, 0x100e, 0);
    assert_int_equal(sample.known, 0xffff);
    must_close(&gdb, link);
}

static void check_stack(struct gdbmi_link *link, struct gdbmi_sample_request request, uint64_t sp,
                        size_t len)
{
    unsigned char stack[512];

    memset(stack, 0xa5, sizeof(stack));
    request.stack = stack;
    struct gdbmi_sample sample = must_sample(link, request);
    assert_true(sample.taken);
    assert_int_equal(sample.sp, sp);
    assert_int_equal(sample.stack_len, len);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(stack[i], fake_byte(sp + i));
    assert_int_equal(stack[request.stack_len], 0xa5);
}

/* One more round trip; what is known of the stack's end is not asked for. */
static void test_stack(void **state)
{
    struct fake_gdb gdb;

    init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    (void)must_sample(link, (struct gdbmi_sample_request){.all = true});
    gdb.log[0] = '\0';
    check_stack(link, (struct gdbmi_sample_request){.stack_len = 256}, RAM, 256);
    check_stack(link, (struct gdbmi_sample_request){.stack_len = 256, .stack_end = RAM + 100}, RAM,
                100);
    check_stack(link, (struct gdbmi_sample_request){.stack_len = 256, .stack_end = RAM - 4}, RAM,
                256);
    assert_string_equal(gdb.log, "^C g m20000000,100 c ^C g m20000000,64 c ^C g m20000000,100 c ");
    assert_true(gdb.running);
    must_close(&gdb, link);
}

/* The end of memory is found by reads that fail, once: after some samples there are none. */
static void test_end_of_memory(void **state)
{
    struct fake_gdb gdb;
    unsigned char stack[256];

    init(&gdb, FAKE_QEMU, true);
    gdb.bad_end = RAM + 1000;
    struct gdbmi_link *link = must_open(&gdb, false);
    for (unsigned i = 0; i < 40; i++) {
        struct gdbmi_sample_request request = {.stack = stack, .stack_len = sizeof(stack)};
        gdb.log[0] = '\0';
        gdb.sp = RAM + 700 + 8 * (i % 20);
        struct gdbmi_sample sample = must_sample(link, request);
        assert_true(sample.taken && sample.stack_len >= 32);
        assert_true(gdb.sp + sample.stack_len <= gdb.bad_end);
        if (i >= 20) {
            assert_int_equal(fake_gdb_count(&gdb, "m"), 1);
            assert_true(sample.stack_len + 8 >= 1000U - (gdb.sp - RAM) || sample.stack_len == 256);
        }
    }
    gdb.sp = RAM + 996;
    check_stack(link, (struct gdbmi_sample_request){.stack_len = 256}, RAM + 996, 0);
    assert_true(gdb.running);
    must_close(&gdb, link);
}

/* The answer to Ctrl-C comes first; one register after the other would be slow. */
static void test_openocd(void **state)
{
    struct fake_gdb gdb;

    init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, true);
    gdb.log[0] = '\0';
    struct gdbmi_sample sample = must_sample(link, (struct gdbmi_sample_request){.all = false});
    check_place(&sample, RAM, 0x100e, 0x1010);
    assert_string_equal(strstr(gdb.log, "^C"), "^C g c ");
    assert_true(gdb.running);
    must_close(&gdb, link);
}

/* Of a big-endian core a register has its high byte first, and so has a word of a short halt. A
 * Cortex-M has none: OpenOCD swaps its registers in memory. */
static void test_openocd_big_endian(void **state)
{
    struct gdbmi_sample_request request = {.word = RAM + 4, .word_len = 4};

    for (int riscv = 0; riscv < 2; riscv++) {
        struct fake_gdb gdb;
        init(&gdb, FAKE_OPENOCD, true);
        gdb.riscv = riscv;
        gdb.big_endian = true;
        struct gdbmi_link *link = must_open(&gdb, true);
        for (int k = 0; k < 3; k++) {
            struct gdbmi_sample sample = must_sample(link, request);
            assert_int_equal(sample.pc, 0x080002a0);
            assert_true((riscv && k > 0) || sample.ra == (riscv ? 0x1001 : 0x100e));
            for (unsigned at = 0; at < 4; at++)
                assert_int_equal(sample.word[at], fake_byte(RAM + 4 + at));
        }
        /* Its version and its order, and short halts. */
        assert_int_equal(fake_gdb_count(&gdb, "qRcmd"), 2 + (riscv ? 2 : 0));
        must_close(&gdb, link);
    }
}

/* From the second one on by a command that halts it for so short that OpenOCD does not notice,
 * as long as that is enough. */
static void test_openocd_short(void **state)
{
    for (int riscv = 0; riscv < 2; riscv++) {
        struct fake_gdb gdb;
        init(&gdb, FAKE_OPENOCD, true);
        gdb.riscv = riscv;
        gdb.has_specials = !riscv;
        struct gdbmi_link *link = must_open(&gdb, true);
        struct gdbmi_sample_request request = {.all = !riscv};
        (void)must_sample(link, request);
        request.all = false;
        gdb.log[0] = '\0';
        struct gdbmi_sample sample = must_sample(link, request);
        check_place(&sample, 0, 0, riscv ? 0 : 0x01000010);
        assert_int_equal(fake_gdb_count(&gdb, "qRcmd"), 1);
        assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
        assert_int_equal(gdbmi_link_stats(link).halts, 3);
        gdb.running = false;
        assert_false(must_sample(link, request).taken);
        must_close(&gdb, link);
        assert_false(gdb.running);
    }
}

static void test_riscv(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_OPENOCD, FAKE_QEMU, FAKE_DEAF, FAKE_LIVE};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], true);
        gdb.riscv = true;
        struct gdbmi_link *link = must_open(&gdb, true);
        gdb.log[0] = '\0';
        struct gdbmi_sample sample = must_sample(link, (struct gdbmi_sample_request){.all = false});
        bool few = kinds[i] == FAKE_OPENOCD;
        check_place(&sample, few ? 0 : RAM, 0x1001, 0);
        assert_int_equal(fake_gdb_count(&gdb, "g"), few ? 0 : 1);
        assert_int_equal(fake_gdb_count(&gdb, "p"), few ? 2 : 0);
        sample = must_sample(link, (struct gdbmi_sample_request){.all = true});
        check_place(&sample, RAM, 0x1001, 0);
        assert_int_equal(sample.known, 0x1ffffffff);
        assert_int_equal(sample.registers[31], 0x101f);
        assert_true(gdb.running);
        must_close(&gdb, link);
    }
}

/* What something else has halted gives no sample, and stays halted. */
static void test_halted_is_left_alone(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_OPENOCD, FAKE_QEMU, FAKE_LIVE};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], false);
        gdb.dfsr = 2; /* a breakpoint */
        struct gdbmi_link *link = must_open(&gdb, true);
        gdb.log[0] = '\0';
        assert_false(must_sample(link, (struct gdbmi_sample_request){.all = true}).taken);
        assert_int_equal(fake_gdb_count(&gdb, "^C") + fake_gdb_count(&gdb, "c"), 0);
        assert_int_equal(fake_gdb_count(&gdb, "g"), 0);
        assert_false(gdb.running);
        must_close(&gdb, link);
        assert_false(gdb.running);
    }
}

/* Of our own halts, too, as long as they last. */
static void test_held_by_the_user(void **state)
{
    struct fake_gdb gdb;

    init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, true);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    gdbmi_link_keep_halted(link);
    assert_false(must_sample(link, (struct gdbmi_sample_request){.all = true}).taken);
    assert_false(gdb.running);
    must_close(&gdb, link);
    assert_true(gdb.running);
}

static void test_breakpoint_before_our_halt(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_OPENOCD, FAKE_QEMU, FAKE_LIVE};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], true);
        struct gdbmi_link *link = must_open(&gdb, true);
        gdb.log[0] = '\0';
        gdb.break_at_interrupt = true;
        assert_false(must_sample(link, (struct gdbmi_sample_request){.all = true}).taken);
        assert_int_equal(fake_gdb_count(&gdb, "c"), 0);
        assert_int_equal(gdbmi_link_stats(link).halts, 1);
        must_close(&gdb, link);
        assert_false(gdb.running);
    }
}

/* The core runs again after a sample that fails, and the next one may succeed. */
static void test_registers_that_cannot_be_read(void **state)
{
    static const enum fake_kind kinds[] = {FAKE_OPENOCD, FAKE_QEMU, FAKE_LIVE};
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fake_gdb gdb;
        init(&gdb, kinds[i], true);
        struct gdbmi_link *link = must_open(&gdb, true);
        gdb.refuses_g = true;
        assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
        check_text(gdbmi_link_error(link)->text, "cannot read the registers");
        assert_false(sample.taken);
        assert_true(gdb.running);
        assert_false(gdbmi_link_stats(link).held);
        gdb.refuses_g = false;
        assert_true(must_sample(link, request).taken);
        must_close(&gdb, link);
        assert_true(gdb.running);
    }
}

/* A server that says nothing any more is told to resume. */
static void test_silence(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_gdb gdb;

    init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, true);
    gdb.silent_at = "g";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "told to resume");
    assert_false(sample.taken);
    assert_true(gdb.running);
    (void)gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
}

static void test_hardware_needs_allowance(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_gdb gdb;

    init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_EHALT);
    assert_int_equal(gdbmi_link_error(link)->hint, GDBMI_HINT_ALLOW_HALT);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 0);
    must_close(&gdb, link);
}

static void test_process(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_gdb gdb;

    init_gdbserver(&gdb, 2, 0);
    struct gdbmi_link *link = must_open(&gdb, true);
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "use perf");
    must_close(&gdb, link);
}

static void test_noise_at_every_split(void **state)
{
    for (size_t split = 1; split < 70; split++) {
        struct fake_gdb gdb;
        init(&gdb, split % 2 == 0 ? FAKE_QEMU : FAKE_OPENOCD, true);
        gdb.noise = gdb.kind == FAKE_OPENOCD;
        gdb.run_lengths = split % 4 < 2;
        gdb.stream.split = split;
        struct gdbmi_link *link = must_open(&gdb, true);
        for (uint64_t i = 0; i < 5; i++)
            check_stack(link, (struct gdbmi_sample_request){.stack_len = 64}, RAM, 64);
        must_close(&gdb, link);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_qemu),
        cmocka_unit_test(test_word),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_arm_that_is_no_cortex_m),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_end_of_memory),
        cmocka_unit_test(test_openocd),
        cmocka_unit_test(test_openocd_big_endian),
        cmocka_unit_test(test_openocd_short),
        cmocka_unit_test(test_riscv),
        cmocka_unit_test(test_halted_is_left_alone),
        cmocka_unit_test(test_held_by_the_user),
        cmocka_unit_test(test_breakpoint_before_our_halt),
        cmocka_unit_test(test_registers_that_cannot_be_read),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_hardware_needs_allowance),
        cmocka_unit_test(test_process),
        cmocka_unit_test(test_noise_at_every_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
