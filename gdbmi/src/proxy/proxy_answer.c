/* SPDX-License-Identifier: 0BSD */
/* What the link asks of its proxy process, done by a GDB remote link on the proxy's seat. */
#include "proxy_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "proxy_pump.h"
#include "proxy_sides.h"
#include "rsp_exchange.h"

#define PROBE_LEN 4U

static struct gdbmi_link *base_of(struct proxy_serving *s)
{
    return &s->link->base;
}

/* Whether the core runs and memory is out of reach. */
static bool is_out_of_reach(const struct proxy_serving *s)
{
    return s->proxy.running && !s->proxy.held && !s->link->base.info.live;
}

/* The proxy knows best: stops and resumes by gdb pass by the link. */
static void agree(struct proxy_serving *s)
{
    s->link->running = s->proxy.running && !s->proxy.held;
    if (s->link->running || (s->proxy.session && !s->proxy.held && !s->proxy.eaten))
        base_of(s)->held = false;
    if (s->proxy.session)
        s->link->spare_interrupt = false;
}

static enum gdbmi_code busy(struct proxy_serving *s)
{
    if (s->proxy.error.code != GDBMI_OK)
        return gdbmi_error_take(&base_of(s)->error, &s->proxy.error);
    return gdbmi_error_set(
        &base_of(s)->error, GDBMI_ETARGET,
        "%s: the attached gdb keeps the server busy: nothing can be read until it is done",
        s->address.text);
}

void proxy_drain_seat(struct proxy_serving *s)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};
    struct gdbmi_rsp_message message;

    if (s->proxy.to_seat.len == 0)
        return;
    while (rsp_port_receive(&s->link->port, clock_now_ns(), &message, &ignored) == GDBMI_OK)
        rsp_note_stop(s->link, &message);
    s->proxy.to_seat.len = 0;
}

/* A step, or a resume with a signal, is not cut in two. */
static enum gdbmi_code await_hold(struct proxy_serving *s)
{
    uint64_t deadline = clock_deadline(s->timeout_ms);

    while (s->proxy.session && s->proxy.running && !s->proxy.held && !proxy_can_hold(&s->proxy)) {
        if (clock_left_ms(deadline) == 0 || s->proxy.error.code != GDBMI_OK)
            return busy(s);
        proxy_pump(s, deadline);
    }
    return GDBMI_OK;
}

/* Halts a core that runs, without a word to gdb. *ours: it is held then. A stop that gdb was told
 * meanwhile is no answer to our Ctrl-C; one that answers an earlier one holds the core already. */
static enum gdbmi_code hold(struct proxy_serving *s, bool *ours)
{
    struct gdbmi_link *base = base_of(s);

    *ours = false;
    enum gdbmi_code code = await_hold(s);
    proxy_drain_seat(s);
    agree(s);
    if (code != GDBMI_OK || (s->proxy.session && !s->proxy.running))
        return code;
    if (!s->proxy.held)
        code = base->ops->halt(base, ours);
    if (s->proxy.session)
        *ours = s->proxy.held;
    base->held = *ours;
    return code;
}

static enum gdbmi_code come_into_reach(struct proxy_serving *s)
{
    bool ours;

    if (!is_out_of_reach(s))
        return GDBMI_OK;
    enum gdbmi_code code = link_may_halt(base_of(s), &base_of(s)->error);
    return code == GDBMI_OK ? hold(s, &ours) : code;
}

/* Asks for bytes that could be read while the core was halted, and waits for an answer or a stop,
 * as long as for any answer: a busy server must not be taken for a deaf one, of which nothing could
 * be read any more. */
static enum gdbmi_code try_live(struct proxy_serving *s, bool *live)
{
    uint64_t deadline = clock_deadline(s->timeout_ms);
    struct gdbmi_error *error = &base_of(s)->error;
    struct gdbmi_rsp_message message;
    char request[48];

    snprintf(request, sizeof(request), "m%" PRIx64 ",%zx", s->good_addr, s->good_len);
    enum gdbmi_code code = rsp_port_send(&s->link->port, request, error);
    while (code == GDBMI_OK) {
        code = rsp_port_receive(&s->link->port, deadline, &message, error);
        if (code != GDBMI_OK || message.kind == GDBMI_RSP_ACK)
            continue;
        *live = !rsp_note_stop(s->link, &message) && message.len == 2 * s->good_len;
        break;
    }
    return code == GDBMI_ETIMEOUT ? GDBMI_OK : code;
}

/* A server that was found with its core halted could not be asked before. One that halts the core
 * for whatever it hears is set going again; what it answers late is the proxy's care. */
static enum gdbmi_code probe(struct proxy_serving *s)
{
    struct gdbmi_link *base = base_of(s);
    bool live = false;

