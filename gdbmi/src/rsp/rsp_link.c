/* SPDX-License-Identifier: 0BSD */
/* The operations of a GDB remote link: requests whose answers are checked, halts, resumes. */
#include "rsp_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"
#include "rsp_guard.h"
#include "rsp_nonstop.h"

/* How long after a resume a Ctrl-C that came too late may still halt the core. */
#define SPARE_INTERRUPT_MS 60
/* A request that no server knows, so that all answer it with an empty packet. */
#define SYNC_REQUEST "qMprofSync"

static struct rsp_link *rsp_of(struct gdbmi_link *base)
{
    return (struct rsp_link *)base;
}

static bool form_empty(const struct gdbmi_rsp_message *message)
{
    return message->len == 0;
}

/* OpenOCD tells a gdb client of every halt, but not of a resume by one of its other clients. */
static enum gdbmi_code ask_openocd(struct rsp_link *link, enum gdbmi_state *state)
{
    const char *text = NULL;

    enum gdbmi_code code = rsp_run_command(link, "[target current] curstate", &text);
    if (code == GDBMI_OK && strncmp(text, "running", strlen("running")) == 0)
        *state = GDBMI_STATE_RUNNING;
    if (code != GDBMI_ETARGET && code != GDBMI_EUNSUPPORTED)
        return code;
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
    return GDBMI_OK;
}

static enum gdbmi_code rsp_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    struct rsp_link *link = rsp_of(base);
    uint64_t deadline = clock_now_ns();
    struct gdbmi_rsp_message message;
    enum gdbmi_code code;

    do {
        code = rsp_port_receive(&link->port, deadline, &message, &base->error);
        if (code == GDBMI_OK)
            rsp_note_stop(link, &message);
    } while (code == GDBMI_OK);
    if (code != GDBMI_ETIMEOUT)
        return code;
    if (link->non_stop) {
        code = rsp_nonstop_update(link);
        if (code != GDBMI_OK)
            return code;
    }
    *state = link->running ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    if (link->server == RSP_SERVER_OPENOCD && !link->running && !base->held)
        return ask_openocd(link, state);
    return GDBMI_OK;
}

/* A core that another client of OpenOCD resumed would halt on a Ctrl-C without a stop reply. */
static enum gdbmi_code halt_by_command(struct rsp_link *link, bool *ours)
{
    const char *text = NULL;

    enum gdbmi_code code = rsp_run_command(link, "halt", &text);
    *ours = code == GDBMI_OK;
    return code;
}

static enum gdbmi_code rsp_halt(struct gdbmi_link *base, bool *ours)
{
    struct rsp_link *link = rsp_of(base);
    struct gdbmi_rsp_message answer;
    enum gdbmi_code code;

    if (link->non_stop)
        return rsp_nonstop_halt(link, ours);
    if (!link->running)
        return halt_by_command(link, ours);
    link->interrupted = true;
    code = rsp_port_interrupt(&link->port, &base->error);
    if (code == GDBMI_OK)
        code = rsp_await_stop(link);
    if (code != GDBMI_OK)
        return code;
    *ours = rsp_is_stop_ours(link);
    link->spare_interrupt = !*ours;
    if (!link->late_reply)
        return GDBMI_OK;
    link->late_reply = false;
    return rsp_exchange(link, SYNC_REQUEST, form_empty, &answer);
}

/* Waits for the ack, or in no-ack mode for nothing. */
static enum gdbmi_code await_taken(struct rsp_link *link)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    struct gdbmi_rsp_message message;
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK && !link->port.acked) {
        code = rsp_port_receive(&link->port, deadline, &message, &link->base.error);
        if (code == GDBMI_ETIMEOUT)
            return rsp_port_silence(&link->port, &link->base.error);
        if (code == GDBMI_OK)
            rsp_note_stop(link, &message);
    }
    return code;
}

static enum gdbmi_code undo_spare_interrupt(struct rsp_link *link)
{
    uint64_t deadline = clock_deadline(SPARE_INTERRUPT_MS);
    struct gdbmi_rsp_message message;
    enum gdbmi_code code = GDBMI_OK;

    link->spare_interrupt = false;
    while (code == GDBMI_OK && link->running) {
        code = rsp_port_receive(&link->port, deadline, &message, &link->base.error);
        if (code == GDBMI_OK)
            rsp_note_stop(link, &message);
    }
    if (code == GDBMI_OK && link->stop_signal == RSP_SIGNAL_INT)
        return rsp_resume(link);
    return code == GDBMI_ETIMEOUT ? GDBMI_OK : code;
}

