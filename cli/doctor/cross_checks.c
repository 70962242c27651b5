/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the stub's samples are true: against DWT_PCSR, against the clock, and against the code.
 */
#define _POSIX_C_SOURCE 200809L

#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/random.h>
#include <base/signals.h>
#include <base/vec.h>
#include <doctor/homogeneity.h>

#include "instructions.h"

/* How long is sampled at most, and how many samples of DWT_PCSR are enough. */
#define SAMPLING_S 4.0
#define SAMPLES    1000
/* Time from one look at the stub to the next while there is no DWT_PCSR to read. */
#define PAUSE_S 0.05
/* A difference that chance makes less often than this is one. */
#define CHANCE 1e-6
/* Fewer hits than this of each side tell nothing. */
#define HITS_MIN 200
/* By how much the clock of the timer may differ from this machine's. */
#define CLOCK_SHARE 0.1
/* Part of the samples that may be where no instruction begins. */
#define ODD_SHARE 0.01

struct cross {
    struct doctor *d;
    const struct symtab_function **rows; /* owned, as are these; NULL: code without a name */
    uint64_t *stub, *pcsr;               /* hits of each row */
    size_t count, capacity, stub_capacity, pcsr_capacity;
    uint64_t *before; /* the stub's hits by row of its table, at the start */
    size_t before_count;
    unsigned restarts;     /* of the profile then */
    double begin_s, end_s; /* of the first and the last look at the stub */
    uint32_t events;       /* of the profile at the start */
    uint32_t random;
    uint64_t samples, hidden, split; /* of DWT_PCSR; that gave nothing; amid an instruction */
};

/* The stub's hits are of blocks, and so must the others be: both are given to the function at the
 * block's start, or to the first one in it. Functions of the stub itself are never in its own
 * samples: *own. */
static const struct symtab_function *function_of(struct cross *c, uint64_t addr, bool *own)
{
    struct symtab *symtab = c->d->elf.symtab;
    unsigned size = c->d->profile.block_size ? c->d->profile.block_size : 1;
    const struct symtab_function *f = NULL;
    struct symtab_line line = {.file = NULL};

    addr &= ~(uint64_t)(size - 1);
    for (unsigned at = 0; !f && at < size; at += 2)
        f = symtab_find(symtab, addr + at);
    *own = f &&
           (strncmp(f->name, "mprof_", 6) == 0 || (symtab_find_line(symtab, f->addr, &line) &&
                                                   line.file && strstr(line.file, "target-stub/")));
    return f;
}

static size_t row_of(struct cross *c, const struct symtab_function *f)
{
    size_t i = 0;

    while (i < c->count && c->rows[i] != f)
        i++;
    if (i < c->count)
        return i;
    if (!VEC_ROOM(c->rows, c->capacity, i, 1) || !VEC_ROOM(c->stub, c->stub_capacity, i, 1) ||
        !VEC_ROOM(c->pcsr, c->pcsr_capacity, i, 1))
        return SIZE_MAX;
    c->rows[i] = f;
    c->stub[i] = c->pcsr[i] = 0;
    c->count++;
    return i;
}

static void add(struct cross *c, uint64_t addr, uint64_t hits, bool pcsr)
{
    bool own;
    const struct symtab_function *f = function_of(c, addr, &own);
    size_t i = own ? SIZE_MAX : row_of(c, f);

    if (i != SIZE_MAX)
        (pcsr ? c->pcsr : c->stub)[i] += hits;
}

static bool begin(struct cross *c)
{
    const struct profile *p = &c->d->profile;

    if (stub_poll(c->d) != SAMPLER_OK)
        return false;
    c->begin_s = p->updated_s;
    c->events = p->heartbeat;
    c->restarts = p->restarts;
    c->before_count = p->row_count;
    c->before = calloc(p->row_count + 1, sizeof(*c->before));
    for (size_t i = 0; c->before && i < p->row_count; i++)
        c->before[i] = p->rows[i].hits;
    return c->before != NULL;
}

