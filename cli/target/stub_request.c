/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes requests, and sees that events serve them. */
#define _POSIX_C_SOURCE 200809L

#include "stub_request.h"

#include <time.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <target/watch.h>

/* How long a request waits for an event, where --timeout says nothing else, and how often it is
 * looked whether it was served. */
#define SERVED_S 0.5
#define LOOK_NS  20000000

/* The next event shall look; or it need not any more. */
static int call_attention(struct control *c, bool wanted)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        struct control_write w = control_attention(c->objects[i].header, wanted);
        status = stub_write(c, c->objects[i].header, &w, 1);
    }
    return status;
}

/* A request of each core: the number that it answers with when an event has served it. */
struct request {
    const char *what; /* for messages */
    bool resets;
    uint32_t numbers[DECODE_MAX_CORES]; /* by core */
};

/* The next one after the last that was served; what nobody has served is asked for again. */
static void number_request(const struct control *c, struct request *r)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        r->numbers[h->core] = (r->resets ? h->reset_done : h->nonce_echo) + 1;
    }
}

static bool is_served(const struct request *r, const struct decode_header *h)
{
    return (r->resets ? h->reset_done : h->nonce_echo) == r->numbers[h->core];
}

/* Events of the cores that have served the request need not look any more. */
static int calm_served(struct control *c, const struct request *r, bool *all)
{
    int status = STATUS_DONE;

    *all = true;
    for (size_t i = 0; status == STATUS_DONE && i < c->count; i++) {
        const struct decode_header *h = c->objects[i].header;
        if (!is_served(r, h)) {
            *all = false;
        } else {
            struct control_write w = control_attention(h, false);
            status = stub_write(c, h, &w, 1);
        }
    }
    return status;
}

/* The events of all cores are to look, until they have served the request. */
static int wait_for_event(struct control *c, const struct request *r)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    int timeout_ms = c->session->options->link.timeout_ms;
    double served_s = timeout_ms > 0 ? 1e-3 * timeout_ms : SERVED_S;
    double until_s = monotonic_s() + served_s;
    bool all = false;
    int status = call_attention(c, true);

    for (;;) {
        if (status == STATUS_DONE)
            status = stub_look(c);
        if (status == STATUS_DONE)
            status = calm_served(c, r, &all);
        if (status != STATUS_DONE || all)
            return status;
        if (monotonic_s() > until_s || signals_pending()) {
            complain("%s: takes effect at the next event, but none came within %.0f ms", r->what,
                     1e3 * served_s);
            return STATUS_FAILED;
        }
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
    struct request r = {.what = "reset", .resets = true};

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
