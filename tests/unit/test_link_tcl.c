/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a link through OpenOCD's Tcl port reads and writes, and in which state it leaves the core.
 */
#include "unit.h"

#include "fake_clock.h"
#include "tcl_checks.h"

/* From a server that takes no time a read is of as many words as may be. */
static void test_reads_of_all_shapes(void **state)
{
    struct fake_tcl tcl;

    fake_clock_start();
    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    for (uint64_t addr = RAM; addr < RAM + 5; addr++) {
        for (size_t len = 1; len < 14; len++)
            check_read(link, addr, len);
    }
    for (int i = 0; i < 4; i++)
        check_read(link, RAM, 4096);
    tcl.reads = tcl.words_max = 0;
    check_read(link, RAM, 4208);
    assert_int_equal(tcl.words_max, 512);
    assert_int_equal(tcl.reads, 3);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&tcl, link);
    fake_clock_stop();
}

static const struct fake_tcl *slow;

static void pass_1_ms_for_8_words(void)
{
    fake_clock_pass((int)slow->words / 8);
}

static void pass_10_ms_and_1_for_each_word(void)
{
    fake_clock_pass(10 + (int)slow->words);
}

/* Returns the words of the longest read of a server that has become known. */
static unsigned read_slowly(void (*before_read)(void))
{
    struct fake_tcl tcl;

    fake_clock_start();
    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.before_read = before_read;
    slow = &tcl;
    for (int i = 0; i < 4; i++) {
        tcl.words_max = 0;
        check_read(link, RAM, 4096);
    }
    must_close(&tcl, link);
    fake_clock_stop();
    return tcl.words_max;
}

/* What others ask the server waits for one read of ours, which is of as many words as 20 ms allow,
 * unless a request without its words takes more than a tenth of that. */
static void test_reads_from_a_slow_server(void **state)
{
    assert_in_range(read_slowly(pass_1_ms_for_8_words), 159, 160);
    assert_in_range(read_slowly(pass_10_ms_and_1_for_each_word), 88, 91);
}

static void test_every_split_with_notifications(void **state)
{
    for (size_t split = 1; split < 64; split++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.notification = "type target_state state halted\r\n\x1a";
        tcl.stream.split = split;
        struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
        check_read(link, RAM + 2, 21);
        check_read(link, RAM + 40, 80);
        must_close(&tcl, link);
    }
}

static void test_read_that_fails(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    check_no_read(link, BAD, 1, GDBMI_ETARGET, "failed to read memory");
    check_read(link, RAM, 8);
    must_close(&tcl, link);
}

/* After an answer that cannot be one, no other is believed. */
static void check_wrong_answer(const char *result, bool of_others)
{
    struct fake_tcl tcl;
    unsigned char bytes[8];

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.odd_result = result;
    tcl.wrong_sequence = of_others;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_EPROTOCOL);
    tcl.odd_result = NULL;
    tcl.wrong_sequence = false;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_EPROTOCOL);
    must_close(&tcl, link);
}

static void test_wrong_answers(void **state)
{
    check_wrong_answer("", false);
    check_wrong_answer("12", false);
    check_wrong_answer("12 34 56", false);
    check_wrong_answer("12 x", false);
    check_wrong_answer("123456789 1", false);
    check_wrong_answer(NULL, true);
}

static void test_silence_and_loss(void **state)
{
    struct fake_tcl tcl;
    unsigned char byte;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.silent_at = "read_memory";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "within 2 s");
    tcl.silent_at = NULL;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    must_close(&tcl, link);

    fake_tcl_init(&tcl);
    link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    tcl.close_at = tcl.silent_at = "read_memory";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "TARGET IS LEFT HALTED");
    assert_int_not_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_tcl_free(&tcl);
}

static void test_halt_and_resume(void **state)
{
    struct fake_tcl tcl;
    uint64_t pc = 0;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a0);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    must_close(&tcl, link);
    assert_true(tcl.running);
}

/* As long as bytes can be sent the core is told to run, whatever comes back. */
static void check_let_go(const char *silent_at, const char *odd_result, bool wrong_sequence,
                         enum gdbmi_code code)
{
    struct fake_tcl tcl;
    unsigned char byte;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    tcl.silent_at = silent_at;
    tcl.odd_result = odd_result;
    tcl.wrong_sequence = wrong_sequence;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, "told to resume, but the TARGET MAY BE LEFT HALTED");
    assert_true(tcl.running);
    assert_int_equal(tcl.resumes, 1);
    must_close(&tcl, link);
}

static void test_let_go_unheard(void **state)
{
    check_let_go("mp", NULL, false, GDBMI_ETIMEOUT);
    check_let_go(NULL, "x", false, GDBMI_EPROTOCOL);
    check_let_go(NULL, NULL, true, GDBMI_EPROTOCOL);
}

static void test_breakpoint_before_our_halt(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.break_at_halt = true;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_false(tcl.running);
    must_close(&tcl, link);
    assert_int_equal(tcl.resumes, 0);
}

static void test_halted_by_others_stays_so(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.running = false;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    check_read(link, RAM, 8);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&tcl, link);
    assert_false(tcl.running);
}

static void test_write_and_command(void **state)
{
    const unsigned char bytes[] = {1, 2, 3, 4, 5, 6};
    struct fake_tcl tcl;
    char *answer = NULL;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_write(link, RAM + 3, bytes, sizeof(bytes)), GDBMI_OK);
    assert_string_equal(tcl.written, "0x20000003 8 {0x1}0x20000004 32 {0x5040302}"
                                     "0x20000008 8 {0x6}");
    assert_int_equal(gdbmi_link_command(link, "echo \"$x\" [y] {z}", &answer), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "echo \"$x\" [y] {z}");
    assert_int_equal(gdbmi_link_command(link, "a\x1a", &answer), GDBMI_EARG);
    assert_null(answer);
    must_close(&tcl, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_of_all_shapes),
        cmocka_unit_test(test_reads_from_a_slow_server),
        cmocka_unit_test(test_every_split_with_notifications),
        cmocka_unit_test(test_read_that_fails),
        cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_silence_and_loss),
        cmocka_unit_test(test_halt_and_resume),
        cmocka_unit_test(test_let_go_unheard),
        cmocka_unit_test(test_breakpoint_before_our_halt),
        cmocka_unit_test(test_halted_by_others_stays_so),
        cmocka_unit_test(test_write_and_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
