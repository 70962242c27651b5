/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server, a gdb and a seat that do what chance decides, with the proxy between them: each gets
 * its own answers and nothing else, and gdb sees no stop that is not its own. */
#include "unit.h"

#include "counted.h"

#include "proxy.h"
#include "rsp_exchange.h"

#define STEPS      40000
#define QUEUE_MAX  64
#define TIMEOUT_MS 2000
#define RUN        "vCont;c:p1.1"

enum gdb_doing { GDB_IDLE, GDB_ASKS, GDB_RUNS };

struct world {
    struct proxy proxy;
    uint32_t random;
    uint64_t now;

    /* The server and its core. */
    bool live;
    bool remembers; /* a Ctrl-C that came while the core was halted */
    bool lost;      /* a request, since the last sync */
    bool runs;
    bool interrupt;
    char queue[QUEUE_MAX][32];
    size_t queued;
    struct proxy_framer server_in;

    /* gdb */
    enum gdb_doing doing;
    unsigned asked;
    bool interrupted;
    bool left_behind; /* its last Ctrl-C came too late */
    struct proxy_framer gdb_in;
    unsigned answers, stops, refused;

    /* The seat. */
    bool turn, halting, holding, waiting;
    unsigned read;
    struct proxy_framer seat_in;
    unsigned reads, holds, given_up;
};

static unsigned chance(struct world *w, unsigned sides)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 17;
    w->random ^= w->random << 5;
    return w->random % sides;
}

typedef void feeder(struct proxy *, const void *, size_t, uint64_t);

static void say(struct world *w, feeder *feed, const char *text)
{
    struct buffer bytes = {.data = NULL};
    size_t at = 0;

    proxy_packet_add(&bytes, text);
    while (at < bytes.len) {
        size_t piece = 1 + chance(w, 20);
        if (piece > bytes.len - at)
            piece = bytes.len - at;
        feed(&w->proxy, bytes.data + at, piece, w->now);
        at += piece;
    }
    buffer_free(&bytes);
}

/* The server. */

static bool will_run(const struct world *w)
{
    for (size_t i = 0; i < w->queued; i++) {
        if (strcmp(w->queue[i], RUN) == 0)
            return true;
    }
    return false;
}

/* A server that is deaf while the core runs may forget what it was told then. */
static bool is_lost(struct world *w, const struct proxy_frame *frame)
{
    bool lost = !w->live && w->runs && proxy_starts(frame, "m") && chance(w, 3) == 0;

    w->lost = w->lost || lost;
    return lost;
}

static void server_hears(struct world *w)
{
    struct buffer *bytes = &w->proxy.to_server;
    struct proxy_frame frame;
    size_t at = 0;
    size_t used;

    while (at < bytes->len && proxy_framer_feed(&w->server_in, bytes->data + at, bytes->len - at,
                                                &used, &frame) == 1) {
        at += used;
        if (frame.kind == PROXY_FRAME_INTERRUPT) {
            w->interrupt = w->interrupt || w->remembers || w->runs || will_run(w);
        } else if (frame.kind == PROXY_FRAME_PACKET && !is_lost(w, &frame)) {
            assert_true(w->queued < QUEUE_MAX && frame.len < sizeof(w->queue[0]));
            memcpy(w->queue[w->queued], frame.body, frame.len);
            w->queue[w->queued++][frame.len] = '\0';
        }
    }
    bytes->len = 0;
}

static void server_answers(struct world *w, const char *request)
{
    char text[32];

    if (strcmp(request, RUN) == 0 && !w->lost && chance(w, 12) == 0) {
        w->interrupt = w->interrupt && w->remembers;
        say(w, proxy_feed_server, "E0e");
    } else if (strcmp(request, RUN) == 0) {
        w->runs = true;
    } else if (request[0] == 'm') {
        snprintf(text, sizeof(text), "%08lx", strtoul(request + 1, NULL, 16));
        if (chance(w, 8) == 0)
            say(w, proxy_feed_server, "E01");
        else
            say(w, proxy_feed_server, text);
    } else if (strcmp(request, "qMprofSync") == 0) {
        say(w, proxy_feed_server, "");
        w->lost = false;
    } else {
        /* What gdb gets looks like what we get. */
        snprintf(text, sizeof(text), "%08lx", 0xa0000000 + strtoul(request + 1, NULL, 16));
        say(w, proxy_feed_server, text);
    }
}

