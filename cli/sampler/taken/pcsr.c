/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples by DWT_PCSR of a Cortex-M, which says where the core is while it runs. */
#include <taken/pcsr.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>

/* No read of a batch begins later, so that the server is free again soon; and how many reads it has
 * at most. */
#define LONGEST_MS 10
#define READS_MAX  100

/* Reads that decide whether there is a DWT_PCSR. */
#define PROBE_READS 16

/* DHCSR is asked so rarely, and only if DWT_PCSR has no address: reading it clears S_RESET_ST, by
 * which the debug server learns of a reset. */
#define DHCSR_S 1.0

struct pcsr {
    bool sets_trcena; /* it was clear, so it is cleared in the end */
    bool has_looked;  /* dhcsr was read */
    uint32_t dhcsr;
    double dhcsr_s; /* when */
};

bool pcsr_is_address(uint32_t value)
{
    return value != 0 && value < 0xe0000000u;
}

enum taken_kind pcsr_kind(uint32_t value, uint32_t dhcsr)
{
    if (pcsr_is_address(value))
        return TAKEN_CODE;
    if (value == PCSR_LOCKUP || (dhcsr & PCSR_S_LOCKUP))
        return TAKEN_LOCKUP;
    if (dhcsr & PCSR_S_HALT)
        return TAKEN_HALTED;
    return dhcsr & PCSR_S_SLEEP ? TAKEN_ASLEEP : TAKEN_UNKNOWN;
}

static enum sampler_code read_register(struct taken *t, uint32_t addr, uint32_t *value)
{
    const struct gdbmi_repeat once = {.addr = addr, .times = 1};
    enum gdbmi_state state;
    size_t count;

    enum gdbmi_code code = gdbmi_link_repeat(t->link, &once, value, &count, &state);
    return code == GDBMI_OK ? SAMPLER_OK : taken_fail(t, code);
}

static enum gdbmi_code write_demcr(struct taken *t, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24)};

    return gdbmi_link_write(t->link, PCSR_DEMCR, bytes, sizeof(bytes));
}

/* Without it the DWT reads as zero. Somebody else may clear it at any time. */
static enum sampler_code switch_on(struct taken *t)
{
    struct pcsr *p = t->own;
    uint32_t demcr;
    enum sampler_code code = read_register(t, PCSR_DEMCR, &demcr);

    if (code != SAMPLER_OK || (demcr & PCSR_TRCENA))
        return code;
    p->sets_trcena = true;
    enum gdbmi_code written = write_demcr(t, demcr | PCSR_TRCENA);
    return written == GDBMI_OK ? SAMPLER_OK : taken_fail(t, written);
}

/* Also after a request that failed: only a link that works no more refuses these. */
static void close_pcsr(struct taken *t)
{
    struct pcsr *p = t->own;
    uint32_t demcr;

    if (p && p->sets_trcena && t->link && read_register(t, PCSR_DEMCR, &demcr) == SAMPLER_OK)
        (void)write_demcr(t, demcr & ~PCSR_TRCENA);
    free(p);
    t->own = NULL;
}

static enum sampler_code say(struct taken *t, enum sampler_code code, const char *why)
{
    snprintf(t->text, sizeof(t->text), "%s", why);
    return code;
}

/* Why it has no address. */
static enum sampler_code explain_nothing(struct taken *t, uint32_t value, uint32_t dhcsr)
{
    if (dhcsr & PCSR_S_HALT)
        return say(t, SAMPLER_WAIT, "the core is halted, so DWT_PCSR has no address");
    if (dhcsr & PCSR_S_SLEEP)
        return say(t, SAMPLER_WAIT, "the core sleeps, so DWT_PCSR has no address");
    if (dhcsr & PCSR_S_LOCKUP || value == PCSR_LOCKUP)
        return say(t, SAMPLER_WAIT, "the core is locked up after a fault");
    if (value == PCSR_NONE)
        return say(t, SAMPLER_ETABLE,
                   "DWT_PCSR reads 0xFFFFFFFF: the core does not permit sampling");
    snprintf(t->text, sizeof(t->text), "the core has no DWT_PCSR (it reads 0x%08" PRIX32 ")",
             value);
    return SAMPLER_ETABLE;
}

struct pcsr_values pcsr_count(const struct symtab *symtab, const uint32_t *values, size_t count)
{
    struct pcsr_values found = {.addresses = 0};

    for (size_t i = 0; i < count; i++) {
        bool address = pcsr_is_address(values[i]);
        found.addresses += address;
        found.code += address && symtab && symtab_is_code(symtab, values[i] & ~1u);
        found.vary = found.vary || values[i] != values[0];
    }
    return found;
}

bool pcsr_answers(const struct pcsr_values *values)
{
    return values->addresses != 0 && (values->vary || values->code != 0);
}

