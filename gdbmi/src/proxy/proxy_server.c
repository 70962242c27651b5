/* SPDX-License-Identifier: 0BSD */
/* For whom it is what the server says. */
#include <stdio.h>
#include <string.h>

#include <gdbmi/rsp.h>

#include "proxy_sides.h"
#include "rsp_exchange.h"

/* How often a damaged packet is sent or asked for again. */
#define TRIES_MAX 3

/* The signal of an unknown server's stop on a Ctrl-C is not known, but it is not a breakpoint's. */
static bool is_of_interrupt(const struct proxy *proxy, const struct proxy_frame *frame)
{
    int signal = rsp_stop_signal(frame->body, frame->len);

    if (!proxy_starts(frame, "T") && !proxy_starts(frame, "S"))
        return false;
    return proxy->server == RSP_SERVER_UNKNOWN ? signal != RSP_SIGNAL_TRAP
                                               : signal == RSP_SIGNAL_INT;
}

static bool is_spare(const struct proxy *proxy, const struct proxy_frame *frame)
{
    return proxy->now_ns < proxy->spare_until_ns && proxy->run_plain && !proxy->gdb_interrupted &&
           is_of_interrupt(proxy, frame);
}

/* A run that ended early shows nothing about what the server remembers. */
static void keep_spare(struct proxy *proxy)
{
    proxy->spare = proxy->spare || proxy->now_ns < proxy->spare_until_ns;
}

/* After our Ctrl-C. A stop that is not of it leaves the Ctrl-C behind: QEMU forgets it, others may
 * not. A stop for which nobody waits any more is undone. */
static bool take_hold(struct proxy *proxy, const struct proxy_frame *frame)
{
    bool ours = is_of_interrupt(proxy, frame);

    proxy->interrupting = false;
    if (ours && !proxy->gdb_interrupted) {
        proxy->held = true;
        proxy->hold_until_ns = proxy->now_ns + proxy->patience_ns;
        buffer_set(&proxy->held_stop, frame->raw, frame->raw_len);
        if (proxy->turn)
            proxy_sync_if_stale(proxy, proxy->patience_ns);
        else
            proxy_run_again(proxy, true);
        return true;
    }
    proxy->spare =
        proxy->spare || (!ours && !proxy->gdb_interrupted && proxy->server != RSP_SERVER_QEMU);
    return false;
}

static void take_stop(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session && is_spare(proxy, frame)) {
        proxy->spare_until_ns = 0;
        proxy_run_again(proxy, false);
        return;
    }
    proxy_tell_seat(proxy, frame);
    if (!is_of_interrupt(proxy, frame))
        keep_spare(proxy);
    proxy->spare_until_ns = 0;
    if (proxy->session && proxy->interrupting && take_hold(proxy, frame))
        return;
    proxy->running = false;
    if (proxy->session)
        proxy_tell_gdb(proxy, frame->raw, frame->raw_len);
    proxy_sync_if_stale(proxy, proxy->patience_ns);
}

/* The core stands still without a stop reply. A seat that waits for one gets it from us. */
static void end_run(struct proxy *proxy)
{
    keep_spare(proxy);
    proxy->running = false;
    if (!proxy->interrupting)
        return;
    proxy->interrupting = false;
    proxy->spare = proxy->server != RSP_SERVER_QEMU;
    buffer_add(&proxy->to_seat, "$S05#b8", 7);
}

/* An error may be the answer to gdb's resume. */
static bool is_run_unsure(const struct proxy *proxy)
{
    return proxy->session && proxy->running && !proxy->held && !proxy->run_confirmed &&
           !proxy->non_stop;
}

/* Answers are kept until their end, where they can be counted. */
static void collect(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->collected_count++ == proxy->before_run && proxy_is_error(frame)) {
        proxy->error_at = proxy->collected.len;
        proxy->error_len = frame->raw_len;
    }
    proxy_collect(proxy, frame);
}

/* The seat, unless it has given up, gets what is its own. */
static void hand_out(struct proxy *proxy)
{
    const struct buffer *all = &proxy->collected;
    size_t end = proxy->error_at + proxy->error_len;

    if (proxy->turn && proxy->collected_for_seat > 0) {
        buffer_add(&proxy->to_seat, all->data, proxy->error_at);
        buffer_add(&proxy->to_seat, all->data + end, all->len - end);
        proxy->seat_out -= proxy->collected_for_seat;
    }
}