/* Rows never move; one that has another address now had fewer hits before. */
static bool end(struct cross *c)
{
    const struct profile *p = &c->d->profile;

    if (stub_poll(c->d) != SAMPLER_OK || p->restarts != c->restarts)
        return false;
    c->end_s = p->updated_s;
    for (size_t i = 0; i < p->row_count; i++) {
        uint64_t before = i < c->before_count ? c->before[i] : 0;
        if (p->rows[i].hits > before)
            add(c, p->rows[i].addr, p->rows[i].hits - before, false);
    }
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
    c->hidden += pc == 0;
    if (pc == 0)
        return;
    c->split += instruction_is_split(c->d->elf.symtab, pc);
    add(c, pc, 1, true);
}

/* At random times, so that no period of the firmware is hit, and with pauses for others. */
static bool sample_pcsr(struct cross *c)
{
    double share = c->d->options->link_share > 0 ? c->d->options->link_share : DOCTOR_SHARE;
    double stop_s = monotonic_s() + SAMPLING_S;
    uint32_t before, pc;
    bool good = core_trace_begin(c->d, &before);
    bool begun = good;

    while (good && c->samples < SAMPLES && monotonic_s() < stop_s && !signals_pending()) {
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

static uint64_t sum_of(const uint64_t *hits, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += hits[i];
    return sum;
}

static const char *row_name(const struct cross *c, size_t i)
{
    const struct symtab_function *f = c->rows[i];

    if (!f)
        return "code without a name";
    return c->d->options->anonymous ? "a function" : f->name;
}

static void compare_sides(struct cross *c)
{
    uint64_t stub = sum_of(c->stub, c->count), pcsr = sum_of(c->pcsr, c->count);
    struct homogeneity h = homogeneity_test(c->stub, c->pcsr, c->count);
    struct findings *findings = &c->d->findings;

    if (stub < HITS_MIN || pcsr < HITS_MIN)
        finding_add(findings, FINDING_OK, "cross", NULL,
                    "too few samples to compare the stub with DWT_PCSR: %" PRIu64 " and %" PRIu64,
                    stub, pcsr);
    else if (h.chance < CHANCE)
        finding_add(findings, FINDING_WARN, "cross",
                    "look for code that masks interrupts, or interrupts above the timer's priority",
                    "the stub and DWT_PCSR see different programs: %s has %.1f %% of the stub's "
                    "samples, %.1f %% of DWT_PCSR's",
                    row_name(c, h.largest), 100.0 * (double)c->stub[h.largest] / (double)stub,
                    100.0 * (double)c->pcsr[h.largest] / (double)pcsr);
    else
        finding_add(findings, FINDING_OK, "cross", NULL,
                    "the stub and DWT_PCSR agree, by %" PRIu64 " and %" PRIu64 " samples", stub,
                    pcsr);
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

/* The stub has no request that changes the rate. */
static void check_aliasing(struct cross *c)
{
    const struct profile *p = &c->d->profile;

    if (p->unit != DECODE_UNIT_SAMPLES)
        return;
    if (p->jittered)
        finding_add(&c->d->findings, FINDING_OK, "step", NULL,
                    "the timer's period is random: samples are not in step with the firmware");
    else
        finding_add(
            &c->d->findings, FINDING_WARN, "step",
            "start the timer with another rate, like 997 in place of 1000, and 'mprof diff'",
            "the timer's period is fixed: samples may be in step with the firmware, and "
            "the stub cannot change its rate while it runs to test that");
}

static void judge(struct cross *c, bool sampled)
{
    if (sampled)
        compare_sides(c);
    else
        finding_add(&c->d->findings, FINDING_OK, "cross", NULL,
                    "the stub is compared with nothing: there is no DWT_PCSR");
    check_clock(c);
    check_aliasing(c);
    check_places(c);
}

void check_cross(struct doctor *doctor)
{
    struct cross c = {.d = doctor, .random = (uint32_t)(uint64_t)(monotonic_s() * 1e6) | 1};

    if (!doctor->options->cross_check || doctor->hits == 0 || doctor->profile.headerless)
        return;
    bool good = begin(&c), sampled = false;
    if (good && doctor->has_pcsr)
        sampled = sample_pcsr(&c);
    else if (good)
        wait_until(c.begin_s + SAMPLING_S / 2);
    if (good && end(&c))
        judge(&c, sampled);
    else
        finding_add(&doctor->findings, FINDING_WARN, "cross", "try again",
                    "the target restarted or could not be read while it was checked");
    free((void *)c.rows);
    free(c.stub);
    free(c.pcsr);
    free(c.before);
}
