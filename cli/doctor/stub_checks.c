/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub: whether it is there, was started and counts, and what 'mprof top' will show. */
#define _GNU_SOURCE /* strcasestr */
#include "checks.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/signals.h>
#include <profile/control.h>
#include <profile/unsure.h>
#include <target/silence.h>

#include "words.h"

#define NAME     "stub"
#define NOT_READ "see what the server prints"

/* How long it is waited for events that do not come, at least, and for how many of them. */
#define PATIENCE_S    2.0
#define PATIENCE_HITS 4
/* And how many readings without any: a machine that is busy reads rarely. */
#define PATIENCE_READS 20
/* From one reading to the next. */
#define PAUSE_S 0.05
/* Events are counted at least until the first time, then until there are enough or the last one. */
#define WATCH_S     0.2
#define WATCH_HITS  100
#define WATCH_MAX_S 1.0
/* A read that fails may work at the next try. */
#define READ_TRIES 3

/* More lost events than this make intervals wide, and more late ones move shares. */
#define LOST_SHARE 0.1
#define LATE_SHARE 0.2

/* How bad it is that the stub is of no use. */
static enum finding_mark stub_mark(const struct doctor *d)
{
    return top_takes_samples(d) ? FINDING_OK : finding_next_failure(&d->findings);
}

/* A stub is not required. */
static const char *no_stub_advice(const struct doctor *d)
{
    if (top_takes_samples(d))
        return NULL;
    return d->link ? "let mprof take samples by short halts with --allow-halt, or link the stub "
                     "(target-stub/README.md)"
                   : "leave it so: mprof takes samples itself, by DWT_PCSR or short halts "
                     "(--allow-halt)";
}

/* Why mprof takes no samples of a running core. */
static const char *no_samples(const struct doctor *d)
{
    if (d->no_pcsr)
        return d->no_pcsr;
    return d->is_cortex_m ? "DWT_PCSR cannot be read" : "only a Cortex-M does";
}

static void no_table(struct doctor *d)
{
    const char *symbol = d->options->symbol;
    const char *colon = strstr(d->no_table, ": ");
    const char *why = stub_mark(d) == FINDING_FAIL ? no_samples(d) : NULL;

    if (strcmp(symbol, "s_prof") != 0 || d->elf.kind != SYMTAB_TABLE_UNKNOWN)
        finding_add(&d->findings, FINDING_FAIL, NAME, "correct --symbol", "%s",
                    colon ? colon + 2 : d->no_table);
    else
        finding_add(
            &d->findings, stub_mark(d), NAME, no_stub_advice(d),
            "%s has no stub: there is no symbol 's_prof' in it%s%s", path_base_name(d->elf.path),
            why ? "; and the running core tells no program counters: " : "", why ? why : "");
}

static bool make_sampler(struct doctor *d)
{
    const struct elf_file *elf = &d->elf;
    const struct options *o = d->options;

    if (elf->kind == SYMTAB_TABLE_HEADERLESS)
        d->sampler = sampler_table_new_headerless(
            d->link, elf->symtab, &elf->table,
            strcasestr(o->symbol, "call") ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES, o->block_size);
    else
        d->sampler = sampler_table_new(
            d->link, elf->table_addr, elf->table_size, symtab_elf(elf->symtab)->addr_size,
            sampler_kind_is_taken(o->sampler) ? SAMPLER_AUTO : o->sampler);
    return d->sampler != NULL;
}

enum sampler_code stub_poll(struct doctor *doctor)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    double begin_s = monotonic_s();
    enum sampler_code code = sampler_table_poll(doctor->sampler, &doctor->profile, begin_s, &state);
    double took_s = monotonic_s() - begin_s;

    if (code == SAMPLER_OK && (doctor->poll_s == 0 || took_s < doctor->poll_s))
        doctor->poll_s = took_s;
    return code;
}

static enum sampler_code poll_first(struct doctor *d)
{
    enum sampler_code code = SAMPLER_EREAD;

    for (int i = 0; code == SAMPLER_EREAD && i < READ_TRIES; i++)
        code = stub_poll(d);
    return code;
}

/* The table of another firmware is elsewhere. */
static const char *damage_advice(const struct doctor *d)
{
    return d->match == IDENTITY_DIFFERS
               ? "give the ELF file of the firmware that runs"
               : "find what overwrites it: a stack that is too small, a wild pointer";
}

