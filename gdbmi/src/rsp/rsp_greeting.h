/* SPDX-License-Identifier: 0BSD */
/* The first words with a GDB server: which one it is, and how it found the target. */
#ifndef GDBMI_SRC_RSP_GREETING_H
#define GDBMI_SRC_RSP_GREETING_H

#include "rsp_link.h"

/* Of a server that does not say what it takes. */
#define RSP_PACKET_SIZE_DEFAULT 400

/* What only the opening needs to know. */
struct rsp_greeting {
    bool no_ack_offered;
    bool non_stop_offered;
    bool shared; /* with a user's gdb, which expects all-stop */
    bool passes_signals;
    bool is_process; /* with a vector of where it began */
    bool found;      /* it was found out what the target does */
    bool ran;        /* the target ran before we came */
    bool guessed;    /* nothing tells whether it ran: so that a motor that ran is not left halted */
    bool held;       /* it is halted by an earlier link of ours, if it is */
    bool was_held;   /* it was */
    bool read_halted; /* the probe's address can be read while the target is halted */
};

/* Asks what the server offers and turns acks off. */
enum gdbmi_code rsp_greet(struct rsp_link *link, struct rsp_greeting *greeting);

/* Finds out which server it is, whether the target ran before we came, and turns non-stop on. */
enum gdbmi_code rsp_identify(struct rsp_link *link, struct rsp_greeting *greeting);

/* The guardian asks these two as well, so nothing is allocated. Each returns an error only if the
 * connection fails. rsp_find_out(): whether the target ran before we came, as far as the stop that
 * the server reports lets us know; link->server is set for QEMU. Before the first answer was read,
 * or early in opening. */
enum gdbmi_code rsp_find_out(struct rsp_link *link, bool *ran);
/* Which server other than QEMU it is, and how it is told to resume. Not in non-stop mode. */
enum gdbmi_code rsp_ask_server(struct rsp_link *link);

#endif
