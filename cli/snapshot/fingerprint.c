/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a snapshot tells whether another one has the same hits. */
#include <snapshot/fingerprint.h>

void snapshot_fingerprint(const struct snapshot *snapshot, uint32_t run,
                          const struct profile *profile, struct fingerprint *fingerprint)
{
    const struct snapshot_run *one = run ? &snapshot->runs[run - 1] : NULL;

    fingerprint_take(fingerprint, profile);
    fingerprint->time_ns = one ? one->time_ns : snapshot->time_ns;
    fingerprint->duration_ns = one ? one->duration_ns : snapshot->duration_ns;
    fingerprint->whole = snapshot->ours && fingerprint->duration_ns <= 0;
    fingerprint->bias = snapshot_bias(snapshot);
    fingerprint->build = snapshot->mapping_count ? snapshot->mappings[0].build_id : "";
}
