/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot as one run of a comparison. */
#ifndef HISTORY_RUN_H
#define HISTORY_RUN_H

#include <ranking/change.h>
#include <snapshot/snapshot.h>

/*
 * What a snapshot says of itself; profile is made of it. The caller sets naming, name, unit and
 * fingerprint, and what it knows better. Everything is borrowed from snapshot and profile.
 */
struct view_run history_run(const struct snapshot *snapshot, const struct profile *profile);

#endif
