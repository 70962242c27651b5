/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a link through GDB/MI to a fake gdb: what it does to the target, and to the user's gdb,
 * under every fault. */
#include "unit.h"

#include "fake_mi.h"
#include "link_checks.h"
#include "mi_link.h"

#define OURS true

static enum gdbmi_code try_open(struct fake_mi *mi, bool ours, bool allow_halt,
                                struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_options options = {.allow_halt = allow_halt, .timeout_ms = 50};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return mi_link_on_stream(&mi->stream.base, ours, "fake-gdb", &options, link, error);
}

static struct gdbmi_link *must_open(struct fake_mi *mi, bool ours, bool allow_halt)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    if (try_open(mi, ours, allow_halt, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_non_null(link);
    return link;
}

/* runs: as the target is left. */
static void must_close(struct fake_mi *mi, struct gdbmi_link *link, bool runs)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    if (gdbmi_link_close(link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_true(mi->stream.closed_by_client);
    assert_int_equal(mi->runs, runs);
    fake_mi_free(mi);
}

static void test_qemu_that_ran(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    struct gdbmi_link *link = must_open(&mi, OURS, false);
    const struct gdbmi_info *info = gdbmi_link_info(link);

    assert_string_equal(info->kind, "gdb-mi");
    assert_string_equal(info->server, "GNU gdb (Fake) 13.1, QEMU");
    assert_string_equal(info->address, "fake-gdb");
    assert_string_equal(info->arch, "arm");
    check_text(info->why, "halted the core for");
    assert_true(info->simulator);
    assert_false(info->live);
    assert_true(mi.running);
    check_state(link, GDBMI_STATE_RUNNING);
    for (int i = 0; i < 3; i++)
        check_read(link, RAM, 100);
    check_read(link, RAM, 40000);
    assert_true(mi.running);
    assert_int_equal(gdbmi_link_stats(link).halts, 5);
    assert_int_equal(fake_mi_count(&mi, "-exec-interrupt"), 4);
    must_close(&mi, link, true);
}

static void test_qemu_that_was_halted(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, false);
    struct gdbmi_link *link = must_open(&mi, OURS, false);

    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 64);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    assert_int_equal(fake_mi_count(&mi, "-exec-"), 0);
    must_close(&mi, link, false);
}

static void test_openocd(void **state)
{
    for (int ran = 0; ran < 2; ran++) {
        struct fake_mi mi;
        fake_mi_init(&mi, FAKE_MI_OPENOCD, ran);
        struct gdbmi_link *link = must_open(&mi, OURS, true);
        check_text(gdbmi_link_info(link)->server, "OpenOCD");
        assert_int_equal(mi.running, ran);
        check_read(link, RAM, 64);
        must_close(&mi, link, ran);
    }
}

/* gdb takes its breakpoints out of a target only when it stops it before it leaves. */
static void test_leaves_no_breakpoint_behind(void **state)
{
    static const enum fake_mi_server servers[] = {FAKE_MI_QEMU, FAKE_MI_OPENOCD, FAKE_MI_OTHER};

    for (size_t i = 0; i < 3; i++) {
        struct fake_mi mi;
        fake_mi_init(&mi, servers[i], true);
        fake_mi_say(&mi, "=breakpoint-created,bkpt={number=\"1\"}");
        struct gdbmi_link *link = must_open(&mi, OURS, true);
        must_close(&mi, link, true);
        assert_int_equal(fake_mi_count(&mi, "-target-disconnect"), 0);
        assert_int_equal(fake_mi_count(&mi, "-target-detach"), 1);
    }
}

static void test_unknown_server(void **state)
{
    for (int ran = 0; ran < 2; ran++) {
        struct fake_mi mi;
        fake_mi_init(&mi, FAKE_MI_OTHER, ran);
        struct gdbmi_link *link = must_open(&mi, OURS, true);
        check_state(link, ran ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED);
        must_close(&mi, link, ran);
    }
}

static void test_halting_is_asked_for(void **state)
{
    struct fake_mi mi;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    assert_int_equal(try_open(&mi, OURS, false, &link, &error), GDBMI_EHALT);
    assert_int_equal(error.hint, GDBMI_HINT_STOP_BY_GDB);
    check_text(error.text, "set non-stop on");
    assert_true(mi.runs);
    assert_true(mi.stream.closed_by_client);
    fake_mi_free(&mi);
}