    if (s->probed || s->good_len == 0 || !is_out_of_reach(s) || !proxy_can_hold(&s->proxy) ||
        !proxy_begin_turn(&s->proxy))
        return GDBMI_OK;
    s->probed = true;
    s->proxy.interrupting = true;
    enum gdbmi_code code = try_live(s, &live);
    s->proxy.interrupting = false;
    if (live) {
        base->info.live = true;
        base->deaf = false;
        s->proxy.live = true;
    }
    if (code == GDBMI_OK && s->proxy.held) {
        s->unseen_halts++;
        code = base->ops->resume(base);
    }
    proxy_end_turn(&s->proxy);
    return code;
}

static enum gdbmi_code answer_state(struct proxy_serving *s, enum gdbmi_state *state)
{
    enum gdbmi_code code = probe(s);

    agree(s);
    *state = s->proxy.running && !s->proxy.held ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    if (code != GDBMI_OK || (s->proxy.session && s->proxy.running))
        return code;
    if (!proxy_begin_turn(&s->proxy))
        return GDBMI_OK;
    code = base_of(s)->ops->state(base_of(s), state);
    proxy_end_turn(&s->proxy);
    return code;
}

typedef enum gdbmi_code proxy_step(struct proxy_serving *serving, struct proxy_job *job);

/* What is to be done while gdb waits. */
static enum gdbmi_code in_turn(struct proxy_serving *s, proxy_step *step, struct proxy_job *job)
{
    if (!proxy_await_turn(s))
        return busy(s);
    enum gdbmi_code code = step(s, job);
    proxy_end_turn(&s->proxy);
    return code;
}

static enum gdbmi_code read_memory(struct proxy_serving *s, struct proxy_job *job)
{
    size_t len = (size_t)job->request.len;

    job->data = malloc(len);
    if (job->data == NULL)
        return gdbmi_error_set(&base_of(s)->error, GDBMI_ENOMEM, "%s: out of memory",
                               s->address.text);
    enum gdbmi_code code = base_of(s)->ops->read(base_of(s), job->request.addr, job->data, len);
    if (code != GDBMI_OK)
        return code;
    job->reply.data_len = len;
    s->good_addr = job->request.addr;
    s->good_len = len < PROBE_LEN ? len : PROBE_LEN;
    return GDBMI_OK;
}

static enum gdbmi_code access_target(struct proxy_serving *s, struct proxy_job *job)
{
    const struct proxy_request *request = &job->request;
    struct gdbmi_link *base = base_of(s);

    enum gdbmi_code code = come_into_reach(s);
    if (code != GDBMI_OK)
        return code;
    agree(s);
    if (request->op == PROXY_READ)
        return read_memory(s, job);
    if (request->op == PROXY_WRITE)
        return base->ops->write(base, request->addr, job->in, (size_t)request->data_len);
    return base->ops->pc(base, &job->reply.pc);
}

static enum gdbmi_code halt(struct proxy_serving *s, struct proxy_job *job)
{
    bool ours;

    (void)job;
    return hold(s, &ours);
}

/* What we held and gdb has meanwhile is gdb's to resume. */
static enum gdbmi_code answer_resume(struct proxy_serving *s, bool held)
{
    struct gdbmi_link *base = base_of(s);

    agree(s);
    if (s->proxy.session && !base->held) {
        if (held || s->proxy.running)
            return GDBMI_OK;
        return gdbmi_error_set(
            &base->error, GDBMI_EUNSUPPORTED,
            "%s: the attached gdb decides whether the core runs: halt or continue it there",
            s->address.text);
    }
    enum gdbmi_code code = base->ops->resume(base);
    if (code == GDBMI_OK)
        base->held = false;
    return code;
}

static enum gdbmi_code run_command(struct proxy_serving *s, struct proxy_job *job)
{
    enum gdbmi_code code = base_of(s)->ops->command(base_of(s), job->in, &job->data);

    if (code == GDBMI_OK)
        job->reply.data_len = strlen(job->data) + 1;
    return code;
}

static enum gdbmi_code answer_command(struct proxy_serving *s, struct proxy_job *job)
{
    if (s->proxy.session)
        return gdbmi_error_set(
            &base_of(s)->error, GDBMI_EUNSUPPORTED,
            "%s: the server accepts no commands from mprof while a gdb is attached",
            s->address.text);
    return in_turn(s, run_command, job);
}

static enum gdbmi_code answer(struct proxy_serving *s, struct proxy_job *job)
{
    switch (job->request.op) {
    case PROXY_STATE:
        return answer_state(s, &job->reply.state);
    case PROXY_READ:
    case PROXY_WRITE:
    case PROXY_PC:
        return in_turn(s, access_target, job);
    case PROXY_HALT:
        return in_turn(s, halt, job);
    case PROXY_RESUME:
        return answer_resume(s, job->request.held);
    case PROXY_SEND_RESUME:
        return base_of(s)->ops->send_resume(base_of(s));
    case PROXY_COMMAND:
        return answer_command(s, job);
    case PROXY_CLOSE:
        return job->request.held ? answer_resume(s, true) : GDBMI_OK;
    }
    return GDBMI_OK;
}

