/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a link through QEMU's QMP opens, which machines it knows, and what it reads. */
#include "unit.h"

#include "qmp_checks.h"

static void test_what_it_is(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_string_equal(info->kind, "qmp");
    assert_string_equal(info->server, "QEMU 7.2.22");
    assert_string_equal(info->target, "cortex-m3");
    assert_string_equal(info->arch, "arm");
    assert_string_equal(info->address, "fake:4444");
    assert_true(info->live && info->simulator);
    check_state(link, GDBMI_STATE_RUNNING);
    must_close(&qmp, link);
    assert_true(qmp.running);
    assert_int_equal(qmp.conts + qmp.stops, 0);
}

static void test_reads_of_all_shapes(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    for (uint64_t addr = RAM; addr < RAM + 5; addr++) {
        for (size_t len = 1; len < 40; len++)
            check_read(link, addr, len);
    }
    qmp.commands = 0;
    check_read(link, RAM + 3, 100001);
    assert_int_equal(qmp.commands, 4);
    must_close(&qmp, link);
}

/* Other cores see their memory through an MMU, and some have the other byte order. */
static void test_other_machines(void **state)
{
    static const struct {
        const char *arch, *type, *dump, *target, *gdb_arch;
        bool big_endian;
    } machines[] = {
        {"arm", "cortex-a9-arm-cpu", "x", "cortex-a9", "arm", false},
        {"aarch64", "cortex-m4-arm-cpu", "xp", "cortex-m4", "arm", false},
        {"aarch64", "cortex-a53-arm-cpu", "x", "cortex-a53", "", false},
        {"riscv32", "rv32-riscv-cpu", "x", "rv32", "riscv", false},
        {"xtensaeb", "fsf-xtensa-cpu", "x", "fsf", "xtensa", true},
    };

    for (size_t i = 0; i < COUNT(machines); i++) {
        struct fake_qmp qmp;
        fake_qmp_init(&qmp);
        qmp.arch = machines[i].arch;
        qmp.type = machines[i].type;
        qmp.dump = machines[i].dump;
        qmp.big_endian = machines[i].big_endian;
        struct gdbmi_link *link = must_open(&qmp);
        assert_string_equal(gdbmi_link_info(link)->target, machines[i].target);
        assert_string_equal(gdbmi_link_info(link)->arch, machines[i].gdb_arch);
        check_read(link, RAM + 1, 50);
        must_close(&qmp, link);
    }
}

static void test_one_command_a_poll(void **state)
{
    struct fake_qmp qmp;
    unsigned char bytes[4212];
    enum gdbmi_state seen = GDBMI_STATE_UNKNOWN;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.commands = 0;
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_RUNNING);
    fake_qmp_event(&qmp, "STOP");
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_HALTED);
    fake_qmp_event(&qmp, "RESUME");
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_RUNNING);
    assert_int_equal(qmp.commands, 3);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&qmp, link);
}

static void test_memory_that_is_not_there(void **state)
{
    struct fake_qmp qmp;
    unsigned char bytes[64];

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    memset(bytes, 0xee, sizeof(bytes));
    assert_int_equal(gdbmi_link_read(link, BAD, bytes, 4), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "cannot read 4 bytes at 0xf0000000");
    assert_int_equal(gdbmi_link_read(link, BAD - 32, bytes, 64), GDBMI_ETARGET);
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal(bytes[i], 0xee);
    assert_int_equal(gdbmi_link_write(link, RAM, bytes, 4), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "gdb port");
    check_read(link, RAM, 8);
    must_close(&qmp, link);
}

static void check_greeting(const char *greeting, enum gdbmi_code code, const char *text)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.greeting = greeting;
    check_refused(&qmp, NULL, code, text);
}

static void test_no_qmp_server(void **state)
{
    struct fake_qmp qmp;

    check_greeting("", GDBMI_ETIMEOUT, "disconnect other clients");
    check_greeting("{\"QMP\": {\"version\"", GDBMI_ETIMEOUT, "no greeting within 2 s");
    check_greeting("QEMU 7.2.22 monitor - type 'help'\r\n", GDBMI_EPROTOCOL, "QEMU 7.2.22 monitor");
    check_greeting("\x1b[31mHTTP/1.1\r\n", GDBMI_EPROTOCOL, "not a QMP port");
    check_greeting("{\"hello\": 1}\r\n", GDBMI_EPROTOCOL, "its greeting has no version");
    check_greeting("{\"QMP\": 1}]", GDBMI_EPROTOCOL, "its greeting has no version");
    fake_qmp_init(&qmp);
    qmp.greeting = "";
    qmp.stream.closed = true;
    check_refused(&qmp, NULL, GDBMI_ECLOSED, "closed the connection");
}

/* QEMU pauses a machine for a client of its gdb port: it is let go again. */
static void test_gdb_port(void **state)
{
    struct fake_qmp qmp;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_qmp_init(&qmp);
    qmp.greeting = "$T02thread:01;#04";
    assert_int_equal(try_open(&qmp, NULL, &link, &error), GDBMI_EPROTOCOL);
    check_text(error.text, "gdb port");
    assert_int_equal(error.hint, GDBMI_HINT_GDB);
    assert_string_equal(qmp.heard, "+$c#63");
    fake_qmp_free(&qmp);
}

static void test_unknown_machines(void **state)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.arch = "vax";
    check_refused(&qmp, NULL, GDBMI_EUNSUPPORTED, "'vax'");
    fake_qmp_init(&qmp);
    check_refused(&qmp, "1", GDBMI_ECONNECT, "has no CPU 1: it has 1");
    fake_qmp_init(&qmp);
    check_refused(&qmp, "a.cpu", GDBMI_EARG, "'a.cpu' is not a CPU number");
    fake_qmp_init(&qmp);
    qmp.refuse = "query-cpus-fast";
    check_refused(&qmp, NULL, GDBMI_ETARGET, "No \"luck\"");
    fake_qmp_init(&qmp);
    qmp.silent_at = "query-status";
    check_refused(&qmp, NULL, GDBMI_ETIMEOUT, "did not answer");
}

static void test_second_cpu(void **state)
{
    struct fake_qmp qmp;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_qmp_init(&qmp);
    qmp.cpus = 2;
    qmp.cpu = 1;
    assert_int_equal(try_open(&qmp, "1", &link, &error), GDBMI_OK);
    check_read(link, RAM, 8);
    must_close(&qmp, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_is),
        cmocka_unit_test(test_reads_of_all_shapes),
        cmocka_unit_test(test_other_machines),
        cmocka_unit_test(test_one_command_a_poll),
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_no_qmp_server),
        cmocka_unit_test(test_gdb_port),
        cmocka_unit_test(test_unknown_machines),
        cmocka_unit_test(test_second_cpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
