/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The defaults of a shell: values of options for all its commands that do not set them. There is
 * one list in the process. */
#ifndef OPTIONS_OPTION_DEFAULTS_H
#define OPTIONS_OPTION_DEFAULTS_H

#include <options/option_table.h>

/* A default. */
struct option_default {
    const struct option_spec *spec;
    char *value; /* owned by the list; NULL: the option has no value */
};

/* Returns the defaults in the order in which they were set, and sets *count. Valid until the list
 * is changed. */
const struct option_default *option_defaults_all(size_t *count);

/* Starts a new command line: its options replace earlier values of the same options. */
void option_defaults_begin(void);

/* Adds a default with a value that was accepted; both are copied. An option that names a target
 * replaces all others that do, except for gdb and tcl on the same command line. Does nothing for an
 * option that cannot have a default. Returns false if memory runs out. */
bool option_default_add(const struct option_spec *spec, const char *value);

/* Sets an option by its name to count values, which replace those that it had; 0: it has no value.
 * Returns false, and writes one line to text (OPTION_TEXT bytes), if there is no such option, a
 * value is wrong, or memory runs out. */
bool option_default_set(const char *name, char **values, size_t count, char *text);

/* Removes the values of an option; NULL: of all options. Returns false if there is no such option.
 */
bool option_default_unset(const char *name);

/* Whether an option names a target, such as --gdb. */
bool option_is_link(const struct option_spec *spec);

/* Whether an option can have a default. */
bool option_has_default(const struct option_spec *spec);

/* Makes commands use the ELF file and the link of other options, if they and the defaults name
 * none. The options are borrowed until the next call; NULL: none. Returns those that were set
 * before. */
const struct options *option_inherit_from(const struct options *options);

/* For options_parse(): whether such options are set; and copies them to o, without the link if
 * other says that o names another target. */
bool option_inherits(void);
void option_inherit(struct options *o, bool other);

#endif