/* Where only zeros are read, code reads as zeros too if nothing is read at all. */
static void say_blank(struct doctor *d)
{
    if (d->match == IDENTITY_DIFFERS)
        finding_add(&d->findings, stub_mark(d), NAME, damage_advice(d),
                    "nothing is where this ELF file has %s: another firmware runs",
                    d->options->symbol);
    else if (d->match == IDENTITY_UNREADABLE && sampler_table_is_zero(d->sampler))
        finding_add(&d->findings, stub_mark(d), NAME, "check power, cable and reset",
                    "the target reads as zeros, its code too");
    else if (d->elf.kind == SYMTAB_TABLE_HEADERLESS)
        finding_add(&d->findings, stub_mark(d), NAME, "run the firmware until it has counted",
                    "%s has no hits of this firmware: %s", d->options->symbol,
                    sampler_table_text(d->sampler));
    else
        finding_add(&d->findings, stub_mark(d), NAME,
                    "call mprof_init() early in main(), and start the timer after it",
                    "%s is not initialised: the firmware has not called mprof_init()",
                    d->options->symbol);
}

static void say_no_reading(struct doctor *d, enum sampler_code code)
{
    char text[FINDING_TEXT];

    snprintf(text, sizeof(text), "%s", sampler_table_text(d->sampler));
    char *use = strstr(text, ": use ");
    if (use && code == SAMPLER_ETABLE)
        *use = '\0';
    if (code == SAMPLER_WAIT)
        say_blank(d);
    else if (code == SAMPLER_ETABLE)
        finding_add(&d->findings, stub_mark(d), NAME, use ? use + 2 : damage_advice(d),
                    "%s cannot be used: %s", d->options->symbol, text);
    else
        finding_add(&d->findings, stub_mark(d), NAME, NOT_READ, "%s cannot be read: %s",
                    d->options->symbol,
                    code == SAMPLER_ELINK ? gdbmi_link_error(d->link)->text : text);
}

static void pause_for(double seconds)
{
    struct timespec pause = {.tv_nsec = (long)(seconds * 1e9)};

    (void)nanosleep(&pause, NULL);
}

/* Reads until events have come, or long enough. */
static enum sampler_code watch_events(struct doctor *d)
{
    const struct profile *p = &d->profile;
    char off[SILENCE_TEXT];
    double begin_s = monotonic_s();
    double patience_s =
        p->sample_hz ? fmax(PATIENCE_S, PATIENCE_HITS / (double)p->sample_hz) : PATIENCE_S;
    enum sampler_code code = SAMPLER_OK;

    for (int reads = 0; code == SAMPLER_OK && !signals_pending(); reads++) {
        d->counted_s = monotonic_s() - begin_s;
        bool enough = d->hits != 0 || silence_switch(p, false, off);
        double watch_s = d->hits != 0 && d->hits < WATCH_HITS ? WATCH_MAX_S : WATCH_S;
        if (d->counted_s > (enough ? watch_s : patience_s) && (enough || reads > PATIENCE_READS))
            break;
        pause_for(PAUSE_S);
        code = stub_poll(d);
        d->events += code == SAMPLER_OK ? p->events : 0;
        d->hits += code == SAMPLER_OK ? p->recent : 0;
    }
    return code;
}

/* "table(256), stream(64)" */
static void list_blocks(const struct decode_header *h, char *text, size_t capacity)
{
    size_t len = 0;

    text[0] = '\0';
    for (int source = 0; source < DECODE_SOURCES && len < capacity; source++) {
        if (h->blocks[source].count != 0)
            len += (size_t)snprintf(text + len, capacity - len, "%s%s(%zu)", len ? ", " : "",
                                    decode_source_name((enum decode_source)source),
                                    h->blocks[source].count);
    }
}

static void describe_stub(struct doctor *d)
{
    const struct decode_header *h = sampler_table_header(d->sampler);
    char blocks[200], rate[24] = "rate not known";

    if (!h) {
        finding_add(&d->findings, FINDING_OK, NAME, NULL,
                    "%s is a table without a header: what it lost is not known",
                    d->options->symbol);
        return;
    }
    list_blocks(h, blocks, sizeof(blocks));
    if (h->sample_hz)
        snprintf(rate, sizeof(rate), "%" PRIu32 " Hz", h->sample_hz);
    finding_add(&d->findings, FINDING_OK, NAME, NULL, "ABI %u.%u, %s, %u core%s, timer: %s%s",
                h->abi_major, h->abi_minor, blocks, h->cores, h->cores == 1 ? "" : "s", rate,
                h->jittered ? ", jittered"
                : h->locked ? ", locked to the firmware's tick"
                            : "");
}

