/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy on servers that are deaf while the core runs: we halt it, and gdb does not see that. */
#include "unit.h"

#include "proxy_table.h"

static void end_hold(struct table *t)
{
    say(t, SEAT, "c");
    hears(t, SERVER, RUN, NULL);
    assert_false(t->proxy.held);
    proxy_end_turn(&t->proxy);
}

static void play_hold(struct table *t)
{
    continues(t);
    for (int i = 0; i < 3; i++) {
        begin_hold(t);
        say(t, SERVER, "T02thread:p1.1;");
        hears(t, SEAT, "T02thread:p1.1;", NULL);
        assert_true(t->proxy.held);
        say(t, SEAT, "m20,4");
        hears(t, SERVER, "m20,4", NULL);
        say(t, SERVER, "01020304");
        hears(t, SEAT, "01020304", NULL);
        end_hold(t);
        quiet(t);
    }
    stops(t, "T05");
    check_step(t);
}

/* A breakpoint just before our Ctrl-C: it is gdb's, and stays. */
static void play_breakpoint_wins(struct table *t)
{
    continues(t);
    begin_hold(t);
    stops(t, "T05");
    assert_false(t->proxy.held);
    say(t, SEAT, "c");
    proxy_end_turn(&t->proxy);
    quiet(t);
    check_step(t);
}

static void play_spare(struct table *t, uint64_t after_ms, bool by_gdb)
{
    play_breakpoint_wins(t);
    continues(t);
    t->now += after_ms * MS;
    if (by_gdb)
        say(t, GDB, "~\003");
    hears(t, SERVER, by_gdb ? "~\003" : NULL, NULL);
    say(t, SERVER, "T02");
    if (!by_gdb && after_ms < 60) {
        hears(t, SERVER, RUN, NULL);
        quiet(t);
        say(t, SERVER, "T02");
    }
    hears(t, GDB, "T02", NULL);
    hears(t, SEAT, "T02", NULL);
}

/* Some servers remember the Ctrl-C that came too late: the next run stops at once, once. */
static void play_spare_at_once(struct table *t)
{
    play_spare(t, 1, false);
}

static void play_no_spare(struct table *t)
{
    play_spare(t, 60, false);
}

static void play_gdb_stops_too(struct table *t)
{
    play_spare(t, 1, true);
}

/* gdb's Ctrl-C meets ours: one is enough, and the stop is gdb's. */
static void play_both_interrupt(struct table *t)
{
    continues(t);
    begin_hold(t);
    say(t, GDB, "~\003");
    hears(t, SERVER, NULL);
    stops(t, "T02");
    assert_false(t->proxy.held);
    say(t, SEAT, "c");
    proxy_end_turn(&t->proxy);
    quiet(t);
    check_step(t);
    /* And first gdb's. */
    continues(t);
    say(t, GDB, "~\003");
    hears(t, SERVER, "~\003", NULL);
    assert_false(proxy_can_hold(&t->proxy));
    stops(t, "T02");
    check_step(t);
}

static void play_interrupt_while_held(struct table *t)
{
    continues(t);
    begin_hold(t);
    say(t, SERVER, "T02thread:p1.1;");
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, GDB, "~\003");
    hears(t, SERVER, NULL);
    hears(t, GDB, "T02thread:p1.1;", NULL);
    say(t, GDB, "g");
    hears(t, SERVER, NULL);
    say(t, SERVER, "01020304");
    hears(t, SEAT, "T02thread:p1.1;", "01020304", NULL);
    say(t, SEAT, "c");
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "g", NULL);
    say(t, SERVER, "00");
    hears(t, GDB, "00", NULL);
    check_step(t);
}

/* A step, a signal: not cut in two. */
static void play_no_hold(struct table *t)
{
    static const char *const runs[] = {"s", "vCont;s:p1.1;c:p1.-1", "C05", "vCont;C05:p1.1",
                                       "vCont;r0,4:p1.1"};

    for (size_t i = 0; i < COUNT(runs); i++) {
        say(t, GDB, runs[i]);
        hears(t, SERVER, runs[i], NULL);
        assert_true(t->proxy.running);
        assert_false(proxy_can_hold(&t->proxy));
        stops(t, "T05");
    }
}

/* Whoever holds it and says nothing more does not hold it for ever. */
static void play_hold_ends(struct table *t)
{
    continues(t);
    begin_hold(t);
    say(t, SERVER, "T02");
    hears(t, SEAT, "T02", NULL);
    proxy_end_turn(&t->proxy);
    proxy_tick(&t->proxy, proxy_deadline(&t->proxy) - 1);
    hears(t, SERVER, NULL);
    proxy_tick(&t->proxy, proxy_deadline(&t->proxy));
    hears(t, SERVER, RUN, NULL);
    assert_false(t->proxy.held);
    say(t, SEAT, "c");
    quiet(t);
    stops(t, "T05");
}

/* What was asked while the server was deaf, and not answered, is settled in the hold. */
static void play_hold_with_late_answer(struct table *t)
{
    continues(t);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m10,4");
    proxy_end_turn(&t->proxy);
    hears(t, SERVER, "m10,4", NULL);
    begin_hold(t);
    say(t, SERVER, "T02");
    hears(t, SEAT, "T02", NULL);
    hears(t, SERVER, "qMprofSync", NULL);
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "0a0b0c0d");
    say(t, SERVER, "");
    say(t, SERVER, "01020304");
    hears(t, SEAT, "01020304", NULL);
    end_hold(t);
    quiet(t);
    stops(t, "T05");
}

static void test_holds(void **state)
{
    static scenario *const plays[] = {play_hold,           play_breakpoint_wins,
                                      play_both_interrupt, play_interrupt_while_held,
                                      play_no_hold,        play_hold_ends};

    for (size_t i = 0; i < COUNT(plays); i++) {
        run(plays[i], RSP_SERVER_QEMU, false);
        run(plays[i], RSP_SERVER_UNKNOWN, false);
    }
    run(play_spare_at_once, RSP_SERVER_UNKNOWN, false);
    run(play_no_spare, RSP_SERVER_UNKNOWN, false);
    run(play_gdb_stops_too, RSP_SERVER_UNKNOWN, false);
    run(play_hold_with_late_answer, RSP_SERVER_UNKNOWN, false);
}

/* QEMU's machine, set running by a monitor command of gdb, is halted by our request. */
static void play_eaten(struct table *t)
{
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    say(t, SERVER, "T02");
    hears(t, SEAT, "T02", NULL);
    say(t, SEAT, "m20,4");
    say(t, SERVER, "01020304");
    hears(t, SEAT, "01020304", NULL);
    hears(t, SERVER, "m20,4", "m20,4", NULL);
    say(t, SEAT, "c");
    hears(t, SERVER, "c", NULL);
    proxy_end_turn(&t->proxy);
    quiet(t);
}

static void test_eaten(void **state)
{
    run(play_eaten, RSP_SERVER_QEMU, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_eaten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
