/* SPDX-License-Identifier: 0BSD */
/* The guardian of a GDB remote link: how it finds out whether the target is to run, and lets it go.
 */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_guard.h"
#include "rsp_link.h"

/* For the stop that a Ctrl-C brings, or the answer to a question. */
#define ANSWER_MS 1000
/* A server that is busy takes a connection late. */
#define OPENING_MS 15000
/* Nothing more comes: a stop by a Ctrl-C that the server had remembered would have come by then. */
#define QUIET_MS 60
/* One that is never quiet is listened to for so long after its first word was due. */
#define TALK_MS 2000
/* A resume is heard at the first try, or at the second where its first byte halted QEMU. */
#define TRIES_MAX 5

enum variant {
    VARIANT_ACKS,
    VARIANT_NO_ACK,
};

void rsp_guard_note(const struct rsp_link *link)
{
    guardian_say_variant(link->base.guardian, link->port.no_ack ? VARIANT_NO_ACK : VARIANT_ACKS);
    guardian_resume_by(link->base.guardian, link->resume, strlen(link->resume) + 1);
}

/* Takes what comes until the server is quiet: link->running and link->stop_... say what it was.
 * *detached: it let the target run and has no client any more. False: the connection is lost. */
static bool listen_until_quiet(struct rsp_link *link, int first_ms, bool *detached)
{
    uint64_t before = clock_limit_begin((uint64_t)first_ms + TALK_MS);
    uint64_t deadline = clock_deadline(first_ms);
    struct gdbmi_rsp_message message;
    enum gdbmi_code code;

    *detached = false;
    for (;;) {
        code = rsp_port_receive(&link->port, deadline, &message, &link->base.error);
        if (code != GDBMI_OK)
            break;
        if (message.kind == GDBMI_RSP_ACK)
            link->running = true;
        else if (!rsp_note_stop(link, &message) && strcmp(message.data, "OK") == 0)
            *detached = true;
        deadline = clock_deadline(QUIET_MS);
    }
    clock_limit_end(before);
    return code == GDBMI_ETIMEOUT;
}

/* Halted by a breakpoint, or there is no program any more: that is not ours to undo. */
static bool is_stop_of_others(const struct rsp_link *link)
{
    return link->stop_seen && !link->running &&
           (link->ended || link->stop_signal == RSP_SIGNAL_TRAP);
}

/* Until the server took it and no stop came after it. */
static void resume(struct rsp_link *link)
{
    int first_ms = link->port.no_ack ? QUIET_MS : ANSWER_MS;
    bool detached;

    link->running = false;
    for (int i = 0; i < TRIES_MAX && !link->running; i++) {
        if (rsp_port_send(&link->port, link->resume, &link->base.error) != GDBMI_OK)
            return;
        link->running = link->port.no_ack;
        link->stop_seen = false;
        if (!listen_until_quiet(link, first_ms, &detached) || is_stop_of_others(link))
            return;
    }
}

/* The target was running and was told to halt, or is halted by us, or was told to run again. */
static void let_go(struct rsp_link *link, enum guardian_state state)
{
    bool detached;

    /* Then an ack is that of the resume; else it is that of a question, and means nothing. */
    link->port.acked = state != GUARDIAN_RESUMING;
    if (!listen_until_quiet(link, state == GUARDIAN_HALTING ? ANSWER_MS : QUIET_MS, &detached))
        return;
    if (is_stop_of_others(link))
        return;
    if (state == GUARDIAN_RESUMING && (link->running || detached))
        return;
    resume(link);
}

/* It was halted, and ran only if our question halted it. */
static void let_go_if_halted_by_question(struct rsp_link *link)
{
    bool detached;

    if (listen_until_quiet(link, ANSWER_MS, &detached) && link->stop_seen &&
        link->stop_signal == RSP_SIGNAL_INT)
        resume(link);
}

/* As opening does it, from what had come before and what still comes. */
static void undo_opening(struct rsp_link *link)
{
    bool ran = false;

    link->port.timeout_ms = OPENING_MS;
    /* OpenOCD blocks all its clients until a new one says something. */
    link->port.owed = 1;
    enum gdbmi_code code = rsp_find_out(link, &ran);
    if (!ran && !link->base.held)
        return;
    link->port.no_ack = code == GDBMI_OK && !link->port.acked;
    resume(link);
}

void rsp_guard_undo(struct rsp_link *link, struct gdbmi_stream *stream,
                    const struct guardian_page *page)
{
    enum guardian_state state = (enum guardian_state)atomic_load(&page->state);

    link->port.stream = stream;
    link->port.no_ack = atomic_load(&page->variant) == VARIANT_NO_ACK;
    link->resume = page->resumes[atomic_load(&page->resume)].bytes;
    link->port.in_len = strnlen(page->heard, sizeof(link->port.in));
    memcpy(link->port.in, page->heard, link->port.in_len);
    if (state == GUARDIAN_OPENING)
        undo_opening(link);
    else if (state == GUARDIAN_ASKING)
        let_go_if_halted_by_question(link);
    else if (state != GUARDIAN_FREE)
        let_go(link, state);
}

static void undo(const struct guardian_page *page, const int *fds, size_t count, void *context)
{
    struct guardian_stream stream;

    guardian_stream_init(&stream, fds, count);
    rsp_guard_undo(context, &stream.base, page);
    stream.base.ops->close(&stream.base);
}

struct rsp_link *rsp_guard_new(void)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    struct rsp_link *link = calloc(1, sizeof(*link));

    if (link != NULL &&
        rsp_port_open(&link->port, NULL, link->base.address, ANSWER_MS, &ignored) != GDBMI_OK) {
        free(link);
        return NULL;
    }
    return link;
}

void rsp_guard_free(struct rsp_link *link)
{
    rsp_port_close(&link->port);
    free(link);
}

/* The link is made here, because the guardian must not allocate: it works on its copy. */
struct guardian *rsp_guard_start(bool held)
{
    struct rsp_link *link = rsp_guard_new();

    if (link == NULL)
        return NULL;
    link->base.held = held;
    struct guardian *guardian = guardian_start(GUARDIAN_OPENING, undo, link);
    guardian_resume_by(guardian, "c", sizeof("c"));
    rsp_guard_free(link);
    return guardian;
}