/* By what came since the first reading. */
static void say_reason(const struct doctor *d, char text[SILENCE_TEXT])
{
    const struct profile *p = &d->profile;
    struct profile delta = *p;

    delta.heartbeat -= d->first.heartbeat;
    delta.sleeping -= d->first.sleeping;
    delta.ignored -= d->first.ignored;
    delta.dropped -= d->first.dropped;
    if (delta.heartbeat == 0 && delta.sleeping == 0 && p->unit == DECODE_UNIT_SAMPLES)
        snprintf(text, SILENCE_TEXT, "%s",
                 p->heartbeat == 0
                     ? "the firmware has not started the timer that takes samples"
                     : "the timer that takes samples has stopped, or the core sleeps");
    else
        silence_reason(&delta, false, p->heartbeat, text);
}

/* Nothing was counted: why. */
static void say_silence(struct doctor *d)
{
    const struct profile *p = &d->profile;
    const char *rest = NULL;
    char text[SILENCE_TEXT] = "";

    if (silence_switch(p, false, text)) {
        const char *advice = finding_split(text);
        finding_add(&d->findings, stub_mark(d), "counts", advice, "the stub is switched off: %s",
                    text);
        return;
    }
    bool told = silence_firmware(p, false, text);
    if (!told)
        rest = core_rest(d);
    if (!told && !rest)
        say_reason(d, text);
    finding_add(&d->findings, stub_mark(d), "counts",
                told   ? "run the code that is to be measured"
                : rest ? "wake it, and let it run what is to be measured"
                       : "start the timer: mprof_systick_start(), mprof_mtimer_start() or your own",
                "nothing was counted in %.1f s: %s", d->counted_s, rest ? rest : text);
}

static void say_lost(struct doctor *d)
{
    const struct profile *p = &d->profile;

    if ((double)p->dropped > LOST_SHARE * (double)p->heartbeat)
        finding_add(&d->findings, FINDING_WARN, "counts",
                    "'mprof control reset' empties the table; a larger MPROF_CNT loses less",
                    "%" PRIu32 " of %" PRIu32 " events were lost: the table is full", p->dropped,
                    p->heartbeat);
}

/* How late, by all samples since the start. */
static bool is_late(const struct profile *p)
{
    return p->unit == DECODE_UNIT_SAMPLES && (double)p->late > LATE_SHARE * (double)p->heartbeat;
}

static void say_late(struct doctor *d)
{
    const struct profile *p = &d->profile;

    finding_add(&d->findings, FINDING_WARN, "counts",
                "give the timer's interrupt the highest priority, and look for code that masks "
                "interrupts",
                "%.0f %% of the samples are late: they are counted after the code that delayed "
                "them",
                fmin(100.0 * (double)p->late / (double)p->heartbeat, 100));
}

/* What is wrong with the numbers that come. */
static void say_counts(struct doctor *d)
{
    const struct profile *p = &d->profile;
    char doubt[PROFILE_DOUBT_TEXT];
    char text[SILENCE_TEXT];

    say_lost(d);
    if (silence_switch(p, false, text))
        say_silence(d);
    else if (profile_doubt(p, doubt) != PROFILE_SURE)
        finding_add(&d->findings, FINDING_WARN, "counts",
                    "see docs/sources.md: how each source can mislead", "%s", doubt);
    else if (is_late(p))
        say_late(d);
    else
        finding_add(&d->findings, FINDING_OK, "counts", NULL,
                    "%.0f %s a second, %" PRIu32 " since the start, %" PRIu32 " lost",
                    d->counted_s > 0 ? (double)d->events / d->counted_s : 0.0, profile_unit_name(p),
                    p->heartbeat, p->dropped);
}

void check_stub(struct doctor *doctor)
{
    if (doctor->elf.symtab && !doctor->has_table && !symtab_is_stripped(doctor->elf.symtab))
        no_table(doctor);
    if (!doctor->link || !doctor->has_table || doctor->match == IDENTITY_MACHINE)
        return;
    profile_init(&doctor->profile);
    enum sampler_code code = make_sampler(doctor) ? poll_first(doctor) : SAMPLER_ENOMEM;
    doctor->first = doctor->profile;
    if (code == SAMPLER_OK)
        describe_stub(doctor);
    if (code == SAMPLER_OK && doctor->state != GDBMI_STATE_HALTED)
        code = watch_events(doctor);
    if (!doctor->sampler)
        finding_add(&doctor->findings, FINDING_FAIL, NAME, NULL, "out of memory");
    else if (code != SAMPLER_OK)
        say_no_reading(doctor, code);
    else if (doctor->state == GDBMI_STATE_HALTED)
        say_lost(doctor);
    else if (doctor->hits == 0 && !doctor->profile.headerless)
        say_silence(doctor);
    else
        say_counts(doctor);
}
