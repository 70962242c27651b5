/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a snapshot tells whether another one has the same hits. */
#include <snapshot/fingerprint.h>

void snapshot_fingerprint(const struct snapshot *snapshot, const struct profile *profile,
                          struct fingerprint *fingerprint)
{
    fingerprint_take(fingerprint, profile);
    fingerprint->time_ns = snapshot->time_ns;
    fingerprint->duration_ns = snapshot->duration_ns;
    fingerprint->whole = snapshot->ours && snapshot->duration_ns <= 0;
    fingerprint->bias = snapshot_bias(snapshot);
    fingerprint->build = snapshot->mapping_count ? snapshot->mappings[0].build_id : "";
}
