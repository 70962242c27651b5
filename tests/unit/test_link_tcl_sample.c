/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by halts through OpenOCD's Tcl port: one script each, and the core runs after it. */
#include "unit.h"

#include "tcl_checks.h"

static struct gdbmi_sample must_sample(struct gdbmi_link *link, struct gdbmi_sample_request request)
{
    struct gdbmi_sample sample;

    enum gdbmi_code code = gdbmi_link_sample(link, &request, &sample);
    if (code != GDBMI_OK)
        fail_msg("%s", gdbmi_link_error(link)->text);
    return sample;
}

static struct gdbmi_link *must_open_allowed(struct fake_tcl *tcl, const char *address,
                                            const char *gdb_port)
{
    struct gdbmi_link *link = must_open(tcl, address, gdb_port);

    link->allow_halt = true;
    return link;
}

/* One request and its answer a sample. */
static void test_place(void **state)
{
    static const char *const addresses[] = {NEAR, FAR};

    for (size_t i = 0; i < COUNT(addresses); i++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.sp = RAM;
        struct gdbmi_link *link = must_open_allowed(&tcl, addresses[i], "3333");
        unsigned writes = tcl.writes;
        for (int k = 0; k < 3; k++) {
            struct gdbmi_sample sample =
                must_sample(link, (struct gdbmi_sample_request){.all = false});
            assert_true(sample.taken);
            assert_int_equal(sample.pc, 0x080002a0);
            assert_int_equal(sample.ra, k == 0 ? 0x1000 + 'r' : 0);
            assert_int_equal(sample.psr, k == 0 ? 0x2100000f : 0x0100000f);
            assert_int_equal(sample.known, k == 0 ? 0x1c000 : 0x18000);
            assert_true(k == 0 || sample.halted_ns / 1000 == 100);
        }
        assert_int_equal(tcl.writes, writes + 3);
        assert_int_equal(tcl.samples, 1);
        assert_int_equal(tcl.shorts, 2);
        assert_int_equal(gdbmi_link_stats(link).halts, 3);
        assert_false(gdbmi_link_stats(link).held);
        assert_int_equal(tcl.resumes, 0);
        must_close(&tcl, link);
        assert_true(tcl.running);
    }
}

static void test_registers_and_stack(void **state)
{
    static const char *const ports[] = {"3333", "3334"};
    unsigned char stack[256], process[256];

    for (unsigned big = 0; big < 2; big++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.sp = RAM + 32;
        tcl.chosen = big ? "b.cpu" : "a.cpu";
        struct gdbmi_link *link = must_open_allowed(&tcl, FAR, ports[big]);
        struct gdbmi_sample sample = must_sample(
            link, (struct gdbmi_sample_request){.stack = stack, .stack_len = sizeof(stack)});
        assert_true(sample.taken);
        assert_int_equal(sample.known, (uint64_t)3 << GDBMI_MSP | 0x1ffff);
        assert_int_equal(sample.registers[GDBMI_PSP], 0x1000 + 's');
        assert_int_equal(sample.sp, RAM + 32);
        assert_int_equal(sample.registers[7], 0x1000 + '7');
        assert_int_equal(sample.stack_len, sizeof(stack));
        for (size_t i = 0; i < sizeof(stack); i++)
            assert_int_equal(stack[i], fake_byte(tcl.sp + (big ? i ^ 3 : i)));
        assert_int_equal(sample.process_len, 0);
        sample = must_sample(link, (struct gdbmi_sample_request){.stack = stack,
                                                                 .process_stack = process,
                                                                 .stack_len = sizeof(stack),
                                                                 .stack_end = RAM + 72});
        assert_int_equal(sample.stack_len, 40);
        assert_int_equal(sample.process_len, 4);
        assert_int_equal(process[0], big ? 0x12 : 0x78);
        must_close(&tcl, link);
    }
}

static void test_end_of_memory(void **state)
{
    unsigned char stack[256];
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    for (unsigned i = 0; i < 40; i++) {
        tcl.sp = BAD - 300 + 8 * (i % 20);
        struct gdbmi_sample sample = must_sample(
            link, (struct gdbmi_sample_request){.stack = stack, .stack_len = sizeof(stack)});
        assert_true(sample.stack_len >= 32);
        assert_true(i < 20 || sample.stack_len == 4 * (size_t)tcl.words);
    }
    must_close(&tcl, link);
}

