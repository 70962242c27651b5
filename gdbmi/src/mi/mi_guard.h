/* SPDX-License-Identifier: 0BSD */
/* The guardian of a link through a gdb. */
#ifndef GDBMI_SRC_MI_GUARD_H
#define GDBMI_SRC_MI_GUARD_H

#include "mi_link.h"

/*
 * Starts the guardian of a gdb that we start (ours) or that is the user's; held: as in the options.
 * NULL when there can be none. It has work after any death: a gdb of ours goes, and the target
 * stays as that gdb found it; the user's gdb is left so that it goes on.
 */
struct guardian *mi_guard_start(bool ours, bool held);

/* Tells it what is known of the gdb and what stands behind it. */
void mi_guard_note(const struct mi_link *link);

#endif
