/* SPDX-License-Identifier: 0BSD */
/* The state of the proxy process, which its parts share. */
#ifndef GDBMI_SRC_PROXY_SERVING_H
#define GDBMI_SRC_PROXY_SERVING_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

#include "address.h"
#include "proxy.h"
#include "proxy_clients.h"
#include "proxy_listen.h"
#include "proxy_watch.h"
#include "rsp_link.h"

struct proxy_serving {
    struct gdbmi_stream seat; /* what the link below takes for the server */
    struct rsp_link *link;    /* NULL: not open */
    struct proxy proxy;
    struct address address; /* of the server */
    struct gdbmi_stream *server;
    bool server_gone; /* nothing can be read from it or written to it any more */
    struct proxy_listeners *listeners;
    int timeout_ms;
    int owner_fd;             /* of who started us; -1: gone */
    struct proxy_watch watch; /* of the owner */
    struct proxy_clients clients;
    bool probed;        /* whether the server answers while the core runs */
    uint64_t good_addr; /* could be read last */
    size_t good_len;
    unsigned unseen_halts; /* that the owner does not know of */
    struct buffer from_owner, to_owner;
};

#endif
