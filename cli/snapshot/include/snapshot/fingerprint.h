/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the fingerprint of a snapshot (profile/fingerprint.h). */
#ifndef SNAPSHOT_FINGERPRINT_H
#define SNAPSHOT_FINGERPRINT_H

#include <profile/fingerprint.h>
#include <snapshot/snapshot.h>

/* Sets all of *fingerprint. profile was made of the snapshot by snapshot_profile() or
 * snapshot_profile_flat(), or of a run of it (0: of all). Its build is borrowed from the snapshot.
 * A file of another tool never counts as whole, because a missing duration has no known meaning
 * there. */
void snapshot_fingerprint(const struct snapshot *snapshot, uint32_t run,
                          const struct profile *profile, struct fingerprint *fingerprint);

#endif
