/* SPDX-License-Identifier: 0BSD */
/* Whose packet goes to whom where the user's gdb and we share one connection to a gdb server;
 * without any I/O. */
#ifndef GDBMI_SRC_PROXY_H
#define GDBMI_SRC_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>

#include "proxy_frame.h"
#include "rsp_link.h"

/*
 * Three sides: the server, the user's gdb, and the seat, on which our own GDB remote link sits as
 * if it were alone with the server. Bytes of a side are fed in as they come; what is to be sent is
 * left in to_server, to_gdb and to_seat.
 *
 * A session is the time for which a gdb debugs: from its coming until it detaches or goes. Outside
 * of one all goes between seat and server. Within one:
 *  - The seat may ask only in its turn, which begins when gdb waits for nothing, or for
 *    nothing but a stop reply. Packets of gdb wait for its end; its Ctrl-C never waits.
 *  - The seat's Ctrl-C halts the core unseen by gdb (held); a stop that is not of that Ctrl-C, or
 *    for which gdb has sent one of its own, is gdb's: then nothing is held. The seat's resume sends
 *    gdb's own resume packet again; where nothing is held it is swallowed.
 *  - What the seat asked and was not answered in its turn is never mixed up with the answers to
 *    gdb: before gdb goes on, a request that all servers answer by an empty packet says where the
 *    late answers end.
 */
#define PROXY_BREAKPOINTS_MAX 64
/* What is kept of a request of gdb, with a NUL. */
#define PROXY_REQUEST_MAX 64

struct proxy {
    struct buffer to_server;
    struct buffer to_gdb;
    struct buffer to_seat;
    struct gdbmi_error error; /* the server is of no use any more: it is gone, or talks nonsense */
    bool gdb_broken;          /* what gdb says are no packets, or it can't read ours */

    bool session;
    bool running;          /* a stop reply is due; in a session: to gdb */
    bool held;             /* mprof has halted the core, and gdb assumes that it runs */
    bool turn;             /* of the seat */
    bool non_stop_offered; /* by the server */
    bool spare;            /* the seat's Ctrl-C was late and may stop the next run */

    /* Breakpoints that gdb set and did not remove: "0,20a4,2". */
    char breakpoints[PROXY_BREAKPOINTS_MAX][PROXY_REQUEST_MAX];
    size_t breakpoint_count;

    /* The rest is the proxy's own. */
    enum rsp_server server;
    bool live;          /* the server answers while the core runs */
    const char *resume; /* "c" or "vCont;c" */
    const char *address;
    uint64_t patience_ns;
    uint64_t now_ns;

    struct proxy_framer from_server, from_gdb, from_seat;
    struct buffer waiting; /* packets of gdb, until our turn ends */
    struct buffer last_to_gdb, last_to_server;
    bool last_of_seat; /* last_to_server is */
    unsigned gdb_resends, server_resends, naks;
    bool gdb_no_ack, server_no_ack;
    bool no_ack_asked; /* by the seat */
    bool ack_owed;     /* goes out with the next packet */
    bool non_stop;     /* as gdb asked for */
    unsigned gdb_out;  /* packets of gdb to which an answer is due */
    unsigned seat_out; /* ... of the seat, in this turn */
    unsigned stale;    /* ... of earlier turns or sessions */
    bool syncing;      /* the request that ends late answers is out */
    uint64_t sync_until_ns;
    char gdb_last[PROXY_REQUEST_MAX]; /* the beginning of gdb's last request */
    struct buffer run;                /* gdb's last resume packet */
    bool run_plain;      /* it does nothing but continue, so that it can be sent again */
    bool run_confirmed;  /* something was answered since */
    unsigned before_run; /* answers that are due before one to it */
    uint64_t spare_until_ns;
    bool interrupting;    /* a Ctrl-C of the seat is out */
    bool gdb_interrupted; /* gdb has sent a Ctrl-C since it resumed */
    bool eaten;           /* a machine that ran unknown to gdb was halted by what the seat sent */
    uint64_t hold_until_ns;
    struct buffer held_stop;
    /* While syncing: all answers that came. */
    struct buffer collected;
    unsigned collected_count;
    unsigned collected_expected; /* of them, to requests of ours */
    unsigned collected_for_seat; /* of these, in this turn */
    size_t error_at, error_len;  /* an error that may be the answer to gdb's resume */
};

/* address is of the server, for the texts of errors; it is borrowed. timeout_ms: for one answer. */
void proxy_init(struct proxy *proxy, const char *address, int timeout_ms);
void proxy_free(struct proxy *proxy);

/* The seat knows now which server it is. resume, which is borrowed, lets all of the target run. */
void proxy_know(struct proxy *proxy, enum rsp_server server, bool live, const char *resume);

/* A gdb begins a session, the core is halted; or its connection is gone. */
void proxy_gdb_begin(struct proxy *proxy);
void proxy_gdb_gone(struct proxy *proxy);

/* Take bytes received from a side. now_ns never decreases. */
void proxy_feed_server(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns);
void proxy_feed_gdb(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns);
void proxy_feed_seat(struct proxy *proxy, const void *bytes, size_t len, uint64_t now_ns);

/* When proxy_tick() is to be called at the latest, UINT64_MAX: never. */
uint64_t proxy_deadline(const struct proxy *proxy);
void proxy_tick(struct proxy *proxy, uint64_t now_ns);

/* Begins a turn of the seat, and returns false if that is not possible now; ends it. */
bool proxy_begin_turn(struct proxy *proxy);
void proxy_end_turn(struct proxy *proxy);

/* Whether a Ctrl-C of the seat could hold the core now. */
bool proxy_can_hold(const struct proxy *proxy);

#endif
