/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy tells whose an answer is that comes late, or never, or is an error that may be for us
 * or for gdb. */
#include "unit.h"

#include "proxy_table.h"

/* Whether an error is for gdb's resume or for us can be seen by counting answers. */
static void play_error_for_us(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, SERVER, "E01");
    hears(t, SERVER, "m20,4", "qMprofSync", NULL);
    hears(t, SEAT, NULL);
    say(t, SERVER, "");
    hears(t, SEAT, "E01", NULL);
    proxy_end_turn(&t->proxy);
    assert_true(t->proxy.running);
    stops(t, "T05");
}

static void play_error_for_gdb(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, SEAT, "m24,4");
    say(t, SERVER, "E01");
    hears(t, SERVER, "m20,4", "m24,4", "qMprofSync", NULL);
    say(t, SERVER, "01020304");
    say(t, SERVER, "05060708");
    hears(t, GDB, NULL);
    say(t, SERVER, "");
    hears(t, GDB, "E01", NULL);
    hears(t, SEAT, "01020304", "05060708", NULL);
    proxy_end_turn(&t->proxy);
    assert_false(t->proxy.running);
    check_step(t);
}

/* Nobody of us has asked: it is gdb's. After an answer to us the resume was taken: it is ours. */
static void play_error_without_doubt(struct table *t)
{
    continues(t);
    say(t, SERVER, "E01");
    hears(t, GDB, "E01", NULL);
    assert_false(t->proxy.running);
    continues(t);
    check_read(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "mf0,4");
    say(t, SERVER, "E01");
    hears(t, SERVER, "mf0,4", NULL);
    hears(t, SEAT, "E01", NULL);
    proxy_end_turn(&t->proxy);
    stops(t, "T05");
}

static void test_errors(void **state)
{
    run(play_error_for_us, RSP_SERVER_OPENOCD, true);
    run(play_error_for_gdb, RSP_SERVER_OPENOCD, true);
    run(play_error_without_doubt, RSP_SERVER_OPENOCD, true);
}

static void play_late(struct table *t, bool running, const char *late)
{
    if (running)
        continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, GDB, running ? "~\003" : "qC");
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "m20,4", running ? "~\003" : "qMprofSync", running ? "qMprofSync" : NULL,
          NULL);
    if (running) {
        stops(t, "T02");
        say(t, GDB, "qC");
    }
    assert_false(proxy_begin_turn(&t->proxy));
    if (late != NULL)
        say(t, SERVER, late);
    hears(t, SERVER, NULL);
    say(t, SERVER, "");
    hears(t, SERVER, "qC", NULL);
    say(t, SERVER, "QC1");
    hears(t, GDB, "QC1", NULL);
    hears(t, SEAT, NULL);
    check_read(t);
}

static void play_late_halted(struct table *t)
{
    play_late(t, false, "01020304");
}

static void play_late_running(struct table *t)
{
    play_late(t, true, "01020304");
}

static void play_lost_halted(struct table *t)
{
    play_late(t, false, NULL);
}

static void play_lost_running(struct table *t)
{
    play_late(t, true, NULL);
}

static void test_late(void **state)
{
    run(play_late_halted, RSP_SERVER_OPENOCD, true);
    run(play_late_running, RSP_SERVER_OPENOCD, true);
    run(play_lost_halted, RSP_SERVER_OPENOCD, true);
    run(play_lost_running, RSP_SERVER_OPENOCD, true);
}

/* A server that was asked while it heard nothing answers when the core stops, or never, or after
 * all while it runs. */
static void play_deaf(struct table *t, bool answers, bool early)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "m20,4", NULL);
    if (early)
        say(t, SERVER, "01020304");
    quiet(t);
    say(t, SERVER, "T05");
    say(t, GDB, "qC");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
    if (!early)
        hears(t, SERVER, "qMprofSync", NULL);
    if (answers)
        say(t, SERVER, "01020304");
    if (!early)
        say(t, SERVER, "");
    hears(t, SERVER, "qC", NULL);
    say(t, SERVER, "QC1");
    hears(t, GDB, "QC1", NULL);
    check_read(t);
}

static void play_deaf_late(struct table *t)
{
    play_deaf(t, true, false);
}

static void play_deaf_lost(struct table *t)
{
    play_deaf(t, false, false);
}

static void play_slow(struct table *t)
{
    play_deaf(t, false, true);
}

static void test_deaf(void **state)
{
    run(play_deaf_late, RSP_SERVER_UNKNOWN, false);
    run(play_deaf_lost, RSP_SERVER_UNKNOWN, false);
    run(play_slow, RSP_SERVER_UNKNOWN, false);
}

static void test_dead_server(void **state)
{
    struct table t;

    open_table(&t, 16, RSP_SERVER_OPENOCD, true);
    assert_int_equal(proxy_deadline(&t.proxy), UINT64_MAX);
    assert_true(proxy_begin_turn(&t.proxy));
    say(&t, SEAT, "m20,4");
    proxy_end_turn(&t.proxy);
    hears(&t, SERVER, "m20,4", "qMprofSync", NULL);
    assert_int_equal(proxy_deadline(&t.proxy), t.now + TIMEOUT_MS * (uint64_t)MS);
    proxy_tick(&t.proxy, proxy_deadline(&t.proxy) - 1);
    assert_int_equal(t.proxy.error.code, GDBMI_OK);
    proxy_tick(&t.proxy, proxy_deadline(&t.proxy));
    assert_int_equal(t.proxy.error.code, GDBMI_ETIMEOUT);
    assert_non_null(strstr(t.proxy.error.text, "fake:1"));
    proxy_free(&t.proxy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_deaf),
        cmocka_unit_test(test_dead_server),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
