/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the stub's samples are true: against DWT_PCSR, against the clock, and against the code.
 */
#define _POSIX_C_SOURCE 200809L

#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/random.h>
#include <base/signals.h>

#include "instructions.h"
#include "rates.h"
#include "sides.h"
#include "waiting.h"

/* How long is sampled, and how many samples of DWT_PCSR are enough; for less than a comparison
 * needs it takes longer. */
#define SAMPLING_S 4.0
#define SAMPLES    600
/* How long without DWT_PCSR. */
#define CLOCK_S 1.0
/* How long either side is waited for at most, and for how many of its samples. */
#define WAIT_S 30.0
#define ENOUGH (SIDES_MIN + SIDES_MIN / 4)
/* Time from one look at the stub to the next while there is no DWT_PCSR to read. */
#define PAUSE_S 0.05
/* By how much the clock of the timer may differ from this machine's. */
#define CLOCK_SHARE 0.1
/* Part of the samples that may be where no instruction begins. */
#define ODD_SHARE 0.01

/* The sides that are compared. */
enum { STUB, PCSR };

struct cross {
    struct doctor *d;
    struct sides sides;
    double begin_s, end_s; /* of the first and the last look at the stub */
    uint32_t events;       /* of the profile at the start */
    uint32_t random;
    uint64_t samples, split; /* of DWT_PCSR; amid an instruction */
};

static bool begin(struct cross *c)
{
    if (!sides_begin(&c->sides))
        return false;
    c->begin_s = c->d->profile.updated_s;
    c->events = c->d->profile.heartbeat;
    return true;
}

static bool end(struct cross *c)
{
    if (!sides_end(&c->sides, STUB))
        return false;
    c->end_s = c->d->profile.updated_s;
    return true;
}

static void pause_for(double seconds)
{
    struct timespec pause = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)((seconds - floor(seconds)) * 1e9)};

    (void)nanosleep(&pause, NULL);
}

static void take(struct cross *c, uint32_t pc)
{
    c->samples++;
    if (pc == 0)
        return;
    c->split += instruction_is_split(c->d->elf.symtab, pc);
    sides_add(&c->sides, PCSR, pc, 1);
}

static bool is_enough(const struct cross *c, double begin_s)
{
    double took_s = monotonic_s() - begin_s;

    return c->samples >= SAMPLES || took_s >= WAIT_S ||
           (took_s >= SAMPLING_S && c->samples >= ENOUGH);
}

/* At random times, so that no period of the firmware is hit, and with pauses for others. */
static bool sample_pcsr(struct cross *c)
{
    double share = c->d->options->link_share > 0 ? c->d->options->link_share : DOCTOR_SHARE;
    double start_s = monotonic_s();
    uint32_t before, pc;
    bool good = core_trace_begin(c->d, &before);
    bool begun = good;

    while (good && !is_enough(c, start_s) && !signals_pending()) {
        double begin_s = monotonic_s();
        good = core_sample(c->d, &pc);
        double took_s = monotonic_s() - begin_s;
        if (good)
            take(c, pc);
        pause_for(took_s * (1 / share - 1) * (0.5 + random_part(&c->random)));
    }
    return (!begun || core_trace_end(c->d, before)) && good;
}

static void wait_until(double stop_s)
{
    while (monotonic_s() < stop_s && !signals_pending())
        pause_for(PAUSE_S);
}

/* Until the stub has taken as many samples as a comparison needs. */
static bool wait_for_stub(struct cross *c)
{
    double stop_s = c->begin_s + WAIT_S;
    bool good = stub_poll(c->d) == SAMPLER_OK;

    while (good && c->d->profile.heartbeat - c->events < ENOUGH && monotonic_s() < stop_s &&
           !signals_pending()) {
        pause_for(PAUSE_S);
        good = stub_poll(c->d) == SAMPLER_OK;
    }
    return good;
}

static void compare_sides(struct cross *c)
{
    const struct sides *s = &c->sides;
    struct homogeneity h = sides_compare(s);
    struct findings *findings = &c->d->findings;

    if (!sides_are_enough(s))
        finding_add(findings, FINDING_OK, "cross", NULL,
                    "too few samples to compare the stub with DWT_PCSR: %" PRIu64 " and %" PRIu64,
                    sides_sum(s, STUB), sides_sum(s, PCSR));
    else if (h.chance < SIDES_CHANCE)
        finding_add(findings, FINDING_WARN, "cross",
                    "look for code that masks interrupts, or interrupts above the timer's priority",
                    "the stub and DWT_PCSR see different programs: %s has %.1f %% of the stub's "
                    "samples, %.1f %% of DWT_PCSR's",
                    sides_name(s, h.largest), sides_percent(s, STUB, h.largest),
                    sides_percent(s, PCSR, h.largest));
    else
        finding_add(findings, FINDING_OK, "cross", NULL,
                    "the stub and DWT_PCSR agree, by %" PRIu64 " and %" PRIu64 " samples",
                    sides_sum(s, STUB), sides_sum(s, PCSR));
}

