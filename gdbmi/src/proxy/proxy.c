/* SPDX-License-Identifier: 0BSD */
/* Sessions, turns and late answers where the user's gdb and we share one connection to a server. */
#include <string.h>

#include "proxy_sides.h"

/* What a gdb that is gone had asked for may be long work, like erasing flash. */
#define LONG_WORK 15U

void proxy_init(struct proxy *proxy, const char *address, int timeout_ms)
{
    *proxy = (struct proxy){
        .address = address,
        .resume = "c",
        .patience_ns = (uint64_t)timeout_ms * 1000000U,
    };
}

void proxy_free(struct proxy *proxy)
{
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
        proxy_run_again(proxy, true);
    proxy->session = false;
    proxy->gdb_broken = false;
    proxy->gdb_no_ack = false;
    proxy->to_gdb.len = 0;
    proxy->waiting.len = 0;
    proxy->stale += proxy->gdb_out;
    proxy->gdb_out = 0;
    proxy_framer_free(&proxy->from_gdb);
    proxy_sync_if_stale(proxy, proxy->patience_ns * (asked ? LONG_WORK : 1));
}

uint64_t proxy_deadline(const struct proxy *proxy)
{
    if (proxy->syncing && proxy->error.code == GDBMI_OK)
        return proxy->sync_until_ns;
    return proxy->held ? proxy->hold_until_ns : UINT64_MAX;
}

void proxy_tick(struct proxy *proxy, uint64_t now_ns)
{
    proxy->now_ns = now_ns;
    if (proxy->syncing && now_ns >= proxy->sync_until_ns)
        gdbmi_error_set(&proxy->error, GDBMI_ETIMEOUT, "%s: the server stopped answering",
                        proxy->address);
    if (proxy->held && now_ns >= proxy->hold_until_ns)
        proxy_run_again(proxy, true);
    proxy_forward_waiting(proxy);
    proxy_check_memory(proxy);
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
    proxy_check_memory(proxy);
}