/* A word of memory is read in the same halt, whatever else is read. */
static void test_word(void **state)
{
    unsigned char stack[64];
    struct gdbmi_sample_request request = {.word = RAM + 0x10, .word_len = 4};

    for (int big = 0; big < 2; big++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.sp = RAM + 32;
        if (big)
            tcl.targets = "a.cpu cortex_m big 3333\n";
        struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
        request.stack = NULL;
        request.stack_len = 0;
        for (unsigned i = 0; i < 4; i++) {
            request.stack = i < 2 ? NULL : stack;
            request.stack_len = i < 2 ? 0 : sizeof(stack);
            struct gdbmi_sample sample = must_sample(link, request);
            const unsigned char bytes[] = {0x10, RAM >> 8 & 0xff, RAM >> 16 & 0xff, RAM >> 24};
            assert_true(sample.taken && sample.has_word);
            for (size_t at = 0; at < 4; at++)
                assert_int_equal(sample.word[big ? 3 - at : at], bytes[at]);
            assert_int_equal(sample.stack_len, request.stack_len);
        }
        assert_int_equal(tcl.shorts, big ? 0 : 1);
        request.word = BAD;
        struct gdbmi_sample sample = must_sample(link, request);
        assert_true(sample.taken && !sample.has_word);
        assert_int_equal(sample.stack_len, sizeof(stack));
        request.stack_len = 0;
        sample = must_sample(link, request);
        assert_true(sample.taken && !sample.has_word && tcl.shorts == (big ? 0 : 2));
        request.word = RAM + 0x10;
        must_close(&tcl, link);
    }
}

static void test_riscv(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu riscv little 3333\n";
    tcl.sp = RAM;
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    struct gdbmi_sample sample = must_sample(link, (struct gdbmi_sample_request){.all = false});
    assert_true(sample.taken);
    assert_int_equal(sample.pc, 0x080002a0);
    assert_int_equal(sample.ra, 0x1000 + 'a');
    assert_int_equal(sample.known, 0x100000002);
    sample = must_sample(link, (struct gdbmi_sample_request){.all = true});
    assert_int_equal(sample.known, (uint64_t)1 << GDBMI_MEPC | 0x1ffffffff);
    assert_int_equal(sample.sp, RAM);
    assert_int_equal(sample.psr, 0);
    sample = must_sample(link, (struct gdbmi_sample_request){.all = false});
    assert_int_equal(tcl.shorts, 1);
    assert_int_equal(sample.pc, 0x080002a0);
    assert_int_equal(sample.known, 0x100000000);
    must_close(&tcl, link);
}

/* What cannot be read of a running hart is read in OpenOCD's own halt. */
static void test_riscv_without_system_bus(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu riscv little 3333\n";
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    link->info.live = false;
    for (unsigned i = 0; i < 2; i++) {
        struct gdbmi_sample sample =
            must_sample(link, (struct gdbmi_sample_request){.word = RAM, .word_len = 4});
        assert_true(sample.taken && sample.has_word);
    }
    assert_int_equal(tcl.shorts, 0);
    assert_true(must_sample(link, (struct gdbmi_sample_request){.all = false}).taken);
    assert_int_equal(tcl.shorts, 1);
    must_close(&tcl, link);
}

/* It is tried once, and the sample is taken all the same. */
static void test_no_short_halts(void **state)
{
    const struct gdbmi_sample_request request = {.all = false};
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    tcl.not_short = "unsupported";
    for (unsigned i = 0; i < 3; i++)
        assert_true(must_sample(link, request).taken);
    assert_int_equal(tcl.samples, 3);
    assert_int_equal(tcl.shorts, 1);
    must_close(&tcl, link);
}

