/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the core tells where it is without a stub, and whether that is in code of the ELF file.
 */
#include "checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/monotonic.h>
#include <taken/pcsr.h>

#include "moved.h"
#include "words.h"

#define NAME "pcsr"

#define SAMPLES 16
/* Fewer are enough where each takes long. */
#define SAMPLES_S 0.2

/* A few values of DWT_PCSR. Returns their number, 0 if it cannot be read. */
static size_t sample(struct doctor *d, uint32_t values[SAMPLES])
{
    double begin_s = monotonic_s();
    size_t count = 0;

    while (count == 0 || (count < SAMPLES && monotonic_s() < begin_s + SAMPLES_S)) {
        if (!core_read_register(d, PCSR_ADDR, &values[count++]))
            return 0;
    }
    if (d->request_s == 0)
        d->request_s = (monotonic_s() - begin_s) / (double)count;
    return count;
}

static bool is_nothing(const uint32_t *values, size_t count)
{
    size_t i = 0;

    while (i < count && values[i] == 0)
        i++;
    return i == count;
}

/* As a whole word: what smaller accesses to this register do is not defined. */
static bool write_demcr(struct doctor *d, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                             (uint8_t)(value >> 24)};

    return gdbmi_link_write(d->link, PCSR_DEMCR, bytes, sizeof(bytes)) == GDBMI_OK;
}

bool core_trace_begin(struct doctor *doctor, uint32_t *before)
{
    return core_read_register(doctor, PCSR_DEMCR, before) &&
           ((*before & PCSR_TRCENA) || write_demcr(doctor, *before | PCSR_TRCENA));
}

/* Others may have changed other bits meanwhile. */
bool core_trace_end(struct doctor *doctor, uint32_t before)
{
    uint32_t now;

    if (before & PCSR_TRCENA)
        return true;
    return core_read_register(doctor, PCSR_DEMCR, &now) && write_demcr(doctor, now & ~PCSR_TRCENA);
}

bool core_sample(struct doctor *doctor, uint32_t *pc)
{
    if (!core_read_register(doctor, PCSR_ADDR, pc))
        return false;
    *pc = pcsr_is_address(*pc) ? *pc & ~1U : 0;
    return true;
}

/* "; up to 490 a second are of use"; "" if the time of a read is not known. */
static const char *useful_rate(const struct doctor *d, char text[2 * WORDS_MAX])
{
    double share = d->options->link_share > 0 ? d->options->link_share : DOCTOR_SHARE;
    char rate[WORDS_MAX];

    text[0] = '\0';
    if (d->request_s > 0)
        snprintf(text, 2 * WORDS_MAX, "; up to %s a second are of use",
                 words_rate(share / d->request_s, rate));
    return text;
}

/* A core that sleeps is no fault, but shows nothing else. */
static void say_no_address(struct doctor *d)
{
    const char *rest = core_rest(d);

    d->no_pcsr = rest ? rest : "it does not permit it";
    if (rest)
        finding_add(&d->findings, FINDING_WARN, NAME,
                    "wake it, and let it run what is to be measured",
                    "DWT_PCSR gives no program counters: %s", rest);
    else
        finding_add(&d->findings, FINDING_OK, NAME, NULL,
                    "DWT_PCSR gives no program counters: the core does not permit it");
}

/* None of the values is in code of the ELF file. */
static void say_elsewhere(struct doctor *d, const uint32_t *values, size_t count)
{
    size_t i = 0;

    while (i + 1 < count && !pcsr_is_address(values[i]))
        i++;
    uint32_t pc = values[i] & ~1U;
    if (moved_find(d, pc, &d->moved))
        finding_add(&d->findings, FINDING_WARN, NAME, d->moved.advice,
                    "the core runs this ELF's code at 0x%08" PRIx32 ", where a loader has moved it",
                    pc);
    else
        finding_add(&d->findings, FINDING_WARN, NAME,
                    "add the ELF file of what runs there by a further --elf",
                    "the core runs at 0x%08" PRIx32 ", where this ELF file has no code", pc);
}

static void judge(struct doctor *d, const uint32_t *values, size_t count)
{
    const struct pcsr_values found = pcsr_count(d->elf.symtab, values, count);
    char rate[2 * WORDS_MAX];

    if (is_nothing(values, count)) {
        d->no_pcsr = "it has no DWT_PCSR";
        finding_add(&d->findings, FINDING_OK, NAME, NULL,
                    "this core has no program counter sampling (DWT_PCSR)");
    } else if (found.addresses == 0)
        say_no_address(d);
    else if (!d->elf.symtab)
        finding_add(&d->findings, FINDING_OK, NAME, NULL, "DWT_PCSR gives program counters%s",
                    useful_rate(d, rate));
    else if (found.code == 0)
        say_elsewhere(d, values, count);
    else
        finding_add(&d->findings, FINDING_OK, NAME, NULL,
                    "DWT_PCSR gives program counters, %u of %u of them in this ELF's code%s",
                    found.code, found.addresses, useful_rate(d, rate));
    d->has_pcsr = pcsr_answers(&found);
}

void check_pcsr(struct doctor *doctor)
{
    uint32_t values[SAMPLES];

    if (!doctor->is_cortex_m || doctor->state == GDBMI_STATE_HALTED)
        return;
    uint32_t before = 0;
    bool begun = core_trace_begin(doctor, &before);
    size_t count = begun ? sample(doctor, values) : 0;
    if (begun && !core_trace_end(doctor, before))
        finding_add(&doctor->findings, FINDING_WARN, NAME, "reset the core",
                    "DEMCR.TRCENA could not be cleared again");
    judge(doctor, values, count);
}