static void test_live(void **state)
{
    for (int non_stop = 0; non_stop < 2; non_stop++) {
        struct fake_mi mi;
        fake_mi_init(&mi, FAKE_MI_NATIVE, true);
        mi.always_non_stop = !non_stop;
        mi.non_stop = non_stop;
        struct gdbmi_link *link = must_open(&mi, OURS, false);
        assert_true(gdbmi_link_info(link)->live);
        check_state(link, GDBMI_STATE_RUNNING);
        check_read(link, RAM, 1000);
        assert_int_equal(fake_mi_count(&mi, "-exec-interrupt"), 0);
        assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
        check_state(link, GDBMI_STATE_HALTED);
        assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
        check_state(link, GDBMI_STATE_RUNNING);
        assert_int_equal(fake_mi_count(&mi, "-exec-continue --all"), non_stop ? 2 : 0);
        must_close(&mi, link, true);
    }
}

static void test_users_gdb(void **state)
{
    for (int async = 0; async < 2; async++) {
        struct fake_mi mi;
        fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
        mi.async = async;
        struct gdbmi_link *link = must_open(&mi, !OURS, true);
        /* It was halted by its own gdb, and so it stays. */
        check_state(link, GDBMI_STATE_HALTED);
        check_read(link, RAM, 64);
        assert_false(mi.running);
        fake_mi_say(&mi, "*running,thread-id=\"all\"");
        mi.running = mi.runs = true;
        check_state(link, GDBMI_STATE_RUNNING);
        check_read(link, RAM, 64);
        assert_true(mi.running);
        assert_int_equal(fake_mi_count(&mi, "-exec-continue"), async);
        assert_int_equal(gdbmi_link_stats(link).halts, 1);
        fake_mi_stop(&mi, "breakpoint-hit", "");
        check_state(link, GDBMI_STATE_HALTED);
        check_read(link, RAM, 64);
        assert_int_equal(gdbmi_link_stats(link).halts, 1);
        must_close(&mi, link, false);
        assert_int_equal(fake_mi_count(&mi, "-gdb-exit"), 0);
        assert_int_equal(fake_mi_count(&mi, "-target-d"), 0);
    }
}

static void test_users_gdb_is_not_stopped_unasked(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    struct gdbmi_link *link = must_open(&mi, !OURS, false);

    check_read(link, RAM, 64);
    fake_mi_say(&mi, "*running,thread-id=\"all\"");
    mi.running = mi.runs = true;
    check_no_read(link, RAM, 64, GDBMI_EHALT, "only while the core is halted");
    assert_int_equal(gdbmi_link_error(link)->hint, GDBMI_HINT_ALLOW_HALT);
    assert_int_equal(fake_mi_count(&mi, "-exec-"), 0);
    must_close(&mi, link, true);
}

/* It ran into a breakpoint when we were about to stop it: that is nothing of ours to undo. */
static void test_breakpoint_comes_first(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    struct gdbmi_link *link = must_open(&mi, OURS, true);
    uint64_t pc = 0;

    uint64_t halts = gdbmi_link_stats(link).halts;
    mi.breaks = true;
    check_read(link, RAM, 64);
    assert_false(mi.running);
    assert_int_equal(gdbmi_link_stats(link).halts, halts);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x1a0);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    must_close(&mi, link, false);
}

/* gdb has let it run since we looked: it says so, and it is stopped, read and continued. */
static void test_user_continues_meanwhile(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    struct gdbmi_link *link = must_open(&mi, !OURS, true);

    mi.continue_at = "-data-read";
    check_read(link, RAM, 64);
    assert_true(mi.running);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    /* And while we hold it: it is stopped once more, and runs again. */
    mi.continue_at = "-data-read";
    check_read(link, RAM, 64);
    assert_true(mi.running);
    assert_int_equal(gdbmi_link_stats(link).halts, 3);
    mi.continue_at = "-exec-continue";
    check_read(link, RAM, 64);
    assert_true(mi.running);
    must_close(&mi, link, true);
}

static void test_errors_of_a_request(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    struct gdbmi_link *link = must_open(&mi, OURS, false);
    char *answer = NULL;

    check_no_read(link, BAD, 8, GDBMI_ETARGET, "Unable to read memory");
    mi.short_read = true;
    check_no_read(link, RAM, 8, GDBMI_ETARGET, "only a part");
    mi.short_read = false;
    mi.shifted_read = true;
    check_no_read(link, RAM, 8, GDBMI_ETARGET, "only a part");
    mi.shifted_read = false;
    assert_int_equal(gdbmi_link_command(link, "a \"b\\c\"", &answer), GDBMI_ETARGET);
    assert_int_equal(fake_mi_count(&mi, "-interpreter-exec console \"monitor a \\\"b\\\\c\\\"\""),
                     1);
    assert_int_equal(gdbmi_link_command(link, "a\nb", &answer), GDBMI_EARG);
    assert_true(mi.running);
    check_read(link, RAM, 8);
    must_close(&mi, link, true);
}

