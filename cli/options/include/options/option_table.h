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

/* Where --help and the manual list an option. */
enum option_heading {
    HEADING_TARGET,
    HEADING_SYMBOLS,
    HEADING_ROWS,
    HEADING_COMPARISON,
    HEADING_GATE,
    HEADING_RECORDING,
    HEADING_REFRESH,
    HEADING_SOURCE,
    HEADING_SHELL,
    HEADING_OUTPUT,
    HEADING_GENERAL,
    HEADING_COUNT
};

struct option_spec {
    unsigned group; /* enum option_group, or-ed: whose it is */
    enum option_heading heading;
    bool common; /* --help lists it first; at most 15 of a verb's options are */
    int letter;  /* or OPTION_ONLY_LONG */
    const char *name;
    const char *value; /* what it takes, NULL: nothing, "[=X]": X or nothing */
    /* Takes the value. Returns false and says why in text if it is wrong; a text that begins with
     * "--" names the option itself. NULL: what all verbs have, --help and --version. */
    bool (*set)(struct options *o, const char *value, char *text);
    const char *help; /* one phrase of at most 12 words, its default in brackets */
};

/* Ends with one whose name is NULL. */
extern const struct option_spec option_specs[];

/* Whether the verb has that option. */
bool option_is_taken(const struct command *command, const struct option_spec *spec);

/* As long as nothing is given. */
void option_defaults(struct options *o);

#endif
