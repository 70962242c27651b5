/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link through GDB/MI under every fault of gdb and its target: no hang, no bytes that were not
 * read, and no core that is left halted without a word. */
#include "unit.h"

#include "mi_checks.h"

static void test_errors_of_a_request(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    struct gdbmi_link *link = must_open(&mi, OURS, false);
    char *answer = NULL;

    check_no_read(link, BAD, 8, GDBMI_ETARGET, "Unable to read memory");
    mi.short_read = true;
    check_no_read(link, RAM, 8, GDBMI_ETARGET, "only part");
    mi.short_read = false;
    mi.shifted_read = true;
    check_no_read(link, RAM, 8, GDBMI_ETARGET, "only part");
    mi.shifted_read = false;
    assert_int_equal(gdbmi_link_command(link, "a \"b\\c\"", &answer), GDBMI_ETARGET);
    assert_int_equal(fake_mi_count(&mi, "-interpreter-exec console \"monitor a \\\"b\\\\c\\\"\""),
                     1);
    assert_int_equal(gdbmi_link_command(link, "a\nb", &answer), GDBMI_EARG);
    assert_true(mi.running);
    check_read(link, RAM, 8);
    must_close(&mi, link, true);
}

/* While the core is held, whatever happens: it is told to run, or it is said that it is not. */
static void test_faults_while_held(void **state)
{
    static const char at[] = "-data-read";
    static const struct {
        const char *silent_at, *damage_at, *close_at;
        bool never_stops, runs;
        enum gdbmi_code code;
        const char *text, *why;
    } faults[] = {
        {at, NULL, NULL, false, true, GDBMI_ETIMEOUT, "MAY BE LEFT HALTED",
         "did not answer within"},
        {NULL, at, NULL, false, true, GDBMI_EPROTOCOL, "not GDB/MI", ""},
        {NULL, NULL, at, false, false, GDBMI_ECLOSED, "TARGET IS LEFT HALTED", ""},
        {NULL, NULL, NULL, true, true, GDBMI_ETIMEOUT, "did not stop the target", ""},
    };

    for (size_t i = 0; i < COUNT(faults); i++) {
        struct fake_mi mi;
        struct gdbmi_error error;
        fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
        struct gdbmi_link *link = must_open(&mi, OURS, true);
        mi.silent_at = faults[i].silent_at;
        mi.damage_at = faults[i].damage_at;
        mi.close_at = faults[i].close_at;
        mi.never_stops = faults[i].never_stops;
        if (faults[i].code == GDBMI_ETIMEOUT)
            hurry(link);
        check_no_read(link, RAM, 8, faults[i].code, faults[i].text);
        check_text(gdbmi_link_error(link)->text, faults[i].why);
        assert_int_equal(mi.runs, faults[i].runs);
        if (faults[i].silent_at)
            check_no_read(link, RAM, 8, GDBMI_ETIMEOUT, "");
        enum gdbmi_code code = gdbmi_link_close(link, &error);
        if (!faults[i].runs) {
            assert_int_not_equal(code, GDBMI_OK);
            check_text(error.text, "LEFT HALTED");
        }
        fake_mi_free(&mi);
    }
}

/* A process that has ended: what gdb reads then comes from the ELF file. */
static void test_program_ends(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_NATIVE, true);
    mi.always_non_stop = true;
    struct gdbmi_link *link = must_open(&mi, OURS, false);
    enum gdbmi_state now;

    mi.exit_at = "-data-read";
    check_no_read(link, RAM, 64, GDBMI_ETARGET, "exited-normally");
    assert_int_equal(gdbmi_link_state(link, &now), GDBMI_ETARGET);
    must_close(&mi, link, false);
    assert_int_equal(fake_mi_count(&mi, "-target-d"), 0);
}

/* What stands in bytes that were filled with 0xee: all that was read, or nothing. They may have
 * been read where the resume behind it failed. */
