/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proxy with a server, a gdb and a seat around it, all played by the test. */
#include "unit.h"

#include "proxy_table.h"

void feed(struct table *t, enum side from, const char *bytes, size_t len)
{
    void (*const feeds[])(struct proxy *, const void *, size_t,
                          uint64_t) = {proxy_feed_server, proxy_feed_gdb, proxy_feed_seat};

    for (size_t at = 0; at < len; at += t->chunk) {
        size_t piece = len - at < t->chunk ? len - at : t->chunk;
        feeds[from](&t->proxy, bytes + at, piece, t->now);
    }
}

static struct buffer packet(const char *text)
{
    struct buffer bytes = {.data = NULL};

    proxy_packet_add(&bytes, text);
    return bytes;
}

void say(struct table *t, enum side from, const char *text)
{
    if (text[0] == '~') {
        feed(t, from, text + 1, strlen(text + 1));
        return;
    }
    struct buffer bytes = packet(text);
    feed(t, from, bytes.data, bytes.len);
    buffer_free(&bytes);
}

struct buffer *out(struct table *t, enum side to)
{
    struct buffer *const outs[] = {&t->proxy.to_server, &t->proxy.to_gdb, &t->proxy.to_seat};

    return outs[to];
}

static void hears_raw(struct table *t, enum side to, const char *bytes, size_t len)
{
    struct buffer *got = out(t, to);

    if (got->len != len || (len > 0 && memcmp(got->data, bytes, len) != 0))
        fail_msg("side %d heard \"%.*s\", not \"%.*s\"", to, (int)got->len,
                 got->data ? got->data : "", (int)len, bytes);
    got->len = 0;
}

void hears(struct table *t, enum side to, ...)
{
    struct buffer all = {.data = NULL};
    const char *text;
    va_list args;

    va_start(args, to);
    while ((text = va_arg(args, const char *)) != NULL) {
        if (text[0] == '~')
            buffer_add(&all, text + 1, strlen(text + 1));
        else
            proxy_packet_add(&all, text);
    }
    va_end(args);
    hears_raw(t, to, all.data ? all.data : "", all.len);
    buffer_free(&all);
}

void quiet(struct table *t)
{
    hears(t, SERVER, NULL);
    hears(t, GDB, NULL);
    hears(t, SEAT, NULL);
}

void open_table(struct table *t, size_t chunk, enum rsp_server server, bool live)
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

void close_table(struct table *t)
{
    assert_int_equal(t->proxy.error.code, GDBMI_OK);
    assert_false(t->proxy.gdb_broken);
    quiet(t);
    proxy_free(&t->proxy);
}

void continues(struct table *t)
{
    say(t, GDB, RUN);
    hears(t, SERVER, RUN, NULL);
    assert_true(t->proxy.running);
}

void begin_hold(struct table *t)
{
    assert_true(proxy_can_hold(&t->proxy));
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "~\003");
    hears(t, SERVER, "~\003", NULL);
}

void check_step(struct table *t)
{
    say(t, GDB, "qC");
    hears(t, SERVER, "qC", NULL);
    say(t, SERVER, "QC1");
    hears(t, GDB, "QC1", NULL);
}

void stops(struct table *t, const char *how)
{
    say(t, SERVER, how);
    hears(t, GDB, how, NULL);
    hears(t, SEAT, how, NULL);
}

void check_read(struct table *t)
{
    assert_true(proxy_begin_turn(&t->proxy));
    say(t, SEAT, "m20,4");
    hears(t, SERVER, "m20,4", NULL);
    say(t, SERVER, "01020304");
    hears(t, SEAT, "01020304", NULL);
    proxy_end_turn(&t->proxy);
    quiet(t);
}

void run(scenario *play, enum rsp_server server, bool live)
{
    static const size_t chunks[] = {1, 2, 3, 5, 7, 16, 4096};
    struct table t;

    for (size_t i = 0; i < COUNT(chunks); i++) {
        open_table(&t, chunks[i], server, live);
        play(&t);
        close_table(&t);
    }
}

void open_with_acks(struct table *t, size_t chunk)
{
    *t = (struct table){.chunk = chunk, .now = 1};
    proxy_init(&t->proxy, "fake:1", TIMEOUT_MS);
    proxy_know(&t->proxy, RSP_SERVER_QEMU, false, "c");
    proxy_gdb_begin(&t->proxy);
}
