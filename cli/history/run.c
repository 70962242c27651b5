/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison needs to know of a snapshot. */
#include <history/run.h>

#include <string.h>

#include <base/path.h>

/* The firmware's timer, or the period that others wrote. */
static double rate_of(const struct snapshot *s, const struct profile *profile)
{
    if (profile->unit != DECODE_UNIT_SAMPLES)
        return 0;
    if (s->conditions.sample_hz)
        return (double)s->conditions.sample_hz;
    bool timed = !s->ours && s->period > 0 && strcmp(s->period_type.unit, "nanoseconds") == 0;
    return timed ? 1e9 / (double)s->period : 0;
}

static const char *elf_of(const struct snapshot *s)
{
    bool said = s->conditions.elf[0] || !s->mapping_count;

    return said ? s->conditions.elf : path_base_name(s->mappings[0].file);
}

struct view_run history_run(const struct snapshot *snapshot, uint32_t run,
                            const struct profile *profile)
{
    const struct snapshot_mapping *mapping =
        snapshot->mapping_count ? &snapshot->mappings[0] : NULL;

    return (struct view_run){
        .profile = profile,
        .elf = elf_of(snapshot),
        .build_id = mapping ? mapping->build_id : "",
        .start = mapping ? mapping->start : 0,
        .sample_hz = rate_of(snapshot, profile),
        .duration_s =
            1e-9 * (double)(run ? snapshot->runs[run - 1].duration_ns : snapshot->duration_ns),
        .one_boot = run && snapshot->conditions.one_boot,
        .iterations = profile->iterations,
        .decays = snapshot->conditions.decays,
        .differs = strncmp(snapshot->conditions.identity, "differs", 7) == 0,
    };
}
