/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by short halts: any core, any server that can halt it, at a bounded share of time. */
#include <taken/taken.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/monotonic.h>
#include <base/random.h>

#include "halt_stack.h"

/* The core must get somewhere between two halts, however short they are. */
#define PAUSE_MIN_S 0.001
/* From one look to the next at a core that somebody else has halted. */
#define LOOK_S 0.1
/* Weight of the last halt in the length that is expected of the next one. */
#define WEIGHT 0.125
/* xPSR's number of the exception (ARMv7-M Architecture Reference Manual, B1.4.2). */
#define PSR_EXCEPTION 0x1ffU
/* Where a Cortex-M is that is locked up (B1.5.15; v6-M and v7-M, and v8-M). */
#define LOCKUP_PC    0xfffffffeU
#define LOCKUP_PC_V8 0xeffffffeU

struct halt {
    struct halt_stack *stack; /* owned; NULL: without callers */
    double since_s;           /* when the first sample was asked for */
    double halted_s;          /* sum of the halts for samples */
    double next_s;            /* what is expected of the next one */
    double due_s;             /* when it may begin */
    double pause_s;           /* until it is to begin, at random */
    uint32_t random;
    enum gdbmi_state state;
};

/* On average the core then runs as much longer than it was halted as the share allows. The sum of
 * all halts decides, so that a long one is followed by a long pause. */
static void pace(const struct taken *t, struct halt *h, double halted_s)
{
    double now_s = monotonic_s();
    double duty = fmax(t->how.duty, 1e-6);

    h->halted_s += halted_s;
    h->next_s += (h->next_s > 0 ? WEIGHT : 1) * (halted_s - h->next_s);
    double runs_s = fmax(h->next_s * (1 / duty - 1), PAUSE_MIN_S);
    h->due_s = h->since_s + (h->halted_s + h->next_s) / duty - h->next_s;
    h->pause_s = fmax(runs_s * (0.5 + random_part(&h->random)), h->due_s - now_s + 1e-4);
    if (halted_s <= 0)
        h->pause_s = fmax(h->pause_s, LOOK_S);
}

static enum sampler_code fail(struct taken *t, enum gdbmi_code code)
{
    enum sampler_code result = taken_fail(t, code);

    if (code == GDBMI_EHALT)
        snprintf(t->text, sizeof(t->text),
                 "--sampler halt halts the core again and again, for some milliseconds each; "
                 "--allow-halt allows it for 5%% of the time (--allow-halt=DUTY sets another "
                 "share)");
    return code == GDBMI_EHALT || code == GDBMI_EUNSUPPORTED ? SAMPLER_ETABLE : result;
}

static bool is_lockup(const struct taken *t, uint64_t pc)
{
    return t->exceptions && (pc == LOCKUP_PC || pc == LOCKUP_PC_V8);
}

static bool add(struct taken *t, struct halt *h, const struct gdbmi_sample *read)
{
    struct taken_sample sample = {.kind = TAKEN_CODE, .pc = read->pc & ~(uint64_t)1};

    t->exceptions = t->exceptions || read->psr != 0;
    sample.exception = (unsigned)read->psr & PSR_EXCEPTION;
    sample.has_task = read->has_word;
    sample.task = read->has_word ? taken_task(t, read->word) : 0;
    if (!read->taken)
        sample.kind = TAKEN_HALTED;
    else if (is_lockup(t, sample.pc))
        sample.kind = TAKEN_LOCKUP;
    else if (h->stack)
        halt_stack_find(h->stack, read, &sample);
    return taken_add(t, &sample);
}

/* Takes a sample, which is counted if count is set. */
static enum sampler_code take(struct taken *t, bool count)
{
    struct halt *h = t->own;
    struct gdbmi_sample_request request = {.all = false};
    struct gdbmi_sample read;

    if (h->stack)
        request = *halt_stack_request(h->stack);
    request.word = t->how.task;
    request.word_len = t->how.task_size;
    enum gdbmi_code code = gdbmi_link_sample(t->link, &request, &read);
    pace(t, h, (double)read.halted_ns * 1e-9);
    if (code != GDBMI_OK)
        return fail(t, code);
    h->state = read.taken ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    if (count && !add(t, h, &read))
        return SAMPLER_ENOMEM;
    return SAMPLER_OK;
}

static bool open_halt(struct taken *t)
{
    struct halt *h = calloc(1, sizeof(*h));

    t->own = h;
    if (!h)
        return false;
    h->since_s = monotonic_s();
    h->random = (uint32_t)(fmod(h->since_s, 1) * 4e9) | 1;
    if (t->how.stacks == 0)
        return true;
    h->stack = halt_stack_new(t->symtab, t->how.stacks, t->text, sizeof(t->text));
    return h->stack != NULL;
}

/* One look tells all: whether this target can be halted, and its registers read. */
static enum sampler_code probe(struct taken *t)
{
    snprintf(t->text, sizeof(t->text), "out of memory");
    if (!open_halt(t))
        return t->own ? SAMPLER_ETABLE : SAMPLER_ENOMEM;
    t->text[0] = '\0';
    enum sampler_code code = take(t, false);
    struct halt *h = t->own;
    if (gdbmi_link_info(t->link)
            ->simulator) { /* what was asked only once need not be made up for */
        h->since_s = monotonic_s();
        h->halted_s = h->next_s = h->due_s = h->pause_s = 0;
    }
    return code == SAMPLER_OK && h->state == GDBMI_STATE_HALTED ? SAMPLER_WAIT : code;
}

/* A batch is one sample. A poll that comes too early for it takes none. */
static enum sampler_code batch(struct taken *t, enum gdbmi_state *state)
{
    struct halt *h = t->own;
    enum sampler_code code = SAMPLER_OK;

    if (monotonic_s() >= h->due_s)
        code = take(t, true);
    *state = h->state;
    return code;
}

static double pause_s(const struct taken *t)
{
    const struct halt *h = t->own;

    return h->pause_s;
}

/* The link has let the core run after each sample. */
static void close_halt(struct taken *t)
{
    struct halt *h = t->own;

    if (!h)
        return;
    halt_stack_free(h->stack);
    free(h);
}

const struct taken_ops taken_halt = {
    .source = DECODE_HALT,
    .probe = probe,
    .batch = batch,
    .pause_s = pause_s,
    .close = close_halt,
};
