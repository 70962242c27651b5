/* SPDX-License-Identifier: 0BSD */
/* What the user's gdb and the seat say to the server through the proxy. */
#include <string.h>

#include "proxy_sides.h"

/* How often a packet is sent to gdb again. */
#define TRIES_MAX 3
/* How long after a resume a Ctrl-C that came too late may still halt the core. */
#define SPARE_NS 60000000U

#define CTRL_C "\003"

/* From gdb to the server. */

/* Whether a request lets the core run. */
static bool is_run(const struct proxy_frame *frame)
{
    return (proxy_starts(frame, "vCont") && !proxy_is(frame, "vCont?")) ||
           (frame->len > 0 && memchr("cCsSiIF", frame->body[0], 7) != NULL) ||
           proxy_is(frame, "bc") || proxy_is(frame, "bs");
}

/* Sent twice, a step goes too far and a signal comes twice. */
static bool is_plain_run(const struct proxy_frame *frame)
{
    size_t at = strlen("vCont");

    if (proxy_is(frame, "c"))
        return true;
    if (!proxy_starts(frame, "vCont;"))
        return false;
    for (; at < frame->len; at++) {
        if (frame->body[at] == ';' && (at + 1 == frame->len || frame->body[at + 1] != 'c'))
            return false;
    }
    return true;
}

static void note_run(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy->running = true;
    proxy->run_confirmed = false;
    proxy->before_run = 0;
    proxy->gdb_interrupted = false;
    proxy->gdb_out = proxy->non_stop ? proxy->gdb_out + 1 : 0;
    proxy->run_plain = !proxy->non_stop && is_plain_run(frame);
    buffer_set(&proxy->run, frame->raw, frame->raw_len);
    proxy->spare_until_ns = proxy->spare ? proxy->now_ns + SPARE_NS : 0;
    proxy->spare = false;
}

/* Servers let the core run on after a detach; most of them would also end the connection, so they
 * are not told. OpenOCD does neither, but what its configuration says. */
static bool detach_here(struct proxy *proxy)
{
    if (proxy->server == RSP_SERVER_OPENOCD)
        return false;
    proxy_tell_gdb_ok(proxy);
    proxy->session = false;
    if (!proxy->running)
        proxy_send_text(proxy, proxy->resume, false);
    proxy->running = true;
    return true;
}

static void forward(struct proxy *proxy, const struct proxy_frame *frame)
{
    size_t len = frame->len < sizeof(proxy->gdb_last) ? frame->len : sizeof(proxy->gdb_last) - 1;

    memcpy(proxy->gdb_last, frame->body, len);
    proxy->gdb_last[len] = '\0';
    if (proxy_is(frame, "D") || proxy_starts(frame, "D;")) {
        if (detach_here(proxy))
            return;
    }
    proxy_send(proxy, frame->raw, frame->raw_len, false);
    if (is_run(frame))
        note_run(proxy, frame);
    else if (!proxy_is(frame, "k") && !proxy_starts(frame, "R"))
        proxy->gdb_out++;
}

static void forward_in_session(void *context, const struct proxy_frame *frame)
{
    struct proxy *proxy = context;

    if (proxy->session)
        forward(proxy, frame);
}

/* They are whole. */
void proxy_forward_waiting(struct proxy *proxy)
{
    struct proxy_framer framer = {.taken = false};
    struct buffer waiting = proxy->waiting;

    if (waiting.len == 0 || proxy_must_gdb_wait(proxy))
        return;
    proxy->waiting = (struct buffer){.data = NULL};
    if (!proxy_framer_take(&framer, waiting.data, waiting.len, forward_in_session, proxy))
        proxy->waiting.failed = true;
    proxy_framer_free(&framer);
    buffer_free(&waiting);
}

/* gdb asks for the stop that we hide from it. */
static void give_hold(struct proxy *proxy)
{
    proxy->held = false;
    proxy->running = false;
    proxy_tell_gdb(proxy, proxy->held_stop.data, proxy->held_stop.len);
}

static void take_gdb_interrupt(struct proxy *proxy)
{
    if (proxy->held) {
        give_hold(proxy);
        return;
    }
    proxy->gdb_interrupted = true;
    if (!proxy->interrupting)
        buffer_add(&proxy->to_server, CTRL_C, 1);
}

static void send_gdb_again(struct proxy *proxy)
{
    if (++proxy->gdb_resends > TRIES_MAX)
        proxy->gdb_broken = true;
    else
        proxy_owe_gdb(proxy, proxy->last_to_gdb.data, proxy->last_to_gdb.len);
}

static void take_gdb_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (!proxy->gdb_no_ack) {
        proxy_owe_gdb(proxy, frame->right ? "+" : "-", 1);
        if (!frame->right)
            return;
    }
    if (proxy_is(frame, "QStartNoAckMode")) {
        proxy_tell_gdb_ok(proxy);
        proxy->gdb_no_ack = true;
        return;
    }
    if (proxy_must_gdb_wait(proxy) || proxy->waiting.len > 0)
        proxy_keep_waiting(proxy, frame);
    else
        forward(proxy, frame);
}

static void take_gdb_frame(void *context, const struct proxy_frame *frame)
{
    struct proxy *proxy = context;

    if (frame->kind == PROXY_FRAME_PACKET)
        take_gdb_packet(proxy, frame);
    else if (frame->kind == PROXY_FRAME_INTERRUPT)
        take_gdb_interrupt(proxy);
    else if (frame->kind == PROXY_FRAME_NAK && !proxy->gdb_no_ack)
        send_gdb_again(proxy);
}

void proxy_feed_gdb(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    if (!proxy_framer_take(&proxy->from_gdb, bytes, len, take_gdb_frame, proxy))
        proxy->gdb_broken = true;
    proxy_check_memory(proxy);
}

/* From the seat to the server. */

/* The seat lets the core go that it halted: by what gdb had said. */
static void take_seat_run(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->held) {
        proxy_run_again(proxy, true);
    } else if (proxy->eaten) {
        proxy->eaten = false;
        proxy_send(proxy, frame->raw, frame->raw_len, true);
    } else {
        proxy_ack_seat(proxy);
    }
}

static void take_seat_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session && is_run(frame)) {
        take_seat_run(proxy, frame);
        return;
    }
    /* Whose answer came next could not be told. */
    if (proxy->stale > 0 && !proxy->syncing)
        return;
    proxy->no_ack_asked = proxy_is(frame, "QStartNoAckMode");
    proxy_send(proxy, frame->raw, frame->raw_len, true);
    if (is_run(frame))
        proxy->running = true;
    else
        proxy->seat_out++;
}

bool proxy_can_hold(const struct proxy *proxy)
{
    return proxy->running && proxy->run_plain && !proxy->gdb_interrupted && !proxy->interrupting &&
           !proxy->held && proxy->now_ns >= proxy->spare_until_ns;
}

static void take_seat_interrupt(struct proxy *proxy)
{
    if (proxy->session) {
        if (!proxy_can_hold(proxy))
            return;
        proxy->interrupting = true;
    }
    buffer_add(&proxy->to_server, CTRL_C, 1);
}

static void take_seat_frame(void *context, const struct proxy_frame *frame)
{
    if (frame->kind == PROXY_FRAME_PACKET)
        take_seat_packet(context, frame);
    else if (frame->kind == PROXY_FRAME_INTERRUPT)
        take_seat_interrupt(context);
}

/* What is too long for the server comes to nothing. */
void proxy_feed_seat(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    proxy_framer_take(&proxy->from_seat, bytes, len, take_seat_frame, proxy);
    proxy_check_memory(proxy);
}
