/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes requests, and sees that events serve them. */
#define _POSIX_C_SOURCE 200809L

#include <target/stub_request.h>

#include <time.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/watch.h>

/* How long a request waits for an event, where --timeout says nothing else, and how often it is
 * looked whether it was served. */
#define SERVED_S 0.5
#define LOOK_NS  20000000

/* Where an event that has served a request says so. */
enum answer { ANSWER_NONCE, ANSWER_RESET, ANSWER_FOCUS };

/* A request of each core: the number that it answers with when an event has served it. */
struct request {
    const char *what; /* for messages */
    enum answer answer;
    uint32_t numbers[DECODE_MAX_CORES]; /* by core */
};

/* The next event shall look. */
static int call_attention(struct control *c, const struct request *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        struct control_write w =
            r->answer == ANSWER_FOCUS ? control_focus_switch(h, true) : control_attention(h, true);
        status = stub_write(c, h, &w, 1);
    }
    return status;
}

static uint32_t last_served(const struct request *r, const struct profile_object *object)
{
    switch (r->answer) {
    case ANSWER_RESET:
        return object->header->reset_done;
    case ANSWER_FOCUS:
        return decode_focus(object->bytes, object->header).done;
    case ANSWER_NONCE:
        break;
    }
    return object->header->nonce_echo;
}

/* A thread that takes an object has nothing to do for requests from before that. */
static bool is_served(const struct request *r, const struct profile_object *object)
{
    return object->header->unused || last_served(r, object) == r->numbers[object->header->core];
}

/* The next one after the last that was served; what nobody has served is asked for again. */
static void number_request(const struct control *c, struct request *r)
{
    for (size_t i = 0; i < c->count; i++)
        r->numbers[c->objects[i].header->core] = last_served(r, &c->objects[i]) + 1;
}

/* Events of the cores that have served the request need not look any more. */
static int calm_served(struct control *c, const struct request *r, bool *all)
{
    int status = STATUS_DONE;

    *all = true;
    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        if (!is_served(r, &c->objects[i])) {
            *all = false;
        } else {
            struct control_write w = control_attention(h, false);
            status = stub_write(c, h, &w, 1);
        }
    }
    return status;
}

/* Nobody would tell events not to look any more, once one has served it; and a focus that begins
 * when the core runs again, for nobody, would make its events slower. */
static int withdraw_focus(struct control *c)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct profile_object *object = &c->objects[i];
        uint32_t done = decode_focus(object->bytes, object->header).done;
        struct control_write writes[CONTROL_WITHDRAW_WRITES];
        control_focus_withdraw(object->header, done, writes);
        status = stub_write(c, object->header, writes, CONTROL_WITHDRAW_WRITES);
    }
    return status;
}

/* A thread that waits or has ended has no events; others have. Its next one serves the request. */
static bool is_served_by_some(const struct control *c, const struct request *r, size_t *late,
                              size_t *used)
{
    *late = *used = 0;
    for (size_t i = 0; i < c->count; i++) {
        *used += !c->objects[i].header->unused;
        *late += !is_served(r, &c->objects[i]);
    }
    return c->count != 0 && c->objects[0].header->threads && *late < *used;
}

/* The end of a line that says that no event came. */
static const char *why_none(const struct control *c)
{
    enum gdbmi_state state;

    return !signals_pending() && gdbmi_link_state(c->session->link, &state) == GDBMI_OK &&
                   state == GDBMI_STATE_HALTED
               ? "; the target is halted: continue it in your debugger"
               : "";
}

static int give_up(struct control *c, const struct request *r, double waited_s)
{
    size_t late, used;

    if (r->answer != ANSWER_FOCUS && is_served_by_some(c, r, &late, &used)) {
        complain("%s: %zu of %zu threads called nothing within %.0f ms: takes effect there at the "
                 "next call",
                 r->what, late, used, 1e3 * waited_s);
        return STATUS_DONE;
    }
    if (r->answer != ANSWER_FOCUS) {
        complain("%s: takes effect at the next event, but none came within %.0f ms%s", r->what,
                 1e3 * waited_s, why_none(c));
        return STATUS_FAILED;
    }
    if (withdraw_focus(c) == STATUS_DONE)
        complain("focus: off, since an event has to move it and none came within %.0f ms; is the "
                 "target running?",
                 1e3 * waited_s);
    return STATUS_FAILED;
}

/* The events of all cores are to look, until they have served the request. */
static int wait_for_event(struct control *c, const struct request *r)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int timeout_ms = c->session->options->link.timeout_ms;
    double served_s = timeout_ms > 0 ? 1e-3 * timeout_ms : SERVED_S;
    double until_s = monotonic_s() + served_s;
    bool all = false;
    int status = call_attention(c, r);

    for (;;) {
        /* Before the look, which may come late on a busy machine and still sees the answer. */
        bool late = monotonic_s() > until_s;
        if (status == STATUS_DONE)
            status = stub_look(c);
        if (status == STATUS_DONE)
            status = calm_served(c, r, &all);
        if (status != STATUS_DONE || all)
            return status;
        if (late || signals_pending() || signals_stop())
            return give_up(c, r, served_s);
        nanosleep(&pause, NULL);
    }
}

typedef struct control_write make_write(const struct decode_header *header, uint32_t number);

static int write_numbers(struct control *c, make_write *make, const struct request *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        struct control_write w = make(h, r->numbers[h->core]);
        status = stub_write(c, c->objects[i].header, &w, 1);
    }
    return status;
}

int stub_reset(struct control *control)
{
    struct request r = {.what = "reset", .answer = ANSWER_RESET};

    number_request(control, &r);
    int status = write_numbers(control, control_request_reset, &r);
    return status == STATUS_DONE ? wait_for_event(control, &r) : status;
}

int stub_choose_phase(struct control *control, uint32_t phase)
{
    struct request phases = {.what = "the phase"}, nonces = {.what = "the phase"};

    for (size_t core = 0; core < DECODE_MAX_CORES; core++)
        phases.numbers[core] = phase;
    number_request(control, &nonces);
    int status = write_numbers(control, control_phase_only, &phases);
    if (status == STATUS_DONE)
        status = write_numbers(control, control_nonce, &nonces);
    return status == STATUS_DONE ? wait_for_event(control, &nonces) : status;
}

int stub_focus(struct control *control, uint64_t base, bool stays)
{
    struct request r = {.what = "focus", .answer = ANSWER_FOCUS};
    int status = STATUS_DONE;

    number_request(control, &r);
    for (size_t core = 0; core < DECODE_MAX_CORES; core++)
        r.numbers[core] += control_focus_stays(r.numbers[core]) != stays;
    for (size_t i = 0; status == STATUS_DONE && i < control->count; i++) {
        const struct decode_header *h = control->objects[i].header;
        struct control_write writes[CONTROL_FOCUS_WRITES];
        control_focus(h, base, r.numbers[h->core], writes);
        status = stub_write(control, h, writes, CONTROL_FOCUS_WRITES);
    }
    return status == STATUS_DONE ? wait_for_event(control, &r) : status;
}