static void check_all_or_none(const unsigned char *bytes, size_t len, enum gdbmi_code code)
{
    bool none = code != GDBMI_OK && bytes[0] == 0xee;

    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], none ? 0xee : fake_byte(RAM + i));
}

/* Each command fails in each way at which it may: an error that is one line, and no hang. */
static void test_every_command_fails(void **state)
{
    static const char *const commands[] = {
        "-gdb-set",        "-gdb-show",      "-thread-info", "-interpreter-exec", "-data-read",
        "-exec-interrupt", "-exec-continue", "-target-d",    "-gdb-exit",
    };
    unsigned char bytes[8];

    for (size_t i = 0; i < COUNT(commands); i++) {
        for (int fault = 0; fault < 4; fault++) {
            struct fake_mi mi;
            struct gdbmi_link *link;
            struct gdbmi_error error;
            fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
            *(const char **[]){&mi.silent_at, &mi.close_at, &mi.refuse_at, &mi.damage_at}[fault] =
                commands[i];
            memset(bytes, 0xee, sizeof(bytes));
            mi_timeout_ms = mi.silent_at ? MI_HURRIED_MS : MI_PATIENT_MS;
            enum gdbmi_code code = try_open(&mi, OURS, true, &link, &error);
            mi_timeout_ms = MI_PATIENT_MS;
            if (code == GDBMI_OK) {
                code = gdbmi_link_read(link, RAM, bytes, sizeof(bytes));
                check_all_or_none(bytes, sizeof(bytes), code);
                code = gdbmi_link_close(link, &error);
            }
            assert_true(code == GDBMI_OK || error.text[0] != '\0');
            assert_null(strchr(error.text, '\n'));
            /* Left running, or it is said that it is not. A gdb without any console commands cannot
             * tell that this is OpenOCD, which stays halted after a detach. */
            bool unknown = fault == 2 && strcmp(commands[i], "-interpreter-exec") == 0;
            if (!mi.runs && code == GDBMI_OK && !unknown)
                fail_msg("%s, fault %d: left halted", commands[i], fault);
            assert_true(mi.stream.closed_by_client);
            fake_mi_free(&mi);
        }
    }
}

static void test_noise_and_splits(void **state)
{
    for (size_t split = 1; split < 40; split += split < 8 ? 1 : 13) {
        struct fake_mi mi;
        fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
        mi.noise = true;
        mi.crlf = split % 2;
        mi.stream.split = split;
        struct gdbmi_link *link = must_open(&mi, OURS, true);
        check_state(link, GDBMI_STATE_RUNNING);
        for (int i = 0; i < 3; i++)
            check_read(link, RAM, 200);
        must_close(&mi, link, true);
    }
}

/* The connection is lost after every byte: an error, and never bytes that were not read. */
static void test_every_end(void **state)
{
    size_t end = 1;
    bool whole = false;

    for (; !whole; end += 7) {
        struct fake_mi mi;
        struct gdbmi_link *link;
        struct gdbmi_error error;
        unsigned char bytes[16];
        fake_mi_init(&mi, FAKE_MI_QEMU, true);
        mi.stream.close_after = end;
        memset(bytes, 0xee, sizeof(bytes));
        enum gdbmi_code code = try_open(&mi, OURS, false, &link, &error);
        if (code == GDBMI_OK) {
            code = gdbmi_link_read(link, RAM, bytes, sizeof(bytes));
            check_all_or_none(bytes, sizeof(bytes), code);
            whole = gdbmi_link_close(link, &error) == GDBMI_OK && code == GDBMI_OK;
        } else {
            assert_int_equal(code, GDBMI_ECLOSED);
        }
        fake_mi_free(&mi);
        assert_true(end < 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_of_a_request), cmocka_unit_test(test_faults_while_held),
        cmocka_unit_test(test_program_ends),        cmocka_unit_test(test_every_command_fails),
        cmocka_unit_test(test_noise_and_splits),    cmocka_unit_test(test_every_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
