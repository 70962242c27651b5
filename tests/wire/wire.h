/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire between a client and a server: bytes go in, other bytes or none come out. No I/O.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Faults that only a protocol in packets of gdb's kind can have stand at the end. */
enum wire_fault {
    WIRE_NONE,
    WIRE_DELAY,   /* the bytes come late, but within any time limit */
    WIRE_SPLIT,   /* each byte alone */
    WIRE_MERGE,   /* nothing is passed on before the sender has been quiet */
    WIRE_FLIP,    /* a bit of a byte */
    WIRE_DROP,    /* a byte is missing */
    WIRE_DOUBLE,  /* a byte comes twice */
    WIRE_SILENT,  /* from some byte on nothing is heard, and nobody is told */
    WIRE_CLOSE,   /* from some byte on the connection is closed */
    WIRE_NAK,     /* packets of the client are answered by '-' and do not arrive */
    WIRE_CONSOLE, /* O packets before and behind the server's packets */
    WIRE_STOP,    /* stop replies there that no core sent */
    WIRE_FAULTS,
};

enum wire_direction {
    WIRE_UP,   /* from the client to the server */
    WIRE_DOWN, /* from the server to the client */
};

struct wire_plan {
    enum wire_fault fault;
    uint32_t seed; /* not 0 */
    size_t clean;  /* bytes in both directions before the first fault */
    size_t gap;    /* bytes at least between two: so that a packet has one fault at most */
};

/* Takes what comes out. A call is a piece that arrives alone. */
typedef void wire_put(void *context, enum wire_direction direction, const char *bytes, size_t len);

struct wire_side {
    char out[65536]; /* what goes on next, in one piece */
    size_t out_len;
    bool inside; /* a packet of gdb's kind */
    int digits;  /* of its checksum that are still to come */
    bool swallow;
    char begin[20]; /* of the packet */
    size_t begin_len;
};

struct wire {
    struct wire_plan plan;
    wire_put *put;
    void *context;
    uint32_t random;
    size_t passed;
    size_t next;      /* the byte that the next fault hits */
    unsigned refused; /* packets in a row */
    bool no_ack;      /* the client asked for it */
    bool silent;
    bool closed;     /* the transport is to close both ends */
    unsigned faults; /* that happened */
    struct wire_side sides[2];
};

void wire_init(struct wire *wire, const struct wire_plan *plan, wire_put *put, void *context);

/* Bytes that somebody sent. */
void wire_feed(struct wire *wire, enum wire_direction direction, const char *bytes, size_t len);

/* The senders have been quiet for a moment. */
void wire_quiet(struct wire *wire);

/* For how long the transport is to keep what comes next, in milliseconds. */
unsigned wire_delay_ms(struct wire *wire);

const char *wire_fault_name(enum wire_fault fault);

/* WIRE_FAULTS if there is none of that name. */
enum wire_fault wire_fault_find(const char *name);

#endif