static void server_stops(struct world *w)
{
    bool by_interrupt = w->interrupt && chance(w, 4) != 0;

    w->runs = false;
    w->interrupt = w->interrupt && !by_interrupt && w->remembers;
    say(w, proxy_feed_server, by_interrupt ? "T02thread:p1.1;" : "T05thread:p1.1;");
}

static void server_does(struct world *w)
{
    char request[sizeof(w->queue[0])];

    if (w->runs && chance(w, 30) == 0)
        say(w, proxy_feed_server, "O6869");
    if (w->runs && (w->interrupt ? chance(w, 3) == 0 : chance(w, 200) == 0)) {
        server_stops(w);
    } else if (w->queued > 0 && (w->live || !w->runs)) {
        memcpy(request, w->queue[0], sizeof(request));
        memmove(w->queue[0], w->queue[1], --w->queued * sizeof(w->queue[0]));
        server_answers(w, request);
    }
}

/* gdb */

static void gdb_hears_packet(struct world *w, const struct proxy_frame *frame)
{
    char expected[32];

    if (proxy_is_console(frame)) {
        assert_int_equal(w->doing, GDB_RUNS);
        return;
    }
    switch (w->doing) {
    case GDB_IDLE:
        fail_msg("gdb asked nothing and got %.*s", (int)frame->len, frame->body);
        break;
    case GDB_ASKS:
        snprintf(expected, sizeof(expected), "%08x", 0xa0000000 + w->asked);
        if (!proxy_is(frame, expected))
            fail_msg("gdb got %.*s, not %s", (int)frame->len, frame->body, expected);
        w->answers++;
        break;
    case GDB_RUNS:
        w->refused += proxy_is(frame, "E0e");
        assert_true(proxy_is_stop(frame) || proxy_is(frame, "E0e"));
        if (rsp_stop_signal(frame->body, frame->len) == 2)
            assert_true(w->interrupted || w->left_behind);
        w->left_behind = rsp_stop_signal(frame->body, frame->len) != 2 && w->remembers &&
                         (w->left_behind || w->interrupted);
        w->stops++;
        break;
    }
    w->doing = GDB_IDLE;
}

static void gdb_hears(struct world *w)
{
    struct buffer *bytes = &w->proxy.to_gdb;
    struct proxy_frame frame;
    size_t at = 0;
    size_t used;

    while (at < bytes->len &&
           proxy_framer_feed(&w->gdb_in, bytes->data + at, bytes->len - at, &used, &frame) == 1) {
        at += used;
        if (frame.kind == PROXY_FRAME_PACKET)
            gdb_hears_packet(w, &frame);
    }
    bytes->len = 0;
}

static void gdb_does(struct world *w)
{
    char text[32];

    if (w->doing == GDB_IDLE && chance(w, 3) == 0) {
        w->doing = GDB_RUNS;
        w->interrupted = false;
        say(w, proxy_feed_gdb, RUN);
    } else if (w->doing == GDB_IDLE) {
        w->doing = GDB_ASKS;
        snprintf(text, sizeof(text), "q%x", ++w->asked);
        say(w, proxy_feed_gdb, text);
    } else if (w->doing == GDB_RUNS && !w->interrupted && chance(w, 20) == 0) {
        w->interrupted = true;
        proxy_feed_gdb(&w->proxy, "\003", 1, w->now);
    }
}

/* The seat. */

static void seat_leaves(struct world *w)
{
    if (w->proxy.held)
        say(w, proxy_feed_seat, "vCont;c");
    w->turn = w->halting = w->holding = w->waiting = false;
    proxy_end_turn(&w->proxy);
}

static void seat_hears_packet(struct world *w, const struct proxy_frame *frame)
{
    char expected[32];

    if (proxy_is_stop(frame)) {
        w->halting = false;
        w->holding = w->proxy.held;
        w->holds += w->proxy.held;
        return;
    }
    assert_true(w->waiting);
    snprintf(expected, sizeof(expected), "%08x", w->read);
    if (!proxy_is(frame, expected) && !proxy_is(frame, "E01"))
        fail_msg("the seat got %.*s, not %s", (int)frame->len, frame->body, expected);
    w->waiting = false;
    w->reads++;
    if (chance(w, 2) == 0)
        seat_leaves(w);
}

