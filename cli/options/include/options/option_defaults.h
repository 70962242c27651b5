/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shell's commands take as given, unless their own lines say something else. */
#ifndef OPTIONS_OPTION_DEFAULTS_H
#define OPTIONS_OPTION_DEFAULTS_H

#include <options/option_table.h>

struct option_default {
    const struct option_spec *spec;
    char *value; /* NULL: none */
};

/* In the order in which they were given, count of them; good until the next call of another
 * function here. */
const struct option_default *option_defaults_all(size_t *count);

/* A new line of options begins: those that it names replace what they were set to before. */
void option_defaults_begin(void);

/* Adds one, whose value was accepted; of an option that names the link, in place of all that do,
 * but for gdb and tcl on one line, which go together. false: no memory. */
bool option_default_add(const struct option_spec *spec, const char *value);

/* Sets the option of that name to the values, count of them (0: it takes none), in place of those
 * that it had. false: text (OPTION_TEXT bytes) says why not, and nothing has changed. */
bool option_default_set(const char *name, char **values, size_t count, char *text);

/* Takes away what an option was set to; NULL: of all options. false: there is no such option. */
bool option_default_unset(const char *name);

/* Whether it names what is connected to. */
bool option_is_link(const struct option_spec *spec);

/* Whether it can have a default. */
bool option_has_default(const struct option_spec *spec);

/* From now on the ELF file and the link of these options are taken where a line and the defaults
 * name none; they are borrowed. NULL: none. Returns what was set before. */
const struct options *option_inherit_from(const struct options *options);

/* For options_parse(): whether there are such, and takes them; the link unless another one is
 * given. */
bool option_inherits(void);
void option_inherit(struct options *o, bool other);

#endif
