/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the rows of a diff, as thresholds, budgets and messages use them. */
#ifndef COMMAND_GATE_NAMES_H
#define COMMAND_GATE_NAMES_H

#include <ranking/change.h>

/* The name of one row. */
struct gate_name {
    char *name;           /* compared with patterns; owned */
    const char *old_name; /* name in base, also compared; borrowed; NULL: the same */
    char *label; /* for messages: the name, and its file if several rows have the name; owned */
};

/* The names of all rows. */
struct gate_names {
    struct gate_name *all; /* in the order of changes->rows; count of them, owned */
    size_t count;
};

/* Makes the names, without cutting them. The caller frees *names with gate_names_free() in any
 * case, before it frees the changes. Returns false if memory runs out. */
bool gate_names_make(const struct view_changes *changes, struct gate_names *names)
    __attribute__((warn_unused_result));
void gate_names_free(struct gate_names *names);

/* Returns the name, new or old, that matches the first len bytes of glob, or NULL. If len is 0,
 * every name matches. */
const char *gate_name_matched(const struct gate_name *name, const char *glob, size_t len);

#endif
