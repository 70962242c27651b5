/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the link through OpenOCD's Tcl port, against a fake of that port. */
#include "unit.h"

#include "tcl_checks.h"
#include "tcl_link.h"

static void test_target_by_gdb_port(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.chosen = "b.cpu";
    tcl.big_endian = true;
    struct gdbmi_link *link = must_open(&tcl, FAR, "3334");
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_string_equal(info->kind, "openocd-tcl");
    assert_string_equal(info->server, "Open On-Chip Debugger 0.12.0");
    assert_string_equal(info->target, "b.cpu");
    assert_string_equal(info->arch, "arm");
    assert_true(info->live);
    check_read(link, RAM, 32);
    must_close(&tcl, link);
    assert_true(tcl.running);
    assert_int_equal(tcl.resumes, 0);
}

static void test_first_target(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, NULL);
    assert_string_equal(gdbmi_link_info(link)->target, "a.cpu");
    must_close(&tcl, link);
}

/* An SMP group: one gdb port, that of its first. */
#define GROUP "x.cpu cortex_m little 3332\na.cpu cortex_m little 3333\nb.cpu riscv big undefined\n"

static void check_chosen(const char *gdb_port, const char *name, const char *chosen,
                         const char *others)
{
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    tcl.targets = GROUP;
    tcl.chosen = chosen;
    tcl.big_endian = strcmp(chosen, "b.cpu") == 0;
    assert_int_equal(try_open(&tcl, FAR, gdb_port, name, &link, &error), GDBMI_OK);
    assert_string_equal(gdbmi_link_info(link)->target, chosen);
    check_text(gdbmi_link_info(link)->others, others);
    check_read(link, RAM, 8);
    must_close(&tcl, link);
}

static void test_target_of_several(void **state)
{
    check_chosen(NULL, NULL, "x.cpu", "a.cpu, b.cpu");
    check_chosen("3333", NULL, "a.cpu", "x.cpu, b.cpu");
    check_chosen("3333", "b.cpu", "b.cpu", "x.cpu, a.cpu");
    check_chosen(NULL, "b.cpu", "b.cpu", "x.cpu, a.cpu");
}

static void check_no_target(const char *gdb_port, const char *name, enum gdbmi_code code,
                            const char *text)
{
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    tcl.targets = GROUP;
    assert_int_equal(try_open(&tcl, FAR, gdb_port, name, &link, &error), code);
    check_text(error.text, text);
    fake_tcl_free(&tcl);
}

static void test_target_that_is_not_there(void **state)
{
    check_no_target("3333", "c.cpu", GDBMI_EARG,
                    "no target is called c.cpu here; there is x.cpu, a.cpu, b.cpu");
    check_no_target(NULL, "b", GDBMI_EARG, "there is x.cpu, a.cpu, b.cpu");
    check_no_target("1", "b.cpu", GDBMI_ECONNECT,
                    "no target on gdb port 1 (x.cpu: 3332, a.cpu: 3333, b.cpu: undefined)");
}

static void check_refused(const char *version, const char *targets, enum gdbmi_code code,
                          const char *text)
{
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    tcl.version = version;
    tcl.targets = targets;
    assert_int_equal(try_open(&tcl, FAR, "3335", NULL, &link, &error), code);
    assert_null(link);
    check_text(error.text, "fake:6666: ");
    check_text(error.text, text);
    assert_true(tcl.stream.closed_by_client);
    fake_tcl_free(&tcl);
}

static void test_another_server(void **state)
{
    const char *version = "Open On-Chip Debugger 0.12.0";
    const char *one_target = "a.cpu cortex_m little 3333\n";

    check_refused(version, one_target, GDBMI_ECONNECT, "no target on gdb port 3335 (a.cpu: 3333");
    check_refused(version, "", GDBMI_ECONNECT, "has no target");
    check_refused("Open On-Chip Debugger 0.11.0\n", one_target, GDBMI_EUNSUPPORTED, "0.12");
    check_refused("8.6", one_target, GDBMI_EPROTOCOL, "not OpenOCD");
}

static void check_raw(const char *raw, bool closed, enum gdbmi_code code, const char *text)
{
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    tcl.raw = raw;
    tcl.stream.closed = closed;
    assert_int_equal(try_open(&tcl, FAR, "3333", NULL, &link, &error), code);
    check_text(error.text, text);
    fake_tcl_free(&tcl);
}

static void test_no_tcl_server(void **state)
{
    check_raw("", false, GDBMI_ETIMEOUT, "nothing answered a Tcl command within 2 s");
    check_raw("mp1 Open On-Chip", false, GDBMI_ETIMEOUT, "Tcl port?");
    check_raw("HTTP/1.1 400 Bad Request\r\n\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl");
    check_raw("mp1\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl");
    check_raw("\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl");
    check_raw("", true, GDBMI_ECLOSED, "lost");
}

