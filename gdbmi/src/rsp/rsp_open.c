/* SPDX-License-Identifier: 0BSD */
/* Opens a GDB remote link: which server it is, how it found the target, whether it reads live. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"
#include "rsp_greeting.h"
#include "rsp_guard.h"
#include "rsp_halter.h"
#include "rsp_open.h"

#define PROBE_MS 500

/* Address 0 holds memory on most targets, and reading it has no effect of its own. */
static enum gdbmi_code probe_halted(struct rsp_link *link, struct rsp_greeting *greeting)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "m0,4", rsp_form_hex, &answer);
    greeting->read_halted = code == GDBMI_OK && answer.len == 8;
    return code;
}

static enum gdbmi_code resume_found(struct rsp_link *link)
{
    enum gdbmi_code code = rsp_resume(link);

    if (code == GDBMI_OK)
        link_let_go(&link->base);
    return code;
}

/* The probe halted the target, as any byte would QEMU. An answer may still come. */
static enum gdbmi_code undo_probe(struct rsp_link *link, uint64_t since)
{
    link->late_reply = true;
    link_hold(&link->base, since);
    return resume_found(link);
}

/* Silence is an answer here: the server hears nothing while the target runs. */
static enum gdbmi_code probe_running(struct rsp_link *link, struct rsp_greeting *greeting)
{
    int timeout_ms = link->port.io.timeout_ms < PROBE_MS ? link->port.io.timeout_ms : PROBE_MS;
    uint64_t since = clock_now_ns();
    uint64_t deadline = clock_deadline(timeout_ms);
    struct gdbmi_rsp_message answer;

    /* To some servers any byte is a reason to halt. */
    guardian_say(link->base.guardian, GUARDIAN_ASKING);
    enum gdbmi_code code = rsp_port_send(&link->port, "m0,4", &link->base.error);
    while (code == GDBMI_OK) {
        code = rsp_port_receive(&link->port, deadline, &answer, &link->base.error);
        if (code != GDBMI_OK || answer.kind == GDBMI_RSP_ACK)
            continue;
        if (rsp_note_stop(link, &answer)) {
            if (link->stop_signal != RSP_SIGNAL_TRAP)
                return undo_probe(link, since);
        } else if (rsp_form_hex(&answer)) {
            link->base.deaf = false;
            link->base.info.live = !(greeting->read_halted && rsp_is_error(&answer));
            return GDBMI_OK;
        }
    }
    link->late_reply = code == GDBMI_ETIMEOUT;
    return code == GDBMI_ETIMEOUT ? GDBMI_OK : code;
}

/* gdbserver, which offers non-stop, gets stuck in all-stop by what it hears while the program runs,
 * and any byte halts QEMU. */
static bool may_probe(const struct rsp_link *link, const struct rsp_greeting *greeting)
{
    return greeting->ran && !link->base.info.live && link->server != RSP_SERVER_QEMU &&
           !greeting->non_stop_offered;
}

/* Many servers give every stop a breakpoint's signal. If nothing tells who halted the target, it is
 * resumed: a motor that ran is not left halted. */
static enum gdbmi_code judge_trap(struct rsp_link *link, struct rsp_greeting *greeting)
{
    enum rsp_halter halter;

    if (greeting->ran || link->ended || link->stop_signal != RSP_SIGNAL_TRAP)
        return GDBMI_OK;
    enum gdbmi_code code = rsp_ask_halter(link, &halter);
    if (code != GDBMI_OK)
        return code;
    greeting->ran = halter == RSP_HALTER_REQUEST || halter == RSP_HALTER_UNKNOWN;
    greeting->guessed = halter == RSP_HALTER_UNKNOWN;
    greeting->is_process = greeting->is_process || halter == RSP_HALTER_PROCESS;
    return GDBMI_OK;
}

/* What is asked while the target is still halted; OpenOCD answers as well while it runs. */
static enum gdbmi_code prepare(struct rsp_link *link, struct rsp_greeting *greeting)
{
    bool openocd = link->server == RSP_SERVER_OPENOCD;
    enum gdbmi_code code = GDBMI_OK;

    if (link->server == RSP_SERVER_UNKNOWN && !link->non_stop)
        code = probe_halted(link, greeting);
    if (code == GDBMI_OK && !openocd && link->base.arch[0] == '\0')
        code = rsp_describe(link);
    if (code == GDBMI_OK && greeting->is_process)
        code = rsp_ask_entry(link);
    if (code == GDBMI_OK && link->base.held)
        code = resume_found(link);
    if (code == GDBMI_OK && openocd)
        code = rsp_describe(link);
    return code;
}

