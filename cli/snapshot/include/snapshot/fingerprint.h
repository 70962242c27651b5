/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot as a reading of a target's counts. */
#ifndef SNAPSHOT_FINGERPRINT_H
#define SNAPSHOT_FINGERPRINT_H

#include <profile/fingerprint.h>
#include <snapshot/snapshot.h>

/* profile is what snapshot_profile() or snapshot_profile_flat() made of it. Of other tools' files
 * it is not known what they hold that says no duration: they contain none. The build is borrowed
 * from the snapshot. */
void snapshot_fingerprint(const struct snapshot *snapshot, const struct profile *profile,
                          struct fingerprint *fingerprint);

#endif