enum gdbmi_code rsp_resume(struct rsp_link *link)
{
    rsp_guard_note(link);
    guardian_say(link->base.guardian, GUARDIAN_RESUMING);
    if (link->non_stop)
        return rsp_nonstop_resume(link);
    link->running = true;
    enum gdbmi_code code = rsp_port_send(&link->port, link->resume, &link->base.error);
    if (code == GDBMI_OK)
        code = await_taken(link);
    if (code == GDBMI_OK && link->spare_interrupt)
        code = undo_spare_interrupt(link);
    return code;
}

/* A second resume would be worse than none: its first byte would halt QEMU. */
static enum gdbmi_code rsp_send_resume(struct gdbmi_link *base)
{
    struct rsp_link *link = rsp_of(base);

    if (link->port.io.lost)
        return GDBMI_ECLOSED;
    if (link->running && !link->interrupted)
        return GDBMI_OK;
    link->running = true;
    return rsp_port_send(&link->port, link->resume, &base->error);
}

static enum gdbmi_code resume_op(struct gdbmi_link *base)
{
    return rsp_resume(rsp_of(base));
}

static enum gdbmi_code rsp_undo_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                      size_t len)
{
    char request[RSP_PORT_SHORT] = "";

    if (base->guardian == NULL)
        return GDBMI_EUNSUPPORTED;
    if (len != 0) {
        int head = snprintf(request, sizeof(request), "M%" PRIx64 ",%zx:", addr, len);
        gdbmi_rsp_hex(bytes, len, request + head);
    }
    rsp_guard_note(rsp_of(base));
    guardian_write_by(base->guardian, request, strlen(request));
    return GDBMI_OK;
}

/* A server that is deaf while the target runs waits for no ack, and QEMU would halt on it. */
static void rsp_settle(struct gdbmi_link *base)
{
    struct rsp_link *link = rsp_of(base);

    if (!base->deaf || !link->running)
        rsp_port_flush(&link->port, &base->error);
}

/* QEMU goes on by D, and so has no client any more that could be told of a stop; but it refuses
 * that once a gdb has been there that spoke of several processes. Other servers may stay halted
 * after a D, or end. */
static enum gdbmi_code leave(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;

    if (link->server != RSP_SERVER_QEMU)
        return rsp_resume(link);
    guardian_say(link->base.guardian, GUARDIAN_RESUMING);
    enum gdbmi_code code = rsp_exchange(link, "D", rsp_form_ok, &answer);
    if (code != GDBMI_OK || strcmp(answer.data, "OK") == 0)
        return code;
    return rsp_resume(link);
}

/* probe-rs lets a running target run on after a D; some versions end if a client just goes. What
 * becomes of the question is none of the target's business, so that is no error. */
static void detach(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (!link->detaches || link->port.io.lost || link->port.io.useless ||
        rsp_state(&link->base, &state) != GDBMI_OK || state != GDBMI_STATE_RUNNING)
        return;
    (void)rsp_exchange(link, "D", rsp_form_ok, &answer);
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
}

static enum gdbmi_code rsp_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    struct rsp_link *link = rsp_of(base);
    enum gdbmi_code code = GDBMI_OK;

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    if (resume)
        code = leave(link);
    if (code == GDBMI_OK && link->non_stop)
        code = rsp_nonstop_leave(link);
    if (resume && code == GDBMI_OK)
        guardian_say(base->guardian, GUARDIAN_FREE);
    if (code == GDBMI_OK)
        detach(link);
    link_warn_held(base, &base->error);
    *error = base->error;
    /* OpenOCD turns away the next client until it has seen that this one left. One that has just
     * been silent for as long is not waited for again. */
    if (link->server == RSP_SERVER_OPENOCD && !link->port.io.useless)
        link->port.io.stream->linger_ms = link->port.io.timeout_ms;
    rsp_port_close(&link->port);
    free(link);
    return code;
}

const struct gdbmi_link_ops rsp_link_ops = {
    .read = rsp_read,
    .write = rsp_write,
    .state = rsp_state,
    .halt_and_read = rsp_halt_and_read,
    .halt = rsp_halt,
    .resume = resume_op,
    .send_resume = rsp_send_resume,
    .pc = rsp_pc,
    .registers = rsp_registers,
    .sample = rsp_sample,
    .command = rsp_command,
    .undo_write = rsp_undo_write,
    .settle = rsp_settle,
    .close = rsp_close,
};
