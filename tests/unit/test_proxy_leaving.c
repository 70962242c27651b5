/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy when gdb detaches or is gone: the server and we stay in step, and the core is as gdb
 * left it. */
#include "unit.h"

#include "proxy_table.h"

static void play_gone_while_asking(struct table *t)
{
    say(t, GDB, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    proxy_gdb_gone(&t->proxy);
    hears(t, SERVER, "qMprofSync", NULL);
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "0a0b0c0d");
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "");
    hears(t, SEAT, NULL);
    check_read(t);
    proxy_gdb_begin(&t->proxy);
    say(t, GDB, "qC");
    hears(t, GDB, "~+", NULL);
    hears(t, SERVER, "qC", NULL);
    say(t, SERVER, "QC1");
    hears(t, GDB, "QC1", NULL);
}

static void play_gone_while_running(struct table *t)
{
    continues(t);
    proxy_gdb_gone(&t->proxy);
    check_read(t);
    say(t, SERVER, "O6869");
    say(t, SERVER, "T05");
    hears(t, SEAT, "O6869", "T05", NULL);
    assert_false(t->proxy.running);
    check_read(t);
}

static void play_gone_while_held(struct table *t)
{
    continues(t);
    begin_hold(t);
    say(t, SERVER, "T02");
    hears(t, SEAT, "T02", NULL);
    proxy_gdb_gone(&t->proxy);
    hears(t, SERVER, RUN, NULL);
    assert_false(t->proxy.held);
    proxy_end_turn(&t->proxy);
}

static void play_detach(struct table *t)
{
    say(t, GDB, "D;1");
    hears(t, GDB, "OK", NULL);
    hears(t, SERVER, "vCont;c", NULL);
    assert_false(t->proxy.session);
    assert_true(t->proxy.running);
    say(t, SERVER, "T05");
    hears(t, SEAT, "T05", NULL);
    check_read(t);
    proxy_gdb_gone(&t->proxy);
}

/* Its own configuration says what OpenOCD does then. */
static void play_detach_openocd(struct table *t)
{
    say(t, GDB, "D");
    hears(t, SERVER, "D", NULL);
    assert_true(t->proxy.session);
    say(t, SERVER, "OK");
    hears(t, GDB, "OK", NULL);
    assert_false(t->proxy.session);
    check_read(t);
    proxy_gdb_gone(&t->proxy);
}

static void play_breakpoints(struct table *t)
{
    static const char *const sets[] = {"Z0,20,2", "Z1,30,2;X3,0", "Z2,40,4"};

    for (size_t i = 0; i < 3; i++) {
        say(t, GDB, sets[i]);
        say(t, SERVER, i == 2 ? "E01" : "OK");
        hears(t, GDB, i == 2 ? "E01" : "OK", NULL);
    }
    assert_int_equal(t->proxy.breakpoint_count, 2);
    say(t, GDB, "z0,20,2");
    say(t, SERVER, "OK");
    hears(t, GDB, "OK", NULL);
    out(t, SERVER)->len = 0;
    assert_int_equal(t->proxy.breakpoint_count, 1);
    assert_string_equal(t->proxy.breakpoints[0], "1,30,2");
    proxy_gdb_gone(&t->proxy);
    assert_int_equal(t->proxy.breakpoint_count, 1);
    t->proxy.breakpoint_count = 0;
}

static void test_leaving(void **state)
{
    run(play_gone_while_asking, RSP_SERVER_OPENOCD, true);
    run(play_gone_while_running, RSP_SERVER_OPENOCD, true);
    run(play_gone_while_held, RSP_SERVER_QEMU, false);
    run(play_detach, RSP_SERVER_QEMU, false);
    run(play_detach_openocd, RSP_SERVER_OPENOCD, true);
    run(play_breakpoints, RSP_SERVER_OPENOCD, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaving),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
