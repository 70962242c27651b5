/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff to a terminal, a pipe or a file. */
#ifndef COMMAND_DIFF_PRINT_H
#define COMMAND_DIFF_PRINT_H

#include <options/options.h>
#include <ranking/change.h>

/* In the format of the options; with CSV, warnings are lines on stderr. A status; what went wrong
 * is said. */
int diff_print(const struct options *options, const struct view_changes *changes);

#endif
