/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aliasing: samples in step with the firmware have other shares at another rate. */
#define _POSIX_C_SOURCE 200809L
#include "rates.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/signals.h>

#include "checks.h"
#include "sides.h"
#include "waiting.h"

#define NAME "step"

/* Arm v7-M Architecture Reference Manual, B3.3: SysTick counts down from this; B3.2.5 and B1.5.2:
 * where the vectors are, and which one is SysTick's. */
#define SYST_RVR       0xE000E014U
#define VTOR           0xE000ED08U
#define SYSTICK_NUMBER 15U
#define RELOAD_MASK    0xFFFFFFU
/* As the stub, which leaves the firmware some time. */
#define PERIOD_MIN 256U

/* The other period, as part of the first: the golden ratio is far from all ratios of small numbers,
 * so that no short cycle of the firmware is in step with both. */
#define OTHER_PERIOD 0.7236

/* How long is sampled at each rate at most, and how many samples are enough. */
#define SAMPLING_S 10.0
#define SAMPLES    (2 * SIDES_MIN)
#define PAUSE_NS   50000000L
/* A write that fails may work at the next try. */
#define WRITE_TRIES 3

/* The sides that are compared. */
enum { OWN, OTHER };

static bool has_function(const struct symtab *symtab, const char *name)
{
    size_t count;
    const struct symtab_function *list = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return true;
    }
    return false;
}

static void put_word(uint32_t value, uint8_t bytes[static 4])
{
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static bool write_reload(struct doctor *d, uint32_t value)
{
    uint8_t bytes[4];

    put_word(value, bytes);
    return gdbmi_link_write(d->link, SYST_RVR, bytes, sizeof(bytes)) == GDBMI_OK;
}

/* Whether the target's vector for SysTick is the stub's handler: the tick of an operating system
 * must not be touched. */
static bool is_handled_by_stub(struct doctor *d)
{
    uint32_t table = 0, handler = 0;

    if (!has_function(d->elf.symtab, "mprof_systick_start") ||
        !core_read_register(d, VTOR, &table) ||
        !core_read_register(d, table + 4 * SYSTICK_NUMBER, &handler))
        return false;
    const struct symtab_function *f = symtab_find(d->elf.symtab, handler & ~1U);
    return f && strcmp(f->name, "SysTick_Handler") == 0;
}

/* Whether the stub's timer is SysTick, whose period nobody else may need; sets *reload. */
static bool is_systick(struct doctor *d, uint32_t *reload)
{
    if (!d->is_cortex_m || d->profile.locked || !is_handled_by_stub(d) ||
        !core_read_register(d, SYST_RVR, reload))
        return false;
    *reload &= RELOAD_MASK;
    return OTHER_PERIOD * (*reload + 1.0) >= PERIOD_MIN;
}

/* Whether the timer's rate is put back whatever becomes of this process. */
static bool is_guarded(struct doctor *d, uint32_t reload)
{
    uint8_t bytes[4];

    put_word(reload, bytes);
    return gdbmi_link_undo_write(d->link, SYST_RVR, bytes, sizeof(bytes)) == GDBMI_OK;
}

/* Adds what the stub counts meanwhile to a side. */
static bool sample(struct sides *sides, unsigned side)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    struct doctor *d = sides->doctor;
    double end_s = monotonic_s() + SAMPLING_S;
    bool good = sides_begin(sides);

    for (uint64_t hits = 0; good && hits < SAMPLES && monotonic_s() < end_s && !signals_pending();
         hits += d->profile.recent) {
        (void)nanosleep(&pause, NULL);
        good = stub_poll(d) == SAMPLER_OK;
    }
    return good && sides_end(sides, side);
}

/* Samples at another rate. Returns false if the timer's own rate could not be put back: then the
 * guardian tries it, too, should this process die. */
static bool sample_other(struct sides *sides, uint32_t reload, bool *good)
{
    struct doctor *d = sides->doctor;
    bool back = false;

    waiting_for("measuring: SysTick 1.38 times as fast for up to 10 s, then its own rate again");
    *good = write_reload(d, (uint32_t)(OTHER_PERIOD * (reload + 1.0)) - 1) && sample(sides, OTHER);
    for (int i = 0; !back && i < WRITE_TRIES; i++)
        back = write_reload(d, reload);
    return back && gdbmi_link_undo_write(d->link, SYST_RVR, NULL, 0) == GDBMI_OK;
}

/* Samples at the timer's own rate, and at another one. */
static bool sample_both(struct sides *sides, uint32_t reload)
{
    bool good;

    waiting_for("measuring: samples at the timer's own rate, up to 10 s");
    if (!sample(sides, OWN) || signals_pending())
        return false;
    if (sample_other(sides, reload, &good))
        return good;
    finding_add(&sides->doctor->findings, FINDING_WARN, NAME, "reset the core",
                "the timer's period could not be put back");
    return false;
}

static void judge(const struct sides *sides)
{
    struct findings *findings = &sides->doctor->findings;
    struct homogeneity h = sides_compare(sides);
    double hz = sides->doctor->profile.sample_hz;

    if (!sides_are_enough(sides))
        finding_add(findings, FINDING_OK, NAME, NULL, "too few samples to compare two rates");
    else if (h.chance < SIDES_CHANCE)
        finding_add(findings, FINDING_WARN, NAME,
                    "build the stub with MPROF_JITTER 1, or start its timer with another rate",
                    "samples are in step with the firmware: %s has %.1f %% at the timer's rate, "
                    "%.1f %% at %.0f Hz",
                    sides_name(sides, h.largest), sides_percent(sides, OWN, h.largest),
                    sides_percent(sides, OTHER, h.largest), hz / OTHER_PERIOD);
    else
        finding_add(findings, FINDING_OK, NAME, NULL,
                    "samples at the timer's rate and at %.0f Hz agree, by %" PRIu64 " and %" PRIu64,
                    hz / OTHER_PERIOD, sides_sum(sides, OWN), sides_sum(sides, OTHER));
}

void check_rates(struct doctor *doctor)
{
    const struct profile *p = &doctor->profile;
    struct sides sides = {.doctor = doctor};
    uint32_t reload;

    if (p->unit != DECODE_UNIT_SAMPLES)
        return;
    if (p->jittered)
        finding_add(&doctor->findings, FINDING_OK, NAME, NULL,
                    "the timer's period is random: samples are not in step with the firmware");
    else if (!is_systick(doctor, &reload))
        finding_add(
            &doctor->findings, FINDING_WARN, NAME,
            "start the timer with another rate, like 997 in place of 1000, and 'mprof diff'",
            "the timer's period is fixed: samples may be in step with the firmware, and mprof "
            "changes the rate of no timer but the stub's SysTick to test that");
    else if (!is_guarded(doctor, reload))
        finding_add(
            &doctor->findings, FINDING_WARN, NAME,
            "connect to OpenOCD, or start the timer with another rate and 'mprof diff'",
            "the timer's period is fixed: samples may be in step with the firmware; to test that, "
            "mprof would change its rate, which nobody would put back here if mprof were killed");
    else if (sample_both(&sides, reload))
        judge(&sides);
    else
        finding_add(&doctor->findings, FINDING_WARN, NAME, "try again",
                    "the target restarted or could not be read at two rates");
    sides_free(&sides);
}
