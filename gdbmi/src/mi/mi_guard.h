/* SPDX-License-Identifier: 0BSD */
/* The guardian of a link through a gdb. */
#ifndef GDBMI_SRC_MI_GUARD_H
#define GDBMI_SRC_MI_GUARD_H

#include "mi_link.h"

/*
 * Starts the guardian of a gdb that we start (ours) or that is the user's; held: as in the options.
 * NULL when there can be none. After any death of mprof it ends our own gdb and leaves the
 * target as that gdb found it, or leaves the user's gdb able to continue.
 */
struct guardian *mi_guard_start(bool ours, bool held);

/* Tells it what is known of the gdb and of its server or process. */
void mi_guard_note(const struct mi_link *link);

#endif
