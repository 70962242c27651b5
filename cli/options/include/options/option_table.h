/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all options, whichever verb takes them. */
#ifndef OPTIONS_OPTION_TABLE_H
#define OPTIONS_OPTION_TABLE_H

#include <limits.h>

#include <options/options.h>

/* What a setter may say of a wrong value, in bytes. */
#define OPTION_TEXT 400

/* The letter of an option that has none. */
#define OPTION_ONLY_LONG (CHAR_MAX + 1)

struct option_spec {
    unsigned group; /* enum option_group, or-ed: whose it is */
    int letter;     /* or OPTION_ONLY_LONG */
    const char *name;
    const char *value; /* what it takes, NULL: nothing, "[=X]": X or nothing */
    /* Takes the value; false: text says why it is not one. NULL: what all verbs have, --help and
     * --version. */
    bool (*set)(struct options *o, const char *value, char *text);
    const char *help;
};

/* Ends with one whose name is NULL. */
extern const struct option_spec option_specs[];

/* As long as nothing is given. */
void option_defaults(struct options *o);

#endif