/* A reset that OpenOCD will not hear of; and what failed has let the core run. */
static void test_short_halts_that_give_nothing(void **state)
{
    const struct gdbmi_sample_request request = {.all = false};
    struct gdbmi_sample sample;
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    assert_true(must_sample(link, request).taken);
    tcl.not_short = "reset";
    assert_false(must_sample(link, request).taken);
    assert_int_equal(gdbmi_link_stats(link).resets, 1);
    tcl.not_short = "halted"; /* by a breakpoint, which is no reset */
    assert_false(must_sample(link, request).taken);
    assert_int_equal(gdbmi_link_stats(link).resets, 1);
    tcl.not_short = "failed: timeout";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "a sample failed: timeout");
    assert_false(gdbmi_link_stats(link).held);
    tcl.not_short = NULL;
    tcl.break_at_halt = true;
    assert_false(must_sample(link, request).taken);
    assert_false(must_sample(link, request).taken);
    assert_int_equal(tcl.samples, 3);
    assert_int_equal(tcl.shorts, 3); /* not soon after a failure */
    assert_int_equal(gdbmi_link_stats(link).halts, 2);
    must_close(&tcl, link);
    assert_int_equal(tcl.resumes, 0);
    assert_false(tcl.running);
}

static void check_failure(struct fake_tcl *tcl, struct gdbmi_link *link, unsigned pause)
{
    const struct gdbmi_sample_request request = {.all = false};
    struct gdbmi_sample sample;

    tcl->not_short = "failed: timeout";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
    tcl->not_short = NULL;
    unsigned shorts = tcl->shorts;
    for (unsigned i = 0; i < pause; i++)
        assert_true(must_sample(link, request).taken);
    assert_int_equal(tcl->shorts, shorts);
    assert_true(must_sample(link, request).taken);
    assert_int_equal(tcl->shorts, shorts + 1);
}

/* One glitch is not for ever; many make it rare, but not more so than at last. */
static void test_short_halts_come_back(void **state)
{
    static const unsigned pauses[] = {32, 64, 128, 256, 512, 1024, 1024};
    const struct gdbmi_sample_request request = {.all = false};
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    assert_true(must_sample(link, request).taken);
    for (size_t i = 0; i < COUNT(pauses); i++)
        check_failure(&tcl, link, pauses[i]);
    assert_int_equal(gdbmi_link_stats(link).short_failures, COUNT(pauses));
    for (unsigned i = 1; i < 1024; i++)
        assert_true(must_sample(link, request).taken);
    check_failure(&tcl, link, 32);
    must_close(&tcl, link);
}

/* Halted before, or by a breakpoint before our halt: that is not ours to undo. */
static void test_halted_is_left_alone(void **state)
{
    for (int breaks = 0; breaks < 2; breaks++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
        tcl.running = tcl.break_at_halt = breaks;
        assert_false(must_sample(link, (struct gdbmi_sample_request){.all = true}).taken);
        assert_int_equal(gdbmi_link_stats(link).halts, 0);
        must_close(&tcl, link);
        assert_int_equal(tcl.resumes, 0);
        assert_false(tcl.running);
    }
}

/* The script resumes the core; if it says that it could not, another one does. */
static void test_script_that_fails(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;

    for (int halts = 0; halts < 2; halts++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
        tcl.sample_fails = true;
        tcl.sample_halts = halts;
        assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
        check_text(gdbmi_link_error(link)->text, "timed out");
        assert_false(sample.taken);
        assert_int_equal(tcl.resumes, halts);
        assert_true(tcl.running);
        tcl.sample_fails = tcl.sample_halts = false;
        assert_true(must_sample(link, request).taken);
        must_close(&tcl, link);
    }
}

/* Nobody knows how far the script came: a resume is sent. */
static void test_silence(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open_allowed(&tcl, FAR, "3333");
    tcl.silent_at = "sampled";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "told to resume");
    assert_int_equal(tcl.resumes, 1);
    (void)gdbmi_link_close(link, NULL);
    fake_tcl_free(&tcl);
}

static void test_hardware_needs_allowance(void **state)
{
    struct gdbmi_sample_request request = {.all = true};
    struct gdbmi_sample sample;
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_EHALT);
    assert_int_equal(tcl.samples, 0);
    must_close(&tcl, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_registers_and_stack),
        cmocka_unit_test(test_end_of_memory),
        cmocka_unit_test(test_word),
        cmocka_unit_test(test_riscv),
        cmocka_unit_test(test_riscv_without_system_bus),
        cmocka_unit_test(test_no_short_halts),
        cmocka_unit_test(test_short_halts_that_give_nothing),
        cmocka_unit_test(test_short_halts_come_back),
        cmocka_unit_test(test_halted_is_left_alone),
        cmocka_unit_test(test_script_that_fails),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_hardware_needs_allowance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