static enum sampler_code judge(struct taken *t, const uint32_t *values, size_t count)
{
    const struct pcsr_values found = pcsr_count(t->symtab, values, count);
    uint32_t dhcsr = 0;

    if (pcsr_answers(&found))
        return SAMPLER_OK;
    enum sampler_code done = read_register(t, PCSR_DHCSR, &dhcsr);
    if (done != SAMPLER_OK)
        return done;
    return explain_nothing(t, values[0], dhcsr);
}

static enum sampler_code probe(struct taken *t)
{
    const struct gdbmi_repeat repeat = {
        .addr = PCSR_ADDR, .times = PROBE_READS, .longest_ms = LONGEST_MS};
    const struct symtab_elf *elf = symtab_elf(t->symtab);
    uint32_t values[PROBE_READS];
    enum gdbmi_state state;
    size_t count;

    if (strcmp(elf->arch, "arm") != 0 || elf->big_endian)
        return say(t, SAMPLER_ETABLE, "only a Cortex-M has DWT_PCSR");
    if (!gdbmi_link_info(t->link)->live)
        return say(t, SAMPLER_ETABLE, "this link reads no memory while the core runs");
    t->own = calloc(1, sizeof(struct pcsr));
    if (!t->own)
        return SAMPLER_ENOMEM;
    enum sampler_code code = switch_on(t);
    if (code != SAMPLER_OK)
        return code;
    enum gdbmi_code read = gdbmi_link_repeat(t->link, &repeat, values, &count, &state);
    return read == GDBMI_OK ? judge(t, values, count) : taken_fail(t, read);
}

/* What DWT_PCSR cannot say by an address. */
static enum sampler_code look(struct taken *t)
{
    struct pcsr *p = t->own;
    double now_s = monotonic_s();

    if (p->has_looked && now_s - p->dhcsr_s < DHCSR_S)
        return SAMPLER_OK;
    enum sampler_code code = read_register(t, PCSR_DHCSR, &p->dhcsr);
    if (code == SAMPLER_OK)
        code = switch_on(t);
    p->has_looked = code == SAMPLER_OK;
    p->dhcsr_s = now_s;
    return code;
}

/* The task that ran before a batch, and after it. */
struct tasks {
    bool known;
    uint64_t before, after;
};

/* Returns false if the firmware has no such word, or it cannot be read. */
static bool read_task(struct taken *t, uint64_t *word)
{
    unsigned char bytes[sizeof(*word)];
    unsigned size = t->how.task_size;

    if (size == 0 || gdbmi_link_read(t->link, t->how.task, bytes, size) != GDBMI_OK)
        return false;
    *word = taken_task(t, bytes);
    return true;
}

/* The server knows that somebody has halted the core without being asked for DHCSR. Each half of
 * the samples has the task that was read next to it: so a task has its share on average, however
 * often tasks are switched in a batch. */
static enum sampler_code add_all(struct taken *t, const uint32_t *values, size_t count,
                                 const struct tasks *tasks, bool halted)
{
    struct pcsr *p = t->own;
    bool strange = false;

    for (size_t i = 0; i < count; i++)
        strange = strange || !pcsr_is_address(values[i]);
    enum sampler_code code = strange && !halted ? look(t) : SAMPLER_OK;
    uint32_t dhcsr = halted ? PCSR_S_HALT : p->dhcsr;
    for (size_t i = 0; code == SAMPLER_OK && i < count; i++) {
        const struct taken_sample sample = {.kind =
                                                halted ? TAKEN_HALTED : pcsr_kind(values[i], dhcsr),
                                            .pc = values[i] & ~1u,
                                            .has_task = tasks->known,
                                            .task = i < count / 2 ? tasks->before : tasks->after};
        if (!taken_add(t, &sample))
            code = SAMPLER_ENOMEM;
    }
    return code;
}

static enum sampler_code batch(struct taken *t, enum gdbmi_state *state)
{
    const struct gdbmi_repeat repeat = {
        .addr = PCSR_ADDR, .times = READS_MAX, .longest_ms = LONGEST_MS};
    struct tasks tasks = {.before = 0, .after = 0};
    uint32_t values[READS_MAX];
    size_t count;

    if (t->how.burst)
        return pcsr_burst(t, state);
    tasks.known = read_task(t, &tasks.before);
    enum gdbmi_code code = gdbmi_link_repeat(t->link, &repeat, values, &count, state);
    if (code != GDBMI_OK)
        return taken_fail(t, code);
    tasks.known = tasks.known && read_task(t, &tasks.after);
    return add_all(t, values, count, &tasks, *state == GDBMI_STATE_HALTED);
}

/* Others' turn, also with --link-share 1. */
static double pause_s(const struct taken *t)
{
    (void)t;
    return 0.0005;
}

const struct taken_ops taken_pcsr = {
    .source = DECODE_PCSR,
    .probe = probe,
    .batch = batch,
    .pause_s = pause_s,
    .close = close_pcsr,
};
