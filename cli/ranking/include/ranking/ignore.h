/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules for hits that are left out of a ranking. */
#ifndef RANKING_IGNORE_H
#define RANKING_IGNORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/tasks.h>

/* Largest number of rules. */
#define VIEW_IGNORE_MAX 64

/* One rule: a pattern of fnmatch(3), or a range of addresses. */
struct view_ignore_rule {
    char glob[120];       /* "": the rule is a range */
    bool files;           /* the pattern has a dot or a slash, so it also matches files */
    uint64_t first, last; /* of the range; both are in it */
};

/* The rules. Zeroed memory leaves out nothing. */
struct view_ignore {
    struct view_ignore_rule rules[VIEW_IGNORE_MAX];
    size_t count;
    bool files;                      /* at least one rule matches files */
    bool some_contexts;              /* leave out samples unless contexts has their number */
    bool contexts[PROFILE_CONTEXTS]; /* by the numbers of profile/tasks.h */
};

/*
 * Adds the rules of a list like "HAL_*,startup.c,0x08000000+0x400,0x1000-0x2000". A rule is
 *
 * - the name of a function or a pattern for it, or the end of a name after "::";
 * - if it has a dot or a slash, also a file: without a slash its name without folders, with a slash
 *   its path as the compiler was given it;
 * - START+SIZE, or START-END, where END is the address after the last byte.
 *
 * Returns false, and writes one line to text, if the list is wrong; *ignore then has no more rules
 * than before.
 */
bool view_ignore_parse(const char *list, struct view_ignore *ignore, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Whether a rule that is a name matches a function and its file, which may be NULL. */
bool view_ignore_rule_hit(const struct view_ignore_rule *rule, const char *function,
                          const char *file);

/* Whether a rule of either kind matches hits at addr, in a function and a file that may be NULL. */
bool view_ignore_rule_has(const struct view_ignore_rule *rule, uint64_t addr, const char *function,
                          const char *file);

/* Whether some rule matches hits at addr, in a function and a file that may be NULL. */
bool view_ignore_hit(const struct view_ignore *ignore, uint64_t addr, const char *function,
                     const char *file);

#endif