/* One line of a screen. */
static void say_how(struct rsp_link *link, const struct rsp_greeting *greeting)
{
    const char *how = link->base.info.live ? "read live" : "read by halts";
    double ms = (double)link->base.halted_ns / 1e6;
    char *why = link->base.why;
    size_t capacity = sizeof(link->base.why);

    if (link->non_stop && greeting->ran && link->base.halts == 0)
        snprintf(why, capacity, "GDB remote, non-stop: read live; nothing was halted");
    else if (!greeting->ran && link->server == RSP_SERVER_UNKNOWN && !greeting->is_process)
        snprintf(why, capacity,
                 "GDB remote: a breakpoint, step or fault halted the core; it stays halted");
    else if (!greeting->ran)
        snprintf(why, capacity, "GDB remote, %s; the core was halted before connecting", how);
    else if (greeting->guessed)
        snprintf(why, capacity, "GDB remote, %s; halted %.1f ms; unknown if it ran before; resumed",
                 how, ms);
    else if (greeting->was_held)
        snprintf(why, capacity,
                 "GDB remote, %s; the previous connection left the core halted; resumed", how);
    else if (link->server == RSP_SERVER_QEMU)
        snprintf(why, capacity, "GDB remote, %s; connecting halted the core for %.1f ms", how, ms);
    else
        snprintf(why, capacity, "GDB remote, %s; halted %.1f ms (by connecting or before), resumed",
                 how, ms);
}

/* A stop that OpenOCD reports as a breakpoint's is none of ours; of other servers one can't tell.
 */
static void claim_held(const struct rsp_link *link, struct rsp_greeting *greeting)
{
    greeting->was_held =
        greeting->held && !greeting->ran && link->server != RSP_SERVER_OPENOCD && !link->ended;
    greeting->ran = greeting->ran || greeting->was_held;
}

static enum gdbmi_code open_link(struct rsp_link *link, struct rsp_greeting *greeting)
{
    enum gdbmi_code code = rsp_greet(link, greeting);

    if (code == GDBMI_OK)
        code = rsp_identify(link, greeting);
    else
        greeting->ran = link->stop_seen;
    if (code == GDBMI_OK)
        claim_held(link, greeting);
    if (code == GDBMI_OK)
        code = judge_trap(link, greeting);
    greeting->found = code == GDBMI_OK || link->ended;
    /* A busy server takes a connection late, and halts the core only then: so the time counts from
     * its first byte (OpenOCD's ack just before the halt, QEMU's stop reply just after it). */
    rsp_guard_note(link);
    if (greeting->ran && !link->running)
        link_hold(&link->base, link->port.first_ns);
    else if (greeting->found)
        guardian_say(link->base.guardian, GUARDIAN_FREE);
    if (code == GDBMI_OK)
        code = prepare(link, greeting);
    if (code != GDBMI_OK)
        return code;
    link->base.info.live = link->server == RSP_SERVER_OPENOCD || link->non_stop;
    link->base.deaf = !link->base.info.live;
    if (link->non_stop || greeting->is_process)
        link->base.no_sample = "samples by halts are of cores, not of processes: use perf";
    if (may_probe(link, greeting))
        code = probe_running(link, greeting);
    if (!link->base.held)
        guardian_say(link->base.guardian, GUARDIAN_FREE);
    if (code == GDBMI_OK && link->running && !link->base.info.live)
        code = link_may_halt(&link->base, &link->base.error);
    if (code == GDBMI_OK)
        say_how(link, greeting);
    return code;
}

/* Whether a gdb server may have taken us as its client, which may have halted the target: all that
 * came is of its protocol, be it an ack or half a packet, or it is silent. */
static bool may_be_client(const struct rsp_link *link)
{
    const struct rsp_port *port = &link->port;

    if (port->foreign)
        return false;
    return port->packets > 0 || (gdbmi_rsp_skipped(port->reader) == 0 &&
                                 (port->first_ns != 0 || link->base.error.code == GDBMI_ETIMEOUT));
}

/* The target is let go, if it can be, before the error is told. */
static void give_up(struct rsp_link *link, const struct rsp_greeting *greeting,
                    struct gdbmi_error *error)
{
    struct gdbmi_error first = link->base.error;
    struct gdbmi_error second;
    uint64_t before = link_limit_release(&link->base);

    if (link->base.held && !link->port.io.lost && !link->port.io.useless &&
        rsp_resume(link) == GDBMI_OK)
        link_let_go(&link->base);
    if (may_be_client(link) && !greeting->found)
        link_warn_unknown(&link->base, &first);
    link_abandon(&link->base, &first);
    gdbmi_error_take(error, &first);
    rsp_link_ops.close(&link->base, false, &second);
    clock_limit_end(before);
}

enum gdbmi_code rsp_link_open(struct gdbmi_stream *stream, const char *address,
                              const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    struct rsp_greeting greeting = {.held = options->held, .shared = options->serve != NULL};

    struct rsp_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    }
    link_init(&made->base, &rsp_link_ops, "gdb-remote", address, options->timeout_ms);
    made->base.allow_halt = options->allow_halt;
    made->base.guardian = stream->guardian;
    made->packet_size = RSP_PACKET_SIZE_DEFAULT;
    made->resume = "c";
    made->pc_number = -1;
    made->dcsr_number = -1;
    enum gdbmi_code code =
        rsp_port_open(&made->port, stream, made->base.address, made->base.timeout_ms, error);
    if (code != GDBMI_OK) {
        free(made);
        return code;
    }
    uint64_t before = link_limit_opening(made->base.timeout_ms);
    code = open_link(made, &greeting);
    clock_limit_end(before);
    if (code != GDBMI_OK) {
        give_up(made, &greeting, error);
        return code;
    }
    *link = &made->base;
    return GDBMI_OK;
}
