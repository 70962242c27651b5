/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy passes on what gdb and a server say, unchanged, and puts our requests between. */
#include "unit.h"

#include "proxy_table.h"

static void play_unchanged(struct table *t)
{
    static const char *const talk[][2] = {
        {"qSupported:multiprocess+", "PacketSize=4000;QStartNoAckMode+;qXfer:memory-map:read+"},
        {"qXfer:features:read:target.xml:0,ffb", "l<target>}\003</target>"},
        {"g", "0*\"0* xxxx0*{"},
        {"vFile:open:6a,0,0", "F-1,2"},
        {"vMustReplyEmpty", ""},
        {"X20,3:}\003}]}\n", "OK"},
        {"?", "T05thread:p1.1;"},
        {"m20,4", "E01"},
    };

    for (size_t i = 0; i < COUNT(talk); i++) {
        say(t, GDB, talk[i][0]);
        hears(t, SERVER, talk[i][0], NULL);
        say(t, SERVER, talk[i][1]);
        hears(t, GDB, talk[i][1], NULL);
    }
    say(t, SERVER, "~%Stop:T05#97");
    hears(t, GDB, "~%Stop:T05#97", NULL);
    say(t, GDB, "qRcmd,6162");
    hears(t, SERVER, "qRcmd,6162", NULL);
    say(t, SERVER, "O6869");
    say(t, SERVER, "O");
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "OK");
    hears(t, GDB, "O6869", "O", "OK", NULL);
    check_read(t);
}

static void play_nothing_between(struct table *t)
{
    say(t, GDB, "m20,4");
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "0a0b0c0d");
    hears(t, SERVER, "m20,4", NULL);
    hears(t, GDB, "0a0b0c0d", NULL);
    check_read(t);
    say(t, GDB, "vFlashErase:0,1000");
    say(t, SERVER, "OK");
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, GDB, "vFlashDone");
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "OK");
    hears(t, SERVER, "vFlashErase:0,1000", "vFlashDone", NULL);
    hears(t, GDB, "OK", "OK", NULL);
    check_read(t);
}

/* While gdb is idle, its next request waits for our answer; so it does for the next chunk. */
static void play_gdb_waits(struct table *t)
{
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, GDB, "g");
    say(t, GDB, "p1");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "O6869");
    say(t, SERVER, "01020304");
    hears(t, SEAT, "O6869", "01020304", NULL);
    say(t, SEAT, "m24,4");
    hears(t, SERVER, "m24,4", NULL);
    say(t, SERVER, "05060708");
    hears(t, SEAT, "05060708", NULL);
    hears(t, GDB, NULL);
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "g", "p1", NULL);
    assert_false(proxy_begin_turn(&t->proxy));
    say(t, SERVER, "11");
    say(t, SERVER, "22");
    hears(t, GDB, "11", "22", NULL);
    check_read(t);
}

static void test_in_turn(void **state)
{
    run(play_unchanged, RSP_SERVER_OPENOCD, true);
    run(play_nothing_between, RSP_SERVER_OPENOCD, true);
    run(play_gdb_waits, RSP_SERVER_OPENOCD, true);
}

static void play_read_while_running(struct table *t)
{
    continues(t);
    check_read(t);
    say(t, SERVER, "O6869");
    hears(t, GDB, "O6869", NULL);
    check_read(t);
    stops(t, "T05");
    check_step(t);
}

static void play_stop_before_answer(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "O68");
    say(t, SERVER, "T05");
    hears(t, GDB, "O68", "T05", NULL);
    say(t, GDB, "g");
    hears(t, SERVER, NULL);
    say(t, SERVER, "01020304");
    hears(t, GDB, NULL);
    hears(t, SEAT, "T05", "01020304", NULL);
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "g", NULL);
    say(t, SERVER, "0a");
    hears(t, GDB, "0a", NULL);
    check_read(t);
}

static void play_ctrl_c(struct table *t, const char *first, const char *second)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, GDB, "~\003");
    hears(t, SERVER, "m20,4", "~\003", NULL);
    say(t, SERVER, first);
    say(t, SERVER, second);
    hears(t, GDB, "T02", NULL);
    hears(t, SEAT, first, second, NULL);
    proxy_end_turn(&t->proxy);
    check_step(t);
}

static void play_ctrl_c_then_answer(struct table *t)
{
    play_ctrl_c(t, "01020304", "T02");
}

static void play_ctrl_c_then_stop(struct table *t)
{
    play_ctrl_c(t, "T02", "01020304");
}

/* The target asks gdb for something (file I/O): the core is halted meanwhile. */
static void play_file_io(struct table *t)
{
    continues(t);
    say(t, SERVER, "Fwrite,1,20,4");
    hears(t, GDB, "Fwrite,1,20,4", NULL);
    check_step(t);
    check_read(t);
    say(t, GDB, "F4");
    hears(t, SERVER, "F4", NULL);
    check_read(t);
    assert_false(proxy_can_hold(&t->proxy));
    stops(t, "W00");
}

/* It asks between our request and its answer. */
static void play_file_io_between(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "Fclose,3");
    hears(t, GDB, "Fclose,3", NULL);
    say(t, GDB, "F0");
    say(t, SERVER, "01020304");
    hears(t, SEAT, "01020304", NULL);
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "F0", NULL);
    stops(t, "T05");
}

/* An answer in capitals is no request of the target. */
static void play_capitals(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, SERVER, "F00DF00D");
    hears(t, SERVER, "m20,4", NULL);
    hears(t, SEAT, "F00DF00D", NULL);
    proxy_end_turn(&t->proxy);
    stops(t, "S05");
}

static void test_while_the_core_runs(void **state)
{
    static scenario *const plays[] = {play_read_while_running,
                                      play_stop_before_answer,
                                      play_ctrl_c_then_answer,
                                      play_ctrl_c_then_stop,
                                      play_file_io,
                                      play_file_io_between,
                                      play_capitals};

    for (size_t i = 0; i < COUNT(plays); i++) {
        run(plays[i], RSP_SERVER_OPENOCD, true);
        run(plays[i], RSP_SERVER_UNKNOWN, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_while_the_core_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
