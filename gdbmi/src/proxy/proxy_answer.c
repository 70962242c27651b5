/* SPDX-License-Identifier: 0BSD */
/* What the link asks of its proxy process, done by a GDB remote link on the proxy's seat. */
#include "proxy_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "proxy_pump.h"
#include "rsp_exchange.h"

/* How long it takes to find out whether a server answers while the core runs. */
#define PROBE_MS  500
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
    if (s->lost.code != GDBMI_OK)
        return gdbmi_error_take(&base_of(s)->error, &s->lost);
    return gdbmi_error_set(&base_of(s)->error, GDBMI_ETARGET,
                           "%s: the gdb that is attached keeps the server busy: nothing can be "
                           "read now",
                           s->address.text);
}

/* A step, or a resume with a signal, is not cut in two. */
static enum gdbmi_code await_hold(struct proxy_serving *s)
{
    uint64_t deadline = clock_deadline(s->timeout_ms);

    while (s->proxy.session && s->proxy.running && !proxy_can_hold(&s->proxy)) {
        if (clock_left_ms(deadline) == 0 || s->lost.code != GDBMI_OK)
            return busy(s);
        proxy_pump(s, deadline);
    }
    return GDBMI_OK;
}

/* Halts a core that runs, without a word to gdb. *ours: it is held then. */
static enum gdbmi_code hold(struct proxy_serving *s, bool *ours)
{
    struct gdbmi_link *base = base_of(s);

    *ours = false;
    enum gdbmi_code code = await_hold(s);
    agree(s);
    if (code != GDBMI_OK || (s->proxy.session && !s->proxy.running))
        return code;
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

/* Asks for bytes that could be read while the core was halted, and waits for an answer or a stop.
 */
static enum gdbmi_code try_live(struct proxy_serving *s, bool *live)
{
    uint64_t deadline = clock_deadline(s->timeout_ms < PROBE_MS ? s->timeout_ms : PROBE_MS);
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

static enum gdbmi_code read_in_turn(struct proxy_serving *s, const struct proxy_request *request,
                                    struct proxy_reply *reply, char **data)
{
    *data = malloc(request->len);
    if (*data == NULL)
        return gdbmi_error_set(&base_of(s)->error, GDBMI_ENOMEM, "%s: out of memory",
                               s->address.text);
    enum gdbmi_code code = base_of(s)->ops->read(base_of(s), request->addr, *data, request->len);
    if (code != GDBMI_OK)
        return code;
    reply->data_len = request->len;
    s->good_addr = request->addr;
    s->good_len = request->len < PROBE_LEN ? request->len : PROBE_LEN;
    return GDBMI_OK;
}

static enum gdbmi_code access_in_turn(struct proxy_serving *s, const struct proxy_request *request,
                                      const char *in, struct proxy_reply *reply, char **data)
{
    struct gdbmi_link *base = base_of(s);

    enum gdbmi_code code = come_into_reach(s);
    if (code != GDBMI_OK)
        return code;
    agree(s);
    switch (request->op) {
    case PROXY_READ:
    case PROXY_POLL:
        return read_in_turn(s, request, reply, data);
    case PROXY_WRITE:
        return base->ops->write(base, request->addr, in, request->data_len);
    case PROXY_PC:
        return base->ops->pc(base, &reply->pc);
    default:
        return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED, "%s: no such request",
                               s->address.text);
    }
}

static enum gdbmi_code answer_access(struct proxy_serving *s, const struct proxy_request *request,
                                     const char *in, struct proxy_reply *reply, char **data)
{
    if (!proxy_await_turn(s))
        return busy(s);
    enum gdbmi_code code = access_in_turn(s, request, in, reply, data);
    proxy_end_turn(&s->proxy);
    return code;
}

static enum gdbmi_code answer_poll(struct proxy_serving *s, const struct proxy_request *request,
                                   struct proxy_reply *reply, char **data)
{
    enum gdbmi_code code = answer_state(s, &reply->state);

    return code == GDBMI_OK ? answer_access(s, request, NULL, reply, data) : code;
}

static enum gdbmi_code answer_halt(struct proxy_serving *s)
{
    bool ours;

    if (!proxy_await_turn(s))
        return busy(s);
    enum gdbmi_code code = hold(s, &ours);
    proxy_end_turn(&s->proxy);
    return code;
}

/* What we held and gdb has meanwhile is gdb's to resume. */
static enum gdbmi_code answer_resume(struct proxy_serving *s, bool held)
{
    struct gdbmi_link *base = base_of(s);