/* One answer more than was asked for by us: then the error was to gdb's resume. */
static void end_sync(struct proxy *proxy)
{
    bool extra = proxy->collected_count > proxy->collected_expected;

    proxy->syncing = false;
    if (!extra || !is_run_unsure(proxy))
        proxy->error_at = proxy->error_len = 0;
    hand_out(proxy);
    if (proxy->error_len > 0) {
        end_run(proxy);
        proxy_tell_gdb(proxy, proxy->collected.data + proxy->error_at, proxy->error_len);
    }
    proxy->run_confirmed = true;
    proxy_sync_if_stale(proxy, proxy->patience_ns);
    proxy_forward_waiting(proxy);
}

static void take_while_syncing(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (frame->len > 0)
        collect(proxy, frame);
    else
        end_sync(proxy);
}

static bool settle_error(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->before_run > 0 || !is_run_unsure(proxy) || !proxy_is_error(frame))
        return false;
    proxy_start_sync(proxy, proxy->patience_ns);
    collect(proxy, frame);
    return true;
}

static void take_seat_answer(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (settle_error(proxy, frame))
        return;
    proxy->run_confirmed = proxy->before_run == 0;
    proxy->before_run -= proxy->before_run > 0;
    proxy->seat_out--;
    proxy_tell_seat(proxy, frame);
}

static void take_late_answer(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (settle_error(proxy, frame))
        return;
    proxy->stale--;
    proxy->before_run -= proxy->before_run > 0;
}

static void add_breakpoint(struct proxy *proxy, const char *text)
{
    size_t len = strcspn(text, ";");

    if (proxy->breakpoint_count < PROXY_BREAKPOINTS_MAX)
        snprintf(proxy->breakpoints[proxy->breakpoint_count++], sizeof(proxy->breakpoints[0]),
                 "%.*s", (int)len, text);
}

static void remove_breakpoint(struct proxy *proxy, const char *text)
{
    for (size_t i = proxy->breakpoint_count; i-- > 0;) {
        if (strcmp(proxy->breakpoints[i], text) == 0)
            memmove(proxy->breakpoints[i], proxy->breakpoints[--proxy->breakpoint_count],
                    sizeof(proxy->breakpoints[i]));
    }
}

/* gdb's last request was granted. */
static void note_granted(struct proxy *proxy)
{
    const char *request = proxy->gdb_last;

    if (strncmp(request, "QNonStop:", 9) == 0)
        proxy->non_stop = request[9] == '1';
    else if (request[0] == 'Z')
        add_breakpoint(proxy, request + 1);
    else if (request[0] == 'z')
        remove_breakpoint(proxy, request + 1);
    else if (strcmp(request, "D") == 0 || strncmp(request, "D;", 2) == 0)
        proxy->session = false;
}

static void take_gdb_answer(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy_tell_gdb(proxy, frame->raw, frame->raw_len);
    if (proxy_is_console(frame))
        return;
    if (proxy->gdb_out > 0 && --proxy->gdb_out == 0 && proxy_is(frame, "OK"))
        note_granted(proxy);
}

/* An answer to a resume says that it failed; a request of the target to gdb (file I/O) is gdb's to
 * answer, and lets the core run on then. */
static void take_while_running(struct proxy *proxy, const struct proxy_frame *frame)
{
    bool to_seat = !proxy_starts(frame, "F") || proxy_is_hex(frame);

    if (to_seat && proxy->seat_out > 0) {
        take_seat_answer(proxy, frame);
        return;
    }
    if (to_seat && proxy->stale > 0) {
        take_late_answer(proxy, frame);
        return;
    }
    if (proxy->gdb_out == 0)
        end_run(proxy);
    take_gdb_answer(proxy, frame);
}

/* What the seat sent halted a machine that gdb believed to be halted, and was lost; the seat knows
 * what to do. */