static void test_reads_of_all_shapes(void **state)
{
    struct fake_tcl tcl;

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
    unsigned char byte = 0xee;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_read(link, BAD, &byte, 1), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "failed to read memory");
    assert_int_equal(byte, 0xee);
    check_read(link, RAM, 8);
    must_close(&tcl, link);
}

static void check_odd_result(const char *result)
{
    struct fake_tcl tcl;
    unsigned char bytes[8];

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.odd_result = result;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_EPROTOCOL);
    tcl.odd_result = NULL;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_EPROTOCOL);
    must_close(&tcl, link);
}

static void test_results_that_are_no_numbers(void **state)
{
    check_odd_result("");
    check_odd_result("12");
    check_odd_result("12 34 56");
    check_odd_result("12 x");
    check_odd_result("123456789 1");
}

static void test_results_of_others(void **state)
{
    struct fake_tcl tcl;
    unsigned char byte;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    tcl.wrong_sequence = true;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    must_close(&tcl, link);
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
    enum gdbmi_state seen;
    uint64_t pc = 0;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, FAR, "3333");
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_state(link, &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_HALTED);
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

/* A server that sends for ever, and never what was asked for. */
static void check_flood(const char *flood, enum gdbmi_code code)
{
    struct gdbmi_options options = {.timeout_ms = 50};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    struct fake_tcl tcl;
    bool is_openocd;

    fake_tcl_init(&tcl);
    tcl.silent_at = "version";
    tcl.stream.flood = flood;
    assert_int_equal(
        tcl_link_open(&tcl.stream.base, FAR, NULL, &options, &link, &is_openocd, &error), code);
    assert_null(link);
    check_text(error.text, "fake:6666: ");
    fake_tcl_free(&tcl);
}

static void test_floods(void **state)
{
    check_flood("type target_state state halted\r\n\x1a", GDBMI_ETIMEOUT);
    check_flood("type x\x1a", GDBMI_ETIMEOUT);
    check_flood("x", GDBMI_EPROTOCOL);
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

static void test_target_that_must_be_halted(void **state)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_tcl tcl;
    unsigned char byte;

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu arm7tdmi little 3333\n";
    assert_int_equal(try_open(&tcl, FAR, "3333", NULL, &link, &error), GDBMI_EHALT);
    assert_int_equal(error.hint, GDBMI_HINT_ALLOW_HALT);
    assert_true(tcl.running);
    fake_tcl_free(&tcl);

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu arm7tdmi little 3333\n";
    tcl.running = false;
    link = must_open(&tcl, FAR, "3333");
    assert_false(gdbmi_link_info(link)->live);
    check_read(link, RAM, 8);
    tcl.running = true;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EHALT);
    assert_int_equal(gdbmi_link_error(link)->hint, GDBMI_HINT_ALLOW_HALT);
    assert_true(tcl.running);
    must_close(&tcl, link);
}

/* The debug module says whether a hart can be read while it runs. */
static void test_system_bus(void **state)
{
    static const struct {
        const char *sbcs;
        enum gdbmi_code code;
    } cases[] = {{"0x20050407\n", GDBMI_OK}, {"0x0\n", GDBMI_EHALT}, {"0x20040002\n", GDBMI_EHALT}};
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_tcl tcl;

    for (size_t i = 0; i < COUNT(cases); i++) {
        fake_tcl_init(&tcl);
        tcl.targets = "a.cpu riscv little 3333\n";
        tcl.sbcs = cases[i].sbcs;
        assert_int_equal(try_open(&tcl, FAR, "3333", NULL, &link, &error), cases[i].code);
        if (link == NULL) {
            fake_tcl_free(&tcl);
            continue;
        }
        check_read(link, RAM, 8);
        must_close(&tcl, link);
    }
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
        cmocka_unit_test(test_target_by_gdb_port),
        cmocka_unit_test(test_first_target),
        cmocka_unit_test(test_target_of_several),
        cmocka_unit_test(test_target_that_is_not_there),
        cmocka_unit_test(test_another_server),
        cmocka_unit_test(test_no_tcl_server),
        cmocka_unit_test(test_reads_of_all_shapes),
        cmocka_unit_test(test_every_split_with_notifications),
        cmocka_unit_test(test_read_that_fails),
        cmocka_unit_test(test_results_that_are_no_numbers),
        cmocka_unit_test(test_results_of_others),
        cmocka_unit_test(test_silence_and_loss),
        cmocka_unit_test(test_halt_and_resume),
        cmocka_unit_test(test_let_go_unheard),
        cmocka_unit_test(test_breakpoint_before_our_halt),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_halted_by_others_stays_so),
        cmocka_unit_test(test_target_that_must_be_halted),
        cmocka_unit_test(test_system_bus),
        cmocka_unit_test(test_write_and_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
