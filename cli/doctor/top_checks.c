/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How 'mprof top' will read: the stub, or samples that it takes itself. */
#include "checks.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

bool top_takes_samples(const struct doctor *doctor)
{
    enum sampler_kind kind = doctor->options->sampler;
    bool without = doctor->elf.kind == SYMTAB_TABLE_UNKNOWN && !doctor->has_table &&
                   strcmp(doctor->options->symbol, "s_prof") == 0 &&
                   (kind == SAMPLER_AUTO || kind == SAMPLER_TOTAL);

    if (!doctor->info)
        return false;
    if (kind == SAMPLER_HALT || doctor->options->stacks != 0 || (without && !doctor->has_pcsr))
        return (doctor->options->link.allow_halt || doctor->info->simulator) &&
               kind != SAMPLER_PCSR;
    return doctor->has_pcsr && (without || kind == SAMPLER_PCSR);
}

/* By halts, it is not known how often. */
static void say_taken(struct doctor *d)
{
    double share = d->options->link_share > 0 ? d->options->link_share : DOCTOR_SHARE;
    char about[64] = "";
    bool halts = d->options->sampler == SAMPLER_HALT || d->options->stacks != 0 || !d->has_pcsr;
    char rate[WORDS_MAX];

    if (d->request_s > 0)
        snprintf(about, sizeof(about), ", some %s a second",
                 words_rate(share / d->request_s, rate));
    if (halts)
        finding_add(&d->findings, FINDING_OK, "top", NULL,
                    "it takes samples by short halts, for at most %.0f %% of the time",
                    100 * d->options->duty);
    else
        finding_add(&d->findings, FINDING_OK, "top", NULL,
                    "it takes samples by DWT_PCSR while the core runs%s", about);
}

static void say_read(struct doctor *d)
{
    const struct gdbmi_info *info = d->info;
    char poll[WORDS_MAX];

    finding_add(&d->findings, FINDING_OK, "top", NULL, "it reads the stub's %s in %s%s",
                decode_source_name(d->profile.source), words_time(d->poll_s, poll),
                info->live        ? " while the core runs"
                : info->simulator ? ", and stops the simulator for it"
                                  : ", and halts the core for it");
}

void check_top(struct doctor *doctor)
{
    if (doctor->options->sampler == SAMPLER_PCSR && doctor->link && !doctor->has_pcsr)
        finding_add(&doctor->findings, FINDING_FAIL, "top", "leave out --sampler pcsr",
                    "this core gives no program counters (DWT_PCSR)");
    if (finding_first(&doctor->findings, FINDING_FAIL) || !doctor->info)
        return;
    if (top_takes_samples(doctor))
        say_taken(doctor);
    else
        say_read(doctor);
    doctor->summary = doctor->findings.list[doctor->findings.count - 1];
}
