/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of the calls of a trace, like 'control_step=120us@max'. */
#ifndef OPTIONS_OPTION_CALL_LIMIT_H
#define OPTIONS_OPTION_CALL_LIMIT_H

#include <options/option_table.h>

/* Whether a value of --fail-above is a limit of calls. */
bool option_is_call_limit(const char *value);

/* Parses such a limit and adds it to options. Returns false, with one line in text, if it is wrong.
 */
bool option_add_call_limit(struct options *options, const char *value, char *text);

#endif
