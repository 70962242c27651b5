/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxy between a gdb, a server and us, byte by byte and at the worst moments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "proxy.h"

#define TIMEOUT_MS 2000
#define MS         1000000U
#define RUN        "vCont;c:p1.-1"

enum side { SERVER, GDB, SEAT };

struct table {
    struct proxy proxy;
    size_t chunk; /* bytes that are fed at once */
    uint64_t now;
};

static void feed(struct table *t, enum side from, const char *bytes, size_t len)
{
    void (*const feeds[])(struct proxy *, const void *, size_t,
                          uint64_t) = {proxy_feed_server, proxy_feed_gdb, proxy_feed_seat};

    for (size_t at = 0; at < len; at += t->chunk) {
        size_t piece = len - at < t->chunk ? len - at : t->chunk;
        feeds[from](&t->proxy, bytes + at, piece, t->now);
    }
}

static struct proxy_bytes packet(const char *text)
{
    struct proxy_bytes bytes = {.data = NULL};

    proxy_bytes_packet(&bytes, text);
    return bytes;
}

/* Says it as a packet; what begins with '~' goes raw. */
static void say(struct table *t, enum side from, const char *text)
{
    if (text[0] == '~') {
        feed(t, from, text + 1, strlen(text + 1));
        return;
    }
    struct proxy_bytes bytes = packet(text);
    feed(t, from, bytes.data, bytes.len);
    proxy_bytes_free(&bytes);
}

static struct proxy_bytes *out(struct table *t, enum side to)
{
    struct proxy_bytes *const outs[] = {&t->proxy.to_server, &t->proxy.to_gdb, &t->proxy.to_seat};

    return outs[to];
}

static void hears_raw(struct table *t, enum side to, const char *bytes, size_t len)
{
    struct proxy_bytes *got = out(t, to);

    if (got->len != len || (len > 0 && memcmp(got->data, bytes, len) != 0))
        fail_msg("side %d heard \"%.*s\", not \"%.*s\"", to, (int)got->len,
                 got->data ? got->data : "", (int)len, bytes);
    got->len = 0;
}

/* All that went to a side since the last look: packets, "~" for raw bytes, up to a NULL. */
static void hears(struct table *t, enum side to, ...)
{
    struct proxy_bytes all = {.data = NULL};
    const char *text;
    va_list args;

    va_start(args, to);
    while ((text = va_arg(args, const char *)) != NULL) {
        if (text[0] == '~')
            proxy_bytes_add(&all, text + 1, strlen(text + 1));
        else
            proxy_bytes_packet(&all, text);
    }
    va_end(args);
    hears_raw(t, to, all.data ? all.data : "", all.len);
    proxy_bytes_free(&all);
}

static void quiet(struct table *t)
{
    hears(t, SERVER, NULL);
    hears(t, GDB, NULL);
    hears(t, SEAT, NULL);
}

/* A server without acks, opened by the seat, and a gdb without acks that is halted and idle. */
static void open_table(struct table *t, size_t chunk, enum rsp_server server, bool live)
{
    *t = (struct table){.chunk = chunk, .now = 1000 * (uint64_t)MS};
    proxy_init(&t->proxy, "fake:1", TIMEOUT_MS);
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "~+");
    say(t, SEAT, "QStartNoAckMode");
    hears(t, SERVER, "QStartNoAckMode", NULL);
    say(t, SERVER, "~+");
    hears(t, SEAT, "~+", NULL);
    say(t, SERVER, "OK");
    hears(t, SEAT, "OK", NULL);
    /* A lone ack would block OpenOCD: it goes with the next packet. */
    hears(t, SERVER, NULL);
    say(t, SEAT, "vCont?");
    hears(t, SERVER, "~+", "vCont?", NULL);
    say(t, SERVER, "vCont;c;s");
    hears(t, SEAT, "vCont;c;s", NULL);
    proxy_know(&t->proxy, server, live, "vCont;c");
    proxy_end_turn(&t->proxy);
    proxy_gdb_begin(&t->proxy);
    say(t, GDB, "~+");
    say(t, GDB, "QStartNoAckMode");
    hears(t, GDB, "~+", "OK", NULL);
    say(t, GDB, "~+");
    quiet(t);
}

static void close_table(struct table *t)
{
    assert_int_equal(t->proxy.error.code, GDBMI_OK);
    assert_false(t->proxy.gdb_broken);
    quiet(t);
    proxy_free(&t->proxy);
}

static void continues(struct table *t)
{
    say(t, GDB, RUN);
    hears(t, SERVER, RUN, NULL);
    assert_true(t->proxy.running);
}

