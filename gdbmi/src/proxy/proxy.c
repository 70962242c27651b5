/* SPDX-License-Identifier: 0BSD */
/* Sessions, turns and late answers where the user's gdb and we share one connection to a server. */
#include <stdlib.h>
#include <string.h>

#include "proxy_sides.h"

/* What a gdb that is gone had asked for may be long work, like erasing flash. */
#define LONG_WORK 15U
/* What gdb may leave unread, what it may ask while it has to wait, and what a server may say before
 * the end of its late answers. */
#define GDB_MAX       (1U << 20)
#define COLLECTED_MAX (4U << 20)

#define SYNC "qMprofSync"

void proxy_init(struct proxy *proxy, const char *address, int timeout_ms)
{
    *proxy = (struct proxy){
        .address = address,
        .resume = "c",
        .patience_ns = (uint64_t)timeout_ms * 1000000U,
    };
}

void proxy_forget_last_breakpoint(struct proxy *proxy)
{
    free(proxy->breakpoints[--proxy->breakpoint_count]);
}

void proxy_forget_breakpoints(struct proxy *proxy)
{
    while (proxy->breakpoint_count > 0)
        proxy_forget_last_breakpoint(proxy);
}

void proxy_free(struct proxy *proxy)
{
    proxy_forget_breakpoints(proxy);
    proxy_framer_free(&proxy->from_server);
    proxy_framer_free(&proxy->from_gdb);
    proxy_framer_free(&proxy->from_seat);
    buffer_free(&proxy->to_server);
    buffer_free(&proxy->to_gdb);
    buffer_free(&proxy->to_seat);
    buffer_free(&proxy->waiting);
    buffer_free(&proxy->last_to_gdb);
    buffer_free(&proxy->last_to_server);
    buffer_free(&proxy->run);
    buffer_free(&proxy->held_stop);
    buffer_free(&proxy->collected);
}

void proxy_know(struct proxy *proxy, enum rsp_server server, bool live, const char *resume)
{
    proxy->server = server;
    proxy->live = live;
    proxy->resume = resume;
    proxy->seat_out = 0;
}

/* To the sides. */

void proxy_send(struct proxy *proxy, const char *raw, size_t len, enum proxy_owner owner)
{
    if (proxy->ack_owed)
        buffer_add(&proxy->to_server, "+", 1);
    proxy->ack_owed = false;
    buffer_add(&proxy->to_server, raw, len);
    buffer_set(&proxy->last_to_server, raw, len);
    proxy->last_owner = owner;
    proxy->server_resends = 0;
}

void proxy_send_text(struct proxy *proxy, const char *text, enum proxy_owner owner)
{
    struct buffer packet = {.data = NULL};

    proxy_packet_add(&packet, text);
    proxy_send(proxy, packet.data, packet.len, owner);
    buffer_free(&packet);
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
    struct buffer ok = {.data = NULL};

    proxy_packet_add(&ok, "OK");
    proxy_tell_gdb(proxy, ok.data, ok.len);
    buffer_free(&ok);
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
    proxy_send_text(proxy, SYNC, PROXY_OWNER_NOBODY);
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

/* Sessions, turns, time. */

static void restart(struct proxy_framer *framer)
{
    proxy_framer_free(framer);
    *framer = (struct proxy_framer){.taken = false};
}

void proxy_gdb_begin(struct proxy *proxy)
{
    proxy->session = true;
    proxy->gdb_out = 0;
    proxy->gdb_last[0] = '\0';
    proxy->non_stop = false;
    proxy->gdb_interrupted = false;
    proxy->eaten = false;
    proxy_sync_if_stale(proxy, proxy->patience_ns);
}

/* The answer to what it asked must not be taken for one to us. */
void proxy_gdb_gone(struct proxy *proxy)
{
    bool asked = proxy->gdb_out > 0;

    if (proxy->session && proxy->held)
        proxy_run_again(proxy, PROXY_OWNER_SEAT);
    proxy->session = false;
    proxy->gdb_broken = false;
    proxy->gdb_no_ack = false;
    proxy->to_gdb.len = 0;
    proxy->waiting.len = 0;
    proxy->stale += proxy->gdb_out;
    proxy->gdb_out = 0;
    restart(&proxy->from_gdb);
    proxy_sync_if_stale(proxy, proxy->patience_ns * (asked ? LONG_WORK : 1));
}

uint64_t proxy_deadline(const struct proxy *proxy)
{
    if (proxy->syncing)
        return proxy->sync_until_ns;
    return proxy->held ? proxy->hold_until_ns : UINT64_MAX;
}

void proxy_tick(struct proxy *proxy, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    if (proxy->syncing && now_ns >= proxy->sync_until_ns)
        gdbmi_error_set(&proxy->error, GDBMI_ETIMEOUT, "%s: the server does not answer any more",
                        proxy->address);
    if (proxy->held && now_ns >= proxy->hold_until_ns)
        proxy_run_again(proxy, PROXY_OWNER_SEAT);
    proxy_forward_waiting(proxy);
}

/* While gdb writes flash, nobody reads it. */
static bool is_flashing(const struct proxy *proxy)
{
    return strncmp(proxy->gdb_last, "vFlash", 6) == 0 &&
           strncmp(proxy->gdb_last, "vFlashDone", 10) != 0;
}

bool proxy_begin_turn(struct proxy *proxy)
{
    if (proxy->syncing || (proxy->stale > 0 && !(proxy->running && !proxy->live)))
        return false;
    if (proxy->session && (proxy->gdb_out > 0 || proxy->waiting.len > 0 || is_flashing(proxy)))
        return false;
    proxy->turn = true;
    return true;
}

void proxy_end_turn(struct proxy *proxy)
{
    proxy->turn = false;
    proxy->stale += proxy->seat_out;
    proxy->seat_out = 0;
    proxy_sync_if_stale(proxy, proxy->patience_ns);
    proxy_forward_waiting(proxy);
}

bool proxy_can_hold(const struct proxy *proxy)
{
    return proxy->running && proxy->run_plain && !proxy->gdb_interrupted && !proxy->interrupting &&
           !proxy->held && proxy->now_ns >= proxy->spare_until_ns;
}
