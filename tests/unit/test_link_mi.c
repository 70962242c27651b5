/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a link through GDB/MI does to the target, and to the user's gdb. */
#include "unit.h"

#include "mi_checks.h"
#include "mi_link.h"

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

/* The target is left as it was found, whether it ran or not. */
static void test_left_as_found(void **state)
{
    static const struct {
        enum fake_mi_server server;
        const char *name;
    } servers[] = {{FAKE_MI_QEMU, "QEMU"}, {FAKE_MI_OPENOCD, "OpenOCD"}, {FAKE_MI_OTHER, ""}};

    for (size_t i = 0; i < COUNT(servers); i++) {
        for (int ran = 0; ran < 2; ran++) {
            struct fake_mi mi;
            fake_mi_init(&mi, servers[i].server, ran);
            struct gdbmi_link *link = must_open(&mi, OURS, true);
            check_text(gdbmi_link_info(link)->server, servers[i].name);
            assert_int_equal(mi.running, ran);
            check_state(link, ran ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED);
            check_read(link, RAM, 64);
            assert_int_equal(mi.running, ran);
            if (!ran) {
                assert_int_equal(gdbmi_link_stats(link).halts, 0);
                assert_int_equal(fake_mi_count(&mi, "-exec-"), 0);
            }
            must_close(&mi, link, ran);
        }
    }
}

/* A QEMU whose machine stands still is read though halting is not allowed. */
static void test_halted_is_read_without_allowance(void **state)
{
    struct fake_mi mi;
    fake_mi_init(&mi, FAKE_MI_QEMU, false);
    struct gdbmi_link *link = must_open(&mi, OURS, false);

    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 64);
    must_close(&mi, link, false);
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
                                        : "your gdb is not connected to a target");
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
    check_text(error.text, "no gdb connected");
    assert_true(mi.stream.closed_by_client);
    fake_mi_free(&mi);
}

static void test_samples(void **state)
{
    unsigned char stack[64];
    struct gdbmi_sample_request request = {.stack = stack, .stack_len = sizeof(stack)};
    struct gdbmi_sample sample;
    struct fake_mi mi;

    fake_mi_init(&mi, FAKE_MI_QEMU, true);
    struct gdbmi_link *link = must_open(&mi, OURS, true);
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_OK);
    assert_true(sample.taken && mi.running);
    assert_int_equal(sample.pc, 0x100f);
    assert_int_equal(sample.sp, 0x100d);
    assert_int_equal(sample.ra, 0x100e);
    assert_int_equal(sample.psr, 0x1019);
    assert_int_equal(sample.stack_len, sizeof(stack));
    for (size_t i = 0; i < sizeof(stack); i++)
        assert_int_equal(stack[i], fake_byte(0x100d + i));
    mi.refuse_at = "-data-list-register-values";
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_ETARGET);
    assert_true(mi.running && !sample.taken);
    mi.refuse_at = NULL;
    mi.breaks = true;
    assert_int_equal(gdbmi_link_sample(link, &request, &sample), GDBMI_OK);
    assert_false(sample.taken || mi.running);
    must_close(&mi, link, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_qemu_that_ran),
        cmocka_unit_test(test_left_as_found),
        cmocka_unit_test(test_halted_is_read_without_allowance),
        cmocka_unit_test(test_leaves_no_breakpoint_behind),
        cmocka_unit_test(test_halting_is_asked_for),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_users_gdb),
        cmocka_unit_test(test_users_gdb_is_not_stopped_unasked),
        cmocka_unit_test(test_breakpoint_comes_first),
        cmocka_unit_test(test_user_continues_meanwhile),
        cmocka_unit_test(test_write_and_command),
        cmocka_unit_test(test_no_target),
        cmocka_unit_test(test_waiting_can_be_cancelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
