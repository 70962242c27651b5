/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rows of a diff are called in thresholds, budgets and what is said of them. */
#ifndef COMMAND_GATE_NAMES_H
#define COMMAND_GATE_NAMES_H

#include <ranking/change.h>

struct gate_name {
    char *name;           /* what patterns are held against */
    const char *old_name; /* base's, which patterns match as well; borrowed, NULL: the same */
    char *label;          /* the name, and its file where another row has that name too */
};

struct gate_names {
    struct gate_name *all; /* as changes->rows */
    size_t count;
};

/* Names of any length, whole. false: no memory. Free with gate_names_free() in any case, before the
 * changes. */
bool gate_names_make(const struct view_changes *changes, struct gate_names *names)
    __attribute__((warn_unused_result));
void gate_names_free(struct gate_names *names);

/* The name, new or old, that the pattern of so many bytes matches; 0: any. NULL: neither. */
const char *gate_name_matched(const struct gate_name *name, const char *glob, size_t len);

#endif