static bool was_eaten(const struct proxy *proxy, const struct proxy_frame *frame)
{
    return proxy->server == RSP_SERVER_QEMU && proxy->seat_out > 0 &&
           rsp_stop_signal(frame->body, frame->len) == RSP_SIGNAL_INT;
}

static void take_while_halted(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (was_eaten(proxy, frame)) {
        proxy->eaten = true;
        proxy->seat_out--;
        proxy_tell_seat(proxy, frame);
    } else if (proxy->seat_out == 0 || proxy_is_stop(frame)) {
        take_gdb_answer(proxy, frame);
    } else if (proxy_is_console(frame)) {
        proxy_tell_seat(proxy, frame);
    } else {
        take_seat_answer(proxy, frame);
    }
}

static void take_outside(struct proxy *proxy, const struct proxy_frame *frame)
{
    proxy_tell_seat(proxy, frame);
    if (proxy_is_console(frame))
        return;
    if (proxy->no_ack_asked && proxy_is(frame, "OK")) {
        proxy->server_no_ack = true;
        proxy->ack_owed = true;
    }
    proxy->no_ack_asked = false;
    if (strstr(frame->body, "QNonStop+") != NULL)
        proxy->non_stop_offered = true;
    if (proxy->seat_out > 0)
        proxy->seat_out--;
}

static void take_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->running && !proxy->non_stop && proxy_is_stop(frame))
        take_stop(proxy, frame);
    else if (proxy->session && proxy->running && proxy_is_console(frame))
        proxy_tell_gdb(proxy, frame->raw, frame->raw_len);
    else if (proxy->syncing)
        take_while_syncing(proxy, frame);
    else if (!proxy->session)
        take_outside(proxy, frame);
    else if (proxy->running)
        take_while_running(proxy, frame);
    else
        take_while_halted(proxy, frame);
}

static void ask_server_again(struct proxy *proxy)
{
    buffer_add(&proxy->to_server, "-", 1);
    if (++proxy->naks > TRIES_MAX)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: received a gdb packet with a wrong checksum (is this a gdb server?)",
                        proxy->address);
}

/* Without acks nobody could ask again: whoever gets it sees the wrong checksum. */
static void take_server_packet(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (!proxy->server_no_ack) {
        if (!frame->right) {
            ask_server_again(proxy);
            return;
        }
        proxy->naks = 0;
        proxy->ack_owed = proxy->no_ack_asked && proxy_is(frame, "OK");
        if (!proxy->ack_owed)
            buffer_add(&proxy->to_server, "+", 1);
    }
    take_packet(proxy, frame);
}

static void send_server_again(struct proxy *proxy)
{
    if (proxy->last_to_server.len == 0 || proxy->server_no_ack)
        return;
    if (++proxy->server_resends > TRIES_MAX)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: the server rejects our packets as damaged (is this a gdb server?)",
                        proxy->address);
    else
        buffer_add(&proxy->to_server, proxy->last_to_server.data, proxy->last_to_server.len);
}

static void take_notification(struct proxy *proxy, const struct proxy_frame *frame)
{
    if (proxy->session)
        proxy_tell_gdb(proxy, frame->raw, frame->raw_len);
    else
        proxy_tell_seat(proxy, frame);
    if (proxy->non_stop && proxy_starts(frame, "Stop:"))
        proxy->running = false;
}

static void take_server_frame(void *context, const struct proxy_frame *frame)
{
    struct proxy *proxy = context;

    switch (frame->kind) {
    case PROXY_FRAME_PACKET:
        take_server_packet(proxy, frame);
        break;
    case PROXY_FRAME_NOTIFICATION:
        take_notification(proxy, frame);
        break;
    case PROXY_FRAME_ACK:
        if (proxy->last_of_seat)
            proxy_ack_seat(proxy);
        break;
    case PROXY_FRAME_NAK:
        send_server_again(proxy);
        break;
    case PROXY_FRAME_INTERRUPT:
        break;
    }
}

void proxy_feed_server(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    bool framed = proxy_framer_take(&proxy->from_server, bytes, len, take_server_frame, proxy);
    proxy_check_memory(proxy);
    if (!framed && proxy->error.code == GDBMI_OK)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: the answer is not a gdb packet (is this a gdb server?)",
                        proxy->address);
}