/* gdb asks and is answered: the two are in step. */
static void check_step(struct table *t)
{
    say(t, GDB, "qC");
    hears(t, SERVER, "qC", NULL);
    say(t, SERVER, "QC1");
    hears(t, GDB, "QC1", NULL);
}

/* We ask and are answered. */
static void check_read(struct table *t)
{
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "01020304");
    hears(t, SEAT, "01020304", NULL);
    proxy_end_turn(&t->proxy);
    quiet(t);
}

typedef void scenario(struct table *t);

static void run(scenario *play, enum rsp_server server, bool live)
{
    static const size_t chunks[] = {1, 2, 3, 5, 7, 16, 4096};
    struct table t;

    for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        open_table(&t, chunks[i], server, live);
        play(&t);
        close_table(&t);
    }
}

/* Passing on. */

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

    for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++) {
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

static void test_unchanged(void **state)
{
    (void)state;
    run(play_unchanged, RSP_SERVER_OPENOCD, true);
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

static void test_nothing_between(void **state)
{
    (void)state;
    run(play_nothing_between, RSP_SERVER_OPENOCD, true);
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

static void test_gdb_waits(void **state)
{
    (void)state;
    run(play_gdb_waits, RSP_SERVER_OPENOCD, true);
}

/* A server that answers while the core runs. */

static void play_read_while_running(struct table *t)
{
    continues(t);
    check_read(t);
    say(t, SERVER, "O6869");
    hears(t, GDB, "O6869", NULL);
    check_read(t);
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
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
    say(t, SERVER, "W00");
    hears(t, GDB, "W00", NULL);
    hears(t, SEAT, "W00", NULL);
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
    say(t, SERVER, "S05");
    hears(t, GDB, "S05", NULL);
    hears(t, SEAT, "S05", NULL);
}

static void test_live(void **state)
{
    static scenario *const plays[] = {play_read_while_running,
                                      play_stop_before_answer,
                                      play_ctrl_c_then_answer,
                                      play_ctrl_c_then_stop,
                                      play_file_io,
                                      play_capitals};

    (void)state;
    for (size_t i = 0; i < sizeof(plays) / sizeof(plays[0]); i++) {
        run(plays[i], RSP_SERVER_OPENOCD, true);
        run(plays[i], RSP_SERVER_UNKNOWN, true);
    }
}

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
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
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
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
}

static void test_errors(void **state)
{
    (void)state;
    run(play_error_for_us, RSP_SERVER_OPENOCD, true);
    run(play_error_for_gdb, RSP_SERVER_OPENOCD, true);
    run(play_error_without_doubt, RSP_SERVER_OPENOCD, true);
}

/* Late answers. */

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
        say(t, SERVER, "T02");
        hears(t, GDB, "T02", NULL);
        hears(t, SEAT, "T02", NULL);
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
    (void)state;
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
    (void)state;
    run(play_deaf_late, RSP_SERVER_UNKNOWN, false);
    run(play_deaf_lost, RSP_SERVER_UNKNOWN, false);
    run(play_slow, RSP_SERVER_UNKNOWN, false);
}

static void test_dead_server(void **state)
{
    struct table t;

    (void)state;
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

/* Halts that gdb does not see. */

static void begin_hold(struct table *t)
{
    assert_true(proxy_can_hold(&t->proxy));
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "~\003");
    hears(t, SERVER, "~\003", NULL);
}

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
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
    check_step(t);
}

/* A breakpoint just before our Ctrl-C: it is gdb's, and stays. */
static void play_breakpoint_wins(struct table *t)
{
    continues(t);
    begin_hold(t);
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
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
    say(t, SERVER, "T02");
    hears(t, GDB, "T02", NULL);
    hears(t, SEAT, "T02", NULL);
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
    say(t, SERVER, "T02");
    hears(t, GDB, "T02", NULL);
    hears(t, SEAT, "T02", NULL);
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

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        say(t, GDB, runs[i]);
        hears(t, SERVER, runs[i], NULL);
        assert_true(t->proxy.running);
        assert_false(proxy_can_hold(&t->proxy));
        say(t, SERVER, "T05");
        hears(t, GDB, "T05", NULL);
        hears(t, SEAT, "T05", NULL);
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
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
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
    say(t, SERVER, "T05");
    hears(t, GDB, "T05", NULL);
    hears(t, SEAT, "T05", NULL);
}

