/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --between and --worst of a trace file. */
#ifndef EVENTS_FILE_TIMES_H
#define EVENTS_FILE_TIMES_H

#include <options/options.h>

/* Prints how long times or calls of the file options->operands[0] are, and the events of the
 * longest one. Returns a status of <base/say.h>, and prints messages. */
int file_times_print(const struct options *options);

#endif
