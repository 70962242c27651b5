/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the arguments of a comparison from a snapshot. */
#ifndef HISTORY_RUN_H
#define HISTORY_RUN_H

#include <ranking/change.h>
#include <snapshot/snapshot.h>

/* Returns a struct view_run with what the snapshot knows; profile was made of it, or of a run of it
 * (0: of all). The caller sets naming, name, unit and fingerprint. Everything is borrowed from
 * snapshot and profile. */
struct view_run history_run(const struct snapshot *snapshot, uint32_t run,
                            const struct profile *profile);

#endif
