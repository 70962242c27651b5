/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A diff to a terminal, a pipe or a file. */
#ifndef COMMAND_DIFF_PRINT_H
#define COMMAND_DIFF_PRINT_H

#include <view/change.h>

#include "options.h"

/* In the format of the options. A status; what went wrong is said. */
int diff_print(const struct options *options, const struct view_changes *changes);

#endif
