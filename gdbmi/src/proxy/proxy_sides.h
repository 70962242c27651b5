/* SPDX-License-Identifier: 0BSD */
/* What the parts of the proxy do for each other: bytes to the sides, late answers, resumes. */
#ifndef GDBMI_SRC_PROXY_SIDES_H
#define GDBMI_SRC_PROXY_SIDES_H

#include "proxy.h"

/* A connection of which bytes are missing is given up. To be called after what adds bytes. */
void proxy_check_memory(struct proxy *proxy);

/* A packet to the server. of_seat: its ack goes to the seat. */
void proxy_send(struct proxy *proxy, const char *raw, size_t len, bool of_seat);
void proxy_send_text(struct proxy *proxy, const char *text, bool of_seat);

/* Bytes to gdb, a request of gdb that has to wait, and an answer of the server that is kept: a side
 * that sends or leaves unread more than anybody needs is given up. */
void proxy_owe_gdb(struct proxy *proxy, const char *raw, size_t len);
void proxy_keep_waiting(struct proxy *proxy, const struct proxy_frame *frame);
void proxy_collect(struct proxy *proxy, const struct proxy_frame *frame);

/* A packet to gdb. */
void proxy_tell_gdb(struct proxy *proxy, const char *raw, size_t len);
void proxy_tell_gdb_ok(struct proxy *proxy);
void proxy_tell_seat(struct proxy *proxy, const struct proxy_frame *frame);
void proxy_ack_seat(struct proxy *proxy);

/* Asks the server for the end of late answers: if there may be any, and it can hear us. */
void proxy_start_sync(struct proxy *proxy, uint64_t patience_ns);
void proxy_sync_if_stale(struct proxy *proxy, uint64_t patience_ns);

/* Packets of gdb wait; what waited goes on if it needs to no longer. */
bool proxy_must_gdb_wait(const struct proxy *proxy);
void proxy_forward_waiting(struct proxy *proxy);

/* The core runs again as gdb had said, after a stop that it was not told of. */
void proxy_run_again(struct proxy *proxy, bool of_seat);

/* Resumes the core that mprof holds, whether the server answers or not. */
void proxy_let_run(struct proxy *proxy);

#endif