static void test_write_and_command(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    struct gdbmi_link *link = must_open(&mi, OURS, true);
    unsigned char bytes[1500] = {0xa5};
    char *answer = NULL;

    assert_int_equal(gdbmi_link_write(link, RAM, bytes, sizeof(bytes)), GDBMI_OK);
    assert_int_equal(fake_mi_count(&mi, "-data-write-memory-bytes 0x20000000 a500"), 1);
    assert_int_equal(fake_mi_count(&mi, "-data-write-memory-bytes 0x20000400 00"), 1);
    assert_int_equal(gdbmi_link_command(link, "version", &answer), GDBMI_OK);
    assert_string_equal(answer, "Open On-Chip Debugger 0.12.0\n");
    free(answer);
    assert_true(mi.running);
    must_close(&mi, link, true);
}

/* While the core is held, whatever happens: it is told to run, or it is said that it is not. */
static void test_faults_while_held(void **state)
{
    struct fake_mi mi;
    unsigned char bytes[8];
    struct gdbmi_error error;

    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    struct gdbmi_link *link = must_open(&mi, OURS, true);
    mi.silent_at = "-data-read";
    check_no_read(link, RAM, 8, GDBMI_ETIMEOUT, "MAY BE LEFT HALTED");
    check_text(gdbmi_link_error(link)->text, "did not answer within");
    assert_true(mi.runs);
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_ETIMEOUT);
    (void)gdbmi_link_close(link, &error);
    fake_mi_free(&mi);

    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    link = must_open(&mi, OURS, true);
    mi.damage_at = "-data-read";
    check_no_read(link, RAM, 8, GDBMI_EPROTOCOL, "no GDB/MI");
    assert_true(mi.runs);
    (void)gdbmi_link_close(link, &error);
    fake_mi_free(&mi);

    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    link = must_open(&mi, OURS, true);
    mi.close_at = "-data-read";
    check_no_read(link, RAM, 8, GDBMI_ECLOSED, "TARGET IS LEFT HALTED");
    assert_int_not_equal(gdbmi_link_close(link, &error), GDBMI_OK);
    check_text(error.text, "LEFT HALTED");
    fake_mi_free(&mi);

    fake_mi_init(&mi, FAKE_MI_OPENOCD, true);
    link = must_open(&mi, OURS, true);
    mi.never_stops = true;
    check_no_read(link, RAM, 8, GDBMI_ETIMEOUT, "could not stop the target");
    assert_true(mi.runs);
    (void)gdbmi_link_close(link, &error);
    fake_mi_free(&mi);
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

static void test_no_target(void **state)
{
    struct fake_mi mi;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    for (int i = 0; i < 3; i++) {
        fake_mi_init(&mi, FAKE_MI_NATIVE, false);
        mi.no_target = true;
        if (i == 1)
            fake_mi_say(&mi, "&\":3333: Connection timed out.\\n\"");
        assert_int_equal(try_open(&mi, i != 2, true, &link, &error), GDBMI_ECONNECT);
        check_text(error.text, i == 0   ? "add -ex 'target remote :3333'"
                               : i == 1 ? ":3333: Connection timed out"
                                        : "your gdb is connected to no target");
        fake_mi_free(&mi);
    }
}

static bool say_yes(void *context)
{
    return ++*(int *)context > 2;
}

static void test_waiting_can_be_cancelled(void **state)
{
    struct fake_mi mi;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    int asked = 0;
    struct gdbmi_options options = {.cancelled = say_yes, .context = &asked};

    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    mi.stream.queue_len = 0;
    assert_int_equal(
        mi_link_on_stream(&mi.stream.base, false, "/dev/pts/x", &options, &link, &error),
        GDBMI_ECONNECT);
    check_text(error.text, "no gdb has come");
    assert_true(mi.stream.closed_by_client);
    fake_mi_free(&mi);
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
            enum gdbmi_code code = try_open(&mi, OURS, true, &link, &error);
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
        cmocka_unit_test(test_qemu_that_ran),
        cmocka_unit_test(test_qemu_that_was_halted),
        cmocka_unit_test(test_openocd),
        cmocka_unit_test(test_leaves_no_breakpoint_behind),
        cmocka_unit_test(test_unknown_server),
        cmocka_unit_test(test_halting_is_asked_for),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_users_gdb),
        cmocka_unit_test(test_users_gdb_is_not_stopped_unasked),
        cmocka_unit_test(test_breakpoint_comes_first),
        cmocka_unit_test(test_user_continues_meanwhile),
        cmocka_unit_test(test_errors_of_a_request),
        cmocka_unit_test(test_write_and_command),
        cmocka_unit_test(test_faults_while_held),
        cmocka_unit_test(test_program_ends),
        cmocka_unit_test(test_no_target),
        cmocka_unit_test(test_waiting_can_be_cancelled),
        cmocka_unit_test(test_every_command_fails),
        cmocka_unit_test(test_noise_and_splits),
        cmocka_unit_test(test_every_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
