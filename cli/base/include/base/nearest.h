/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the name that is most similar to a mistyped one, for "did you mean". */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Longest word and longest name that are compared, bytes without the NUL. */
#define NEAREST_MAX 120

/* Size of a text that nearest_hint() never cuts if prefix is "" or "--", bytes with the NUL. */
#define NEAREST_HINT (NEAREST_MAX + 24)

/* One search. It borrows the strings, which must live as long as it is used. */
struct nearest {
    const char *typed;
    size_t len;       /* bytes of typed to compare */
    const char *name; /* the most similar name so far; NULL: none is similar enough */
    size_t distance;  /* its number of typing mistakes */
};

/* Starts a search for the first len bytes of typed, which need no NUL. */
void nearest_begin(struct nearest *n, const char *typed, size_t len);

/* Compares one name; NULL is skipped. A mistake is a letter that was added, left out, replaced, or
 * swapped with its neighbour (optimal string alignment distance); case is ignored. A name is
 * similar enough if the mistakes are at most a third of the letters of the longer of the two. Of
 * equally similar names the first one stays. */
void nearest_offer(struct nearest *n, const char *name);

/* Writes "; did you mean 'NAME'?" to text, with prefix ("--") before the name, or "" if there is no
 * similar name. capacity is bytes of text. Returns text. */
const char *nearest_hint(const struct nearest *n, const char *prefix, char *text, size_t capacity);

#endif
