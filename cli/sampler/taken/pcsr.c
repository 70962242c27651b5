/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by DWT_PCSR of a Cortex-M, which says where the core is while it runs. */
#include <taken/taken.h>

#include <stdio.h>

static enum sampler_code probe(struct taken *t)
{
    snprintf(t->text, sizeof(t->text), "not built yet");
    return SAMPLER_ETABLE;
}

static enum sampler_code batch(struct taken *t, enum gdbmi_state *state)
{
    (void)state;
    return probe(t);
}

static double pause_s(const struct taken *t)
{
    (void)t;
    return 0.02;
}

static void close_pcsr(struct taken *t)
{
    (void)t;
}

const struct taken_ops taken_pcsr = {
    .source = DECODE_PCSR,
    .probe = probe,
    .batch = batch,
    .pause_s = pause_s,
    .close = close_pcsr,
};