static void test_holds(void **state)
{
    static scenario *const plays[] = {play_hold,           play_breakpoint_wins,
                                      play_both_interrupt, play_interrupt_while_held,
                                      play_no_hold,        play_hold_ends};

    (void)state;
    for (size_t i = 0; i < sizeof(plays) / sizeof(plays[0]); i++) {
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
    (void)state;
    run(play_eaten, RSP_SERVER_QEMU, false);
}

/* Comings and goings. */

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
    proxy_forget_breakpoints(&t->proxy);
}

static void test_comings_and_goings(void **state)
{
    (void)state;
    run(play_gone_while_asking, RSP_SERVER_OPENOCD, true);
    run(play_gone_while_running, RSP_SERVER_OPENOCD, true);
    run(play_gone_while_held, RSP_SERVER_QEMU, false);
    run(play_detach, RSP_SERVER_QEMU, false);
    run(play_detach_openocd, RSP_SERVER_OPENOCD, true);
    run(play_breakpoints, RSP_SERVER_OPENOCD, true);
}

/* Acks and damage. */

static void open_with_acks(struct table *t, size_t chunk)
{
    *t = (struct table){.chunk = chunk, .now = 1};
    proxy_init(&t->proxy, "fake:1", TIMEOUT_MS);
    proxy_know(&t->proxy, RSP_SERVER_QEMU, false, "c");
    proxy_gdb_begin(&t->proxy);
}

static void test_acks(void **state)
{
    struct table t;

    (void)state;
    open_with_acks(&t, 1);
    say(&t, GDB, "qC");
    hears(&t, GDB, "~+", NULL);
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~+");
    quiet(&t);
    say(&t, SERVER, "QC1");
    hears(&t, SERVER, "~+", NULL);
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~+");
    quiet(&t);
    /* The seat's acks are the server's own: it measures by them when the server heard it. */
    assert_true(proxy_begin_turn(&t.proxy));
    say(&t, SEAT, "m20,4");
    hears(&t, SEAT, NULL);
    say(&t, SERVER, "~+");
    hears(&t, SEAT, "~+", NULL);
    say(&t, SERVER, "0102");
    hears(&t, SERVER, "m20,4", "~+", NULL);
    hears(&t, SEAT, "0102", NULL);
    say(&t, SEAT, "~+");
    proxy_end_turn(&t.proxy);
    close_table(&t);
}

static void test_damage(void **state)
{
    struct table t;

    (void)state;
    open_with_acks(&t, 3);
    say(&t, GDB, "~$qC#00");
    hears(&t, GDB, "~-", NULL);
    hears(&t, SERVER, NULL);
    say(&t, GDB, "qC");
    hears(&t, GDB, "~+", NULL);
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~-");
    hears(&t, SERVER, "qC", NULL);
    say(&t, SERVER, "~+$QC1#00");
    hears(&t, SERVER, "~-", NULL);
    say(&t, SERVER, "QC1");
    hears(&t, SERVER, "~+", NULL);
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~-");
    hears(&t, GDB, "QC1", NULL);
    say(&t, GDB, "~+");
    close_table(&t);
}

static void test_damage_ends(void **state)
{
    struct table t;

    (void)state;
    open_with_acks(&t, 3);
    for (int i = 0; i < 4; i++)
        say(&t, SERVER, "~$QC1#00");
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
    open_with_acks(&t, 3);
    say(&t, GDB, "qC");
    for (int i = 0; i < 4; i++)
        say(&t, SERVER, "~-");
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
    open_with_acks(&t, 3);
    say(&t, SERVER, "T05");
    for (int i = 0; i < 4; i++)
        say(&t, GDB, "~-");
    assert_true(t.proxy.gdb_broken);
    proxy_free(&t.proxy);
}

/* A packet that never ends is no packet. */
static void test_endless(void **state)
{
    static char junk[300000];
    struct table t;

    (void)state;
    memset(junk, 'x', sizeof(junk));
    junk[0] = '$';
    open_with_acks(&t, 4096);
    feed(&t, GDB, junk, sizeof(junk));
    assert_true(t.proxy.gdb_broken);
    feed(&t, SERVER, junk, sizeof(junk));
    assert_int_equal(t.proxy.error.code, GDBMI_EPROTOCOL);
    proxy_free(&t.proxy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged),
        cmocka_unit_test(test_nothing_between),
        cmocka_unit_test(test_gdb_waits),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_deaf),
        cmocka_unit_test(test_dead_server),
        cmocka_unit_test(test_holds),
        cmocka_unit_test(test_eaten),
        cmocka_unit_test(test_comings_and_goings),
        cmocka_unit_test(test_acks),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_damage_ends),
        cmocka_unit_test(test_endless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
