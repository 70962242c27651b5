/* SPDX-License-Identifier: 0BSD */
/* The guardian of a GDB remote link: how it finds out whether the target is to run, and lets it go.
 */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"
#include "rsp_greeting.h"
#include "rsp_guard.h"
#include "rsp_halter.h"

/* Nobody waits for a guardian, and on a busy machine a server may be late with everything. */

/* For the stop that a Ctrl-C brings, or the answer to a question. */
#define ANSWER_MS 1000
/* A server that is busy takes a connection late. */
#define OPENING_MS 100000
/* For the ack of a resume by a server that has just answered, and keeps the target halted. */
#define TAKEN_MS 10000
/* Nothing more comes: a stop by a Ctrl-C that the server had remembered would have come by then. */
#define QUIET_MS 500
/* ... and so would what a resume brings that was sent twice. */
#define LATE_MS 5000
/* Before the target, which is held, is told to run. */
#define SETTLE_MS 60
/* One that is never quiet is listened to for so long after its first word was due. */
#define TALK_MS 10000
/* A resume is heard at the first try, or at the second where its first byte halted QEMU. A silent
 * server is given twice as long each time, which makes it as long as the guardian lives. */
#define TRIES_MAX 7

/* Of what a server prints for a command: enough to know it by. */
#define CONSOLE_MAX 4096

enum variant {
    VARIANT_ACKS,
    VARIANT_NO_ACK,
};

void rsp_guard_note(const struct rsp_link *link)
{
    guardian_say_variant(link->base.guardian, link->port.no_ack ? VARIANT_NO_ACK : VARIANT_ACKS);
    guardian_resume_by(link->base.guardian, link->resume, strlen(link->resume) + 1);
}

/* What is heard of a server. */
struct hearing {
    int first_ms;  /* for its first word */
    int quiet_ms;  /* after its last one */
    unsigned due;  /* resumes that were sent, and neither taken nor eaten by a halt: QEMU, which
                    * gets one while the target runs, halts it on the first byte */
    bool detached; /* it let the target run and has no client any more */
};

static void note(struct rsp_link *link, const struct gdbmi_rsp_message *message,
                 struct hearing *hearing)
{
    bool ack = message->kind == GDBMI_RSP_ACK;

    if (ack)
        link->running = true;
    if ((ack || rsp_note_stop(link, message)) && hearing->due > 0)
        hearing->due--;
    else if (!ack && strcmp(message->data, "OK") == 0)
        hearing->detached = true;
    if (hearing->due > 0)
        link->port.acked = false;
}

/* Takes what comes until the server is quiet: link->running and link->stop_... say what it was.
 * False: the connection is lost. */