static void check_places(struct cross *c)
{
    const struct profile *p = &c->d->profile;
    unsigned size = p->block_size ? p->block_size : 1;
    uint64_t outside = 0;

    for (size_t i = 0; i < p->row_count; i++) {
        bool code = false;
        for (unsigned at = 0; !code && at < size; at += 2)
            code = symtab_is_code(c->d->elf.symtab, p->rows[i].addr + at);
        outside += code ? 0 : p->rows[i].hits;
    }
    if ((double)outside > ODD_SHARE * (double)p->attributed)
        finding_add(&c->d->findings, FINDING_WARN, "places",
                    "add the ELF file of that code (--elf), or name it (--region)",
                    "%.1f %% of the hits are outside of this ELF's code",
                    100.0 * (double)outside / (double)p->attributed);
    else if ((double)c->split > ODD_SHARE * (double)c->samples)
        finding_add(&c->d->findings, FINDING_WARN, "places",
                    "be sure that this ELF file is the one that runs",
                    "%.1f %% of the program counters are amid an instruction",
                    100.0 * (double)c->split / (double)c->samples);
    else
        finding_add(&c->d->findings, FINDING_OK, "places", NULL,
                    "the hits are in this ELF's code%s",
                    c->samples ? ", where instructions begin" : "");
}

/* The core's clock as the firmware believes it to be, against this machine's. */
static void check_clock(struct cross *c)
{
    const struct profile *p = &c->d->profile;
    double time_s = c->end_s - c->begin_s;
    double expected = time_s * p->sample_hz;
    double came = (double)(uint32_t)(p->heartbeat - c->events);
    double off = fabs(came - expected);

    if (p->sample_hz == 0 || p->unit != DECODE_UNIT_SAMPLES)
        finding_add(&c->d->findings, FINDING_OK, "clock", NULL, "the timer's rate is not known");
    else if (off > CLOCK_SHARE * expected && off > 4 * sqrt(expected))
        finding_add(&c->d->findings, FINDING_WARN, "clock",
                    "give the timer's start function the right clock, and look for sleep and "
                    "masked interrupts",
                    "%.0f samples came in %.1f s, but %" PRIu32 " Hz make %.0f", came, time_s,
                    p->sample_hz, expected);
    else
        finding_add(&c->d->findings, FINDING_OK, "clock", NULL,
                    "%.0f samples came in %.1f s, and %" PRIu32 " Hz make %.0f", came, time_s,
                    p->sample_hz, expected);
}

static void judge(struct cross *c, bool sampled)
{
    if (sampled)
        compare_sides(c);
    else
        finding_add(&c->d->findings, FINDING_OK, "cross", NULL,
                    "the stub is compared with nothing: there is no DWT_PCSR");
    check_clock(c);
    check_rates(c->d);
    check_places(c);
}

void check_cross(struct doctor *doctor)
{
    struct cross c = {.d = doctor,
                      .sides.doctor = doctor,
                      .random = (uint32_t)(uint64_t)(monotonic_s() * 1e6) | 1};

    if (doctor->options->cross_check && doctor->link && !doctor->has_table)
        finding_add(&doctor->findings, FINDING_OK, "cross", NULL,
                    "there is no stub whose samples could be compared");
    if (!doctor->options->cross_check || doctor->hits == 0 || doctor->profile.headerless)
        return;
    waiting_for(doctor->has_pcsr ? "measuring: the stub's samples and DWT_PCSR, up to 30 s"
                                 : "measuring: the stub's samples by the clock, 1 s");
    bool good = begin(&c), sampled = false;
    if (good && doctor->has_pcsr)
        good = sampled = sample_pcsr(&c) && wait_for_stub(&c);
    else if (good)
        wait_until(c.begin_s + CLOCK_S);
    if (good && end(&c))
        judge(&c, sampled);
    else
        finding_add(&doctor->findings, FINDING_WARN, "cross", "try again",
                    "the target restarted or could not be read while it was checked");
    waiting_end();
    sides_free(&c.sides);
}