    agree(s);
    if (s->proxy.session && !base->held) {
        if (held || s->proxy.running)
            return GDBMI_OK;
        return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                               "%s: the gdb that is attached decides whether the core runs",
                               s->address.text);
    }
    enum gdbmi_code code = base->ops->resume(base);
    if (code == GDBMI_OK)
        base->held = false;
    return code;
}

static enum gdbmi_code answer_command(struct proxy_serving *s, const struct proxy_request *request,
                                      const char *in, struct proxy_reply *reply, char **data)
{
    struct gdbmi_link *base = base_of(s);

    if (s->proxy.session)
        return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                               "%s: the server takes no command of ours while a gdb is attached",
                               s->address.text);
    char *command = calloc(1, request->data_len + 1);
    if (command == NULL || !proxy_await_turn(s)) {
        free(command);
        return busy(s);
    }
    memcpy(command, in, request->data_len);
    enum gdbmi_code code = base->ops->command(base, command, data);
    proxy_end_turn(&s->proxy);
    free(command);
    if (code == GDBMI_OK)
        reply->data_len = strlen(*data) + 1;
    return code;
}

static enum gdbmi_code answer(struct proxy_serving *s, const struct proxy_request *request,
                              const char *in, struct proxy_reply *reply, char **data)
{
    switch (request->op) {
    case PROXY_STATE:
        return answer_state(s, &reply->state);
    case PROXY_POLL:
        return answer_poll(s, request, reply, data);
    case PROXY_READ:
    case PROXY_WRITE:
    case PROXY_PC:
        return answer_access(s, request, in, reply, data);
    case PROXY_HALT:
        return answer_halt(s);
    case PROXY_RESUME:
        return answer_resume(s, request->held);
    case PROXY_SEND_RESUME:
        return base_of(s)->ops->send_resume(base_of(s));
    case PROXY_COMMAND:
        return answer_command(s, request, in, reply, data);
    case PROXY_CLOSE:
        return request->held ? answer_resume(s, true) : GDBMI_OK;
    }
    return GDBMI_OK;
}

void proxy_answer(struct proxy_serving *s, const struct proxy_request *request, const char *in,
                  struct proxy_reply *reply, char **data)
{
    struct gdbmi_link *base = base_of(s);

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    base->held = request->held;
    agree(s);
    uint64_t before =
        link_limit_operation(s->timeout_ms, (size_t)(request->len + request->data_len));
    enum gdbmi_code code = answer(s, request, in, reply, data);
    clock_limit_end(before);
    base->ops->settle(base);
    agree(s);
    if (code != GDBMI_OK)
        reply->error = base->error;
    reply->held = base->held;
    reply->live = base->info.live;
    reply->deaf = base->deaf;
    reply->halts = s->unseen_halts;
    s->unseen_halts = 0;
}

void proxy_release(struct proxy_serving *s)
{
    struct gdbmi_link *base = base_of(s);
    uint64_t before = link_limit_release(base);

    agree(s);
    if (base->held && s->lost.code == GDBMI_OK && answer_resume(s, true) != GDBMI_OK)
        base->ops->send_resume(base);
    base->held = false;
    clock_limit_end(before);
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
            proxy_forget_last_breakpoint(&s->proxy);
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

static enum gdbmi_code greet(struct proxy_serving *s)
{
    struct gdbmi_link *base = base_of(s);
    enum gdbmi_state state = GDBMI_STATE_HALTED;
    bool ours = false;

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    agree(s);
    if (!proxy_await_turn(s))
        return busy(s);
    enum gdbmi_code code = base->ops->state(base, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_RUNNING)
        code = base->ops->halt(base, &ours);
    if (code == GDBMI_OK)
        code = remove_breakpoints(s);
    if (code != GDBMI_OK && ours && s->lost.code == GDBMI_OK)
        resume_unheard(base);
    s->proxy.spare = s->link->spare_interrupt;
    s->link->spare_interrupt = false;
    base->held = false;
    proxy_end_turn(&s->proxy);
    return code;
}

enum gdbmi_code proxy_greet(struct proxy_serving *s)
{
    uint64_t before = link_limit_answers(s->timeout_ms, s->proxy.breakpoint_count);
    enum gdbmi_code code = greet(s);

    clock_limit_end(before);
    return code;
}