static void seat_hears(struct world *w)
{
    struct buffer copy = {.data = NULL};
    struct proxy_frame frame;
    size_t at = 0;
    size_t used;

    buffer_add(&copy, w->proxy.to_seat.data, w->proxy.to_seat.len);
    w->proxy.to_seat.len = 0;
    while (proxy_framer_feed(&w->seat_in, copy.data + at, copy.len - at, &used, &frame) == 1) {
        at += used;
        if (frame.kind == PROXY_FRAME_PACKET)
            seat_hears_packet(w, &frame);
    }
    buffer_free(&copy);
}

static void seat_does(struct world *w)
{
    bool reach = w->live || !w->proxy.running || w->proxy.held;
    char text[32];

    if (!w->turn) {
        w->turn = chance(w, 3) == 0 && proxy_begin_turn(&w->proxy);
    } else if (w->waiting || w->halting) {
        w->given_up += w->waiting;
        if (chance(w, 40) == 0)
            seat_leaves(w);
    } else if (!reach && proxy_can_hold(&w->proxy)) {
        w->halting = true;
        proxy_feed_seat(&w->proxy, "\003", 1, w->now);
    } else if (reach || chance(w, 20) == 0) {
        w->waiting = true;
        snprintf(text, sizeof(text), "m%x", ++w->read);
        say(w, proxy_feed_seat, text);
    } else {
        seat_leaves(w);
    }
}

static void turn_world(struct world *w, bool gdb)
{
    w->now += chance(w, 100000);
    switch (chance(w, 3)) {
    case 0:
        server_does(w);
        break;
    case 1:
        if (gdb)
            gdb_does(w);
        break;
    default:
        if (gdb)
            seat_does(w);
        break;
    }
    gdb_hears(w);
    seat_hears(w);
    server_hears(w);
    proxy_tick(&w->proxy, w->now);
    assert_int_equal(w->proxy.error.code, GDBMI_OK);
}

static void live_through(enum rsp_server server, bool live, bool remembers, uint32_t seed)
{
    struct world *w = calloc(1, sizeof(*w));

    assert_non_null(w);
    w->random = seed;
    w->live = live;
    w->remembers = remembers;
    proxy_init(&w->proxy, "fake:1", TIMEOUT_MS);
    w->proxy.server_no_ack = true;
    w->proxy.gdb_no_ack = true;
    proxy_know(&w->proxy, server, live, "vCont;c");
    proxy_gdb_begin(&w->proxy);
    for (int i = 0; i < STEPS; i++)
        turn_world(w, true);
    if (w->turn)
        seat_leaves(w);
    for (int i = 0; i < 1000; i++)
        turn_world(w, false);
    /* Nobody is forgotten: the core runs for gdb, or gdb waits for nothing. */
    assert_int_equal(w->queued, 0);
    if (w->doing == GDB_ASKS || (w->doing == GDB_RUNS && !w->runs))
        fail_msg("seed %u: gdb is forgotten: %d, the core %d, held %d", seed, w->doing, w->runs,
                 w->proxy.held);
    /* It was no idle life. */
    assert_true(w->answers > 100 && w->stops > 50 && w->refused > 2 && w->reads > 500);
    assert_true(live || w->holds > 20);
    proxy_framer_free(&w->server_in);
    proxy_framer_free(&w->gdb_in);
    proxy_framer_free(&w->seat_in);
    proxy_free(&w->proxy);
    free(w);
}

static void live_often(enum rsp_server server, bool live, bool remembers)
{
    for (uint32_t seed = 1; seed <= 20; seed += sanitized(4))
        live_through(server, live, remembers, seed * 2654435761U);
}

static void test_live(void **state)
{
    live_often(RSP_SERVER_OPENOCD, true, false);
}

static void test_by_halts(void **state)
{
    live_often(RSP_SERVER_QEMU, false, false);
}

static void test_remembered_interrupts(void **state)
{
    live_often(RSP_SERVER_UNKNOWN, false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_by_halts),
        cmocka_unit_test(test_remembered_interrupts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
