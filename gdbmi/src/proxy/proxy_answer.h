/* SPDX-License-Identifier: 0BSD */
/* What the link asks of its proxy process. */
#ifndef GDBMI_SRC_PROXY_ANSWER_H
#define GDBMI_SRC_PROXY_ANSWER_H

#include "proxy_request.h"
#include "proxy_serving.h"

struct proxy_job {
    struct proxy_request request;
    const char *in; /* what follows it */
    struct proxy_reply reply;
    char *data; /* what follows it; NULL or the caller's to free */
};

/* Does what a request says. */
void proxy_answer(struct proxy_serving *serving, struct proxy_job *job);

/* Takes what the seat has been told outside of a request: the link is told of stops, and its console
 * output is dropped. */
void proxy_drain_seat(struct proxy_serving *serving);

/* Lets the core go, if we hold it. Returns false if it may still be halted. */
bool proxy_release(struct proxy_serving *serving);

/* Lets it go as well if the owner cannot, because it is stopped; see proxy_watch.h. */
void proxy_end_halt(struct proxy_serving *serving);

/* Halts the core for a gdb that has come, and removes breakpoints that one before it left, as
 * servers do. */
enum gdbmi_code proxy_greet(struct proxy_serving *serving);

#endif
