/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which hits are to be left out of a ranking. */
#ifndef RANKING_IGNORE_H
#define RANKING_IGNORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/vectors.h>

#define VIEW_IGNORE_MAX 64

/* A pattern of fnmatch(3), or a range of addresses. */
struct view_ignore_rule {
    char glob[120];       /* "": it is a range */
    bool files;           /* it may be meant for files: it has a dot or a slash */
    uint64_t first, last; /* of the range, both in it */
};

struct view_ignore {
    struct view_ignore_rule rules[VIEW_IGNORE_MAX];
    size_t count;
    bool files;                 /* some rule may be meant for files */
    bool some_contexts;         /* all that came in other exceptions is left out, too */
    bool contexts[VECTORS_MAX]; /* by their numbers; 0: none */
};

/*
 * Adds a list like "HAL_*,startup.c,0x08000000+0x400,0x1000-0x2000": names of functions, or their
 * ends from a "::" on; with a dot or a slash also files (without a slash their names without
 * folders, with one as the compiler was given them); START+SIZE; START-END, where END is behind the
 * last byte. false: *ignore is
 * untouched and text says in one line what is wrong.
 */
bool view_ignore_parse(const char *list, struct view_ignore *ignore, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Whether hits at addr are left out; function and file may be NULL. */
bool view_ignore_hit(const struct view_ignore *ignore, uint64_t addr, const char *function,
                     const char *file);

#endif
