/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which functions of two builds are the same. */
#ifndef PROFILE_MATCH_H
#define PROFILE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of one side. The caller owns the strings. */
struct match_row {
    const char *function; /* never NULL */
    const char *file;     /* NULL: not known */
    bool newer;           /* the row is of new, else of base */
    uint64_t hits;        /* sum over the snapshots of the side */
    uint64_t size;        /* bytes of code, 0: not known */
    size_t key;           /* set by match_rows(): index of its function in keys */
};

/* One function of both sides. Strings are those of rows, or point into them. Arrays have the values
 * of base and new. */
struct match_key {
    const char *function; /* name_len bytes without a NUL: without suffixes of the compiler */
    size_t name_len;
    const char *file;          /* NULL: not known */
    uint64_t hits[2], size[2]; /* sums over the rows of the side */
    bool has[2];               /* the side has the function */
    bool guessed;              /* base has another name: the function seems to be renamed */
    const char *old_name;      /* if guessed, the name in base, old_len bytes; else NULL */
    size_t old_len;
    const char *old_file; /* the file in base, if the function seems to have moved; else NULL */
    size_t joined;        /* rows beyond one a side that were added up */
};

/*
 * Returns the length of a name without what a compiler appends for a copy or a part of a function:
 * .constprop.N, .isra.N, .part.N, .cold, .lto_priv.N, .llvm.N, .localalias, .N, or several of them;
 * " [clone ...]" of a demangled name; Rust's ::h0123456789abcdef (17h...E in a mangled name).
 * At least 1 if name is not "".
 */
size_t match_name_len(const char *name);

/*
 * Whether wanted is the name of a function without parameters and template arguments, or the end of
 * it after a "::": "put" and "Store::put" of "app::Store::put(int)". Ignores " [clone ...]".
 */
bool match_is_unqualified(const char *function, const char *wanted);

/*
 * Assigns a key to each row. Rows are the same function if
 *
 * - name and file are equal;
 * - the names are equal, the files are in other folders or one is not known, and no other function
 *   has this name;
 * - each side has one function of the name, in files of other names, with similar shares and sizes:
 *   it has moved (old_file);
 * - one is only in base and one only in new, in the same file, with similar sizes or shares, and no
 *   other pair is possible: it is renamed (guessed).
 *
 * *keys is an array of *count, which the caller frees with free(). Returns false if memory runs
 * out; *keys and *count are unchanged then.
 */
bool match_rows(struct match_row *rows, size_t row_count, struct match_key **keys, size_t *count)
    __attribute__((warn_unused_result));

#endif
