/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conditions of a snapshot as comments of its file. */
#ifndef SNAPSHOT_CONDITIONS_H
#define SNAPSHOT_CONDITIONS_H

#include <snapshot/snapshot.h>

/* The first comment of every snapshot of ours. */
#define CONDITIONS_MARK "mprof snapshot 1"

/* Says each condition that is known as "mprof KEY=VALUE". false: say() did. */
bool conditions_each(const struct snapshot *s, void *context,
                     bool (*say)(void *context, const char *comment));

enum conditions_take {
    CONDITIONS_TAKEN,
    CONDITIONS_OTHER, /* no condition that is known here */
    CONDITIONS_WRONG, /* a value that cannot be */
    CONDITIONS_ENOMEM,
};

/* Takes a comment. */
enum conditions_take conditions_take(struct snapshot *s, const char *comment);

/* Adds those of another snapshot to those of *s, whatever the order. false: no memory. */
bool conditions_add(struct snapshot *s, const struct snapshot *from);

#endif
