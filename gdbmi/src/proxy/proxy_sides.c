/* SPDX-License-Identifier: 0BSD */
/* Bytes to the sides of the proxy, and the end of late answers. */
#include "proxy_sides.h"

/* What gdb may leave unread, what it may ask while it has to wait, and what a server may say before
 * the end of its late answers. */
#define GDB_MAX       (1U << 20)
#define COLLECTED_MAX (4U << 20)

#define SYNC "qMprofSync"

void proxy_send(struct proxy *proxy, const char *raw, size_t len, bool of_seat)
{
    if (proxy->ack_owed)
        buffer_add(&proxy->to_server, "+", 1);
    proxy->ack_owed = false;
    buffer_add(&proxy->to_server, raw, len);
    buffer_set(&proxy->last_to_server, raw, len);
    proxy->last_of_seat = of_seat;
    proxy->server_resends = 0;
}

void proxy_send_text(struct proxy *proxy, const char *text, bool of_seat)
{
    struct buffer packet = {.data = NULL};

    proxy_packet_add(&packet, text);
    if (packet.failed)
        proxy->to_server.failed = true;
    else
        proxy_send(proxy, packet.data, packet.len, of_seat);
    buffer_free(&packet);
}

void proxy_check_memory(struct proxy *proxy)
{
    const struct buffer *buffers[] = {
        &proxy->to_server,       &proxy->to_gdb,         &proxy->to_seat,
        &proxy->waiting,         &proxy->last_to_server, &proxy->collected,
        &proxy->held_stop,       &proxy->last_to_gdb,    &proxy->run,
        &proxy->from_server.raw, &proxy->from_seat.raw,
    };

    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
        if (buffers[i]->failed && proxy->error.code == GDBMI_OK)
            gdbmi_error_set(&proxy->error, GDBMI_ENOMEM, "%s: out of memory", proxy->address);
    }
}

static void bound_gdb(struct proxy *proxy)
{
    size_t most = proxy->to_gdb.len > proxy->waiting.len ? proxy->to_gdb.len : proxy->waiting.len;

    proxy->gdb_broken = proxy->gdb_broken || most > GDB_MAX;
}

void proxy_owe_gdb(struct proxy *proxy, const char *raw, size_t len)
{
    buffer_add(&proxy->to_gdb, raw, len);
    bound_gdb(proxy);
}

void proxy_keep_waiting(struct proxy *proxy, const struct proxy_frame *frame)
{
    buffer_add(&proxy->waiting, frame->raw, frame->raw_len);
    bound_gdb(proxy);
}

void proxy_collect(struct proxy *proxy, const struct proxy_frame *frame)
{
    buffer_add(&proxy->collected, frame->raw, frame->raw_len);
    if (proxy->collected.len > COLLECTED_MAX)
        gdbmi_error_set(&proxy->error, GDBMI_EPROTOCOL,
                        "%s: the server keeps sending replies that were not requested",
                        proxy->address);
}

void proxy_tell_gdb(struct proxy *proxy, const char *raw, size_t len)
{
    proxy_owe_gdb(proxy, raw, len);
    if (!proxy->gdb_no_ack)
        buffer_set(&proxy->last_to_gdb, raw, len);
    proxy->gdb_resends = 0;
}

void proxy_tell_gdb_ok(struct proxy *proxy)
{
    proxy_tell_gdb(proxy, "$OK#9a", 6);
}

void proxy_tell_seat(struct proxy *proxy, const struct proxy_frame *frame)
{
    buffer_add(&proxy->to_seat, frame->raw, frame->raw_len);
}

void proxy_ack_seat(struct proxy *proxy)
{
    if (!proxy->server_no_ack)
        buffer_add(&proxy->to_seat, "+", 1);
}

/* Late answers. */

void proxy_start_sync(struct proxy *proxy, uint64_t patience_ns)
{
    proxy->syncing = true;
    proxy->collected.len = 0;
    proxy->collected_count = 0;
    proxy->collected_expected = proxy->stale + proxy->seat_out;
    /* Behind late answers, one of which may be lost, the seat's could not be told. */
    if (proxy->stale > 0)
        proxy->seat_out = 0;
    proxy->collected_for_seat = proxy->seat_out;
    proxy->stale = 0;
    proxy->error_at = proxy->error_len = 0;
    proxy->sync_until_ns = proxy->now_ns + patience_ns;
    proxy_send_text(proxy, SYNC, false);
}

/* A server that is deaf while the core runs is asked when it stops. */
void proxy_sync_if_stale(struct proxy *proxy, uint64_t patience_ns)
{
    bool deaf = proxy->running && !proxy->held && !proxy->live;

    if (proxy->stale > 0 && !proxy->syncing && !deaf)
        proxy_start_sync(proxy, patience_ns);
}

bool proxy_must_gdb_wait(const struct proxy *proxy)
{
    return proxy->turn || proxy->syncing || proxy->held;
}

/* An answer that is due to the seat comes before one to this. */
void proxy_run_again(struct proxy *proxy, bool of_seat)
{
    proxy->held = false;
    proxy->run_confirmed = false;
    proxy->before_run = proxy->seat_out + proxy->stale;
    if (proxy->run.len > 0)
        proxy_send(proxy, proxy->run.data, proxy->run.len, of_seat);
    else /* there was no memory for it */
        proxy_send_text(proxy, proxy->resume, of_seat);
}

void proxy_let_run(struct proxy *proxy)
{
    if (proxy->held)
        proxy_run_again(proxy, true);
    else
        proxy_send_text(proxy, proxy->resume, true);
}
