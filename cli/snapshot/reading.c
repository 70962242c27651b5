/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a snapshot tells whether another one has the same hits. */
#include <snapshot/reading.h>

void snapshot_reading(const struct snapshot *snapshot, const struct profile *profile,
                      struct reading *reading)
{
    reading_take(reading, profile);
    reading->time_ns = snapshot->time_ns;
    reading->duration_ns = snapshot->duration_ns;
    reading->whole = snapshot->ours && snapshot->duration_ns <= 0;
    reading->build = snapshot->mapping_count ? snapshot->mappings[0].build_id : "";
}
