/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name that somebody probably meant: the one of many that is nearest to what was typed. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Longer words have no nearest name, and longer names are none. */
#define NEAREST_MAX 120

/* Bytes that nearest_hint() needs for any name. */
#define NEAREST_HINT (NEAREST_MAX + 24)

/* One search. Both strings are borrowed; typed has at most len bytes that count. */
struct nearest {
    const char *typed;
    size_t len;
    const char *name; /* the nearest so far, NULL: none is near */
    size_t distance;
};

void nearest_begin(struct nearest *n, const char *typed, size_t len);

/* Considers one more name, NULL: none. It is near if no more letters were added, left out, wrongly
 * typed or swapped with their neighbour than a third of the longer of the two; capitals do not
 * matter. Of two that are as near the first stays. */
void nearest_offer(struct nearest *n, const char *name);

/* "; did you mean 'NAME'?" with prefix before the name, or "" if none is near. Returns text. */
const char *nearest_hint(const struct nearest *n, const char *prefix, char *text, size_t capacity);

#endif
