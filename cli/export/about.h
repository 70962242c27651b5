/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under what conditions a profile was taken, in words and numbers. */
#ifndef EXPORT_ABOUT_H
#define EXPORT_ABOUT_H

#include <stdio.h>

#include <snapshot/snapshot.h>

/* One thing that is known; text or number. */
struct about_item {
    const char *key;   /* of the JSON object */
    const char *title; /* for people */
    const char *text;  /* NULL: it is a number */
    bool flag;         /* it holds; text is "yes" */
    uint64_t number;
};

/* What is known of the snapshot, at most max; returns how many there are. Texts are borrowed. */
size_t about_list(const struct snapshot *s, struct about_item *items, size_t max);

/* More than there are. */
#define ABOUT_MAX 40

/* The same as the members of a JSON object: "conditions": {...}, "time_ns": ..., ... */
void about_json(FILE *out, const struct snapshot *s);

#endif