static bool listen_until_quiet(struct rsp_link *link, struct hearing *hearing)
{
    uint64_t before = clock_limit_begin((uint64_t)hearing->first_ms + TALK_MS);
    uint64_t deadline = clock_deadline(hearing->first_ms);
    struct gdbmi_rsp_message message;
    enum gdbmi_code code;

    for (;;) {
        code = rsp_port_receive(&link->port, deadline, &message, &link->base.error);
        if (code != GDBMI_OK)
            break;
        note(link, &message, hearing);
        deadline = clock_deadline(hearing->due > 0 ? LATE_MS : hearing->quiet_ms);
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

/* Until the server took it and no stop came after it. answer_ms: for the first ack. A second one
 * that a late server gets when it has taken the first halts the target again. */
static void resume(struct rsp_link *link, int answer_ms)
{
    struct hearing hearing = {
        .first_ms = link->port.no_ack ? QUIET_MS : answer_ms,
        .quiet_ms = QUIET_MS,
    };

    link->running = false;
    for (int i = 0; i < TRIES_MAX && !link->running; i++) {
        if (rsp_port_send(&link->port, link->resume, &link->base.error) != GDBMI_OK)
            return;
        hearing.due += !link->port.no_ack;
        link->running = link->port.no_ack;
        link->stop_seen = false;
        if (!listen_until_quiet(link, &hearing) || is_stop_of_others(link))
            return;
        if (!link->stop_seen)
            hearing.first_ms *= 2;
    }
}

/* The target was running and was told to halt, or is halted by us, or was told to run again. */
static void let_go(struct rsp_link *link, enum guardian_state state)
{
    bool answers = state == GUARDIAN_HALTING || (state == GUARDIAN_RESUMING && !link->port.no_ack);
    struct hearing hearing = {.first_ms = answers ? ANSWER_MS : SETTLE_MS, .quiet_ms = SETTLE_MS};

    /* Then an ack is that of the resume; else it is that of a question, and means nothing. */
    link->port.acked = state != GUARDIAN_RESUMING;
    if (!listen_until_quiet(link, &hearing))
        return;
    if (is_stop_of_others(link))
        return;
    if (state == GUARDIAN_RESUMING && (link->running || hearing.detached))
        return;
    resume(link, ANSWER_MS);
}

/* It was halted, and ran only if our question halted it. */
static void let_go_if_halted_by_question(struct rsp_link *link)
{
    struct hearing hearing = {.first_ms = ANSWER_MS, .quiet_ms = SETTLE_MS};

    if (listen_until_quiet(link, &hearing) && link->stop_seen &&
        link->stop_signal == RSP_SIGNAL_INT)
        resume(link, ANSWER_MS);
}

static bool form_supported(const struct gdbmi_rsp_message *message)
{
    return strstr(message->data, "PacketSize=") != NULL;
}

/* Skips the answers to what this process had asked, and to what was asked of QEMU only: all of them
 * come before the one to this. A server that does not know the question says nothing like that. */
static enum gdbmi_code skip_old_answers(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;

    link->port.io.timeout_ms = TALK_MS;
    enum gdbmi_code code =
        rsp_exchange(link, "qSupported:vContSupported+", form_supported, &answer);
    link->port.io.timeout_ms = OPENING_MS;
    if (code != GDBMI_ETIMEOUT)
        return code;
    link->port.io.useless = false;
    return GDBMI_OK;
}

static enum gdbmi_code ask_more(struct rsp_link *link, bool know, enum rsp_halter *halter)
{
    enum gdbmi_code code = skip_old_answers(link);

    if (code == GDBMI_OK)
        code = rsp_ask_server(link);
    if (code == GDBMI_OK && !know && link->stop_signal == RSP_SIGNAL_TRAP)
        code = rsp_ask_halter(link, halter);
    return code;
}

/* As opening does it: whether the target is to run. If nothing tells, it is. */
static bool find_out_as_opening(struct rsp_link *link)
{
    enum rsp_halter halter = RSP_HALTER_OTHER;
    bool ran = false;

    enum gdbmi_code code = rsp_find_out(link, &ran);
    ran = ran || link->base.held;
    link->port.no_ack = code == GDBMI_OK && !link->port.acked;
    if (code == GDBMI_OK && link->server != RSP_SERVER_QEMU && !link->ended)
        code = ask_more(link, ran, &halter);
    return ran ||
           (code == GDBMI_OK && (halter == RSP_HALTER_REQUEST || halter == RSP_HALTER_UNKNOWN));
}

/* From what had come before and what still comes. */
static void undo_opening(struct rsp_link *link)
{
    link->port.io.timeout_ms = OPENING_MS;
    /* OpenOCD blocks all its clients until a new one says something. */
    link->port.owed = 1;
    if (find_out_as_opening(link))
        resume(link, TAKEN_MS);
}

/* By a server that hears that while the target runs. */
static void undo_write(struct rsp_link *link, const char *request)
{
    struct hearing hearing = {.first_ms = ANSWER_MS, .quiet_ms = SETTLE_MS};

    if (rsp_port_send(&link->port, request, &link->base.error) == GDBMI_OK)
        (void)listen_until_quiet(link, &hearing);
}

void rsp_guard_undo(struct rsp_link *link, struct gdbmi_stream *stream,
                    const struct guardian_page *page)
{
    enum guardian_state state = (enum guardian_state)atomic_load(&page->state);

    link->port.io.stream = stream;
    link->port.no_ack = atomic_load(&page->variant) == VARIANT_NO_ACK;
    link->resume = page->resumes[atomic_load(&page->resume)].bytes;
    link->port.io.in_len = strnlen(page->heard, sizeof(link->port.io.in));
    memcpy(link->port.io.in, page->heard, link->port.io.in_len);
    if (state == GUARDIAN_OPENING)
        undo_opening(link);
    else if (state == GUARDIAN_ASKING)
        let_go_if_halted_by_question(link);
    else if (state != GUARDIAN_FREE)
        let_go(link, state);
    if (atomic_load(&page->write_len) != 0)
        undo_write(link, page->write);
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

    if (link == NULL)
        return NULL;
    if (rsp_port_open(&link->port, NULL, link->base.address, ANSWER_MS, &ignored) != GDBMI_OK) {
        free(link);
        return NULL;
    }
    link->packet_size = RSP_PACKET_SIZE_DEFAULT;
    link->pc_number = -1;
    link->dcsr_number = -1;
    if (rsp_port_reserve(&link->port, CONSOLE_MAX))
        return link;
    rsp_guard_free(link);
    return NULL;
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