/* The owner took the core for halted, which it was until the owner was stopped. Only what needs
 * that fails. */
static enum gdbmi_code answer_or_tell(struct proxy_serving *s, struct proxy_job *job)
{
    enum proxy_op op = job->request.op;
    bool ended = s->watch.ended_ms != 0 && job->request.held;

    if (ended)
        job->reply.ended_ms = s->watch.ended_ms;
    s->watch.ended_ms = 0;
    if (!ended || op == PROXY_STATE)
        return answer(s, job);
    if (op == PROXY_RESUME || op == PROXY_SEND_RESUME || op == PROXY_CLOSE)
        return GDBMI_OK;
    return gdbmi_error_set(&base_of(s)->error, GDBMI_ETARGET,
                           "%s: this process was stopped (by SIGSTOP or a debugger) during a halt, "
                           "which the proxy has ended",
                           s->address.text);
}

void proxy_answer(struct proxy_serving *s, struct proxy_job *job)
{
    const struct proxy_request *request = &job->request;
    struct gdbmi_link *base = base_of(s);

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    base->held = request->held && s->watch.ended_ms == 0;
    agree(s);
    uint64_t before =
        link_limit_operation(s->timeout_ms, (size_t)(request->len + request->data_len));
    enum gdbmi_code code = answer_or_tell(s, job);
    clock_limit_end(before);
    base->ops->settle(base);
    agree(s);
    proxy_watch_note(&s->watch, base->held, request->halt_ms);
    if (code != GDBMI_OK)
        job->reply.error = base->error;
    job->reply.held = base->held;
    job->reply.live = base->info.live;
    job->reply.deaf = base->deaf;
    job->reply.halts = s->unseen_halts;
    s->unseen_halts = 0;
}

bool proxy_release(struct proxy_serving *s)
{
    struct gdbmi_link *base = base_of(s);
    uint64_t before = link_limit_release(base);
    bool released = true;

    agree(s);
    if (base->held && s->proxy.error.code != GDBMI_OK) {
        proxy_let_run(&s->proxy);
        released = false;
    } else if (base->held && answer_resume(s, true) != GDBMI_OK) {
        base->ops->send_resume(base);
        released = false;
    }
    base->held = false;
    clock_limit_end(before);
    return released;
}

/* What gdb has taken over meanwhile is no halt of ours any more. */
void proxy_end_halt(struct proxy_serving *s)
{
    struct gdbmi_link *base = base_of(s);

    if (!proxy_watch_is_due(&s->watch))
        return;
    agree(s);
    if (!base->held)
        proxy_watch_note(&s->watch, false, 0);
    else if (proxy_release(s))
        proxy_watch_end(&s->watch);
    else
        base->held = true;
}

/* What is removed is forgotten at once: should this fail, the next gdb has less of it. */
static enum gdbmi_code remove_breakpoints(struct proxy_serving *s)
{
    struct gdbmi_rsp_message message;
    enum gdbmi_code code = GDBMI_OK;
    char request[80];

    while (s->proxy.breakpoint_count > 0 && code == GDBMI_OK) {
        snprintf(request, sizeof(request), "z%s",
                 s->proxy.breakpoints[s->proxy.breakpoint_count - 1]);
        code = rsp_exchange(s->link, request, rsp_form_ok, &message);
        if (code == GDBMI_OK)
            s->proxy.breakpoint_count--;
    }
    return code;
}

/* The time for the coming of the gdb may be over then. */
static void resume_unheard(struct gdbmi_link *base)
{
    uint64_t before = link_limit_release(base);

    base->ops->send_resume(base);
    clock_limit_end(before);
}

static enum gdbmi_code greet(struct proxy_serving *s, struct proxy_job *job)
{
    struct gdbmi_link *base = base_of(s);
    enum gdbmi_state state = GDBMI_STATE_HALTED;
    bool ours = false;

    (void)job;
    enum gdbmi_code code = base->ops->state(base, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_RUNNING)
        code = base->ops->halt(base, &ours);
    if (code == GDBMI_OK)
        code = remove_breakpoints(s);
    if (code != GDBMI_OK && ours && s->proxy.error.code == GDBMI_OK)
        resume_unheard(base);
    s->proxy.spare = s->link->spare_interrupt;
    s->link->spare_interrupt = false;
    base->held = false;
    return code;
}

enum gdbmi_code proxy_greet(struct proxy_serving *s)
{
    uint64_t before = link_limit_answers(s->timeout_ms, s->proxy.breakpoint_count);

    base_of(s)->error = (struct gdbmi_error){.code = GDBMI_OK};
    agree(s);
    enum gdbmi_code code = in_turn(s, greet, NULL);
    clock_limit_end(before);
    return code;
}
