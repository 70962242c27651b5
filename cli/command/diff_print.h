/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a diff to a terminal, a pipe or a file. */
#ifndef COMMAND_DIFF_PRINT_H
#define COMMAND_DIFF_PRINT_H

#include <options/options.h>
#include <ranking/change.h>

/* Writes a diff in the format of options->format to stdout or options->output. With CSV, warnings
 * are lines on stderr. Returns a status of <base/say.h>; prints a message on failure. */
int diff_print(const struct options *options, const struct view_changes *changes);

#endif
