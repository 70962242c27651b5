/* SPDX-License-Identifier: 0BSD */
/* What a link and its proxy process say to each other over a pair of sockets. */
#ifndef GDBMI_SRC_PROXY_REQUEST_H
#define GDBMI_SRC_PROXY_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "link_ops.h"

/* Of a write, a command, or the bytes of a read. */
#define PROXY_DATA_MAX (16U << 20)

enum proxy_op {
    PROXY_STATE,
    PROXY_READ,
    PROXY_WRITE,
    PROXY_HALT,
    PROXY_RESUME,
    PROXY_SEND_RESUME, /* as PROXY_RESUME, without waiting for the server */
    PROXY_PC,
    PROXY_COMMAND,
    PROXY_CLOSE,
};

/* Followed by data_len bytes: of a write, or a command with its NUL. */
struct proxy_request {
    uint64_t id;
    uint64_t addr;
    uint64_t len; /* of a read */
    uint64_t data_len;
    enum proxy_op op;
    bool held;   /* by mprof, as the link sees it */
    int halt_ms; /* expected length of a halt, or GUARDIAN_NO_LIMIT */
};

/* Followed by data_len bytes: of a read, or a command's answer with its NUL. */
struct proxy_reply {
    uint64_t id;
    uint64_t pc;
    uint64_t data_len;
    struct gdbmi_error error;
    enum gdbmi_state state;
    bool held;         /* by mprof, after the request */
    unsigned ended_ms; /* not 0: length of a halt that was ended because mprof was stopped */
    bool live, deaf;
    unsigned halts; /* that were undone already */
    bool gdb;       /* one is attached */
    bool refused;   /* a second one was */
};

/* The first thing that the proxy process says, once: how it came out, and the link to the server as
 * it was then. Its pointers mean nothing here. */
struct proxy_opened {
    struct gdbmi_error error;
    struct gdbmi_link link;
};

#endif
