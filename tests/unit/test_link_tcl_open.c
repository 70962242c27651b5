/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which targets a link through OpenOCD's Tcl port opens, and which servers it refuses. */
#include "unit.h"

#include "tcl_checks.h"
#include "tcl_link.h"
#include "tcl_target.h"

static void test_target_by_gdb_port(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.chosen = "b.cpu";
    tcl.big_endian = true;
    struct gdbmi_link *link = must_open(&tcl, FAR, "3334");
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_string_equal(info->kind, "openocd-tcl");
    assert_true(info->openocd_tcl);
    assert_string_equal(info->server, "Open On-Chip Debugger 0.12.0");
    assert_string_equal(info->target, "b.cpu");
    assert_string_equal(info->arch, "arm");
    assert_true(info->live);
    check_read(link, RAM, 32);
    must_close(&tcl, link);
    assert_true(tcl.running);
    assert_int_equal(tcl.resumes, 0);
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

static void test_target_that_is_not_there(void **state)
{
    static const struct {
        const char *gdb_port, *name;
        enum gdbmi_code code;
        const char *text;
    } cases[] = {
        {"3333", "c.cpu", GDBMI_EARG, "no target is named c.cpu; there is: x.cpu, a.cpu, b.cpu"},
        {NULL, "b", GDBMI_EARG, "there is: x.cpu, a.cpu, b.cpu"},
        {"1", "b.cpu", GDBMI_ECONNECT,
         "no target on gdb port 1 (x.cpu: 3332, a.cpu: 3333, b.cpu: undefined)"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.targets = GROUP;
        check_refused(&tcl, cases[i].gdb_port, cases[i].name, cases[i].code, cases[i].text);
    }
}

static void test_another_server(void **state)
{
    static const char version[] = "Open On-Chip Debugger 0.12.0";
    static const char one_target[] = "a.cpu cortex_m little 3333\n";
    static const struct {
        const char *version, *targets;
        enum gdbmi_code code;
        const char *text;
    } cases[] = {
        {version, one_target, GDBMI_ECONNECT, "no target on gdb port 3335 (a.cpu: 3333"},
        {version, "", GDBMI_ECONNECT, "has no target"},
        {"Open On-Chip Debugger 0.11.0\n", one_target, GDBMI_EUNSUPPORTED, "0.12"},
        {"8.6", one_target, GDBMI_EPROTOCOL, "not OpenOCD"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.version = cases[i].version;
        tcl.targets = cases[i].targets;
        check_refused(&tcl, "3335", NULL, cases[i].code, cases[i].text);
    }
}

static void test_no_tcl_server(void **state)
{
    static const struct {
        const char *answer;
        bool closed;
        enum gdbmi_code code;
        const char *text;
    } cases[] = {
        {"", false, GDBMI_ETIMEOUT, "nothing answered a Tcl command within 2 s"},
        {"mp1 Open On-Chip", false, GDBMI_ETIMEOUT, "Tcl port?"},
        {"HTTP/1.1 400 Bad Request\r\n\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl"},
        {"mp1\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl"},
        {"\x1a", false, GDBMI_EPROTOCOL, "not OpenOCD's Tcl"},
        {"", true, GDBMI_ECLOSED, "lost"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        tcl.raw = cases[i].answer;
        tcl.stream.closed = cases[i].closed;
        check_refused(&tcl, "3333", NULL, cases[i].code, cases[i].text);
    }
}

/* A server that sends for ever, and never what was asked for. */
static void check_flood(const char *flood, int timeout_ms, enum gdbmi_code code)
{
    struct gdbmi_options options = {.timeout_ms = timeout_ms};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;
    struct fake_tcl tcl;
    enum tcl_peer peer;

    fake_tcl_init(&tcl);
    tcl.silent_at = "version";
    tcl.stream.flood = flood;
    assert_int_equal(tcl_link_open(&tcl.stream.base, FAR, NULL, &options, &link, &peer, &error),
                     code);
    assert_null(link);
    check_text(error.text, "fake:6666: ");
    fake_tcl_free(&tcl);
}

static void test_floods(void **state)
{
    check_flood("type target_state state halted\r\n\x1a", 50, GDBMI_ETIMEOUT);
    check_flood("type x\x1a", 50, GDBMI_ETIMEOUT);
    /* Too long for an answer, which is found however slow this machine is. */
    check_flood("x", 600000, GDBMI_EPROTOCOL);
}

static void test_target_that_must_be_halted(void **state)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_tcl tcl;
    unsigned char byte;

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu arm little 3333\n";
    assert_int_equal(try_open(&tcl, FAR, "3333", NULL, &link, &error), GDBMI_EHALT);
    assert_int_equal(error.hint, GDBMI_HINT_ALLOW_HALT);
    assert_true(tcl.running);
    fake_tcl_free(&tcl);

    fake_tcl_init(&tcl);
    tcl.targets = "a.cpu arm little 3333\n";
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

/* What a target can do says what it is, whatever an OpenOCD calls its type: as to Espressif's,
 * whose esp32c3 has the commands of a hart. The list is not of types, so a fake need not answer
 * one. */
static void test_kind_of_target(void **state)
{
    static const struct {
        const char *targets, *arch;
        bool live;
    } cases[] = {
        {"a.cpu riscv little 3333\n", "riscv", true},
        {"a.cpu cortex_m little 3333\n", "arm", true},
        {"a.cpu itm little 3333\n", "arm", true},
        {"a.cpu arm little 3333\n", "arm", false},
        {"a.cpu aarch64 little 3333\n", "aarch64", false},
        {"a.cpu xtensa little 3333\n", "", true},
        {"a.cpu - little 3333\n", "", true},
    };
    struct tcl_target target;
    struct gdbmi_error error;

    assert_null(strstr(tcl_target_list, "-type"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(
            tcl_target_choose(cases[i].targets, "3333", NULL, "fake:6666", &target, &error),
            GDBMI_OK);
        assert_string_equal(target.arch, cases[i].arch);
        assert_int_equal(target.live, cases[i].live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_target_by_gdb_port),
        cmocka_unit_test(test_target_of_several),
        cmocka_unit_test(test_target_that_is_not_there),
        cmocka_unit_test(test_another_server),
        cmocka_unit_test(test_no_tcl_server),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_target_that_must_be_halted),
        cmocka_unit_test(test_system_bus),
        cmocka_unit_test(test_kind_of_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
