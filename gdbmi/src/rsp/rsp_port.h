/* SPDX-License-Identifier: 0BSD */
/* GDB remote packets over a stream: acks, sending again, console output, time limits. */
#ifndef GDBMI_SRC_RSP_PORT_H
#define GDBMI_SRC_RSP_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>
#include <gdbmi/rsp.h>
#include <gdbmi/stream.h>

#include "buffer.h"
#include "port.h"

/* A packet that we send, framed. */
#define RSP_PORT_OUT_MAX 6144

/* Acks that can go out in front of a packet. */
#define RSP_PORT_OWED_MAX 64

struct rsp_port {
    struct port io;
    struct gdbmi_rsp_reader *reader;
    bool no_ack;        /* since QStartNoAckMode */
    bool notifications; /* are returned; else they are discarded */
    bool dropped;       /* one was */
    bool acked;         /* the last packet was */
    unsigned owed;      /* acks that go out with the next packet */
    unsigned resends;   /* of the last packet */
    unsigned naks;      /* that we answered since then */
    size_t packets;     /* that were ever received */
    uint64_t first_ns;  /* when the first byte came; 0: none did */
    bool foreign;       /* the server is known to be none for gdb */
    char request[32];   /* the beginning of the last packet */
    size_t out_len;     /* of the last packet, which starts after the room for acks */
    char out[RSP_PORT_OWED_MAX + RSP_PORT_OUT_MAX];
    bool collecting; /* console output is kept */
    size_t console_max;
    struct buffer console;
};

/* Takes over the stream; on failure it is closed. */
enum gdbmi_code rsp_port_open(struct rsp_port *port, struct gdbmi_stream *stream,
                              const char *address, int timeout_ms, struct gdbmi_error *error);
void rsp_port_close(struct rsp_port *port);

/* Sends text as a packet, at most RSP_PORT_OUT_MAX / 2 - 4 bytes of it, with the acks that are owed
 * in the same write. */
enum gdbmi_code rsp_port_send(struct rsp_port *port, const char *payload,
                              struct gdbmi_error *error);

/* Sends several packets in one write, at most RSP_PORT_TOGETHER_MAX. Only where there are no acks.
 */
#define RSP_PORT_SHORT        48
#define RSP_PORT_TOGETHER_MAX 8
enum gdbmi_code rsp_port_send_together(struct rsp_port *port, char (*payloads)[RSP_PORT_SHORT],
                                       size_t count, struct gdbmi_error *error);

/* rsp_port_send() with a Ctrl-C just before the packet, in the same write. */
enum gdbmi_code rsp_port_interrupt_and_send(struct rsp_port *port, const char *payload,
                                            struct gdbmi_error *error);

/* Sends one byte outside of packets: Ctrl-C. */
enum gdbmi_code rsp_port_interrupt(struct rsp_port *port, struct gdbmi_error *error);

/* Sends the acks that are owed when no packet follows for which they could wait. */
enum gdbmi_code rsp_port_flush(struct rsp_port *port, struct gdbmi_error *error);

/*
 * Waits for the next packet, or for the ack of the last one that was sent (GDBMI_RSP_ACK), or where
 * they are wanted for a notification. Console output and what is damaged never come out: the latter
 * is asked for again, and what the server did not understand is sent again. At the deadline of
 * clock_deadline(): GDBMI_ETIMEOUT, without a text, because silence may be what was hoped for. What
 * has arrived by then still comes out, but not without end if the server never stops sending.
 */
enum gdbmi_code rsp_port_receive(struct rsp_port *port, uint64_t deadline,
                                 struct gdbmi_rsp_message *message, struct gdbmi_error *error);

/* The error for a stop reply that was damaged, as far as one can tell; the port is useless from
 * then on. It is asked for again, but QEMU then sends the last packet that it sent again, which may
 * be the answer after the stop: that comes twice, and the stop never. */
enum gdbmi_code rsp_port_lost_stop(struct rsp_port *port, struct gdbmi_error *error);

/* The error for silence where an answer was due; the port is useless from then on. */
enum gdbmi_code rsp_port_silence(struct rsp_port *port, struct gdbmi_error *error);

/* Keeps console output from now on, until rsp_port_collected(): that returns it as a text, valid
 * until the next call of either (NULL: out of memory). Output of more than console_max bytes is
 * incomplete. rsp_port_reserve() makes room for it once and limits it to that, for a guardian,
 * which must not allocate; it returns false if memory runs out. */
void rsp_port_collect(struct rsp_port *port);
void rsp_port_append_hex(struct rsp_port *port, const char *hex, size_t len);
const char *rsp_port_collected(struct rsp_port *port);
bool rsp_port_reserve(struct rsp_port *port, size_t console_max);

#endif
