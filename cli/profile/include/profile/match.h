/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of two builds are the same. */
#ifndef PROFILE_MATCH_H
#define PROFILE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of one side. The caller owns the strings. */
struct match_row {
    const char *function; /* never NULL */
    const char *file;     /* NULL: not known */
    bool newer;           /* of which side */
    uint64_t hits;        /* of all snapshots of the side */
    uint64_t size;        /* bytes of code, 0: not known */
    size_t key;           /* set by match_rows(): its number in keys */
};

/* One function of both sides. Strings are those of a row, or point into them. */
struct match_key {
    const char *function; /* name_len bytes, without what the compiler added; not terminated */
    size_t name_len;
    const char *file;
    uint64_t hits[2], size[2]; /* base, new */
    bool has[2];
    bool guessed;         /* base's name is another one: it is thought to be renamed */
    const char *old_name; /* of guessed: old_len bytes, else NULL */
    size_t old_len;
    const char
        *old_file; /* base's, of one that is thought to have moved to another file; else NULL */
    size_t joined; /* rows that were added up beyond one a side */
};

/*
 * Length of the name without what a compiler appends to a copy or a part of a function:
 * .constprop.N, .isra.N, .part.N, .cold, .lto_priv.N, .llvm.N, .localalias, .N, several of them,
 * " [clone ...]" of a demangled name, and Rust's ::h0123456789abcdef (in a mangled name 17h...E).
 * At least 1 if name is not empty.
 */
size_t match_name_len(const char *name);

/*
 * Whether wanted is the function's name, or the end of it from a "::" on, without parameters and
 * template arguments: "put" and "Store::put" of "app::Store::put(int)". Marks of copies
 * (" [clone ...]") do not matter.
 */
bool match_is_unqualified(const char *function, const char *wanted);

/*
 * Gives every row its key. Rows are one function if name and file are equal; if a file's folder
 * differs (another place of build), or one side does not know files, where only one function of
 * that name comes into question. If there is one function of a name on each side, in files of other
 * names, and both are alike in share (and size), it is thought to have moved (old_file). What then
 * is only in base and only in new, in one file, and alike in size or share, is taken for renamed
 * (guessed); never where two come into question. *keys, *count of them, are to be freed with
 * free(). false: no memory.
 */
bool match_rows(struct match_row *rows, size_t row_count, struct match_key **keys, size_t *count)
    __attribute__((warn_unused_result));

#endif
