/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all options of all verbs. */
#ifndef OPTIONS_OPTION_TABLE_H
#define OPTIONS_OPTION_TABLE_H

#include <limits.h>

#include <options/options.h>

/* Size of the text of option_spec.set(), bytes with the NUL. */
#define OPTION_TEXT 400

/* The letter of an option that has only a long name. */
#define OPTION_ONLY_LONG (CHAR_MAX + 1)

/* The heading under which --help and the manual list an option. */
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

/* What a value is, for completion. */
enum option_value {
    VALUE_OTHER, /* a number, an address, a name that is not known here */
    VALUE_PATH,
    VALUE_FUNCTIONS,
    VALUE_COLUMNS,        /* of a ranking */
    VALUE_CHANGE_COLUMNS, /* of a diff */
    /* One word of a list: see option_word(). */
    VALUE_BY,
    VALUE_PER,
    VALUE_SAMPLER,
    VALUE_FORMAT,
    VALUE_EXPORTER,
    VALUE_TCL,
};

/* One option. All strings are constants. */
struct option_spec {
    unsigned group; /* enum option_group, or-ed: verbs with one of these have the option */
    enum option_heading heading;
    bool common;       /* --help lists it first; at most 15 options of a verb are common */
    int letter;        /* the short option, or OPTION_ONLY_LONG */
    const char *name;  /* the long option without "--" */
    const char *value; /* name of its value; NULL: it has none; "[=X]": the value is optional */
    /* Stores a value in *o; value is NULL if none is given, and may be borrowed. Returns false, and
     * writes one line to text, if it is wrong. A line that begins with "--" names the option;
     * otherwise the caller does. NULL: --help and --version, which all verbs have. */
    bool (*set)(struct options *o, const char *value, char *text);
    /* One phrase of at most 12 words, with the default in brackets; "%s" is the list of formats. */
    const char *help;
    enum option_value type;
};

/* All options; the last entry has the name NULL. A name may occur twice, for different verbs. */
extern const struct option_spec option_specs[];

/* Whether a verb has an option. */
bool option_is_taken(const struct command *command, const struct option_spec *spec);

/* Writes the help of an option of a verb to text: option_spec.help, or the formats that the verb
 * accepts. */
void option_help(const struct command *command, const struct option_spec *spec, char *text,
                 size_t capacity);

/* Returns the word number index, from 0 on, of the words that a value may be; NULL at the end of
 * the list, or if it is not a list. Not every verb accepts each word. A word that ends with ':' is
 * followed by something else. */
const char *option_word(enum option_value type, size_t index);

/* Sets all options to their defaults. */
void option_defaults(struct options *o);

/* Takes a value of --per; a name of a function is borrowed. Returns false, and writes one line to
 * text (OPTION_TEXT bytes), if it is none. */
bool option_set_per(struct options *o, const char *value, char *text);

#endif
