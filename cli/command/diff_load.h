/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a diff's two sides. */
#ifndef COMMAND_DIFF_LOAD_H
#define COMMAND_DIFF_LOAD_H

#include <view/change.h>

#include "options.h"

/* Loads the files one after the other and takes their rows: the first base_count operands for base,
 * the others for new. A status; what went wrong is said. */
int diff_load(const struct options *options, struct view_set *set);

#endif
